import SightlineMath

/// Compares the course over ground with the heading while somebody walks: over a stretch, people hold a phone ahead of
/// them.
///
/// One fix says little: the phone looks to the side, the course scatters. So it answers only when headings and courses
/// have kept the same difference for a while, and then with a large deviation.
public struct CourseComparison: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Metres a second from which on a course means something.
    public var slowest = 0.8
    /// Metres a second above which nobody walks: in a tram a phone points anywhere.
    public var fastest = 3.0
    /// Seconds of walking that are compared.
    public var span = 15.0
    /// Most scatter of the difference, as a standard deviation.
    public var scatter = Angle(degrees: 14)
    /// Standard deviation of the answer.
    public var deviation = Angle(degrees: 15)

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  private var sum = Vector2.zero
  private var duration = 0.0
  private var lastTime: Double?

  /// A comparison before its first fix.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a fix's course and speed with the heading at that time, both clockwise from north.
  ///
  /// Answers what is to be added to headings, once that is known; it then begins anew.
  public mutating func take(course: Angle?, speed: Double?, heading: Angle, at time: Double) -> Angle? {
    guard let course, let speed, course.radians.isFinite, heading.radians.isFinite,
      speed >= parameters.slowest, speed <= parameters.fastest
    else {
      reset()
      return nil
    }
    defer { lastTime = time }
    guard let lastTime, time > lastTime, time - lastTime < 5 else {
      reset()
      return nil
    }
    let step = time - lastTime
    let difference = course.radians - heading.radians
    sum = sum + Vector2(cos(difference), sin(difference)) * step
    duration += step
    guard duration >= parameters.span else { return nil }
    let agreement = sum.length / duration
    let answer = Angle(radians: atan2(sum.y, sum.x))
    reset()
    // Circular standard deviation √(−2 ln R).
    guard (-2 * log(max(agreement, 1e-9))).squareRoot() <= parameters.scatter.radians else { return nil }
    return answer
  }

  /// Begins anew.
  public mutating func reset() {
    sum = .zero
    duration = 0
    lastTime = nil
  }
}
