import Foundation
import SightlineInput
import Testing

@testable import SightlineTransit

/// Realtime messages that somebody made to do harm.
@Suite(.timeLimit(.minutes(10))) struct HostileRealtimeTests {
  private static let extremes = [
    Int.min, .min + 1, -1, 0, 1, .max, .max - 1, 1 << 40, (1 << 40) + 1, 1 << 53, -(1 << 53), Int(Int32.max),
    Int(Int32.min), Int(UInt32.max), 86_400, -86_399,
  ]
  private static let day = "20261120"
  private static let now = 1_795_157_000

  /// A provider over the basis feed whose realtime is this message.
  private static func provider(_ bytes: [UInt8], _ changes: [String: String?] = [:]) throws -> (GTFSProvider, String) {
    let folder = try FeedFolder(changes)
    let file = folder.path + ".schedule"
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    try? FileManager.default.removeItem(atPath: folder.path)
    let provider = try GTFSProvider(
      info: ProviderInfo(id: "x", name: "X", kinds: ["gtfs"], attribution: "", isRemote: false),
      path: file,
      realtime: [RealtimeSource(url: "x")],
      transport: BytesTransport(bytes),
      clock: TransitClock(startingAt: now, repeatingAfter: nil)
    )
    return (provider, file)
  }

  private struct BytesTransport: ProviderTransport {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
      ProviderAnswer(body: bytes)
    }
  }

  /// Asks everything that can be asked.
  private func ask(_ bytes: [UInt8]) async throws {
    let (provider, file) = try Self.provider(bytes)
    defer { try? FileManager.default.removeItem(atPath: file) }
    await provider.fetchRealtime()
    for from in [Self.now, 0] {
      for stop in ["ST", "P1", "B", "C"] {
        let question = BoardQuestion(from: from, window: 86_400, limit: 100)
        if let board = try? await provider.departures(at: stop, question) {
          for departure in board.departures {
            _ = InstantText.text(departure.time, offset: provider.schedule.offset(at: departure.time))
            if let expected = departure.expected { _ = expected - departure.scheduled }
          }
        }
      }
      for alert in provider.alerts(at: from) {
        for period in alert.periods {
          _ = InstantText.text(period.lowerBound, offset: provider.schedule.offset(at: period.lowerBound))
          _ = InstantText.text(period.upperBound, offset: provider.schedule.offset(at: period.upperBound))
        }
      }
      for vehicle in provider.vehicles(at: from) { #expect(vehicle.measured <= from && vehicle.measured >= 0) }
      _ = provider.hasVehicles(at: from)
      _ = provider.status(at: from)
    }
  }

  @Test(arguments: extremes) func `an extreme time of the header`(time: Int) async throws {
    let bytes = ProtobufWriter.feed(time: time) { _ in }
    let message = try RealtimeMessage(protobuf: bytes)
    #expect(Instant.range.contains(message.timestamp))
    try await ask(bytes)
    let (schedule, _) = try FeedFolder().imported()
    let state = try RealtimeState([message], schedule: schedule)
    #expect(Instant.range.contains(state.timestamp))
  }

  @Test(arguments: extremes) func `extreme numbers everywhere`(value: Int) async throws {
    // All numbers at once, with and without what would make the update fit.
    for isMatched in [true, false] {
      let bytes = ProtobufWriter.feed(time: value) { feed in
        feed.message(2) {
          $0.string(1, "update")
          $0.message(3) {
            $0.message(1) {
              if isMatched { $0.string(1, "T1") } else { $0.string(5, "R") }
              $0.string(2, isMatched ? "8:00:00" : "999:59:59")
              $0.string(3, Self.day)
              $0.integer(6, value)
            }
            for sequence in [1, value] {
              $0.message(2) {
                $0.integer(1, sequence)
                $0.message(2) {
                  $0.integer(1, value)
                  $0.integer(2, value)
                }
                $0.message(3) { $0.integer(2, value) }
                $0.string(4, "B")
                $0.integer(5, value)
              }
            }
            $0.integer(4, value)
          }
        }
        feed.message(2) {
          $0.string(1, "added")
          $0.message(3) {
            $0.message(1) {
              $0.string(1, "new")
              $0.integer(4, 1)
            }
            for stop in ["B", "C"] {
              $0.message(2) {
                $0.integer(1, value)
                $0.message(3) { $0.integer(2, value) }
                $0.string(4, stop)
              }
            }
            $0.integer(4, value)
          }
        }
        feed.message(2) {
          $0.string(1, "vehicle")
          $0.message(4) {
            $0.message(2) {
              for (field, number) in [(1, Float(57.7)), (2, 11.9), (3, .nan), (5, .infinity)] {
                $0.varint(UInt64(field << 3 | 5))
                $0.fixed(number.bitPattern)
              }
            }
            $0.integer(3, value)
            $0.integer(4, value)
            $0.integer(5, value)
            $0.integer(9, value)
          }
        }
        feed.message(2) {
          $0.string(1, "alert")
          $0.message(5) {
            $0.message(1) {
              $0.integer(1, value)
              $0.integer(2, value)
            }
            $0.message(1) { $0.integer(1, value) }
            $0.message(1) { $0.integer(2, value) }
            $0.message(5) {
              $0.string(5, "B")
              $0.integer(3, value)
            }
            $0.integer(6, value)
            $0.integer(7, value)
            $0.integer(14, value)
          }
        }
      }
      let message = try RealtimeMessage(protobuf: bytes)
      #expect(message.tripUpdates.count == 2 && message.vehicles.count == 1 && message.alerts.count == 1)
      #expect(message.vehicles[0].bearing == nil && message.vehicles[0].speed == nil)
      #expect(message.vehicles[0].timestamp.map(Instant.range.contains) ?? true)
      #expect(message.tripUpdates.allSatisfy { $0.timestamp.map(Instant.range.contains) ?? true })
      try await ask(bytes)
    }
  }

  @Test func `a time weeks away from the timetable is no prediction`() throws {
    let (schedule, _) = try FeedFolder().imported()
    var message = RealtimeMessage()
    message.timestamp = Self.now
    var update = RealtimeMessage.TripUpdate()
    update.trip.id = "T1"
    update.trip.day = ServiceDay("20261120")
    var call = RealtimeMessage.Call()
    call.sequence = 1
    for time in [1 << 40, 0, .max, .min] {
      call.departure = RealtimeMessage.Event(delay: nil, time: time)
      update.calls = [call]
      message.tripUpdates = [update]
      let state = try RealtimeState([message], schedule: schedule)
      #expect(state.runs.values.first?.calls.allSatisfy { $0.departure == nil } == true)
    }
  }

  // MARK: How much

  @Test func `a message of minimal calls takes bounded memory`() throws {
    // Empty calls, in one update and in many.
    var one = ProtobufWriter()
    one.message(1) { $0.string(1, "T1") }
    for _ in 0..<(RealtimeLimits.callsOfUpdate + 1) { one.data(2, []) }
    let whole = ProtobufWriter.feed(time: Self.now) { $0.message(2) { $0.data(3, one.bytes) } }
    let message = try RealtimeMessage(protobuf: whole)
    #expect(message.tripUpdates.isEmpty && message.ignored == 1)

    let calls = ProtobufWriter.feed(time: Self.now) { feed in
      for _ in 0..<30 { feed.message(2) { $0.message(3) { for _ in 0..<10 { $0.data(2, []) } } } }
    }
    let limits = ReadingBudget.Limits(text: .max, positions: 105, places: .max, findings: .max, steps: .max)
    let cut = try calls.withUnsafeBytes { try RealtimeMessage(protobuf: $0, budget: ReadingBudget(limits)) }
    // What was read so far is kept; what runs out stays out.
    #expect(cut.tripUpdates.count == 10 && cut.ignored == 20)
    #expect(RealtimeLimits.budget().limits.positions == RealtimeLimits.calls)
  }

  @Test func `notices and vehicles are kept up to a limit`() throws {
    let (schedule, _) = try FeedFolder().imported()
    var message = RealtimeMessage()
    message.timestamp = Self.now
    message.alerts = (0..<(RealtimeLimits.alerts + 7)).map { number in
      var alert = RealtimeMessage.Alert()
      alert.id = "\(number)"
      return alert
    }
    message.vehicles = (0..<(RealtimeLimits.vehicles + 3)).map { number in
      var vehicle = RealtimeMessage.Vehicle()
      vehicle.id = "\(number)"
      (vehicle.latitude, vehicle.longitude) = (57, 12)
      return vehicle
    }
    let state = try RealtimeState([message], schedule: schedule)
    #expect(state.alerts.count == RealtimeLimits.alerts && state.vehicles.count == RealtimeLimits.vehicles)
    #expect(state.counts.ignored == 10)
  }

  @Test func `a notice's parts and texts are bounded`() throws {
    func message(_ body: (inout ProtobufWriter) -> Void) throws -> RealtimeMessage {
      try RealtimeMessage(protobuf: ProtobufWriter.feed(time: Self.now) { $0.message(2) { $0.message(5, body) } })
    }
    #expect(try message { for _ in 0...RealtimeLimits.selectors { $0.data(5, []) } }.alerts.isEmpty)
    #expect(try message { for _ in 0...RealtimeLimits.periods { $0.data(1, []) } }.alerts.isEmpty)
    let long = String(repeating: "å", count: 100_000)
    let cut = try message { $0.message(10) { $0.message(1) { $0.string(1, long) } } }
    #expect(cut.alerts[0].header.translations[0].text.utf8.count <= RealtimeLimits.textBytes + 3)
    #expect(cut.alerts[0].header.translations[0].text.hasPrefix("åå"))
    // An id is never cut: it would be another one.
    #expect(try message { $0.message(5) { $0.string(5, long) } }.alerts.isEmpty)
  }

  @Test func `a departure names a few notices, found without looking at all`() throws {
    let (schedule, _) = try FeedFolder().imported()
    let alerts = (0..<5000).map { number in
      var alert = RealtimeMessage.Alert()
      alert.id = "\(number)"
      var selector = RealtimeMessage.Alert.Selector()
      selector.route = number % 2 == 0 ? "R" : "other\(number)"
      alert.selectors = [selector]
      return alert
    }
    var notices = BoardNotices(alerts, schedule: schedule, stops: [1])
    let ids = notices.ids(route: 0, trip: "T1", direction: nil)
    #expect(ids == (0..<BoardNotices.mostNamed).map { "\(2 * $0)" })
    #expect(notices.ids(route: nil, trip: "T1", direction: nil).isEmpty)
  }

  // MARK: Work grows with the message, not with its square

  /// A feed of trips that all leave at one second, on one route, without ids in the updates.
  private static func steps(trips: Int, updates: Int, _ make: (Int) -> RealtimeMessage.TripUpdate) throws -> Int {
    var (rows, times) = ("route_id,service_id,trip_id\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
    for number in 0..<trips {
      rows += "R,D,T\(number)\n"
      times += "T\(number),8:00:00,8:00:00,B,1\nT\(number),8:05:00,8:05:00,C,2\n"
    }
    let (schedule, _) = try FeedFolder(["trips.txt": rows, "stop_times.txt": times]).imported()
    var message = RealtimeMessage()
    message.timestamp = now
    message.tripUpdates = (0..<updates).map(make)
    return try RealtimeState([message], schedule: schedule).counts.steps
  }

  @Test func `finding runs takes steps in proportion to the updates`() throws {
    func byID(_ number: Int) -> RealtimeMessage.TripUpdate {
      var update = RealtimeMessage.TripUpdate()
      update.trip.id = "T\(number % 400)"
      update.trip.day = ServiceDay(Self.day)
      return update
    }
    func byRoute(_ number: Int) -> RealtimeMessage.TripUpdate {
      var update = RealtimeMessage.TripUpdate()
      update.trip.route = "R"
      update.trip.day = ServiceDay(Self.day)
      update.trip.start = 8 * 3600
      return update
    }
    for make in [byID, byRoute] {
      let one = try Self.steps(trips: 400, updates: 500, make)
      let two = try Self.steps(trips: 400, updates: 1000, make)
      #expect(two <= 2 * one + 10, "\(one) \(two)")
      let more = try Self.steps(trips: 800, updates: 500, make)
      #expect(more <= one + 10, "\(one) \(more)")
    }
  }

  @Test func `of many updates of a run the newest counts, and its moved calls once`() throws {
    let (schedule, _) = try FeedFolder().imported()
    let messages = (0..<50).map { number in
      var message = RealtimeMessage()
      message.timestamp = Self.now + number
      var update = RealtimeMessage.TripUpdate()
      update.trip.id = "T1"
      update.trip.day = ServiceDay(Self.day)
      var call = RealtimeMessage.Call()
      call.sequence = 1
      call.assignedStop = number == 49 ? "C" : "P2"
      update.calls = [call]
      message.tripUpdates = [update]
      return message
    }
    let state = try RealtimeState(messages, schedule: schedule)
    let (platform, last) = (try require(schedule.stop(id: "P2")), try require(schedule.stop(id: "C")))
    #expect(state.moved[platform] == nil && state.moved[last]?.count == 1)
  }

  @Test func `predictions of another timetable are not used`() async throws {
    let bytes = ProtobufWriter.feed(time: Self.now) { feed in
      feed.message(2) {
        $0.string(1, "added")
        $0.message(3) {
          $0.message(1) {
            $0.string(1, "new")
            $0.integer(4, 1)
          }
          for stop in ["B", "C"] {
            $0.message(2) {
              $0.message(3) { $0.integer(2, Self.now + 600) }
              $0.string(4, stop)
            }
          }
        }
      }
    }
    let (provider, file) = try Self.provider(bytes)
    defer { for suffix in ["", ".previous"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    await provider.fetchRealtime()
    let question = BoardQuestion(from: Self.now, window: 3600, limit: 10)
    #expect(try await provider.departures(at: "B", question).departures.contains { $0.state == .added })
    // A smaller timetable: numbers of stops of the old one are beyond its end.
    let folder = try FeedFolder([
      "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nB,B,57.7,11.9\nP1,P,57.7,11.9\n",
      "stop_times.txt":
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,8:00:00,8:00:00,B,1\nT1,9:00:00,9:00:00,P1,2\n",
    ])
    var importer = ScheduleImporter()
    importer.allowsLoss = true
    _ = try importer.importFeed(folder.path, into: file)
    provider.reload()
    _ = try await provider.departures(at: "B", question)
    _ = provider.vehicles(at: Self.now)
  }
}
