import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineTransit

/// The search of the server of 2010, as far as its faults are concerned.
///
/// A square round the place that is doubled until more than ten stops have come, each time with the first fifty rows of the table in it; then
/// the ten nearest of those by the cosine formula. `nil` where it never ended.
private struct OldSearch {
  let stops: [(id: String, latitude: Double, longitude: Double)]
  /// Whether the squares join without a gap.
  var isWhole = false
  /// Whether all rows of a square are taken.
  var isUnlimited = false

  static let radius = 6_356_750.0

  static func distance(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (latitude, other) = (radians(a.0), radians(b.0))
    let cosine = sin(latitude) * sin(other) + cos(latitude) * cos(other) * cos(radians(b.1) - radians(a.1))
    return radius * acos(cosine)
  }

  func nearest(_ latitude: Double, _ longitude: Double) -> [String]? {
    var found: [(id: String, distance: Double)] = []
    var inner = 0.0
    var outer = 0.002
    while found.count <= 10 {
      guard outer < 1e300 else { return nil }
      func isIn(_ size: Double, _ stop: (id: String, latitude: Double, longitude: Double)) -> Bool {
        abs(stop.latitude - latitude) <= size * cos(latitude * .pi / 180) && abs(stop.longitude - longitude) <= size
      }
      let rows = stops.filter { isIn(outer, $0) && !(inner > 0 && isIn(inner, $0)) }
      for stop in isUnlimited ? rows[...] : rows.prefix(50) {
        found.append((stop.id, Self.distance((latitude, longitude), (stop.latitude, stop.longitude))))
      }
      (inner, outer) = isWhole ? (outer, outer * 2) : (outer * 2, outer * 4)
    }
    return found.sorted { $0.distance < $1.distance }.prefix(10).map(\.id)
  }
}

/// The faults of the server of 2010 that `nearest` must not have: each case is one in which the old search goes wrong.
@Suite struct LegacyNearestStopDefectTests {
  private typealias Row = (id: String, latitude: Double, longitude: Double)

  /// What is answered now; it has to be what comparing all distances gives.
  private func nearest(_ rows: [Row], _ latitude: Double, _ longitude: Double, limit: Int = 10) throws -> [String] {
    let directory = ListDirectory(
      rows.map { .init(stop: TransitStop(id: $0.id, name: $0.id, latitude: $0.latitude, longitude: $0.longitude)) },
      timeZone: .gmt
    )
    let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
    let found = directory.nearest(limit, to: place, radius: nil).map { directory.stop($0.stop, language: nil).id }
    let all = rows.map { row -> (Double, String) in
      let there = Geodetic(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude)
      return (greatCircleDistance(from: place, to: there), row.id)
    }
    #expect(found == all.sorted { $0 < $1 }.prefix(limit).map(\.1))
    return found
  }

  private static func ring(_ count: Int, _ size: Double, _ latitude: Double = 0, _ longitude: Double = 0) -> [Row] {
    row(count) { (latitude + size, longitude + Double($0) * 1e-6) }
  }

  /// As many stops, each where its number says.
  private static func row(_ count: Int, _ place: (Int) -> (Double, Double)) -> [Row] {
    (0..<count).map { (index: Int) -> Row in
      let (latitude, longitude) = place(index)
      return ("r\(index)", latitude, longitude)
    }
  }

  @Test func `1: stops between the first square and the next are seen`() throws {
    let rows = Self.ring(11, 0.005) + [("near", 0.003, 0.0)]
    #expect(OldSearch(stops: rows).nearest(0, 0)?.contains("near") == false)
    #expect(try nearest(rows, 0, 0).first == "near")
  }

  @Test func `2: in a dense place the nearest is not among rows cut off`() throws {
    let rows = Self.ring(60, 0.0015) + [("near", 0.0001, 0.0)]
    #expect(OldSearch(stops: rows, isWhole: true).nearest(0, 0)?.contains("near") == false)
    #expect(try nearest(rows, 0, 0).first == "near")
  }

  @Test func `3: a corner of the square does not beat what is beyond its side`() throws {
    var rows = Self.row(11) { (0.0019, 0.0019 - Double($0) * 1e-6) }
    rows.append(("near", 0.0021, 0))
    #expect(OldSearch(stops: rows, isWhole: true, isUnlimited: true).nearest(0, 0)?.contains("near") == false)
    #expect(try nearest(rows, 0, 0).first == "near")
  }

  @Test(arguments: [0, 1, 9, 10]) func `4: fewer stops than asked for are an answer`(count: Int) throws {
    let rows = Self.ring(count, 0.001)
    #expect(OldSearch(stops: rows, isWhole: true, isUnlimited: true).nearest(0, 0) == nil)
    #expect(try nearest(rows, 0, 0).count == count)
  }

