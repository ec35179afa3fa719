import SightlineMath

// Where the place is clean, the field of the device and that of the Earth are told apart by HardIronCalibration; what it
// finds is taken over into the filter.

extension OrientationFilter {
  /// Lets the calibration see what the window saw; `mean` is the field with the filter's own hard iron taken off.
  mutating func calibrate(_ mean: Vector3) {
    let w = state.window
    let share = 1 / w.fieldCount
    let rotation = Matrix3(
      rows: w.fieldRotation.row0 * share,
      w.fieldRotation.row1 * share,
      w.fieldRotation.row2 * share
    )
    state.calibration.take(
      mean: mean + rotation * state.hardIron,
      rotation: rotation,
      perDelay: w.fieldPerDelay * share,
      turn: (state.levelFromDevice * state.angularVelocity).z * w.duration,
      duration: w.duration,
      reference: earthField.map { ($0.strength, $0.dip.radians) }
    )
  }

  /// Takes over both fields, at the pace of their uncertainty.
  mutating func learnFromCalibration() {
    let (field, hardIron) = (state.calibration.field, state.calibration.hardIron)
    for k in 0..<3 {
      let variance = state.calibration.hardIronVariance(k)
      open(ErrorState.hardIron + k, to: variance)
      measure(ErrorState.hardIron + k, variance: variance, innovation: (hardIron - state.hardIron)[k])
    }
    for k in 0..<3 {
      let variance = state.calibration.fieldVariance(k)
      open(ErrorState.field + k, to: variance)
      measure(ErrorState.field + k, variance: variance, innovation: (field - state.field)[k])
    }
  }

  /// Makes a state at least so uncertain.
  private mutating func open(_ target: Int, to variance: Double) {
    let missing = variance - state.covariance[target]
    if missing > 0 { state.covariance.add(target, target, missing) }
  }
}
