public import SightlineContent
import SightlineInput

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
  /// The anchors that models with an identifier stand on; of several the first.
  var modelAnchors: [String: LocatedElement] = [:]
  private static let anchorNames: Set = ["Geometry", "RelativeTo", "Trackable", "ScreenAnchor"]
  /// Identifiers of anchors that others link to.
  private var referred: Set<String> = []
  /// Features that have a place already.
  var takenFeatures: Set<String> = []
  /// Identifiers of assets in the world, by address.
  var assets: [String: String] = [:]

  private init(options: ReadingOptions, budget: ReadingBudget) {
    collector = PlaceCollector(prefix: "arml-", options: options, budget: budget)
  }

  static func isARML(_ root: LocatedElement) -> Bool { root.name == "arml" }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: File name (title of the world), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    let budget = options.limits.budget(documentBytes: bytes.count)
    do {
      try options.limits.checkSize(bytes.count)
      return read(
        try XMLTreeReader.root(ofBytes: bytes, limits: options.limits, budget: budget),
        options: options,
        budget: budget
      )
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func read(_ root: LocatedElement, options: ReadingOptions, budget: ReadingBudget) -> Reading {
    var reader = ARMLReader(options: options, budget: budget)
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
      reader.collector.ignore(child.name, line: child.line, path: DocumentPath(root: "arml").child(child.name))
    }
    let path = DocumentPath(root: "arml/ARElements")
    for (index, child) in list.children.enumerated() {
      guard reader.collector.goesOn else { break }
      reader.element(child, path: path.child(child.name, index + 1))
    }
    reader.dimension.name = options.title
    reader.dimension.places = reader.collector.places
    reader.collector.problems.shorten(&reader.dimension, line: root.line, path: "arml")
    return Reading(dimension: reader.dimension, problems: reader.collector.finish())
  }

  private mutating func refused(_ root: LocatedElement, _ code: String, _ message: String) -> Reading {
    collector.problems.add(.error, code, line: root.line, path: DocumentPath(root: root.name), message)
    return Reading(dimension: nil, problems: collector.finish())
  }

  /// Notes all identifiers; `user` is reserved, and the first of two counts.
  private mutating func collect(_ element: LocatedElement, in anchor: LocatedElement? = nil, path: DocumentPath) {
    guard collector.problems.take(element.children.count, of: .steps, line: element.line, path: path) else { return }
    for child in element.children {
      if child.name == "anchorRef" || child.name == "ref", let link = child.link { referred.insert(link) }
      if let id = child.attribute("id")?.trimmed, !id.isEmpty {
        if id == "user" {
          collector.problems.add(
            .warning,
            "id.reserved",
            line: child.line,
            path: path.child(child.name),
            "The id user stands for whoever looks. It is ignored; choose another."
          )
        } else if elements[id] != nil, child.name != "Feature" {
          collector.problems.add(
            .error,
            "id.duplicate",
            line: child.line,
            path: path.child(child.name),
            "The id \(quoted(id)) stands there twice. The first is meant by links; make ids differ."
          )
        } else if elements[id] == nil {
          elements[id] = child
        }
      }
      if let anchor,
        let id = child.name == "Model" ? child.attribute("id")?.trimmed : child.name == "assetRef" ? child.link : nil,
        modelAnchors[id] == nil
      {
        modelAnchors[id] = anchor
      }
      guard !child.children.isEmpty else { continue }
      collect(child, in: Self.anchorNames.contains(child.name) ? child : anchor, path: path.child(child.name))
    }
  }

  /// One member of the list: a feature, or what stands there to be referred to.
  private mutating func element(_ element: LocatedElement, path: DocumentPath) {
    switch element.name {
    case "Feature": feature(element, path: path)
    case "Geometry", "RelativeTo", "Trackable", "ScreenAnchor":
      // Without a feature around it only what it shows is known; one that features link to is read with them.
      guard !isReferred(element) else { break }
      guard collector.problems.take(element.weight, of: .steps, line: element.line, path: path) else { return }
      anchor(element, of: nil, path: path)
    case "Tracker", "Label", "Text", "Fill", "Image", "Model", "DistanceCondition", "SelectedCondition": break
    default: collector.ignore(element.name, line: element.line, path: path)
    }
  }

  private func isReferred(_ element: LocatedElement) -> Bool {
    guard let id = element.attribute("id")?.trimmed, !id.isEmpty else { return false }
    return referred.contains(id)
  }

  private mutating func feature(_ element: LocatedElement, path: DocumentPath) {
    guard isEnabled(element, path: path) else { return }
    let problems = collector.problems
    guard problems.take(element.weight, of: .steps, line: element.line, path: path) else { return }
    var feature = ARMLFeature(id: element.attribute("id")?.trimmed, line: element.line)
    // Shortened here, for labels may ask for them often.
    feature.name = element.value("name").map { problems.shortened($0, .name, line: element.line, path: path) }
    feature.description = element.value("description").map {
      problems.shortened($0, .text, line: element.line, path: path)
    }
    let metadata = element.child("metadata")
    for field in metadata?.children ?? [] where !field.text.isBlank {
      feature.metadata[field.name] = field.text.trimmed
    }
    if let text = metadata?.text.trimmed, !text.isEmpty { feature.metadata["metadata"] = text }
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
    let anchors = path.child("anchors")
    let first = collector.places.count
    defer { joinSelection(from: first) }
    var references = 0
    for (index, child) in list.children.enumerated() {
      guard collector.goesOn else { break }
      let childPath = anchors.child(child.name, index + 1)
      if child.name == "anchorRef" {
        references += 1
        guard references <= ContentLimits.references else {
          if references == ContentLimits.references + 1 { problems.note(.references, line: child.line, path: anchors) }
          continue
        }
        if let target = resolve(child, ["Geometry", "RelativeTo", "Trackable", "ScreenAnchor"], path: childPath) {
          anchor(target, of: feature, path: childPath)
        }
      } else {
        anchor(child, of: feature, path: childPath)
      }
    }
  }

  /// What a link names, if it is there and of a kind that may stand there.
  mutating func resolve(_ element: LocatedElement, _ kinds: Set<String>, path: DocumentPath) -> LocatedElement? {
    guard let link = element.link else {
      report(element, path, "field.missing", "\(element.name) has no xlink:href. It is ignored; add one.")
      return nil
    }
    guard collector.problems.take(elements[link]?.weight ?? 1, of: .steps, line: element.line, path: path) else {
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
  mutating func isEnabled(_ element: LocatedElement, path: DocumentPath) -> Bool {
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

  mutating func report(_ element: LocatedElement, _ path: DocumentPath, _ code: String, _ message: String) {
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
  ///
  /// In one pass: what is put in is text and no template, even if it looks like one. It ends soon behind the longest text
  /// that is kept, which is for others to cut.
  func filled(_ text: String) -> String {
    var result: [UInt8] = []
    let most = ContentLimits.text * 4
    var rest = Array(text.utf8)[...]
    while let sign = rest.firstIndex(of: 0x24), result.count <= most {
      result += rest[..<sign]
      rest = rest[sign...]
      let value: String?
      if rest.starts(with: "$[name]".utf8) {
        (value, rest) = (name, rest.dropFirst(7))
      } else if rest.starts(with: "$[description]".utf8) {
        (value, rest) = (description, rest.dropFirst(14))
      } else {
        (value, rest) = ("$", rest.dropFirst())
      }
      if let value { result += value.utf8 }
    }
    if result.count <= most { result += rest }
    return String(decoding: result, as: UTF8.self)
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
