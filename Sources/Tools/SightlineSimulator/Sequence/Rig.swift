import SightlineCamera
import SightlineMath

/// Which way the lines of a sensor are read, as its picture is seen.
public enum ReadoutOrder: String, Sendable {
  /// Columns from left to right.
  case right = "+x"
  /// Columns from right to left.
  case left = "-x"
  /// Rows from top to bottom.
  case down = "+y"
  /// Rows from bottom to top.
  case up = "-y"

  /// Phones' sensors lie across: their first row is at the right edge of a picture taken upright.
  init(screenAngleDegrees angle: Int32) {
    self =
      switch angle {
      case 90: .down
      case 180: .right
      case 270: .up
      default: .left
      }
  }
}

/// A camera in a phone as it really is: lens, place, clock.
///
/// What ``RigSettings`` leaves open is drawn.
public struct Rig: Sendable {
  /// Pixels; one focal length for both axes.
  public let focal: Double
  /// Principal point, pixels.
  public let center: Vector2
  /// Radial terms: x_d = x (1 + k1 r² + k2 r⁴).
  public let distortion: (k1: Double, k2: Double)
  /// What is stated of the focal length, pixels.
  public let focalGuess: Double
  /// Place of the lens as seen from the motion sensors, device axes, metres.
  public let lever: Vector3
  /// Turns vectors of the picture's camera (x right, y down, z forward) into the device's.
  public let deviceFromCamera: Quaternion
  /// Of that, what no data sheet says: a turn about the camera's axes, radians.
  public let misalignment: Vector3
  /// Way of the lines.
  public let order: ReadoutOrder
  /// Seconds from one line to the next.
  public let rowTime: Double
  /// By how much a stamp is later than the middle of the exposure, seconds.
  public let lateness: Double
  /// Share by which the corners are darker.
  public let vignette: Double
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int

  /// Lines of the sensor.
  public var lines: Int { order == .left || order == .right ? width : height }
  /// Seconds from the first line to the last.
  public var readout: Double { rowTime * Double(lines - 1) }

  init(_ settings: RigSettings, camera: CameraSettings, display: DisplayProjection, angle: Int32, seed: UInt64) {
    var random = SeededGenerator(seed: seed, purpose: "rig")
    let lens = camera.intrinsics
    (width, height) = (Int(lens.width), Int(lens.height))
    focal = lens.focalX
    center = Vector2(lens.centerX, lens.centerY)
    // Always drawn, so that giving one leaves the others as they were.
    let terms = (random.uniform(-0.06, 0.06), random.uniform(-0.02, 0.02))
    distortion = settings.distortion ?? terms
    let place = Vector3(random.uniform(-0.02, 0.03), random.uniform(0.03, 0.07), random.uniform(-0.006, -0.001))
    lever = settings.lever ?? place
    let axis = random.normalVector(1).normalized ?? Vector3(1, 0, 0)
    let angleOff = Angle(degrees: random.uniform(0, 1))
    misalignment = axis * (settings.misalignment ?? angleOff).radians
    let seconds = random.uniform(0.018, 0.032)
    order = ReadoutOrder(screenAngleDegrees: angle)
    let count = order == .left || order == .right ? width : height
    rowTime = (settings.readout ?? seconds) / Double(max(1, count - 1))
    let delay = random.uniform(0, 0.08)
    lateness = settings.lateness ?? delay
    let error = random.uniform(-0.12, 0.12)
    focalGuess = focal * (1 + (settings.focalError ?? error))
    vignette = random.uniform(0.08, 0.3)
    let ideal = display.deviceFromDisplay * display.cameraFromDisplay.inverse
    deviceFromCamera = ideal * Quaternion(turn: misalignment)
  }

  /// When the line that a pixel is on is read, against the middle one, seconds.
  public func lineTime(of pixel: Vector2) -> Double {
    let line =
      switch order {
      case .left: Double(width - 1) / 2 - pixel.x
      case .right: pixel.x - Double(width - 1) / 2
      case .down: pixel.y - Double(height - 1) / 2
      case .up: Double(height - 1) / 2 - pixel.y
      }
    return line * rowTime
  }

  /// Pose of the lens: its place, and what turns camera vectors into the world.
  public func pose(_ state: Trajectory.State) -> (position: Vector3, worldFromCamera: Quaternion) {
    (state.position + state.worldFromDevice * lever, state.worldFromDevice * deviceFromCamera)
  }

  /// The pixel of a point before the camera; `nil` for one behind it.
  public func pixel(ofPointInCamera p: Vector3) -> Vector2? {
    guard p.z > 1e-6 else { return nil }
    let (x, y) = (p.x / p.z, p.y / p.z)
    let square = x * x + y * y
    let scale = focal * (1 + distortion.k1 * square + distortion.k2 * square * square)
    return Vector2(center.x + x * scale, center.y + y * scale)
  }

  /// The direction, at depth 1, that a pixel shows.
  func ray(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let (u, v) = ((x - center.x) / focal, (y - center.y) / focal)
    var (a, b) = (u, v)
    // A fixed point: the terms are small.
    for _ in 0..<20 {
      let square = a * a + b * b
      let scale = max(0.2, 1 + distortion.k1 * square + distortion.k2 * square * square)
      (a, b) = (u / scale, v / scale)
    }
    return (a, b)
  }
}
