import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct OrientationBoundsTests {
  @Test func `errors of a phone with ordinary noise are inside the bounds`() {
    var inside = (tilt: 0, heading: 0, all: 0)
    for seed in 60..<64 as Range<UInt64> {
      let motion = SyntheticMotion(
        rate: 60,
        gyroscopeBias: Vector3(0.01, -0.004, 0.008),
        gyroscopeNoise: 0.002,
        forceNoise: 0.05,
        fieldNoise: 0.6,
        hardIron: Vector3(0.5, -1, 0.8),
        seed: seed
      )
      var filter = OrientationFilter()
      for (sample, truth) in motion.samples(seconds: 40, attitude: SyntheticMotion.wander) {
        filter.take(sample)
        let e = filter.eastNorthUpFromDevice * truth.inverse
        let tilt = 2 * acos(hypot(e.w, e.z))
        let heading = abs(wrapToPi(2 * atan2(e.z, e.w)))
        inside.all += 1
        if tilt <= filter.bounds.tilt.radians { inside.tilt += 1 }
        if heading <= filter.bounds.heading.radians { inside.heading += 1 }
      }
    }
    #expect(Double(inside.tilt) > 0.95 * Double(inside.all) && Double(inside.heading) > 0.95 * Double(inside.all))
  }

  @Test func `without a north nothing is claimed of the heading`() {
    var filter = OrientationFilter()
    for (sample, _) in SyntheticMotion().samples(seconds: 5, attitude: SyntheticMotion.wander) {
      var sample = sample
      sample.magneticField = nil
      filter.take(sample)
    }
    #expect(filter.bounds.heading.degrees == 180 && filter.bounds.tilt.degrees < 10)
  }

  @Test func `a field that turns about widens the heading's bound and is called a disturbance`() {
    var fusion = OrientationFusion()
    var calm = 0.0
    for (sample, truth) in SyntheticMotion(rate: 60).samples(seconds: 60, attitude: SyntheticMotion.wander) {
      var sample = sample
      if sample.time > 30 {
        // A tram goes by, and another.
        let other = Vector3(25 * sin(0.8 * sample.time), 10, 20)
        sample.magneticField = truth.inverse * (SyntheticMotion.field + other)
      }
      fusion.take(sample)
      if sample.time < 30 {
        #expect(!fusion.isNorthDisturbed)
        calm = fusion.bounds?.heading.degrees ?? 0
      }
    }
    #expect(fusion.isNorthDisturbed)
    #expect((fusion.bounds?.heading.degrees ?? 0) > 2 * calm)
  }

  @Test func `a field that is not the Earth's is called a disturbance, though it is steady`() {
    for (strength, disturbed) in [(1.0, false), (1.6, true)] {
      var fusion = OrientationFusion()
      fusion.earthField = (SyntheticMotion.field.length, Angle(radians: atan2(43.5, 20.3)))
      for (sample, truth) in SyntheticMotion(rate: 60).samples(seconds: 20, attitude: SyntheticMotion.wander) {
        var sample = sample
        sample.magneticField = truth.inverse * (SyntheticMotion.field * strength)
        fusion.take(sample)
      }
      #expect(fusion.isNorthDisturbed == disturbed)
    }
  }
}
