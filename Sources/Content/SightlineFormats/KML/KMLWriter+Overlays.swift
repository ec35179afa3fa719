import Foundation
import SightlineContent
import SightlineInput

// Pictures: on the ground and on the screen.
extension KMLWriter {
  /// How a world's pictures are written.
  struct Pictures {
    /// Addresses of the assets.
    let addresses: [String: String]
    private(set) var used: Set<String> = []

    init(_ addresses: [String: String]) { self.addresses = addresses }

    /// Where an asset is that is being written.
    mutating func take(_ id: String) -> String? {
      guard let address = addresses[id] else { return nil }
      used.insert(id)
      return address
    }
  }

  /// Metres in a degree of latitude, as the reader has it.
  private static let metresPerDegree = 111_195.08

  /// Writes a picture that lies on the ground as a ground overlay; answers whether it is one.
  ///
  /// It is one when both its sides are known, its middle is on the place and it lies on its back, on the ground or at a height over the
  /// sea.
  static func writeGroundOverlay(
    _ place: Place,
    _ pictures: inout Pictures,
    _ xml: inout XMLTextWriter,
    _ losses: inout LossList
  ) -> Bool {
    guard case .image(let id) = place.visual, place.target == nil, place.marker == nil, let position = place.position,
      let size = place.size, size.isUsable, let width = size.width, let height = size.height,
      let attitude = place.attitude, attitude.pitch == 90, attitude.roll ?? 0 == 0, attitude.isUsable,
      place.pivot == .center, place.shapes?.isEmpty ?? true, place.offset == Offset()
    else { return false }
    let isOnGround = position.altitude == nil && place.altitudeMode == .ground
    guard isOnGround || position.altitude != nil && place.altitudeMode == .seaLevel else { return false }
    let down = height / 2 / metresPerDegree
    let across = width / 2 / (metresPerDegree * cos(position.latitude * .pi / 180))
    let (north, south) = (position.latitude + down, position.latitude - down)
    guard north <= 90, south >= -90, across < 90 else { return false }
    guard let address = pictures.take(id) else { return false }
    losses.dropFields(of: place, except: ["summary", "categories", "size", "attitude", "pivot"])
    // A folder's name is how the reader knows a category.
    let folders = place.categories.filter { !$0.isBlank }
    for category in folders {
      xml.begin("Folder")
      xml.element("name", category)
    }
    xml.begin("GroundOverlay", [("id", place.id)])
    xml.element("name", place.title.trimmed)
    if let summary = place.summary?.trimmed, !summary.isEmpty { xml.element("description", summary) }
    xml.begin("Icon")
    xml.element("href", address)
    xml.end()
    if let altitude = position.altitude {
      xml.element("altitude", altitude)
      xml.element("altitudeMode", "absolute")
    }
    xml.begin("LatLonBox")
    xml.element("north", north)
    xml.element("south", south)
    xml.element("east", ThingValues.turn(position.longitude + across))
    xml.element("west", ThingValues.turn(position.longitude - across))
    // Counter-clockwise, and none has its lower edge to the south.
    let rotation = ThingValues.turn(180 - attitude.heading)
    if rotation != 0 { xml.element("rotation", rotation) }
    xml.end()
    xml.end()
    for _ in folders { xml.end() }
    return true
  }

  /// Writes the pictures on the screen, and counts what else is there.
  static func write(
    _ overlays: [Overlay],
    _ pictures: inout Pictures,
    _ xml: inout XMLTextWriter,
    _ losses: inout LossList
  ) {
    for overlay in overlays {
      guard case .image(let id) = overlay.content else {
        losses.drop("overlays with a text or a page")
        continue
      }
      let anchor = overlay.anchor ?? .topLeft
      // KML counts from the middle in fractions of the screen.
      let isExact = (anchor.column != 1 || overlay.x == 0) && (anchor.row != 1 || overlay.y == 0)
      guard !overlay.hidden, isExact, overlay.x.isFinite, overlay.y.isFinite, let address = pictures.take(id) else {
        losses.drop("overlays that are hidden, without a file, or beside the middle of the screen")
        continue
      }
      if overlay.action != nil { losses.drop("actions of overlays") }
      xml.begin("ScreenOverlay", [("id", overlay.id)])
      xml.begin("Icon")
      xml.element("href", address)
      xml.end()
      let (own, across, up) = (overlay.pivot, side(anchor.column, overlay.x), side(2 - anchor.row, overlay.y))
      xml.begin("overlayXY", point((Double(own.column) / 2, "fraction"), (Double(2 - own.row) / 2, "fraction")))
      xml.end()
      xml.begin("screenXY", point(across, up))
      xml.end()
      xml.end()
    }
  }

  /// Along one axis, from the left or from the bottom: 0 there, 1 in the middle, 2 opposite.
  private static func side(_ side: Int, _ inwards: Double) -> (Double, String) {
    side == 1 ? (0.5, "fraction") : (inwards, side == 0 ? "pixels" : "insetPixels")
  }

  static func point(_ x: (Double, String), _ y: (Double, String)) -> [(String, String?)] {
    [("x", DecimalNumber.text(x.0)), ("y", DecimalNumber.text(y.0)), ("xunits", x.1), ("yunits", y.1)]
  }
}
