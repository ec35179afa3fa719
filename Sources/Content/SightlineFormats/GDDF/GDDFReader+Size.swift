import SightlineContent

// `<size width="2.4" height="3"/>` and `<attitude heading="180" pitch="0" roll="0"/>` in featureImg and feature3d: our own addition to the
// format, as the marker is. The original clients ignore the elements.
extension GDDFReader {
  /// The size of a picture, or of a model, which has its own proportions: only its height can be said.
  mutating func size(of fields: GDDFFields, isModel: Bool) -> TrueSize? {
    guard let container = fields.containers["size"]?.last else { return nil }
    let names = isModel ? ["height"] : ["width", "height"]
    let values = numbers(names, of: container, TrueSize.sides, "metres, 0.001 to 10,000")
    var size = TrueSize(height: values["height"])
    size.width = values["width"]
    if size.isUsable { return size }
    if container.element.attributes.isEmpty {
      problems.add(
        .error,
        "D030",
        line: container.element.line,
        path: container.path,
        "The size says neither \(names.joined(separator: " nor ")). It is ignored; add one."
      )
    }
    return nil
  }

  mutating func attitude(of fields: GDDFFields) -> Attitude? {
    guard let container = fields.containers["attitude"]?.last else { return nil }
    let values = numbers(["heading", "pitch", "roll"], of: container, -360...360, "degrees, -360 to 360")
    guard let heading = values["heading"] else {
      if container.element.attribute("heading") == nil {
        problems.add(
          .error,
          "D030",
          line: container.element.line,
          path: container.path.child("@heading"),
          "The attitude has no heading, the direction that the front faces. It is ignored; add one."
        )
      }
      return nil
    }
    return Attitude(heading: heading, pitch: values["pitch"], roll: values["roll"])
  }

  private mutating func numbers(
    _ names: [String],
    of container: GDDFFields.Container,
    _ range: ClosedRange<Double>,
    _ form: String
  ) -> [String: Double] {
    let (element, path) = (container.element, container.path)
    checkAttributes(of: element, path: path, allowed: Set(names))
    noteRarity(element.name, line: element.line, path: path)
    var values: [String: Double] = [:]
    for name in names {
      guard let text = element.attribute(name) else { continue }
      if let value = DecimalNumber.parse(text.trimmed), range.contains(value) {
        values[name] = value
      } else {
        problems.add(
          .error,
          "D010",
          line: element.line,
          path: path.child("@\(name)"),
          "The \(name) is \(quoted(text)); it must be \(form). It is ignored; correct it."
        )
      }
    }
    return values
  }
}
