import SightlineMath

/// Estimates how a device is turned from whatever it delivers.
///
/// There is one estimator for each situation, chosen from what arrives, never from the platform's name
/// (``OrientationFusion/Source``). A sensor that falls silent, or whose value stands still while others say that the device
/// turns, is left out; when it comes back it is taken up again.
///
/// Frames: device x right, y top, z out of the screen; result level with y to ``OrientationFusion/Estimate/north``.
public struct OrientationFusion: Sendable {
  /// Which estimator speaks.
  public enum Source: UInt8, Sendable {
    /// None: nothing usable has arrived yet.
    case nothing = 0
    /// Gyroscope, accelerometer and magnetometer.
    case magnetometer = 1
    /// Gyroscope and accelerometer; north slowly from the platform's own orientation or compass, if it has one.
    case platformNorth = 2
    /// Accelerometer and magnetometer, without a gyroscope.
    case gyroless = 3
    /// The platform's own orientation.
    case platform = 4
  }

  /// What can be set.
  public struct Parameters: Sendable {
    /// Of the estimator with a gyroscope.
    public var filter = OrientationFilter.Parameters()
    /// Of the estimator without.
    public var gyroless = GyrolessFilter.Parameters()
    /// Seconds after which a sensor that delivers nothing is taken for missing.
    public var sensorMemory = 1.0
    /// The same of the gyroscope, without which a turn is lost at once.
    public var gyroscopeMemory = 0.25
    /// Seconds of samples after which the own estimate is preferred to the platform's.
    public var settlingTime = 0.5
    /// Deviation of one look at the platform's absolute orientation, degrees; large because its errors stay.
    public var platformNorthDegrees = 100.0
    /// Compass error (95 %) for which that holds, degrees; others count in proportion.
    public var ordinaryCompassDegrees = 15.0
    /// Errors of a platform's own orientation that states none, 95 %, degrees: tilt, then heading.
    public var platformTiltDegrees = 3.5
    /// See ``platformTiltDegrees``.
    public var platformHeadingDegrees = 20.0
    /// The same of accelerometer and magnetometer alone.
    public var gyrolessTiltDegrees = 6.0
    /// See ``gyrolessTiltDegrees``.
    public var gyrolessHeadingDegrees = 20.0
    /// Surprise of the field's direction from which on north is called disturbed, degrees.
    public var disturbedDegrees = 15.0
    /// Deviation of the field's strength from the Earth's that is called a disturbance, as a fraction: larger than the
    /// scale errors of phones' magnetometers.
    public var disturbedStrength = 0.3
    /// Deviation of the field's dip from the Earth's that is called a disturbance, degrees.
    public var disturbedDipDegrees = 15.0
    /// Seconds for which it must last to be said, or unsaid.
    public var disturbedTime = 1.5
    /// Seconds, as with a phone lying flat, over which a compass is averaged that corrects a platform's orientation;
    /// larger is calmer, and longer wrong after a disturbance.
    public var compassWindow = 5.0

    /// The defaults.
    public init() {}
  }

  /// How the device is turned at the moment of the last reading.
  public struct Estimate: Equatable, Sendable {
    /// Rotates device vectors into the level frame.
    public var levelFromDevice: Quaternion
    /// What the level frame's y axis is.
    public var north: NorthReference
    /// Radians a second, device frame.
    public var angularVelocity: Vector3
    /// The same turn as a gyroscope sees it, without corrections: only differences mean something; `nil` without one.
    public var turned: Quaternion?
    /// Seconds for which the device has rested; 0 when it moves or nobody knows.
    public var restDuration: Double
    /// When.
    public var time: Double

    /// An estimate from its parts.
    public init(
      levelFromDevice: Quaternion,
      north: NorthReference,
      angularVelocity: Vector3,
      turned: Quaternion?,
      restDuration: Double,
      time: Double
    ) {
      self.levelFromDevice = levelFromDevice
      self.north = north
      self.angularVelocity = angularVelocity
      self.turned = turned
      self.restDuration = restDuration
      self.time = time
    }
  }

