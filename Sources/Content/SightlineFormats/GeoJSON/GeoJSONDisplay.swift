import SightlineContent
import SightlineInput

// `display` of a feature's properties: an object that says when its visual is shown, and how large, see ``PlaceDisplay``.
extension GeoJSONReader {
  /// What it says; a property that is no object is somebody else's, and stays metadata.
  mutating func display(_ node: JSONNode, path: DocumentPath) -> PlaceDisplay? {
    guard let object = node["display"], case .object = object.value else { return nil }
    let pointer = path.child("display")
    func refuse(_ node: JSONNode, _ name: String, _ form: String, at parent: DocumentPath) {
      problems.refuse(name, node.text(limit: 100), form, line: node.line, path: parent.child(name))
    }
    var display = PlaceDisplay()
    let metres = "metres, 0 to 100,000,000"
    display.visibleFrom = number("visibleFrom", of: object, PlaceDisplay.distances, metres, pointer)
    if let node = object["shownWhile"], node.value != .null {
      display.shownWhile = node.plainText.flatMap { PlaceDisplay.Selection(rawValue: $0) }
      if display.shownWhile == nil { refuse(node, "shownWhile", "selected or unselected", at: pointer) }
    }
    if let node = object["feature"], node.value != .null {
      display.feature = node.plainText
      if display.feature == nil { refuse(node, "feature", "text", at: pointer) }
    }
    if let node = object["scaling"], node.value != .null {
      let inside = pointer.child("scaling")
      let near = number("near", of: node, PlaceDisplay.distances, metres, inside)
      let far = number("far", of: node, PlaceDisplay.distances, metres, inside)
      let factor = number("factor", of: node, PlaceDisplay.Scaling.factors, "0.001 to 1000", inside)
      let scaling = PlaceDisplay.Scaling(near: near ?? 0, far: far, factor: factor ?? 1)
      if scaling.isUsable {
        display.scaling = scaling
      } else {
        refuse(node, "scaling", "near above 0 metres, perhaps far beyond it, and factor above 0", at: pointer)
      }
    }
    return display.isEmpty ? nil : display
  }
}

extension GeoJSONWriter {
  static func writeDisplay(_ place: Place, _ json: inout JSONTextWriter) {
    guard let display = place.display, !display.isEmpty else { return }
    json.name("display")
    json.beginObject()
    writeNumber("visibleFrom", display.visibleFrom, &json)
    if let scaling = display.scaling {
      json.name("scaling")
      json.beginObject()
      writeNumber("near", scaling.near, &json)
      writeNumber("far", scaling.far, &json)
      writeNumber("factor", scaling.factor, &json)
      json.endObject()
    }
    json.member("shownWhile", display.shownWhile?.rawValue)
    json.member("feature", display.feature)
    json.endObject()
  }
}
