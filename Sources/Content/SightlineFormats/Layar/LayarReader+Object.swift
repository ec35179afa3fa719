import SightlineContent
import SightlineInput

extension LayarReader {
  private static let pictures: Set = ["image/vnd.layar.generic", "image/png", "image/jpeg", "image/gif"]
  private static let models: Set = ["model/gltf-binary"]

  /// A hotspot's object and how it is turned; what cannot be drawn leaves the label.
  static func object(
    _ hotspot: JSONNode,
    path: DocumentPath,
    into place: inout Place,
    _ collector: inout PlaceCollector
  ) {
    guard let object = hotspot["object"], object.value != .null else { return }
    let pointer = path.child("object")
    guard let type = collector.text("contentType", of: object)?.lowercased() else {
      return collector.problems.refuse(
        "contentType",
        nil,
        "the media type of the object",
        line: object.line,
        path: pointer
      )
    }
    guard let text = collector.text("url", of: object) else {
      return collector.problems.refuse("url", nil, "the address of the object", line: object.line, path: pointer)
    }
    guard let url = collector.address(text, isLink: false, line: object.line, path: pointer.child("url")) else {
      return
    }
    let isModel = models.contains(type) || !pictures.contains(type) && ThingValues.isModel(url)
    guard isModel || pictures.contains(type) else {
      collector.problems.add(
        .warning,
        "asset.unsupported",
        line: object.line,
        path: pointer.child("contentType"),
        "\(quoted(type)) cannot be drawn; the label stands where it would be. Use a picture, or a GLB file as model/gltf-binary."
      )
      return
    }
    let id = collector.asset(url, format: isModel ? "GLB" : nil, line: object.line, path: pointer)
    let (turned, rotated) = (path.child("transform"), path.child("transform").child("rotate"))
    func number(
      _ node: JSONNode?,
      _ name: String,
      in path: DocumentPath,
      _ range: ClosedRange<Double>,
      _ form: String
    ) -> Double? {
      guard let node, node.value != .null else { return nil }
      if let value = node.decimal, range.contains(value) { return value }
      collector.problems.refuse(name, node.text(limit: 100), form, line: node.line, path: path.child(name))
      return nil
    }
    func metres(_ size: Double) -> Double {
      max(TrueSize.sides.lowerBound, min(size, TrueSize.sides.upperBound))
    }
    let size = number(object["size"], "size", in: pointer, TrueSize.sides, "metres, 0.001 to 10,000")
    let transform = hotspot["transform"]
    let scale: Double
    if let scales = transform?["scale"], case .object = scales.value {
      let factors = (isModel ? ["x", "y", "z"] : ["x", "y"]).compactMap {
        number(scales[$0], $0, in: turned.child("scale"), ThingValues.scales, ThingValues.formOfScales)
      }
      scale = collector.problems.evenScale(factors, line: scales.line, path: turned.child("scale"))
    } else {
      scale = number(transform?["scale"], "scale", in: turned, ThingValues.scales, ThingValues.formOfScales) ?? 1
    }
    if isModel {
      place.visual = .model(assetID: id, xRotation: 0, yRotation: 0, zRotation: 0, scale: size == nil ? scale : 1)
      place.size = size.map { TrueSize(height: metres($0 * scale)) }
    } else {
      place.visual = .image(assetID: id)
      place.size = size.map { TrueSize(width: metres($0 * scale)) }
    }
    guard let rotate = transform?["rotate"] else { return }
    let angle = number(rotate["angle"], "angle", in: rotated, -3600...3600, "degrees") ?? 0
    let axis = ["x", "y", "z"].map { rotate["axis"]?[$0]?.decimal ?? 0 }
    // What turns with the user faces him.
    if rotate["rel"]?.value == .boolean(true) {
      if isModel {
        collector.problems.refuse("rel", "true", "false for a model", line: rotate.line, path: rotated)
      } else {
        return
      }
    }
    guard axis[0] == 0, axis[1] == 0 else {
      return collector.problems.refuse(
        "The axis",
        axis.map { DecimalNumber.text($0) }.joined(separator: ", "),
        "0, 0, 1: objects are turned about the vertical",
        line: rotate.line,
        path: rotated
      )
    }
    let turn = axis[2] < 0 ? -angle : angle
    if place.target != nil {
      // On a print about what comes out of it.
      if case .model(let id, _, _, _, let scale) = place.visual {
        place.visual = .model(assetID: id, xRotation: 0, yRotation: 0, zRotation: turn, scale: scale)
      }
      return
    }
    // Counter-clockwise about up; without a turn the front looks south.
    place.attitude = Attitude(heading: ThingValues.wrapped(180 - turn))
  }
}
