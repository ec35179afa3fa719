import SightlineMath

/// Turns estimates into what is shown: for the moment of the picture, without lag in a turn and still at rest.
///
/// What is shown follows the *turns* of the device at once, and the *corrections* of the estimate slowly: faster while the
/// device moves, where nobody sees them, than at rest, where content would swim. A device that rests shows the same
/// orientation, frame for frame.
///
/// A camera's picture is some hundredths of a second old when it is seen. Where its age is known, what is shown is how the
/// device was turned when it was taken.
public struct Presentation: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Seconds ahead that a turn is carried on at most.
    public var longestPrediction = 0.05
    /// Radians a second below which a turn is not carried on: noise.
    public var slowestTurn = 0.02
    /// Seconds of rest after which the picture is held.
    public var restTime = 0.4
    /// How far a resting device may turn before the picture follows, degrees: a hand that turns very slowly looks like
    /// rest to the sensors.
    public var restSlackDegrees = 0.1
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
  private var history = ShownHistory()
  /// The gyroscope's turn that the held picture stands for; `nil` while the device moves.
  private var heldTurn: Quaternion?

  /// A presentation before its first frame.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// What to show at a time, of the estimate of the last reading.
  ///
  /// Rotates device vectors into the estimate's level frame. The same estimate and time give the same answer again.
  ///
  /// - Parameters:
  ///   - estimate: that of the last reading.
  ///   - time: of the frame, seconds.
  ///   - age: of the picture under it, seconds; negative for a display that is seen later, without a picture.
  /// - Returns: the rotation for the moment `time − age`.
  public mutating func show(
    _ estimate: OrientationFusion.Estimate,
    at time: Double,
    pictureAge age: Double = 0
  ) -> Quaternion {
    defer {
      last = estimate
      lastTime = max(lastTime, time)
    }
    guard let before = shown, let last, estimate.north == last.north, estimate.time >= last.time else {
      // Another frame, or the first: nothing to be smooth with.
      shown = estimate.levelFromDevice
      since = time
      history.removeAll()
      history.append(estimate.levelFromDevice, at: estimate.time)
      return predicted(estimate.levelFromDevice, estimate, at: time - age)
    }
    let step = clamp(time - lastTime, 0, 0.1)
    let isResting = estimate.restDuration > parameters.restTime
    var next = before
    if isResting {
      next = held(before, estimate)
    } else {
      heldTurn = nil
      next = (before * Self.turn(from: last, to: estimate)).normalized ?? before
    }
    let difference = (estimate.levelFromDevice * next.inverse).rotationVector
    let size = difference.length
    if size > 0 {
      let share = min(1, allowed(size, estimate, isResting: isResting, time: time, step: step) / size)
      next = (Quaternion(rotationVector: difference * share) * next).normalized ?? estimate.levelFromDevice
    }
    shown = next
    history.append(next, at: estimate.time)
    if time - age < estimate.time { return history.rotation(at: time - age) ?? next }
    return isResting ? next : predicted(next, estimate, at: time - age)
  }

  /// The held picture, pulled along by what the device has turned beyond the slack.
  private mutating func held(_ shown: Quaternion, _ estimate: OrientationFusion.Estimate) -> Quaternion {
    guard let now = estimate.turned else { return shown }
    guard let start = heldTurn else {
      heldTurn = now
      return shown
    }
    let moved = (start.inverse * now).rotationVector
    let slack = Angle(degrees: parameters.restSlackDegrees).radians
    guard moved.length > slack else { return shown }
    let excess = Quaternion(rotationVector: moved * (1 - slack / moved.length))
    heldTurn = (start * excess).normalized ?? now
    return (shown * excess).normalized ?? shown
  }

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

/// What was shown lately, by the time of its reading.
private struct ShownHistory: Sendable {
  private var rotations = InlineArray<24, Quaternion>(repeating: .identity)
  private var times = InlineArray<24, Double>(repeating: 0)
  private var count = 0
  private var newest = 0
  private static let size = 24

  mutating func removeAll() { count = 0 }

  mutating func append(_ rotation: Quaternion, at time: Double) {
    // A frame without a new reading: the last entry as it is now.
    if count == 0 || time > times[newest] {
      newest = count == 0 ? 0 : (newest + 1) % Self.size
      count = min(count + 1, Self.size)
    }
    rotations[newest] = rotation
    times[newest] = time
  }

  /// Between the entries before and after a time; the oldest before all of them.
  func rotation(at time: Double) -> Quaternion? {
    guard count > 0 else { return nil }
    var later = newest
    for back in 1..<max(count, 1) {
      let k = (newest + Self.size - back) % Self.size
      if times[k] <= time {
        let span = times[later] - times[k]
        let share = span > 0 ? clamp((time - times[k]) / span, 0, 1) : 0
        let turn = (rotations[k].inverse * rotations[later]).rotationVector * share
        return (rotations[k] * Quaternion(rotationVector: turn)).normalized
      }
      later = k
    }
    return rotations[later]
  }
}
