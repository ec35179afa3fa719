import SightlineContent

/// Reads `<marker dictionary="6x6-250" id="7" length="0.08"/>` in a feature: our own addition to the format.
///
/// In: the element. Out: the marker, or nothing after a report of D010 or D030.
///
/// The original clients ignore it; to them the feature stands where its location says, and one without a location is
/// left out. With `facing` (and `tilt`, `roll`) the marker hangs at the feature's location, and who sees it knows where
/// he stands and where north is.
struct GDDFMarkerReader {
  let container: GDDFFields.Container
  let problems: ProblemList

  private var element: LocatedElement { container.element }

  func read() -> MarkerAnchor? {
    guard let dictionary = element.attribute("dictionary"), let count = MarkerAnchor.dictionaries[dictionary] else {
      reportFault("dictionary", "the name of a dictionary, such as 6x6-250 or apriltag-36h11")
      return nil
    }
    guard let id = element.attribute("id").flatMap({ Int($0) }), id >= 0, id < count else {
      reportFault("id", "a whole number from 0 to \(count - 1)")
      return nil
    }
    guard let length = element.attribute("length").flatMap({ DecimalNumber.parse($0) }), length >= 0.005, length <= 10
    else {
      reportFault("length", "the outer edge of the black border in metres, 0.005 to 10")
      return nil
    }
    var marker = MarkerAnchor(dictionary: dictionary, id: id, length: length)
    // Who cannot say how it hangs has a marker that may hang anywhere: its content stands on it all the same.
    guard let facing = angle("facing", 360, nil) else { return marker }
    guard let tilt = angle("tilt", 90, 0), let roll = angle("roll", 360, 0) else { return marker }
    marker.facing = facing
    marker.tilt = element.attribute("tilt") == nil ? nil : tilt
    marker.roll = element.attribute("roll") == nil ? nil : roll
    return marker
  }

  private func angle(_ name: String, _ most: Double, _ usual: Double?) -> Double? {
    guard let text = element.attribute(name) else { return usual }
    if let value = DecimalNumber.parse(text), value.magnitude <= most { return value }
    problems.add(
      .error,
      "D010",
      line: element.line,
      path: container.path.child("@\(name)"),
      "The marker's \(name) is \(quoted(text)); it must be degrees, -\(DecimalNumber.text(most)) to \(DecimalNumber.text(most)). The marker is taken as "
        + "one that may hang anywhere; correct it."
    )
    return nil
  }

  private func reportFault(_ name: String, _ form: String) {
    let value = element.attribute(name)
    problems.add(
      .error,
      value == nil ? "D030" : "D010",
      line: element.line,
      path: container.path.child("@\(name)"),
      "The marker's \(name) \(value.map { "is \(quoted($0))" } ?? "is missing"); it must be \(form). The marker is "
        + "ignored; correct it."
    )
  }
}
