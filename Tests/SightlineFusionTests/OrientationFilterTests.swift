import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct OrientationFilterTests {
  private func phone(seed: UInt64) -> SyntheticMotion {
    SyntheticMotion(
      gyroscopeBias: Vector3(0.005, -0.004, 0.003),
      gyroscopeNoise: 0.002,
      forceNoise: 0.05,
      fieldNoise: 0.6,
      seed: seed
    )
  }

  /// Largest errors of total and tilt after some seconds, degrees.
  private func errors(
    _ filter: inout OrientationFilter,
    _ samples: [(sample: MotionSample, truth: Quaternion)],
    after start: Double
  ) -> (total: Double, tilt: Double) {
    var worst = (total: 0.0, tilt: 0.0)
    for (sample, truth) in samples {
      filter.take(sample)
      guard sample.time >= start else { continue }
      let estimate = filter.eastNorthUpFromDevice
      worst.total = max(worst.total, estimate.angle(to: truth).degrees)
      let up = (estimate * truth.inverse) * Vector3(0, 0, 1)
      worst.tilt = max(worst.tilt, Angle(radians: acos(up.z)).degrees)
    }
    return worst
  }

  @Test func `exact readings give the exact attitude`() {
    var filter = OrientationFilter()
    let worst = errors(&filter, SyntheticMotion().samples(seconds: 20, attitude: SyntheticMotion.wander), after: 1)
    // The gyroscope's samples are chords of the movement; what remains is their error.
    #expect(worst.total < 0.2, "\(worst)")
  }

  @Test(arguments: [10.0, 60, 100, 500]) func `any rate works with a phone's noise`(rate: Double) {
    var motion = phone(seed: 5)
    motion.rate = rate
    var filter = OrientationFilter()
    let worst = errors(&filter, motion.samples(seconds: 60, attitude: SyntheticMotion.wander), after: 30)
    #expect(worst.tilt < 1 && worst.total < 4, "\(worst)")
  }

  @Test func `a bias of five degrees a second is learnt in motion`() {
    var motion = phone(seed: 6)
    motion.gyroscopeBias = Vector3(0.087, -0.02, 0.05)
    var filter = OrientationFilter()
    let worst = errors(&filter, motion.samples(seconds: 120, attitude: SyntheticMotion.wander), after: 90)
    #expect((filter.state.bias - motion.gyroscopeBias).length < 0.01)
    #expect(worst.total < 6, "\(worst)")
  }

  @Test func `a steady pan is no rest`() {
    let motion = phone(seed: 7)
    var filter = OrientationFilter()
    let samples = motion.samples(seconds: 40) { t in
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: t < 10 ? 0 : 30 * (t - 10)))
        * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90))
    }
    let worst = errors(&filter, samples, after: 10)
    #expect(worst.total < 4, "\(worst)")
  }

  @Test func `acceleration to and fro does not tilt the horizon`() {
    let motion = phone(seed: 8)
    var filter = OrientationFilter()
    let samples = motion.samples(
      seconds: 60,
      attitude: SyntheticMotion.wander,
      acceleration: { t in t < 5 ? .zero : Vector3(4 * sin(6 * t), 3 * sin(8 * t + 1), 2 * sin(7 * t)) }
    )
    #expect(errors(&filter, samples, after: 20).tilt < 1.5)
  }

  @Test func `a magnet cannot tilt the horizon`() {
    let motion = phone(seed: 9)
    var calm = OrientationFilter()
    var disturbed = OrientationFilter()
    var worst = 0.0
    for (sample, truth) in motion.samples(seconds: 40, attitude: SyntheticMotion.wander) {
      calm.take(sample)
      var other = sample
      if sample.time > 20 { other.magneticField = Vector3(200, -150, 90) }
      disturbed.take(other)
      let up = (disturbed.levelFromDevice * truth.inverse * Vector3(0, 0, 1))
      if sample.time > 10 { worst = max(worst, Angle(radians: acos(up.z)).degrees) }
    }
    #expect(worst < 1.5)
  }

  @Test func `an attached magnet is learnt`() {
    var motion = phone(seed: 10)
    motion.hardIron = Vector3(25, -10, 15)
    var filter = OrientationFilter()
    let samples = motion.samples(seconds: 160) { t in
      // Turning over, so that the device's own field shows.
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: 0.8 * t))
        * Quaternion(
          axis: Vector3(1, 0, 0),
          angle: Angle(radians: 1.5 * sin(0.4 * t))
        )
        * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(radians: 1.3 * sin(0.31 * t)))
    }
    let worst = errors(&filter, samples, after: 130)
    #expect((filter.state.hardIron - motion.hardIron).length < 8, "\(filter.state.hardIron)")
    #expect(worst.total < 12, "\(worst)")
  }

  @Test func `a saved state goes on as if nothing had happened`() {
    let samples = phone(seed: 11).samples(seconds: 30, attitude: SyntheticMotion.wander)
    var whole = OrientationFilter()
    var first = OrientationFilter()
    for (k, entry) in samples.enumerated() {
      whole.take(entry.sample)
      if k < 1234 { first.take(entry.sample) }
    }
    var second = OrientationFilter(parameters: first.parameters, state: first.state)
    for entry in samples[1234...] { second.take(entry.sample) }
    #expect(second.eastNorthUpFromDevice == whole.eastNorthUpFromDevice)
  }

  @Test func `a later sample changes nothing that was said before`() {
    // Causality: equal beginnings give equal answers, whatever follows.
    let samples = phone(seed: 12).samples(seconds: 10, attitude: SyntheticMotion.wander)
    var a = OrientationFilter()
    var b = OrientationFilter()
    for (k, entry) in samples.enumerated() {
      a.take(entry.sample)
      b.take(entry.sample)
      if k < 700 { #expect(a.eastNorthUpFromDevice == b.eastNorthUpFromDevice) }
      if k >= 700 {
        b.take(
          MotionSample(time: entry.sample.time + 1e-4, angularVelocity: .zero, specificForce: nil, magneticField: nil)
        )
      }
    }
  }

  @Test func `time that stands still or runs backwards is refused`() {
    var filter = OrientationFilter()
    let samples = phone(seed: 13).samples(seconds: 2, attitude: SyntheticMotion.wander)
    for entry in samples {
      let used = filter.take(entry.sample)
      #expect(used)
    }
    let before = filter.eastNorthUpFromDevice
    for k in [150, 199] {
      let used = filter.take(samples[k].sample)
      #expect(!used)
    }
    #expect(filter.eastNorthUpFromDevice == before)
  }

  @Test func `numbers that are not finite are ignored`() throws {
    var filter = OrientationFilter()
    let bad = Vector3(.nan, .infinity, 0)
    for sample in [
      MotionSample(time: 0, angularVelocity: bad, specificForce: bad, magneticField: bad),
      MotionSample(time: .nan, angularVelocity: .zero, specificForce: Vector3(0, 0, 9.8), magneticField: nil),
    ] {
      let used = filter.take(sample)
      #expect(!used)
    }
    var worst = 0.0
    for (k, entry) in phone(seed: 14).samples(seconds: 40, attitude: SyntheticMotion.wander).enumerated() {
      var sample = entry.sample
      if k % 17 == 3 { sample.magneticField = bad }
      if k % 23 == 5 { sample.specificForce = bad }
      filter.take(sample)
      if sample.time > 20 { worst = max(worst, filter.eastNorthUpFromDevice.angle(to: entry.truth).degrees) }
    }
    #expect(worst < 5)
  }

  @Test func `after a gap the attitude starts anew and calibrations stay`() {
    var motion = phone(seed: 15)
    motion.gyroscopeBias = Vector3(0.03, 0.02, -0.03)
    var filter = OrientationFilter()
    let samples = motion.samples(seconds: 90, attitude: SyntheticMotion.wander)
    for entry in samples where entry.sample.time < 60 { filter.take(entry.sample) }
    let bias = filter.state.bias
    var worst = 0.0
    for entry in samples where entry.sample.time > 70 {
      filter.take(entry.sample)
      if entry.sample.time > 75 { worst = max(worst, filter.eastNorthUpFromDevice.angle(to: entry.truth).degrees) }
    }
    #expect((filter.state.bias - bias).length < 0.01)
    #expect(worst < 8)
  }

  @Test func `upside down and at the pole of its own angles it works as well`() {
    let motion = phone(seed: 16)
    for start in [Vector3(1, 0, 0), Vector3(0, 1, 0)] {
      var filter = OrientationFilter()
      let samples = motion.samples(seconds: 40) { t in
        Quaternion(axis: start, angle: Angle(degrees: 180)) * SyntheticMotion.wander(t)
      }
      #expect(errors(&filter, samples, after: 20).total < 4)
    }
  }

  @Test func `any readings leave a unit quaternion`() {
    var g = SplitMix64(seed: 17)
    var filter = OrientationFilter()
    func any(_ scale: Double) -> Vector3 {
      Vector3(
        .random(in: -scale...scale, using: &g),
        .random(in: -scale...scale, using: &g),
        .random(in: -scale...scale, using: &g)
      )
    }
    var time = 0.0
    for k in 0..<4_000 {
      time += .random(in: -0.01...0.2, using: &g)
      let scale = pow(10, .random(in: -6...6, using: &g))
      filter.take(
        MotionSample(
          time: time,
          angularVelocity: k % 5 == 0 ? nil : any(scale),
          specificForce: k % 7 == 0 ? nil : any(scale),
          magneticField: k % 3 == 0 ? nil : any(scale)
        )
      )
      let q = filter.eastNorthUpFromDevice
      #expect(isNear(q.dot(q), 1, within: 1e-9))
    }
  }
}
