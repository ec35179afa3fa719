import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct ElementaryTests {
  @Test(arguments: [-3, -1, 0, 1, 2, 5]) func `sine and cosine are exact at quarter turns`(turns: Int) {
    let exact = [(0.0, 1.0), (1, 0), (0, -1), (-1, 0)]
    for quarter in 0..<4 {
      let (s, c) = sineCosine(degrees: Double(360 * turns + 90 * quarter))
      #expect(s == exact[quarter].0 && c == exact[quarter].1)
      // A zero with a sign would turn an angle of the arc tangent by half a circle.
      #expect(quarter == 0 || s != 0 || s.sign == .plus)
      #expect(c != 0 || c.sign == .plus)
    }
  }

  @Test func `sine and cosine of degrees are those of radians`() {
    var g = SplitMix64(seed: 1)
    for i in 0..<5000 {
      let degrees = Double.random(in: -1000...1000, using: &g)
      let (s, c) = sineCosine(degrees: degrees)
      // The radians of a large angle are rounded, the degrees are not.
      #expect(isNear(s, sin(degrees * (pi / 180)), within: 4e-15), "seed 1, case \(i): \(degrees)")
      #expect(isNear(c, cos(degrees * (pi / 180)), within: 4e-15), "seed 1, case \(i): \(degrees)")
      #expect(isNear(s * s + c * c, 1, within: 5e-16), "seed 1, case \(i): \(degrees)")
      let (s1, c1) = sineCosine(degrees: -degrees)
      #expect(s1 == -s && c1 == c, "seed 1, case \(i): \(degrees)")
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func `the sine of an angle that is not finite is not a number`(
    degrees: Double
  ) {
    let (s, c) = sineCosine(degrees: degrees)
    #expect(s.isNaN && c.isNaN)
  }

  @Test func `arc functions take what rounding has carried just past 1`() {
    #expect(asin(1 + 1e-15) == pi / 2 && asin(-1 - 1e-15) == -pi / 2)
    #expect(acos(1 + 1e-15) == 0 && acos(-1 - 1e-15) == pi)
    #expect(asin(.nan).isNaN && acos(.nan).isNaN)
  }

  @Test func `clamping limits and lets no number through as one`() {
    #expect(clamp(3, 0, 2) == 2 && clamp(-3, 0, 2) == 0 && clamp(1, 0, 2) == 1)
    #expect(clamp(.infinity, 0, 2) == 2)
    #expect(clamp(.nan, 0, 2).isNaN)
  }

  @Test func `a wrapped angle is the same direction, from just above -pi to pi`() {
    #expect(wrapToPi(pi) == pi && wrapToPi(-pi) == pi && wrapToPi(0) == 0)
    #expect(isNear(wrapToPi(3 * pi), pi, within: 1e-15))
    var g = SplitMix64(seed: 2)
    for i in 0..<5000 {
      let radians = Double.random(in: -100...100, using: &g)
      let wrapped = wrapToPi(radians)
      #expect(wrapped > -pi - 1e-14 && wrapped <= pi + 1e-14, "seed 2, case \(i): \(radians)")
      #expect(isNear(sin(wrapped), sin(radians), within: 2e-14), "seed 2, case \(i): \(radians)")
      #expect(isNear(cos(wrapped), cos(radians), within: 2e-14), "seed 2, case \(i): \(radians)")
      #expect(Angle(radians: radians).wrapped == Angle(radians: wrapped))
    }
    #expect(wrapToPi(.nan).isNaN)
  }

  @Test func `an angle is the same in degrees and radians`() {
    #expect(Angle(degrees: 180).radians == pi)
    #expect(Angle(radians: pi / 2).degrees == 90)
    #expect(isNear(Angle(degrees: 12.5).degrees, 12.5, within: 1e-14))
    #expect(Angle(degrees: 10) < Angle(degrees: 11))
    #expect((Angle(radians: 1) + Angle(radians: 2) - Angle(radians: 4)).radians == -1)
    #expect((-Angle(radians: 1)).radians == -1 && Angle.zero.radians == 0)
  }

  /// One value each, so that no function is wired to another.
  @Test func `each function is the one it is called`() {
    #expect(isNear(sin(0.5), 0.479_425_538_604_203, within: 1e-15))
    #expect(isNear(cos(0.5), 0.877_582_561_890_372_7, within: 1e-15))
    #expect(isNear(tan(0.5), 0.546_302_489_843_790_5, within: 1e-15))
    #expect(isNear(asin(0.5), 0.523_598_775_598_298_9, within: 1e-15))
    #expect(isNear(acos(0.5), 1.047_197_551_196_597_8, within: 1e-15))
    #expect(isNear(atan(0.5), 0.463_647_609_000_806_1, within: 1e-15))
    #expect(isNear(atan2(1, -2), 2.677_945_044_588_987, within: 1e-15))
    #expect(isNear(exp(0.5), 1.648_721_270_700_128_2, within: 1e-15))
    #expect(isNear(log(0.5), -0.693_147_180_559_945_3, within: 1e-15))
    #expect(isNear(pow(2, 0.5), 1.414_213_562_373_095_1, within: 1e-15))
    #expect(isNear(hypot(3e200, 4e200) / 1e200, 5, within: 1e-14))
    #expect(fmod(-7.5, 2) == -1.5)
  }
}
