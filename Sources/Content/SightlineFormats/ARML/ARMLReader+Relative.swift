import Foundation
import SightlineContent
import SightlineInput

// Anchors that are metres away from something else: another anchor, a model, what stands on a picture, the user.
extension ARMLReader {
  /// An anchor that is metres away from something else; the offsets of a chain are added.
  mutating func relative(
    _ element: LocatedElement,
    path: DocumentPath,
    depth: Int
  ) -> (ARMLGeometry, Offset)? {
    guard depth < Self.longestChain else {
      report(
        element,
        path,
        "reference.circle",
        "The anchor is relative to itself, or over too many others. It is left out."
      )
      return nil
    }
    guard let ref = element.child("ref"), let link = ref.link else {
      report(element, path, "field.missing", "RelativeTo has no ref. The anchor is left out; add one.")
      return nil
    }
    guard let point = element.child("Point"), let pos = point.child("pos"),
      let values = numbers(pos, path: path.child("Point").child("pos")), values.count == 3
    else {
      report(
        element,
        path,
        "geometry.unsupported",
        "Only a gml:Point with three numbers, metres to the right, ahead and up, is read relative to something else. The "
          + "anchor is left out."
      )
      return nil
    }
    let offset = Offset(east: values[0], north: values[1], up: values[2])
    // The user's axes are those of a point: east, north and up.
    if link == "user" { return (ARMLGeometry(followsUser: true), offset) }
    let kinds: Set = ["Geometry", "RelativeTo", "Trackable", "Model"]
    guard let target = resolve(ref, kinds, path: path.child("ref")) else { return nil }
    guard target.name == "Model" else { return base(target, plus: offset, path: path.child("ref"), depth: depth) }
    guard let anchor = modelAnchors[link] else {
      report(
        element,
        path,
        "reference.unknown",
        "\(quoted(link)) is a Model that stands on no anchor. The anchor is left out; put the model into the assets of one."
      )
      return nil
    }
    return base(
      anchor,
      plus: turned(offset, by: target, path: path.child("ref")),
      path: path.child("ref"),
      depth: depth
    )
  }

  /// Where an anchor is that another one is measured from, and how far that is from it in all.
  private mutating func base(
    _ anchor: LocatedElement,
    plus offset: Offset,
    path: DocumentPath,
    depth: Int
  ) -> (ARMLGeometry, Offset)? {
    switch anchor.name {
    case "Geometry":
      guard let geometry = geometry(anchor, path: path), let position = geometry.position else { return nil }
      return (ARMLGeometry(position: position), offset)
    case "Trackable":
      // In the picture's own axes: to its right, to its top and out of it.
      guard let target = trackable(anchor, path: path) else { return nil }
      return (ARMLGeometry(target: target), offset)
    case "RelativeTo":
      guard let (geometry, more) = relative(anchor, path: path, depth: depth + 1) else { return nil }
      let largest = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
      return (
        geometry,
        Offset(
          east: (offset.east + more.east).clamped(to: largest),
          north: (offset.north + more.north).clamped(to: largest),
          up: (offset.up + more.up).clamped(to: largest)
        )
      )
    default:
      report(
        anchor,
        path,
        "geometry.unsupported",
        "A \(anchor.name) lies on the screen; nothing can be measured from it. The anchor is left out; use a Geometry."
      )
      return nil
    }
  }

  /// An offset in a model's own axes, as one in those of what it stands on.
  ///
  /// Unturned the model's axes are those; heading, tilt and roll turn about up, east and north, clockwise as seen against the axis, the
  /// roll first.
  private mutating func turned(_ offset: Offset, by model: LocatedElement, path: DocumentPath) -> Offset {
    let turn = model.child("Orientation")
    func radians(_ name: String) -> Double {
      guard let value = turn?.value(name).flatMap({ DecimalNumber.parse($0) }), abs(value) <= 360 else { return 0 }
      return value * .pi / 180
    }
    let largest = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    func rotated(_ a: Double, _ b: Double, by angle: Double) -> (Double, Double) {
      let (s, c) = (sin(angle), cos(angle))
      return ((a * c + b * s).clamped(to: largest), (b * c - a * s).clamped(to: largest))
    }
    var (east, north, up) = (offset.east, offset.north, offset.up)
    // Clockwise as seen against an axis is negative about it.
    (up, east) = rotated(up, east, by: radians("roll"))
    (north, up) = rotated(north, up, by: radians("tilt"))
    (east, north) = rotated(east, north, by: radians("heading"))
    return Offset(east: east, north: north, up: up)
  }
}
