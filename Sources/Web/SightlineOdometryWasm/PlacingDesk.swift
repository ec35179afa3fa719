import SightlineCamera
import SightlineMath
import SightlineOdometry
import SightlineWasmMemory

// One thread enters the instance, see Host.swift.
/// On whose surroundings things are set down now.
nonisolated(unsafe) var placing: PlacingDesk?

/// What is set down, on the display that the pictures fill, whoever knows where the camera is.
class PlacingDesk {
  var placed = PlacedAnchors()
  /// The display that the pictures fill, points; without an extent there is none.
  var display = Vector2.zero
  /// What would be set down in the middle of the display is told as an anchor of this number.
  var preview: (number: Int32, posture: PlacedAnchors.Posture)?
  var previewed: SurfaceHit?

  /// Who knows where the camera is.
  var world: any TrackedWorld

  init(_ world: any TrackedWorld) { self.world = world }

  /// The pixel of the world's frames under a point of the display.
  func pixel(_ x: Double, _ y: Double) -> Vector2? { nil }

  func isOnDisplay(_ x: Double, _ y: Double) -> Bool { display.x > 0 && display.y > 0 && abs(x) < 1e6 && abs(y) < 1e6 }

  /// What would be set down in the middle of the display, when that was asked for.
  func observePreview() -> Observation? {
    previewed = nil
    guard let preview, let middle = pixel(display.x / 2, display.y / 2),
      let (hit, seen) = PlacedAnchors.preview(preview.number, at: middle, posture: preview.posture, in: world)
    else { return nil }
    previewed = hit
    return seen
  }

  /// Writes a row ``OdometryRow``, observations, and a row ``SurfaceHitRow`` of the preview if there is one.
  ///
  /// - Parameters:
  ///   - estimate: of the frame.
  ///   - time: of the frame, seconds.
  ///   - camera: of the frame, its pixels.
  ///   - advice: that stands now.
  ///   - isResting: whether the device is held still.
  ///   - observations: pixels of the frame.
  /// - Returns: numbers at ``results``.
  func write(
    _ estimate: OdometryEstimate,
    _ time: Double,
    by camera: FrameCamera,
    _ advice: TrackingAdvice,
    isResting: Bool,
    _ observations: [Observation]
  ) -> Int32 {
    results.reserve(OdometryRow.length + SurfaceHitRow.length + ObservationRow.length * observations.count)
    var out = Writer(results.base)
    let (p, q, v, lens) = (estimate.position, estimate.worldFromCamera, estimate.velocity, camera.intrinsics)
    out.put(estimate.state.rawValue)
    for value in [time, p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z] { out.put(value) }
    for value in [
      estimate.positionDeviation, estimate.yawDeviation, estimate.scaleDeviation, estimate.focalDeviation,
      lens.focalX, lens.centerX, lens.centerY, camera.distortion.k1, camera.distortion.k2,
      estimate.timeOffset, estimate.rowTime,
    ] {
      out.put(value)
    }
    out.put(estimate.trackCount)
    out.put(Int32(advice.rawValue))
    out.put(isResting)
    out.put(estimate.isLost)
    out.put(observations.count)
    for seen in observations { seen.write(to: &out) }
    if let hit = previewed, let view = world.view { hit.write(from: view.position, to: &out) }
    return Int32(clamping: out.position)
  }
}