  /// What was set.
  public let parameters: Parameters
  /// The Earth's field at the place, if that is known: strength in microtesla, and dip below the horizon.
  public var earthField: (strength: Double, dip: Angle)?
  /// Counts the level frames: a heading without north means nothing across two of them.
  public private(set) var frame = 0
  /// Which estimator speaks.
  public private(set) var source = Source.nothing
  /// The estimator with a gyroscope.
  public private(set) var filter: OrientationFilter
  private var gyroless: GyrolessFilter
  private var platform = PlatformOrientation()
  private var watch = SensorWatch()
  private var sign = ForceSign()
  private var lastForce: Vector3?
  /// What the filter's field stands for.
  private var north = NorthReference.arbitrary
  private var quality = FieldQuality()
  private var restarts = 0
  private var now = -Double.infinity

  /// A fusion before its first reading.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    filter = OrientationFilter(parameters: parameters.filter)
    gyroless = GyrolessFilter(parameters: parameters.gyroless)
  }

  /// The estimate as of the last reading; `nil` before the first usable one.
  public var estimate: Estimate? {
    switch source {
    case .nothing: nil
    case .magnetometer, .platformNorth:
      Estimate(
        levelFromDevice: filter.eastNorthUpFromDevice,
        north: filter.state.hasField ? north : .arbitrary,
        angularVelocity: filter.state.angularVelocity,
        turned: filter.state.turned,
        restDuration: filter.state.restDuration,
        time: filter.state.lastTime ?? now
      )
    case .gyroless:
      gyroless.state.eastNorthUpFromDevice.map {
        Estimate(
          levelFromDevice: $0,
          north: .magnetic,
          angularVelocity: gyroless.state.angularVelocity,
          turned: nil,
          restDuration: 0,
          time: gyroless.state.lastTime
        )
      }
    case .platform: platform.estimate
    }
  }

  /// Error that the platform states for its compass: `nil` where it states none, infinite while it is not valid.
  public var statedCompassError: Angle? {
    source == .platform || source == .platformNorth ? platform.statedError : nil
  }

  /// Whether north is disturbed: the field is not the Earth's, or it, or the platform's north, keeps surprising.
  public var isNorthDisturbed: Bool {
    (source == .magnetometer || source == .platformNorth) && filter.state.hasField && quality.isDisturbed
  }

  /// Limits below which the errors are 95 % of the time; `nil` without an estimate.
  public var bounds: OrientationFilter.Bounds? {
    switch source {
    case .nothing: nil
    case .magnetometer, .platformNorth: filter.bounds
    case .gyroless:
      OrientationFilter.Bounds(
        tilt: Angle(degrees: parameters.gyrolessTiltDegrees),
        heading: Angle(degrees: parameters.gyrolessHeadingDegrees)
      )
    case .platform:
      OrientationFilter.Bounds(
        tilt: Angle(degrees: parameters.platformTiltDegrees),
        heading: platform.knowsNorth
          ? (platform.compassError.map { Angle(radians: $0) } ?? Angle(degrees: parameters.platformHeadingDegrees))
          : Angle(radians: pi)
      )
    }
  }

  /// Takes a motion sample; answers `false` when it was ignored, as one that is not later than the last.
  ///
  /// Its accelerations may have either sign as long as a platform's orientation arrives too (see CONVENTIONS.md for the
  /// right one).
  @discardableResult
  public mutating func take(_ sample: MotionSample) -> Bool {
    var sample = sample
    if let force = sample.specificForce {
      sample.specificForce = force * sign.sign
      if force.isFinite { lastForce = force }
    }
    guard sample.time.isFinite, watch.take(&sample, parameters: parameters) else { return false }
    now = max(now, sample.time)
    if watch.hasGyroscope {
      if !watch.hasField { sample.magneticField = nil }
      if sample.magneticField != nil, north != .magnetic || source != .magnetometer {
        // Another source's north was something else.
        if filter.state.hasField, source == .platformNorth { filter.forgetNorth() }
        north = .magnetic
      }
      let before = filter.state.age
      filter.earthField = earthField
      filter.take(sample)
      judgeField(interval: filter.state.age - before)
    } else if watch.hasField {
      gyroless.take(sample)
    }
    choose()
    return true
  }

  /// Takes a platform's own orientation.
  ///
  /// Answers `false` when it was ignored: a quaternion or time that is none.
  @discardableResult
  public mutating func take(_ reading: FusedOrientation, at time: Double) -> Bool {
    guard time.isFinite, let rotation = reading.levelFromDevice.normalized else { return false }
    let interval = time - platform.lastTime
    now = max(now, time)
    platform.take(reading, rotation: rotation, at: time, parameters: parameters)
    if let lastForce, time - watch.forceTime < 0.1 {
      let up = rotation.inverse * Vector3(0, 0, 1)
      if sign.judge(lastForce, up: up, interval: interval) {
        // An assignment would be written out number by number.
        var fresh = OrientationFilter(parameters: parameters.filter)
        swap(&filter, &fresh)
        frame += 1
        gyroless = GyrolessFilter(parameters: parameters.gyroless)
      }
    }
    if watch.hasGyroscope, !watch.hasField, abs(time - watch.gyroscopeTime) < parameters.sensorMemory {
      lendNorth(reading, rotation)
    }
    choose()
    return true
  }

  /// After a pause a platform's yaw may start anywhere else: north is then found again quickly.
  public mutating func resume() {
    platform.resume()
    frame += 1
    if source != .magnetometer { filter.forgetNorth() }
  }

  private mutating func judgeField(interval: Double) {
    quality.take(
      field: watch.hasField ? filter.state.look : nil,
      reference: earthField.map { ($0.strength, $0.dip.radians) },
      surprise: filter.state.headingSurprise.squareRoot(),
      interval: interval,
      parameters: parameters
    )
  }

  private mutating func lendNorth(_ reading: FusedOrientation, _ rotation: Quaternion) {
    let reference: NorthReference = reading.compass == nil ? reading.north : .magnetic
    guard reference != .arbitrary, filter.state.lastTime != nil else { return }
    // Of the platform's level frame against the own one.
    let between = rotation * filter.levelFromDevice.inverse
    var clockwise = 2 * atan2(between.z, between.w)
    var deviation = Angle(degrees: parameters.platformNorthDegrees).radians
    var error = Angle(degrees: parameters.platformHeadingDegrees).radians
    if let compass = reading.compass {
      guard let accuracy = compass.accuracy, let look = compass.north(for: rotation) else { return }
      error = look.error(stated: accuracy)
      deviation *= max(0.5, error / Angle(degrees: parameters.ordinaryCompassDegrees).radians)
      clockwise += look.clockwise
    }
    if reference != north, filter.state.hasField { filter.forgetNorth() }
    north = reference
    filter.takeNorth(clockwise: wrapToPi(clockwise), deviation: deviation, error: error)
  }

  private mutating func choose() {
    let before = source
    defer {
      if source != before || filter.state.restarts != restarts { frame += 1 }
      restarts = filter.state.restarts
    }
    let isFresh = now - watch.lastTime < parameters.sensorMemory
    let platformIsFresh = now - platform.lastTime < parameters.sensorMemory
    if isFresh, watch.hasGyroscope, filter.state.lastTime != nil {
      let hasSettled = filter.state.age > parameters.settlingTime
      // The platform knows where north is, the own estimate not yet.
      let isAhead = platformIsFresh && (!hasSettled || (!filter.state.hasField && platform.knowsNorth))
      source = isAhead ? .platform : (watch.hasField ? .magnetometer : .platformNorth)
    } else if isFresh, watch.hasField, gyroless.state.eastNorthUpFromDevice != nil {
      source = .gyroless
    } else if platform.isKnown {
      source = .platform
    }
  }
}
