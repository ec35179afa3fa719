import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct GeocentricTests {
  static let rows = goldenRows("geodesy/geocentric.txt")

  private static func distance(_ a: Geocentric, _ b: Geocentric) -> Double { (a.vector - b.vector).length }

  @Test func `the table of reference values is complete`() {
    #expect(Self.rows.count == 48)
    #expect(Self.rows.allSatisfy { $0.count == 6 })
  }

  // A few units of the last place of the largest coordinate: 2e-9 m at the surface.
  @Test(arguments: rows) func `a position computed with 50 digits is met, there and back`(row: [Double]) {
    let expected = Geocentric(x: row[3], y: row[4], z: row[5])
    let tolerance = 4e-16 * max(expected.vector.length, 6.4e6)
    let geodetic = Geodetic(latitudeDegrees: row[0], longitudeDegrees: row[1], altitude: row[2])
    #expect(isNear(Self.distance(Geocentric(geodetic), expected), 0, within: tolerance))
    let back = expected.geodetic
    #expect(isNear(back.altitude, row[2], within: 2 * tolerance))
    #expect(isNear(Self.distance(Geocentric(back), expected), 0, within: 3 * tolerance))
    let turn = (Angle(degrees: back.longitudeDegrees) - Angle(degrees: row[1])).wrapped.degrees
    if abs(row[0]) < 90 { #expect(isNear(turn, 0, within: 1e-13 / cosine(row[0]))) }
  }

  private func cosine(_ latitude: Double) -> Double { sineCosine(degrees: latitude).cosine }

  /// EPSG Guidance Note 7-2, method 9602: 53°48′33.820″ N, 2°07′46.380″ E, 73 m.
  @Test func `the example of EPSG method 9602 is met`() {
    let place = Geodetic(
      latitudeDegrees: 53 + 48.0 / 60 + 33.820 / 3600,
      longitudeDegrees: 2 + 7.0 / 60 + 46.380 / 3600,
      altitude: 73
    )
    let p = Geocentric(place)
    #expect(isNear(p.x, 3_771_793.968, within: 1e-3))
    #expect(isNear(p.y, 140_253.342, within: 1e-3))
    #expect(isNear(p.z, 5_124_304.349, within: 1e-3))
    let back = Geocentric(x: 3_771_793.968, y: 140_253.342, z: 5_124_304.349).geodetic
    #expect(isNear(back.latitudeDegrees, place.latitudeDegrees, within: 1e-8))
    #expect(isNear(back.longitudeDegrees, place.longitudeDegrees, within: 1e-8))
    #expect(isNear(back.altitude, 73, within: 1e-3))
  }

  /// The examples of the manual page CartConvert(1) of GeographicLib; the second lies 43 km from the Earth's centre.
  @Test func `the examples of CartConvert are met`() {
    let p = Geocentric(Geodetic(latitudeDegrees: 33.3, longitudeDegrees: 44.4, altitude: 6000))
    #expect(isNear(p.x, 3_816_209.60, within: 5e-3))
    #expect(isNear(p.y, 3_737_108.55, within: 5e-3))
    #expect(isNear(p.z, 3_485_109.57, within: 5e-3))
    let deep = Geocentric(x: 30_000, y: 30_000, z: 0).geodetic
    #expect(isNear(deep.latitudeDegrees, 6.483, within: 5e-4))
    #expect(isNear(deep.longitudeDegrees, 45, within: 1e-12))
    #expect(isNear(deep.altitude, -6_335_709.73, within: 5e-3))
  }

  @Test(arguments: [90.0, -90.0], [0.0, 17, -120, 180]) func `a pole lies on the axis`(
    latitude: Double,
    longitude: Double
  ) {
    let p = Geocentric(Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude, altitude: 25))
    #expect(p.x == 0 && p.y == 0)
    #expect(isNear(abs(p.z), WGS84.semiMinorAxis + 25, within: 1e-9))
    let back = p.geodetic
    #expect(back.latitudeDegrees == latitude)
    #expect(back.longitudeDegrees == 0)
    #expect(isNear(back.altitude, 25, within: 1e-8))
  }

  @Test func `on the equator and the meridians nothing is rounded away`() {
    let east = Geocentric(Geodetic(latitudeDegrees: 0, longitudeDegrees: 90))
    #expect(east.x == 0 && east.y == WGS84.semiMajorAxis && east.z == 0)
    let back = Geocentric(Geodetic(latitudeDegrees: 0, longitudeDegrees: 180))
    #expect(back.x == -WGS84.semiMajorAxis && back.y == 0 && back.z == 0)
    #expect(east.geodetic == Geodetic(latitudeDegrees: 0, longitudeDegrees: 90, altitude: 0))
    #expect(back.geodetic == Geodetic(latitudeDegrees: 0, longitudeDegrees: 180, altitude: 0))
  }

  /// Metres at the surface for a difference in degrees.
  @Test(arguments: [
    (-5_000_000.0, -1000.0, 5e-9), (-1000, 10_000, 5e-9), (10_000, 1_000_000, 5e-9), (1_000_000, 4e8, 3e-7),
  ])
  func `there and back again stays within the accuracy stated`(low: Double, high: Double, tolerance: Double) {
    var g = SplitMix64(seed: 21)
    for i in 0..<20_000 {
      // A tenth of them close to a pole, where others fail.
      let latitude =
        i % 10 == 0
        ? (i % 20 == 0 ? 1 : -1) * (90 - pow(10, .random(in: -14...0, using: &g)))
        : asin(.random(in: -1...1, using: &g)) * (180 / pi)
      let place = Geodetic(
        latitudeDegrees: latitude,
        longitudeDegrees: .random(in: -180...180, using: &g),
        altitude: .random(in: low...high, using: &g)
      )
      let p = Geocentric(place)
      let back = p.geodetic
      let error = max(Self.distance(Geocentric(back), p), abs(back.altitude - place.altitude))
      #expect(error <= tolerance, "seed 21, case \(i): \(place) came back as \(back), \(error) m away")
      let north = (back.latitudeDegrees - latitude) * (pi / 180) * 6.4e6
      #expect(isNear(north, 0, within: 4e-9), "seed 21, case \(i): \(place) came back as \(back)")
    }
  }

  /// The defining property, where a round trip cannot be asked for: the point is `altitude` along the normal away from
  /// the ellipsoid, and no other point of the ellipsoid is nearer.
  @Test func `near the Earth's centre the nearest point of the ellipsoid is found`() {
    var g = SplitMix64(seed: 22)
    for i in 0..<2000 {
      let reach = pow(10, .random(in: -3...5.5, using: &g))
      let p = Geocentric(
        x: .random(in: -reach...reach, using: &g),
        y: .random(in: -reach...reach, using: &g),
        z: i % 3 == 0 ? 0 : .random(in: -reach...reach, using: &g)
      )
      let found = p.geodetic
      #expect(isNear(Self.distance(Geocentric(found), p), 0, within: 2e-8), "seed 22, case \(i): \(p) gave \(found)")
      for step in 0...180 {
        let other = Geocentric(
          Geodetic(latitudeDegrees: Double(step) - 90, longitudeDegrees: found.longitudeDegrees)
        )
        #expect(Self.distance(other, p) >= -found.altitude - 1e-8, "seed 22, case \(i): \(p) gave \(found)")
      }
    }
  }

  @Test func `the Earth's centre is under the north pole`() {
    let centre = Geocentric(x: 0, y: 0, z: 0).geodetic
    #expect(centre.latitudeDegrees == 90)
    #expect(isNear(centre.altitude, -WGS84.semiMinorAxis, within: 1e-8))
  }

  @Test func `coordinates that are not finite come out as not a number`() {
    for p in [
      Geocentric(x: .nan, y: 1, z: 2), Geocentric(x: 1, y: 2, z: .infinity), Geocentric(x: 1e308, y: 1e308, z: 0),
    ] {
      let g = p.geodetic
      // A length that overflows is as good as infinite.
      #expect(g.altitude.isNaN || g.altitude > 1e300)
    }
    #expect(Geocentric(Geodetic(latitudeDegrees: .nan, longitudeDegrees: 0)).z.isNaN)
    #expect(Geocentric(Geodetic(latitudeDegrees: 0, longitudeDegrees: .infinity)).x.isNaN)
  }
}
