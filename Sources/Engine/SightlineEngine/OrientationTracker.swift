import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// Turns readings about the device's turn into East-North-Up with true north, and judges them.
struct OrientationTracker: Sendable {
  private(set) var unavailable: UnavailableReason?
  private(set) var fusion: OrientationFusion
  private var presentation: Presentation
  /// What the user found out about north.
  private(set) var corrections: HeadingCorrections
  private var lastTime = -Double.infinity
  /// Whether the heading's bound is too large to call it good.
  private var isVague = false
  private let goodBound: Angle
  /// Turns a device that lies level into the device that its sensors take it for; `nil`: the same.
  private var sensedFromDevice: Quaternion?
  /// What is added to headings so that they go on as the camera sees the device turn, clockwise; see `PathFollower`.
  private var pathTurn = Angle.zero
  /// The same for what is drawn.
  private var shownPathTurn = Angle.zero
  /// Standard deviation of headings with that; `nil` while no path is followed.
  private var pathDeviation: Angle?

  /// A tracker before its first reading.
  init(parameters: Session.Parameters) {
    fusion = OrientationFusion(parameters: parameters.fusion)
    presentation = Presentation(parameters: parameters.presentation)
    corrections = HeadingCorrections(parameters: parameters.corrections)
    goodBound = parameters.goodHeadingBound
  }

  /// Whether there is an orientation.
  var isKnown: Bool { fusion.estimate != nil }

  /// A new reading of a platform's own fusion; readings with numbers that are none are ignored.
  mutating func take(_ reading: OrientationReading, at time: Double) {
    guard let fused = FusedOrientation(reading), fusion.take(fused, at: time) else { return }
    lastTime = time
    unavailable = nil
  }

  /// A new motion sample; one that says nothing, or is not later than the last, is ignored.
  mutating func take(_ sample: MotionSample, at time: Double) {
    guard fusion.take(sample), isKnown else { return }
    lastTime = time
    unavailable = nil
  }

  mutating func fail(_ reason: UnavailableReason) { unavailable = reason }

  /// After a pause the platform's yaw may start anywhere else: the compass then finds north again quickly.
  mutating func resume() { fusion.resume() }

  /// Rotates device vectors into East-North-Up at the device, as of the last reading; `nil` before the first.
  func eastNorthUpFromDevice(_ declination: Declination) -> Quaternion? {
    fusion.estimate.map { turned($0.levelFromDevice, $0.north, declination, by: pathTurn) }
  }

  /// The same by the sensors alone, without what the camera adds.
  func sensedEastNorthUpFromDevice(_ declination: Declination) -> Quaternion? {
    guard let sensed = eastNorthUpFromDevice(declination) else { return nil }
    return pathTurn.radians == 0 ? sensed : Quaternion(axis: Vector3(0, 0, 1), angle: pathTurn) * sensed
  }

  /// Whether north is disturbed, as far as the sensors can tell.
  var isNorthDisturbed: Bool { fusion.isNorthDisturbed }

  /// The same as shown in a picture of a moment: carried on to that moment, still at rest.
  mutating func shownEastNorthUpFromDevice(
    _ declination: Declination,
    at time: Double,
    pictureAge: Double
  ) -> Quaternion? {
    guard let estimate = fusion.estimate else { return nil }
    let level = presentation.show(estimate, at: time, pictureAge: pictureAge)
    return turned(level, estimate.north, declination, by: shownPathTurn)
  }

  /// What is shown, without what the camera adds.
  func sensed(shown: Quaternion) -> Quaternion {
    shownPathTurn.radians == 0 ? shown : Quaternion(axis: Vector3(0, 0, 1), angle: shownPathTurn) * shown
  }

