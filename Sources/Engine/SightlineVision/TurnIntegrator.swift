import SightlineCamera
import SightlineMath

/// How the camera turned from one frame to the next, by the gyroscope: a product of small turns.
///
/// Takes a platform's rates as they come, in the axes of the device, and gives turns in those of the rear camera's picture
/// as the screen is held (x right, y down, z forward).
public struct TurnIntegrator: Sendable {
  /// A gap longer than this is no turn that anything is known of, seconds.
  private static let longestGap = 0.1

  private var previousFromCamera = Quaternion.identity
  private var last = Double.nan
  private var isWhole = false

  /// Without readings yet.
  public init() {}

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - rate: angular velocity about the device's axes (x right, y to its top, z out of the screen), rad/s; `nil` when the sensor gave
  ///     none, which is a gap.
  ///   - time: of the reading, seconds.
  ///   - screenAngleDegrees: by how much the screen is turned against the device, a multiple of 90.
  public mutating func take(_ rate: Vector3?, time: Double, screenAngleDegrees: Int32) {
    let step = time - last
    last = time
    guard let rate, rate.x.isFinite, rate.y.isFinite, rate.z.isFinite, step > 0, step <= Self.longestGap else {
      isWhole = false
      return
    }
    let turned = Self.inCamera(rate, screenAngleDegrees: screenAngleDegrees)
    let speed = turned.length
    guard speed > 1e-9 else { return }
    let small = Quaternion(axis: turned * (1 / speed), angle: Angle(radians: speed * step))
    previousFromCamera = (previousFromCamera * small).normalized ?? .identity
  }

  /// The turn since the last call: from the camera's axes now to those then.
  ///
  /// - Parameter time: of the frame, seconds.
  /// - Returns: `nil` when there were gaps, or there is no gyroscope.
  public mutating func turn(at time: Double) -> Quaternion? {
    let turn = isWhole && abs(time - last) < Self.longestGap ? previousFromCamera : nil
    previousFromCamera = .identity
    isWhole = last.isFinite
    return turn
  }

  /// From the axes of the device to those of the rear camera's picture.
  public static func inCamera(_ vector: Vector3, screenAngleDegrees: Int32) -> Vector3 {
    let (s, c) = sineCosine(degrees: Double(screenAngleDegrees))
    return Vector3(c * vector.x - s * vector.y, -(s * vector.x + c * vector.y), -vector.z)
  }
}
