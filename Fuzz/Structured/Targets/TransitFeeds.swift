import Foundation
import GRDB
import SightlineGeodesy

@testable import SightlineTransit

/// GTFS feeds: tables whose rows refer to each other, broken in structure, imported and asked.
///
/// An input is the feed's files one after the other, each after a line with its name: `# stops.txt`.
struct FeedTarget: StructuredTarget {
  static let name = "feed"
  private let folder = TransitQuestions.folder("feed")
  private var breaker = Breaker(
    names: [
      "stop_id", "stop_lat", "stop_lon", "parent_station", "location_type", "trip_id", "arrival_time", "departure_time",
      "stop_sequence", "shape_dist_traveled", "start_time", "end_time", "headway_secs", "exact_times", "service_id",
      "date",
      "exception_type", "route_id", "shape_id", "language", "translation", "record_id",
    ],
    values: [
      "A", "B", "ST", "E", "N", "T1", "T2", "T3", "R", "W", "S", "8:00:00", "25:10:00", "999:59:59", "0:00:00",
      "99:00:00", "20260101",
      "20261231", "19000101", "21991231", "0", "1", "2", "3", "4", "Europe/Berlin", "UTC", "sv", "999999999",
    ]
  )

  init() { breaker.rarity = 40 }

  private static func table(_ name: String, _ columns: String, _ rows: [[String]]) -> Node {
    let names = columns.split(separator: ",").map(String.init)
    return Node(
      kind: .list,
      name: name,
      children: rows.map { row in Node(kind: .list, children: zip(names, row).map { .text($1, as: $0) }) }
    )
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let stops = (0..<random.number(in: 2...8)).map { "\($0)" }
    let trips = (0..<random.number(in: 1...5)).map { "T\($0)" }
    func time(_ minute: Int) -> String {
      let rest = minute % 60
      return "\(minute / 60):\(rest < 10 ? "0" : "")\(rest):00"
    }
    var times: [[String]] = []
    for trip in trips {
      var minute = random.below(24 * 60)
      for call in 0..<random.number(in: 2...6) {
        let blank = call > 0 && random.once(in: 5)
        times.append([
          trip, blank ? "" : time(minute), blank ? "" : time(minute), random.pick(stops), "\(call + 1)", "", "\(call)",
        ])
        minute += random.below(90)
      }
    }
    var tables = [
      Self.table(
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone",
        [["A", "Agency", "http://a.example", "Europe/Berlin"]]
      ),
      Self.table(
        "routes.txt",
        "route_id,agency_id,route_short_name,route_long_name,route_type,route_color",
        [["R", "A", "7", "Long", "3", "ff0000"]]
      ),
      Self.table(
        "stops.txt",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station",
        [
          ["ST", "Station", "48.4", "9.98", "1", ""], ["E", "Entrance", "48.4", "9.98", "2", "ST"],
          ["N", "Node", "", "", "3", "ST"],
        ]
          + stops.map {
            [
              $0, "Stop \($0)", Values.latitude(&random), Values.longitude(&random), "0",
              random.once(in: 3) ? "ST" : "",
            ]
          }
      ),
      Self.table(
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
        [["W", "1", "1", "1", "1", "1", "1", "1", "20260101", "20261231"]]
      ),
      Self.table(
        "calendar_dates.txt",
        "service_id,date,exception_type",
        [["W", "20261120", random.pick(["1", "2"])], ["X", "20261121", "1"]]
      ),
      Self.table(
        "trips.txt",
        "route_id,service_id,trip_id,trip_headsign,shape_id,direction_id",
        trips.map { ["R", "W", $0, "", "S", "0"] }
      ),
      Self.table(
        "stop_times.txt",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,shape_dist_traveled",
        times
      ),
      Self.table(
        "frequencies.txt",
        "trip_id,start_time,end_time,headway_secs,exact_times",
        random.once(in: 2)
          ? []
          : (0..<random.number(in: 1...4)).map {
            [random.pick(trips), "\($0 * 2):00:00", "\($0 * 2 + 2):00:00", "600", random.pick(["0", "1"])]
          }
      ),
      Self.table(
        "shapes.txt",
        "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence",
        (0..<4).map { ["S", "48.\(40 + $0)", "9.9\($0)", "\($0)"] }
      ),
      Self.table(
        "transfers.txt",
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time",
        [[stops[0], stops[1], "2", "60"]]
      ),
      Self.table(
        "translations.txt",
        "table_name,field_name,language,translation,record_id,field_value",
        [["stops", "stop_name", "sv", "Namn", stops[0], ""]]
      ),
    ]
    if !random.once(in: 6) {
      for _ in 0..<random.number(in: 1...3) {
        let place = random.below(tables.count)
        let name = tables[place].name
        breaker.breakTree(&tables[place], &random)
        tables[place].name = name
      }
    }
    if random.once(in: 10) { tables.remove(at: random.below(tables.count)) }
    for table in tables {
      out += "# \(table.name)\n".utf8
      var content: [UInt8] = []
      table.csv(into: &content)
      if random.once(in: 30) { breaker.breakBytes(&content, &random) }
      out += content
    }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let file = folder + ".schedule"
    do {
      for name in FeedFiles.known { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
      var current: String?
      var content: [UInt8] = []
      func end() throws {
        guard let current, FeedFiles.known.contains(current) else { return }
        try Data(content).write(to: URL(fileURLWithPath: folder + "/" + current))
      }
      for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
        if line.starts(with: "# ".utf8) {
          try end()
          current = String(decoding: line.dropFirst(2), as: UTF8.self)
          content = []
        } else {
          content += line + [0x0A]
        }
      }
      try end()
    } catch { throw Finding("the folder cannot be written", "\(error)") }
    for suffix in ["", ".previous", ".new"] { try? FileManager.default.removeItem(atPath: file + suffix) }
    do { _ = try ScheduleImporter().importFeed(folder, into: file) } catch {
      try require(!"\(error)".isEmpty, "refused without a reason")
      // What an import wrote it has to be able to open.
      try require(!(error is ScheduleError), "what was imported cannot be opened", "\(error)")
      return .refused
    }
    try TransitQuestions.ask(file, mustAnswer: true)
    return .accepted
  }
}

