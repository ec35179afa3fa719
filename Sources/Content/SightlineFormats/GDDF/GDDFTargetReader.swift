import SightlineContent

/// Reads `<target assetId="page-3" width="0.21"/>` in a feature: our own addition to the format, as the marker is.
///
/// In: the element; the definitions, whose assets it uses. Out: the picture that the feature stands on, or nothing after
/// a report of D010, D021 or D030. The picture is an asset of the world; the original clients ignore the element.
struct GDDFTargetReader {
  let container: GDDFFields.Container
  let problems: ProblemList

  func read(_ definitions: inout GDDFDefinitions) -> TargetAnchor? {
    let element = container.element
    guard let assetID = element.attribute("assetId"), !assetID.isBlank else {
      reportFault("assetId", "the id of an asset that is a picture")
      return nil
    }
    guard definitions.useAsset(assetID) else {
      problems.add(
        .error,
        "D021",
        line: element.line,
        path: container.path.child("@assetId"),
        "The target's assetId names \(quoted(assetID)), but there is no such asset. The target is ignored; correct it."
      )
      return nil
    }
    if definitions.asset(assetID)?.format == "GAMA3D" {
      reportFault("assetId", "the id of an asset that is a picture, not a model")
      return nil
    }
    guard let width = element.attribute("width").flatMap({ DecimalNumber.parse($0) }),
      TargetAnchor.widths.contains(width)
    else {
      reportFault("width", "the width of the whole picture in metres, 0.01 to 200")
      return nil
    }
    return TargetAnchor(assetID: assetID, width: width)
  }

  private func reportFault(_ name: String, _ form: String) {
    let value = container.element.attribute(name)
    problems.add(
      .error,
      value == nil ? "D030" : "D010",
      line: container.element.line,
      path: container.path.child("@\(name)"),
      "The target's \(name) \(value.map { "is \(quoted($0))" } ?? "is missing"); it must be \(form). The target is "
        + "ignored; correct it."
    )
  }
}
