import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineTransit

@Suite struct CalendarTests {
  @Test func daysAndDates() throws {
    #expect(ServiceDay("1970-01-01")?.number == 0)
    #expect(ServiceDay("20261121")?.number == 20_778)
    #expect(ServiceDay("20261121")?.weekday == 5)
    for number in stride(from: -20_000, to: 60_000, by: 7) {
      let day = ServiceDay(number: number)
      #expect(ServiceDay(day.description) == day)
    }
    for text in ["20260229", "20261301", "20260100", "2026112", "abcdefgh", "", "18991231"] {
      #expect(ServiceDay(text) == nil, "\(text)")
    }
  }

  private static let trips = "route_id,service_id,trip_id\nR,D,T0030\nR,D,T0230\nR,D,T0330\nR,D,T2530\n"

  private static func stopTimes() -> String {
    var text = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    for (trip, time, end) in [
      ("T0030", "00:30:00", "00:40:00"), ("T0230", "02:30:00", "02:40:00"), ("T0330", "03:30:00", "03:40:00"),
      ("T2530", "25:30:00", "25:40:00"),
    ] {
      text += "\(trip),\(time),\(time),B,1\n\(trip),\(end),\(end),C,2\n"
    }
    return text
  }

  private func feed(zone: String) throws -> FeedFolder {
    try FeedFolder([
      "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,http://example.org,\(zone)\n",
      "trips.txt": Self.trips, "stop_times.txt": Self.stopTimes(),
    ])
  }

