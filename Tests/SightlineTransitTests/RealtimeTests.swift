import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineTransit

@Suite struct RealtimeTests {
  /// Ten stops a minute apart from 8:00, numbered 1 to 10; S3 is called at as 3 only, L twice.
  private static func feed() throws -> FeedFolder {
    let names = ["S1", "S2", "S3", "S4", "L", "S6", "S7", "L", "S9", "S10"]
    var stops = "stop_id,stop_name,stop_lat,stop_lon\n"
    for name in Set(names).sorted() + ["OTHER"] { stops += "\(name),\(name),57.7,11.9\n" }
    var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    for (place, name) in names.enumerated() {
      let minute = String(format: "%02d", place)
      times += "T1,8:\(minute):00,8:\(minute):20,\(name),\(place + 1)\n"
    }
    return try FeedFolder(["stops.txt": stops, "stop_times.txt": times])
  }

  private static let day = ServiceDay(number: 20_777)  // Friday 2026-11-20

  private static func call(
    _ sequence: Int?,
    _ stop: String = "",
    delay: Int? = nil,
    as relationship: RealtimeMessage.Call.Relationship = .scheduled
  ) -> RealtimeMessage.Call {
    var call = RealtimeMessage.Call()
    call.sequence = sequence
    call.stop = stop
    call.relationship = relationship
    if let delay {
      call.arrival = RealtimeMessage.Event(delay: delay, time: nil)
      call.departure = call.arrival
    }
    return call
  }

  private static func message(
    _ calls: [RealtimeMessage.Call],
    _ relationship: RealtimeMessage.Trip.Relationship? = .scheduled,
    day: ServiceDay? = RealtimeTests.day,
    time: Int = 1_795_157_000
  ) -> RealtimeMessage {
    var message = RealtimeMessage()
    message.timestamp = time
    var update = RealtimeMessage.TripUpdate()
    update.trip.id = "T1"
    update.trip.day = day
    update.trip.relationship = relationship
    update.calls = calls
    message.tripUpdates = [update]
    return message
  }

  /// Delays at departure by place, of the one run.
  private func delays(_ calls: [RealtimeMessage.Call]) throws -> ([Int?], RealtimeState) {
    let (schedule, _) = try Self.feed().imported()
    let state = try RealtimeState([Self.message(calls)], schedule: schedule)
    let prediction = try require(state.runs[TripRun(trip: 0, day: Self.day, start: nil)])
    let base = schedule.clock.base(of: Self.day) + 8 * 3600 + 20
    return (prediction.calls.enumerated().map { place, call in call.departure.map { $0 - base - 60 * place } }, state)
  }

  /// The worked example of the GTFS Realtime reference.
  @Test func referenceExample() throws {
    let (delays, _) = try delays([
      Self.call(3, delay: 300), Self.call(8, delay: 60), Self.call(10, as: .noData),
    ])
    #expect(delays == [nil, nil, 300, 300, 300, 300, 300, 60, 60, nil])
  }

  @Test func skippedCallsPassTheDelayOn() throws {
    let (delays, _) = try delays([Self.call(2, delay: 120), Self.call(4, as: .skipped)])
    #expect(delays == [nil, 120, 120, nil, 120, 120, 120, 120, 120, 120])
  }

  @Test func stopWinsOverSequenceWhereItIsUnique() throws {
    // Numbered two too high: S3 is call 3. L is called at twice, so that update cannot be placed.
    let (delays, state) = try delays([Self.call(5, "S3", delay: 90), Self.call(3, "L", delay: 999)])
    #expect(delays == [nil, nil, 90, 90, 90, 90, 90, 90, 90, 90])
    #expect(state.counts.unmatchedCalls == 1)
  }

  @Test func loopsByNameAreTakenInOrder() throws {
    let (delays, _) = try delays([Self.call(nil, "L", delay: 30), Self.call(nil, "L", delay: 60)])
    #expect(delays == [nil, nil, nil, nil, 30, 30, 30, 60, 60, 60])
  }

