public import SightlineContent

/// Reads the JSON of mixare's data sources, and ARena's form of it: an object with `results`.
public struct MixareReader {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document, UTF-8.
  ///   - options: File name (the world's title), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      return read(try JSONTreeReader.read(bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func isMixare(_ root: JSONNode) -> Bool { root["results"] != nil }

  static func read(_ document: JSONTreeReader.Result, options: ReadingOptions) -> Reading {
    var collector = PlaceCollector(prefix: "mixare-", options: options, budget: document.budget)
    collector.take(document.problems)
    let root = document.root
    guard case .array(let entries)? = root["results"]?.value else {
      let found = root["results"].map { "results is \($0.kind)" } ?? "There is no member results"
      collector.problems.add(
        .error,
        root["results"] == nil ? "field.missing" : "field.type",
        line: root["results"]?.line ?? root.line,
        path: "/results",
        "\(found); a mixare document has an array of entries there. Correct it."
      )
      return Reading(dimension: nil, problems: collector.finish())
    }
    collector.noteMembers(of: root, known: ["results", "status", "stats", "num_results", "name"], path: "")
    let list = DocumentPath(root: "/results")
    for (index, entry) in entries.enumerated() {
      guard collector.goesOn else { break }
      read(entry, path: list.item(index), &collector)
    }
    var dimension = Dimension()
    dimension.name = collector.text("name", of: root) ?? options.title
    dimension.places = collector.places
    collector.problems.shorten(&dimension, line: root.line, path: "/name")
    return Reading(dimension: dimension, problems: collector.finish())
  }

  private static let known: Set = [
    "id", "title", "lat", "lng", "elevation", "distance", "has_detail_page", "webpage", "logo", "radius", "object_type",
    "object_url", "imagemarker",
  ]

  private static func read(_ entry: JSONNode, path: DocumentPath, _ collector: inout PlaceCollector) {
    let lost = "The entry is left out"
    guard case .object = entry.value else {
      collector.problems.add(
        .error,
        "field.type",
        line: entry.line,
        path: path,
        "An entry must be an object, but this is \(entry.kind). \(lost); correct it."
      )
      return
    }
    collector.noteMembers(of: entry, known: known, path: path)
    let latitude = collector.number("lat", of: entry, path: path, consequence: lost)
    let longitude = collector.number("lng", of: entry, path: path, consequence: lost)
    let elevation = collector.number(
      "elevation",
      of: entry,
      path: path,
      consequence: "The place is shown at eye height, and the Android client leaves it out"
    )
    guard let title = collector.text("title", of: entry) else {
      collector.problems.add(
        .error,
        "field.missing",
        line: entry.line,
        path: path.child("title"),
        "title is missing or empty. \(lost); add it."
      )
      return
    }
    guard let latitude, let longitude else { return }
    // Widely, 0 stands for an elevation that is not known.
    let altitude = elevation == 0 ? nil : elevation
    guard
      let position = collector.position(
        latitude: latitude,
        longitude: longitude,
        altitude: altitude,
        line: entry.line,
        path: path
      )
    else { return }
    var place = Place(title: title, position: position, visual: .text(title))
    place.altitudeMode = altitude == nil ? .eye : .seaLevel
    let page = entry["webpage"]?.plainText.map { $0.hasPrefix("webpage:") ? String($0.dropFirst(8)) : $0 }
    let pagePath = path.child("webpage")
    place.link = collector.address(page, isLink: true, line: entry["webpage"]?.line ?? entry.line, path: pagePath)
    for name in ["logo", "object_url"] where place.imageURL == nil {
      place.imageURL = collector.address(
        collector.text(name, of: entry),
        isLink: false,
        line: entry[name]?.line ?? entry.line,
        path: path.child(name)
      )
    }
    place.visibilityRadius = collector.positive("radius", of: entry, path: path)
    if let kind = collector.text("object_type", of: entry) { place.categories = [kind] }
    if let marker = collector.text("imagemarker", of: entry) { place.metadata["imagemarker"] = marker }
    collector.take(place, id: collector.text("id", of: entry), line: entry.line, path: path)
  }
}

extension PlaceCollector {
  /// Takes what the JSON reader found.
  mutating func take(_ found: [Problem]) {
    for problem in found { problems.add(problem) }
  }
}
