import SightlineCamera
import SightlineMath
import SightlineOdometry
import SightlineWasmMemory

// Poses, surfaces and anchors that the platform gives (WebXR) in place of own tracking: matrices in, the same rows out as of pictures.
// A frame: its pose, then where anchors are, then hits with what is set down there, the preview's last, then what all that gives.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var platform: PlatformDesk?
// As above.
/// A pose and a projection, 16 numbers each.
nonisolated(unsafe) private let matrices = UnsafeMutablePointer<Double>.allocate(capacity: 32)
/// A direction.
nonisolated(unsafe) private let ray = UnsafeMutablePointer<Double>.allocate(capacity: 3)

/// The platform's world and what is set down in it.
private final class PlatformDesk: PlacingDesk {
  let tracker: PlatformTracker
  var (width, height) = (0.0, 0.0)
  var (estimate, time): (OdometryEstimate?, Double) = (nil, 0)

  init(_ tracker: PlatformTracker) {
    self.tracker = tracker
    super.init(tracker)
  }

  /// The platform stretches its pictures over the display.
  override func pixel(_ x: Double, _ y: Double) -> Vector2? {
    guard isOnDisplay(x, y) else { return nil }
    return Vector2(x / display.x * width - 0.5, y / display.y * height - 0.5)
  }

  /// What would help most: a platform does not say why it knows nothing.
  var advice: TrackingAdvice {
    guard let estimate, estimate.state == .metric else { return .lookAtFloor }
    if estimate.isLost { return .morePattern }
    return tracker.hasSurface ? .none : .lookAtFloor
  }
}

/// The 16 numbers of a matrix that the page wrote.
private func matrix(_ number: Int) -> [Double] { (0..<16).map { matrices[16 * number + $0] } }

/// From now on the platform says where the camera is; what was known is forgotten.
@_expose(wasm) @c public func sl_odometry_given_begin() {
  platform = PlatformDesk(PlatformTracker())
  placing = platform
}

/// Where the page writes a matrix (4 × 4, by columns), and after it a projection.
@_expose(wasm) @c public func sl_odometry_given_in() -> UnsafeMutablePointer<Double> { matrices }

/// Takes a frame: where the viewer is, and its projection, were written.
///
/// - Parameters:
///   - width: of the picture that the projection fills, pixels.
///   - height: as `width`.
///   - kind: 0 a pose, 1 one whose place is only guessed, 2 none.
///   - time: seconds.
@_expose(wasm) @c public func sl_odometry_given_pose(_ width: Double, _ height: Double, _ kind: Int32, _ time: Double) {
  guard let desk = platform, time.isFinite else { return }
  (desk.width, desk.height, desk.time) = (width, height, time)
  desk.estimate = desk.tracker.take(
    worldFromViewer: kind == 2 ? [] : matrix(0),
    clipFromViewer: matrix(1),
    width: width,
    height: height,
    isEmulated: kind == 1,
    time: time
  )
}

/// Takes where the platform's anchor for something that was set down is, which was written; without `isKnown` nobody knows.
@_expose(wasm) @c public func sl_odometry_given_anchor(_ number: Int32, _ isKnown: Int32) {
  guard let desk = platform, let handle = desk.placed.handle(of: number) else { return }
  desk.tracker.takeAnchor(handle, worldFromAnchor: isKnown != 0 ? matrix(0) : [])
}

/// Takes what a ray of this frame met, which was written; without `isThere` nothing.
///
/// ``sl_odometry_place(_:_:_:_:_:)``, ``sl_odometry_drag(_:_:)`` and the preview then have it.
@_expose(wasm) @c public func sl_odometry_given_hit(_ isThere: Int32) {
  platform?.tracker.takeHit(worldFromHit: isThere != 0 ? matrix(0) : [])
}

/// The direction of the ray through a point of the display.
///
/// - Parameters:
///   - x: points.
///   - y: points.
///   - isHeld: not 0 for a finger that holds something: the ray then is that of its foot.
/// - Returns: three numbers in the platform's camera axes; null when there is no pose.
@_expose(wasm) @c public func sl_odometry_given_ray(
  _ x: Double,
  _ y: Double,
  _ isHeld: Int32
) -> UnsafeMutablePointer<Double>? {
  guard let desk = platform, let finger = desk.pixel(x, y),
    let direction = desk.tracker.ray(through: isHeld != 0 ? desk.placed.foot(under: finger) : finger)
  else { return nil }
  var out = Writer(ray)
  for value in [direction.x, direction.y, direction.z] { out.put(value) }
  return ray
}

/// The platform's world is another from now on: what has no anchor of its own is lost.
@_expose(wasm) @c public func sl_odometry_given_reset() { platform?.tracker.takeReset() }

/// What the frame gave: as ``sl_odometry_frame(_:_:_:_:_:_:_:)``; −1 when none was taken.
@_expose(wasm) @c public func sl_odometry_given_look() -> Int32 {
  guard let desk = platform, let estimate = desk.estimate else { return -1 }
  var observations = desk.placed.observe(in: desk.tracker, estimate, time: desk.time)
  if let seen = desk.observePreview() { observations.append(seen) }
  let camera =
    desk.tracker.view?.camera
    ?? FrameCamera(
      intrinsics: Intrinsics(width: 0, height: 0, focalX: 0, focalY: 0, centerX: 0, centerY: 0)
    )
  return desk.write(estimate, desk.time, by: camera, desk.advice, isResting: false, observations)
}
