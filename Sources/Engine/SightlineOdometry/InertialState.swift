import SightlineMath

/// Pose, velocity and biases at a moment, and how they and their errors go on with the readings of the sensors.
///
/// The error is that of an invariant filter: the truth is `attitude` turned by the error's turn in the world, and velocity and position
/// turned by it before their own error is added. The directions in which nothing can be measured, the turn about the vertical and the
/// place, are then the same whatever the estimate is, and the filter does not believe to have measured them.
/// Source: Barrau and Bonnabel, The Invariant Extended Kalman Filter as a Stable Observer, IEEE TAC 62(4), 2017.
struct InertialState {
  /// How many error components it has.
  static let size = 15

  /// On the clock of the sensors, seconds.
  var time: Double
  /// World from device.
  var attitude: Matrix3
  /// m/s, in the world.
  var velocity: Vector3
  /// Metres, in the world.
  var position: Vector3
  /// rad/s, device axes.
  var gyroBias = Vector3.zero
  /// m/s², device axes.
  var forceBias = Vector3.zero

  /// Goes on to a later moment.
  ///
  /// - Parameters:
  ///   - end: on the clock of the sensors.
  ///   - history: the readings.
  ///   - configuration: noise and gravity.
  ///   - transition: is multiplied from the left by the transition of the errors, 15 × 15; `nil` leaves it.
  ///   - noise: becomes the covariance that the sensors add, 15 × 15.
  mutating func propagate(
    to end: Double,
    history: MotionHistory,
    configuration: OdometryConfiguration,
    transition: UnsafeMutablePointer<Double>? = nil,
    noise: UnsafeMutablePointer<Double>? = nil
  ) {
    var state = self
    history.forEachStep(from: time, to: end) { step in
      state.advance(step, configuration, transition, noise)
    }
    state.time = max(time, end)
    self = state
  }

  @_optimize(speed)
  private mutating func advance(
    _ step: MotionHistory.Step,
    _ configuration: OdometryConfiguration,
    _ transition: UnsafeMutablePointer<Double>?,
    _ noise: UnsafeMutablePointer<Double>?
  ) {
    let dt = step.duration
    let rate = step.rate - gyroBias
    let middle = attitude * Matrix3(Quaternion(rotationVector: rate * (0.5 * dt)))
    let gravity = Vector3(0, 0, -configuration.gravity)
    let acceleration = middle * (step.force - forceBias) + gravity
    if let transition, let noise {
      // Errors of the middle of the step: its velocity and place.
      let speed = velocity + acceleration * (0.5 * dt)
      extend(transition, noise, dt, middle, speed, position + speed * (0.5 * dt), configuration)
    }
    position = position + velocity * dt + acceleration * (0.5 * dt * dt)
    velocity = velocity + acceleration * dt
    attitude = attitude * Matrix3(Quaternion(rotationVector: rate * dt))
  }

  /// Φ ← F Φ and Q ← F Q Fᵀ + dQ for one step.
  private func extend(
    _ transition: UnsafeMutablePointer<Double>,
    _ noise: UnsafeMutablePointer<Double>,
    _ dt: Double,
    _ middle: Matrix3,
    _ velocity: Vector3,
    _ position: Vector3,
    _ configuration: OdometryConfiguration
  ) {
    // The step is the identity but for these blocks.
    var f = InlineArray<225, Double>(repeating: 0)
    for i in 0..<15 { f[i * 16] = 1 }
    let gravity = Matrix3.skew(Vector3(0, 0, -configuration.gravity))
    Self.put(&f, Component.velocity, Component.attitude, gravity * dt)
    Self.put(&f, Component.position, Component.attitude, gravity * (0.5 * dt * dt))
    Self.put(&f, Component.position, Component.velocity, .identity * dt)
    let turned = middle * -dt
    Self.put(&f, Component.attitude, Component.gyroBias, turned)
    let falling = gravity * (0.5 * dt)
    Self.put(&f, Component.velocity, Component.gyroBias, (Matrix3.skew(velocity) + falling) * turned)
    Self.put(&f, Component.position, Component.gyroBias, (Matrix3.skew(position) + falling * (dt / 3)) * turned)
    Self.put(&f, Component.velocity, Component.forceBias, turned)
    Self.put(&f, Component.position, Component.forceBias, turned * (0.5 * dt))
    var next = InlineArray<225, Double>(repeating: 0)
    Self.multiply(f, UnsafePointer(transition), &next)
    for i in 0..<225 { transition[i] = next[i] }
    // F Q Fᵀ
    Self.multiply(f, UnsafePointer(noise), &next)
    for i in 0..<15 {
      for j in 0..<15 {
        var sum = 0.0
        for k in 0..<15 { sum += next[i * 15 + k] * f[j * 15 + k] }
        noise[i * 15 + j] = sum
      }
    }
    // The gyroscope's noise turns the world's axes, and with them velocity and position.
    let gyro = configuration.gyroNoise * configuration.gyroNoise * dt
    let force = configuration.forceNoise * configuration.forceNoise * dt
    let blocks = [Matrix3.identity, Matrix3.skew(velocity), Matrix3.skew(position)]
    for (a, left) in blocks.enumerated() {
      for (b, right) in blocks.enumerated() { Self.add(noise, 3 * a, 3 * b, (left * right.transposed) * gyro) }
    }
    Self.add(noise, Component.velocity, Component.velocity, .identity * force)
    Self.add(noise, Component.velocity, Component.position, .identity * (0.5 * dt * force))
    Self.add(noise, Component.position, Component.velocity, .identity * (0.5 * dt * force))
    Self.add(noise, Component.position, Component.position, .identity * (dt * dt * force / 3))
    let (gyroWalk, forceWalk) = (configuration.gyroBiasWalk, configuration.forceBiasWalk)
    Self.add(noise, Component.gyroBias, Component.gyroBias, .identity * (gyroWalk * gyroWalk * dt))
    Self.add(noise, Component.forceBias, Component.forceBias, .identity * (forceWalk * forceWalk * dt))
  }

  private static func multiply(
    _ f: InlineArray<225, Double>,
    _ right: UnsafePointer<Double>,
    _ result: inout InlineArray<225, Double>
  ) {
    for i in 0..<15 {
      for j in 0..<15 { result[i * 15 + j] = 0 }
      for k in 0..<15 {
        let factor = f[i * 15 + k]
        if factor == 0 { continue }
        for j in 0..<15 { result[i * 15 + j] += factor * right[k * 15 + j] }
      }
    }
  }

  private static func put(_ f: inout InlineArray<225, Double>, _ row: Int, _ column: Int, _ block: Matrix3) {
    for i in 0..<3 {
      for j in 0..<3 { f[(row + i) * 15 + column + j] = block[row: i][j] }
    }
  }

  private static func add(_ matrix: UnsafeMutablePointer<Double>, _ row: Int, _ column: Int, _ block: Matrix3) {
    for i in 0..<3 {
      for j in 0..<3 { matrix[(row + i) * 15 + column + j] += block[row: i][j] }
    }
  }

  /// Takes a correction of its components.
  mutating func correct(_ x: UnsafePointer<Double>) {
    let turn = Matrix3(Quaternion(rotationVector: Vector3(x[0], x[1], x[2])))
    attitude = Matrix3(Quaternion(turn * attitude).normalized ?? .identity)
    velocity = turn * velocity + Vector3(x[3], x[4], x[5])
    position = turn * position + Vector3(x[6], x[7], x[8])
    gyroBias = gyroBias + Vector3(x[9], x[10], x[11])
    forceBias = forceBias + Vector3(x[12], x[13], x[14])
  }
}
