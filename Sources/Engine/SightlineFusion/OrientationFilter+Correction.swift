import SightlineMath

// The Kalman filter over a window. Errors are true minus estimated; the attitude's error is a small rotation in the level
// frame, true = exp(error) · estimated, of which only the tilt is a state: what the frame turns about the vertical shows in
// the field, which turns against it.

extension OrientationFilter {
  /// Gravity, metres a second squared: the standard value; real ones differ by less than 0.3 %, which scales a tilt error.
  private static let gravity = 9.80665

  mutating func correct() {
    if !state.knowsInterval {
      state.knowsInterval = true
      let delay = parameters.accelerometerDelay * state.window.duration / state.window.count
      state.covariance.reset(ErrorState.accelerometerDelay, variance: delay * delay)
    }
    propagate()
    constrainMotion()
    if state.rest.duration > parameters.restTime { learnAtRest() }
    if state.window.fieldCount > 0 {
      learnFromField()
    } else if state.window.northCount > 0 {
      learnFromNorth()
    } else {
      driftFromNorth()
    }
    state.window = MotionWindow()
  }

  // MARK: Prediction

  private mutating func propagate() {
    let w = state.window
    let t = w.duration
    entries.removeAll(keepingCapacity: true)
    // In this order every row finds the rows it uses as they were.
    let (speedLeak, reachLeak) = (-t / parameters.speedMemory, -t / parameters.reachMemory)
    for k in 0..<2 {
      enter(ErrorState.reach + k, ErrorState.reach + k, reachLeak)
      enter(ErrorState.reach + k, ErrorState.speed + k, t)
    }
    for k in 0..<2 { enter(ErrorState.speed + k, ErrorState.speed + k, speedLeak) }
    enter(ErrorState.speed, ErrorState.tilt + 1, Self.gravity * t)
    enter(ErrorState.speed + 1, ErrorState.tilt, -Self.gravity * t)
    enter(ErrorState.speed, ErrorState.accelerometerDelay, -w.speedPerDelay.x)
    enter(ErrorState.speed + 1, ErrorState.accelerometerDelay, -w.speedPerDelay.y)
    enterRotation(ErrorState.tilt, 0, 1)
    enterRotation(ErrorState.tilt + 1, 1, 1)
    if state.hasField {
      enterRotation(ErrorState.field, 2, state.field.y)
      enterRotation(ErrorState.field + 1, 2, -state.field.x)
    }
    state.covariance.propagate(entries, changing: ErrorState.changing)
    state.reach = state.reach + state.speed * t + state.reach * reachLeak
    state.speed = state.speed + w.speed + state.speed * speedLeak
    addNoise()
  }

  private mutating func enter(_ row: Int, _ column: Int, _ value: Double) {
    entries.append(TransitionEntry(row: row, column: column, value: value))
  }

  /// How the gyroscope's errors turn the frame about one of its axes, times a factor, into a state.
  private mutating func enterRotation(_ target: Int, _ axis: Int, _ factor: Double) {
    let bias = state.window.rotation.row(axis)
    let (x, y, z) = (state.window.scaleX.row(axis), state.window.scaleY.row(axis), state.window.scaleZ.row(axis))
    for k in 0..<3 {
      enter(target, ErrorState.bias + k, -factor * bias[k])
      enter(target, ErrorState.scale + 3 * k, factor * x[k])
      enter(target, ErrorState.scale + 3 * k + 1, factor * y[k])
      enter(target, ErrorState.scale + 3 * k + 2, factor * z[k])
    }
  }

