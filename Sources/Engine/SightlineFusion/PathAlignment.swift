import SightlineMath

/// How the world of a followed path lies against north: one angle about the vertical, which does not change while the path goes on.
///
/// A compass is wrong by an error that stays for a while: iron close by, or the phone's own. So each look at it counts little, and the
/// mean over a minute or more is much better than any of them; one that is disturbed, or far off what was seen before, counts next to
/// nothing. The path itself turns by less than a degree a minute.
///
/// An estimate of north that learns what its magnetometer is wrong by is different: its error shrinks while the device is turned, so that
/// what it says now is better than the mean of what it said. It is followed within seconds.
public struct PathAlignment: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Seconds for which a compass keeps its error; larger is calmer, and takes longer to find north.
    public var correlation = 20.0
    /// Seconds for which an estimate that learns the error of its magnetometer keeps its own; larger is calmer, and holds on longer to
    /// what was said before it was learned.
    public var learningCorrelation = 2.0
    /// Share of one look's variance below which the mean's is never taken to be: part of a compass's error stays for ever.
    public var share = 0.2
    /// By how much the path's yaw drifts, a random walk: radians for the root of a second.
    public var drift = Angle(degrees: 0.01).radians
    /// Deviations beyond which a look is not of the same compass error as the mean.
    public var outlier = 1.5
    /// Seconds for which looks may be beyond that before the mean begins anew.
    public var patience = 20.0
    /// How many times as large the variance of a look is while north is said to be disturbed.
    public var disturbance = 25.0

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  /// East-North-Up from the path's world, counter-clockwise about up; `nil` before the first look.
  public private(set) var angle: Angle?
  /// Variance of ``angle``, radians².
  public private(set) var variance = 0.0
  private var lastTime = 0.0
  private var lastYawDeviation = 0.0
  private var strayTime = 0.0
  private var looked = 0.0

  /// An alignment that knows nothing.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a look at the compass.
  ///
  /// - Parameters:
  ///   - between: East-North-Up by the compass from the path's world, counter-clockwise about up.
  ///   - deviation: standard deviation of the compass's heading.
  ///   - isDisturbed: whether its north is said to be disturbed.
  ///   - isLearning: whether it is an estimate that learns the error of its magnetometer.
  ///   - yawDeviation: of the path since it began, radians.
  ///   - time: seconds; one that is not later than the last says nothing.
  public mutating func take(
    _ between: Angle,
    deviation: Angle,
    isDisturbed: Bool,
    isLearning: Bool,
    yawDeviation: Double,
    at time: Double
  ) {
    let sigma = clamp(deviation.radians, 1e-3, pi)
    guard let angle else {
      self.angle = between.wrapped
      // Whatever the first look says, those of the next seconds count as much.
      variance = pi * pi
      (lastTime, lastYawDeviation, strayTime, looked) = (time, yawDeviation, 0, 0)
      return
    }
    let step = min(time - lastTime, 1)
    guard step > 0 else { return }
    lastTime = time
    let grown = max(0, yawDeviation * yawDeviation - lastYawDeviation * lastYawDeviation)
    lastYawDeviation = yawDeviation
    variance = min(variance + grown + parameters.drift * parameters.drift * step, pi * pi)
    let one = sigma * sigma
    let surprise = wrapToPi(between.radians - angle.radians)
    let correlation = isLearning ? parameters.learningCorrelation : parameters.correlation
    // Squares of deviations. The path does not turn by itself: a compass that is suddenly elsewhere is disturbed, said or not. An
    // estimate that is elsewhere has learned something.
    let isJudged = !isLearning && looked > correlation / 4
    let surprise2 = isJudged ? surprise * surprise / (variance + one) : 0
    if surprise2 > parameters.outlier * parameters.outlier {
      strayTime = isDisturbed ? 0 : strayTime + step
      guard strayTime <= parameters.patience else {
        // It was not the compass that went astray.
        self = PathAlignment(parameters: parameters)
        take(
          between,
          deviation: deviation,
          isDisturbed: isDisturbed,
          isLearning: isLearning,
          yawDeviation: yawDeviation,
          at: time
        )
        return
      }
    } else {
      strayTime = 0
    }
    looked += step
    let noise = one * correlation / step * (isDisturbed ? parameters.disturbance : 1)
    // The weight of an M-estimator that lets go of what is far off.
    let weight = 1 / ((1 + surprise2 / 2) * (1 + surprise2 / 2))
    let gain = weight * variance / (variance + noise)
    self.angle = Angle(radians: wrapToPi(angle.radians + gain * surprise))
    variance = max(variance * (1 - gain), min(variance, (isLearning ? 1 : parameters.share) * one))
  }

  /// The compass, or what is added to it, is another by so much, counter-clockwise; `deviation` is what north is known to from now on.
  public mutating func turn(by change: Angle, deviation: Angle) {
    guard let angle else { return }
    self.angle = (angle + change).wrapped
    variance = min(variance, max(deviation.radians * deviation.radians, 1e-6))
  }

  /// The path goes on in another world, in which the same direction is given by another angle.
  public mutating func carry(to angle: Angle, addedVariance: Double) {
    guard self.angle != nil else { return }
    self.angle = angle.wrapped
    variance = min(variance + max(0, addedVariance), pi * pi)
    lastYawDeviation = 0
  }
}
