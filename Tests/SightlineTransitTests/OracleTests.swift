import Foundation
import Testing

@testable import SightlineTransit

/// Three real feeds against answers that an independent program computed; they are not part of the repository.
@Suite(.enabled(if: Oracle.isThere)) struct OracleTests {
  @Test(arguments: ["caltrain-2023", "bart-2019", "helsinki-2022"]) func scheduled(feed: String) throws {
    let schedule = try Oracle.schedule(feed)
    for item in Oracle.answers.scheduled where item.feed == feed {
      let stops = try item.stops.map { try require(schedule.stop(id: $0)) }
      let found = try schedule.departures(at: stops, in: item.now..<(item.now + item.horizonSeconds))
      #expect(found.count == item.count, "\(item.name)")
      for (departure, expected) in zip(found, item.first) {
        let trip = try schedule.trip(departure.run.trip)
        let row = Oracle.Row(
          time: departure.time,
          line: schedule.routes[trip.route].name,
          headsign: try schedule.headsign(trip: departure.run.trip, place: departure.place),
          trip: trip.id,
          stop: schedule.stops[departure.stop].id,
          sequence: departure.sequence,
          serviceDate: departure.run.day.description,
          start: departure.run.start
        )
        #expect(row == expected, "\(item.name)")
      }
    }
  }

  @Test(arguments: ["caltrain-2023", "bart-2019"]) func realtime(feed: String) throws {
    let schedule = try Oracle.schedule(feed)
    let expected = try require(Oracle.answers.realtime[feed])
    let state = try RealtimeState([try Oracle.message(feed, "trip-updates.pb")], schedule: schedule)
    #expect(state.counts.matched == expected.matchedTrips)
    #expect(state.timestamp == expected.headerTimestamp)
    for row in expected.rows {
      let number = try require(try schedule.trip(id: row.trip))
      let day = try require(ServiceDay(row.serviceDate))
      let prediction = try require(state.runs[TripRun(trip: number, day: day, start: nil)])
      let pattern = try schedule.pattern(try schedule.trip(number).pattern)
      let place = try require(pattern.calls.firstIndex { Int($0.sequence) == row.sequence })
      #expect(prediction.calls[place].departure == row.predictedDeparture, "\(row)")
      #expect(prediction.calls[place].source.rawValue == row.source, "\(row)")
    }
  }

  @Test func vehiclesAndAlerts() throws {
    let vehicles = try Oracle.message("caltrain-2023", "vehicle-positions.pb").vehicles
    #expect(vehicles.count == 14)
    #expect(vehicles.allSatisfy { abs(($0.latitude ?? 0) - 37.5) < 0.6 && abs(($0.longitude ?? 0) + 122) < 0.6 })
    let alerts = try Oracle.message("bart-2019", "alerts.pb").alerts
    #expect(alerts.count == 1)
    #expect(alerts[0].isActive(at: 1_565_199_942) && !alerts[0].header.text(in: "sv").isEmpty)
  }

  /// A message that is cut off anywhere is refused or read as far as it is whole; nothing crashes.
  @Test func cutMessages() throws {
    let bytes = try Oracle.bytes("bart-2019", "trip-updates.pb")
    var refused = 0
    for length in stride(from: 0, to: bytes.count, by: 97) {
      do { _ = try RealtimeMessage(protobuf: Array(bytes[..<length])) } catch { refused += 1 }
    }
    #expect(refused > 100)
  }
}

enum Oracle {
  struct Row: Decodable, Equatable {
    let time: Int
    let line: String
    let headsign: String
    let trip: String
    let stop: String
    let sequence: Int
    let serviceDate: String
    let start: Int?
  }
  struct Item: Decodable {
    let feed: String
    let name: String
    let stops: [String]
    let now: Int
    let horizonSeconds: Int
    let count: Int
    let first: [Row]
  }
  struct Predicted: Decodable {
    let trip: String
    let serviceDate: String
    let stop: String
    let sequence: Int
    let predictedDeparture: Int?
    let source: String
  }
  struct Realtime: Decodable {
    let headerTimestamp: Int
    let matchedTrips: Int
    let rows: [Predicted]
  }
  struct Answers: Decodable {
    var scheduled: [Item] = []
    var realtime: [String: Realtime] = [:]
  }

  static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../shared/data/transit")
    .standardized
  static let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("expected.json").path)
  static let answers: Answers = {
    let data = FileManager.default.contents(atPath: folder.appendingPathComponent("expected.json").path) ?? Data()
    return (try? JSONDecoder().decode(Answers.self, from: data)) ?? Answers()
  }()

  static func schedule(_ feed: String) throws -> Schedule {
    let file = NSTemporaryDirectory() + "sightline-oracle-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let archive = folder.appendingPathComponent(feed).appendingPathComponent("gtfs.zip").path
    _ = try ScheduleImporter().importFeed(archive, into: file)
    return try Schedule(path: file)
  }

  static func bytes(_ feed: String, _ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(feed).appendingPathComponent(name)))
  }

  static func message(_ feed: String, _ name: String) throws -> RealtimeMessage {
    try RealtimeMessage(protobuf: try bytes(feed, name))
  }
}
