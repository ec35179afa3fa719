import SightlineContent

// `<target assetId="page-3" width="0.21"/>` in a feature: our own addition to the format, as the marker is. The picture is an
// asset of the world; the original clients ignore the element.
extension GDDFReader {
  mutating func target(of fields: GDDFFields) -> TargetAnchor? {
    guard let container = fields.containers["target"]?.last else { return nil }
    let (element, path) = (container.element, container.path)
    checkAttributes(of: element, path: path, allowed: ["assetId", "width"])
    noteRarity("target", line: element.line, path: path)
    func fault(_ name: String, _ form: String) {
      let value = element.attribute(name)
      problems.add(
        .error,
        value == nil ? "D030" : "D010",
        line: element.line,
        path: path.child("@\(name)"),
        "The target's \(name) \(value.map { "is \(quoted($0))" } ?? "is missing"); it must be \(form). The target is "
          + "ignored; correct it."
      )
    }
    guard let assetID = element.attribute("assetId"), !assetID.isBlank else {
      fault("assetId", "the id of an asset that is a picture")
      return nil
    }
    guard let asset = assets[assetID] else {
      problems.add(
        .error,
        "D021",
        line: element.line,
        path: path.child("@assetId"),
        "The target's assetId names \(quoted(assetID)), but there is no such asset. The target is ignored; correct it."
      )
      return nil
    }
    assets[assetID]?.isUsed = true
    if asset.value?.format == "GAMA3D" {
      fault("assetId", "the id of an asset that is a picture, not a model")
      return nil
    }
    guard let width = element.attribute("width").flatMap({ DecimalNumber.parse($0) }),
      TargetAnchor.widths.contains(width)
    else {
      fault("width", "the width of the whole picture in metres, 0.01 to 200")
      return nil
    }
    return TargetAnchor(assetID: assetID, width: width)
  }
}
