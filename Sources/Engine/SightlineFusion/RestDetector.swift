import SightlineMath

/// Notices rest by how little the sensors change, whatever they read: a large bias is no movement.
///
/// A steady turn about the vertical changes neither gyroscope nor accelerometer. It is told from rest by the field, which
/// turns, and by a rate that the bias cannot be, as far as the bias is known.
struct RestDetector: Sendable {
  /// Smoothed readings; at rest, the bias and gravity.
  private(set) var rate = Vector3.zero
  /// As ``rate``, of the specific force.
  private(set) var force = Vector3.zero
  /// Seconds without movement.
  private(set) var duration = 0.0
  private var field: Vector3?
  private var forceAtStart = Vector3.zero
  private var fieldAtStart: Vector3?
  private var hasStarted = false
  /// Seconds over which readings are smoothed.
  private static let smoothing = 0.25

  /// Takes a sample.
  ///
  /// `field` is given when there is a new look at it. `bias` is the gyroscope's as far as it is known, `biasBound` three
  /// standard deviations of it, radians a second.
  mutating func take(
    rate: Vector3,
    force: Vector3,
    field: Vector3?,
    bias: Vector3,
    biasBound: Double,
    step: Double,
    parameters: OrientationFilter.Parameters
  ) {
    guard hasStarted else {
      (self.rate, self.force, forceAtStart, hasStarted) = (rate, force, force, true)
      return
    }
    let gain = step / (Self.smoothing + step)
    self.rate = self.rate + (rate - self.rate) * gain
    self.force = self.force + (force - self.force) * gain
    if let field { self.field = self.field.map { $0 + (field - $0) * gain } ?? field }
    let tolerance = Angle(degrees: parameters.restRateDegrees).radians
    var isMoving =
      (rate - self.rate).length > tolerance || (force - self.force).length > parameters.restAcceleration
      || (self.rate - bias).length > biasBound + Angle(degrees: parameters.restTurnDegrees).radians
      || (self.force - forceAtStart).length > parameters.restAcceleration
    if let now = self.field, let then = fieldAtStart, (now - then).length > parameters.restField { isMoving = true }
    if isMoving {
      duration = 0
      forceAtStart = self.force
      fieldAtStart = self.field
    } else {
      duration += step
      if fieldAtStart == nil { fieldAtStart = self.field }
    }
  }
}
