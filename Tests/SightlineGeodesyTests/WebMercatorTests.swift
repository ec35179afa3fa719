import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct WebMercatorTests {
  /// Numbers by the formula with asinh(tan φ), and the corners of the map.
  @Test(arguments: [
    (52.4866, 13.3989, 13, 4400, 2687), (0, 0, 1, 1, 1), (85.0511, -180, 3, 0, 0), (-85.0511, 179.999, 3, 7, 7),
    (-33.8568, 151.2153, 16, 60295, 39325),
  ])
  func `a position lies in its tile`(latitude: Double, longitude: Double, zoom: Int, column: Int, row: Int) {
    let side = Double(1 << zoom)
    let point = WebMercator.point(Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude))
    #expect((point.x * side).rounded(.down) == Double(column) && (point.y * side).rounded(.down) == Double(row))
  }

  @Test func `positions come back`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<1000 {
      let position = Geodetic(
        latitudeDegrees: .random(in: -85...85, using: &random),
        longitudeDegrees: .random(in: -180...180, using: &random)
      )
      let back = WebMercator.geodetic(WebMercator.point(position))
      #expect(isNear(back.latitudeDegrees, position.latitudeDegrees, within: 1e-10))
      #expect(isNear(back.longitudeDegrees, position.longitudeDegrees, within: 1e-10))
    }
  }

  @Test func `beyond the edge is the edge, and a side is as long as the parallel`() {
    #expect(isNear(WebMercator.point(Geodetic(latitudeDegrees: 90, longitudeDegrees: 0)).y, 0, within: 1e-12))
    #expect(isNear(WebMercator.point(Geodetic(latitudeDegrees: -90, longitudeDegrees: 0)).y, 1, within: 1e-12))
    #expect(isNear(WebMercator.side(atLatitude: 0), 40_075_016.686, within: 1e-3))
    #expect(isNear(WebMercator.side(atLatitude: 60), 20_037_508.343, within: 1e-3))
  }
}
