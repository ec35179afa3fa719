import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct PresentationTests {
  /// Pixels a radian at the centre of a view of 60° on 1280 pixels.
  private static let pixels = 640 / tan(Angle(degrees: 30).radians)
  private static let upright = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90))

  private func phone(seed: UInt64) -> SyntheticMotion {
    SyntheticMotion(
      rate: 60,
      gyroscopeBias: Vector3(0.005, -0.0035, 0.0044),
      gyroscopeNoise: 0.0017,
      forceNoise: 0.05,
      fieldNoise: 0.6,
      seed: seed
    )
  }

  private static func rounded(_ v: Vector3?, to step: Double) -> Vector3? {
    v.map { Vector3(($0.x / step).rounded() * step, ($0.y / step).rounded() * step, ($0.z / step).rounded() * step) }
  }

  /// Frames at 60 a second between the samples, as a browser's sensors with its rounding make them: time, shown, truth.
  private func frames(
    seconds: Double,
    seed: UInt64 = 30,
    offset: Double = 0.007,
    magnetometer: Bool = true,
    attitude: (Double) -> Quaternion
  ) -> [(time: Double, shown: Quaternion, truth: Quaternion)] {
    var fusion = OrientationFusion()
    var presentation = Presentation()
    return phone(seed: seed).samples(seconds: seconds, attitude: attitude).map { sample, _ in
      var sample = sample
      sample.angularVelocity = Self.rounded(sample.angularVelocity, to: 0.1 * pi / 180)
      sample.specificForce = Self.rounded(sample.specificForce, to: 0.1)
      if !magnetometer { sample.magneticField = nil }
      fusion.take(sample)
      let time = sample.time + offset
      let shown = fusion.estimate.map { presentation.show($0, at: time) } ?? .identity
      return (time, shown, attitude(time))
    }
  }

  @Test(arguments: [true, false])
  func `a resting phone shows the same picture`(magnetometer: Bool) {
    let all = frames(seconds: 40, magnetometer: magnetometer) { _ in Self.upright }.filter { $0.time > 10 }
    var worst = 0.0
    for (a, b) in zip(all, all.dropFirst()) { worst = max(worst, a.shown.angle(to: b.shown).radians * Self.pixels) }
    #expect(worst < 0.3, "\(worst) pixels between frames")
    let wander = all[0].shown.angle(to: all[600].shown).radians * Self.pixels
    #expect(wander < 2, "\(wander) pixels in 10 s")
  }

  @Test(arguments: [0.5, 1.0])
  func `a turn so slow that it looks like rest is followed`(rate: Double) throws {
    let all = frames(seconds: 40) { t in
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: t < 20 ? 0 : rate * (t - 20))) * Self.upright
    }
    let before = try #require(all.last { $0.time < 20 })
    let error = before.shown * before.truth.inverse
    var worst = 0.0
    for frame in all where frame.time > 20 {
      worst = max(worst, (error * frame.truth).angle(to: frame.shown).degrees)
    }
    // The slack, and what the heading's estimate drifts meanwhile; standing still would be 4° and more.
    #expect(worst < 1.5, "\(worst)°")
  }

  /// Minimum jerk, 0 … 1.
  private static func step(_ x: Double) -> Double {
    let x = clamp(x, 0, 1)
    return x * x * x * (10 - 15 * x + 6 * x * x)
  }

  @Test(arguments: [Vector3(0, 0, 1), Vector3(1, 0, 0)])
  func `a turn of 60 degrees in 0.3 s neither overshoots nor lags`(axis: Vector3) throws {
    func attitude(_ t: Double) -> Quaternion {
      Quaternion(axis: axis, angle: Angle(degrees: 60 * Self.step((t - 20) / 0.3))) * Self.upright
    }
    let all = frames(seconds: 25, attitude: attitude)
    let before = try #require(all.last { $0.time < 20 })
    let error = before.shown * before.truth.inverse
    var overshoot = 0.0
    for frame in all where frame.time > 20.3 {
      let turned = (frame.shown * before.shown.inverse).angle(to: .identity).degrees
      overshoot = max(overshoot, turned - 60)
      // Against the error before the turn, which is another matter.
      let difference = (error * frame.truth).angle(to: frame.shown).degrees
      if frame.time > 20.4 { #expect(difference < 1, "\(difference)° at \(frame.time - 20.3) s after the turn") }
    }
    #expect(overshoot < 1, "\(overshoot)°")
  }

  @Test func `a pan is shown without lag`() {
    // To and fro at 30° a second: an error of the heading is the same both ways, a lag is not.
    func attitude(_ t: Double) -> Quaternion {
      let phase = (t / 2).truncatingRemainder(dividingBy: 1)
      let heading = t < 20 ? 0 : 60 * (phase < 0.5 ? phase : 1 - phase)
      return Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: heading)) * Self.upright
    }
    var sums = (forth: 0.0, back: 0.0)
    var counts = (forth: 0.0, back: 0.0)
    for frame in frames(seconds: 60, attitude: attitude) where frame.time > 24 {
      let phase = (frame.time / 2).truncatingRemainder(dividingBy: 1)
      let behind = (frame.truth * frame.shown.inverse).rotationAboutUp / Angle(degrees: 30).radians
      // Not at the turning points.
      if phase > 0.15 && phase < 0.45 { sums.forth += behind; counts.forth += 1 }
      if phase > 0.65 && phase < 0.95 { sums.back += behind; counts.back += 1 }
    }
    let lag = (sums.forth / counts.forth - sums.back / counts.back) / 2
    #expect(abs(lag) < 0.005, "\(lag * 1000) ms")
  }

  @Test(arguments: [0.02, 0.08, 0.2])
  func `under an old picture the turn of that time is shown`(age: Double) {
    func attitude(_ t: Double) -> Quaternion {
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 40 * sin(1.5 * t))) * Self.upright
    }
    var fusion = OrientationFusion()
    var presentation = Presentation()
    var worst = 0.0
    for (sample, _) in SyntheticMotion(rate: 60).samples(seconds: 12, attitude: attitude) {
      fusion.take(sample)
      guard let estimate = fusion.estimate else { continue }
      let time = sample.time + 0.006
      let shown = presentation.show(estimate, at: time, pictureAge: age)
      if time > 5 { worst = max(worst, shown.angle(to: attitude(time - age)).degrees) }
    }
    // 60° a second at its fastest: 1° would be 17 ms.
    #expect(worst < 0.4, "\(worst)°")
  }

  @Test func `a correction of the heading glides`() throws {
    var presentation = Presentation()
    func estimate(_ time: Double, heading: Double) -> OrientationFusion.Estimate {
      OrientationFusion.Estimate(
        levelFromDevice: Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: heading)) * Self.upright,
        north: .magnetic,
        angularVelocity: .zero,
        turned: .identity,
        restDuration: 0,
        time: time
      )
    }
    var last: Quaternion?
    var worst = 0.0
    for k in 0..<600 {
      let time = Double(k) / 60
      let shown = presentation.show(estimate(time, heading: time < 5 ? 0 : 8), at: time)
      if let last { worst = max(worst, shown.angle(to: last).degrees) }
      last = shown
    }
    #expect(worst < 0.5, "\(worst)° in a frame")
    let end = try #require(last)
    #expect(end.angle(to: estimate(10, heading: 8).levelFromDevice).degrees < 2.5)
  }
}

extension Quaternion {
  /// Signed rotation about "up", radians.
  fileprivate var rotationAboutUp: Double { wrapToPi(2 * atan2(z, w)) }
}
