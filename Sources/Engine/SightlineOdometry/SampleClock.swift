/// Takes the jitter out of the stamps of a sensor that measures at a steady rate.
///
/// Platforms stamp a reading when it reaches the program, a millisecond or two off. The readings themselves are evenly spaced, but for
/// those that were lost: the clock counts how many periods have gone by and follows the stamps slowly.
struct SampleClock {
  /// Shares of a stamp's deviation that moment and period take over once the clock has settled.
  ///
  /// Larger before, as in a line that is laid through all stamps so far.
  /// Source: Brookner, Tracking and Kalman Filtering Made Easy, 1998, sections 1.2 and 7.
  private static let (timeGain, periodGain) = (0.04, 0.0008)
  /// Gaps between the first stamps of which the period is the median.
  private static let firstGaps = 9
  /// A deviation beyond this is no jitter: the clock starts anew, seconds.
  private static let mostJitter = 0.025

  private var gaps: [Double] = []
  private var last = Double.nan
  private var lastStamp = Double.nan
  private var count = 0
  /// Seconds from one reading to the next.
  private(set) var period = 1.0 / 60

  /// The moment a reading ends, seconds.
  mutating func time(ofStamp stamp: Double) -> Double {
    defer { lastStamp = stamp }
    guard last.isFinite else {
      last = stamp
      return stamp
    }
    let gap = stamp - lastStamp
    if gaps.count < Self.firstGaps, gap > 1e-4, gap < 0.2 {
      gaps.append(gap)
      period = Self.median(gaps)
    }
    let periods = max(1, ((stamp - last) / period).rounded())
    let expected = last + periods * period
    let error = stamp - expected
    guard abs(error) < Self.mostJitter, periods < 30 else {
      last = max(stamp, last)
      count = 0
      return last
    }
    count += 1
    let k = Double(count)
    let timeGain = max(Self.timeGain, 2 * (2 * k + 1) / ((k + 1) * (k + 2)))
    let periodGain = max(Self.periodGain, 6 / ((k + 1) * (k + 2)))
    last = expected + min(1, timeGain) * error
    // The first stamps fix the period worse than the median of their gaps does.
    if count > 8 { period += periodGain * error / periods }
    return last
  }

  private static func median(_ values: [Double]) -> Double {
    var sorted = values
    for i in 1..<max(1, sorted.count) {
      var j = i
      while j > 0, sorted[j] < sorted[j - 1] {
        sorted.swapAt(j, j - 1)
        j -= 1
      }
    }
    return sorted[sorted.count / 2]
  }
}
