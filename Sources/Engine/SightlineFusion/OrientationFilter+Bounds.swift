import SightlineMath

extension OrientationFilter {
  /// What is known of the estimate's error: limits below which it is 95 % of the time.
  public struct Bounds: Equatable, Sendable {
    /// Of the horizon.
    public var tilt: Angle
    /// Of the heading; half a turn while no north is known.
    public var heading: Angle

    /// Bounds from their parts.
    public init(tilt: Angle, heading: Angle) {
      self.tilt = tilt
      self.heading = heading
    }
  }

  /// How large the errors of the attitude may be at the moment.
  ///
  /// The filter's own covariance, widened by what it cannot know: the field of the room, and a field that keeps
  /// surprising. Measured against recordings in `Benchmarks/orientation`.
  public var bounds: Bounds {
    let tiltVariance = state.covariance[ErrorState.tilt] + state.covariance[ErrorState.tilt + 1]
    let tiltFloor = Angle(degrees: hypot(parameters.tiltFloorDegrees, parameters.mountingDegrees)).radians
    let tilt = hypot(parameters.tiltDeviations * tiltVariance.squareRoot(), tiltFloor)
    guard state.hasField else {
      return Bounds(tilt: Angle(radians: min(tilt, pi)), heading: Angle(radians: pi))
    }
    let surprise = parameters.boundPerSurprise * state.headingSurprise.squareRoot()
    let floor = Angle(degrees: parameters.headingFloorDegrees).radians
    if let error = state.northError {
      // Errors of another source's north do not average out, which the covariance does not know.
      let heading = hypot(hypot(error, surprise), floor)
      return Bounds(tilt: Angle(radians: min(tilt, pi)), heading: Angle(radians: min(heading, pi)))
    }
    let (x, y) = (state.field.x, state.field.y)
    let square = max(x * x + y * y, 1e-6)
    let k = ErrorState.field
    let variance =
      (y * y * state.covariance[k] - 2 * x * y * state.covariance[k, k + 1] + x * x * state.covariance[k + 1])
      / (square * square)
    let heading = hypot(hypot(parameters.headingDeviations * max(variance, 0).squareRoot(), surprise), floor)
    return Bounds(tilt: Angle(radians: min(tilt, pi)), heading: Angle(radians: min(heading, pi)))
  }

  /// Keeps in mind by how much a look at north differed from the estimate.
  mutating func noteSurprise(of look: Vector3) {
    let t = state.window.duration
    let (a, b) = (state.field, look)
    let angle = atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
    state.headingSurprise += (angle * angle - state.headingSurprise) * t / (t + parameters.surpriseMemory)
  }
}