  @Test func `5: whoever stands on a stop is at no distance from it`() throws {
    var random = SplitMix64(seed: 55)
    var broken = 0
    for _ in 0..<2000 {
      let latitude = Double.random(in: -80...80, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      if OldSearch.distance((latitude, longitude), (latitude, longitude)).isNaN { broken += 1 }
      let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
      let directory = ListDirectory(
        [.init(stop: TransitStop(id: "a", name: "a", latitude: latitude, longitude: longitude))],
        timeZone: .gmt
      )
      #expect(directory.nearest(1, to: place, radius: nil).first?.distance == 0)
    }
    #expect(broken > 0)
    // Two centimetres apart are told apart; the cosine formula gives steps of a tenth of a metre.
    let place = Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97)
    let near = Geodetic(latitudeDegrees: 57.7 + 2e-7, longitudeDegrees: 11.97)
    #expect(abs(greatCircleDistance(from: place, to: near) - 0.02224) < 1e-5)
    #expect(!(abs(OldSearch.distance((57.7, 11.97), (57.7 + 2e-7, 11.97)) - 0.02224) < 0.01))
  }

  @Test func `6: the date line and the poles are no edges`() throws {
    var line = Self.row(11) { (0.0015, -179.9995 + Double($0) * 1e-6) }
    line.append(("near", 0, 179.9999))
    let whole = { OldSearch(stops: $0, isWhole: true, isUnlimited: true) }
    #expect(whole(line).nearest(0, -179.9999)?.contains("near") == false)
    #expect(try nearest(line, 0, -179.9999).first == "near")
    // The pole itself, 11 m away, on a meridian of its own.
    var pole = Self.row(11) { (89.9999, 90 + Double($0) * 0.01) }
    pole.append(("near", 90, 180))
    #expect(whole(pole).nearest(89.9999, 0)?.contains("near") == false)
    #expect(try nearest(pole, 89.9999, 0).first == "near")
  }

  @Test func `7: a degree of latitude is 111,195 m`() {
    let metres = greatCircleDistance(
      from: Geodetic(latitudeDegrees: 57, longitudeDegrees: 12),
      to: Geodetic(latitudeDegrees: 58, longitudeDegrees: 12)
    )
    #expect(abs(metres - 6_371_008.8 * .pi / 180) < 1e-3)
    #expect(abs(OldSearch.distance((57, 12), (58, 12)) - metres) > 200)
  }

  /// Random, clustered, polar, at the date line, several at one place: 10,000 places, and the sizes at which searches change.
  @Test(arguments: [0, 1, 9, 10, 11, 100_000]) func `as many as there are, and the same as by comparing all`(
    count: Int
  ) throws {
    var random = SplitMix64(seed: 40 + UInt64(count))
    func position() -> (Double, Double) {
      switch random.next() % 5 {
      case 0: (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
      case 1:
        (
          57.7 + Double.random(in: -0.01...0.01, using: &random),
          11.97 + Double.random(in: -0.01...0.01, using: &random)
        )
      case 2: ((random.next() % 2 == 0 ? 89.99 : -89.99), Double.random(in: -180...180, using: &random))
      case 3: (Double.random(in: -1...1, using: &random), random.next() % 2 == 0 ? 179.999 : -179.999)
      default: (57.7, 11.97)
      }
    }
    let rows = (0..<count).map { number -> (id: String, place: Geodetic) in
      let (latitude, longitude) = position()
      return ("s\(number)", Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }
    let directory = ListDirectory(
      rows.map {
        .init(
          stop: TransitStop(
            id: $0.id,
            name: $0.id,
            latitude: $0.place.latitudeDegrees,
            longitude: $0.place.longitudeDegrees
          )
        )
      },
      timeZone: .gmt
    )
    for _ in 0..<(count > 1000 ? 6 : 2000) {
      let (latitude, longitude) = position()
      let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
      let found = directory.nearest(10, to: place, radius: nil)
      #expect(found.count == min(10, count))
      // Which are nearest by all distances. A distance is good to a micrometre, near the antipode to less: there the rounding
      // of a chord grows with the tangent of half the angle.
      func tolerance(_ distance: Double) -> Double {
        1e-6 + min(0.2, 1e-8 * abs(tan(distance / (2 * WGS84.meanRadius))))
      }
      let all = rows.map { greatCircleDistance(from: place, to: $0.place) }
      let reach = found.last.map { $0.distance + 2 * tolerance($0.distance) } ?? 0
      let order = all.indices.filter { all[$0] <= reach }
        .sorted { (all[$0], rows[$0].id) < (all[$1], rows[$1].id) }.prefix(10)
      #expect(order.count == found.count)
      for (mine, expected) in zip(found, order) {
        #expect(abs(mine.distance - all[expected]) <= tolerance(all[expected]))
        guard mine.stop != expected else { continue }
        // Of more than a thousand at one place any are as near: they are not all looked at.
        let crowd = rows.count { $0.place == rows[expected].place }
        #expect(rows[mine.stop].place != rows[expected].place || crowd > 1000)
        #expect(abs(all[mine.stop] - all[expected]) <= 2 * tolerance(all[expected]))
      }
    }
  }
}
