import SightlineCamera
import SightlineMath
import SightlineOdometry
import SightlineWasmMemory

// What is set down on the surfaces that tracking knows. Points are those of the display that the picture fills, whatever is cut off.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let hits = UnsafeMutablePointer<Double>.allocate(capacity: SurfaceHitRow.length)

extension SurfaceHit {
  /// Writes a row ``SurfaceHitRow``.
  func write(from eye: Vector3, to out: inout Writer) {
    out.put(Int32(kind.rawValue))
    out.put((point - eye).length)
    for value in [deviation, point.x, point.y, point.z, normal.x, normal.y, normal.z] { out.put(value) }
  }
}

/// A hit as a row ``SurfaceHitRow``; null when there is none.
private func row(_ hit: SurfaceHit?) -> UnsafeMutablePointer<Double>? {
  guard let hit, let eye = placing?.world.view?.position else { return nil }
  var out = Writer(hits)
  hit.write(from: eye, to: &out)
  return hits
}

private func posture(_ number: Int32) -> PlacedAnchors.Posture { number == 0 ? .flat : .standing }

/// The size of the display that the picture fills, points.
@_expose(wasm) @c public func sl_odometry_display(_ width: Double, _ height: Double) {
  guard width > 0, height > 0, width < 1e6, height < 1e6 else { return }
  placing?.display = Vector2(width, height)
}

/// From now on each frame tells where something would be that is set down under the middle of the display, as an anchor of a number.
///
/// - Parameters:
///   - number: of the anchor; below 0 nothing is told.
///   - isStanding: 0 for something flat, as a picture, 1 for something that stands upright.
@_expose(wasm) @c public func sl_odometry_preview(_ number: Int32, _ isStanding: Int32) {
  placing?.preview = number < 0 ? nil : (number, posture(isStanding))
}

/// What lies under a point of the last picture, a row ``SurfaceHitRow``; null when nothing is known there.
@_expose(wasm) @c public func sl_odometry_hit(_ x: Double, _ y: Double) -> UnsafeMutablePointer<Double>? {
  row(placing.flatMap { desk in desk.pixel(x, y).flatMap { desk.world.hitTest($0) } })
}

/// Sets something down under a point of the last picture.
///
/// - Parameters:
///   - number: of its anchor; one that has it moves.
///   - x: points.
///   - y: points.
///   - isStanding: 0 for something flat, as a picture, 1 for something that stands upright.
///   - height: of the thing, metres: what fingers can take it by.
/// - Returns: the surface there, or null when there is none.
@_expose(wasm) @c public func sl_odometry_place(
  _ number: Int32,
  _ x: Double,
  _ y: Double,
  _ isStanding: Int32,
  _ height: Double
) -> UnsafeMutablePointer<Double>? {
  guard let now = placing, let pixel = now.pixel(x, y) else { return nil }
  return row(placing?.placed.place(number, at: pixel, posture: posture(isStanding), height: height, in: now.world))
}

/// The number of what lies under a point; −1 when nothing does.
@_expose(wasm) @c public func sl_odometry_nearest(_ x: Double, _ y: Double) -> Int32 {
  guard let now = placing, let pixel = now.pixel(x, y) else { return -1 }
  return now.placed.nearest(to: pixel, in: now.world) ?? -1
}

/// A finger at a point takes something.
@_expose(wasm) @c public func sl_odometry_hold(_ number: Int32, _ x: Double, _ y: Double) {
  guard let now = placing, let pixel = now.pixel(x, y) else { return }
  placing?.placed.hold(number, at: pixel, in: now.world)
}

/// The finger that took something is at a point: it goes there along the surfaces.
///
/// - Parameters:
///   - x: points.
///   - y: points.
/// - Returns: the surface, or null.
@_expose(wasm) @c public func sl_odometry_drag(_ x: Double, _ y: Double) -> UnsafeMutablePointer<Double>? {
  guard let now = placing, let pixel = now.pixel(x, y) else { return nil }
  return row(placing?.placed.drag(to: pixel, in: now.world))
}

/// Turns something by so many degrees more, counter-clockwise as it is seen from its front or from above.
@_expose(wasm) @c public func sl_odometry_turn(_ number: Int32, _ degrees: Double) {
  placing?.placed.turn(number, by: Angle(degrees: degrees))
}

/// Two fingers on the display went from a and b to c and d: what they lie on turns with them.
@_expose(wasm) @c public func sl_odometry_twist(
  _ number: Int32,
  _ aX: Double,
  _ aY: Double,
  _ bX: Double,
  _ bY: Double,
  _ cX: Double,
  _ cY: Double,
  _ dX: Double,
  _ dY: Double
) {
  placing?.placed.twist(number, from: (Vector2(aX, aY), Vector2(bX, bY)), to: (Vector2(cX, cY), Vector2(dX, dY)))
}

/// Takes something away.
@_expose(wasm) @c public func sl_odometry_remove(_ number: Int32) {
  guard let now = placing else { return }
  placing?.placed.remove(number, in: now.world)
}
