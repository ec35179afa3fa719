import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// Decides which position fixes to believe, and judges the last one.
///
/// A fix is ignored when it is none (not finite, out of range, negative accuracy), when it was delivered too late, and when
/// its accuracy circle is so much larger than the last one's that nobody could have moved that far meanwhile
/// (r > r_last + 200 m/s · Δt): such fixes are leaps to a radio mast. The first fix is always accepted, and after a
/// silence everything is again.
///
/// Requests state the accepted fix as it came; what is drawn follows its smoothed position (`LocationFilter`).
struct LocationTracker: Sendable {
  /// The last accepted position; altitude 0 when unknown.
  private(set) var position: Geodetic?
  private(set) var altitudeKnown = false
  /// What altitudes are measured from.
  private(set) var datum = HeightDatum.seaLevel
  /// What is drawn from.
  private var filter: LocationFilter
  private(set) var unavailable: UnavailableReason?
  /// Radius of the 95 % circle of the last accepted fix, metres.
  private(set) var accuracy = 0.0
  /// Standard deviation of it along an axis, metres: that of a circle of 95 % is 1/2.448 of its radius.
  var deviation: Double { accuracy / 2.448 }
  private var acceptedTime = -Double.infinity
  private var altitudeTime = -Double.infinity

  /// A tracker before its first fix.
  init(parameters: Session.Parameters) { filter = LocationFilter(parameters: parameters.location) }

  /// The position to draw from: smoothed, and without jumps.
  var shown: Geodetic? { filter.shown }
  /// Radius of its 95 % circle, metres.
  var shownAccuracy: Double { filter.accuracy }

  /// Moves what is drawn from towards the estimate; answers whether it moved.
  mutating func advance(to time: Double) -> Bool { filter.advance(to: time) }

  /// The camera saw how the user moved, metres, within so many seconds.
  mutating func move(east: Double, north: Double, duration: Double, at time: Double) {
    filter.move(east: east, north: north, duration: duration, at: time)
  }

  /// Takes a fix that happened at one time and is delivered at another; answers whether it was accepted.
  mutating func take(
    _ fix: LocationFix,
    happened: Double,
    at time: Double,
    parameters: Session.Parameters
  ) -> Bool {
    guard abs(fix.latitudeDegrees) <= 90, abs(fix.longitudeDegrees) <= 180, fix.horizontalAccuracy >= 0,
      fix.horizontalAccuracy.isFinite
    else { return false }
    unavailable = nil
    guard !(time - happened > parameters.fixDeliveryLimit) else { return false }
    if position != nil {
      let growth = parameters.fastestMovement * (time - acceptedTime)
      guard fix.horizontalAccuracy <= accuracy + growth else { return false }
    }
    var next = Geodetic(latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees)
    if let altitude = fix.usableAltitude {
      // Two heights that cannot be compared: the newer counts.
      if datum != fix.altitudeDatum { filter.forgetAltitude() }
      datum = fix.altitudeDatum
      next.altitude = altitude
      altitudeKnown = true
      altitudeTime = time
    } else if altitudeKnown, time - altitudeTime <= parameters.altitudeMemory, let position {
      // One fix without an altitude does not undo the one before it: people do not change floors that fast.
      next.altitude = position.altitude
    } else {
      altitudeKnown = false
    }
    position = next
    accuracy = fix.horizontalAccuracy
    acceptedTime = time
    if !altitudeKnown { filter.forgetAltitude() }
    filter.take(
      next,
      accuracy: fix.horizontalAccuracy,
      knowsAltitude: fix.usableAltitude != nil,
      altitudeAccuracy: fix.verticalAccuracy,
      speed: fix.speed,
      at: time
    )
    return true
  }

  /// Heights over the ellipsoid are over the sea from now on.
  mutating func measureFromSea(geoidHeight: Double) {
    datum = .seaLevel
    guard altitudeKnown else { return }
    position?.altitude -= geoidHeight
    filter.lower(by: geoidHeight)
  }

  mutating func fail(_ reason: UnavailableReason) { unavailable = reason }

  func status(at time: Double, parameters: Session.Parameters) -> LocationStatus {
    guard position != nil else {
      switch unavailable {
      case .denied: return .denied
      case .missing: return .missing
      // The platform goes on trying.
      case .timedOut, nil: return .waiting
      }
    }
    if time - acceptedTime > parameters.fixLifetime { return .stale }
    return accuracy > parameters.goodFixAccuracy ? .inaccurate : .good
  }
}

extension LocationFix {
  /// The altitude if it is a number and the platform does not disown it by a negative accuracy.
  fileprivate var usableAltitude: Double? {
    guard let altitude, altitude.isFinite, altitudeDatum.isAbsolute else { return nil }
    if let verticalAccuracy, !(verticalAccuracy >= 0) { return nil }
    return altitude
  }
}
