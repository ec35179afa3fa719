public import SightlineContent
import SightlineInput

/// Reads and validates GDDF, the Gamaray dimension description file.
///
/// Bad parts are skipped and reported, the rest is kept; the codes D001 to D050 are listed in
/// `Documentation/formats/gddf.md`. The reader is a row of stages, each a type of this folder with what it takes and
/// leaves at its head: the head of the dimension, what is defined once, overlays, features, closing checks. Two values
/// go through all of them: `GDDFElementReader` and, from the definitions on, `GDDFDefinitions`.
public struct GDDFReader {
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
    let problems = ProblemList(budget: budget)
    let addresses = GDDFAddressReader(base: options.baseURL, problems: problems)
    let whole = GDDFFields.Container(element: root, path: "dimension")
    var elements = GDDFElementReader(problems: problems)

    var (dimension, fields) = GDDFHeadReader(addresses: addresses).read(whole, &elements)

    var definitions = GDDFDefinitions(problems: problems)
    GDDFLocationReader.read(fields, &elements, into: &definitions)
    dimension.assets = GDDFAssetReader(addresses: addresses).read(fields, &elements, into: &definitions)

    // Overlays come before features, for features name them; D021 needs to know all.
    let actions = GDDFActionReader(addresses: addresses, hasRefreshURL: dimension.refreshURL != nil)
    let overlays = GDDFOverlayReader(actions: actions).read(fields, &elements, &definitions)
    dimension.overlays = overlays.items
    dimension.places = GDDFFeatureReader(
      actions: actions,
      axes: options.axes,
      altitudeMode: dimension.relativeAltitude ? .eye : .seaLevel,
      overlayIDs: overlays.ids
    ).read(fields, &elements, &definitions)

    definitions.declarations.reportDuplicates()
    definitions.reportUnused()
    elements.rarities.report(to: problems)
    problems.shorten(&dimension, line: root.line, path: whole.path)
    return Reading(dimension: dimension, problems: problems.sorted())
  }
}
