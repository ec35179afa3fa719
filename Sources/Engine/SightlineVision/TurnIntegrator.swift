import SightlineCamera
import SightlineMath

/// How the camera turned from one frame to the next, by the gyroscope: a product of small turns.
///
/// Takes a platform's rates as they come, in the axes of the device, and gives turns in those of the rear camera's picture
/// as the screen is held (x right, y down, z forward). A picture reaches a program some tens of milliseconds after it was taken,
/// while readings come at once: what was told of later moments waits for the next frame.
public struct TurnIntegrator: Sendable {
  /// A gap longer than this is no turn that anything is known of, seconds.
  private static let longestGap = 0.1
  /// Readings that wait at most; with more, the oldest are a gap.
  private static let mostWaiting = 128

  /// A reading that no frame has had yet.
  private struct Step {
    /// When it ends, and how long before that it began, seconds.
    var end: Double
    var length: Double
    /// Angular velocity in the camera's axes, rad/s; `nil` for a gap.
    var rate: Vector3?
  }

  private var waiting: [Step] = []
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
    let length = time - last
    last = time
    var step = Step(end: time, length: 0, rate: nil)
    if let rate, rate.x.isFinite, rate.y.isFinite, rate.z.isFinite, length > 0, length <= Self.longestGap {
      step.length = length
      step.rate = Self.inCamera(rate, screenAngleDegrees: screenAngleDegrees)
    }
    if waiting.count == Self.mostWaiting {
      waiting.removeFirst(Self.mostWaiting / 2)
      isWhole = false
    }
    waiting.append(step)
  }

  /// The turn since the last call: from the camera's axes now to those then.
  ///
  /// - Parameter time: when the frame was taken, seconds. Readings after it are kept for the next frame.
  /// - Returns: `nil` when there were gaps, or there is no gyroscope.
  public mutating func turn(at time: Double) -> Quaternion? {
    var previousFromCamera = Quaternion.identity
    var taken = 0
    while taken < waiting.count {
      var step = waiting[taken]
      let isOver = !(step.end > time)
      let length = isOver ? step.length : step.length - (step.end - time)
      guard isOver || length > 0 else { break }
      if let rate = step.rate {
        let speed = rate.length
        if speed > 1e-9 {
          let small = Quaternion(axis: rate * (1 / speed), angle: Angle(radians: speed * length))
          previousFromCamera = (previousFromCamera * small).normalized ?? .identity
        }
      } else {
        isWhole = false
      }
      guard isOver else {
        step.length -= length
        waiting[taken] = step
        break
      }
      taken += 1
    }
    waiting.removeFirst(taken)
    let turn = isWhole && time - last < Self.longestGap ? previousFromCamera : nil
    isWhole = last.isFinite
    return turn
  }

  /// From the axes of the device to those of the rear camera's picture.
  public static func inCamera(_ vector: Vector3, screenAngleDegrees: Int32) -> Vector3 {
    let (s, c) = sineCosine(degrees: Double(screenAngleDegrees))
    return Vector3(c * vector.x - s * vector.y, -(s * vector.x + c * vector.y), -vector.z)
  }
}
