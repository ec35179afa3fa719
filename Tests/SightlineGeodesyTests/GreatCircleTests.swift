import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct GreatCircleTests {
  static let rows = goldenRows("geodesy/great-circle.txt")

  private static func place(_ latitude: Double, _ longitude: Double) -> Geodetic {
    Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func random(_ g: inout SplitMix64) -> Geodetic {
    place(.random(in: -90...90, using: &g), .random(in: -180...180, using: &g))
  }

  @Test func `the table of reference values is complete`() {
    #expect(Self.rows.count == 29)
    #expect(Self.rows.allSatisfy { $0.count == 6 })
  }

  @Test(arguments: rows) func `a distance and a bearing computed with 50 digits are met`(row: [Double]) throws {
    let from = Self.place(row[0], row[1])
    let to = Self.place(row[2], row[3])
    #expect(isNear(greatCircleDistance(from: from, to: to), row[4], within: 4e-9))
    let bearing = try #require(initialBearing(from: from, to: to))
    // The direction is as good as half a nanometre of either point allows, seen from the other or its antipode.
    let leverage = min(row[4], 20_015_114.352 - row[4])
    let difference = (bearing - Angle(degrees: row[5])).wrapped
    #expect(isNear(difference.radians, 0, within: 1e-14 + 4e-9 / leverage))
  }

  /// Published examples, each for a sphere of its own size.
  @Test(arguments: [
    // Rosetta Code, "Haversine formula": Nashville to Los Angeles on a radius of 6372.8 km.
    (36.12, -86.67, 33.94, -118.40, 2887.2599506071, 6372.8, 1e-7),
    // E. Williams, Aviation Formulary, "Some general worked examples": Los Angeles to New York, radians.
    (33.95, -118.4, 40.633333, -73.783333, 0.623585, 1, 1e-6),
    // C. Veness, "Calculate distance, bearing and more between points": Land's End to John o' Groats.
    (50.066389, -5.714722, 58.643889, -3.070000, 968.9, 6371, 0.05),
  ])
  func `published distances are met`(
    row: (a: Double, b: Double, c: Double, d: Double, distance: Double, radius: Double, tolerance: Double)
  ) {
    let metres = greatCircleDistance(from: Self.place(row.a, row.b), to: Self.place(row.c, row.d))
    #expect(isNear(metres * (row.radius / WGS84.meanRadius), row.distance, within: row.tolerance))
  }

  @Test(arguments: [
    // Aviation Formulary: 1.150035 rad, given as 66°.
    (33.95, -118.4, 40.633333, -73.783333, 65.8922, 2e-4),
    // Veness: 009°07′11″ and, from Baghdad to Osaka along the 35th parallel, 60°09′45″.
    (50.066389, -5.714722, 58.643889, -3.070000, 9 + 7.0 / 60 + 11.0 / 3600, 2e-4),
    (35, 45, 35, 135, 60 + 9.0 / 60 + 45.0 / 3600, 2e-4),
  ])
  func `published bearings are met`(
    row: (a: Double, b: Double, c: Double, d: Double, degrees: Double, tolerance: Double)
  ) throws {
    let bearing = try #require(initialBearing(from: Self.place(row.a, row.b), to: Self.place(row.c, row.d)))
    #expect(isNear(bearing.degrees, row.degrees, within: row.tolerance))
  }

  @Test func `a distance is the same both ways and for any turn of the longitude`() {
    var g = SplitMix64(seed: 41)
    for i in 0..<2000 {
      let (a, b) = (Self.random(&g), Self.random(&g))
      let d = greatCircleDistance(from: a, to: b)
      #expect(isNear(d, greatCircleDistance(from: b, to: a), within: 2e-9), "seed 41, case \(i)")
      let turned = Self.place(b.latitudeDegrees, b.longitudeDegrees + 360)
      #expect(isNear(d, greatCircleDistance(from: a, to: turned), within: 2e-8), "seed 41, case \(i)")
      #expect(d >= 0 && d <= .pi * WGS84.meanRadius)
    }
  }

  @Test func `distances to a point and to its antipode make half the circumference`() {
    var g = SplitMix64(seed: 42)
    for i in 0..<2000 {
      let a = Self.random(&g)
      // Near ones too: from a nanometre upwards.
      let reach = pow(10, .random(in: -14...2, using: &g))
      let b = Self.place(
        max(-90, min(90, a.latitudeDegrees + .random(in: -reach...reach, using: &g))),
        a.longitudeDegrees + .random(in: -reach...reach, using: &g)
      )
      let sum =
        greatCircleDistance(from: a, to: b)
        + greatCircleDistance(from: a, to: Self.place(-b.latitudeDegrees, b.longitudeDegrees + 180))
      #expect(isNear(sum, .pi * WGS84.meanRadius, within: 1e-8), "seed 42, case \(i): \(a) \(b)")
    }
  }

  @Test func `going along the bearing leads to the point`() throws {
    var g = SplitMix64(seed: 43)
    for i in 0..<2000 {
      let (a, b) = (Self.random(&g), Self.random(&g))
      let bearing = try #require(initialBearing(from: a, to: b))
      let arc = greatCircleDistance(from: a, to: b) / WGS84.meanRadius
      // Napier: the end of an arc from a, its latitude by the law of cosines, its longitude by the law of sines.
      let (s, c) = sineCosine(degrees: a.latitudeDegrees)
      let latitude = asin(s * cos(arc) + c * sin(arc) * cos(bearing.radians))
      let longitude = atan2(sin(bearing.radians) * sin(arc) * c, cos(arc) - s * sin(latitude))
      let reached = Self.place(latitude * (180 / pi), a.longitudeDegrees + longitude * (180 / pi))
      // The arc sine loses digits near the poles, not the functions under test.
      #expect(greatCircleDistance(from: reached, to: b) < 0.2, "seed 43, case \(i): \(a) \(b)")
    }
  }

  @Test func `near points are those of the local frame on the sphere's scale`() throws {
    let a = Self.place(48.4, 10)
    let b = Self.place(48.4, 10.00001)
    #expect(isNear(greatCircleDistance(from: a, to: b), 0.738_244, within: 1e-5))
    let bearing = try #require(initialBearing(from: a, to: b))
    #expect(isNear(bearing.degrees, 90, within: 1e-5))
  }

  @Test(arguments: [
    ((48.0, 10.0), (48.0, 10.0)), ((90, 0), (90, 120)), ((-90, 5), (-90, -5)), ((10, 180), (10, -180)),
    ((0, 0), (0, 180)), ((30, 40), (-30, -140)), ((90, 0), (-90, 0)), ((0, -90), (0, 90)),
  ])
  func `one place, and antipodes, have no bearing`(pair: ((Double, Double), (Double, Double))) {
    let a = Self.place(pair.0.0, pair.0.1)
    let b = Self.place(pair.1.0, pair.1.1)
    #expect(initialBearing(from: a, to: b) == nil)
    let distance = greatCircleDistance(from: a, to: b)
    #expect(distance < 1e-8 || isNear(distance, .pi * WGS84.meanRadius, within: 4e-9))
  }

  @Test func `from a pole the bearing counts from the meridian given`() throws {
    let pole = Self.place(90, 20)
    // South along the meridian of 20° is straight back, along 110° to the right of north, which points to 200°.
    let back = try #require(initialBearing(from: pole, to: Self.place(50, 20)))
    #expect(isNear(abs(back.degrees), 180, within: 1e-12))
    let right = try #require(initialBearing(from: pole, to: Self.place(50, 110)))
    #expect(isNear(right.degrees, 90, within: 1e-12))
    let frame = EastNorthUpFrame(origin: pole)
    let p = frame.point(Self.place(50, 110))
    #expect(isNear(atan2(p.x, p.y) * (180 / pi), 90, within: 1e-12))
  }

  @Test func `the bearing is that of the local frame, to what sphere and ellipsoid differ`() throws {
    var g = SplitMix64(seed: 44)
    for i in 0..<1000 {
      let a = Self.place(.random(in: -85...85, using: &g), .random(in: -180...180, using: &g))
      let frame = EastNorthUpFrame(origin: a)
      let azimuth = Double.random(in: -Double.pi...Double.pi, using: &g)
      let b = frame.geodetic(Vector3(2000 * sin(azimuth), 2000 * cos(azimuth), 0))
      let bearing = try #require(initialBearing(from: a, to: b))
      #expect(abs((bearing - Angle(radians: azimuth)).wrapped.degrees) < 0.2, "seed 44, case \(i): \(a) \(b)")
      let distance = greatCircleDistance(from: a, to: b)
      #expect(abs(distance / 2000 - 1) < 0.0056 * 1.01, "seed 44, case \(i): \(a) \(b) \(distance)")
    }
  }

  @Test func `coordinates that are not finite have no distance and no bearing`() {
    let here = Self.place(48, 10)
    for bad in [Self.place(.nan, 0), Self.place(0, .nan), Self.place(0, .infinity)] {
      #expect(greatCircleDistance(from: here, to: bad).isNaN)
      #expect(initialBearing(from: here, to: bad) == nil)
      #expect(initialBearing(from: bad, to: here) == nil)
    }
  }
}
