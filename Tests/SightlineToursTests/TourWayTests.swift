import Foundation
import SightlineContent
import SightlineTours
import Testing

/// The way of a tour, in metres around an origin.
@Suite struct TourWayTests {
  static let origins = [(52.0, 4.0), (-41.3, 174.8), (0.0, 0.0), (64.1, -21.9), (-17.0, 179.9995)]

  private struct Ground {
    let latitude: Double
    let longitude: Double

    func at(_ north: Double, _ east: Double) -> Position {
      let at = longitude + east / (111_195.08 * cos(latitude * .pi / 180))
      return Position(latitude: latitude + north / 111_195.08, longitude: at > 180 ? at - 360 : at)
    }

    func metres(_ position: Position) -> (north: Double, east: Double) {
      var east = position.longitude - longitude
      if east < -180 { east += 360 }
      return ((position.latitude - latitude) * 111_195.08, east * 111_195.08 * cos(latitude * .pi / 180))
    }
  }

  private func station(_ id: String, _ position: Position) -> Station {
    Station(id: id, kind: .info, title: id, position: position)
  }

  @Test(arguments: origins) func `what comes next is the part of the way between team and station`(
    latitude: Double,
    longitude: Double
  ) throws {
    let ground = Ground(latitude: latitude, longitude: longitude)
    // 200 m to the north, then 150 m to the east, over the date line where that is near.
    let way = try #require(TourWay([ground.at(0, 0), ground.at(200, 0), ground.at(200, 150)]))
    #expect(abs(way.length - 350) < 0.2)
    let foot = way.nearest(to: ground.at(60, 25))
    #expect(abs(foot.along - 60) < 0.1 && abs(foot.distance - 25) < 0.1)
    let stretch = way.stretch(from: ground.at(60, 25), to: ground.at(190, 100))
    #expect(abs(stretch.length - 240) < 0.2)
    let places = stretch.positions.map(ground.metres)
    #expect(places.count == 3)
    for (place, expected) in zip(places, [(60.0, 0.0), (200, 0), (200, 100)]) {
      #expect(abs(place.north - expected.0) < 0.2 && abs(place.east - expected.1) < 0.2, "\(place)")
    }
    // Back the way it came, when the station was passed.
    let back = way.stretch(from: ground.at(200, 80), to: ground.at(100, 0))
    #expect(abs(back.length - 180) < 0.2 && back.positions.count == 3)
    #expect(abs(ground.metres(back.positions[2]).north - 100) < 0.2)
    let part = ground.metres(way.position(at: 275))
    #expect(abs(part.north - 200) < 0.2 && abs(part.east - 75) < 0.2)
    #expect(way.position(at: -5) == way.corners[0] && way.position(at: 1e9) == way.corners[2])
  }

  @Test func `the next station is the first one ahead, whatever is nearest`() throws {
    let ground = Ground(latitude: 52, longitude: 4)
    // Round a block: the end lies beside the begin.
    let way = try #require(
      TourWay([ground.at(0, 0), ground.at(300, 0), ground.at(300, 300), ground.at(0, 300), ground.at(0, 15)])
    )
    let stations = [
      station("last", ground.at(5, 60)), station("first", ground.at(150, 10)), station("middle", ground.at(290, 290)),
    ]
    // Right before the last station as the crow flies, but at the begin of the way.
    #expect(way.next(of: stations, from: ground.at(10, 0))?.id == "first")
    #expect(way.next(of: stations, from: ground.at(200, 5))?.id == "middle")
    #expect(way.next(of: stations, from: ground.at(150, 300))?.id == "last")
    // Nothing ahead: the one that was passed last.
    #expect(way.next(of: [stations[1], stations[2]], from: ground.at(0, 200))?.id == "middle")
    #expect(way.next(of: [], from: ground.at(0, 0)) == nil)
    // A station off the way is where the way is nearest to it.
    #expect(abs(way.arrival(at: ground.at(150, 120), from: 0).along - 150) < 0.5)
    // A way that comes by twice comes to a station the first time, and the second when it was there once.
    let there = try #require(TourWay([ground.at(0, 0), ground.at(200, 0), ground.at(0, 2)]))
    #expect(abs(there.arrival(at: ground.at(100, 0), from: 0).along - 100) < 1)
    #expect(abs(there.arrival(at: ground.at(100, 0), from: 150).along - 300) < 1)
  }

  @Test func `a way has two corners, or is none`() {
    let here = Position(latitude: 52, longitude: 4)
    #expect(TourWay([]) == nil && TourWay([here]) == nil)
    // Twice the same corner is a way without length, on which everything is at its begin.
    let point = TourWay([here, here])
    #expect(point?.length == 0)
    #expect(point?.stretch(from: Position(latitude: 52.001, longitude: 4), to: here).length == 0)
    #expect(point?.position(at: 5) == here)
  }

  /// A case of `Fixtures/tours/ways.json`, to which the page's own way is held too.
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    struct Stop: Decodable, Sendable {
      var id: String
      var at: [Double]
    }
    struct Team: Decodable, Sendable {
      var at: [Double]
      var along: Double
      var distance: Double
      var position: [Double]
      var next: String
      var to: Double
      var corners: Int
    }
    var name: String
    var way: [[Double]]
    var length: Double
    var stations: [Stop]
    var teams: [Team]
    var testDescription: String { name }
  }

  private static func cases() throws -> [Case] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/tours/ways.json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
  }

  @Test func `server and page have the same answers about a way`() throws {
    func position(_ numbers: [Double]) -> Position { Position(latitude: numbers[0], longitude: numbers[1]) }
    let cases = try Self.cases()
    #expect(cases.count >= 30)
    for one in cases {
      let way = try #require(TourWay(one.way.map(position)), "\(one.name)")
      #expect(abs(way.length - one.length) < 0.02, "\(one.name)")
      let stations = one.stations.map { station($0.id, position($0.at)) }
      for (number, team) in one.teams.enumerated() {
        let foot = way.nearest(to: position(team.at))
        #expect(abs(foot.along - team.along) < 0.02, "\(one.name), \(number)")
        #expect(abs(foot.distance - team.distance) < 0.02, "\(one.name), \(number)")
        let there = Ground(latitude: team.position[0], longitude: team.position[1]).metres(foot.position)
        #expect(abs(there.north) < 0.02 && abs(there.east) < 0.02, "\(one.name), \(number)")
        let next = try #require(way.next(of: stations, from: position(team.at)))
        #expect(next.id == team.next, "\(one.name), \(number)")
        let stretch = way.stretch(from: position(team.at), to: next.position)
        #expect(abs(stretch.length - abs(team.to - team.along)) < 0.02, "\(one.name), \(number)")
        #expect(stretch.positions.count == team.corners, "\(one.name), \(number)")
      }
    }
  }
}
