import SightlineCamera
import SightlineFusion
import SightlineImaging
import SightlineMath
import SightlineOdometry
import SightlineWasmMemory
import SightlineWasmPictures

// World tracking for the page's worker: motion readings and pictures in, where the camera was out. Pictures are put into the room of
// `sl_picture`; `WebClient/engine/odometry.js` mirrors this.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) var desk: OdometryDesk?
// Told last by `sl_odometry_learned`; one thread enters the instance.
nonisolated(unsafe) var learned: LearnedPictures?
nonisolated(unsafe) var results = Buffer()

/// The tracker and what belongs to one camera.
final class OdometryDesk: PlacingDesk {
  /// Of the pictures as they come now, pixels.
  var (width, height): (Int, Int)
  var configuration: OdometryConfiguration
  var tracker: WorldTracker {
    didSet { world = tracker }
  }
  var smaller: SmallerPicture
  var frame = GrayImage(width: 1, height: 1)
  var turns: TurnedPictures
  /// From the tracker's frames to the pictures that come now, and a picture that was turned back.
  var turn: PictureTurn
  private var turnedBack = GrayImage(width: 1, height: 1)
  var advisor = TrackingAdvisor()
  var sign = ForceSign()
  /// The last force as it was read, m/s², when it came, and the last rate, rad/s.
  var (force, forceTime): (Vector3, Double) = (.zero, -.infinity)
  var rate = Vector3.zero
  var upTime = -Double.infinity
  let seen: SeenAnchors

  init(_ pictures: TrackedPictures, seen: SeenAnchors) {
    (width, height, smaller) = (pictures.width, pictures.height, pictures.smaller)
    configuration = pictures.configuration
    (turns, turn, self.seen) = (pictures.turns, pictures.turn, seen)
    tracker = WorldTracker(configuration)
    super.init(tracker)
  }

  /// Goes on with other pictures: what was set down and seen is known again as soon as the surroundings are.
  func goOn(with pictures: TrackedPictures) {
    (width, height, smaller) = (pictures.width, pictures.height, pictures.smaller)
    configuration = pictures.configuration
    (turns, turn) = (pictures.turns, pictures.turn)
    tracker.goOn(with: configuration)
  }

  /// Goes on with the same pictures, turned.
  func turnPictures(quarters: Int, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    turn = PictureTurn(quarters: quarters, width: configuration.width, height: configuration.height)
  }

  /// Begins anew: what was taken had the wrong sign.
  func startOver() {
    tracker = WorldTracker(configuration)
    placed.loseAll()
    seen.loseAll()
  }

  /// The pixel of the tracker's frames under a point of the display.
  override func pixel(_ x: Double, _ y: Double) -> Vector2? {
    guard isOnDisplay(x, y) else { return nil }
    let lens = camera.intrinsics
    let placement = PicturePlacement(
      display: Display(width: display.x, height: display.y),
      picture: CameraPicture(intrinsics: lens)
    )
    return turn.inverse(smaller.smaller(placement.pixel(atDisplayPoint: Vector2(x, y))))
  }

  /// The camera of the whole picture as it comes now.
  var camera: FrameCamera { smaller.whole(turn(tracker.camera), width: width, height: height) }

  /// What is set down and what was seen before, in the frame that was taken last, pixels of the whole picture.
  func observe(_ estimate: OdometryEstimate, _ time: Double) -> [Observation] {
    var all = placed.observe(in: tracker, estimate, time: time)
    all += seen.follow(in: tracker, estimate, time: time)
    if let seen = observePreview() { all.append(seen) }
    for k in all.indices {
      all[k] = turn(all[k])
      for corner in 0..<4 { all[k].corners[corner] = smaller.whole(all[k].corners[corner]) }
      all[k].cornerSigma *= Double(smaller.factor)
    }
    return all
  }

