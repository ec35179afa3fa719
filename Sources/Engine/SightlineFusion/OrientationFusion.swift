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
    /// Stated compass error for which that holds, degrees; other errors count in proportion.
    public var ordinaryCompassDegrees = 15.0
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

  /// Takes a motion sample; answers `false` when it was ignored, as one that is not later than the last.
  ///
  /// Its accelerations may have either sign as long as a platform's orientation arrives too (see CONVENTIONS.md for the
  /// right one).
  @discardableResult
  public mutating func take(_ sample: MotionSample) -> Bool {
    var sample = sample
    if let force = sample.specificForce {
      sample.specificForce = force.isFinite ? force * sign.sign : nil
      lastForce = force.isFinite ? force : lastForce
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
      filter.take(sample)
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
        filter = OrientationFilter(parameters: parameters.filter)
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
    if source != .magnetometer { filter.forgetNorth() }
  }

  private mutating func lendNorth(_ reading: FusedOrientation, _ rotation: Quaternion) {
    let reference: NorthReference = reading.compass == nil ? reading.north : .magnetic
    guard reference != .arbitrary, filter.state.lastTime != nil else { return }
    var deviation = Angle(degrees: parameters.platformNorthDegrees).radians
    let clockwise: Double
    if let compass = reading.compass {
      guard let accuracy = compass.accuracy, let look = compass.north(for: filter.levelFromDevice) else { return }
      let share = accuracy.degrees / parameters.ordinaryCompassDegrees
      deviation *= clamp(share, 0.5, 4) / look.worth.squareRoot()
      clockwise = look.clockwise
    } else {
      let between = rotation * filter.levelFromDevice.inverse
      clockwise = wrapToPi(2 * atan2(between.z, between.w))
    }
    if reference != north, filter.state.hasField { filter.forgetNorth() }
    north = reference
    filter.takeNorth(clockwise: clockwise, deviation: deviation)
  }

  private mutating func choose() {
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