  @Test func timeWinsOverDelayAndNobodyLeavesBeforeArriving() throws {
    let (schedule, _) = try Self.feed().imported()
    let base = schedule.clock.base(of: Self.day) + 8 * 3600
    var call = RealtimeMessage.Call()
    call.sequence = 2
    call.arrival = RealtimeMessage.Event(delay: 5, time: base + 60 + 100)
    call.departure = RealtimeMessage.Event(delay: 10, time: nil)
    let state = try RealtimeState([Self.message([call])], schedule: schedule)
    let calls = try require(state.runs.values.first).calls
    #expect(calls[1].arrival == base + 160)
    // 20 s after the scheduled minute plus 10 s of delay would be before the arrival.
    #expect(calls[1].departure == base + 160)
    // What is carried on is the departure's own delay.
    #expect(calls[2].departure == base + 120 + 20 + 10)
    #expect(calls[2].source == .propagated)
  }

  @Test func cancelledStaysDeletedGoesUnknownIsIgnored() throws {
    let (schedule, _) = try Self.feed().imported()
    let base = schedule.clock.base(of: Self.day) + 8 * 3600
    func board(_ relationship: RealtimeMessage.Trip.Relationship?) throws -> ([BoardDeparture], RealtimeState.Counts) {
      let state = try RealtimeState([Self.message([], relationship)], schedule: schedule)
      return (try schedule.board(at: [0], in: base..<(base + 600), realtime: state), state.counts)
    }
    #expect(schedule.stops[0].id == "L")
    #expect(try board(.canceled).0.map(\.state) == [.cancelled, .cancelled])
    #expect(try board(.deleted).0.isEmpty)
    let unknown = try board(nil)
    #expect(unknown.0.map(\.state) == [.scheduled, .scheduled])
    #expect(unknown.1.ignored == 1)
  }

  @Test func lateVehiclesStayUntilTheyLeave() throws {
    let (schedule, _) = try Self.feed().imported()
    let base = schedule.clock.base(of: Self.day) + 8 * 3600
    let stop = try require(schedule.stop(id: "S1"))
    let state = try RealtimeState([Self.message([Self.call(1, delay: 1200)])], schedule: schedule)
    let now = base + 900
    let board = try schedule.board(at: [stop], in: now..<(now + 3600), realtime: state)
    #expect(board.map(\.expected) == [base + 1220])
    #expect(try schedule.board(at: [stop], in: (base + 1300)..<(base + 3600), realtime: state).isEmpty)
    // When the prediction is too old, the schedule counts: that one has left.
    #expect(try schedule.board(at: [stop], in: now..<(now + 3600), realtime: state) { _ in false }.isEmpty)
  }

  @Test func theDayIsFoundFromTheTimeOfTheMessage() throws {
    let (schedule, _) = try Self.feed().imported()
    let monday = ServiceDay(number: Self.day.number + 3)
    let noonOnMonday = schedule.clock.base(of: monday) + 12 * 3600
    let message = Self.message([Self.call(1, delay: 60)], day: nil, time: noonOnMonday)
    let state = try RealtimeState([message], schedule: schedule)
    #expect(state.runs.keys.map(\.day) == [monday])
    // On a Saturday it does not run.
    let saturday = Self.message([Self.call(1, delay: 60)], day: Self.day.advanced(by: 1))
    #expect(try RealtimeState([saturday], schedule: schedule).counts.unmatched == 1)
  }

