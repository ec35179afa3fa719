import SightlineContent
import SightlineInput

extension KMLReader {
  /// A GLB file named by a Model is drawn; of others only a label stands there.
  ///
  /// - Returns: Whether there is a model to be drawn.
  mutating func model(_ element: LocatedElement, path: DocumentPath, into place: inout Place) -> Bool {
    guard let link = element.child("Link"), let text = link.value("href") else { return false }
    let linkPath = path.child("Link").child("href")
    guard let address = collector.address(text, isLink: false, line: link.line, path: linkPath),
      ThingValues.isModel(address)
    else { return false }
    func value(
      _ parent: String,
      _ name: String,
      _ usual: Double,
      _ range: ClosedRange<Double>,
      _ form: String
    ) -> Double {
      guard let holder = element.child(parent), let text = holder.value(name) else { return usual }
      if let value = DecimalNumber.parse(text), range.contains(value) { return value }
      collector.problems.refuse(
        "\(parent)'s \(name)",
        text,
        form,
        line: holder.line,
        path: path.child(parent).child(name)
      )
      return usual
    }
    let degrees = ["heading", "tilt", "roll"].map { value("Orientation", $0, 0, -360...360, "degrees, -360 to 360") }
    let scales = ["x", "y", "z"].map { value("Scale", $0, 1, ThingValues.scales, ThingValues.formOfScales) }
    place.visual = .model(
      assetID: collector.asset(address, format: "GLB", line: link.line, path: linkPath),
      xRotation: 0,
      yRotation: 0,
      zRotation: 0,
      scale: collector.problems.evenScale(
        scales,
        line: element.child("Scale")?.line ?? element.line,
        path: path.child("Scale")
      )
    )
    place.attitude = ThingValues.attitude(heading: degrees[0], tilt: degrees[1], roll: degrees[2])
    return true
  }
}

extension KMLWriter {
  /// Where the file is of a place that is written as a model; `nil` for all others.
  static func modelAddress(of place: Place, _ addresses: [String: String]) -> String? {
    guard case .model(let id, _, _, _, _) = place.visual, place.position != nil, place.shapes?.isEmpty ?? true,
      let address = addresses[id], ThingValues.isModel(address)
    else { return nil }
    return address
  }

  /// Writes a model in place of the point.
  static func writeModel(_ place: Place, at address: String, _ xml: inout XMLTextWriter, _ losses: inout LossList) {
    guard case .model(_, let x, let y, let z, let scale) = place.visual, let position = place.position else { return }
    if place.size != nil { losses.drop("heights of models") }
    xml.begin("Model")
    if position.altitude != nil { xml.element("altitudeMode", altitudeMode(place.altitudeMode)) }
    xml.begin("Location")
    xml.element("longitude", position.longitude)
    xml.element("latitude", position.latitude)
    if let altitude = position.altitude { xml.element("altitude", altitude) }
    xml.end()
    let (attitude, isWhole) = ThingValues.whole(place.attitude, x: x, y: y, z: z)
    if !isWhole { losses.drop("turns of models about their own axes") }
    let turn = ThingValues.orientation(attitude)
    xml.begin("Orientation")
    xml.element("heading", turn.heading)
    xml.element("tilt", turn.tilt)
    xml.element("roll", turn.roll)
    xml.end()
    xml.begin("Scale")
    for axis in ["x", "y", "z"] { xml.element(axis, scale) }
    xml.end()
    xml.begin("Link")
    xml.element("href", address)
    xml.end()
    xml.end()
  }
}
