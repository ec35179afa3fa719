import SightlineMath

/// Estimates how a device is turned from gyroscope, accelerometer and magnetometer, causally, at any rate.
///
/// The gyroscope carries the attitude from sample to sample in a frame that is level and turns about the vertical only as
/// fast as the gyroscope errs. A Kalman filter, run ten times a second over what the samples add up to, keeps that frame
/// level and finds north in it. What sets it apart:
///
/// - *Tilt* comes from the knowledge that a hand-held device neither reaches far nor moves fast: the measured acceleration,
///   levelled and integrated once and twice, must stay small, and a tilt error makes it grow. So accelerations average
///   out at the rate that their size deserves, without a fixed time constant.
/// - The *gyroscope* is calibrated as it goes: bias, scale and cross-axis errors, and its delay against the accelerometer
///   and the magnetometer, which in fast turns is the largest error of all.
/// - *North* is the direction of the field in the level frame, estimated together with the hard iron of the device itself
///   (a magnet in a case). A look at the field is believed far less than its noise, since its real errors do not average
///   out, and the less the more it surprises. The field never tilts the horizon.
///
/// Frames: device x right, y top, z out of the screen; result in East-North-Up with magnetic north, or with any north as
/// long as no field was seen. Accuracy: `Benchmarks/orientation` measures it beside VQF.
public struct OrientationFilter: Sendable {
  /// What was set.
  public let parameters: Parameters
  /// Everything that changes.
  ///
  /// Save it to go on later exactly where the filter was.
  public internal(set) var state: State
  /// The Earth's field at the place, if that is known: strength in microtesla, and dip below the horizon.
  public var earthField: (strength: Double, dip: Angle)?
  // Work space, kept so that a step allocates nothing.
  var entries: [TransitionEntry] = []
  var corrections = [Double](repeating: 0, count: Covariance.size)

