import SightlineMath

/// Watches which motion sensors deliver something: silent ones are missing, and so are ones whose value stands still while
/// another says that the device turns.
struct SensorWatch: Sendable {
  /// Time of the last sample; and of the last angular velocity, specific force and field.
  private(set) var lastTime = -Double.infinity
  private(set) var gyroscopeTime = -Double.infinity
  private(set) var forceTime = -Double.infinity
  private var fieldTime = -Double.infinity
  private var gyroscope = StuckValue()
  private var force = StuckValue()
  /// The specific force when the gyroscope's value was new.
  private var forceAtRepeat = Vector3.zero

  /// Whether there is a gyroscope with an accelerometer.
  private(set) var hasGyroscope = false
  /// Whether there is a magnetometer.
  private(set) var hasField = false

  /// Takes a sample and removes from it what is not to be believed.
  ///
  /// Answers `false` when its time is not later than the last one's.
  mutating func take(_ sample: inout MotionSample, parameters: OrientationFusion.Parameters) -> Bool {
    guard sample.time > lastTime else { return false }
    let step = min(sample.time - lastTime, 0.1)
    lastTime = sample.time
    sample = sample.believable
    if let rate = sample.angularVelocity {
      let isTilted = sample.specificForce.map { Self.angle(forceAtRepeat, $0) > 0.35 } ?? false
      if gyroscope.take(rate, step: step, shouldDiffer: isTilted) {
        forceAtRepeat = sample.specificForce ?? forceAtRepeat
      }
      if gyroscope.isStuck { sample.angularVelocity = nil }
    }
    if let value = sample.specificForce {
      _ = force.take(value, step: step, shouldDiffer: (sample.angularVelocity ?? .zero).length > 0.5)
      if force.isStuck { sample.specificForce = nil }
    }
    if sample.angularVelocity != nil { gyroscopeTime = sample.time }
    if sample.specificForce != nil { forceTime = sample.time }
    if sample.magneticField != nil { fieldTime = sample.time }
    let memory = parameters.sensorMemory
    hasGyroscope = lastTime - gyroscopeTime < parameters.gyroscopeMemory && lastTime - forceTime < memory
    hasField = lastTime - fieldTime < memory
    return true
  }

  /// Between two directions, radians.
  private static func angle(_ a: Vector3, _ b: Vector3) -> Double { atan2(a.cross(b).length, a.dot(b)) }
}

/// A value that repeats to the last bit, and for how long it should not have.
private struct StuckValue: Sendable {
  private var value: Vector3?
  private var contradicted = 0.0

  /// Whether it has stood still for half a second in which it should have changed.
  var isStuck: Bool { contradicted > 0.5 }

  /// Takes a value and whether another sensor says that it cannot be the last one; answers whether it changed.
  mutating func take(_ next: Vector3, step: Double, shouldDiffer: Bool) -> Bool {
    let isNew = next != value
    value = next
    contradicted = isNew ? 0 : contradicted + (shouldDiffer ? step : 0)
    return isNew
  }
}
