import SightlineMath

/// What a stretch of samples adds up to: everything the Kalman filter needs to know about it.
struct MotionWindow: Sendable {
  /// Seconds.
  var duration = 0.0
  /// Number of samples.
  var count = 0.0
  /// ∫ R dt, with R from device to level frame: how a bias turns the attitude.
  var rotation = Matrix3(rows: .zero, .zero, .zero)
  /// ∫ (R eᵢ) ωⱼ dt for j = x, y, z: how the nine scale and cross-axis errors turn it.
  ///
  /// Columns of the three matrices are i.
  var scaleX = Matrix3(rows: .zero, .zero, .zero)
  /// As ``scaleX``, for ω about y.
  var scaleY = Matrix3(rows: .zero, .zero, .zero)
  /// As ``scaleX``, for ω about z.
  var scaleZ = Matrix3(rows: .zero, .zero, .zero)
  /// ∫ of the horizontal acceleration, metres a second.
  var speed = Vector2.zero
  /// ∫ R (ω × a) dt, horizontal: what a delay of the accelerometer adds to ``speed``.
  var speedPerDelay = Vector2.zero
  /// ∫ |ω|² dt.
  var squaredRate = 0.0
  /// ∫ |horizontal acceleration|² dt.
  var squaredAcceleration = 0.0
  /// Seconds of it with a specific force.
  var forceDuration = 0.0
  /// Sum of the field in the level frame, hard iron and delay taken off, microtesla.
  var field = Vector3.zero
  /// Sum of R (ω × m): what a delay of the magnetometer adds to ``field``.
  var fieldPerDelay = Vector3.zero
  /// Sum of R over the looks at the field.
  var fieldRotation = Matrix3(rows: .zero, .zero, .zero)
  /// Looks at the field.
  var fieldCount = 0.0
  /// Weighted sum of directions to north in the level frame, from another source than the field.
  var north = Vector2.zero
  /// Sum of their weights, 1/rad².
  var northWeight = 0.0
  /// Their number.
  var northCount = 0.0
  /// Sum of their errors (95 %, radians) times their weights.
  var northError = 0.0
}

extension Matrix3 {
  /// Adds a multiple of another matrix.
  mutating func add(_ other: Matrix3, times factor: Double) {
    row0 = row0 + other.row0 * factor
    row1 = row1 + other.row1 * factor
    row2 = row2 + other.row2 * factor
  }
}
