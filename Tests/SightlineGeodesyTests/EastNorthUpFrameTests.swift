import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct EastNorthUpFrameTests {
  static let rows = goldenRows("geodesy/topocentric.txt")

  private static func random(_ g: inout SplitMix64) -> Geodetic {
    Geodetic(
      latitudeDegrees: .random(in: -90...90, using: &g),
      longitudeDegrees: .random(in: -180...180, using: &g),
      altitude: .random(in: -400...9000, using: &g)
    )
  }

  @Test func `the table of reference values is complete`() {
    #expect(Self.rows.count == 39)
    #expect(Self.rows.allSatisfy { $0.count == 10 })
  }

  @Test(arguments: rows) func `a point computed with 50 digits is met, there and back`(row: [Double]) throws {
    let origin = Geodetic(latitudeDegrees: row[0], longitudeDegrees: row[1], altitude: row[2])
    let place = Geodetic(latitudeDegrees: row[3], longitudeDegrees: row[4], altitude: row[5])
    let frame = EastNorthUpFrame(origin: origin)
    let expected = Vector3(row[6], row[7], row[8])
    // The error is that of the Earth-centred coordinates, whatever the distance.
    let tolerance = 1e-15 * max(Geocentric(origin).vector.length, 6.4e6)
    #expect(isNear((frame.point(place) - expected).length, 0, within: tolerance))
    let back = frame.geodetic(expected)
    #expect(isNear((Geocentric(back).vector - Geocentric(place).vector).length, 0, within: tolerance))
    let elevation = try #require(elevationAngle(from: origin, to: place))
    #expect(isNear(elevation.degrees, row[9], within: 1e-10 + tolerance / expected.length * 180 / pi))
  }

  /// EPSG Guidance Note 7-2, methods 9836 and 9837: topocentric origin 55° N, 5° E, 200 m.
  @Test func `the example of EPSG method 9837 is met`() {
    let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: 55, longitudeDegrees: 5, altitude: 200))
    #expect(isNear(frame.originInEarth.x, 3_652_755.3058, within: 1e-4))
    #expect(isNear(frame.originInEarth.y, 319_574.6799, within: 1e-4))
    #expect(isNear(frame.originInEarth.z, 5_201_547.3536, within: 1e-4))
    let p = frame.point(Geocentric(x: 3_771_793.968, y: 140_253.342, z: 5_124_304.349))
    #expect(isNear(p.x, -189_013.869, within: 1e-3))
    #expect(isNear(p.y, -128_642.040, within: 1e-3))
    #expect(isNear(p.z, -4_220.171, within: 1e-3))
  }

  /// The example of the manual page CartConvert(1) of GeographicLib, which cuts digits off: 5783.6466 with 50 digits.
  @Test func `the local example of CartConvert is met`() {
    let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: 33, longitudeDegrees: 44, altitude: 20))
    let p = frame.point(Geodetic(latitudeDegrees: 33.3, longitudeDegrees: 44.4, altitude: 6000))
    #expect(isNear(p.x, 37_288.97, within: 5e-3))
    #expect(isNear(p.y, 33_374.29, within: 5e-3))
    #expect(isNear(p.z, 5_783.64, within: 1e-2))
  }

  @Test func `the example of the documentation holds`() {
    let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 10, altitude: 480))
    let spire = frame.point(Geodetic(latitudeDegrees: 48.41, longitudeDegrees: 10, altitude: 640))
    #expect(isNear(spire.x, 0, within: 1e-9))
    #expect(isNear(spire.y, 1112, within: 0.5))
    #expect(isNear(spire.z, 160 - 0.1, within: 0.01))
  }

  @Test func `up is what a plumb line shows, not the way from the Earth's centre`() {
    let place = Geodetic(latitudeDegrees: 45, longitudeDegrees: 30)
    let frame = EastNorthUpFrame(origin: place)
    let higher = frame.point(Geodetic(latitudeDegrees: 45, longitudeDegrees: 30, altitude: 1000))
    #expect(isNear((higher - Vector3(0, 0, 1000)).length, 0, within: 4e-9))
    let outwards = Geocentric(place).vector * (1 / Geocentric(place).vector.length)
    let angle = acos(frame.upInEarth.dot(outwards)) * (180 / pi)
    #expect(isNear(angle, 0.1924, within: 1e-3))
  }

  @Test func `the axes are right-handed, of unit length, and those of the rotation`() {
    var g = SplitMix64(seed: 31)
    for i in 0..<500 {
      let frame = EastNorthUpFrame(origin: Self.random(&g))
      let cross = frame.eastInEarth.cross(frame.northInEarth)
      #expect((cross - frame.upInEarth).length < 1e-15, "seed 31, case \(i)")
      #expect((frame.earthFromSelf * Vector3(1, 0, 0) - frame.eastInEarth).length < 1e-15, "seed 31, case \(i)")
      #expect((frame.earthFromSelf * Vector3(0, 1, 0) - frame.northInEarth).length < 1e-15, "seed 31, case \(i)")
      #expect((frame.earthFromSelf * Vector3(0, 0, 1) - frame.upInEarth).length < 1e-15, "seed 31, case \(i)")
    }
  }

  @Test func `the inverse of a point is the place, and the origin is the null point`() {
    var g = SplitMix64(seed: 32)
    for i in 0..<2000 {
      let frame = EastNorthUpFrame(origin: Self.random(&g))
      #expect(frame.point(frame.origin) == .zero)
      let p = Vector3(
        .random(in: -50_000...50_000, using: &g),
        .random(in: -50_000...50_000, using: &g),
        .random(in: -3000...3000, using: &g)
      )
      #expect((frame.point(frame.geodetic(p)) - p).length < 8e-9, "seed 32, case \(i), \(frame.origin)")
    }
  }

  @Test func `a rotation between frames carries differences of points`() {
    var g = SplitMix64(seed: 33)
    for i in 0..<500 {
      let a = EastNorthUpFrame(origin: Self.random(&g))
      let b = EastNorthUpFrame(origin: Self.random(&g))
      let (p, q) = (Self.random(&g), Self.random(&g))
      let inA = a.point(p) - a.point(q)
      let inB = b.point(p) - b.point(q)
      // 2e-8 m of 12,000 km.
      #expect((a.rotation(from: b) * inB - inA).length < 2e-8, "seed 33, case \(i)")
      #expect(a.rotation(from: a).angle(to: .identity).radians < 1e-15)
    }
  }

  @Test func `at a pole the longitude's meridian is north`() {
    let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: 90, longitudeDegrees: 0))
    // Leaving the north pole along 180° one goes on northwards along 0°; 90° E lies to the right of that.
    let beyond = frame.point(Geodetic(latitudeDegrees: 89.99, longitudeDegrees: 180))
    #expect(isNear(beyond.x, 0, within: 1e-8) && beyond.y > 1116)
    let right = frame.point(Geodetic(latitudeDegrees: 89.99, longitudeDegrees: 90))
    #expect(isNear(right.y, 0, within: 1e-8) && right.x > 1116)
  }

  @Test func `the date line is no seam`() {
    let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: -17, longitudeDegrees: 179.9999))
    let other = frame.point(Geodetic(latitudeDegrees: -17, longitudeDegrees: -179.9999))
    #expect(other.x > 21 && other.x < 22)
    let sameTurn = frame.point(Geodetic(latitudeDegrees: -17, longitudeDegrees: 180.0001))
    #expect((other - sameTurn).length < 1e-6)
  }

  @Test func `an elevation needs two points`() throws {
    let here = Geodetic(latitudeDegrees: 48, longitudeDegrees: 10, altitude: 500)
    #expect(elevationAngle(from: here, to: here) == nil)
    let above = try #require(
      elevationAngle(from: here, to: Geodetic(latitudeDegrees: 48, longitudeDegrees: 10, altitude: 501))
    )
    #expect(isNear(above.degrees, 90, within: 1e-6))
    let below = try #require(
      elevationAngle(from: here, to: Geodetic(latitudeDegrees: 48, longitudeDegrees: 10, altitude: 499))
    )
    #expect(isNear(below.degrees, -90, within: 1e-6))
    #expect(elevationAngle(from: here, to: Geodetic(latitudeDegrees: .nan, longitudeDegrees: 10)) == nil)
    let pole = Geodetic(latitudeDegrees: 90, longitudeDegrees: 0)
    #expect(elevationAngle(from: pole, to: Geodetic(latitudeDegrees: 90, longitudeDegrees: 50)) == nil)
  }

  @Test func `a short way is as long as it is, leads where it should, and keeps the height`() throws {
    var random = SplitMix64(seed: 9)
    for _ in 0..<500 {
      let start = Geodetic(
        latitudeDegrees: .random(in: -85...85, using: &random),
        longitudeDegrees: .random(in: -180...180, using: &random),
        altitude: 700
      )
      let heading = Angle(degrees: .random(in: -180...180, using: &random))
      let (forward, right) = (
        Double.random(in: -500...500, using: &random), Double.random(in: -500...500, using: &random)
      )
      let end = start.moved(heading: heading, forward: forward, right: right)
      #expect(end.altitude == 700)
      var (from, to) = (start, end)
      (from.altitude, to.altitude) = (0, 0)
      let p = EastNorthUpFrame(origin: from).point(to)
      #expect(isNear(hypot(p.x, p.y), hypot(forward, right), within: 1e-3))
      let turned = heading + Angle(radians: atan2(right, forward))
      #expect(isNear((Angle(radians: atan2(p.x, p.y)) - turned).wrapped.radians, 0, within: 1e-6))
    }
  }

  @Test func `over the date line and over a pole a way goes on`() {
    let east = Geodetic(latitudeDegrees: 0, longitudeDegrees: 179.9999).moved(heading: Angle(degrees: 90), forward: 100)
    #expect(east.longitudeDegrees < -179.99)
    let beyond = Geodetic(latitudeDegrees: 89.9999, longitudeDegrees: 10).moved(heading: .zero, forward: 50)
    #expect(isNear(beyond.longitudeDegrees, -170, within: 1e-6))
    #expect(beyond.latitudeDegrees < 89.9998)
  }
}
