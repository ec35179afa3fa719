import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct PathAlignmentTests {
  @Test(arguments: [true, false])
  func `an estimate that learns its error is followed within seconds, a compass that changes is not`(
    isLearning: Bool
  ) throws {
    var alignment = PathAlignment()
    for picture in 0..<600 {
      let time = Double(picture) / 30
      // Forty degrees for five seconds, which go within five more.
      let degrees: Double = 40 * clamp(2 - time / 5, 0, 1)
      alignment.take(
        Angle(degrees: degrees),
        deviation: Angle(degrees: 4),
        isDisturbed: false,
        isLearning: isLearning,
        yawDeviation: 0,
        at: time
      )
    }
    let angle = try #require(alignment.angle).degrees
    #expect(isLearning ? abs(angle) < 1 : angle > 30)
  }

  @Test func `an estimate that learns its error is calmed`() throws {
    var alignment = PathAlignment()
    var random = SplitMix64(seed: 9)
    var squares = 0.0
    for picture in 0..<1800 {
      let look = Angle(degrees: 4 * Double.random(in: -1.7...1.7, using: &random))
      alignment.take(
        look,
        deviation: Angle(degrees: 4),
        isDisturbed: false,
        isLearning: true,
        yawDeviation: 0,
        at: Double(picture) / 30
      )
      let angle = try #require(alignment.angle).degrees
      if picture >= 300 { squares += angle * angle / 1500 }
    }
    #expect(squares.squareRoot() < 1)
  }
}
