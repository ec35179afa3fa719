import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineTransit

@Suite struct ImportTests {
  @Test func smallestFeed() throws {
    let (schedule, report) = try FeedFolder().imported()
    #expect(report.problems.isEmpty)
    #expect(report.rows["stop_times.txt"] == 3)
    #expect(try schedule.times("ST", on: "2026-11-20") == ["08:00 T1"])
    #expect(try schedule.times("B", on: "2026-11-20") == ["08:06 T1"])
    // The last stop is an arrival, and Saturday is no weekday.
    #expect(try schedule.times("C", on: "2026-11-20").isEmpty)
    #expect(try schedule.times("B", on: "2026-11-21").isEmpty)
  }

  @Test func quotesByteOrderMarkCarriageReturnsAndColumnOrder() throws {
    let stops =
      "\u{FEFF}stop_lon,\"stop_name\",stop_id,extra,stop_lat\r\n11.97,\"Järntorget, \"\"södra\"\"\nnedre\",P1,x,57.7\r\n"
      + "11.97,B,B,,57.7\r\n11.97,C,C,,57.7"
    let (schedule, report) = try FeedFolder(["stops.txt": stops]).imported()
    #expect(report.problems.isEmpty)
    #expect(schedule.stops[0].name == "Järntorget, \"södra\"\nnedre")
    #expect(try schedule.times("P1", on: "2026-11-20") == ["08:00 T1"])
  }

  @Test func latinOneIsReadAndReported() throws {
    let folder = try FeedFolder()
    var bytes = Array("stop_id,stop_name,stop_lat,stop_lon\nP1,Br".utf8)
    bytes += [0xE5, 0x6E, 0x0A]  // "ån" in Latin-1
    bytes =
      Array("stop_id,stop_lat,stop_lon,stop_name\nP1,57.7,11.9,Br".utf8) + [0xE5]
      + Array("n\nB,57.7,11.9,B\nC,57.7,11.9,C\n".utf8)
    try folder.write(bytes, to: "stops.txt")
    let (schedule, report) = try folder.imported()
    #expect(schedule.stops[0].name == "Brån")
    #expect(report.problems.map(\.code) == ["stops.encoding"])
    #expect(report.problems[0].line == 2)
  }

