import SightlineContent

// `relativeToUser` of a feature's properties: an object with metres `east`, `north` and `up` from the user's eye. The feature goes along
// with him; its geometry, which may be null, is where programs show it that do not know the property.
extension GeoJSONReader {
  /// The offset; a property that is no object is somebody else's, and stays metadata.
  mutating func offsetFromUser(_ node: JSONNode, path: DocumentPath) -> Offset? {
    guard let object = node["relativeToUser"], case .object = object.value else { return nil }
    let pointer = path.child("relativeToUser")
    func metres(_ name: String) -> Double {
      guard let node = object[name], node.value != .null else { return 0 }
      if let value = node.decimal, abs(value) <= Self.farthestFromUser { return value }
      problems.refuse(
        name,
        node.text(limit: 100),
        "metres, -\(DecimalNumber.text(Self.farthestFromUser)) to \(DecimalNumber.text(Self.farthestFromUser))",
        line: node.line,
        path: pointer.child(name)
      )
      return 0
    }
    return Offset(east: metres("east"), north: metres("north"), up: metres("up"))
  }

  /// What is farther from the user is nothing that goes along with him, metres.
  private static let farthestFromUser = 100_000.0
}

extension GeoJSONWriter {
  static func writeOffsetFromUser(_ place: Place, _ json: inout JSONTextWriter) {
    guard place.followsUser == true else { return }
    json.name("relativeToUser")
    json.beginObject()
    for (name, value) in [("east", place.offset.east), ("north", place.offset.north), ("up", place.offset.up)] {
      json.name(name)
      json.value(value)
    }
    json.endObject()
  }
}
