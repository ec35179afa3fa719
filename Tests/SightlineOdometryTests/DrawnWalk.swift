import SightlineMath
import SightlineOdometry
import SightlineTestSupport

/// What a tracker gets on a walk through a drawn room.
extension DrawnRoom {
  /// A tracker's settings for this room's camera.
  ///
  /// - Parameter focal: what is believed of the focal length, pixels.
  /// - Returns: the settings.
  static func configuration(focal: Double = 262) -> OdometryConfiguration {
    OdometryConfiguration(
      width: width,
      height: height,
      focal: focal,
      screenAngleDegrees: 0,
      readoutDirection: .left
    )
  }

  /// Hands over the readings, 60 a second, that have come by a time of the sensors' clock.
  ///
  /// - Parameters:
  ///   - tracker: that gets them.
  ///   - stamp: seconds.
  ///   - sample: number of the next reading.
  ///   - away: seconds in which none come.
  func giveReadings(
    to tracker: WorldTracker,
    until stamp: Double,
    sample: inout Int,
    away: ClosedRange<Double>? = nil
  ) {
    while Double(sample) / 60 <= stamp {
      let end = Double(sample) / 60
      sample += 1
      if let away, away.contains(end) { continue }
      let (rate, force) = reading(from: end - 1.0 / 60, to: end)
      tracker.take(
        InertialReading(
          time: end,
          angularRate: Vector3(rate.x, rate.y, rate.z),
          specificForce: Vector3(force.x, force.y, force.z)
        )
      )
    }
  }
}