  @Test func sixteenBitTextIsRefusedByName() throws {
    let folder = try FeedFolder()
    try folder.write(
      [0xFF, 0xFE] + "stop_id".utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] },
      to: "stops.txt"
    )
    #expect {
      _ = try folder.imported()
    } throws: { error in
      "\(error)".contains("stops.txt") && "\(error)".contains("UTF-16")
    }
  }

  @Test func rowsInAnyOrderGiveTheSame() throws {
    var random = SplitMix64(seed: 3)
    var trips = "route_id,service_id,trip_id,trip_headsign\n"
    var rows: [String] = []
    for trip in 0..<200 {
      trips += "R,D,T\(trip),Chalmers\n"
      var time = 18_000 + Int(random.next() % 50_000)
      for (place, stop) in ["P1", "B", "C", "P2"].enumerated() {
        let text = "\(time / 3600):\(String(format: "%02d:%02d", time / 60 % 60, time % 60))"
        rows.append("T\(trip),\(text),\(text),\(stop),\(place * 3 + 1)")
        time += 60 + Int(random.next() % 3) * 60
      }
    }
    let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    func answer(_ rows: [String]) throws -> [[String]] {
      let (schedule, report) = try FeedFolder([
        "trips.txt": trips, "stop_times.txt": header + rows.joined(separator: "\n"),
      ]).imported()
      #expect(report.problems.isEmpty)
      #expect(report.rows["stop_times.txt"] == rows.count)
      return try ["P1", "B", "C", "P2"].map { try schedule.times($0, on: "2026-11-20") }
    }
    let inOrder = try answer(rows)
    #expect(inOrder.map(\.count) == [200, 200, 200, 0])
    // A few apart, then all mixed: the second pass for some, and for all.
    var fewApart = rows
    fewApart.append(fewApart.remove(at: 2))
    #expect(try answer(fewApart) == inOrder)
    var mixed = rows
    for index in mixed.indices.reversed() { mixed.swapAt(index, Int(random.next() % UInt64(index + 1))) }
    #expect(try answer(mixed) == inOrder)
  }

  @Test func timesBetweenTimedStops() throws {
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
      T1,8:00:00,8:00:00,P1,1,0
      T1,,,B,2,100
      T1,,,P2,3,
      T1,8:40:00,,C,4,400
      T2,9:00:00,9:00:00,P1,1,
      T2,,,B,2,
      T2,9:30:00,9:30:00,C,3,

      """
    let trips = "route_id,service_id,trip_id\nR,W,T1\nR,W,T2\n"
    let (schedule, report) = try FeedFolder(["stop_times.txt": times, "trips.txt": trips]).imported()
    #expect(report.problems.isEmpty)
    // By distance where it is given, else by count of stops.
    #expect(try schedule.times("B", on: "2026-11-20") == ["08:10 T1", "09:15 T2"])
    #expect(try schedule.times("P2", on: "2026-11-20") == ["08:26 T1"])
    let stop = try require(schedule.stop(id: "B"))
    let start = schedule.clock.base(of: try require(ServiceDay("2026-11-20")))
    let found = try schedule.departures(at: [stop], in: start..<(start + 86_400))
    #expect(found.map(\.isApproximate) == [true, true])
  }

  @Test func brokenRowsAreNamedAndLeftOut() throws {
    var times = FeedFolder.basis["stop_times.txt"] ?? ""
    for trip in 2...200 { times += "T\(trip),8:00:00,8:00:00,P1,1\nT\(trip),8:05:00,8:06:00,B,2\n" }
    var trips = FeedFolder.basis["trips.txt"] ?? ""
    for trip in 2...200 { trips += "R,W,T\(trip),\n" }
    times += "T1,8:30:00,8:30:00,NOWHERE,4\nT9999,8:00:00,8:00:00,B,1\nT3,8:99:00,8:00:00,B,9\n"
    let (schedule, report) = try FeedFolder(["stop_times.txt": times, "trips.txt": trips]).imported()
    #expect(report.counts["stop_times.unknown-stop"] == 1)
    #expect(report.counts["stop_times.unknown-trip"] == 1)
    #expect(report.counts["stop_times.time"] == 1)
    #expect(report.problems.map(\.line) == [403, 404, 405])
    #expect(try schedule.times("P1", on: "2026-11-20").count == 200)
    // Of all but the first trip this is the last stop.
    #expect(try schedule.times("B", on: "2026-11-20") == ["08:06 T1"])
  }

  @Test(arguments: [
    ("agency.txt", nil, "no agency.txt"), ("agency.txt", "agency_name,agency_timezone\nA,Mars/Olympus\n", "time zone"),
    ("stops.txt", "name\nx\n", "no column stop_id"), ("stop_times.txt", nil, "no stop_times.txt"),
    ("calendar.txt", nil, "no day of service"), ("stop_times.txt", "", "empty"),
    ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nX,1:00:00,1:00:00,B,1\n", "1 %"),
    ("stops.txt", "stop_id,stop_lat,stop_lon\n\"P1,57,11\nB,57,11\n", "quoted field is not closed"),
  ]) func refusedAsAWhole(file: String, text: String?, reason: String) throws {
    let folder = try FeedFolder([file: text])
    let target = folder.path + ".schedule"
    try Data("before".utf8).write(to: URL(fileURLWithPath: target))
    defer { try? FileManager.default.removeItem(atPath: target) }
    do {
      _ = try ScheduleImporter().importFeed(folder.path, into: target)
      Issue.record("\(file) should have been refused")
    } catch { #expect("\(error)".contains(reason), "\(error)") }
    // Nothing was touched.
    #expect(FileManager.default.contents(atPath: target) == Data("before".utf8))
    try FileManager.default.removeItem(atPath: folder.path)
  }

  @Test func rollBackAndForth() throws {
    let first = try FeedFolder()
    let second = try FeedFolder(["trips.txt": "route_id,service_id,trip_id,trip_headsign\nR,D,T1,Other\n"])
    let file = first.path + ".schedule"
    defer {
      for path in [first.path, second.path, file, file + ".previous"] {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    _ = try ScheduleImporter().importFeed(first.path, into: file)
    #expect(throws: TransitImportError.self) { try ScheduleImporter.rollBack(file) }
    _ = try ScheduleImporter().importFeed(second.path, into: file)
    func headsign() throws -> String { try Schedule(path: file).trip(0).headsign }
    #expect(try headsign() == "Other")
    try ScheduleImporter.rollBack(file)
    #expect(try headsign() == "Chalmers")
    try ScheduleImporter.rollBack(file)
    #expect(try headsign() == "Other")
  }

  @Test func whatIsNoSchedule() throws {
    let path = NSTemporaryDirectory() + "sightline-\(UUID().uuidString)"
    #expect(throws: ScheduleError.missing(path)) { _ = try Schedule(path: path) }
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: ScheduleError.self) { _ = try Schedule(path: path) }
  }

  @Test func `stops that are gone from the feed are gone, unless they are too many`() throws {
    let folder = try FeedFolder()
    let file = folder.path + ".schedule"
    defer { for path in [folder.path, file, file + ".previous"] { try? FileManager.default.removeItem(atPath: path) } }
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    func ids() throws -> Set<String> { Set(try Schedule(path: file).stops.map(\.id)) }
    let all = try ids()
    // One of five is a fifth, and is gone without a word.
    func write(_ rows: [String]) throws {
      let text = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" + rows.map { $0 + "\n" }.joined()
      try folder.write(Array(text.utf8), to: "stops.txt")
    }
    let rows = ["P1,Central 1,57.70,11.97,0,", "B,Brunnsparken,57.7066,11.9685,0,", "C,Chalmers,57.6896,11.9735,0,"]
    try write(rows + ["ST,Central,57.70,11.97,1,"])
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    #expect(try ids() == all.subtracting(["P2"]))
    // One of four is more than a fifth.
    try write(rows)
    #expect(throws: TransitImportError.self) { try ScheduleImporter().importFeed(folder.path, into: file) }
    #expect(try ids() == all.subtracting(["P2"]))
    var importer = ScheduleImporter()
    importer.allowsLoss = true
    _ = try importer.importFeed(folder.path, into: file)
    #expect(try ids() == ["P1", "B", "C"])
    // One that comes back has its id again.
    try write(rows + ["P2,Central 2,57.70,11.97,0,"])
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    #expect(try Schedule(path: file).stop(id: "P2") != nil)
  }

  @Test func `names in other languages, of the record before those of the text`() throws {
    let translations = """
      table_name,field_name,language,translation,record_id,record_sub_id,field_value
      stops,stop_name,fi,Keskus,ST,,
      stops,stop_name,fi,Puro,,,Brunnsparken
      trips,trip_headsign,fi,Chalmersin,,,Chalmers
      trips,trip_headsign,fi,Opisto,T1,,
      stops,stop_name,sv,Kalmar,C,,

      """
    let (schedule, report) = try FeedFolder(["translations.txt": translations]).imported()
    #expect(report.problems.isEmpty)
    let directory = try ScheduleDirectory(schedule)
    #expect(directory.languages == ["fi", "sv"])
    func name(_ id: String, _ language: String?) throws -> String {
      directory.stop(try require(directory.number(of: id)), language: language).name
    }
    #expect(try name("ST", "fi") == "Keskus" && name("B", "fi") == "Puro" && name("C", "fi") == "Chalmers")
    #expect(try name("ST", "sv") == "Central" && name("ST", "de") == "Central" && name("C", "sv") == "Kalmar")
    #expect(directory.headsign("Chalmers", trip: "T1", language: "fi") == "Opisto")
    #expect(directory.headsign("Chalmers", trip: "", language: "fi") == "Chalmersin")
    #expect(directory.headsign("Chalmers", trip: "gone", language: "fi") == "Chalmersin")
    #expect(directory.headsign("Elsewhere", trip: "T1", language: "fi") == "Elsewhere")
    // Without a headsign of its own a trip shows its last stop, by its own translation.
    let (plain, _) = try FeedFolder([
      "translations.txt": translations, "trips.txt": "route_id,service_id,trip_id\nR,W,T1\n",
    ]).imported()
    #expect(try ScheduleDirectory(plain).headsign("Chalmers", trip: "T1", language: "sv") == "Kalmar")
  }

  @Test func `a stop that is gone answers by its id for a month`() throws {
    let folder = try FeedFolder()
    let file = folder.path + ".schedule"
    defer { for path in [folder.path, file, file + ".previous"] { try? FileManager.default.removeItem(atPath: path) } }
    var importer = ScheduleImporter()
    importer.time = 1_000_000
    _ = try importer.importFeed(folder.path, into: file)
    #expect(try Schedule(path: file).retired.isEmpty)
    let header = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
    let kept = """
      P1,Central 1,57.70,11.97,0,
      B,Brunnsparken,57.7066,11.9685,0,
      C,Chalmers,57.6896,11.9735,0,
      ST,Central,57.70,11.97,1,

      """
    func take(_ stops: String, at time: Int) throws -> ScheduleDirectory {
      try folder.write(Array((header + stops).utf8), to: "stops.txt")
      importer.time = time
      _ = try importer.importFeed(folder.path, into: file)
      return try ScheduleDirectory(try Schedule(path: file))
    }
    let day = 86_400
    // Known with its name and place, but neither found by searching nor counted.
    var directory = try take(kept, at: 1_000_000 + day)
    #expect(directory.number(of: "P2") == nil)
    let gone = try require(directory.retired("P2", at: 1_000_000 + 2 * day))
    #expect(gone.name == "Central 2" && gone.latitude == 57.7002 && gone.longitude == 11.9702)
    #expect(
      !directory.nearest(50, to: Geodetic(latitudeDegrees: 57.7002, longitudeDegrees: 11.9702), radius: nil).contains {
        directory.stop($0.stop, language: nil).id == "P2"
      }
    )
    #expect(directory.retired("B", at: 1_000_000 + 2 * day) == nil)
    // Later imports keep the day on which it went; after thirty days it is unknown, after another one forgotten.
    directory = try take(kept, at: 1_000_000 + 20 * day)
    #expect(directory.schedule.retired["P2"]?.since == 1_000_000 + day)
    #expect(directory.retired("P2", at: 1_000_000 + 31 * day - 1) != nil)
    #expect(directory.retired("P2", at: 1_000_000 + 31 * day) == nil)
    directory = try take(kept, at: 1_000_000 + 32 * day)
    #expect(directory.schedule.retired.isEmpty)
    // One that comes back is a stop again.
    directory = try take(kept + "P2,Central 2,57.7002,11.9702,0,\n", at: 1_000_000 + 33 * day)
    _ = try take(kept, at: 1_000_000 + 34 * day)
    directory = try take(kept + "P2,Central 2,57.7002,11.9702,0,\n", at: 1_000_000 + 35 * day)
    #expect(directory.number(of: "P2") != nil && directory.schedule.retired.isEmpty)
  }

  @Test func `decimal numbers as exact as the library's`() {
    func read(_ text: String) -> Double? {
      var text = text
      return text.withUTF8 { $0.decimal }
    }
    var random = SplitMix64(seed: 21)
    for _ in 0..<20_000 {
      let digits = 1 + Int(random.next() % 17)
      var text = random.next() % 3 == 0 ? "-" : ""
      let point = Int(random.next() % 20)
      for place in 0..<digits {
        if place == point, place > 0 { text += "." }
        text += String(random.next() % 10)
      }
      #expect(read(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
    for text in ["", "-", ".", "-.", "1.", "1..2", "1.2.3", "0x1p3 ", "12a", "--1"] {
      #expect(read(text) == Double(text), "\(text)")
    }
    #expect(read("nan") == nil && read("inf") == nil)
    #expect(read("1e3") == 1000 && read("+57.5") == 57.5 && read(".5") == 0.5)
    #expect(read("-0")?.sign == .minus)
  }

  @Test func `shapes in any order of rows`() throws {
    var random = SplitMix64(seed: 9)
    var rows: [String] = []
    var trips = "route_id,service_id,trip_id,shape_id\n"
    var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    for shape in 0..<40 {
      trips += "R,D,T\(shape),W\(shape)\n"
      times += "T\(shape),8:00:00,8:00:00,P1,1\nT\(shape),8:10:00,8:10:00,C,2\n"
      for place in 0..<30 {
        rows.append("W\(shape),\(57 + Double(place) / 1000),\(-11.25 - Double(shape) / 100),\(place * 7)")
      }
    }
    func points(_ rows: [String]) throws -> [[[Double]]] {
      let (schedule, report) = try FeedFolder([
        "trips.txt": trips, "stop_times.txt": times,
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows.joined(separator: "\n") + "\n",
      ]).imported()
      #expect(report.problems.isEmpty)
      return try (0..<40).map { number in
        let trip = try schedule.trip(try require(schedule.trip(id: "T\(number)")))
        return try schedule.shape(try require(trip.shape)).map { [$0.latitude, $0.longitude] }
      }
    }
    let inOrder = try points(rows)
    #expect(inOrder.allSatisfy { $0.count == 30 })
    #expect(inOrder[3][29] == [57.029, -11.28])
    var fewApart = rows
    fewApart.append(fewApart.remove(at: 40))
    #expect(try points(fewApart) == inOrder)
    var mixed = rows
    for index in mixed.indices.reversed() { mixed.swapAt(index, Int(random.next() % UInt64(index + 1))) }
    #expect(try points(mixed) == inOrder)
    // Rows of nowhere and of no trip are passed over.
    #expect(try points(["W1,x,11,1", "W1,91,11,2", "OTHER,57,11,3"] + rows) == inOrder)
  }
}
