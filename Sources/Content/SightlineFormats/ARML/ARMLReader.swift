public import SightlineContent

/// Reads ARML 2.0 (OGC 12-132r4): features with geometries, relative anchors and screen anchors, visual assets, conditions.
///
/// Each anchor with a geometry becomes a place, each label on a screen anchor an overlay. Scripts and styles are never run.
public struct ARMLReader {
  static let namespace = "http://www.opengis.net/arml/2.0"
  /// Trackers of flat pictures: the standard's address, and that of older samples.
  static let pictureTrackers: Set = [
    "http://www.opengis.net/arml/tracker/genericImageTracker",
    "http://opengeospatial.org/arml/tracker/genericImageTracker",
  ]
  /// Longest chain of anchors that are relative to one another.
  static let longestChain = 8

  var collector: PlaceCollector
  var dimension = Dimension()
  /// Every element with an identifier.
  var elements: [String: LocatedElement] = [:]
  /// Identifiers of anchors that others link to.
  private var referred: Set<String> = []
  /// Features that have a place already.
  var takenFeatures: Set<String> = []
  /// Identifiers of assets in the world, by address.
  var assets: [String: String] = [:]

  private init(options: ReadingOptions) { collector = PlaceCollector(prefix: "arml-", options: options) }

  static func isARML(_ root: LocatedElement) -> Bool { root.name == "arml" }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: File name (title of the world), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      try options.limits.checkSize(bytes.count)
      return read(try XMLTreeReader.root(ofBytes: bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func read(_ root: LocatedElement, options: ReadingOptions) -> Reading {
    var reader = ARMLReader(options: options)
    guard isARML(root) else {
      return reader.refused(
        root,
        "format.unknown",
        "The root element is \(quoted(root.name, limit: 80)); ARML 2.0 has arml there, in \(namespace)."
      )
    }
    if root.namespace != namespace {
      reader.collector.problems.add(
        .info,
        "namespace.old",
        line: root.line,
        path: "arml",
        "The root is in \(root.namespace.map { "the namespace \($0)" } ?? "no namespace"). It is read; write \(namespace)."
      )
    }
    guard let list = root.child("ARElements") else {
      return reader.refused(root, "field.missing", "ARElements is missing. Put all features and anchors into it.")
    }
    reader.collect(list, path: "arml/ARElements")
    for child in root.children where child.name != "ARElements" {
      reader.collector.ignore(child.name, line: child.line, path: "arml/\(child.name)")
    }
    for (index, child) in list.children.enumerated() {
      reader.element(child, path: "arml/ARElements/\(child.name)[\(index + 1)]")
    }
    reader.dimension.name = options.title
    reader.dimension.places = reader.collector.places
    return Reading(dimension: reader.dimension, problems: reader.collector.finish())
  }

  private mutating func refused(_ root: LocatedElement, _ code: String, _ message: String) -> Reading {
    collector.problems.add(.error, code, line: root.line, path: root.name, message)
    return Reading(dimension: nil, problems: collector.finish())
  }

  /// Notes all identifiers; `user` is reserved, and the first of two counts.
  private mutating func collect(_ element: LocatedElement, path: String) {
    for child in element.children {
      if child.name == "anchorRef" || child.name == "ref", let link = child.link { referred.insert(link) }
      if let id = child.attribute("id")?.trimmed, !id.isEmpty {
        if id == "user" {
          collector.problems.add(
            .warning,
            "id.reserved",
            line: child.line,
            path: "\(path)/\(child.name)",
            "The id user stands for whoever looks. It is ignored; choose another."
          )
        } else if elements[id] != nil, child.name != "Feature" {
          collector.problems.add(
            .error,
            "id.duplicate",
            line: child.line,
            path: "\(path)/\(child.name)",
            "The id \(quoted(id)) stands there twice. The first is meant by links; make ids differ."
          )
        } else if elements[id] == nil {
          elements[id] = child
        }
      }
      collect(child, path: "\(path)/\(child.name)")
    }
  }

  /// One member of the list: a feature, or what stands there to be referred to.
  private mutating func element(_ element: LocatedElement, path: String) {
    switch element.name {
    case "Feature": feature(element, path: path)
    case "Geometry", "RelativeTo", "Trackable", "ScreenAnchor":
      // Without a feature around it only what it shows is known; one that features link to is read with them.
      if !isReferred(element) { anchor(element, of: nil, path: path) }
    case "Tracker", "Label", "Text", "Fill", "Image", "Model", "DistanceCondition", "SelectedCondition": break
    default: collector.ignore(element.name, line: element.line, path: path)
    }
  }

  private func isReferred(_ element: LocatedElement) -> Bool {
    guard let id = element.attribute("id")?.trimmed, !id.isEmpty else { return false }
    return referred.contains(id)
  }

  private mutating func feature(_ element: LocatedElement, path: String) {
    guard isEnabled(element, path: path) else { return }
    var feature = ARMLFeature(id: element.attribute("id")?.trimmed, line: element.line)
    feature.name = element.value("name")
    feature.description = element.value("description")
    for field in element.child("metadata")?.children ?? [] where !field.text.isBlank {
      feature.metadata[field.name] = field.text.trimmed
    }
    if let text = element.child("metadata")?.text.trimmed, !text.isEmpty { feature.metadata["metadata"] = text }
    guard let list = element.child("anchors"), !list.children.isEmpty else {
      var place = Place(title: feature.title(nil), position: nil, visual: .text(feature.title(nil)))
      feature.fill(&place)
      collector.problems.add(
        .info,
        "geometry.missing",
        line: element.line,
        path: path,
        "The feature has no anchors, so it is in lists only. Add a Geometry to show it."
      )
      collector.take(place, id: feature.id, line: element.line, path: path)
      return
    }
    for (index, child) in list.children.enumerated() {
      let childPath = "\(path)/anchors/\(child.name)[\(index + 1)]"
      if child.name == "anchorRef" {
        if let target = resolve(child, ["Geometry", "RelativeTo", "Trackable", "ScreenAnchor"], path: childPath) {
          anchor(target, of: feature, path: childPath)
        }
      } else {
        anchor(child, of: feature, path: childPath)
      }
    }
  }

  /// What a link names, if it is there and of a kind that may stand there.
  mutating func resolve(_ element: LocatedElement, _ kinds: Set<String>, path: String) -> LocatedElement? {
    guard let link = element.link else {
      report(element, path, "field.missing", "\(element.name) has no xlink:href. It is ignored; add one.")
      return nil
    }
    guard let target = elements[link] else {
      report(
        element,
        path,
        "reference.unknown",
        "\(quoted(link)) is not in the document. The link is ignored; correct the identifier."
      )
      return nil
    }
    guard kinds.contains(target.name) else {
      report(
        element,
        path,
        "reference.unknown",
        "\(quoted(link)) is a \(target.name), but \(kinds.sorted().joined(separator: ", ")) may stand here. The link is "
          + "ignored; correct it."
      )
      return nil
    }
    if let text = element.attributes.first(where: { $0.name.split(separator: ":").last == "href" })?.value,
      !text.trimmed.hasPrefix("#")
    {
      collector.problems.add(
        .info,
        "reference.form",
        line: element.line,
        path: path,
        "The link \(quoted(text)) lacks its #. It is followed; write #\(link)."
      )
    }
    return target
  }

  /// Whether an element is not switched off; without scripts nothing would switch it on again.
  mutating func isEnabled(_ element: LocatedElement, path: String) -> Bool {
    guard element.value("enabled") == "false" else { return true }
    collector.problems.add(
      .info,
      "item.disabled",
      line: element.line,
      path: path,
      "The \(element.name) is not enabled, and scripts are not run. It is left out."
    )
    return false
  }

  mutating func report(_ element: LocatedElement, _ path: String, _ code: String, _ message: String) {
    collector.problems.add(.error, code, line: element.line, path: path, message)
  }
}

/// What a feature says of itself.
struct ARMLFeature {
  var id: String?
  var line: Int
  var name: String?
  var description: String?
  var metadata: [String: String] = [:]

  init(id: String?, line: Int) {
    self.id = id?.isEmpty == false ? id : nil
    self.line = line
  }

  /// Its name, or else what it is known by.
  func title(_ position: Position?) -> String {
    name ?? id ?? position.map { "\(DecimalNumber.text($0.latitude)), \(DecimalNumber.text($0.longitude))" } ?? "–"
  }

  func fill(_ place: inout Place) {
    place.summary = description
    place.metadata.merge(metadata) { own, _ in own }
  }

  /// A text with its placeholders `$[name]` and `$[description]` filled in.
  func filled(_ text: String) -> String {
    var result = text
    for (key, value) in [("name", name), ("description", description)] {
      let parts = result.splitting(by: "$[\(key)]")
      result = parts.joined(separator: value ?? "")
    }
    return result
  }
}

extension LocatedElement {
  /// The identifier that an `xlink:href` names.
  var link: String? {
    let value = attributes.first { $0.name == "href" || $0.name.hasSuffix(":href") }?.value.trimmed
    guard let value, !value.isEmpty else { return nil }
    return value.hasPrefix("#") ? String(value.dropFirst()) : value
  }
}

extension String {
  /// The stretches between the places where a text stands.
  fileprivate func splitting(by separator: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