/// Schedule files: a whole one whose rows are changed to anything.
///
/// An input is lines `table|column|row|value`, the value as SQL; or `garble|place|byte` and `cut|bytes` for the file itself.
struct ScheduleTarget: StructuredTarget {
  static let name = "schedule"
  private let base: [UInt8]
  private let columns: [(table: String, column: String)]
  private let file = TransitQuestions.folder("schedule") + ".schedule"

  init() {
    let feed = "Fixtures/transit/zurich.zip"
    let files = Files.list(["Fixtures/transit"]).filter { $0.hasSuffix(".zip") }
    let path = TransitQuestions.folder("base") + ".schedule"
    let source = files.min { (Files.load($0)?.count ?? .max) < (Files.load($1)?.count ?? .max) } ?? feed
    do {
      _ = try ScheduleImporter().importFeed(source, into: path)
      columns = try DatabaseQueue(path: path).read { db in
        try Row.fetchAll(
          db,
          sql: "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'"
        )
        .map { ($0[0], $0[1]) }
      }
    } catch { fatalError("the fixture cannot be imported: \(error)") }
    base = Files.load(path) ?? []
  }

  private func blob(_ random: inout Random) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<random.number(in: 0...12) {
      bytes.put(random.once(in: 2) ? random.below(20) : Values.extremeInteger(&random), 4)
    }
    if random.once(in: 3) { bytes = (0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    return "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    for _ in 0..<random.number(in: 1...5) {
      if random.once(in: 12) {
        out +=
          (random.once(in: 3)
          ? "cut|\(random.below(base.count))\n" : "garble|\(random.below(base.count))|\(random.below(256))\n").utf8
        continue
      }
      let (table, column) = columns[random.below(columns.count)]
      let value: String
      switch random.below(7) {
      case 0: value = "NULL"
      case 1, 2: value = "\(Values.extremeInteger(&random))"
      case 3: value = "'" + Values.extremeText(&random).filter { !"'|\n".contains($0) }.prefix(300) + "'"
      case 4: value = random.pick(["9e999", "-9e999", "1e300", "0.5", "-0.0"])
      default: value = blob(&random)
      }
      let row = random.once(in: 3) ? "all" : random.once(in: 6) ? "delete" : "\(random.below(12))"
      out += "\(table)|\(column)|\(row)|\(value)\n".utf8
    }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    var bytes = base
    var statements: [String] = []
    for line in String(decoding: input, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, parts[0] == "cut", let count = Int(parts[1]) {
        bytes.removeLast(max(0, bytes.count - max(0, count)))
      } else if parts.count == 3, parts[0] == "garble", let place = Int(parts[1]), let byte = UInt8(parts[2]) {
        if bytes.indices.contains(place) { bytes[place] = byte }
      } else if parts.count == 4 {
        let condition = parts[2] == "all" ? "" : " WHERE rowid % 12 = \(Int(parts[2]) ?? 0)"
        statements.append(
          parts[2] == "delete"
            ? "DELETE FROM \"\(parts[0])\" WHERE rowid % 3 = 1"
            : "UPDATE OR IGNORE \"\(parts[0])\" SET \"\(parts[1])\" = \(parts[3])\(condition)"
        )
      }
    }
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      if !statements.isEmpty, let queue = try? DatabaseQueue(path: file) {
        for statement in statements { try? queue.write { db in try db.execute(sql: statement) } }
        try? queue.close()
      }
    } catch { throw Finding("the file cannot be written", "\(error)") }
    do { _ = try Schedule(path: file) } catch {
      try require(!"\(error)".isEmpty, "refused without a reason")
      return .refused
    }
    try TransitQuestions.ask(file, mustAnswer: false)
    return .accepted
  }
}

