import SightlineTestSupport
import Testing

@testable import SightlineOdometry

@Suite struct SampleClockTests {
  /// Stamps of a steady sensor with jitter, some of them lost.
  private func stamps(_ count: Int, period: Double, jitter: Double, seed: UInt64) -> [(true: Double, stamp: Double)] {
    var random = SplitMix64(seed: seed)
    var result: [(Double, Double)] = []
    for i in 0..<count {
      let time = 5 + period * Double(i)
      let noise =
        (Double.random(in: 0..<1, using: &random) + Double.random(in: 0..<1, using: &random)
          + Double.random(in: 0..<1, using: &random) - 1.5) * 2 * jitter
      if i > 5, Double.random(in: 0..<1, using: &random) < 0.01 { continue }
      result.append((time, time + noise))
    }
    return result
  }

  @Test(arguments: [1.0 / 60, 1.0 / 100, 1.0 / 30])
  func `jitter of a millisecond and a half is a fifth of that afterwards`(period: Double) {
    var clock = SampleClock()
    var squares = 0.0
    var count = 0.0
    for (index, sample) in stamps(900, period: period, jitter: 0.0015, seed: 3).enumerated() {
      let time = clock.time(ofStamp: sample.stamp)
      guard index > 120 else { continue }
      squares += (time - sample.true) * (time - sample.true)
      count += 1
    }
    #expect((squares / count).squareRoot() < 0.0004)
    #expect(abs(clock.period - period) < 0.002 * period)
  }

  @Test func `a pause starts the clock anew`() {
    var clock = SampleClock()
    for i in 0..<100 { _ = clock.time(ofStamp: Double(i) / 60) }
    let later = clock.time(ofStamp: 100)
    #expect(later == 100)
    let next = clock.time(ofStamp: 100 + 1.0 / 60)
    #expect(abs(next - (100 + 1.0 / 60)) < 1e-3)
  }

  @Test func `times never run backwards`() {
    var clock = SampleClock()
    var random = SplitMix64(seed: 8)
    var last = -Double.infinity
    for i in 0..<500 {
      let time = clock.time(ofStamp: Double(i) / 60 + 0.03 * Double.random(in: 0..<1, using: &random))
      #expect(time >= last - 0.02)
      last = max(last, time)
    }
  }
}
