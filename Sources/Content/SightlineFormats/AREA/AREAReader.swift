public import SightlineContent
import SightlineInput

/// Reads AREA XML: `locations` with any number of `location`, in no namespace or in ``namespace``.
///
/// Schema: `Documentation/formats/area.xsd`.
public struct AREAReader {
  /// The namespace of the published schema.
  public static let namespace = "http://www.area.com"
  static let fieldNames: Set = ["latitude", "longitude", "altitude", "name", "information", "category"]

  private let options: ReadingOptions
  private let problems: ProblemList
  private var identifiers = IdentifierRegister()
  private var ignored: [String: (count: Int, line: Int, path: DocumentPath)] = [:]
  private let rootNamespace: String?
  private var hasNotedNamespace = false

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: File name (the world's title), altitude mode and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    let budget = options.limits.budget(documentBytes: bytes.count)
    do {
      try options.limits.checkSize(bytes.count)
      let utf8 = try TextDecoding.utf8(bytes)
      let repaired = withoutDeclarationSlip(utf8)
      let root = try XMLTreeReader.root(of: repaired ?? utf8, limits: options.limits, budget: budget)
      var reading = read(root, options: options, budget: budget)
      if repaired != nil { reading.problems.insert(slipProblem, at: 0) }
      return reading
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func read(_ root: LocatedElement, options: ReadingOptions, budget: ReadingBudget) -> Reading {
    guard root.name == "locations", root.namespace == nil || root.namespace == namespace else {
      let found = root.namespace.map { "\(root.name) in the namespace \($0)" } ?? root.name
      let problem = Problem(
        .error,
        "format.unknown",
        line: root.line,
        path: root.name,
        message: "The root element is \(quoted(found, limit: 80)); an AREA document has locations there, "
          + "in no namespace or in \(namespace)."
      )
      return Reading(dimension: nil, problems: [problem])
    }
    var reader = AREAReader(options: options, root: root, budget: budget)
    return reader.read(root)
  }

  private init(options: ReadingOptions, root: LocatedElement, budget: ReadingBudget) {
    self.options = options
    rootNamespace = root.namespace
    problems = ProblemList(budget: budget)
  }

  private mutating func read(_ root: LocatedElement) -> Reading {
    var dimension = Dimension()
    dimension.name = options.title
    noteText(root, path: "locations")
    var number = 0
    let list = DocumentPath(root: "locations")
    for child in root.children {
      guard problems.goesOn, problems.take(of: .steps, line: child.line, path: list) else { break }
      guard child.name == "location" else {
        ignore(child, path: list.child(child.name))
        continue
      }
      number += 1
      let path = list.child("location", number)
      checkNamespace(child, path: path)
      if var place = place(child, path: path), problems.admit(&place, line: child.line, path: path) {
        dimension.places.append(place)
      }
    }
    reportIgnored()
    problems.shorten(&dimension, line: root.line, path: list)
    return Reading(dimension: dimension, problems: problems.sorted())
  }

  private mutating func place(_ element: LocatedElement, path: DocumentPath) -> Place? {
    noteText(element, path: path)
    var texts: [String: (text: String, line: Int)] = [:]
    var categories: [String] = []
    var metadata: [String: [String]] = [:]
    var isUsable = true
    guard problems.take(element.children.count, of: .steps, line: element.line, path: path) else { return nil }
    for child in element.children {
      let childPath = path.child(child.name)
      checkNamespace(child, path: childPath)
      guard child.children.isEmpty else {
        ignore(child, path: childPath)
        continue
      }
      if child.name == "category" {
        let category = child.text.trimmed
        if !category.isEmpty { categories.append(category) }
      } else if AREAReader.fieldNames.contains(child.name) {
        if let earlier = texts[child.name] {
          let isCoordinate = ["latitude", "longitude", "altitude"].contains(child.name)
          problems.add(
            .error,
            "field.repeated",
            line: child.line,
            path: childPath,
            "\(child.name) stands here a second time (first in line \(earlier.line)). "
              + (isCoordinate ? "The place is left out; keep one." : "The first one is used; keep one.")
          )
          if isCoordinate { isUsable = false }
        } else {
          texts[child.name] = (child.text.trimmed, child.line)
        }
      } else {
        metadata[child.name, default: []].append(child.text.trimmed)
      }
    }
    let latitude = coordinate("latitude", texts, element, path)
    let longitude = coordinate("longitude", texts, element, path)
    let altitude = coordinate("altitude", texts, element, path)
    let name = name(texts, element, path, latitude, longitude)
    if texts["information"] == nil {
      problems.add(
        .warning,
        "field.missing",
        line: element.line,
        path: path.child("information"),
        "information is missing. Add it; it may be empty."
      )
    }
    guard let latitude, let longitude, let name, isUsable else { return nil }
    let faulty = abs(latitude) > 90 ? "latitude" : "longitude"
    let line = texts[faulty]?.line ?? element.line
    guard problems.checkRange(latitude: latitude, longitude: longitude, line: line, path: path.child(faulty)) else {
      return nil
    }
    let position = Position(latitude: latitude, longitude: longitude, altitude: altitude)
    problems.checkZero(position, line: element.line, path: path)
    var place = Place(title: name, position: position, visual: .text(name))
    place.id = identifiers.unique(StableIdentifier.make(prefix: "area-", name: name, position: position))
    place.summary = texts["information"].flatMap { $0.text.isEmpty ? nil : $0.text }
    place.altitudeMode = altitude == nil ? .eye : options.areaAltitudeMode
    place.categories = categories
    place.metadata = metadata.mapValues { $0.joined(separator: "\n") }
    return place
  }

  private mutating func coordinate(
    _ name: String,
    _ texts: [String: (text: String, line: Int)],
    _ element: LocatedElement,
    _ path: DocumentPath
  ) -> Double? {
    // A place without height is still worth showing: at the height of the eye.
    let consequence = name == "altitude" ? "The place is shown at eye height" : "The place is left out"
    guard let (text, line) = texts[name] else {
      problems.add(
        .error,
        "field.missing",
        line: element.line,
        path: path.child(name),
        "\(name) is missing. \(consequence); add it."
      )
      return nil
    }
    guard let value = DecimalNumber.parse(text) else {
      let comma = text.contains(",") ? " It has a comma; the decimal separator is a full stop." : ""
      problems.add(
        .error,
        "field.type",
        line: line,
        path: path.child(name),
        "\(name) is \(quoted(text)), but must be a decimal number.\(comma) \(consequence); correct it."
      )
      return nil
    }
    return value
  }

  private mutating func name(
    _ texts: [String: (text: String, line: Int)],
    _ element: LocatedElement,
    _ path: DocumentPath,
    _ latitude: Double?,
    _ longitude: Double?
  ) -> String? {
    guard let (text, line) = texts["name"] else {
      problems.add(
        .error,
        "field.missing",
        line: element.line,
        path: path.child("name"),
        "name is missing. The place is left out; add it."
      )
      return nil
    }
    guard text.isEmpty, let latitude, let longitude else { return text }
    problems.add(
      .warning,
      "field.missing",
      line: line,
      path: path.child("name"),
      "name is empty; the position is used as a name. Write one."
    )
    return "\(DecimalNumber.text(latitude)), \(DecimalNumber.text(longitude))"
  }

  private mutating func checkNamespace(_ element: LocatedElement, path: DocumentPath) {
    guard element.namespace != rootNamespace, !hasNotedNamespace else { return }
    hasNotedNamespace = true
    problems.add(
      .info,
      "namespace.mixed",
      line: element.line,
      path: path,
      "\(element.name) is in \(element.namespace.map { "the namespace \($0)" } ?? "no namespace"), unlike the root. It "
        + "is read by its name; use one namespace."
    )
  }

  private mutating func noteText(_ element: LocatedElement, path: DocumentPath) {
    guard !element.text.isBlank else { return }
    problems.add(
      .info,
      "extension.ignored",
      line: element.line,
      path: path,
      "The text \(quoted(element.text.trimmed)) between the elements of \(element.name) is ignored."
    )
  }

  private mutating func ignore(_ element: LocatedElement, path: DocumentPath) {
    let known = ignored[element.name]
    ignored[element.name] = ((known?.count ?? 0) + 1, known?.line ?? element.line, known?.path ?? path)
  }

  private mutating func reportIgnored() {
    for (name, use) in ignored.sorted(by: { $0.key < $1.key }) {
      problems.add(
        .info,
        "extension.ignored",
        line: use.line,
        path: use.path,
        "\(name) is not part of the format (or holds elements where text belongs) and is ignored with its content, "
          + "\(use.count == 1 ? "once" : "\(use.count) times")."
      )
    }
  }
}
