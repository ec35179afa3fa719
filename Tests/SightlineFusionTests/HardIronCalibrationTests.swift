import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

/// A magnet in the case, told from the Earth's field by turning in a clean place.
@Suite struct HardIronCalibrationTests {
  private static let earth = (
    strength: SyntheticMotion.field.length,
    dip: Angle(radians: atan2(-SyntheticMotion.field.z, SyntheticMotion.field.y))
  )

  private func phone(_ hardIron: Vector3, seed: UInt64) -> SyntheticMotion {
    SyntheticMotion(
      rate: 60,
      gyroscopeBias: Vector3(0.003, -0.004, 0.002),
      gyroscopeNoise: 0.002,
      forceNoise: 0.05,
      fieldNoise: 0.6,
      hardIron: hardIron,
      seed: seed
    )
  }

  /// As people look around: upright, still for 8 s, a pan of 100° within 4 s, back again later.
  private static func lookAround(_ t: Double) -> Quaternion {
    let pan = smooth((t - 8) / 4) - 0.8 * smooth((t - 18) / 4) + 0.5 * smooth((t - 28) / 4)
    let heading = Angle(degrees: 100 * pan + 0.5 * sin(1.3 * t))
    let pitch = Angle(degrees: 90 - 50 * (1 - smooth((t - 2) / 1.5)) + 0.7 * sin(2.1 * t))
    return Quaternion(axis: Vector3(0, 0, 1), angle: heading) * Quaternion(axis: Vector3(1, 0, 0), angle: pitch)
  }
  private static func smooth(_ s: Double) -> Double {
    let s = clamp(s, 0, 1)
    return s * s * (3 - 2 * s)
  }

  /// Heading error of each sample, degrees, and the stated bound.
  private func errors(
    _ motion: SyntheticMotion,
    seconds: Double = 40,
    disturbance: (Double) -> Vector3 = { _ in .zero },
    attitude: (Double) -> Quaternion
  ) -> (filter: OrientationFilter, errors: [(time: Double, heading: Double, bound: Double)]) {
    var filter = OrientationFilter()
    filter.earthField = Self.earth
    var errors: [(time: Double, heading: Double, bound: Double)] = []
    for (sample, truth) in motion.samples(seconds: seconds, attitude: attitude) {
      var sample = sample
      sample.magneticField = sample.magneticField.map { $0 + truth.inverse * disturbance(sample.time) }
      filter.take(sample)
      let turn = filter.eastNorthUpFromDevice * truth.inverse
      errors.append(
        (sample.time, Angle(radians: wrapToPi(2 * atan2(turn.z, turn.w))).degrees, filter.bounds.heading.degrees)
      )
    }
    return (filter, errors)
  }

  @Test(arguments: [
    Vector3(9, -5, 3), Vector3(-12, 4, 8), Vector3(2, 1, -1.5), Vector3(0, 0, -14), .zero,
  ])
  func `hard iron is known after one pan`(hardIron: Vector3) {
    for seed: UInt64 in 1...3 {
      let (filter, errors) = errors(phone(hardIron, seed: seed), attitude: Self.lookAround)
      let late = errors.filter { $0.time > 14 }.map { abs($0.heading) }
      let early = errors.filter { $0.time > 4 && $0.time < 8 }.map { abs($0.heading) }
      #expect((late.max() ?? 180) < 6, "\(hardIron), \(seed): \(late.max() ?? 180)°, before \(early.max() ?? 0)°")
      // The part along the vertical hardly matters and is hardly known.
      let off = filter.state.hardIron - hardIron
      #expect(hypot(off.x, off.z) < 1.6, "\(hardIron), \(seed): \(filter.state.hardIron)")
    }
  }

  @Test func `without a turn hard iron is not claimed to be known`() {
    // The raw field's heading is wrong by 24° here; nobody can know.
    let (filter, errors) = errors(phone(Vector3(9, 0, 0), seed: 4), seconds: 20) { t in
      Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 88 + 0.7 * sin(2.1 * t)))
    }
    #expect(filter.state.hardIron.length < 1)
    #expect(errors.allSatisfy { $0.time < 4 || abs($0.heading) > 15 })
  }

  @Test func `steel in the surroundings is not taken for hard iron`() {
    // Walking past cars and kerbs: the field of the place changes from step to step.
    for seed: UInt64 in 1...3 {
      let (filter, errors) = errors(
        phone(.zero, seed: seed),
        disturbance: { t in
          Vector3(7 * sin(1.1 * t + Double(seed)), 6 * sin(0.83 * t), 8 * sin(1.37 * t + 1))
        },
        attitude: Self.lookAround
      )
      #expect(filter.state.hardIron.length < 4, "\(seed): \(filter.state.hardIron)")
      let outside = errors.filter { $0.time > 4 && abs($0.heading) > $0.bound }.count
      #expect(Double(outside) < 0.1 * Double(errors.count), "\(seed): \(outside) of \(errors.count)")
    }
  }

  @Test func `a magnet attached later is noticed and learnt`() {
    var filter = OrientationFilter()
    filter.earthField = Self.earth
    var worst = 0.0
    let motion = phone(.zero, seed: 5)
    for (sample, truth) in motion.samples(seconds: 150, attitude: SyntheticMotion.wander) {
      var sample = sample
      if sample.time > 45 { sample.magneticField = sample.magneticField.map { $0 + Vector3(9, -5, 3) } }
      filter.take(sample)
      let turn = filter.eastNorthUpFromDevice * truth.inverse
      if sample.time > 120 { worst = max(worst, abs(Angle(radians: wrapToPi(2 * atan2(turn.z, turn.w))).degrees)) }
    }
    #expect(worst < 8, "\(worst)°, \(filter.state.hardIron)")
  }
}
