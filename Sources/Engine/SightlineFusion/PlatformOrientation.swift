import SightlineMath

/// A platform's own orientation, as it came: with its compass applied where it has one, and with the rate at which it turns.
struct PlatformOrientation: Sendable {
  /// Time of the last reading.
  private(set) var lastTime = -Double.infinity
  /// Error stated for the compass: `nil` where none is stated, infinite while it is not valid.
  private(set) var statedError: Angle?
  private var rotation: Quaternion?
  private var north = NorthReference.arbitrary
  private var rate = Vector3.zero
  private var compass = CompassCorrection()
  /// Seconds over which rates are smoothed: readings come in steps of 0.1°.
  private static let smoothing = 0.04

  /// Whether there was a reading.
  var isKnown: Bool { rotation != nil }
  /// What its heading is wrong by at most 95 % of the time, as far as a compass beside it tells, radians; `nil` without one.
  var compassError: Double? { statedError.map { max(compass.error, min($0.radians, pi)) } }
  /// Whether its north is one.
  var knowsNorth: Bool { isKnown && north != .arbitrary }

  /// The last reading.
  var estimate: OrientationFusion.Estimate? {
    rotation.map {
      OrientationFusion.Estimate(
        levelFromDevice: $0,
        north: north,
        angularVelocity: rate,
        turned: nil,
        restDuration: 0,
        time: lastTime
      )
    }
  }

  mutating func take(
    _ reading: FusedOrientation,
    rotation next: Quaternion,
    at time: Double,
    parameters: OrientationFusion.Parameters
  ) {
    let interval = time - lastTime
    statedError = nil
    var next = next
    var reference = reading.north
    if let heading = reading.compass {
      compass.take(heading, of: next, interval: interval, window: parameters.compassWindow)
      statedError = heading.accuracy ?? Angle(radians: .infinity)
      next = compass.corrected(next)
      reference = compass.isKnown ? .magnetic : .arbitrary
    }
    // Events come when something changed; after a pause, or from another frame, the change is no turn.
    if let rotation, interval > 1e-3, interval < 0.1, reference == north {
      let turn = (rotation.inverse * next).rotationVector * (1 / interval)
      let gain = interval / (Self.smoothing + interval)
      rate = turn.length < 20 ? rate + (turn - rate) * gain : .zero
    } else if interval > 1e-3 {
      rate = .zero
    }
    rotation = next
    north = reference
    lastTime = time
  }

  mutating func resume() { compass.forgetMost() }
}
