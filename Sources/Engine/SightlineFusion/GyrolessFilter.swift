import SightlineMath

/// Estimates how a device is turned from accelerometer and magnetometer alone, as on the phones of 2010.
///
/// Each look gives an attitude, noisy in tilt and far noisier in heading. Both are smoothed apart, each by a Kalman filter of
/// angle and rate whose expectation of movement follows the surprises of the last moments: at rest it averages over a
/// second, in a turn it follows at once. The rate is carried along, so that a steady pan has no lag.
public struct GyrolessFilter: Sendable {
  /// What can be set about the filter.
  public struct Parameters: Sendable {
    /// Noise of one look at the tilt, degrees.
    public var tiltNoiseDegrees = 0.3
    /// Noise of one look at the heading, degrees.
    public var headingNoiseDegrees = 1.4
    /// Angular acceleration expected at rest, degrees a second squared, per root hertz.
    public var restAccelerationDegrees = 1.0
    /// The same in a turn.
    public var turnAccelerationDegrees = 1500.0
    /// Seconds over which surprises are gathered.
    public var memory = 0.12
    /// Surprise, in squared standard deviations, from which on movement is expected.
    public var quiet = 1.5
    /// Surprise at which the expectation is that of a turn.
    public var lively = 12.0
    /// Seconds without looks after which the filter starts anew.
    public var longestGap = 1.0

    /// The defaults.
    public init() {}
  }

  /// Everything that changes.
  public struct State: Sendable {
    /// Rotates device vectors into East-North-Up (magnetic north); `nil` before the first look.
    public internal(set) var eastNorthUpFromDevice: Quaternion?
    var rate = Vector3.zero
    var axes = InlineArray<3, AxisCovariance>(repeating: AxisCovariance())
    var surprise = Vector2.zero
    /// Time of the last sample that was used.
    public internal(set) var lastTime = 0.0
    /// Radians a second, device frame.
    public var angularVelocity: Vector3 { eastNorthUpFromDevice.map { $0.inverse * rate } ?? .zero }

    /// The state before the first look.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  /// Everything that changes; save it to go on later.
  public internal(set) var state: State

  /// A filter before its first sample.
  public init(parameters: Parameters = Parameters(), state: State = State()) {
    self.parameters = parameters
    self.state = state
  }

  /// Takes a sample; one without both accelerometer and magnetometer is ignored, and so is one that is not later than
  /// the last.
  ///
  /// Answers whether it was used.
  @discardableResult
  public mutating func take(_ sample: MotionSample) -> Bool {
    guard sample.time.isFinite, let force = sample.specificForce, let field = sample.magneticField,
      let look = TwoVectorAttitude.eastNorthUpFromDevice(specificForce: force, magneticField: field),
      look.normalized != nil
    else { return false }
    guard let current = state.eastNorthUpFromDevice, sample.time - state.lastTime <= parameters.longestGap else {
      if state.eastNorthUpFromDevice != nil, sample.time <= state.lastTime { return false }
      state = State()
      state.eastNorthUpFromDevice = look
      state.lastTime = sample.time
      return true
    }
    guard sample.time > state.lastTime else { return false }
    let step = sample.time - state.lastTime
    state.lastTime = sample.time
    // Rates are held in the world frame, where tilt and heading are axes.
    let predicted = Quaternion(rotationVector: state.rate * step) * current
    let innovation = (look * predicted.inverse).rotationVector
    let acceleration = expectedAcceleration(innovation, step: step)
    let noise = (
      Angle(degrees: parameters.tiltNoiseDegrees).radians, Angle(degrees: parameters.headingNoiseDegrees).radians
    )
    var turn = Vector3.zero
    var rate = Vector3.zero
    for k in 0..<3 {
      let gains = state.axes[k].update(
        step: step,
        acceleration: k == 2 ? acceleration.y : acceleration.x,
        noise: k == 2 ? noise.1 : noise.0
      )
      turn = turn.replacing(k, with: gains.angle * innovation[k])
      rate = rate.replacing(k, with: gains.rate * innovation[k])
    }
    state.rate = state.rate + rate
    state.eastNorthUpFromDevice = (Quaternion(rotationVector: turn) * predicted).normalized ?? look
    return true
  }

  /// Angular accelerations to expect of tilt (x) and heading (y), radians a second squared per root hertz.
  private mutating func expectedAcceleration(_ innovation: Vector3, step: Double) -> Vector2 {
    let gain = step / (parameters.memory + step)
    let tilt = Angle(radians: hypot(innovation.x, innovation.y)).degrees / parameters.tiltNoiseDegrees
    let heading = Angle(radians: innovation.z).degrees / parameters.headingNoiseDegrees
    state.surprise = state.surprise + (Vector2(tilt * tilt / 2, heading * heading) - state.surprise) * gain
    return Vector2(acceleration(state.surprise.x), acceleration(state.surprise.y))
  }

  private func acceleration(_ surprise: Double) -> Double {
    let share = clamp((surprise - parameters.quiet) / (parameters.lively - parameters.quiet), 0, 1)
    let (low, high) = (parameters.restAccelerationDegrees, parameters.turnAccelerationDegrees)
    return Angle(degrees: low * pow(high / low, share)).radians
  }
}

/// Covariance of one angle and its rate.
struct AxisCovariance: Sendable {
  private var angle = 0.01
  private var cross = 0.0
  private var rate = 1.0

  /// Lets time pass and takes a look; answers what share of the innovation goes to the angle and to the rate.
  mutating func update(step t: Double, acceleration: Double, noise: Double) -> (angle: Double, rate: Double) {
    let q = acceleration * acceleration
    // White angular acceleration over the step.
    angle += 2 * t * cross + t * t * rate + q * t * t * t / 3
    cross += t * rate + q * t * t / 2
    rate += q * t
    let total = angle + noise * noise
    let gains = (angle: angle / total, rate: cross / total)
    rate -= gains.rate * cross
    cross -= gains.angle * cross
    angle -= gains.angle * angle
    return gains
  }
}

extension Vector3 {
  /// The vector with component 0, 1 or 2 replaced.
  func replacing(_ index: Int, with value: Double) -> Vector3 {
    Vector3(index == 0 ? value : x, index == 1 ? value : y, index == 2 ? value : z)
  }
}
