import SightlineMath

/// What the motion sensors of a device say at one moment, in the device frame (x right, y top, z out of the screen).
///
/// A sensor that is missing or has no new value is `nil`.
public struct MotionSample: Equatable, Sendable {
  /// Seconds on a monotonic clock: the end of the interval that the angular velocity stands for.
  public var time: Double
  /// Radians a second, mean since the sample before.
  public var angularVelocity: Vector3?
  /// Metres a second squared: at rest +9.81 along the axis that points up.
  public var specificForce: Vector3?
  /// Microtesla.
  public var magneticField: Vector3?

  /// A sample.
  public init(time: Double, angularVelocity: Vector3?, specificForce: Vector3?, magneticField: Vector3?) {
    self.time = time
    self.angularVelocity = angularVelocity
    self.specificForce = specificForce
    self.magneticField = magneticField
  }

  /// The sample without readings that no sensor of a device gives: not a number, or far outside what is built into phones
  /// (35 rad/s, 160 m/s², 5000 µT), and without a direction where one is needed.
  var believable: MotionSample {
    var sample = self
    if let rate = angularVelocity, !(rate.length < 200) { sample.angularVelocity = nil }
    if let force = specificForce, !(force.length > 1e-3 && force.length < 2_000) { sample.specificForce = nil }
    if let field = magneticField, !(field.length > 1e-3 && field.length < 100_000) { sample.magneticField = nil }
    return sample
  }
}
