import SightlineMath

/// The last seconds of inertial readings, and their integrals over any part of them.
///
/// A reading is a mean over its interval. Within one the rate and the force are taken to change evenly, with the slope that the
/// neighbours show, so that an integral over half an interval is right to the second order: pictures are taken between readings.
struct MotionHistory {
  /// Mean rate and force over a short time.
  struct Step {
    /// Seconds.
    var duration: Double
    /// rad/s, device axes.
    var rate: Vector3
    /// m/s², device axes.
    var force: Vector3
  }

  private struct Interval {
    var start: Double
    var end: Double
    var rate: Vector3
    var force: Vector3
  }

  /// Readings that are kept.
  private static let capacity = 256
  /// A gap between two readings that is bridged; a longer one breaks the history, seconds.
  static let longestGap = 0.25

  private var clock = SampleClock()
  private var lastStamp = -Double.infinity
  private var intervals: [Interval] = []

  init() {}

  /// End of the last reading, seconds; `nil` without any.
  var end: Double? { intervals.last?.end }

  /// Start of what is known, seconds; `nil` without any reading.
  var start: Double? { intervals.first?.start }

  /// Takes a reading; one that is not made of numbers or does not come after the last is left out.
  mutating func append(_ reading: InertialReading) {
    guard reading.time > lastStamp, reading.time.isFinite, reading.angularRate.isFinite, reading.specificForce.isFinite,
      reading.angularRate.length < 100, reading.specificForce.length < 1000
    else { return }
    lastStamp = reading.time
    let end = clock.time(ofStamp: reading.time)
    var start = end - clock.period
    if let last = intervals.last {
      guard end > last.end + 1e-6 else { return }
      if end - last.end > Self.longestGap {
        intervals.removeAll(keepingCapacity: true)
      } else if start - last.end > 0.5 * clock.period {
        // Readings were lost: between their neighbours the motion is taken to change evenly.
        let (rate, force) = (last.rate + reading.angularRate, last.force + reading.specificForce)
        intervals.append(Interval(start: last.end, end: start, rate: rate * 0.5, force: force * 0.5))
      } else {
        start = last.end
      }
    }
    if intervals.count >= Self.capacity { intervals.removeFirst(Self.capacity / 2) }
    intervals.append(
      Interval(start: start, end: end, rate: reading.angularRate, force: reading.specificForce)
    )
  }

  /// Forgets everything but the clock.
  mutating func removeAll() { intervals.removeAll(keepingCapacity: true) }

  /// Visits the readings' parts between two moments, in order of time; beyond the last reading its values go on.
  func forEachStep(from: Double, to: Double, _ body: (Step) -> Void) {
    guard let last = intervals.last, to > from else { return }
    var index = intervals.count
    while index > 0, intervals[index - 1].end > from { index -= 1 }
    var time = from
    while time < to, index < intervals.count {
      let interval = intervals[index]
      let end = min(to, interval.end)
      if end > time {
        let middle = 0.5 * (time + end)
        body(values(of: index, at: middle, duration: end - time))
        time = end
      }
      index += 1
    }
    if time < to { body(Step(duration: to - time, rate: last.rate, force: last.force)) }
  }

  /// How lively the sensors are between two moments: mean size of the rate, rad/s, and deviation of the force, m/s².
  func activity(from: Double, to: Double) -> (rate: Double, force: Double) {
    var (time, rate, mean, squares) = (0.0, 0.0, Vector3.zero, 0.0)
    forEachStep(from: from, to: to) { step in
      time += step.duration
      rate += step.duration * step.rate.length
      mean = mean + step.force * step.duration
      squares += step.duration * step.force.dot(step.force)
    }
    guard time > 0 else { return (.infinity, .infinity) }
    mean = mean * (1 / time)
    return (rate / time, max(0, squares / time - mean.dot(mean)).squareRoot())
  }

  /// Rate and force at a moment, and how fast the rate changes, rad/s².
  func motion(at time: Double) -> (rate: Vector3, force: Vector3, rateSlope: Vector3) {
    guard !intervals.isEmpty else { return (.zero, .zero, .zero) }
    var index = intervals.count - 1
    while index > 0, intervals[index].start > time { index -= 1 }
    let step = values(of: index, at: min(time, intervals[index].end), duration: 0)
    return (step.rate, step.force, slopes(of: index).rate)
  }

  private func values(of index: Int, at time: Double, duration: Double) -> Step {
    let interval = intervals[index]
    let (rate, force) = slopes(of: index)
    let delay = time - 0.5 * (interval.start + interval.end)
    return Step(duration: duration, rate: interval.rate + rate * delay, force: interval.force + force * delay)
  }

  /// How rate and force change within an interval, by the second.
  private func slopes(of index: Int) -> (rate: Vector3, force: Vector3) {
    let (before, after) = (max(0, index - 1), min(intervals.count - 1, index + 1))
    guard after > before else { return (.zero, .zero) }
    let (a, b) = (intervals[before], intervals[after])
    let duration = 0.5 * (b.start + b.end - a.start - a.end)
    guard duration > 1e-4 else { return (.zero, .zero) }
    return ((b.rate - a.rate) * (1 / duration), (b.force - a.force) * (1 / duration))
  }
}
