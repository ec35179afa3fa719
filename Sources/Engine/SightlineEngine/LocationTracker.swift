import SightlineGeodesy

/// Decides which position fixes to believe, and judges the last one.
struct LocationTracker: Sendable {
  /// The last accepted position; altitude 0 when unknown.
  private(set) var position: Geodetic?
  private(set) var altitudeKnown = false
  private(set) var unavailable: UnavailableReason?
  private var accuracy = 0.0
  private var acceptedTime = 0.0

  /// Takes a fix; answers whether it was accepted.
  ///
  /// A fix is ignored when it is none (not finite, out of range, negative accuracy), and when its accuracy circle is so
  /// much larger than the last one's that nobody could have moved that far meanwhile: such fixes are leaps to a radio
  /// mast. The first fix is always accepted, and after a silence everything is again.
  mutating func take(_ fix: LocationFix, at time: Double, parameters: Session.Parameters) -> Bool {
    guard abs(fix.latitudeDegrees) <= 90, abs(fix.longitudeDegrees) <= 180, fix.horizontalAccuracy >= 0,
      fix.horizontalAccuracy.isFinite
    else { return false }
    unavailable = nil
    if position != nil {
      let elapsed = max(time - acceptedTime, 0)
      guard fix.horizontalAccuracy <= accuracy + parameters.fastestMovement * elapsed else { return false }
    }
    if let altitude = fix.altitude, altitude.isFinite {
      altitudeKnown = true
      position = Geodetic(
        latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees, altitude: altitude)
    } else {
      // One fix without an altitude does not undo the one before it: people do not change floors that fast.
      position = Geodetic(
        latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees,
        altitude: altitudeKnown ? (position?.altitude ?? 0) : 0)
    }
    accuracy = fix.horizontalAccuracy
    acceptedTime = max(time, acceptedTime)
    return true
  }

  mutating func fail(_ reason: UnavailableReason) { unavailable = reason }

  func status(at time: Double, parameters: Session.Parameters) -> LocationStatus {
    guard position != nil else {
      switch unavailable {
      case .denied: return .denied
      case .missing: return .missing
      case .timedOut, nil: return .waiting
      }
    }
    if time - acceptedTime > parameters.fixLifetime { return .stale }
    return accuracy > parameters.goodFixAccuracy ? .inaccurate : .good
  }
}
