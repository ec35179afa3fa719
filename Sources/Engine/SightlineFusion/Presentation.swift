import SightlineMath

/// Turns estimates into what is shown: for the moment of the picture, without lag in a turn and still at rest.
///
/// What is shown follows the *turns* of the device at once, and the *corrections* of the estimate slowly: faster while the
/// device moves, where nobody sees them, than at rest, where content would swim. A device that rests shows the same
/// orientation, frame for frame.
public struct Presentation: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Seconds ahead that a turn is carried on at most.
    public var longestPrediction = 0.05
    /// Radians a second below which a turn is not carried on: noise.
    public var slowestTurn = 0.02
    /// Seconds of rest after which the picture is held.
    public var restTime = 0.4
    /// Corrections at rest, degrees a second.
    public var restCorrection = 0.008
    /// Corrections while the device moves, as a share of its turn.
    public var turnCorrection = 0.15
    /// Corrections while the device is held in a hand but does not turn, degrees a second.
    public var handCorrection = 0.2
    /// A difference that is taken away in a second whatever the device does, degrees: a quarter of what is above it goes
    /// every tenth of a second.
    public var largeDifference = 2.0
    /// Seconds after which the first frames no longer follow at once.
    public var settlingTime = 2.0

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  private var shown: Quaternion?
  private var last: OrientationFusion.Estimate?
  private var lastTime = -Double.infinity
  private var since = -Double.infinity

  /// A presentation before its first frame.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// What to show at a time, of the estimate of the last reading.
  ///
  /// Rotates device vectors into the estimate's level frame. The same estimate and time give the same answer again.
  public mutating func show(_ estimate: OrientationFusion.Estimate, at time: Double) -> Quaternion {
    defer {
      last = estimate
      lastTime = max(lastTime, time)
    }
    guard let before = shown, let last, estimate.north == last.north, estimate.time >= last.time else {
      // Another frame, or the first: nothing to be smooth with.
      shown = estimate.levelFromDevice
      since = time
      return predicted(estimate.levelFromDevice, estimate, at: time)
    }
    let step = clamp(time - lastTime, 0, 0.1)
    var next = before
    let isResting = estimate.restDuration > parameters.restTime
    if !isResting { next = (before * Self.turn(from: last, to: estimate)).normalized ?? before }
    let difference = (estimate.levelFromDevice * next.inverse).rotationVector
    let size = difference.length
    if size > 0 {
      let share = min(1, allowed(size, estimate, isResting: isResting, time: time, step: step) / size)
      next = (Quaternion(rotationVector: difference * share) * next).normalized ?? estimate.levelFromDevice
    }
    shown = next
    return isResting ? next : predicted(next, estimate, at: time)
  }

  /// Forgets what was shown: the next frame shows the estimate as it is.
  public mutating func jump() { shown = nil }

  /// How the device turned between two estimates, in its own frame.
  private static func turn(from a: OrientationFusion.Estimate, to b: OrientationFusion.Estimate) -> Quaternion {
    if let before = a.turned, let after = b.turned { return before.inverse * after }
    return a.levelFromDevice.inverse * b.levelFromDevice
  }

  /// How much of a correction may be made in this frame, radians.
  private func allowed(
    _ size: Double,
    _ estimate: OrientationFusion.Estimate,
    isResting: Bool,
    time: Double,
    step: Double
  ) -> Double {
    // Without a gyroscope turns and corrections are the same thing.
    if estimate.turned == nil && !isResting || time - since < parameters.settlingTime { return size }
    let large = Angle(degrees: parameters.largeDifference).radians
    let rest = Angle(degrees: parameters.restCorrection).radians * step
    let glide = max(0, size - large) * (1 - exp(-3 * step))
    if isResting { return rest + glide }
    let hand = Angle(degrees: parameters.handCorrection).radians * step
    return hand + estimate.angularVelocity.length * parameters.turnCorrection * step + glide
  }

  /// Carries the turn on from the reading to the time.
  private func predicted(_ q: Quaternion, _ estimate: OrientationFusion.Estimate, at time: Double) -> Quaternion {
    let ahead = time - estimate.time
    let rate = estimate.angularVelocity
    guard ahead > 0, rate.length > parameters.slowestTurn else { return q }
    // A reading that does not come means that nothing turned, on platforms that report changes only.
    let span = max(0, min(ahead, 2 * parameters.longestPrediction - ahead))
    return (q * Quaternion(rotationVector: rate * span)).normalized ?? q
  }
}
