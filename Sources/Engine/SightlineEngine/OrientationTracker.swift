import SightlineGeodesy
import SightlineMath

/// Turns what a platform says about the device's turn into EastNorthUp with true north, and judges it.
///
/// Nothing is smoothed: what differs between platforms is only what their "north" is.
struct OrientationTracker: Sendable {
  private(set) var unavailable: UnavailableReason?
  /// As read, with `north` for its north.
  private var rotation: Quaternion?
  private var north = NorthReference.arbitrary
  private var lastTime = -Double.infinity
  private var compass = CompassCorrection()
  /// As the platform states it; `nil` when it states none.
  private var compassError: Angle?

  /// Whether there is an orientation.
  var isKnown: Bool { rotation != nil }

  /// A new reading; readings with numbers that are none are ignored.
  mutating func take(_ reading: OrientationReading, at time: Double, parameters: Session.Parameters) {
    switch reading {
    case .quaternion(let worldFromDevice, let north):
      guard let rotation = worldFromDevice.normalized else { return }
      take(rotation, north, time)
    case .browserAngles(let alpha, let beta, let gamma, let north):
      guard let rotation = Quaternion(alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: gamma) else { return }
      take(rotation, north, time)
    case .browserAnglesWithCompass(let alpha, let beta, let gamma, let heading, let accuracy):
      guard let rotation = Quaternion(alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: gamma) else { return }
      let isValid = heading.isFinite && accuracy >= 0
      if isValid {
        compass.take(
          Angle(degrees: heading),
          of: rotation,
          interval: time - lastTime,
          window: parameters.compassWindow
        )
      }
      take(compass.corrected(rotation), compass.isKnown ? .magnetic : .arbitrary, time)
      compassError = Angle(degrees: isValid ? accuracy : .infinity)
    }
  }

  private mutating func take(_ rotation: Quaternion, _ north: NorthReference, _ time: Double) {
    self.rotation = rotation
    self.north = north
    lastTime = time
    unavailable = nil
    compassError = nil
  }

  mutating func fail(_ reason: UnavailableReason) { unavailable = reason }

  /// After a pause the platform's yaw may start anywhere else: the compass then finds north again quickly.
  mutating func resume() { compass.forgetMost() }

  /// Rotates device vectors into EastNorthUp at the device; `nil` before the first reading.
  func eastNorthUpFromDevice(_ declination: Declination) -> Quaternion? {
    guard let rotation, north == .magnetic else { return rotation }
    return Quaternion(axis: Vector3(0, 0, 1), angle: -declination.angle) * rotation
  }

  func status(at time: Double, declination: Declination, parameters: Session.Parameters) -> HeadingStatus {
    guard rotation != nil else {
      switch unavailable {
      case .denied: return .denied
      case .missing, .timedOut: return .missing
      case nil: return .waiting
      }
    }
    if time - lastTime > parameters.orientationLifetime { return .stale }
    switch north {
    case .trueNorth: return .good
    case .arbitrary: return .noNorth
    case .magnetic: break
    }
    if declination.compass == .unreliable { return .noMagneticNorth }
    if declination.compass == .caution { return .inaccurate }
    if let compassError, compassError > parameters.goodCompassAccuracy { return .inaccurate }
    return declination.compass == nil ? .noDeclination : .good
  }
}

extension Quaternion {
  /// The browser's angles, intrinsic Z-X′-Y″: R = Rz(α) · Rx(β) · Ry(γ), device to world; `nil` if one is not a number.
  ///
  /// Source: W3C Device Orientation and Motion, section 4.1 and its example of rotation matrices.
  init?(alphaDegrees: Double, betaDegrees: Double, gammaDegrees: Double) {
    guard alphaDegrees.isFinite, betaDegrees.isFinite, gammaDegrees.isFinite else { return nil }
    self =
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: alphaDegrees))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: betaDegrees))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: gammaDegrees))
  }
}