  /// A filter before its first sample.
  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters: parameters))
  }

  /// A filter that goes on from a saved state.
  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    entries.reserveCapacity(64)
  }

  /// Rotates device vectors into East-North-Up (magnetic north); into a level frame of any heading before a field was seen.
  public var eastNorthUpFromDevice: Quaternion {
    guard state.hasField else { return state.levelFromDevice }
    let clockwise = atan2(state.field.x, state.field.y)
    return Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: clockwise)) * state.levelFromDevice
  }

  /// Rotates device vectors into a level frame whose heading is arbitrary and drifts only as the gyroscope errs: what
  /// remains without a magnetometer.
  public var levelFromDevice: Quaternion { state.levelFromDevice }

  /// Takes a sample.
  ///
  /// Answers `false` when it was ignored: a time that is not later than the last one's, or no usable value.
  @discardableResult
  public mutating func take(_ sample: MotionSample) -> Bool {
    let sample = sample.believable
    let (rate, force) = (sample.angularVelocity, sample.specificForce)
    guard sample.time.isFinite, rate != nil || force != nil else { return false }
    guard let last = state.lastTime else {
      guard let force else { return false }
      start(at: sample.time, force: force)
      return true
    }
    guard sample.time > last else { return false }
    if sample.time - last > parameters.longestGap {
      guard let force else { return false }
      restart(at: sample.time, force: force)
      return true
    }
    state.lastTime = sample.time
    let step = sample.time - last
    if let rate {
      state.lastRate = rate
      state.rateAge = 0
    } else {
      state.rateAge += step
      // A value that does not come is bridged for a moment; after that, no turn is a better guess than the last one.
      if state.rateAge > parameters.rateMemory { state.lastRate = state.bias }
    }
    integrate(state.lastRate, force: force, step: step)
    var isNewLook = false
    if let field = sample.magneticField { isNewLook = look(field) }
    let variance = (0..<3).reduce(0) { max($0, state.covariance[ErrorState.bias + $1]) }
    state.rest.take(
      rate: state.lastRate,
      force: force ?? state.rest.force,
      field: isNewLook ? state.lastField : nil,
      bias: state.bias,
      biasBound: 3 * variance.squareRoot(),
      step: step,
      parameters: parameters
    )
    if state.window.duration >= parameters.window - 1e-9 { correct() }
    return true
  }

  // MARK: Samples

  private mutating func start(at time: Double, force: Vector3) {
    state.lastTime = time
    state.levelFromDevice = Self.level(force)
  }

  /// After a gap nobody knows how the device was turned: attitude, motion and heading start anew, calibrations stay.
  private mutating func restart(at time: Double, force: Vector3) {
    start(at: time, force: force)
    state.restarts += 1
    state.window = MotionWindow()
    state.speed = .zero
    state.reach = .zero
    state.hasField = false
    state.rest = RestDetector()
    state.calibration.restart()
    state.resetMotion(parameters)
  }

  /// The shortest rotation that makes a specific force point up.
  private static func level(_ force: Vector3) -> Quaternion {
    guard let up = force.normalized else { return .identity }
    if up.z < -0.999999 { return Quaternion(w: 0, x: 1, y: 0, z: 0) }
    return Quaternion(w: 1 + up.z, x: up.y, y: -up.x, z: 0).normalized ?? .identity
  }

  private mutating func integrate(_ reading: Vector3, force: Vector3?, step: Double) {
    let unbiased = reading - state.bias
    let rate = unbiased + state.scale * unbiased
    state.angularVelocity = rate
    // A turn whose axis turns meanwhile ("coning"), to second order from two intervals (Miller 1983, doi:10.2514/3.19831,
    // in its form for mean rates); a sample after a pause has no interval before it.
    let angle = rate * step
    let coning = step < 0.1 ? state.lastAngle.cross(angle) * (1.0 / 12) : .zero
    state.lastAngle = angle
    let turn = Quaternion(rotationVector: angle + coning)
    state.levelFromDevice = (state.levelFromDevice * turn).normalized ?? state.levelFromDevice
    state.turned = (state.turned * turn).normalized ?? state.turned
    if step > 0.1 { widen(step) }
    let rotation = Matrix3(state.levelFromDevice)
    state.window.duration += step
    state.window.count += 1
    state.window.rotation.add(rotation, times: step)
    state.window.scaleX.add(rotation, times: step * unbiased.x)
    state.window.scaleY.add(rotation, times: step * unbiased.y)
    state.window.scaleZ.add(rotation, times: step * unbiased.z)
    state.window.squaredRate += rate.dot(rate) * step
    state.age += step
    guard let force else { return }
    let turning = rate.cross(force)
    let acceleration = rotation * (force - turning * state.accelerometerDelay)
    let perDelay = rotation * turning
    state.window.speed = state.window.speed + Vector2(acceleration.x, acceleration.y) * step
    state.window.speedPerDelay = state.window.speedPerDelay + Vector2(perDelay.x, perDelay.y) * step
    state.window.squaredAcceleration += (acceleration.x * acceleration.x + acceleration.y * acceleration.y) * step
    state.window.forceDuration += step
  }

  /// After a short gap the turn in it is only guessed from the rate at its end.
  private mutating func widen(_ gap: Double) {
    let turn = Angle(degrees: parameters.gapRateDegrees).radians * gap
    for k in 0..<2 { state.covariance.add(ErrorState.tilt + k, ErrorState.tilt + k, turn * turn) }
    guard state.hasField else { return }
    let field = hypot(state.field.x, state.field.y) * turn
    for k in 0..<2 { state.covariance.add(ErrorState.field + k, ErrorState.field + k, field * field) }
  }

  /// Adds a look at the field.
  ///
  /// Platforms repeat the last value until there is a new one; a repeated value says nothing new, and would be late.
  /// Answers whether it was new.
  private mutating func look(_ reading: Vector3) -> Bool {
    guard reading != state.lastField else { return false }
    state.lastField = reading
    let rotation = Matrix3(state.levelFromDevice)
    let field = reading - state.hardIron
    let turning = state.angularVelocity.cross(field)
    state.window.field = state.window.field + rotation * (field - turning * state.magnetometerDelay)
    state.window.fieldPerDelay = state.window.fieldPerDelay + rotation * turning
    state.window.fieldRotation.add(rotation, times: 1)
    state.window.fieldCount += 1
    return true
  }
}

extension Vector3 {
  /// Whether all three components are numbers.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
