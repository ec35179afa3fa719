import Foundation
import Testing

@testable import SightlineTransit

/// Trip updates of every kind: added, new, replaced, copied, moved to another platform, named by route, of trips at intervals.
@Suite struct RealtimeKindTests {
  private static let day = ServiceDay(number: 20_777)  // Friday 2026-11-20

  private static func update(
    _ trip: String,
    _ relationship: RealtimeMessage.Trip.Relationship = .scheduled,
    calls: [RealtimeMessage.Call] = []
  ) -> RealtimeMessage.TripUpdate {
    var update = RealtimeMessage.TripUpdate()
    update.trip.id = trip
    update.trip.day = day
    update.trip.relationship = relationship
    update.calls = calls
    return update
  }

  private static func message(_ updates: [RealtimeMessage.TripUpdate], time: Int = 1_795_157_000) -> RealtimeMessage {
    var message = RealtimeMessage()
    message.timestamp = time
    message.tripUpdates = updates
    return message
  }

  private static func call(_ sequence: Int, delay: Int) -> RealtimeMessage.Call {
    var call = RealtimeMessage.Call()
    call.sequence = sequence
    call.departure = RealtimeMessage.Event(delay: delay, time: nil)
    call.relationship = .scheduled
    return call
  }

  private static func call(_ stop: String, at time: Int) -> RealtimeMessage.Call {
    var call = RealtimeMessage.Call()
    call.stop = stop
    call.departure = RealtimeMessage.Event(delay: nil, time: time)
    call.relationship = .scheduled
    return call
  }

  /// Departures as `HH:MM trip state`, after local midnight.
  private static func shown(
    _ schedule: Schedule,
    _ stop: String,
    _ messages: [RealtimeMessage],
    from: Int = 0,
    to: Int = 86_400
  ) throws -> [String] {
    let base = schedule.clock.base(of: day)
    let state = try RealtimeState(messages, schedule: schedule)
    let stops = schedule.callingStops(of: try require(schedule.stop(id: stop)))
    return try schedule.board(at: stops, in: (base + from)..<(base + to), realtime: state).map {
      let minute = ($0.time - base) / 60
      return "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60) \($0.trip) \($0.state.rawValue)"
    }
  }

  @Test func `a moved call is listed at its new platform and no more at the old one`() throws {
    let (schedule, _) = try FeedFolder().imported()
    var moved = Self.call(1, delay: 120)
    moved.assignedStop = "P2"
    let messages = [Self.message([Self.update("T1", calls: [moved])])]
    #expect(try Self.shown(schedule, "P1", messages) == [])
    #expect(try Self.shown(schedule, "P2", messages) == ["8:02 T1 live"])
    #expect(try Self.shown(schedule, "ST", messages) == ["8:02 T1 live"])
    // When the message is taken back, the timetable counts again.
    let later = Self.message([Self.update("T1", calls: [Self.call(1, delay: 60)])], time: 1_795_157_060)
    #expect(try Self.shown(schedule, "P1", messages + [later]) == ["8:01 T1 live"])
    #expect(try Self.shown(schedule, "P2", messages + [later]) == [])
    // Without a message about it being moved, and once it has left.
    #expect(try Self.shown(schedule, "P2", []) == [])
    #expect(try Self.shown(schedule, "P2", messages, from: 8 * 3600 + 180) == [])
  }

  @Test func `a trip at intervals has the times of the message, and no delay`() throws {
    let frequencies = "trip_id,start_time,end_time,headway_secs,exact_times\nT1,9:00:00,11:00:00,600,0\n"
    let (schedule, _) = try FeedFolder(["frequencies.txt": frequencies]).imported()
    var update = Self.update("T1", .unscheduled, calls: [Self.call(1, delay: 90)])
    update.trip.start = 9 * 3600 + 1200
    #expect(try Self.shown(schedule, "B", []) == [])
    #expect(try Self.shown(schedule, "B", [Self.message([update])]) == ["9:27 T1 live"])
    let base = schedule.clock.base(of: Self.day)
    let state = try RealtimeState([Self.message([update])], schedule: schedule)
    let stop = try require(schedule.stop(id: "B"))
    let departure = try require(try schedule.board(at: [stop], in: base..<(base + 86_400), realtime: state).first)
    #expect(departure.run == TripRun(trip: 0, day: Self.day, start: 33_600) && !departure.isPromised)
    #expect(departure.source == .propagated && departure.headsign == "Chalmers" && departure.scheduled == base + 33_960)
    // The last stop is no departure; a newer message takes the place of the first; a cancelled run is not there.
    #expect(try Self.shown(schedule, "C", [Self.message([update])]) == [])
    update.calls = [Self.call(1, delay: 300)]
    let newer = Self.message([update], time: 1_795_157_100)
    let older = Self.message([Self.updateOfInterval(90)])
    #expect(try Self.shown(schedule, "B", [newer, older]) == ["9:31 T1 live"])
    update.trip.relationship = .canceled
    let gone = Self.message([update], time: 1_795_157_200)
    #expect(try Self.shown(schedule, "B", [newer, gone]) == [])
    // Without a start it cannot be told which run is meant.
    update.trip.start = nil
    #expect(try RealtimeState([Self.message([update])], schedule: schedule).counts.unmatched == 1)
  }

