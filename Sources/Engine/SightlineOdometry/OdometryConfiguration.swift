import SightlineMath

/// Which way the lines of the sensor are read, as the picture is seen.
public enum ReadoutDirection: Sendable {
  /// Columns from left to right.
  case right
  /// Columns from right to left: a phone held upright.
  case left
  /// Rows from the top.
  case down
  /// Rows from the bottom.
  case up

  /// That of a phone's rear camera, whose sensor lies across the phone.
  ///
  /// - Parameters:
  ///   - width: of the picture as it is seen, pixels.
  ///   - height: as `width`.
  ///   - screenAngleDegrees: by how much the screen is turned against the device.
  /// - Returns: the direction as the picture is seen.
  public static func usual(width: Int, height: Int, screenAngleDegrees: Int32) -> ReadoutDirection {
    let angle = ((screenAngleDegrees % 360) + 360) % 360
    if height > width { return angle == 180 ? .right : .left }
    return angle == 270 ? .up : .down
  }
}

/// What is known of camera and sensors before they are used, with its deviations.
public struct OdometryConfiguration: Sendable {
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Focal length, pixels, and the deviation of its logarithm.
  public var focal: Double, focalDeviation = 0.07
  /// Radial terms of the lens, of r² and r⁴, and their deviations.
  public var k1 = 0.0, k2 = 0.0, k1Deviation = 0.05, k2Deviation = 0.025
  /// Deviation of the principal point from the picture's middle, pixels.
  public var centerDeviation = 3.0
  /// From camera axes (x right, y down, z forward as the picture is seen) to the device's.
  public var deviceFromCamera: Matrix3
  /// Deviation of that about each axis, radians.
  public var mountingDeviation = 0.012
  /// Place of the lens in the device's axes from the inertial sensors, metres, and its deviation.
  public var lever = Vector3(0, 0.05, 0), leverDeviation = 0.018
  /// Which way the lines are read.
  public var readoutDirection: ReadoutDirection
  /// Seconds from the first line to the last, and the deviation; 0 and 0 for a global shutter.
  public var readout = 0.025, readoutDeviation = 0.005
  /// By how much a frame's stamp is later than the middle of its exposure on the clock of the sensors, seconds, and the deviation.
  public var timeOffset = 0.04, timeOffsetDeviation = 0.025
  /// Noise densities: rad/s/√Hz and m/s²/√Hz.
  public var gyroNoise = 8e-4, forceNoise = 1.0e-2
  /// Deviations of the biases at the start: rad/s and m/s².
  public var gyroBiasDeviation = 0.004, forceBiasDeviation = 0.06
  /// How biases walk: rad/s/√s and m/s²/√s.
  public var gyroBiasWalk = 1.5e-4, forceBiasWalk = 2e-3
  /// Deviation of a tracked point, pixels.
  public var pixelDeviation = 0.6
  /// Deviation of a frame's stamp about its mean, seconds.
  public var stampDeviation = 5e-4
  /// Size of gravity, m/s².
  public var gravity = 9.80665

  /// A phone's rear camera whose screen is turned by a multiple of 90° against the device.
  ///
  /// - Parameters:
  ///   - width: of the picture as it is seen, pixels.
  ///   - height: as `width`.
  ///   - focal: guess of the focal length, pixels.
  ///   - screenAngleDegrees: 0, 90 or 270.
  ///   - readoutDirection: which way the lines are read.
  public init(width: Int, height: Int, focal: Double, screenAngleDegrees: Int32, readoutDirection: ReadoutDirection) {
    self.width = width
    self.height = height
    self.focal = focal
    self.readoutDirection = readoutDirection
    deviceFromCamera =
      switch ((screenAngleDegrees % 360) + 360) % 360 {
      case 90: Matrix3(rows: Vector3(0, -1, 0), Vector3(-1, 0, 0), Vector3(0, 0, -1))
      case 180: Matrix3(rows: Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1))
      case 270: Matrix3(rows: Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))
      default: Matrix3(rows: Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1))
      }
  }
}
