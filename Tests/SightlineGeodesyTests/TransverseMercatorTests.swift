import SightlineTestSupport
import Testing

@testable import SightlineGeodesy

@Suite struct TransverseMercatorTests {
  private static func degrees(_ d: Double, _ m: Double, _ s: Double) -> Double { d + m / 60 + s / 3600 }

  /// Lantmäteriet's published check points: latitude, longitude, RT 90 north and east, SWEREF 99 TM north and east.
  private static let points: [(Double, Double, Double, Double, Double, Double)] = [
    (
      degrees(67, 5, 26.452769), degrees(21, 2, 5.101575), 7_453_389.762, 1_727_060.905, 7_454_204.638, 761_811.242
    ),
    (
      degrees(63, 32, 14.761735), degrees(16, 14, 59.594626), 7_047_738.415, 1_522_128.637, 7_046_077.605, 562_140.337
    ),
    (
      degrees(60, 9, 33.882413), degrees(14, 45, 28.167152), 6_671_665.273, 1_441_843.186, 6_669_189.376, 486_557.055
    ),
    (
      degrees(56, 21, 17.199245), degrees(13, 52, 23.754022), 6_249_111.351, 1_380_573.079, 6_246_136.458, 430_374.835
    ),
  ]

  @Test func publishedPointsToTheMillimetre() {
    for point in Self.points {
      let place = Geodetic(latitudeDegrees: point.0, longitudeDegrees: point.1)
      let old = TransverseMercator.rt90.gridPoint(of: place)
      #expect(abs(old.northing - point.2) < 0.001 && abs(old.easting - point.3) < 0.001)
      let new = TransverseMercator.sweref99TM.gridPoint(of: place)
      #expect(abs(new.northing - point.4) < 0.001 && abs(new.easting - point.5) < 0.001)
    }
  }

  /// The worked example of Lantmäteriet's paper on the formulas.
  @Test func workedExample() {
    let grid = TransverseMercator(
      centralMeridianDegrees: Self.degrees(13, 35, 7.692),
      scale: 1.00000254,
      falseNorthing: -6_226_307.8640,
      falseEasting: 84_182.8790
    )
    let point = grid.gridPoint(of: Geodetic(latitudeDegrees: 66, longitudeDegrees: 24))
    #expect(abs(point.northing - 1_135_809.413803) < 1e-4)
    #expect(abs(point.easting - 555_304.016555) < 1e-4)
  }

  @Test func thereAndBack() {
    var random = SplitMix64(seed: 90)
    for grid in [TransverseMercator.rt90, .sweref99TM] {
      for _ in 0..<2000 {
        let place = Geodetic(
          latitudeDegrees: 54 + 16 * Double(random.next() >> 11) * 0x1p-53,
          longitudeDegrees: 10 + 15 * Double(random.next() >> 11) * 0x1p-53
        )
        let back = grid.geodetic(of: grid.gridPoint(of: place))
        #expect(abs(back.latitudeDegrees - place.latitudeDegrees) < 2e-9)
        #expect(abs(back.longitudeDegrees - place.longitudeDegrees) < 4e-9)
      }
    }
  }

  @Test func eastingOnTheCentralMeridianIsExact() {
    let point = TransverseMercator.sweref99TM.gridPoint(of: Geodetic(latitudeDegrees: 58, longitudeDegrees: 15))
    #expect(abs(point.easting - 500_000) < 1e-6)
  }
}