  func take(_ time: Double) -> OdometryEstimate {
    // Out of `self` while it is used, so that nothing is copied.
    let tracker = tracker
    var picture = GrayImage(width: 1, height: 1)
    swap(&picture, &frame)
    var level = 0.0
    let (seen, turn) = (seen, turn)
    var back = GrayImage(width: 1, height: 1)
    swap(&back, &turnedBack)
    var estimate = picture.withView { view in
      smaller.with(view) { view in
        level = view.meanLevel
        guard turn.quarters != 0 else { return tracker.take(view, stamp: time, rectangles: seen.rectangles) }
        turn.inverse.turn(view, into: &back)
        return back.withView { tracker.take($0, stamp: time, rectangles: seen.rectangles) }
      }
    }
    swap(&back, &turnedBack)
    swap(&picture, &frame)
    let hasSurface = !tracker.planes.isEmpty
    estimate.rowTime /= Double(smaller.factor)
    advisor.judge(estimate, level: level, turnRate: rate.length, hasSurface: hasSurface, time: time)
    return estimate
  }
}

/// What was learned of the camera another time with pictures of the size that comes next, taken when tracking begins with them; then the focal
/// length told with that size was learned as well.
///
/// - Parameters:
///   - isKnown: 0 when nothing was learned.
///   - k1: term of r² of the lens.
///   - k2: term of r⁴.
///   - rowTime: from one line of these pictures to the next, seconds.
///   - timeOffset: by how much the pictures' stamps are late, seconds. What no camera has is left out when tracking begins.
@_expose(wasm) @c public func sl_odometry_learned(
  _ isKnown: Int32,
  _ k1: Double,
  _ k2: Double,
  _ rowTime: Double,
  _ timeOffset: Double
) {
  learned = isKnown == 0 ? nil : LearnedPictures(k1: k1, k2: k2, rowTime: rowTime, timeOffset: timeOffset)
}

/// Begins to track pictures of a camera; what was known is forgotten.
///
/// - Parameters:
///   - width: of the pictures that will be put into the room, pixels.
///   - height: as `width`.
///   - focal: guess of the focal length, pixels of these pictures.
///   - screenAngle: by how much the screen is turned against the device, degrees: 0, 90, 180 or 270.
///   - readout: which way the sensor's lines are read, as the picture is seen: 0 right, 1 left, 2 down, 3 up; below 0 as phones do.
/// - Returns: whether such pictures can be tracked: not when a side is too short or too long.
@_expose(wasm) @c public func sl_odometry_begin(
  _ width: Int32,
  _ height: Int32,
  _ focal: Double,
  _ screenAngle: Int32,
  _ readout: Int32
) -> Int32 {
  // What is lost with the old tracker has to be told.
  let seen = desk?.seen ?? SeenAnchors()
  seen.loseAll()
  (desk, placing) = (nil, nil)
  guard let pictures = TrackedPictures(width, height, focal, screenAngle, readout, learned: learned) else { return 0 }
  desk = OdometryDesk(pictures, seen: seen)
  placing = desk
  return 1
}

/// What the picture that comes next is, where its size or the screen's angle are others than before: tracking goes on with it.
///
/// The phone's screen was turned: so are the pictures, and all that is known stays. Pictures of another size or of another camera: what was set
/// down and seen is lost until the surroundings are recognised.
///
/// - Parameters:
///   - width: of the picture that will be put into the room, pixels.
///   - height: as `width`.
///   - focal: guess of the focal length, pixels of that picture.
///   - screenAngle: by how much the screen is turned against the device, degrees.
///   - time: the picture's stamp, seconds.
/// - Returns: 0 when size and angle do not belong together yet, and the picture is not to be tracked; 1 when it is one of those before, turned;
///   2 when tracking goes on with other pictures; −1 when such pictures cannot be tracked, or tracking has not begun.
@_expose(wasm) @c public func sl_odometry_pictures(
  _ width: Int32,
  _ height: Int32,
  _ focal: Double,
  _ screenAngle: Int32,
  _ time: Double
) -> Int32 {
  guard let now = desk, time.isFinite else { return -1 }
  let (w, h) = (Int(width), Int(height))
  switch now.turns.judge(width: w, height: h, screenAngleDegrees: screenAngle, time: time) {
  case .unsettled: return 0
  case .turned(let quarters):
    now.turnPictures(quarters: quarters, width: w, height: h)
    return 1
  case .other:
    guard let pictures = TrackedPictures(width, height, focal, screenAngle, -1, learned: learned) else { return -1 }
    now.goOn(with: pictures)
    return 2
  }
}

