import SightlineGeodesy
import SightlineMath

/// Turns what a platform says about the device's turn into East-North-Up with true north, and judges it.
struct OrientationTracker: Sendable {
  /// Rotates device vectors into East-North-Up at the device; `nil` before the first reading.
  private(set) var eastNorthUpFromDevice: Quaternion?
  private(set) var unavailable: UnavailableReason?
  private var lastTime = 0.0
  private var north = NorthReference.arbitrary
  private var compassAccuracyDegrees: Double?
  /// Yaw that a separate compass adds to angles of arbitrary north, clockwise; `nil` before its first heading.
  private var compassCorrection: Angle?
  private var compassTime = 0.0
  private var reading = OrientationReading.quaternion(worldFromDevice: .identity, north: .arbitrary)
  private var declination = Angle.zero
  private var compass = MagneticField.CompassUse.usable

  /// A new reading. Readings with numbers that are none are ignored.
  mutating func take(_ reading: OrientationReading, at time: Double, parameters: Session.Parameters) {
    guard let (rotation, north) = Self.rotation(of: reading) else { return }
    if case .browserAnglesWithCompass(_, _, _, let heading, let accuracy) = reading {
      correctYaw(of: rotation, heading: heading, accuracy: accuracy, at: time, parameters: parameters)
    } else {
      compassAccuracyDegrees = nil
      compassCorrection = nil
    }
    self.reading = reading
    self.north = north
    lastTime = max(time, lastTime)
    unavailable = nil
    place(rotation)
  }

  mutating func fail(_ reason: UnavailableReason) { unavailable = reason }

  /// The field where the device is; `nil` when the model has no answer.
  mutating func take(_ field: MagneticField?) {
    declination = field?.declination ?? .zero
    compass = field?.compass ?? .usable
    if eastNorthUpFromDevice != nil, let (rotation, _) = Self.rotation(of: reading) { place(rotation) }
  }

  func status(at time: Double, parameters: Session.Parameters) -> HeadingStatus {
    guard eastNorthUpFromDevice != nil else {
      switch unavailable {
      case .denied: return .denied
      case .missing, .timedOut: return .missing
      case nil: return .waiting
      }
    }
    if time - lastTime > parameters.orientationLifetime { return .stale }
    if north == .arbitrary && compassCorrection == nil { return .noNorth }
    if north != .trueNorth && compass == .unreliable { return .noMagneticNorth }
    if let accuracy = compassAccuracyDegrees, accuracy > parameters.goodCompassAccuracyDegrees { return .inaccurate }
    return north != .trueNorth && compass == .caution ? .inaccurate : .good
  }

  private mutating func place(_ rotation: Quaternion) {
    var clockwise = Angle.zero
    if north == .magnetic { clockwise = declination }
    if let compassCorrection { clockwise = compassCorrection + declination }
    // Bearings run clockwise, rotations about "up" counter-clockwise.
    eastNorthUpFromDevice = Quaternion(axis: Vector3(0, 0, 1), angle: -clockwise) * rotation
  }

  /// The rotation of a reading in its own world, with that world's north; `nil` for numbers that are none.
  private static func rotation(of reading: OrientationReading) -> (Quaternion, NorthReference)? {
    switch reading {
    case .quaternion(let worldFromDevice, let north):
      worldFromDevice.normalized.map { ($0, north) }
    case .browserAngles(let alpha, let beta, let gamma, let north):
      browserRotation(alpha: alpha, beta: beta, gamma: gamma).map { ($0, north) }
    case .browserAnglesWithCompass(let alpha, let beta, let gamma, _, _):
      browserRotation(alpha: alpha, beta: beta, gamma: gamma).map { ($0, .arbitrary) }
    }
  }

  /// Intrinsic Z-X′-Y″ in degrees: R = Rz(α) Rx(β) Ry(γ), from device to world.
  /// Source: W3C Device Orientation and Motion, section 4.1 and its example of rotation matrices.
  private static func browserRotation(alpha: Double, beta: Double, gamma: Double) -> Quaternion? {
    guard alpha.isFinite, beta.isFinite, gamma.isFinite else { return nil }
    return Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: alpha))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: beta))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: gamma))
  }

  /// Draws the yaw of a gyroscope's orientation slowly towards a compass heading of the device's top edge.
  ///
  /// The upright the phone, the less the direction of its top edge means, so the pull is weighted by the squared
  /// horizontal part of that edge. The first heading is taken as it is, because anything is better than any north.
  private mutating func correctYaw(
    of rotation: Quaternion, heading: Double, accuracy: Double, at time: Double, parameters: Session.Parameters
  ) {
    guard heading.isFinite, accuracy >= 0 else { return }
    let top = rotation * Vector3(0, 1, 0)
    let weight = top.x * top.x + top.y * top.y
    guard weight > 1e-4 else { return }
    compassAccuracyDegrees = accuracy
    let wanted = Angle(degrees: heading) - Angle(radians: atan2(top.x, top.y))
    guard let current = compassCorrection else {
      compassCorrection = wanted.wrapped
      compassTime = time
      return
    }
    let step = clamp(time - compassTime, 0, 1)
    compassTime = max(time, compassTime)
    let gain = 1 - exp(-step * weight / parameters.compassTimeConstant)
    compassCorrection = (current + Angle(radians: gain * (wanted - current).wrapped.radians)).wrapped
  }
}
