import SightlineMath

// North from another source than a magnetometer: a platform's own absolute orientation, or its compass. Slow and with
// correlated errors like a field, and so taken as one: a horizontal field of a fixed strength that points there.

extension OrientationFilter {
  /// Strength of the field that stands for a direction, microtesla: about the horizontal field of middle latitudes.
  private static let strength = 20.0

  /// Takes a look at north: its direction in the level frame, clockwise from the y axis, and its deviation, both
  /// radians, the latter as for one of ten looks a second whose errors hardly average out.
  ///
  /// Magnetometer and this exclude one another: a field that the sample brought wins.
  public mutating func takeNorth(clockwise: Double, deviation: Double) {
    guard clockwise.isFinite, deviation > 0, deviation.isFinite else { return }
    let weight = 1 / (deviation * deviation)
    state.window.north = state.window.north + Vector2(sin(clockwise), cos(clockwise)) * weight
    state.window.northWeight += weight
    state.window.northCount += 1
  }

  /// Forgets where north is, not how the device is tilted: what comes next decides at once.
  public mutating func forgetNorth() {
    state.hasField = false
    state.northSurprise = 0
    state.look = nil
    for k in 0..<3 { state.covariance.reset(ErrorState.field + k, variance: 1e4) }
  }

  mutating func learnFromNorth() {
    let w = state.window
    guard let direction = Vector3(w.north.x, w.north.y, 0).normalized else { return }
    guard state.hasField else {
      state.field = direction * Self.strength
      state.hasField = true
      return
    }
    let innovation = direction * Self.strength - state.field
    noteSurprise(of: direction)
    noticeNewNorth(innovation.length / Self.strength)
    let relative = innovation.length / parameters.surprise
    let looks = w.northCount / w.northWeight
    let variance = Self.strength * Self.strength * looks * 0.1 / w.duration * max(1, relative * relative)
    for k in 0..<2 {
      measure(ErrorState.field + k, variance: variance, innovation: (direction * Self.strength - state.field)[k])
    }
  }

  /// A source that says something else for a long time has found a better north (or lost it): it is followed then.
  private mutating func noticeNewNorth(_ surprise: Double) {
    state.northSurprise = surprise > parameters.newNorth ? state.northSurprise + state.window.duration : 0
    guard state.northSurprise > parameters.newNorthTime else { return }
    state.northSurprise = 0
    for k in 0..<3 { state.covariance.reset(ErrorState.field + k, variance: 1e4) }
  }
}
