public import SightlineContent
import SightlineInput

/// Reads and validates GDDF, the Gamaray dimension description file.
///
/// Bad parts are skipped and reported, the rest is kept; the codes D001 to D050 are listed in
/// `Documentation/formats/gddf.md`.
public struct GDDFReader {
  /// An identifier written in the document; all kinds share one name space for the original Android client.
  struct Declaration {
    var id: String
    var name: String
    var line: Int
    var path: DocumentPath
  }

  /// Something declared once to be used by items.
  struct Shared<Value> {
    /// `nil` when it was left out after a report.
    var value: Value?
    var line: Int
    var path: DocumentPath
    var isUsed = false
  }

  let options: ReadingOptions
  let base: URLReference?
  let problems: ProblemList
  var declared: [Declaration] = []
  /// The first declaration of each identifier so far.
  var declaredByID: [String: Declaration] = [:]
  var locations: [String: Shared<Position>] = [:]
  var assets: [String: Shared<Asset>] = [:]
  var overlayIDs: Set<String> = []
  var hasRefreshURL = false
  var hasNotedPrefix = false
  var altitudeMode = AltitudeMode.seaLevel
  /// Uses of what not every client supports (D050), with the first place of each.
  var rarities: [String: (count: Int, line: Int, path: DocumentPath)] = [:]

  init(options: ReadingOptions, budget: ReadingBudget) {
    self.options = options
    base = options.baseURL.map { URLReference(URLReference.percentEncoded($0.trimmed)) }
    problems = ProblemList(budget: budget)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document in any encoding that its declaration names.
  ///   - options: Base address, axes of offsets and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    let budget = options.limits.budget(documentBytes: bytes.count)
    do {
      return read(
        try XMLTreeReader.root(ofBytes: bytes, limits: options.limits, budget: budget),
        options: options,
        budget: budget
      )
    } catch {
      // The validator's own code covers what is not well formed; the safety limits and encodings keep theirs.
      return Reading(dimension: nil, problems: [error.problem(code: error.code == "xml.malformed" ? "D001" : nil)])
    }
  }

  static func read(_ root: LocatedElement, options: ReadingOptions, budget: ReadingBudget) -> Reading {
    guard root.name == "dimension" else {
      let problem = Problem(
        .error,
        "D001",
        line: root.line,
        path: root.name,
        message: "The root element is <\(root.name)>; a GDDF document has <dimension> there. Nothing of it is read."
      )
      return Reading(dimension: nil, problems: [problem])
    }
    var reader = GDDFReader(options: options, budget: budget)
    let dimension = reader.dimension(root)
    return Reading(dimension: dimension, problems: reader.problems.sorted())
  }

  private mutating func dimension(_ root: LocatedElement) -> Dimension {
    let path: DocumentPath = "dimension"
    notePrefix(of: root, path: path)
    checkVersion(root, path: path)
    let fields = fields(
      of: root,
      path: path,
      scalars: GDDFNames.dimensionScalars,
      containers: GDDFNames.dimensionContainers,
      attributes: ["version"]
    )
    var dimension = Dimension()
    dimension.name = fields.last("name")?.text
    dimension.radarRange = number(
      "radarRange",
      of: fields,
      form: "a number of metres above 0",
      consequence: "the user's radius is used",
      where: { $0 > 0 }
    )
    dimension.relativeAltitude = boolean("relativeAltitude", of: fields, default: false)
    dimension.radarAvailable = boolean("radarAvailable", of: fields, default: true)
    noteRarity("radarAvailable", in: fields)
    for scalar in fields.scalars["refreshUrl"] ?? [] {
      if scalar.text.isEmpty {
        problems.add(
          .error,
          "D040",
          line: scalar.line,
          path: scalar.path,
          "refreshUrl is empty and counts as absent. Write an address, or remove the element."
        )
      } else if let url = url(scalar.text, .refresh, line: scalar.line, path: scalar.path) {
        dimension.refreshURL = url
      }
    }
    reportRepeated("refreshUrl", of: fields, value: dimension.refreshURL)
    hasRefreshURL = dimension.refreshURL != nil
    altitudeMode = dimension.relativeAltitude ? .eye : .seaLevel
    readRefreshTime(fields, into: &dimension)
    readRefreshDistance(fields, into: &dimension)
    dimension.soundURL = sound(fields)

    readLocations(fields)
    dimension.assets = readAssets(fields)
    // Overlays come before features, for features name them; D021 needs to know all.
    dimension.overlays = items(of: "overlays", in: fields, kinds: GDDFNames.overlayKinds) { reader, element, path in
      guard var overlay = reader.overlay(element, path: path) else { return nil }
      return reader.problems.admit(&overlay, line: element.line, path: path) ? overlay : nil
    }
    dimension.places = items(of: "features", in: fields, kinds: GDDFNames.featureKinds) { reader, element, path in
      guard var place = reader.place(element, path: path) else { return nil }
      return reader.problems.admit(&place, line: element.line, path: path) ? place : nil
    }
    reportDuplicates()
    reportUnused()
    reportRarities()
    problems.shorten(&dimension, line: root.line, path: path)
    return dimension
  }

  private mutating func checkVersion(_ root: LocatedElement, path: DocumentPath) {
    let version = root.attribute("version")
    guard version != "1.0" else { return }
    problems.add(
      .error,
      "D002",
      line: root.line,
      path: path.child("@version"),
      (version.map { "The version is \(quoted($0))" } ?? "The attribute version is missing")
        + "; the original Android client refuses the document. Write <dimension version=\"1.0\">."
    )
  }

  /// The children of all containers of a name, in order of the document.
  mutating func items<Item>(
    of container: String,
    in fields: GDDFFields,
    kinds: Set<String>,
    read: (inout GDDFReader, LocatedElement, DocumentPath) -> Item?
  ) -> [Item] {
    var result: [Item] = []
    for part in fields.containers[container] ?? [] {
      let inside = self.fields(of: part.element, path: part.path, scalars: [], items: kinds)
      // The fields are grouped by kind; drawing order is the document's.
      let ordered = inside.containers.values.joined().sorted {
        ($0.element.line, $0.element.column) < ($1.element.line, $1.element.column)
      }
      for item in ordered {
        guard problems.goesOn else { return result }
        if let value = read(&self, item.element, item.path) { result.append(value) }
      }
    }
    return result
  }
}
