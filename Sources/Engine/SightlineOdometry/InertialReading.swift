import SightlineMath

/// What gyroscope and accelerometer say of the time since the reading before.
public struct InertialReading: Equatable, Sendable {
  /// End of the interval, seconds on the clock of the sensors.
  public var time: Double
  /// Mean angular velocity about the device's axes, rad/s.
  public var angularRate: Vector3
  /// Mean specific force along the device's axes, m/s²; at rest +9.81 along the axis that points up.
  public var specificForce: Vector3

  /// A reading from numbers.
  public init(time: Double, angularRate: Vector3, specificForce: Vector3) {
    self.time = time
    self.angularRate = angularRate
    self.specificForce = specificForce
  }
}