  private static func updateOfInterval(_ delay: Int) -> RealtimeMessage.TripUpdate {
    var update = update("T1", .unscheduled, calls: [call(1, delay: delay)])
    update.trip.start = 9 * 3600 + 1200
    return update
  }

  @Test func `a new run and a replaced one bring all their times`() throws {
    let (schedule, _) = try FeedFolder().imported()
    let base = schedule.clock.base(of: Self.day)
    let calls = [("B", 36_000), ("P2", 36_300), ("C", 36_600)].map { Self.call($0.0, at: base + $0.1) }
    let fresh = Self.message([Self.update("NEW", .new, calls: calls)])
    #expect(try Self.shown(schedule, "B", [fresh]) == ["8:06 T1 scheduled", "10:00 NEW added"])
    #expect(try Self.shown(schedule, "C", [fresh]) == [])
    let replaced = Self.message([Self.update("T1", .replacement, calls: calls)])
    #expect(try Self.shown(schedule, "B", [replaced]) == ["10:00 T1 added"])
    #expect(try Self.shown(schedule, "P1", [replaced]) == [])
    #expect(try Self.shown(schedule, "P2", [replaced]) == ["10:05 T1 added"])
    // Without a known stop nothing can be shown.
    let nowhere = Self.message([Self.update("NEW", .new, calls: [Self.call("?", at: base)])])
    #expect(try RealtimeState([nowhere], schedule: schedule).counts.unmatched == 1)
  }

  @Test func `a copy runs beside its trip`() throws {
    let (schedule, _) = try FeedFolder().imported()
    var update = Self.update("T1", .duplicated, calls: [Self.call(2, delay: 60)])
    update.copyStart = 12 * 3600
    update.copyDay = Self.day
    let messages = [Self.message([update])]
    #expect(try Self.shown(schedule, "P1", messages) == ["8:00 T1 scheduled", "12:00 T1 added"])
    #expect(try Self.shown(schedule, "B", messages) == ["8:06 T1 scheduled", "12:07 T1 added"])
    update.copyStart = nil
    #expect(try RealtimeState([Self.message([update])], schedule: schedule).counts.unmatched == 1)
  }

  @Test func `without a trip's id route, direction, date and start have to give one trip`() throws {
    let trips = "route_id,service_id,trip_id,direction_id\nR,W,T1,0\nR,W,T2,1\nR,W,T3,1\n"
    let times =
      (FeedFolder.basis["stop_times.txt"] ?? "") + "T2,8:00:00,8:00:00,C,1\nT2,8:10:00,8:10:00,B,2\n"
      + "T3,9:00:00,9:00:00,C,1\nT3,9:10:00,9:10:00,B,2\n"
    let (schedule, _) = try FeedFolder(["trips.txt": trips, "stop_times.txt": times]).imported()
    func matched(_ change: (inout RealtimeMessage.Trip) -> Void) throws -> [String] {
      var update = Self.update("", calls: [Self.call(1, delay: 60)])
      update.trip.route = "R"
      update.trip.start = 8 * 3600
      change(&update.trip)
      let state = try RealtimeState([Self.message([update])], schedule: schedule)
      return try state.runs.keys.map { try schedule.trip($0.trip).id }
    }
    #expect(try matched { $0.direction = 1 } == ["T2"])
    #expect(try matched { $0.direction = 0 } == ["T1"])
    #expect(try matched { _ in }.isEmpty, "two trips start at eight")
    #expect(try matched { $0.start = 9 * 3600 } == ["T3"])
    #expect(try matched { $0.start = nil }.isEmpty)
    #expect(try matched { $0.day = nil }.isEmpty)
    #expect(try matched { $0.route = "X" }.isEmpty)
  }
}
