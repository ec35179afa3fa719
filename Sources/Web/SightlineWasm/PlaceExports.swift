import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// Places on the ground and on the web's map, and a phone that is led by hand, so that the page has no geometry of its own.
// Degrees and metres; what is not a number is no answer.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let values = UnsafeMutablePointer<Double>.allocate(capacity: 5)

private func answer(
  _ first: Double,
  _ second: Double,
  _ third: Double = 0,
  _ fourth: Double = 0
) -> UnsafeMutablePointer<Double> {
  values[0] = first
  values[1] = second
  values[2] = third
  values[3] = fourth
  return values
}

private func place(_ latitude: Double, _ longitude: Double) -> Geodetic {
  Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
}

/// Where a short way along the ground leads: latitude and longitude.
@_expose(wasm) @c public func sl_moved(
  _ latitude: Double,
  _ longitude: Double,
  _ heading: Double,
  _ forward: Double,
  _ right: Double
) -> UnsafeMutablePointer<Double> {
  let end = place(latitude, longitude).moved(heading: Angle(degrees: heading), forward: forward, right: right)
  return answer(end.latitudeDegrees, end.longitudeDegrees)
}

/// Where a position is on the web's map (x to the east, y to the south, 0 … 1), and how many metres there a side of the map is.
@_expose(wasm) @c public func sl_map_point(_ latitude: Double, _ longitude: Double) -> UnsafeMutablePointer<Double> {
  let point = WebMercator.point(place(latitude, longitude))
  return answer(point.x, point.y, WebMercator.side(atLatitude: latitude))
}

/// Latitude and longitude of a point of the web's map.
@_expose(wasm) @c public func sl_map_position(_ x: Double, _ y: Double) -> UnsafeMutablePointer<Double> {
  let position = WebMercator.geodetic(Vector2(x, y))
  return answer(position.latitudeDegrees, position.longitudeDegrees)
}

/// How far a phone turns right and up that is dragged over the display (points) while it looks up by `pitch`.
@_expose(wasm) @c public func sl_drag_turn(
  _ x: Double,
  _ y: Double,
  _ pitch: Double
) -> UnsafeMutablePointer<Double> {
  let turn = session.turn(draggedBy: Vector2(x, y), pitch: Angle(degrees: pitch))
  return answer(turn?.heading.degrees ?? 0, turn?.pitch.degrees ?? 0)
}

/// The point of the display beside its middle by an angle to the right, along the horizon.
@_expose(wasm) @c public func sl_beside(_ angle: Double) -> UnsafeMutablePointer<Double> {
  let point = session.point(besideMiddleBy: Angle(degrees: angle))
  return answer(point?.x ?? .nan, point?.y ?? .nan)
}

/// Where a phone begins that may stand anywhere (or at a position): latitude, longitude, altitude, heading, and what the altitude is measured from; 0
/// when the world has no places.
@_expose(wasm) @c public func sl_viewpoint(_ latitude: Double, _ longitude: Double) -> UnsafeMutablePointer<Double>? {
  let given = latitude.isFinite && longitude.isFinite ? place(latitude, longitude) : nil
  guard let found = askSession({ $0.viewpoint(near: given) }) else { return nil }
  let position = found.position
  values[4] = Double(found.altitudeDatum.rawValue)
  return answer(position.latitudeDegrees, position.longitudeDegrees, position.altitude, found.heading.degrees)
}

/// Up to which r² the radial terms of a lens mean something.
@_expose(wasm) @c public func sl_lens_reach(_ k1: Double, _ k2: Double, _ k3: Double) -> Double {
  LensDistortion(k1: k1, k2: k2, k3: k3).reach
}
