import Foundation
import GRDB
import SightlineArchive

/// Writes what was read as a schedule file; see ``ScheduleFormat`` for its tables.
struct ScheduleWriter {
  let feed: FeedReader
  let timetable: TimetableBuilder
  private var tables: FeedTables { feed.tables }

  init(reading: StopTimesReader) {
    feed = reading.feed
    timetable = reading.timetable
  }

  func write(to path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // The file is nobody's until it is renamed: no journal, and one flush at the end.
      try db.execute(
        sql: """
          PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -32768
          """
      )
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in
      try db.execute(sql: ScheduleFormat.tables)
      try writeNetwork(db)
      try writeServices(db)
      try writeTrips(db)
      let patternsOfStops = try writePatterns(db)
      try writeStops(db, patterns: patternsOfStops)
      try ShapeWriter(feed: feed).write(to: db)
      try writeExtras(db)
      try db.execute(sql: ScheduleFormat.indexes)
    }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA user_version = \(ScheduleFormat.version)")
    }
    try queue.close()
  }

  private func writeNetwork(_ db: Database) throws {
    let note = try db.makeStatement(sql: "INSERT OR REPLACE INTO notes VALUES (?, ?)")
    for (key, value) in tables.notes { try note.execute(arguments: ["feed." + key, value]) }
    try note.execute(arguments: ["timezone", tables.agencies[0].timeZone])
    try note.execute(arguments: ["longest-time", String(timetable.longestTime)])
    for (name, count) in feed.report.rows { try note.execute(arguments: ["rows." + name, String(count)]) }
    let agency = try db.makeStatement(sql: "INSERT INTO agencies VALUES (?, ?, ?, ?, ?)")
    for (number, row) in tables.agencies.enumerated() {
      try agency.execute(arguments: [number, row.id, row.name, row.url, row.language])
    }
    let route = try db.makeStatement(sql: "INSERT INTO routes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (number, row) in tables.routes.enumerated() {
      try route.execute(arguments: [
        number, row.id, row.agency, row.shortName, row.longName, row.kind, row.color, row.textColor, row.sortOrder,
      ])
    }
    let text = try db.makeStatement(sql: "INSERT INTO texts VALUES (?, ?)")
    for number in 0..<tables.texts.count { try text.execute(arguments: [number, tables.texts.text(number)]) }
  }

  private func writeServices(_ db: Database) throws {
    guard let span = tables.services.span else { return }
    let count = min(ServiceCalendarBuilder.longestSpan, span.upperBound.number - span.lowerBound.number + 1)
    let note = try db.makeStatement(sql: "INSERT INTO notes VALUES (?, ?)")
    try note.execute(arguments: ["first-day", String(span.lowerBound.number)])
    try note.execute(arguments: ["day-count", String(count)])
    let service = try db.makeStatement(sql: "INSERT INTO services VALUES (?, ?, ?)")
    for (number, bits) in tables.services.expand(from: span.lowerBound, count: count).enumerated() {
      try service.execute(arguments: [number, tables.services.ids[number], Data(bits)])
    }
  }

  private func writeTrips(_ db: Database) throws {
    let trips = tables.trips
    let statement = try db.makeStatement(sql: "INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    func number(_ value: Int32) -> Int32? { value < 0 ? nil : value }
    for trip in 0..<trips.ids.count where timetable.has(trip: trip) {
      try statement.execute(arguments: [
        trip, trips.ids.text(trip), trips.route[trip], trips.service[trip], number(trips.headsign[trip]),
        number(trips.shortName[trip]), number(trips.block[trip]), number(trips.shape[trip]), trips.flags[trip],
        timetable.trips[trip].pattern,
      ])
    }
  }

  /// Writes the patterns that trips use; returns for each stop its patterns and places in them, packed.
  private func writePatterns(_ db: Database) throws -> [[UInt8]] {
    var patternsOfStops: [[UInt8]] = Array(repeating: [], count: tables.stops.count)
    let statement = try db.makeStatement(sql: "INSERT INTO patterns VALUES (?, ?, ?, ?, ?)")
    let frequencies = Dictionary(grouping: tables.frequencies, by: \.trip)
    for (pattern, trips) in tripsByPattern() where !trips.isEmpty {
      let calls = timetable.patterns.withBytes(pattern) { Array($0) }
      for place in 0..<(calls.count / TimetableBuilder.callBytes) {
        let stop = calls.withUnsafeBufferPointer { bytes in
          var reader = PackedReader(bytes, from: place * TimetableBuilder.callBytes)
          return Int(reader.integer())
        }
        patternsOfStops[stop].append(integer: Int32(clamping: pattern))
        patternsOfStops[stop].append(integer: Int32(clamping: place))
      }
      var profiles: [UInt8] = []
      var localNumbers: [Int32: Int32] = [:]
      var timed: [UInt8] = []
      var repeated: [UInt8] = []
      for trip in trips {
        let packed = timetable.trips[Int(trip)]
        let local: Int32
        if let known = localNumbers[packed.profile] {
          local = known
        } else {
          local = Int32(clamping: localNumbers.count)
          localNumbers[packed.profile] = local
          // Without the four bytes of the pattern's number.
          timetable.profiles.withBytes(Int(packed.profile)) { profiles.append(contentsOf: $0.dropFirst(4)) }
        }
        if let windows = frequencies[trip] {
          for window in windows {
            for value in [trip, tables.trips.service[Int(trip)], local, window.start, window.end, window.headway] {
              repeated.append(integer: value)
            }
            repeated.append(integer: window.isExact ? 1 : 0)
          }
        } else {
          for value in [trip, tables.trips.service[Int(trip)], local, packed.start] { timed.append(integer: value) }
        }
      }
      try statement.execute(arguments: [pattern, Data(calls), Data(profiles), Data(timed), Data(repeated)])
    }
    return patternsOfStops
  }

  /// Trips of each pattern, ordered by their first departure.
  private func tripsByPattern() -> [(Int, [Int32])] {
    var lists: [[Int32]] = Array(repeating: [], count: timetable.patterns.count)
    for trip in timetable.trips.indices where timetable.has(trip: trip) {
      lists[Int(timetable.trips[trip].pattern)].append(Int32(trip))
    }
    return lists.enumerated().map { number, list in
      (number, list.sorted { (timetable.trips[Int($0)].start, $0) < (timetable.trips[Int($1)].start, $1) })
    }
  }

  private func writeStops(_ db: Database, patterns: [[UInt8]]) throws {
    let statement = try db.makeStatement(sql: "INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (number, stop) in tables.stops.enumerated() {
      try statement.execute(arguments: [
        number, stop.id, stop.code, stop.name, stop.latitude.isNaN ? nil : stop.latitude,
        stop.longitude.isNaN ? nil : stop.longitude, stop.kind, stop.parent < 0 ? nil : stop.parent, stop.timeZone,
        stop.wheelchair, stop.platform, Data(patterns[number]),
      ])
    }
  }

  private func writeExtras(_ db: Database) throws {
    let transfer = try db.makeStatement(sql: "INSERT INTO transfers VALUES (?, ?, ?, ?)")
    for row in tables.transfers { try transfer.execute(arguments: [row.from, row.to, row.kind, row.seconds]) }
    let translation = try db.makeStatement(sql: "INSERT INTO translations VALUES (?, ?, ?, ?, ?, ?, ?)")
    for row in tables.translations {
      try translation.execute(arguments: [
        row.table, row.field, row.language, row.record, row.subRecord, row.value, row.text,
      ])
    }
    let credit = try db.makeStatement(sql: "INSERT INTO credits VALUES (?, ?)")
    for row in tables.credits { try credit.execute(arguments: [row.name, row.url]) }
    let retired = try db.makeStatement(sql: "INSERT INTO retired VALUES (?, ?, ?, ?, ?, ?)")
    for stop in tables.retired {
      try retired.execute(arguments: [stop.id, stop.name, stop.platform, stop.latitude, stop.longitude, stop.since])
    }
  }
}
