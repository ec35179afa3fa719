import SightlineMath
import Testing

@testable import SightlineOdometry

@Suite struct MotionHistoryTests {
  /// Means of rate 0.4 + 1.5 t about z and force 2 − t along x over each sixtieth of a second.
  private func history(until end: Int, without lost: Set<Int> = []) -> MotionHistory {
    var history = MotionHistory()
    for i in 1...end where !lost.contains(i) {
      let time = Double(i) / 60
      let middle = time - 1.0 / 120
      history.append(
        InertialReading(
          time: time,
          angularRate: Vector3(0, 0, 0.4 + 1.5 * middle),
          specificForce: Vector3(2 - middle, 0, 0)
        )
      )
    }
    return history
  }

  private func integral(
    _ history: MotionHistory,
    _ from: Double,
    _ to: Double
  ) -> (rate: Double, force: Double, time: Double) {
    var sum = (0.0, 0.0, 0.0)
    history.forEachStep(from: from, to: to) { step in
      sum.0 += step.rate.z * step.duration
      sum.1 += step.force.x * step.duration
      sum.2 += step.duration
    }
    return sum
  }

  @Test(arguments: [(0.203, 0.704), (0.5, 0.5031), (0.1, 0.9)])
  func `integrals over parts of readings are those of the motion`(from: Double, to: Double) {
    let (rate, force, time) = integral(history(until: 60), from, to)
    #expect(abs(time - (to - from)) < 1e-12)
    #expect(abs(rate - (0.4 * (to - from) + 0.75 * (to * to - from * from))) < 1e-6)
    #expect(abs(force - (2 * (to - from) - 0.5 * (to * to - from * from))) < 1e-6)
  }

  @Test func `a lost reading is bridged by its neighbours`() {
    let (rate, _, time) = integral(history(until: 60, without: [30, 31]), 0.4, 0.6)
    #expect(abs(time - 0.2) < 1e-12)
    #expect(abs(rate - (0.4 * 0.2 + 0.75 * 0.2)) < 1e-4)
  }

  @Test func `beyond the last reading its values go on`() {
    let (rate, _, time) = integral(history(until: 60), 1, 1.02)
    #expect(abs(time - 0.02) < 1e-12)
    #expect(abs(rate - 0.02 * (0.4 + 1.5 * (1 - 1.0 / 120))) < 1e-9)
  }

  @Test func `readings that are no numbers or come twice change nothing`() {
    var history = history(until: 60)
    let before = integral(history, 0.2, 1)
    for time in [Double.nan, .infinity, 0.5, 1.0] {
      history.append(InertialReading(time: time, angularRate: .zero, specificForce: .zero))
    }
    history.append(
      InertialReading(time: 1 + 1.0 / 60, angularRate: Vector3(.nan, 0, 0), specificForce: .zero)
    )
    history.append(InertialReading(time: 1 + 1.0 / 60, angularRate: Vector3(1e300, 0, 0), specificForce: .zero))
    #expect(integral(history, 0.2, 1) == before)
  }

  @Test func `a pause of a second leaves nothing of the time before`() throws {
    var history = history(until: 60)
    history.append(InertialReading(time: 2, angularRate: .zero, specificForce: .zero))
    #expect(try #require(history.start) > 1.9)
    #expect(history.end == 2)
  }
}