/// Asks a schedule file what a server asks.
enum TransitQuestions {
  static let now = 1_795_157_000

  /// A folder of this process, made; files may lie beside it.
  static func folder(_ name: String) -> String {
    let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let path = "\(parent)/sightline-fuzz-\(name)-\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// `mustAnswer`: whether the file was made by an import, so that every question has an answer.
  static func ask(_ file: String, mustAnswer: Bool) throws(Finding) {
    func attempt(_ what: String, _ work: () throws -> Void) throws(Finding) {
      do { try work() } catch { try require(!mustAnswer, "\(what) failed", "\(error)") }
    }
    guard let schedule = try? Schedule(path: file), let directory = try? ScheduleDirectory(schedule) else { return }
    let place = Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 9.98)
    for number in schedule.stops.indices.prefix(40) {
      let stop = directory.stop(number, language: "sv")
      try require(directory.lines(at: number).count <= ScheduleDirectory.mostLines, "too many lines")
      _ = (directory.timeZone(of: number), directory.retired(stop.id, at: now))
      let calling = schedule.callingStops(of: number)
      try attempt("departures") {
        let found = try schedule.departures(at: calling, in: now..<(now + 86_400))
        guard found.count <= Schedule.mostDepartures, zip(found, found.dropFirst()).allSatisfy({ $0.time <= $1.time })
        else {
          throw Finding("departures are too many or in no order")
        }
        for departure in found.prefix(20) {
          _ = InstantText.text(departure.time, offset: directory.offset(at: departure.time, stop: number))
          _ = try schedule.headsign(trip: departure.run.trip, place: departure.place)
        }
      }
      try attempt("intervals") {
        guard try schedule.intervals(at: calling, in: now..<(now + 86_400)).count <= Schedule.mostIntervals else {
          throw Finding("too many intervals")
        }
      }
    }
    _ = directory.nearest(10, to: place, radius: nil)
    try attempt("ways") { _ = try directory.paths(around: place, radius: 5000) }
  }
}