  @Test func addedRunsBringTheirOwnTimes() throws {
    let (schedule, _) = try Self.feed().imported()
    let base = schedule.clock.base(of: Self.day)
    var message = Self.message([], .added)
    message.tripUpdates[0].trip.id = "EXTRA"
    message.tripUpdates[0].trip.route = "R"
    message.tripUpdates[0].calls = ["S1", "OTHER", "S9"].enumerated().map { place, stop in
      var call = Self.call(nil, stop)
      call.departure = RealtimeMessage.Event(delay: nil, time: base + 50_000 + 60 * place)
      return call
    }
    let state = try RealtimeState([message], schedule: schedule)
    let stop = try require(schedule.stop(id: "OTHER"))
    let board = try schedule.board(at: [stop], in: (base + 49_000)..<(base + 51_000), realtime: state)
    #expect(board.map(\.state) == [.added])
    #expect(board.first?.headsign == "S9")
    #expect(board.first?.route == 0)
  }

  @Test func predictionsFollowTheRulesForRandomUpdates() throws {
    let (schedule, _) = try Self.feed().imported()
    var random = SplitMix64(seed: 12)
    for _ in 0..<500 {
      var calls: [RealtimeMessage.Call] = []
      for sequence in 1...10 where random.next() % 3 == 0 {
        let kind = RealtimeMessage.Call.Relationship(rawValue: Int(random.next() % 3)) ?? .scheduled
        calls.append(Self.call(sequence, delay: kind == .scheduled ? Int(random.next() % 1200) - 300 : nil, as: kind))
      }
      let state = try RealtimeState([Self.message(calls)], schedule: schedule)
      let base = schedule.clock.base(of: Self.day) + 8 * 3600 + 20
      let prediction = try require(state.runs.values.first)
      // The plain rule, call by call.
      var delay: Int?
      for place in 0..<10 {
        let update = calls.first { $0.sequence == place + 1 }
        if update?.relationship == .noData { delay = nil }
        if let own = update?.departure?.delay { delay = own }
        let expected = update?.relationship == .skipped ? nil : delay.map { base + 60 * place + $0 }
        #expect(prediction.calls[place].departure == expected)
      }
    }
  }

  @Test func readsWhatIsWritten() throws {
    let bytes = ProtobufWriter.feed(time: 1_795_157_000) { feed in
      feed.message(2) { entity in
        entity.string(1, "e1")
        entity.message(3) { update in
          update.message(1) {
            $0.string(1, "T1")
            $0.string(2, "08:15:00")
            $0.string(3, "20261120")
            $0.integer(4, 3)
            $0.string(99, "later versions may add fields")
          }
          update.message(2) {
            $0.integer(1, 7)
            $0.string(4, "S7")
            $0.message(2) { $0.integer(1, -45) }
            $0.message(3) { $0.integer(1, -45) }
          }
          update.integer(4, 1_795_156_990)
        }
      }
      feed.message(2) { entity in
        entity.string(1, "bad")
        entity.message(3) { $0.data(1, [0xFF]) }
      }
    }
    let message = try RealtimeMessage(protobuf: bytes)
    #expect(message.timestamp == 1_795_157_000)
    #expect(message.ignored == 1)
    let update = try require(message.tripUpdates.first)
    #expect(update.trip.day == Self.day && update.trip.start == 29_700 && update.trip.relationship == .canceled)
    #expect(update.calls == [Self.call(7, "S7", delay: -45)])
    #expect(update.timestamp == 1_795_156_990)
  }

  @Test func refusals() {
    #expect(throws: RealtimeError.malformed) { _ = try RealtimeMessage(protobuf: []) }
    #expect(throws: RealtimeError.malformed) { _ = try RealtimeMessage(protobuf: Array("<html>".utf8)) }
    var differential = ProtobufWriter()
    differential.message(1) { $0.integer(2, 1) }
    #expect(throws: RealtimeError.differential) { _ = try RealtimeMessage(protobuf: differential.bytes) }
  }

  @Test func randomBytesDoNoHarm() {
    var random = SplitMix64(seed: 77)
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if (try? RealtimeMessage(protobuf: bytes)) != nil { accepted += 1 }
    }
    #expect(accepted < 2000)
  }
}
