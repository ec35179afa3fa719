import Foundation
import SightlineGeodesy
import Testing

@testable import SightlineTransit

/// Feeds that somebody made to do harm: what they make is bounded, and nothing in them ends the process.
@Suite(.timeLimit(.minutes(10))) struct HostileFeedTests {
  private static let stops = """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    ST,Central,57.70,11.97,1,
    P1,Central 1,57.70,11.97,0,ST
    B,Brunnsparken,57.7066,11.9685,0,
    C,Chalmers,57.6896,11.9735,0,

    """

  // MARK: Parents

  @Test(arguments: [
    ["A,A,57.7,11.9,3,B", "D,D,57.7,11.9,3,A", "B,B2,57.7,11.9,3,D"],
    ["A,A,57.7,11.9,2,D", "D,D,57.7,11.9,2,A"],
    ["A,A,57.7,11.9,3,D", "D,D,57.7,11.9,2,E", "E,E,57.7,11.9,4,A"],
    ["A,A,57.7,11.9,0,D", "D,D,57.7,11.9,0,A"],
    ["A,A,57.7,11.9,4,D", "D,D,57.7,11.9,4,A"],
    ["A,A,57.7,11.9,1,D", "D,D,57.7,11.9,1,A"],
  ]) func `parents in a circle are none`(rows: [String]) throws {
    let (schedule, report) = try FeedFolder(["stops.txt": Self.stops + rows.joined(separator: "\n") + "\n"]).imported()
    #expect(report.problems.contains { $0.code == "stops.parent" })
    let directory = try ScheduleDirectory(schedule)
    for number in schedule.stops.indices {
      _ = schedule.callingStops(of: number)
      _ = schedule.timeZone(of: number)
      _ = directory.stop(number, language: nil)
      _ = directory.lines(at: number)
    }
    let number = try require(schedule.stop(id: "A"))
    #expect(schedule.stops[number].parent == nil)
  }

  @Test func `entrances and boarding areas still lead to their platforms`() throws {
    let rows = "E,E,57.7,11.9,2,ST\nN,N,,,3,ST\nA,A,,,4,P1\n"
    let (schedule, report) = try FeedFolder([
      "stops.txt": Self.stops + rows,
      "stop_times.txt":
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,8:00:00,8:00:00,P1,1\nT1,9:00:00,9:00:00,B,2\n",
    ]).imported()
    #expect(report.problems.isEmpty)
    let platform = try require(schedule.stop(id: "P1"))
    for id in ["ST", "E", "N", "A", "P1"] {
      #expect(schedule.callingStops(of: try require(schedule.stop(id: id))) == [platform], "\(id)")
    }
  }

  // MARK: Frequencies

  private static let trips = "route_id,service_id,trip_id\n"
  private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

  /// Trips that each leave B every second for 99 hours.
  private static func everySecond(trips count: Int) throws -> Schedule {
    var (trips, times) = (Self.trips, Self.times)
    var frequencies = "trip_id,start_time,end_time,headway_secs,exact_times\n"
    for number in 0..<count {
      trips += "R,D,T\(number)\n"
      times += "T\(number),0:00:00,0:00:00,B,1\nT\(number),0:05:00,0:05:00,C,2\n"
      frequencies += "T\(number),0:00:00,99:00:00,1,1\n"
    }
    return try FeedFolder(["trips.txt": trips, "stop_times.txt": times, "frequencies.txt": frequencies]).imported().0
  }

  @Test func `too many departures are cut to the first in time`() throws {
    let schedule = try Self.everySecond(trips: 200)
    let stop = try require(schedule.stop(id: "B"))
    let start = schedule.clock.base(of: ServiceDay(number: 20_777)) + 8 * 3600
    let (found, looks) = try schedule.countedDepartures(at: [stop], in: start..<(start + 86_400))
    #expect(found.count < Schedule.mostDepartures && found.count > 1000)
    #expect(looks <= Schedule.mostLooks)
    // Those that leave first, all of them: no gap up to the last.
    #expect(found.first?.time == start)
    let seconds = Set(found.map(\.time))
    let last = try require(seconds.max())
    #expect(seconds.count == last - start + 1)
    let board = try schedule.board(at: [stop], in: start..<(start + 86_400))
    #expect(board.count == found.count)
  }

  @Test func `at most three overlapping rows of frequencies are kept`() throws {
    var frequencies = "trip_id,start_time,end_time,headway_secs,exact_times\n"
    for _ in 0..<3000 { frequencies += "T1,0:00:00,99:00:00,1,1\n" }
    // One after the other is as it should be.
    frequencies += "T1,99:00:00,99:10:00,60,1\n"
    let (schedule, report) = try FeedFolder(["frequencies.txt": frequencies]).imported()
    #expect(report.rows["frequencies.txt"] == 4)
    #expect(report.counts["frequencies.overlap"] == 2997)
    #expect(report.counts["frequencies.overlap-kept"] == 2)
    let pattern = try schedule.pattern(0)
    #expect(pattern.repeated.count == 4)
  }

  @Test func `services at intervals are bounded too`() throws {
    var (trips, times) = (Self.trips, Self.times)
    var frequencies = "trip_id,start_time,end_time,headway_secs\n"
    for number in 0..<300 {
      trips += "R,D,T\(number)\n"
      times += "T\(number),0:00:00,0:00:00,B,1\nT\(number),0:05:00,0:05:00,C,2\n"
      for hour in 0..<40 { frequencies += "T\(number),\(hour):00:00,\(hour):59:00,\(60 + number)\n" }
    }
    let (schedule, _) = try FeedFolder([
      "trips.txt": trips, "stop_times.txt": times, "frequencies.txt": frequencies,
    ]).imported()
    let stop = try require(schedule.stop(id: "B"))
    let start = schedule.clock.base(of: ServiceDay(number: 20_777))
    let found = try schedule.intervals(at: [stop], in: start..<(start + 86_400))
    #expect(found.count == Schedule.mostIntervals)
  }

  // MARK: Extreme values

  @Test func `extreme values in every column do no harm`() throws {
    let values = [
      "", "-1", "0", "99999999999999999999999999", "9223372036854775808", "-9223372036854775809", "1e308", "-1e400",
      "nan",
      "inf", "0x7fffffff", "999999999", "2147483648", "4294967296", "999:59:59", "99999999", "19000101", "21991231",
      "\"\"", "\u{0}", "☃", String(repeating: "9", count: 1000), "ffffff", "-00001",
    ]
    var made = 0
    for (file, text) in FeedFolder.basis.merging(
      [
        "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nT1,8:00:00,9:00:00,600,1\n",
        "calendar_dates.txt": "service_id,date,exception_type\nW,20261120,1\n",
        "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nB,C,2,60\n",
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS,57.7,11.9,1\nS,57.8,11.9,2\n",
      ],
      uniquingKeysWith: { $1 }
    ) {
      let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let columns = lines.first?.count ?? 0
      for column in 0..<columns {
        for value in values {
          var changed = lines.map { $0.map(String.init) }
          guard changed.count > 1, column < changed[1].count else { continue }
          changed[1][column] = value
          let content = changed.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n"
          // Refused with a sentence or read: both are well.
          let folder = try FeedFolder([file: content])
          defer { try? FileManager.default.removeItem(atPath: folder.path) }
          guard (try? ScheduleImporter().validate(feed: folder.path)) != nil else { continue }
          made += 1
          // Writing and asking is what takes time.
          guard made % 11 == 0, let (schedule, _) = try? folder.imported() else { continue }
          for stop in schedule.stops.indices {
            let calling = schedule.callingStops(of: stop)
            let start = schedule.clock.base(of: ServiceDay(number: 20_777))
            _ = try schedule.departures(at: calling, in: start..<(start + 86_400))
            _ = try schedule.intervals(at: calling, in: start..<(start + 86_400))
          }
        }
      }
    }
  }

  @Test func `a trip of more calls than any has is left out`() throws {
    var times = Self.times
    for call in 0..<(TripPattern.mostCalls + 5) { times += "T2,8:00:00,8:00:00,\(call % 2 == 0 ? "B" : "C"),\(call)\n" }
    times += "T1,8:00:00,8:00:00,B,1\nT1,8:01:00,8:01:00,C,2\n"
    #expect {
      _ = try FeedFolder(["trips.txt": Self.trips + "R,D,T1\nR,D,T2\n", "stop_times.txt": times]).imported()
    } throws: {
      "\($0)".contains("more than 1 %") && "\($0)".contains("calls")
    }
  }

  // MARK: Work grows with the feed, not with its square

  /// Looks of a question at B while the feed's trips, and the rows of its frequencies, are doubled.
  @Test func `steps of a question grow linearly with trips and rows of frequencies`() throws {
    func looks(trips count: Int, rows: Int) throws -> Int {
      var (trips, times) = (Self.trips, Self.times)
      var frequencies = "trip_id,start_time,end_time,headway_secs,exact_times\n"
      for number in 0..<count {
        trips += "R,D,T\(number)\n"
        times += "T\(number),8:00:00,8:00:00,B,1\nT\(number),8:05:00,8:05:00,C,2\n"
        for row in 0..<rows {
          let minute = "8:\(10 + row)"
          frequencies += "T\(number),\(minute):00,\(minute):30,60,1\n"
        }
      }
      let (schedule, _) = try FeedFolder([
        "trips.txt": trips, "stop_times.txt": times, "frequencies.txt": rows == 0 ? nil : frequencies,
      ]).imported()
      let stop = try require(schedule.stop(id: "B"))
      let start = schedule.clock.base(of: ServiceDay(number: 20_777))
      return try schedule.countedDepartures(at: [stop], in: start..<(start + 86_400)).looks
    }
    for rows in [0, 20] {
      let (one, two) = (try looks(trips: 200, rows: rows), try looks(trips: 400, rows: rows))
      #expect(two <= 2 * one + 10, "\(one) \(two)")
    }
    let (one, two) = (try looks(trips: 20, rows: 20), try looks(trips: 20, rows: 40))
    #expect(two <= 2 * one + 10, "\(one) \(two)")
  }

  @Test func `thinning a zigzag takes steps in proportion to its length`() {
    func steps(_ count: Int) -> Int {
      let budget = PathThinner.budget()
      var thinner = PathThinner(
        center: Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97),
        radius: 5000,
        isJoining: false,
        budget: budget
      )
      // Each corner stands out more than the one before: the farthest is always the last but one.
      let way = (0..<count).map { place -> (latitude: Double, longitude: Double) in
        let share = Double(place) / Double(count)
        let side = place % 2 == 0 ? 0.02 : -0.02
        return (57.7 + side * share, 11.93 + 0.08 * share)
      }
      thinner.add(way, isExact: true)
      return budget.used(.steps)
    }
    let (one, two) = (steps(4000), steps(8000))
    #expect(two <= one * 5 / 2, "\(one) \(two)")
    #expect(one > 4000)
  }

  @Test func `many stops at one place are found quickly, some of them`() throws {
    var stops = Self.stops
    for number in 0..<5000 { stops += "X\(number),X,57.1,11.1,0,\n" }
    let schedule = try FeedFolder([
      "stops.txt": stops,
      "stop_times.txt": Self.times + "T1,8:00:00,8:00:00,P1,1\nT1,9:00:00,9:00:00,B,2\n",
    ]).imported().0
    let found = StopSearch(schedule).nearest(10, to: Geodetic(latitudeDegrees: 57.1, longitudeDegrees: 11.1))
    #expect(found.count == 10)
    #expect(
      StopSearch(schedule).nearest(.max, to: Geodetic(latitudeDegrees: 57.1, longitudeDegrees: 11.1)).count == 5003
    )
  }

  @Test func `of a translation's rows the first counts`() throws {
    var text = "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
    for number in 0..<500 { text += "stops,stop_name,sv,Namn \(number),B,\(number),\n" }
    for number in 0..<500 { text += "l\(number),stop_name,l\(number),Namn,B,,\n" }
    let (schedule, report) = try FeedFolder(["translations.txt": text]).imported()
    #expect(report.rows["translations.txt"] == 501)
    #expect(try schedule.languages().count == ScheduleFormat.mostLanguages)
    let name = try schedule.translation(of: "x", table: "stops", field: "stop_name", record: "B", language: "sv")
    #expect(name == "Namn 0")
  }
}
