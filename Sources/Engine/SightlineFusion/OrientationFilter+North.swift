import SightlineMath

// North from another source than a magnetometer: a platform's own absolute orientation, or its compass. Slow and with
// correlated errors like a field, and so taken as one: a horizontal field of a fixed strength that points there.

extension OrientationFilter {
  /// Strength of the field that stands for a direction, microtesla: about the horizontal field of middle latitudes.
  private static let strength = 20.0

  /// Takes a look at north from another source.
  ///
  /// Magnetometer and this exclude one another: a field that the sample brought wins.
  ///
  /// - Parameters:
  ///   - clockwise: its direction in the level frame, from the y axis, radians.
  ///   - deviation: how little it counts, radians: as for one of ten looks a second whose errors hardly average out.
  ///   - error: what it is wrong by at most 95 % of the time, radians, however often it is repeated.
  public mutating func takeNorth(clockwise: Double, deviation: Double, error: Double) {
    guard clockwise.isFinite, deviation > 0, deviation.isFinite, error >= 0 else { return }
    let weight = 1 / (deviation * deviation)
    state.window.north = state.window.north + Vector2(sin(clockwise), cos(clockwise)) * weight
    state.window.northWeight += weight
    state.window.northCount += 1
    state.window.northError += min(error, pi) * weight
  }

  /// Forgets where north is, not how the device is tilted: what comes next decides at once.
  public mutating func forgetNorth() {
    state.hasField = false
    state.northSurprise = 0
    state.northError = nil
    state.look = nil
    for k in 0..<3 { state.covariance.reset(ErrorState.field + k, variance: 1e4) }
  }

  mutating func learnFromNorth() {
    let w = state.window
    guard let direction = Vector3(w.north.x, w.north.y, 0).normalized else { return }
    let error = w.northError / w.northWeight
    guard state.hasField else {
      state.field = direction * Self.strength
      state.hasField = true
      state.northError = error
      return
    }
    let innovation = direction * Self.strength - state.field
    noteSurprise(of: direction)
    noticeNewNorth(innovation.length / Self.strength)
    let relative = innovation.length / parameters.surprise
    let looks = w.northCount / w.northWeight
    let variance = Self.strength * Self.strength * looks * 0.1 / w.duration * max(1, relative * relative)
    // The estimate errs as the looks do that it was made of, each by its share.
    let known = (state.covariance[ErrorState.field] + state.covariance[ErrorState.field + 1]) / 2
    let before = state.northError ?? error
    state.northError = before + (error - before) * known / (known + variance)
    for k in 0..<2 {
      measure(ErrorState.field + k, variance: variance, innovation: (direction * Self.strength - state.field)[k])
    }
  }

  /// While the other source is silent the heading drifts as the gyroscope does.
  mutating func driftFromNorth() {
    guard let error = state.northError else { return }
    state.northError = min(error + Angle(degrees: parameters.driftDegrees).radians * state.window.duration, pi)
  }

  /// A source that says something else for a long time has found a better north (or lost it): it is followed then.
  private mutating func noticeNewNorth(_ surprise: Double) {
    state.northSurprise = surprise > parameters.newNorth ? state.northSurprise + state.window.duration : 0
    guard state.northSurprise > parameters.newNorthTime else { return }
    state.northSurprise = 0
    for k in 0..<3 { state.covariance.reset(ErrorState.field + k, variance: 1e4) }
  }
}
