import Foundation
import GRDB
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineTransit

/// Schedule files that are damaged, or made by somebody else: refused with a sentence, or read; never the end of the process.
@Suite(.timeLimit(.minutes(10))) struct HostileScheduleTests {
  /// A file with a row in every table.
  private static func file() throws -> String {
    let folder = try FeedFolder([
      "stops.txt": """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone,wheelchair_boarding
      ST,Central,57.70,11.97,1,,Europe/Helsinki,1
      P1,Central 1,57.70,11.97,0,ST,,0
      P2,Central 2,57.7002,11.9702,0,ST,,2
      E,Entrance,57.7002,11.9702,2,ST,,
      N,Node,,,3,ST,,
      A,Area,,,4,P1,,
      B,Brunnsparken,57.7066,11.9685,0,,,
      C,Chalmers,57.6896,11.9735,0,,,

      """,
      "trips.txt":
        "route_id,service_id,trip_id,trip_headsign,trip_short_name,block_id,shape_id\nR,D,T1,Chalmers,X1,K,S\nR,D,T2,,,,\nR,D,T3,,,,\n",
      "stop_times.txt": """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign
      T1,8:00:00,8:00:00,P1,1,Via
      T1,8:05:00,8:06:00,B,2,
      T1,8:15:00,8:15:00,C,3,
      T2,8:00:00,8:00:00,P1,1,Via
      T2,8:05:00,8:06:00,B,2,
      T2,8:15:00,8:15:00,C,3,
      T3,8:00:00,8:00:00,P2,1,
      T3,8:15:00,8:15:00,C,3,

      """,
      "frequencies.txt":
        "trip_id,start_time,end_time,headway_secs,exact_times\nT2,9:00:00,10:00:00,600,1\nT3,9:00:00,10:00:00,600,0\n",
      "shapes.txt":
        "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS,57.7,11.97,1\nS,57.705,11.97,2\nS,57.6896,11.9735,3\n",
      "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nB,C,2,60\n",
      "translations.txt": "table_name,field_name,language,translation,record_id\nstops,stop_name,sv,Brunnen,B\n",
      "attributions.txt": "organization_name,attribution_url\nSomebody,http://example.org\n",
      "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang\nA,http://a.org,de\n",
    ])
    let file = folder.path + ".schedule"
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    try? FileManager.default.removeItem(atPath: folder.path)
    try DatabaseQueue(path: file).write { db in
      try db.execute(sql: "INSERT INTO retired VALUES ('old', 'Old', '', 57.7, 11.9, 1795000000)")
    }
    return file
  }

  private static let now = 1_795_157_000

  /// Opens a file and asks everything of it.
  ///
  /// - Returns: What it was refused with; `nil` when it was opened, whatever single questions then said.
  @discardableResult private static func ask(_ file: String) async -> (any Error)? {
    let schedule: Schedule
    let provider: GTFSProvider
    do {
      schedule = try Schedule(path: file)
      provider = try GTFSProvider(
        info: ProviderInfo(id: "x", name: "X", kinds: ["gtfs"], attribution: "", isRemote: false),
        path: file,
        transport: NoTransport()
      )
    } catch { return error }
    let place = Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97)
    let directory = provider.schedule
    for number in schedule.stops.indices {
      let stop = directory.stop(number, language: "sv")
      _ = directory.lines(at: number)
      _ = directory.timeZone(of: number)
      _ = directory.retired(stop.id, at: now)
      for from in [now] {
        let question = BoardQuestion(from: from, window: 86_400, limit: 100)
        guard let board = try? await provider.departures(at: stop.id, question) else { continue }
        for departure in board.departures {
          _ = InstantText.text(departure.time, offset: directory.offset(at: departure.time, stop: number))
          _ = directory.headsign(departure.headsign, trip: departure.trip, language: "sv")
        }
        for interval in board.intervals { _ = InstantText.text(interval.period.upperBound, offset: 0) }
      }
    }
    _ = directory.retired("old", at: now)
    _ = directory.nearest(10, to: place, radius: nil)
    _ = try? directory.paths(around: place, radius: 5000)
    for trip in -1..<5 { _ = try? schedule.trip(trip) }
    // Realtime finds its trips by route, too.
    var message = RealtimeMessage()
    message.timestamp = now
    for (id, route) in [("T1", ""), ("T2", ""), ("", "R")] {
      var update = RealtimeMessage.TripUpdate()
      update.trip.id = id
      update.trip.route = route
      update.trip.day = ServiceDay("20261120")
      update.trip.start = 9 * 3600
      var call = RealtimeMessage.Call()
      call.stop = "B"
      call.arrival = RealtimeMessage.Event(delay: 60, time: nil)
      update.calls = [call]
      message.tripUpdates.append(update)
    }
    if let state = try? RealtimeState([message], schedule: schedule) {
      for stop in schedule.stops.indices {
        _ = try? schedule.board(at: schedule.callingStops(of: stop), in: now..<(now + 86_400), realtime: state)
      }
    }
    return nil
  }

  private struct NoTransport: ProviderTransport {
    func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer { throw .timeout }
  }

  /// Copies a file, changes it, asks, and clears away.
  private static func changed(_ file: String, _ change: (String) throws -> Void) async throws -> (any Error)? {
    let copy = NSTemporaryDirectory() + "sightline-hostile-\(UUID().uuidString).schedule"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    try change(copy)
    return await ask(copy)
  }

  private static func run(_ sql: String, _ arguments: StatementArguments = []) -> (String) throws -> Void {
    { path in
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try db.execute(sql: sql, arguments: arguments) }
      try queue.close()
    }
  }

  @Test func `the unchanged file is read`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let error = await Self.ask(file)
    #expect(error == nil)
  }

  @Test func `what is held in memory is refused with a sentence`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    for sql in [
      "UPDATE stops SET parent = 99 WHERE id = 'E'", "UPDATE stops SET parent = -1 WHERE id = 'E'",
      "UPDATE stops SET parent = 'x' WHERE id = 'E'", "UPDATE stops SET parent = number WHERE id = 'E'",
      "UPDATE stops SET id = NULL WHERE id = 'B'", "UPDATE stops SET name = x'ff00' WHERE id = 'B'",
      "UPDATE stops SET latitude = 1e300 WHERE id = 'B'", "UPDATE stops SET latitude = 9e999 WHERE id = 'B'",
      "UPDATE stops SET number = 77 WHERE id = 'B'", "DELETE FROM stops WHERE number = 0",
      "UPDATE stops SET kind = 'x'", "UPDATE stops SET wheelchair = 'x'",
      "UPDATE stops SET patterns = x'ffffffffffffffff'", "UPDATE stops SET patterns = x'0000'",
      "UPDATE stops SET patterns = x'00000000ffffff7f'", "UPDATE stops SET patterns = 5",
      "UPDATE routes SET agency = 7", "UPDATE routes SET agency = -9223372036854775808", "DELETE FROM agencies",
      "UPDATE routes SET number = 5", "UPDATE services SET days = 'x'", "UPDATE services SET number = number + 3",
      "DELETE FROM notes", "UPDATE notes SET value = '9223372036854775807' WHERE key = 'first-day'",
      "UPDATE notes SET value = '-9223372036854775808' WHERE key = 'first-day'",
      "UPDATE notes SET value = '9223372036854775807' WHERE key = 'day-count'",
      "UPDATE notes SET value = '0' WHERE key = 'day-count'", "UPDATE notes SET value = '-1' WHERE key = 'day-count'",
      "UPDATE notes SET value = '9223372036854775807' WHERE key = 'longest-time'",
      "UPDATE notes SET value = '-5' WHERE key = 'longest-time'",
      "UPDATE notes SET value = 'Nowhere' WHERE key = 'timezone'",
      "UPDATE retired SET since = 'x'", "UPDATE patterns SET number = 9000000000 WHERE number = 0",
      "UPDATE trips SET pattern = 9000000000 WHERE id = 'T1'", "UPDATE trips SET pattern = -1 WHERE id = 'T1'",
      "UPDATE trips SET route = 9 WHERE id = 'T1'", "UPDATE trips SET shape = 9000000000 WHERE id = 'T1'",
      "DROP TABLE shapes", "ALTER TABLE stops RENAME COLUMN name TO nome", "PRAGMA user_version = 99",
      """
      DROP TABLE credits; CREATE VIEW credits AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' AS name, 'b' AS url FROM n
      """,
    ] {
      let error = try await Self.changed(file, Self.run(sql))
      let sentence = (error as? ScheduleError).map { "\($0)" }
      #expect(sentence?.contains("Import the feed again") == true, "\(sql): \(error.map { "\($0)" } ?? "was opened")")
    }
  }

  @Test func `what is read later is refused when it is asked for`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    for sql in [
      "UPDATE patterns SET calls = x''", "UPDATE patterns SET calls = NULL", "UPDATE patterns SET calls = 'text'",
      "UPDATE patterns SET calls = x'00'", "UPDATE patterns SET calls = x'ffffffff0000000000000000ffffffff'",
      "UPDATE patterns SET calls = x'ffffff7f0100000000000000ffffffff'", "UPDATE patterns SET profiles = x''",
      "UPDATE patterns SET profiles = x'80'", "UPDATE patterns SET profiles = x'ffffffffffffffffffff'",
      "UPDATE patterns SET profiles = 1", "UPDATE patterns SET timed = x'01'",
      "UPDATE patterns SET timed = x'ffffffffffffffffffffffffffffffff'",
      "UPDATE patterns SET timed = x'0000000000000000ffffff7f00000000'",
      "UPDATE patterns SET timed = x'00000000ffffff7f0000000000000000'",
      "UPDATE patterns SET timed = x'000000000000000000000000ffffff7f'",
      "UPDATE patterns SET repeated = x'00000000000000000000000000000000000000000000000001000000'",
      "UPDATE patterns SET repeated = x'000000000000000000000000ffffff7fffffff7fffffff7f01000000'",
      "UPDATE patterns SET repeated = x'0000000000000000000000000000000000000080ffffffff01000000'",
      "UPDATE patterns SET timed = x'', repeated = x''", "DELETE FROM patterns WHERE number = 1",
      "DELETE FROM texts", "UPDATE texts SET text = NULL", "UPDATE texts SET text = x'ff'",
      "UPDATE trips SET flags = 9223372036854775807", "UPDATE trips SET flags = 'x'", "UPDATE trips SET flags = NULL",
      "UPDATE trips SET service = 99", "UPDATE trips SET service = -1", "UPDATE trips SET id = x'00' WHERE id = 'T1'",
      "UPDATE shapes SET points = x'01'", "UPDATE shapes SET points = NULL", "UPDATE shapes SET points = 5",
      "UPDATE shapes SET points = x'ffffff7fffffff7fffffff7fffffff7f'", "DELETE FROM shapes",
      "UPDATE translations SET language = NULL", "UPDATE translations SET text = NULL",
      "UPDATE retired SET since = 9223372036854775807", "UPDATE retired SET since = -9223372036854775808",
      "UPDATE routes SET color = -9223372036854775808, textColor = 9223372036854775807",
      "UPDATE routes SET kind = -9223372036854775808", "UPDATE routes SET sortOrder = 9223372036854775807",
      "UPDATE services SET days = x''", "UPDATE stops SET timezone = 'Nowhere'",
    ] { _ = try await Self.changed(file, Self.run(sql)) }
  }

  @Test func `parents in a circle in an older file end`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    for kind in 0...4 {
      // Each the other's parent, and a third that leads into the circle.
      let sql = """
        UPDATE stops SET kind = \(kind), parent = 4 WHERE number = 3; UPDATE stops SET kind = \(kind), parent = 3 WHERE number = 4;
        UPDATE stops SET kind = \(kind), parent = 3 WHERE number = 5
        """
      let error = try await Self.changed(file, Self.run(sql))
      #expect(error == nil)
    }
  }

  @Test func `any value in any column of any table is read or refused`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let columns: [(String, String)] = try await DatabaseQueue(path: file).read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'"
      ).map { ($0[0], $0[1]) }
    }
    #expect(columns.count > 60)
    let values: [any DatabaseValueConvertible] = [
      DatabaseValue.null, Int64.min, Int64.max, Double.infinity, "x", Data(repeating: 0xFF, count: 112),
    ]
    var refused = 0
    for (table, column) in columns {
      for value in values {
        let error = try await Self.changed(file) { path in
          // Some are kept out by the table itself.
          try? Self.run("UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = ?", [value])(path)
        }
        if let error {
          refused += 1
          #expect(error is ScheduleError, "\(table).\(column) = \(value): \(error)")
        }
      }
    }
    #expect(refused > 100)
  }

  @Test func `files that are cut off or garbled`() async throws {
    let file = try Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var random = SplitMix64(seed: 92)
    for _ in 0..<30 {
      _ = try await Self.changed(file) { path in
        var changed = bytes
        if random.next() % 3 == 0 { changed = changed.prefix(Int(random.next() % UInt64(bytes.count))) }
        for _ in 0..<Int(random.next() % 200) where !changed.isEmpty {
          changed[Int(random.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        try changed.write(to: URL(fileURLWithPath: path))
      }
    }
    for text in ["", "SQLite format 3\u{0}", String(repeating: "x", count: 5000)] {
      let error = try await Self.changed(file) { path in try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
      #expect(error is ScheduleError, "\(error.map { "\($0)" } ?? "opened")")
    }
  }
}
