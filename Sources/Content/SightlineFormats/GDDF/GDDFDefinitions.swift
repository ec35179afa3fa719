import SightlineContent

/// The locations and assets that a document defines once, and whether anything uses them.
///
/// In: what `GDDFLocationReader` and `GDDFAssetReader` find; then the references of overlays and features. Out: what
/// those name. Reports references to nothing (D021), to a file of the wrong kind (D036), and in the end what nothing
/// uses (D023).
struct GDDFDefinitions {
  /// Something defined once to be used by items.
  private struct Shared<Value> {
    /// `nil` when it was left out after a report.
    var value: Value?
    var line: Int
    var path: DocumentPath
    var isUsed = false

    init(_ value: Value?, at container: GDDFFields.Container) {
      self.value = value
      line = container.element.line
      path = container.path
    }
  }

  private let problems: ProblemList
  var declarations: GDDFDeclarations
  private var locations: [String: Shared<Position>] = [:]
  private var assets: [String: Shared<Asset>] = [:]

  init(problems: ProblemList) {
    self.problems = problems
    declarations = GDDFDeclarations(problems: problems)
  }

  // MARK: Defining

  // The last of equal identifiers wins, but a usable one is not lost to an unusable one.

  mutating func define(_ position: Position?, id: String, at container: GDDFFields.Container) {
    guard position != nil || locations[id] == nil else { return }
    locations[id] = Shared(position, at: container)
  }

  mutating func define(_ asset: Asset?, id: String, at container: GDDFFields.Container) {
    guard asset != nil || assets[id] == nil else { return }
    assets[id] = Shared(asset, at: container)
  }

  // MARK: Locations

  /// Counts a location as used, if there is one of this name.
  mutating func useLocation(_ id: String) { locations[id]?.isUsed = true }

  /// The location that a feature names, which is now used; `nil` after a report of D021.
  mutating func position(named reference: GDDFFields.Scalar) -> Position? {
    guard let shared = locations[reference.text] else {
      reportUnresolved(reference, "location", hidden: "The feature is kept without a position and not shown")
      return nil
    }
    useLocation(reference.text)
    if shared.value == nil {
      problems.add(
        .error,
        "D021",
        line: reference.line,
        path: reference.path,
        "locationId names \(quoted(reference.text)), but that location is not usable. The feature is kept without a "
          + "position and not shown; correct the location."
      )
    }
    return shared.value
  }

  // MARK: Assets

  /// The asset of a name; `nil` also for one that was left out.
  func asset(_ id: String) -> Asset? { assets[id]?.value }

  /// Counts an asset as used.
  ///
  /// - Returns: Whether there is one of this name, usable or not.
  mutating func useAsset(_ id: String) -> Bool {
    guard assets[id] != nil else { return false }
    assets[id]?.isUsed = true
    return true
  }

  /// The asset an item names; an unresolved name is kept, so that the item shows as failed.
  mutating func asset(of fields: GDDFFields, is3D: Bool, consequence: String) -> String? {
    guard let reference = fields.last("assetId"), !reference.text.isEmpty else {
      fields.reportMissing("assetId", consequence: consequence)
      return nil
    }
    guard useAsset(reference.text) else {
      reportUnresolved(reference, "asset", hidden: "A sign for a failed picture is shown")
      return reference.text
    }
    guard let asset = asset(reference.text) else {
      problems.add(
        .error,
        "D021",
        line: reference.line,
        path: reference.path,
        "assetId names \(quoted(reference.text)), but that asset is not usable. A sign for a failed picture is shown; "
          + "correct the asset."
      )
      return reference.text
    }
    if let format = asset.format, GDDFNames.formats.contains(format), (format == "GAMA3D") != is3D {
      problems.add(
        .error,
        "D036",
        line: reference.line,
        path: reference.path,
        "The asset \(quoted(reference.text)) is declared as \(format), but this item needs "
          + (is3D ? "GAMA3D" : "PNG or JPG") + ". Name another asset or correct its format."
      )
    }
    return reference.text
  }

  // MARK: Findings

  /// Reports a reference to nothing, or to something of another kind.
  private func reportUnresolved(_ reference: GDDFFields.Scalar, _ kind: String, hidden: String) {
    let other = declarations.first(reference.text)
    let reason =
      other.map { "that is the id of a \($0.name) (line \($0.line))" }
      ?? "no \(kind) in \(kind)s has this id"
    problems.add(
      .error,
      "D021",
      line: reference.line,
      path: reference.path,
      "\(kind)Id names \(quoted(reference.text)), but \(reason). \(hidden); correct the id or add the \(kind)."
    )
  }

  /// Reports what nothing uses.
  func reportUnused() {
    for (id, shared) in locations.sorted(by: { $0.key < $1.key }) where !shared.isUsed {
      reportUnused("location", id, line: shared.line, path: shared.path)
    }
    for (id, shared) in assets.sorted(by: { $0.key < $1.key }) where !shared.isUsed {
      reportUnused("asset", id, line: shared.line, path: shared.path)
    }
  }

  private func reportUnused(_ kind: String, _ id: String, line: Int, path: DocumentPath) {
    problems.add(
      .warning,
      "D023",
      line: line,
      path: path,
      "No item uses the \(kind) \(quoted(id)). Remove it, or correct the id that was meant to name it."
    )
  }
}
