import SightlineContent
import SightlineInput

// `model` and `picture` of a feature's properties: objects with the address of a file, beside `size` and `attitude`.
extension GeoJSONReader {
  /// Reads what stands at a feature; a property that is no object is somebody else's, and stays metadata.
  mutating func thing(_ node: JSONNode, path: DocumentPath, into result: inout GeoJSONProperties) -> Set<String> {
    var used: Set<String> = []
    for name in ["model", "picture"] where result.visual == nil {
      guard let object = node[name], case .object = object.value else { continue }
      let pointer = path.child(name)
      used.insert(name)
      guard let text = object["url"]?.plainText, !text.isBlank else {
        problems.refuse("The \(name)'s url", nil, "the address of its file", line: object.line, path: pointer)
        continue
      }
      guard
        let url = problems.usableURL(text, isLink: false, base: options.baseURL, line: object.line, path: pointer)
      else { continue }
      guard name == "model" else {
        result.visual = .image(assetID: assets.id(of: url, format: nil, line: object.line, path: pointer, problems))
        continue
      }
      guard ThingValues.isModel(url) else {
        problems.refuse("The model", url, "a GLB file (binary glTF 2.0)", line: object.line, path: pointer)
        continue
      }
      func value(_ member: String, _ usual: Double, _ range: ClosedRange<Double>, _ form: String) -> Double {
        guard let node = object[member], node.value != .null else { return usual }
        if let value = node.decimal, range.contains(value) { return value }
        problems.refuse(member, node.text(limit: 100), form, line: node.line, path: pointer.child(member))
        return usual
      }
      let turns = ["xRotation", "yRotation", "zRotation"].map { value($0, 0, -360...360, "degrees, -360 to 360") }
      result.visual = .model(
        assetID: assets.id(of: url, format: "GLB", line: object.line, path: pointer, problems),
        xRotation: turns[0],
        yRotation: turns[1],
        zRotation: turns[2],
        scale: value("scale", 1, 1e-6...1e6, "metres for one of the model's units, 0.000001 to 1,000,000")
      )
    }
    if let object = node["size"], case .object = object.value {
      used.insert("size")
      var size = TrueSize()
      size.width = number("width", of: object, TrueSize.sides, "metres, 0.001 to 10,000", path.child("size"))
      size.height = number("height", of: object, TrueSize.sides, "metres, 0.001 to 10,000", path.child("size"))
      if size.isUsable { result.size = size }
    }
    if let object = node["attitude"], case .object = object.value {
      used.insert("attitude")
      let pointer = path.child("attitude")
      func degrees(_ name: String) -> Double? {
        number(name, of: object, -360...360, "degrees, -360 to 360", pointer)
      }
      if let heading = degrees("heading") {
        result.attitude = Attitude(heading: heading, pitch: degrees("pitch"), roll: degrees("roll"))
      } else if object["heading"] == nil {
        problems.refuse("The attitude's heading", nil, "degrees from north", line: object.line, path: pointer)
      }
    }
    return used
  }

  /// A member of an object of a feature's properties; what is no number of the range is a finding.
  func number(
    _ name: String,
    of object: JSONNode,
    _ range: ClosedRange<Double>,
    _ form: String,
    _ path: DocumentPath
  ) -> Double? {
    guard let node = object[name], node.value != .null else { return nil }
    if let value = node.decimal, range.contains(value) { return value }
    problems.refuse(name, node.text(limit: 100), form, line: node.line, path: path.child(name))
    return nil
  }
}

extension GeoJSONWriter {
  /// Writes a member that may be left out.
  static func writeNumber(_ name: String, _ value: Double?, _ json: inout JSONTextWriter) {
    guard let value else { return }
    json.name(name)
    json.value(value)
  }

  /// Writes what stands at a place; answers whether it could.
  static func writeThing(_ place: Place, _ addresses: [String: String], _ json: inout JSONTextWriter) -> Bool {
    switch place.visual {
    case .text: return false
    case .image(let id):
      guard let address = addresses[id] else { return false }
      json.name("picture")
      json.beginObject()
      json.member("url", address)
      json.endObject()
    case .model(let id, let x, let y, let z, let scale):
      guard let address = addresses[id], ThingValues.isModel(address) else { return false }
      json.name("model")
      json.beginObject()
      json.member("url", address)
      writeNumber("scale", scale, &json)
      for (name, turn) in [("xRotation", x), ("yRotation", y), ("zRotation", z)] where turn != 0 {
        writeNumber(name, ThingValues.turn(turn), &json)
      }
      json.endObject()
    }
    if let size = place.size {
      json.name("size")
      json.beginObject()
      writeNumber("width", size.width, &json)
      writeNumber("height", size.height, &json)
      json.endObject()
    }
    if let attitude = place.attitude {
      json.name("attitude")
      json.beginObject()
      writeNumber("heading", attitude.heading, &json)
      writeNumber("pitch", attitude.pitch, &json)
      writeNumber("roll", attitude.roll, &json)
      json.endObject()
    }
    return true
  }
}