  private func turned(
    _ sensed: Quaternion,
    _ north: NorthReference,
    _ declination: Declination,
    by turn: Angle
  ) -> Quaternion {
    let q = sensedFromDevice.map { sensed * $0 } ?? sensed
    var clockwise = corrections.angle.radians + turn.radians
    if north == .magnetic { clockwise += declination.angle.radians }
    guard clockwise != 0 else { return q }
    return Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: -clockwise)) * q
  }

  // MARK: What the user knows

  /// What the sensors call up, in the device frame and uncorrected.
  var sensedUp: Vector3? { fusion.estimate.map { $0.levelFromDevice.inverse * Vector3(0, 0, 1) } }

  /// Takes over what the sensors call up while the device lies level.
  mutating func setLevel(right: Double, top: Double, largest: Angle) {
    let sine = hypot(right, top)
    guard sine < sin(largest.radians) else { return }
    sensedFromDevice =
      sine > 0 ? Quaternion(axis: Vector3(-top / sine, right / sine, 0), angle: Angle(radians: asin(sine))) : nil
  }

  /// Adds to the correction of the heading; `deviation` is that of the result.
  mutating func correct(by angle: Angle, deviation: Angle, in situation: HeadingCorrections.Situation) {
    corrections.correct(to: corrections.angle + angle, deviation: deviation, in: situation)
  }

  /// Turns headings as a path tells.
  mutating func follow(_ path: PathFollower) {
    (pathTurn, shownPathTurn) = (path.turn, path.shownTurn)
    pathDeviation = path.deviation
  }

  mutating func restore(_ correction: HeadingCorrection) { corrections.restore(correction) }
  mutating func forgetCorrections() { corrections.removeAll() }

  /// Where, when, and of which heading corrections are now.
  func situation(at time: Double, place: Geodetic?, declination: Declination) -> HeadingCorrections.Situation {
    HeadingCorrections.Situation(
      time: time,
      place: place,
      decimalYear: declination.decimalYear(at: time),
      hasNorth: fusion.estimate.map { $0.north != .arbitrary } ?? false,
      frame: fusion.frame
    )
  }

  /// Lets time and place have their effect on corrections; `earthField` is the model's.
  mutating func advance(to situation: HeadingCorrections.Situation, declination: Declination) {
    fusion.earthField = declination.earthField
    guard isKnown else { return }
    corrections.advance(to: situation)
    // Some slack, so that the light does not flicker.
    isVague = bounds.heading.radians > goodBound.radians * (isVague ? 0.9 : 1)
  }

  // MARK: Judgement

  /// Limits below which the errors are 95 % of the time; half a turn for a heading that nothing is known of.
  var bounds: OrientationFilter.Bounds {
    var bounds = sensedBounds
    if let pathDeviation { bounds.heading = min(bounds.heading, Angle(radians: min(2 * pathDeviation.radians, pi))) }
    return bounds
  }

  /// The same by the sensors and the user's corrections alone.
  var sensedBounds: OrientationFilter.Bounds {
    guard var bounds = fusion.bounds else {
      return OrientationFilter.Bounds(tilt: Angle(radians: pi), heading: Angle(radians: pi))
    }
    if let deviation = corrections.deviation {
      // The correction was made against the heading as it was then, so its own error is what counts.
      bounds.heading = min(bounds.heading, Angle(radians: min(2 * deviation.radians, pi)))
    }
    return bounds
  }

  func status(at time: Double, declination: Declination, parameters: Session.Parameters) -> HeadingStatus {
    guard let estimate = fusion.estimate else {
      switch unavailable {
      case .denied: return .denied
      case .missing, .timedOut: return .missing
      case nil: return .waiting
      }
    }
    if time - lastTime > parameters.orientationLifetime { return .stale }
    let isAligned = corrections.deviation.map { $0 <= parameters.goodAlignment } ?? false
    switch estimate.north {
    case .trueNorth:
      if isAligned { return .good }
      return fusion.isNorthDisturbed ? .disturbed : (isVague ? .uncertain : .good)
    case .arbitrary: return isAligned ? .aligned : .noNorth
    case .magnetic: break
    }
    if isAligned { return .aligned }
    if declination.compass == .unreliable { return .noMagneticNorth }
    if declination.compass == .caution { return .inaccurate }
    if fusion.isNorthDisturbed { return .disturbed }
    if let stated = fusion.statedCompassError, stated > parameters.goodCompassAccuracy { return .inaccurate }
    if isVague { return .uncertain }
    return declination.compass == nil ? .noDeclination : .good
  }
}

extension FusedOrientation {
  /// What a reading says; `nil` when one of its angles is not a number.
  fileprivate init?(_ reading: OrientationReading) {
    switch reading {
    case .quaternion(let worldFromDevice, let north):
      self.init(levelFromDevice: worldFromDevice, north: north)
    case .browserAngles(let alpha, let beta, let gamma, let north):
      guard let rotation = Quaternion(alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: gamma) else { return nil }
      self.init(levelFromDevice: rotation, north: north)
    case .browserAnglesWithCompass(let alpha, let beta, let gamma, let heading, let accuracy):
      guard let rotation = Quaternion(alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: gamma) else { return nil }
      let isValid = heading.isFinite && accuracy >= 0
      self.init(
        levelFromDevice: rotation,
        north: .arbitrary,
        compass: CompassReading(
          heading: Angle(degrees: heading),
          accuracy: isValid ? Angle(degrees: accuracy) : nil
        )
      )
    }
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
