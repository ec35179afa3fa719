import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// The ground map of the session's last frame; what stands where: Bindings+Rows.swift. Positions cross as degrees once, and
// are metres in the ground frame from then on.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var ground = Ground()
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private let point = UnsafeMutablePointer<Double>.allocate(capacity: 4)

/// Parts of the screen that are looked at for each label.
private let mostCovers = 64

private struct Ground {
  var view = GroundView()
  var frame = GroundFrame()
  var place: EastNorthUpFrame?
}

/// Forgets pins and settings, and puts the ground frame's origin at a position, degrees.
@_expose(wasm) @c public func sl_ground_begin(_ latitude: Double, _ longitude: Double) {
  ground = Ground()
  sl_ground_origin(latitude, longitude)
}

/// Moves the ground frame's origin to a position, degrees; what was converted before has to be converted anew.
@_expose(wasm) @c public func sl_ground_origin(_ latitude: Double, _ longitude: Double) {
  guard latitude.isFinite, longitude.isFinite else { return }
  ground.place = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

/// Room for so many numbers to hand over; 0 when there is no memory for it.
@_expose(wasm) @c public func sl_ground_input(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  count >= 0 && input.reserveExactly(Int(count)) ? input.base : nil
}

/// Turns pairs of latitude and longitude in the room, degrees, into metres east and north in the ground frame.
@_expose(wasm) @c public func sl_ground_convert(_ count: Int32) {
  guard let place = ground.place, count > 0, Int(count) <= input.capacity / 2 else { return }
  for k in 0..<Int(count) {
    let position = Geodetic(latitudeDegrees: input.base[2 * k], longitudeDegrees: input.base[2 * k + 1])
    let point = place.point(position)
    input.base[2 * k] = point.x
    input.base[2 * k + 1] = point.y
  }
}

/// Metres from a position to the border of an area whose corners are in the room, latitude and longitude by turns; negative inside, NaN
/// without a border.
@_expose(wasm) @c public func sl_area_distance(_ count: Int32, _ latitude: Double, _ longitude: Double) -> Double {
  guard count > 0, Int(count) <= input.capacity / 2 else { return .nan }
  let base = input.base
  let position = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  return GroundArea.distance(from: position, corners: Int(count)) {
    Geodetic(latitudeDegrees: base[2 * $0], longitudeDegrees: base[2 * $0 + 1])
  } ?? .nan
}

/// Replaces the pins by those in the room: east, north, width and height of the label for each.
@_expose(wasm) @c public func sl_ground_pins(_ count: Int32) {
  guard count >= 0, Int(count) <= input.capacity / 4 else { return }
  var pins: [GroundPin] = []
  pins.reserveCapacity(Int(count))
  var reader = Reader(input.base)
  for _ in 0..<Int(count) {
    let position = Vector2(reader.next(), reader.next())
    pins.append(GroundPin(position: position, labelWidth: reader.next(), labelHeight: reader.next()))
  }
  ground.view.setPins(pins)
}

/// What covers the screen, so that no label lies under it.
///
/// In the room: left, top, right and bottom of each part, points.
@_expose(wasm) @c public func sl_ground_covers(_ count: Int32) {
  guard count >= 0, Int(count) <= input.capacity / 4 else { return }
  var covers: [GroundView.Cover] = []
  var reader = Reader(input.base)
  for _ in 0..<min(Int(count), mostCovers) {
    let (minimum, maximum) = (Vector2(reader.next(), reader.next()), Vector2(reader.next(), reader.next()))
    covers.append(GroundView.Cover(minimum: minimum, maximum: maximum))
  }
  ground.view.covers = covers
}

/// Selects a pin; below 0 for none.
@_expose(wasm) @c public func sl_ground_select(_ pin: Int32) {
  ground.view.selected = pin >= 0 && Int(pin) < ground.view.pins.count ? Int(pin) : nil
}

/// How the map is shown.
///
/// - Parameters:
///   - mode: 0 when the phone is flat, 1 never, 2 always.
///   - height: of the eye over the map, metres.
///   - east: middle of the map from the user, metres.
///   - north: likewise.
///   - isNorthUp: 1 for north up, 0 for the user's heading.
///   - transition: seconds from the view to the map.
@_expose(wasm) @c public func sl_ground_map(
  _ mode: Int32,
  _ height: Double,
  _ east: Double,
  _ north: Double,
  _ isNorthUp: Int32,
  _ transition: Double
) {
  ground.view.mode = GroundView.Mode(rawValue: mode) ?? .automatic
  if height.isFinite { ground.view.mapHeight = clamp(height, 20, 20_000) }
  if east.isFinite, north.isFinite { ground.view.mapOffset = Vector2(east, north) }
  ground.view.isNorthUp = isNorthUp != 0
  if transition >= 0 { ground.view.parameters.transitionSeconds = transition }
}

/// Most labels at one time.
@_expose(wasm) @c public func sl_ground_labels(_ most: Int32) {
  ground.view.parameters.maximumLabels = Int(max(0, most))
}

/// Makes the ground map for the session's last frame (``sl_frame(_:)`` comes first) and answers where it is.
@_expose(wasm) @c public func sl_ground_frame() -> UnsafeMutablePointer<Double> {
  if let place = ground.place, let pose = askSession({ $0.groundPose(in: place) }) {
    ground.view.update(pose, at: session.frame.time, into: &ground.frame)
  } else {
    ground.frame.isValid = false
    ground.frame.pins.removeAll(keepingCapacity: true)
  }
  output.reserve(GroundHeadRow.length + PlacedPinRow.length * ground.frame.pins.count)
  var out = Writer(output.base)
  ground.frame.write(to: &out)
  for k in 0..<ground.frame.pins.count { ground.frame.pins[k].write(to: &out) }
  return output.base
}

/// The pin at a point of the screen; −1 for none.
@_expose(wasm) @c public func sl_ground_hit(_ x: Double, _ y: Double) -> Int32 {
  ground.view.hit(Vector2(x, y), in: ground.frame).map { Int32($0) } ?? -1
}

/// Where a point of the screen lies on the ground: whether it does, east, north.
@_expose(wasm) @c public func sl_ground_at(_ x: Double, _ y: Double) -> UnsafeMutablePointer<Double> {
  put(ground.view.ground(at: Vector2(x, y)))
}

/// Where a point of the ground is on the screen: whether it is in front, x, y.
@_expose(wasm) @c public func sl_ground_screen(_ east: Double, _ north: Double) -> UnsafeMutablePointer<Double> {
  put(ground.view.screen(ofGround: Vector2(east, north)))
}

private func put(_ value: Vector2?) -> UnsafeMutablePointer<Double> {
  var out = Writer(point)
  out.put(value != nil)
  out.put(value?.x ?? 0)
  out.put(value?.y ?? 0)
  return point
}
