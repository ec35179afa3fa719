import Sightline

/// What Core Motion says at one moment, in its own units and axes.
struct MotionReading: Sendable {
  /// Seconds since the phone was started: the clock of the session.
  var time: Double
  /// `attitude.quaternion`: from the phone's axes to x north, y west, z up.
  var attitude: Quaternion
  /// Whether x is geographic north, not magnetic.
  var isTrueNorth: Bool
  /// `rotationRate`, rad/s, about the phone's axes.
  var rotationRate: Vector3
  /// `gravity`, in g: −1 along the axis that points up.
  var gravity: Vector3
  /// `userAcceleration`, in g.
  var userAcceleration: Vector3
  /// `magneticField`, microtesla; `nil` while it is not calibrated.
  var magneticField: Vector3?

  /// How the phone is turned, for the session.
  ///
  /// East is a quarter turn to the right of north: x north, y west and z up become x east, y north and z up by a quarter turn about z.
  var orientation: OrientationReading {
    let eastNorthUpFromNorthWestUp = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 90))
    return .quaternion(
      worldFromDevice: eastNorthUpFromNorthWestUp * attitude,
      north: isTrueNorth ? .trueNorth : .magnetic
    )
  }

  /// The sensors themselves, for the session's own fusion.
  var sample: MotionSample {
    // What a sensor of acceleration feels is the push against gravity.
    let force = (gravity + userAcceleration) * -9.80665
    return MotionSample(time: time, angularVelocity: rotationRate, specificForce: force, magneticField: magneticField)
  }
}