/// Focal length, pixels, of a camera that sees so many degrees along the longer side of a picture; 0 for what no camera sees.
@_expose(wasm) @c public func sl_odometry_focal(
  _ width: Double,
  _ height: Double,
  _ fieldOfViewDegrees: Double
) -> Double {
  guard width > 0, height > 0, fieldOfViewDegrees > 1, fieldOfViewDegrees < 179 else { return 0 }
  return Intrinsics(width: width, height: height, longSideFieldOfView: Angle(degrees: fieldOfViewDegrees)).focalX
}

/// A reading of the motion sensors as a page has it: end of its interval, seconds; degrees a second about the device's axes (x right, y to
/// its top, z out of the screen); m/s² with gravity, of either sign.
@_expose(wasm) @c public func sl_odometry_motion(
  _ time: Double,
  _ rateX: Double,
  _ rateY: Double,
  _ rateZ: Double,
  _ forceX: Double,
  _ forceY: Double,
  _ forceZ: Double
) {
  guard let now = desk, time.isFinite else { return }
  let rate = Vector3(rateX, rateY, rateZ) * Angle(degrees: 1).radians
  let force = Vector3(forceX, forceY, forceZ)
  guard rate.length < 1e3, force.length < 1e3 else { return }
  (now.rate, now.force, now.forceTime) = (rate, force, time)
  now.tracker.take(InertialReading(time: time, angularRate: rate, specificForce: force * now.sign.sign))
}

/// "Up" by the platform's own orientation, in the device's axes, degrees as `deviceorientation` has them.
///
/// It tells which sign the platform's accelerations have. When it was the other one, tracking begins anew.
@_expose(wasm) @c public func sl_odometry_tilt(_ time: Double, _ beta: Double, _ gamma: Double) {
  guard let now = desk, time.isFinite, beta.isFinite, gamma.isFinite, abs(time - now.forceTime) < 0.1 else { return }
  let (b, g) = (Angle(degrees: beta).radians, Angle(degrees: gamma).radians)
  let up = Vector3(-cos(b) * sin(g), sin(b), cos(b) * cos(g))
  if now.sign.judge(now.force, up: up, interval: time - now.upTime) { now.startOver() }
  now.upTime = time
}

/// Takes the picture in the room, which is laid out as for `sl_vision_frame` and has the size that was told last.
///
/// - Parameters:
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes of the room before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - time: its stamp, seconds.
/// - Returns: numbers at ``sl_odometry_values()``: a row ``OdometryRow``, observations, and a row ``SurfaceHitRow`` of the preview if there is
///   one; −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_odometry_frame(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ time: Double
) -> Int32 {
  guard let now = desk, time.isFinite, Int(width) == now.width, Int(height) == now.height else { return -1 }
  guard now.frame.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  let estimate = now.take(time)
  return now.writeRows(estimate, time, now.observe(estimate, time))
}

/// What the last frame gave.
@_expose(wasm) @c public func sl_odometry_values() -> UnsafeMutablePointer<Double> { results.base }

extension OdometryDesk {
  /// Writes what a frame gave to ``results``; answers how many numbers that are.
  func writeRows(_ estimate: OdometryEstimate, _ time: Double, _ observations: [Observation]) -> Int32 {
    var told = estimate
    if turn.quarters != 0 { told.worldFromCamera = estimate.worldFromCamera * turn.rotation.inverse }
    return write(told, time, by: camera, advisor.advice, isResting: tracker.isResting, observations)
  }
}
