public import SightlineContent

/// Reads answers of OpenStreetMap's Overpass interface in JSON: an object with `elements`.
///
/// Nodes with tags become places; ways and relations stand at their `center`, or in the middle of their geometry, when the
/// query asked for one (`out center`, `out geom`); a geometry gives them their line or area, too. Elements without a name are
/// points of a way and the like, and are left out, unless ``ReadingOptions/titlesFromTags`` says otherwise. Names in other
/// languages (`name:de`) are the place's translations.
public struct OverpassReader {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document, UTF-8.
  ///   - options: File name (the world's title) and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      return read(try JSONTreeReader.read(bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func isOverpass(_ root: JSONNode) -> Bool { root["elements"] != nil }

  static func read(_ document: JSONTreeReader.Result, options: ReadingOptions) -> Reading {
    var collector = PlaceCollector(prefix: "osm-", options: options, budget: document.budget)
    collector.take(document.problems)
    let root = document.root
    guard case .array(let elements)? = root["elements"]?.value else {
      collector.problems.add(
        .error,
        "field.type",
        line: root.line,
        path: "/elements",
        "elements is \(root["elements"]?.kind ?? "missing"); an Overpass answer has an array there. Ask with [out:json]."
      )
      return Reading(dimension: nil, problems: collector.finish())
    }
    // A query that ran out of time or memory is answered with what there is, and this remark.
    if let remark = collector.text("remark", of: root) {
      collector.problems.add(
        .warning,
        "source.error",
        line: root["remark"]?.line ?? root.line,
        path: "/remark",
        "The server remarks: \(quoted(remark, limit: 160)). The answer may not be whole; ask for less."
      )
    }
    let list = DocumentPath(root: "/elements")
    for (index, element) in elements.enumerated() {
      guard collector.goesOn else { break }
      read(element, path: list.item(index), &collector)
    }
    var dimension = Dimension()
    dimension.name = collector.text("name", of: root) ?? options.title
    dimension.attribution =
      root["osm3s"].flatMap { collector.text("copyright", of: $0) } ?? "© OpenStreetMap contributors"
    dimension.places = collector.places
    collector.problems.shorten(&dimension, line: root.line, path: "")
    return Reading(dimension: dimension, problems: collector.finish())
  }

  /// Keys that say what a thing is, the first that is there counts.
  private static let kinds = [
    "amenity", "tourism", "historic", "shop", "leisure", "natural", "public_transport", "railway", "highway",
    "man_made",
    "place", "building",
  ]

  private static func read(_ element: JSONNode, path: DocumentPath, _ collector: inout PlaceCollector) {
    guard let type = collector.text("type", of: element), ["node", "way", "relation"].contains(type) else {
      collector.problems.add(
        .error,
        "field.type",
        line: element.line,
        path: path.child("type"),
        "An element must be of type node, way or relation. It is left out; correct it."
      )
      return
    }
    var tags: [String: String] = [:]
    if case .object(let members)? = element["tags"]?.value {
      guard collector.problems.take(members.count, of: .steps, line: element.line, path: path) else { return }
      for member in members { if let text = member.value.plain { tags[member.name] = text } }
    }
    let kind = kinds.first { tags[$0] != nil }
    let named = tags["name"] ?? tags["ref"]
    // "drinking_water" is better than nothing where drinking water was asked for.
    let described = kind.flatMap { tags[$0] }.flatMap { $0 == "yes" ? kind : $0 }
    guard let title = named ?? (collector.options.titlesFromTags ? described.map(inWords) : nil) else {
      collector.ignore("\(type) without a name", line: element.line, path: path)
      return
    }
    guard let position = position(element, path: path, &collector) else { return }
    var place = Place(title: title, position: position, visual: .text(title))
    place.altitudeMode = position.altitude == nil ? .eye : .seaLevel
    place.summary = tags["description"]
    if let kind, let value = tags[kind] { place.categories = [value] }
    place.translations = translations(tags)
    let shapes = OverpassShape.shapes(of: element, type: type, tags: tags, path: path, problems: collector.problems)
    if !shapes.isEmpty { place.shapes = shapes }
    place.phone = tags["phone"] ?? tags["contact:phone"]
    let tagPath = path.child("tags")
    place.link = collector.address(
      tags["website"] ?? tags["contact:website"] ?? tags["url"],
      isLink: true,
      line: element.line,
      path: tagPath.child("website")
    )
    place.imageURL = collector.address(
      tags["image"],
      isLink: false,
      line: element.line,
      path: tagPath.child("image")
    )
    let used: Set = ["name", "description", "phone", "website", "image", "ele"]
    place.metadata = tags.filter { !used.contains($0.key) && language($0.key) == nil }
    let id = collector.text("id", of: element).map { "\(type)/\($0)" }
    collector.take(place, id: id, line: element.line, path: path)
  }

  private static func inWords(_ value: String) -> String {
    let text = value.split(separator: ";").first.map(String.init) ?? value
    return text.prefix(1).uppercased() + text.dropFirst().map { $0 == "_" ? " " : String($0) }.joined()
  }

  /// `de` of `name:de`; `nil` for tags that are no texts in a language.
  static func language(_ tag: String) -> String? {
    let parts = tag.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "name" || parts[0] == "description" else { return nil }
    let subtags = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard let first = subtags.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy({ 0x61...0x7A ~= $0 }),
      subtags.dropFirst().allSatisfy({
        (2...8).contains($0.utf8.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
    else { return nil }
    return String(parts[1])
  }

  private static func translations(_ tags: [String: String]) -> [String: Wording]? {
    var found: [String: Wording] = [:]
    for (tag, text) in tags {
      guard let language = language(tag) else { continue }
      if tag.hasPrefix("name:") {
        // A label that repeats the title is the title in the other language, too.
        found[language, default: Wording()].title = text
      } else {
        found[language, default: Wording()].summary = text
      }
    }
    return found.isEmpty ? nil : found
  }

  private static func position(_ element: JSONNode, path: DocumentPath, _ collector: inout PlaceCollector) -> Position?
  {
    let height = element["tags"]?["ele"]?.decimal
    if case .array(let points)? = element["geometry"]?.value, element["center"] == nil {
      // The middle of the corners; an area's closing corner counts once.
      var corners = points.compactMap { point -> (Double, Double)? in
        guard let latitude = point["lat"]?.decimal, let longitude = point["lon"]?.decimal else { return nil }
        return (latitude, longitude)
      }
      if corners.count > 1, let first = corners.first, let last = corners.last, first == last { corners.removeLast() }
      guard !corners.isEmpty else {
        collector.ignore("element without a position", line: element.line, path: path)
        return nil
      }
      let count = Double(corners.count)
      return collector.position(
        latitude: corners.reduce(0) { $0 + $1.0 } / count,
        longitude: corners.reduce(0) { $0 + $1.1 } / count,
        altitude: height,
        line: element.line,
        path: path
      )
    }
    let holder = element["center"] ?? element
    guard holder["lat"] != nil || collector.text("type", of: element) == "node" else {
      collector.problems.add(
        .warning,
        "field.missing",
        line: element.line,
        path: path,
        "The element has no position. It is left out; end the query with \"out center\"."
      )
      return nil
    }
    let holderPath = element["center"] == nil ? path : path.child("center")
    let lost = "The element is left out"
    guard let latitude = collector.number("lat", of: holder, path: holderPath, consequence: lost),
      let longitude = collector.number("lon", of: holder, path: holderPath, consequence: lost)
    else { return nil }
    return collector.position(
      latitude: latitude,
      longitude: longitude,
      altitude: height,
      line: holder.line,
      path: holderPath
    )
  }
}