  /// On 2026-03-29 clocks in Stockholm go from 2:00 to 3:00: times count from noon minus twelve hours, 23:00 the day before.
  @Test func springInStockholm() throws {
    let (schedule, _) = try feed(zone: "Europe/Stockholm").imported()
    // 00:30 of the 29th is 23:30 on the 28th; 25:30 of the 28th is 1:30 on the 29th, before the change.
    #expect(try schedule.times("B", on: "2026-03-29") == ["01:30 T0230", "01:30 T2530", "03:30 T0330"])
    #expect(try schedule.times("B", on: "2026-03-28").suffix(1) == ["23:30 T0030"])
    #expect(
      try schedule.times("B", on: "2026-03-30") == ["00:30 T0030", "01:30 T2530", "02:30 T0230", "03:30 T0330"]
    )
  }

  /// On 2026-10-25 clocks go from 3:00 back to 2:00: noon minus twelve hours is 1:00 summer time.
  @Test func autumnInStockholm() throws {
    let (schedule, _) = try feed(zone: "Europe/Stockholm").imported()
    #expect(
      try schedule.times("B", on: "2026-10-25") == ["01:30 T0030", "01:30 T2530", "02:30 T0230", "03:30 T0330"]
    )
  }

  /// In Santiago clocks change at midnight: on 2026-09-06 from 0:00 to 1:00.
  @Test func springInSantiago() throws {
    let (schedule, _) = try feed(zone: "America/Santiago").imported()
    #expect(try schedule.times("B", on: "2026-09-06") == ["02:30 T0230", "02:30 T2530", "03:30 T0330"])
    #expect(try schedule.times("B", on: "2026-09-05").last == "23:30 T0030")
  }

  /// On the night to 2026-04-05 clocks go from 24:00 back to 23:00: 25:30 of the 4th is 0:30 on the 5th.
  @Test func autumnInSantiago() throws {
    let (schedule, _) = try feed(zone: "America/Santiago").imported()
    #expect(
      try schedule.times("B", on: "2026-04-04") == ["00:30 T0030", "01:30 T2530", "02:30 T0230", "03:30 T0330"]
    )
    #expect(
      try schedule.times("B", on: "2026-04-05") == ["00:30 T0030", "00:30 T2530", "02:30 T0230", "03:30 T0330"]
    )
  }

  /// Times count in the agency's zone and are shown in the stop's; a platform has its station's zone, whatever it says itself.
  @Test func journeyOverFourZones() throws {
    let stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone
      NY,New York,40.75,-73.99,0,,America/New_York
      CH,Chicago,41.88,-87.64,1,,America/Chicago
      CH1,Chicago 1,41.88,-87.64,0,CH,Pacific/Honolulu
      DE,Denver,39.75,-105.0,0,,America/Denver
      LA,Los Angeles,34.06,-118.24,0,,America/Los_Angeles
      XX,Nowhere,35.06,-118.24,0,,Mars/Olympus

      """
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,20:00:00,20:00:00,NY,1
      T1,40:00:00,41:30:00,CH1,2
      T1,60:10:00,60:20:00,DE,3
      T1,84:10:00,84:30:00,LA,4
      T1,86:52:00,86:52:00,XX,5

      """
    let (schedule, report) = try FeedFolder([
      "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,America/New_York\n",
      "stops.txt": stops, "stop_times.txt": times, "calendar.txt": nil,
      "calendar_dates.txt": "service_id,date,exception_type\nX,20261120,1\n",
      "trips.txt": "route_id,service_id,trip_id\nR,X,T1\n",
    ]).imported()
    #expect(report.problems.map(\.code) == ["stops.time-zone"] && report.problems.map(\.line) == [7])
    let directory = try ScheduleDirectory(schedule)
    let day = schedule.clock.base(of: try require(ServiceDay("2026-11-20")))
    var shown: [String] = []
    for id in ["NY", "CH", "DE", "LA"] {
      let number = try require(directory.number(of: id))
      let found = try schedule.departures(at: schedule.callingStops(of: number), in: day..<(day + 4 * 86_400))
      let time = try require(found.first?.time)
      var text: [UInt8] = []
      InstantText.append(time, offset: directory.offset(at: time, stop: number), to: &text)
      shown.append(String(decoding: text, as: UTF8.self))
    }
    #expect(
      shown == [
        "2026-11-20T20:00:00-05:00", "2026-11-21T16:30:00-06:00", "2026-11-22T10:20:00-07:00",
        "2026-11-23T09:30:00-08:00",
      ]
    )
    #expect(schedule.timeZone(of: try require(schedule.stop(id: "CH1"))).identifier == "America/Chicago")
    #expect(schedule.timeZone(of: try require(schedule.stop(id: "XX"))).identifier == "America/New_York")
  }

  /// A vehicle that goes on as another trip: where it changes its number it leaves once, as the second trip.
  @Test func tripsOfOneBlockAreOneRowEach() throws {
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,8:00:00,8:00:00,P1,1
      T1,8:10:00,8:10:00,B,2
      T2,8:10:00,8:12:00,B,1
      T2,8:20:00,8:20:00,C,2
      T2,8:25:00,8:25:00,B,3
      T2,8:30:00,8:30:00,P1,4

      """
    let trips = "route_id,service_id,trip_id,block_id\nR,W,T1,V\nR,W,T2,V\n"
    let (schedule, report) = try FeedFolder(["stop_times.txt": times, "trips.txt": trips]).imported()
    #expect(report.problems.isEmpty)
    #expect(try schedule.times("P1", on: "2026-11-20") == ["08:00 T1"])
    // The loop of the second trip calls here twice.
    #expect(try schedule.times("B", on: "2026-11-20") == ["08:12 T2", "08:25 T2"])
    #expect(try schedule.trip(try require(try schedule.trip(id: "T1"))).block == "V")
  }

  @Test func exceptionsAddAndRemove() throws {
    let dates = "service_id,date,exception_type\nW,20261120,2\nW,20261121,1\nX,20261122,1\n"
    let trips = "route_id,service_id,trip_id\nR,W,T1\nR,X,T2\n"
    let times = (FeedFolder.basis["stop_times.txt"] ?? "") + "T2,9:00:00,9:00:00,B,1\nT2,9:30:00,9:30:00,C,2\n"
    let (schedule, _) = try FeedFolder(["calendar_dates.txt": dates, "trips.txt": trips, "stop_times.txt": times])
      .imported()
    #expect(try schedule.times("B", on: "2026-11-19") == ["08:06 T1"])
    #expect(try schedule.times("B", on: "2026-11-20").isEmpty)
    #expect(try schedule.times("B", on: "2026-11-21") == ["08:06 T1"])
    #expect(try schedule.times("B", on: "2026-11-22") == ["09:00 T2"])
    #expect(try schedule.times("B", on: "2027-01-04").isEmpty)
  }

  @Test func journeyOverFourDays() throws {
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,20:00:00,20:00:00,P1,1
      T1,60:10:00,60:20:00,B,2
      T1,86:52:00,86:52:00,C,3

      """
    let dates = "service_id,date,exception_type\nX,20261120,1\n"
    let (schedule, _) = try FeedFolder([
      "stop_times.txt": times, "calendar.txt": nil, "calendar_dates.txt": dates,
      "trips.txt": "route_id,service_id,trip_id\nR,X,T1\n",
    ]).imported()
    #expect(schedule.longestTime == 86 * 3600 + 52 * 60)
    let stop = try require(schedule.stop(id: "B"))
    let base = schedule.clock.base(of: try require(ServiceDay("2026-11-20")))
    let time = base + 60 * 3600 + 20 * 60
    #expect(try schedule.departures(at: [stop], in: (time - 60)..<(time + 60)).map(\.time) == [time])
  }

  @Test func frequencies() throws {
    let frequencies = """
      trip_id,start_time,end_time,headway_secs,exact_times
      T1,10:00:00,10:30:00,600,1
      T1,24:00:00,24:10:00,300,1
      T2,12:00:00,13:00:00,900,0

      """
    let trips = "route_id,service_id,trip_id\nR,W,T1\nR,W,T2\n"
    let times = (FeedFolder.basis["stop_times.txt"] ?? "") + "T2,0:00:00,0:00:00,B,1\nT2,0:30:00,0:30:00,C,2\n"
    let (schedule, _) = try FeedFolder(["frequencies.txt": frequencies, "trips.txt": trips, "stop_times.txt": times])
      .imported()
    // The trip's own 8:06 only gives the way, six minutes to this stop; the end of a window is no start.
    #expect(
      try schedule.times("B", on: "2026-11-19") == ["00:06 T1", "00:11 T1", "10:06 T1", "10:16 T1", "10:26 T1"]
    )
    #expect(try schedule.times("B", on: "2026-11-20").prefix(2) == ["00:06 T1", "00:11 T1"])
    let stop = try require(schedule.stop(id: "B"))
    let base = schedule.clock.base(of: try require(ServiceDay("2026-11-20")))
    let intervals = try schedule.intervals(at: [stop], in: (base + 44_000)..<(base + 45_000))
    #expect(intervals.map(\.headway) == [900])
    #expect(intervals.first?.period == (base + 43_200)..<(base + 46_800))
  }

  @Test func whatIsNoDeparture() throws {
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
      T1,8:00:00,8:00:00,P1,1,1
      T1,8:05:00,8:06:00,B,2,3
      T1,8:07:00,8:07:00,P1,5,0
      T1,8:15:00,8:15:00,C,9,0

      """
    let (schedule, _) = try FeedFolder(["stop_times.txt": times]).imported()
    #expect(try schedule.times("P1", on: "2026-11-20") == ["08:07 T1"])
    #expect(try schedule.times("C", on: "2026-11-20").isEmpty)
    let stop = try require(schedule.stop(id: "B"))
    let base = schedule.clock.base(of: try require(ServiceDay("2026-11-20")))
    #expect(try schedule.departures(at: [stop], in: base..<(base + 86_400)).map(\.pickup) == [3])
  }
}
