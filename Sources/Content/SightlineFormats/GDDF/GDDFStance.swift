import SightlineContent

/// The true size of a picture or model and the way it faces.
///
/// In: the fields of a feature. Out: both, where they are there and usable. Reports what is not a number in range (D010)
/// or missing (D030).
///
/// `<size width="2.4" height="3"/>` and `<attitude heading="180" pitch="0" roll="0"/>` in featureImg and feature3d are
/// our own addition to the format, as the marker is. The original clients ignore the elements.
struct GDDFStance {
  let size: TrueSize?
  let attitude: Attitude?

  init(of fields: GDDFFields, isModel: Bool, _ elements: inout GDDFElementReader) {
    let sides: Set = isModel ? ["height"] : ["width", "height"]
    let angles: Set = ["heading", "pitch", "roll"]
    size = elements.addition("size", in: fields, attributes: sides)
      .flatMap { GDDFStance.size($0, isModel: isModel, fields.problems) }
    attitude = elements.addition("attitude", in: fields, attributes: angles)
      .flatMap { GDDFStance.attitude($0, fields.problems) }
  }

  /// The size of a picture, or of a model, which has its own proportions: only its height can be said.
  private static func size(
    _ container: GDDFFields.Container,
    isModel: Bool,
    _ problems: ProblemList
  ) -> TrueSize? {
    let names = isModel ? ["height"] : ["width", "height"]
    let values = numbers(names, of: container, TrueSize.sides, "metres, 0.001 to 10,000", problems)
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

  private static func attitude(_ container: GDDFFields.Container, _ problems: ProblemList) -> Attitude? {
    let names = ["heading", "pitch", "roll"]
    let values = numbers(names, of: container, -360...360, "degrees, -360 to 360", problems)
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

  private static func numbers(
    _ names: [String],
    of container: GDDFFields.Container,
    _ range: ClosedRange<Double>,
    _ form: String,
    _ problems: ProblemList
  ) -> [String: Double] {
    let (element, path) = (container.element, container.path)
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
