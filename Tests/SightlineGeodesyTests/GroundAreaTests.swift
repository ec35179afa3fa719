import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct GroundAreaTests {
  private static let metresPerDegree = WGS84.meanRadius * pi / 180

  /// A place so many metres away.
  private func at(_ origin: (latitude: Double, longitude: Double), north: Double, east: Double) -> Geodetic {
    let longitude = origin.longitude + east / (Self.metresPerDegree * cos(origin.latitude * pi / 180))
    return Geodetic(
      latitudeDegrees: origin.latitude + north / Self.metresPerDegree,
      longitudeDegrees: longitude > 180 ? longitude - 360 : longitude
    )
  }

  @Test(arguments: [(52.0, 4.0), (-41.3, 174.8), (0, 0), (64.1, -21.9), (-17, 179.9995)])
  func `distances to the border of a bent area are signed, also across the date line`(
    origin: (latitude: Double, longitude: Double)
  ) throws {
    let corners = [(0.0, 0.0), (0, 200), (100, 200), (100, 100), (200, 100), (200, 0)]
    let area = GroundArea(corners.map { at(origin, north: $0.0, east: $0.1) })
    for (north, east, distance) in [
      (50.0, 50.0, -50.0), (150, 50, -50), (50, 150, -50), (150, 150, 50), (-30, 100, 30), (100, -40, 40),
      (210, 210, 110.45), (99, 199, -1),
    ] {
      let found = try #require(area.distance(from: at(origin, north: north, east: east)))
      #expect(isNear(found, distance, within: 0.05), "\(north) m north, \(east) m east")
    }
  }

  @Test func `fewer than three corners bound nothing, and corners on one point are a point`() throws {
    let place = Geodetic(latitudeDegrees: 1, longitudeDegrees: 2)
    #expect(GroundArea([]).distance(from: place) == nil)
    #expect(GroundArea([place, place]).distance(from: place) == nil)
    let point = GroundArea([place, place, place])
    let away = try #require(point.distance(from: Geodetic(latitudeDegrees: 1.001, longitudeDegrees: 2)))
    #expect(isNear(away, 0.001 * Self.metresPerDegree, within: 1e-6))
  }
}
