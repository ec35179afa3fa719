import SightlineMath

/// A stand-in for the orientation that a phone's system computes: a complementary filter on its own, faster readings.
///
/// It carries the gyroscope along, pulls up towards the accelerometer with a time constant of 2 s (less while the phone is
/// accelerated), north towards the magnetometer with 6 s (less while the field is too strong or too weak), and learns the
/// gyroscope's offset. So its errors are those that pages see: sluggish in a disturbed field, leaning in a curve.
struct PlatformFusion: Sendable {
  /// Whether north comes from the magnetometer; else it is arbitrary and drifts.
  let usesMagnetometer: Bool
  private(set) var worldFromDevice: Quaternion?
  private var bias = Vector3.zero
  private var fieldStrength: Double?
  private var elapsed = 0.0

  init(usesMagnetometer: Bool) { self.usesMagnetometer = usesMagnetometer }

  /// Takes readings that belong to the end of an interval of seconds.
  mutating func take(
    angularVelocity: Vector3,
    specificForce: Vector3,
    magneticField: Vector3,
    step: Double
  ) {
    guard var q = worldFromDevice else {
      worldFromDevice = start(specificForce, magneticField)
      fieldStrength = magneticField.length
      return
    }
    elapsed += step
    q = (q * Quaternion(turn: (angularVelocity - bias) * step)).normalized ?? q
    guard let measuredUp = specificForce.normalized else { return }
    let excess = (specificForce.length - 9.81) / 0.6
    let trust = exp(-excess * excess / 2)
    let up = q.inverse * Vector3(0, 0, 1)
    // Fast at first, when nothing is known.
    let tilt = measuredUp.cross(up) * (trust * step / min(2, 0.2 + elapsed))
    q = (q * Quaternion(turn: tilt)).normalized ?? q
    bias = bias - tilt * (0.02 * min(1, elapsed / 5))
    if usesMagnetometer {
      let field = q * magneticField
      let east = atan2(field.x, field.y)
      let strength = fieldStrength ?? magneticField.length
      let odd = (magneticField.length / strength - 1) / 0.1
      fieldStrength = strength + (magneticField.length - strength) * step / 30
      let turn = wrapToPi(east) * exp(-odd * odd / 2) * step / min(6, 0.2 + elapsed)
      q = Quaternion(turn: Vector3(0, 0, turn)) * q
    }
    worldFromDevice = q
  }

  private func start(_ specificForce: Vector3, _ magneticField: Vector3) -> Quaternion? {
    guard let up = specificForce.normalized, let east = magneticField.cross(up).normalized else { return nil }
    let q = Quaternion(Matrix3(rows: east, up.cross(east), up))
    // An arbitrary north: the page gets one that is nobody's.
    return usesMagnetometer ? q : Quaternion(turn: Vector3(0, 0, 1.234)) * q
  }
}