  private mutating func addNoise() {
    let t = state.window.duration
    let white = Angle(degrees: parameters.gyroscopeNoiseDegrees).radians
    let turn = white * white * t + parameters.rateNoise * parameters.rateNoise * state.window.squaredRate
    let bias = Angle(degrees: parameters.biasWalkDegrees).radians
    for k in 0..<2 {
      state.covariance.add(ErrorState.tilt + k, ErrorState.tilt + k, turn)
      state.covariance.add(
        ErrorState.speed + k,
        ErrorState.speed + k,
        parameters.accelerometerNoise * parameters.accelerometerNoise * t
      )
    }
    for k in 0..<3 {
      state.covariance.add(ErrorState.bias + k, ErrorState.bias + k, bias * bias * t)
      state.covariance.add(
        ErrorState.hardIron + k,
        ErrorState.hardIron + k,
        parameters.hardIronWalk * parameters.hardIronWalk * t
      )
    }
    guard state.hasField else { return }
    let (x, y) = (state.field.y, -state.field.x)
    let yaw = turn * parameters.fieldTurn
    state.covariance.add(ErrorState.field, ErrorState.field, x * x * yaw)
    state.covariance.add(ErrorState.field + 1, ErrorState.field + 1, y * y * yaw)
    state.covariance.add(ErrorState.field, ErrorState.field + 1, x * y * yaw)
    for k in 0..<3 {
      state.covariance.add(
        ErrorState.field + k,
        ErrorState.field + k,
        parameters.fieldWalk * parameters.fieldWalk * t
      )
    }
  }

  // MARK: What is known without any sensor

  /// A hand neither moves fast nor reaches far.
  ///
  /// The constraint is correlated in time, over about a second, and so counts once a second and not once a window.
  private mutating func constrainMotion() {
    let t = state.window.duration
    guard state.window.forceDuration > 0.5 * t else {
      // Without accelerations the integrals mean nothing.
      state.speed = .zero
      state.reach = .zero
      for k in 0..<2 {
        state.covariance.reset(ErrorState.speed + k, variance: parameters.speed * parameters.speed)
        state.covariance.reset(ErrorState.reach + k, variance: parameters.reach * parameters.reach)
      }
      return
    }
    // Where accelerations are small, so are speeds.
    let acceleration = state.window.squaredAcceleration / state.window.forceDuration
    state.squaredAcceleration +=
      (acceleration - state.squaredAcceleration) * t / (t + parameters.accelerationMemory)
    let perAcceleration = parameters.speedPerAcceleration * parameters.speedPerAcceleration
    let speed = (parameters.speed * parameters.speed + perAcceleration * state.squaredAcceleration) / t
    let reach = parameters.reach * parameters.reach / t
    measure(ErrorState.speed, variance: speed, innovation: -state.speed.x)
    measure(ErrorState.speed + 1, variance: speed, innovation: -state.speed.y)
    measure(ErrorState.reach, variance: reach, innovation: -state.reach.x)
    measure(ErrorState.reach + 1, variance: reach, innovation: -state.reach.y)
  }

  /// At rest the gyroscope reads its bias and the accelerometer gravity.
  private mutating func learnAtRest() {
    let t = state.window.duration
    let bias = Angle(degrees: parameters.restBiasDegrees).radians
    for k in 0..<3 {
      measure(ErrorState.bias + k, variance: bias * bias / t, innovation: (state.rest.rate - state.bias)[k])
    }
    let tilt = Angle(degrees: parameters.restTiltDegrees).radians
    let force = state.levelFromDevice * state.rest.force
    measure(ErrorState.tilt + 1, variance: tilt * tilt / t, innovation: -force.x / Self.gravity)
    measure(ErrorState.tilt, variance: tilt * tilt / t, innovation: force.y / Self.gravity)
  }

  /// Measures one state directly; everything that is correlated with it learns.
  mutating func measure(_ target: Int, variance: Double, innovation: Double) {
    state.covariance.update(
      states: [target, 0, 0, 0, 0],
      factors: [1, 0, 0, 0, 0],
      count: 1,
      variance: variance,
      considered: 0,
      innovation: innovation,
      corrections: &corrections
    )
    applyCorrections()
  }

  // MARK: The field

