import SightlineMath

extension Ephemeris {
  /// A periodic term: multiples of the moon's elongation, the sun's anomaly, the moon's anomaly and its argument of
  /// latitude, and its size.
  private typealias Term = (d: Int8, m: Int8, p: Int8, f: Int8, size: Double)

  /// The moon's apparent place of date; Meeus, chapter 47, terms from 0.002° on.
  static func moon(_ t: Double) -> Place {
    let mean = 218.3164477 + t * (481267.88123421 - t * 0.0015786)
    let d = 297.8501921 + t * (445267.1114034 - t * 0.0018819)
    let m = 357.5291092 + t * (35999.0502909 - t * 0.0001536)
    let p = 134.9633964 + t * (477198.8675055 + t * 0.0087414)
    let f = 93.2720950 + t * (483202.0175233 - t * 0.0036539)
    // The Earth's orbit grows rounder: terms with the sun's anomaly shrink.
    let e = 1 - t * (0.002516 + t * 0.0000074)
    func argument(_ term: Term) -> (sine: Double, cosine: Double, size: Double) {
      let angle = Double(term.d) * d + Double(term.m) * m + Double(term.p) * p + Double(term.f) * f
      let wave = sineCosine(degrees: angle)
      return (wave.sine, wave.cosine, term.size * (term.m == 0 ? 1 : (term.m * term.m == 1 ? e : e * e)))
    }
    var (longitude, latitude, distance) = (0.0, 0.0, 385_000.56)
    for k in 0..<longitudeTerms.count {
      let a = argument(longitudeTerms[k])
      longitude += a.size * a.sine
    }
    for k in 0..<latitudeTerms.count {
      let a = argument(latitudeTerms[k])
      latitude += a.size * a.sine
    }
    for k in 0..<distanceTerms.count {
      let a = argument(distanceTerms[k])
      distance += a.size * a.cosine
    }
    func s(_ degrees: Double) -> Double { sineCosine(degrees: degrees).sine }
    let (venus, jupiter, third) = (119.75 + 131.849 * t, 53.09 + 479264.290 * t, 313.45 + 481266.484 * t)
    longitude += 3958 * s(venus) + 1962 * s(mean - f) + 318 * s(jupiter)
    latitude += -2235 * s(mean) + 382 * s(third) + 175 * (s(venus - f) + s(venus + f)) + 127 * s(mean - p)
    latitude -= 115 * s(mean + p)
    let nutation = -0.00478 * s(125.04 - 1934.136 * t)
    return Place(
      longitude: fmod(mean + longitude * 1e-6 + nutation, 360),
      latitude: latitude * 1e-6,
      distance: distance
    )
  }

  /// Millionths of a degree.
  private static let longitudeTerms: [Term] = [
    (0, 0, 1, 0, 6_288_774), (2, 0, -1, 0, 1_274_027), (2, 0, 0, 0, 658_314), (0, 0, 2, 0, 213_618),
    (0, 1, 0, 0, -185_116), (0, 0, 0, 2, -114_332), (2, 0, -2, 0, 58_793), (2, -1, -1, 0, 57_066),
    (2, 0, 1, 0, 53_322), (2, -1, 0, 0, 45_758), (0, 1, -1, 0, -40_923), (1, 0, 0, 0, -34_720),
    (0, 1, 1, 0, -30_383), (2, 0, 0, -2, 15_327), (0, 0, 1, 2, -12_528), (0, 0, 1, -2, 10_980),
    (4, 0, -1, 0, 10_675), (0, 0, 3, 0, 10_034), (4, 0, -2, 0, 8548), (2, 1, -1, 0, -7888),
    (2, 1, 0, 0, -6766), (1, 0, -1, 0, -5163), (1, 1, 0, 0, 4987), (2, -1, 1, 0, 4036), (2, 0, 2, 0, 3994),
    (4, 0, 0, 0, 3861), (2, 0, -3, 0, 3665), (0, 1, -2, 0, -2689), (2, 0, -1, 2, -2602), (2, -1, -2, 0, 2390),
    (1, 0, 1, 0, -2348), (2, -2, 0, 0, 2236), (0, 1, 2, 0, -2120), (0, 2, 0, 0, -2069),
  ]
  /// Millionths of a degree.
  private static let latitudeTerms: [Term] = [
    (0, 0, 0, 1, 5_128_122), (0, 0, 1, 1, 280_602), (0, 0, 1, -1, 277_693), (2, 0, 0, -1, 173_237),
    (2, 0, -1, 1, 55_413), (2, 0, -1, -1, 46_271), (2, 0, 0, 1, 32_573), (0, 0, 2, 1, 17_198),
    (2, 0, 1, -1, 9266), (0, 0, 2, -1, 8822), (2, -1, 0, -1, 8216), (2, 0, -2, -1, 4324), (2, 0, 1, 1, 4200),
    (2, 1, 0, -1, -3359), (2, -1, -1, 1, 2463), (2, -1, 0, 1, 2211), (2, -1, -1, -1, 2065),
  ]
  /// Kilometres; the sizes of these matter for the parallax only.
  private static let distanceTerms: [Term] = [
    (0, 0, 1, 0, -20905.355), (2, 0, -1, 0, -3699.111), (2, 0, 0, 0, -2955.968), (0, 0, 2, 0, -569.925),
    (2, 0, -2, 0, 246.158), (2, -1, 0, 0, -204.586), (2, 0, 1, 0, -170.733), (2, -1, -1, 0, -152.138),
    (0, 1, -1, 0, -129.620), (1, 0, 0, 0, 108.743), (0, 1, 1, 0, 104.755), (0, 1, 0, 0, 48.888),
  ]
}
