import SightlineMath

/// From times to frames: the first stage.
///
/// In: the times a host gives. Out: the frame. Time never runs backwards for the stages after it, and after a gap longer than
/// ``LabelLayout/Parameters/memorySeconds`` the frame counts as the first.
struct LabelClock: Sendable {
  private var now = 0.0
  private var number: UInt32 = 0
  private var hasStarted = false

  /// The next frame counts as the first.
  mutating func stop() { hasStarted = false }

  /// The frame at a time; at one that is not finite, the time of the last frame.
  mutating func begin(_ time: Double, bounds: LabelBounds, _ parameters: LabelLayout.Parameters) -> LabelFrame {
    let next = time.isFinite ? time : now
    if hasStarted, abs(next - now) > parameters.memorySeconds { hasStarted = false }
    let elapsed = hasStarted ? max(0, next - now) : .infinity
    now = hasStarted ? max(now, next) : next
    hasStarted = true
    number &+= 1
    return LabelFrame(parameters: parameters, bounds: bounds, now: now, elapsed: elapsed, number: number)
  }
}