  private mutating func learnFromField() {
    let count = state.window.fieldCount
    let mean = state.window.field * (1 / count)
    state.look = mean
    state.northError = nil
    calibrate(mean)
    guard state.hasField else {
      state.field = mean
      state.hasField = true
      return
    }
    let innovation = mean - state.field
    noteSurprise(of: mean)
    noticeAttachedMagnet(innovation.length)
    if state.calibration.isTrusted { return learnFromCalibration() }
    let trust = 1 + parameters.initialMagnetometerTrust * exp(-state.age / parameters.initialMagnetometerTime)
    let noise = parameters.magnetometerNoise / trust
    let relative = innovation.length / parameters.surprise
    // The noise is stated for twenty looks a second; fewer or more windows a second change nothing about what is learnt.
    let variance = noise * noise * 0.05 / state.window.duration * max(1, relative * relative)
    let rotation = state.window.fieldRotation
    let delay = state.window.fieldPerDelay * (1 / count)
    let before = (state.field, state.hardIron, state.magnetometerDelay)
    for k in 0..<3 {
      let row = rotation.row(k) * (1 / count)
      let learnt =
        (state.field - before.0)[k] + row.dot(state.hardIron - before.1)
        + delay[k] * (state.magnetometerDelay - before.2)
      state.covariance.update(
        states: [
          ErrorState.field + k, ErrorState.hardIron, ErrorState.hardIron + 1, ErrorState.hardIron + 2,
          ErrorState.magnetometerDelay,
        ],
        factors: [1, row.x, row.y, row.z, delay[k]],
        count: 5,
        variance: variance,
        considered: ErrorState.untouchedByField,
        innovation: innovation[k] - learnt,
        corrections: &corrections
      )
      applyCorrections()
    }
  }

  /// A surprise that stays means that the device has got a magnet of its own: its hard iron is open again.
  private mutating func noticeAttachedMagnet(_ surprise: Double) {
    let t = state.window.duration
    let isSurprised = surprise > parameters.attachedSurprise
    state.surpriseDuration = max(0, state.surpriseDuration + (isSurprised ? t : -t))
    guard state.surpriseDuration > parameters.attachedTime else { return }
    state.surpriseDuration = 0
    for k in 0..<3 {
      state.covariance.add(
        ErrorState.hardIron + k,
        ErrorState.hardIron + k,
        parameters.attachedHardIron * parameters.attachedHardIron
      )
    }
  }

  // MARK: Corrections

  private mutating func applyCorrections() {
    let c = corrections
    let tilt = Vector3(c[ErrorState.tilt], c[ErrorState.tilt + 1], 0)
    state.levelFromDevice =
      (Quaternion(rotationVector: tilt) * state.levelFromDevice).normalized ?? state.levelFromDevice
    state.speed = state.speed + Vector2(c[ErrorState.speed], c[ErrorState.speed + 1])
    state.reach = state.reach + Vector2(c[ErrorState.reach], c[ErrorState.reach + 1])
    state.field = state.field + Self.vector(c, ErrorState.field)
    state.bias = state.bias + Self.vector(c, ErrorState.bias)
    state.scale.row0 = state.scale.row0 + Self.vector(c, ErrorState.scale)
    state.scale.row1 = state.scale.row1 + Self.vector(c, ErrorState.scale + 3)
    state.scale.row2 = state.scale.row2 + Self.vector(c, ErrorState.scale + 6)
    state.accelerometerDelay += c[ErrorState.accelerometerDelay]
    state.magnetometerDelay += c[ErrorState.magnetometerDelay]
    state.hardIron = state.hardIron + Self.vector(c, ErrorState.hardIron)
  }

  private static func vector(_ values: [Double], _ start: Int) -> Vector3 {
    Vector3(values[start], values[start + 1], values[start + 2])
  }
}

extension Matrix3 {
  /// Row 0, 1 or 2.
  func row(_ index: Int) -> Vector3 { index == 0 ? row0 : (index == 1 ? row1 : row2) }
}

extension Vector3 {
  /// Component 0, 1 or 2.
  subscript(index: Int) -> Double { index == 0 ? x : (index == 1 ? y : z) }
}
