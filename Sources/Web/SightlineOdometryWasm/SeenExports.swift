import SightlineCamera
import SightlineMath
import SightlineOdometry
import SightlineWasmMemory

// What vision saw goes along with the picture it saw it in; what it does not see in later ones is told where it is.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()

/// Most observations of a picture.
private let most: Int32 = 1024

/// Where the page writes what vision saw in the picture that comes next, rows as `vision.wasm` made them; null when there are more than fit.
@_expose(wasm) @c public func sl_odometry_seen_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...most ~= count else { return nil }
  return input.reserveExactly(Int(count) * ObservationRow.length) ? input.base : nil
}

/// Vision saw what was written in the picture that comes next.
///
/// From now on frames tell where what was seen is when it is not.
///
/// - Parameters:
///   - count: rows.
///   - focal: that vision took the picture to have, pixels.
///   - k1: radial terms of the lens.
///   - k2: as `k1`.
///   - k3: as `k1`.
@_expose(wasm) @c public func sl_odometry_seen(
  _ count: Int32,
  _ focal: Double,
  _ k1: Double,
  _ k2: Double,
  _ k3: Double
) {
  guard let now = desk, 0...most ~= count, input.capacity >= Int(count) * ObservationRow.length, focal > 1, focal < 1e6,
    (k1 + k2 + k3).isFinite
  else { return }
  let (smaller, turn, scale) = (now.smaller, now.turn.inverse, 1 / Double(now.smaller.factor))
  let center = smaller.smaller(Vector2(Double(now.width - 1) / 2, Double(now.height - 1) / 2))
  let camera = FrameCamera(
    intrinsics: Intrinsics(
      width: Double(now.width / smaller.factor),
      height: Double(now.height / smaller.factor),
      focalX: focal * scale,
      focalY: focal * scale,
      centerX: center.x,
      centerY: center.y
    ),
    distortion: LensDistortion(k1: k1, k2: k2, k3: k3)
  )
  var observations: [Observation] = []
  for k in 0..<Int(count) {
    guard var seen = ObservationRow.read(Values(input.base + k * ObservationRow.length)) else { continue }
    for corner in 0..<4 { seen.corners[corner] = smaller.smaller(seen.corners[corner]) }
    seen.cornerSigma *= scale
    observations.append(turn(seen))
  }
  now.seen.take(observations, by: turn(camera), in: now.tracker)
}
