import Foundation
import SightlineContent
import SightlineInput

// Pictures on the ground, and on the screen.
extension KMLReader {
  /// Metres in a degree of latitude on a sphere of the Earth's mean radius.
  private static let metresPerDegree = 111_195.08

  /// A picture that lies on the ground: a place in the middle of its box, with the box's size.
  mutating func groundOverlay(_ element: LocatedElement, path: DocumentPath, folders: [String]) {
    guard collector.problems.take(element.weight, of: .steps, line: element.line, path: path) else { return }
    // What the author has switched off is not on the ground, as it is not on the screen.
    guard element.value("visibility") != "0" else {
      return collector.ignore("GroundOverlay", line: element.line, path: path)
    }
    guard let picture = icon(of: element, path: path), let box = element.child("LatLonBox") else {
      if element.child("LatLonBox") == nil, element.child("Icon") != nil {
        missing(
          "LatLonBox",
          "The ground overlay has no LatLonBox, so it lies nowhere. Add north, south, east and west.",
          element,
          path
        )
      }
      return
    }
    let boxPath = path.child("LatLonBox")
    func degrees(_ name: String, _ limit: Double) -> Double? {
      guard let text = box.value(name) else {
        missing(name, "The box has no \(name). The ground overlay is left out; complete it.", box, boxPath)
        return nil
      }
      if let value = DecimalNumber.parse(text), abs(value) <= limit { return value }
      collector.problems.refuse(
        name,
        text,
        "degrees, -\(Int(clamped: limit)) to \(Int(clamped: limit))",
        line: box.line,
        path: boxPath.child(name)
      )
      return nil
    }
    guard let north = degrees("north", 90), let south = degrees("south", 90), let west = degrees("west", 180),
      var east = degrees("east", 180)
    else { return }
    // Over the date line.
    if east < west { east += 360 }
    guard north > south, east > west else {
      collector.problems.add(
        .error,
        "geometry.incomplete",
        line: box.line,
        path: boxPath,
        "The box has no size: north has to lie north of south, and east east of west. The ground overlay is left out; correct it."
      )
      return
    }
    let latitude = (north + south) / 2
    let longitude = (west + east) / 2
    var position = Position(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
    let title =
      element.value("name") ?? "\(DecimalNumber.text(position.latitude)), \(DecimalNumber.text(position.longitude))"
    let size = TrueSize(
      width: (east - west) * Self.metresPerDegree * cos(latitude * .pi / 180),
      height: (north - south) * Self.metresPerDegree
    )
    var mode = AltitudeMode.ground
    if element.value("altitudeMode") == "absolute",
      let altitude = element.value("altitude").flatMap({ DecimalNumber.parse($0) })
    {
      mode = .seaLevel
      position.altitude = altitude
    }
    var place = Place(title: title, position: position, visual: .text(title))
    place.altitudeMode = mode
    place.summary = element.value("description")
    place.categories = folders
    if size.isUsable {
      place.visual = .image(assetID: picture)
      place.size = size
      // KML turns counter-clockwise; its pictures have north at the top, so what lies there has its lower edge to the south.
      let rotation =
        box.value("rotation").flatMap { DecimalNumber.parse($0) }.flatMap { abs($0) <= 180 ? $0 : nil } ?? 0
      let heading = 180 - rotation
      place.attitude = Attitude(heading: heading >= 360 ? heading - 360 : heading, pitch: 90)
      place.pivot = .center
    } else {
      collector.problems.add(
        .warning,
        "geometry.unsupported",
        line: box.line,
        path: boxPath,
        "The ground overlay is larger than the 10 km, or smaller than the millimetre, of pictures that are shown. A label stands in its middle; "
          + "cut it into pieces."
      )
    }
    if element.value("color") != nil { collector.ignore("color", line: element.line, path: path.child("color")) }
    let id = element.attribute("id")?.trimmed
    collector.take(place, id: id?.isEmpty == false ? id : nil, line: element.line, path: path)
  }

  /// A picture that is fixed to the screen, in its natural size.
  mutating func screenOverlay(_ element: LocatedElement, path: DocumentPath) {
    guard collector.problems.take(element.weight, of: .steps, line: element.line, path: path) else { return }
    guard element.value("visibility") != "0" else {
      return collector.ignore("ScreenOverlay", line: element.line, path: path)
    }
    guard let picture = icon(of: element, path: path) else { return }
    let across = screenPoint(element, "x", path)
    let up = screenPoint(element, "y", path)
    var overlay = Overlay(x: across.screen.inwards, y: up.screen.inwards, content: .image(assetID: picture))
    overlay.anchor = Self.pivot(across.screen.side, up.screen.side)
    overlay.pivot = Self.pivot(across.overlay, up.overlay)
    if let id = element.attribute("id")?.trimmed, !id.isEmpty, !overlayIDs.contains(id) {
      overlay.id = id
    }
    if let size = element.child("size"),
      !["-1", "-1.0"].contains(size.attribute("x")) || !["-1", "-1.0"].contains(size.attribute("y"))
    {
      collector.ignore("size", line: size.line, path: path.child("size"))
    }
    if let turn = element.value("rotation"), turn != "0" {
      collector.ignore("rotation", line: element.line, path: path.child("rotation"))
    }
    if collector.problems.admit(&overlay, line: element.line, path: path) {
      dimension.overlays.append(overlay)
      if let id = overlay.id { overlayIDs.insert(id) }
    }
  }

  /// A side of the screen or of an overlay along one axis: 0 left or bottom, 1 the middle, 2 right or top.
  private typealias Side = Int

  /// Where on one axis an overlay hangs; both count from the left or from the bottom in KML.
  private mutating func screenPoint(
    _ element: LocatedElement,
    _ axis: String,
    _ path: DocumentPath
  ) -> (screen: (side: Side, inwards: Double), overlay: Side) {
    // Without them KML's default is the middle in the newest reading, and the lower left corner in the schema's: that.
    let screen = value(element.child("screenXY"), axis)
    let overlay = value(element.child("overlayXY"), axis)
    var isExact = true
    func side(_ fraction: Double) -> Side {
      let side = Int(clamped: (min(1, max(0, fraction)) * 2).rounded())
      if abs(fraction * 2 - Double(side)) > 0.02 { isExact = false }
      return side
    }
    let place: (side: Side, inwards: Double) =
      switch screen.units {
      case "pixels": (0, screen.value)
      case "insetPixels": (2, screen.value)
      default: (side(screen.value), 0)
      }
    let own: Side
    switch overlay.units {
    case "pixels":
      own = 0
      if overlay.value != 0 { isExact = false }
    case "insetPixels":
      own = 2
      if overlay.value != 0 { isExact = false }
    default: own = side(overlay.value)
    }
    if !isExact {
      collector.problems.add(
        .info,
        "geometry.unsupported",
        line: element.line,
        path: path.child("screenXY"),
        "Overlays hang at a corner, a side or the middle of the screen by a corner, a side or their middle; along \(axis) the nearest is taken."
      )
    }
    return (place, own)
  }

  private func value(_ element: LocatedElement?, _ axis: String) -> (value: Double, units: String) {
    let number = element?.attribute(axis).flatMap { DecimalNumber.parse($0) } ?? 0
    return (abs(number) <= 1e5 ? number : 0, element?.attribute(axis + "units")?.trimmed ?? "fraction")
  }

  /// The corner, side or middle at a place across (0 left) and up (0 bottom).
  private static func pivot(_ across: Side, _ up: Side) -> Pivot {
    let rows: [[Pivot]] = [
      [.bottomLeft, .bottomCenter, .bottomRight], [.centerLeft, .center, .centerRight],
      [.topLeft, .topCenter, .topRight],
    ]
    return rows[up.clamped(to: 0...2)][across.clamped(to: 0...2)]
  }

  /// The picture of an overlay, as an asset; `nil` after a report.
  private mutating func icon(of element: LocatedElement, path: DocumentPath) -> String? {
    let iconPath = path.child("Icon").child("href")
    guard let icon = element.child("Icon"), let href = icon.value("href") else {
      missing(
        "Icon/href",
        "The overlay has no picture. It is left out; add an Icon with an href.",
        element,
        iconPath,
        isWhole: true
      )
      return nil
    }
    guard let address = collector.address(href, isLink: false, line: icon.line, path: iconPath) else { return nil }
    return collector.asset(address, format: nil, line: icon.line, path: iconPath)
  }

  private mutating func missing(
    _ name: String,
    _ message: String,
    _ element: LocatedElement,
    _ path: DocumentPath,
    isWhole: Bool = false
  ) {
    collector.problems.add(
      .error,
      "field.missing",
      line: element.line,
      path: isWhole ? path : path.child(name),
      message
    )
  }
}
