import Foundation
import SightlineGeodesy
import Testing

@testable import SightlineTransit

/// Made-up traffic: bytes that a reader of real messages takes, in which nothing contradicts the timetable or itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulatedTrafficTests {
  /// 2022-02-22T08:00:00+02:00, when the demonstration begins.
  private static let eight = 1_645_509_600
  private static let center = Geodetic(latitudeDegrees: 60.17045, longitudeDegrees: 24.9413)

  private static let helsinki = Result {
    let feed = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/transit/helsinki.zip").path
    let file = NSTemporaryDirectory() + "sightline-simulation-\(UUID().uuidString).schedule"
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try ScheduleImporter().importFeed(feed, into: file)
    return try Schedule(path: file)
  }

  private func message(_ seconds: Int) throws -> RealtimeMessage {
    let traffic = try SimulatedTraffic(try Self.helsinki.get(), around: Self.center)
    return try traffic.message(at: Self.eight + seconds)
  }

  @Test func `what is written is read again as it was`() throws {
    var message = try message(0)
    var added = RealtimeMessage.TripUpdate()
    added.trip.id = "copy"
    added.trip.relationship = .duplicated
    added.trip.start = 90_061
    added.copyDay = ServiceDay("20220223")
    added.copyStart = 32_400
    var call = RealtimeMessage.Call()
    call.sequence = 0
    call.arrival = RealtimeMessage.Event(delay: -60)
    call.departure = RealtimeMessage.Event(delay: 30, time: Self.eight)
    call.relationship = .noData
    call.assignedStop = "B"
    added.calls = [call]
    message.tripUpdates.append(added)
    var alert = RealtimeMessage.Alert()
    alert.id = "more"
    alert.periods = [Self.eight..<(Self.eight + 60), (Self.eight + 90)..<Int.max]
    var selector = RealtimeMessage.Alert.Selector()
    selector.agency = "A"
    selector.routeType = 0
    selector.direction = 1
    selector.trip = RealtimeMessage.Trip()
    selector.trip?.id = "T"
    alert.selectors = [selector]
    alert.url.translations = [("", "https://example.org/")]
    message.alerts.append(alert)
    let read = try RealtimeMessage(protobuf: message.protobuf)
    #expect(read.ignored == 0)
    #expect(read.tripUpdates == message.tripUpdates)
    #expect(read.alerts == message.alerts)
    #expect(read.timestamp == message.timestamp)
    #expect(read.vehicles.count == message.vehicles.count)
    for (a, b) in zip(read.vehicles, message.vehicles) {
      // Positions are single precision on the wire: some 2 m here.
      #expect(abs(try #require(a.latitude) - (try #require(b.latitude))) < 4e-6)
      #expect(abs(try #require(a.longitude) - (try #require(b.longitude))) < 4e-6)
      #expect((a.id, a.label, a.trip, a.stop, a.sequence) == (b.id, b.label, b.trip, b.stop, b.sequence))
      #expect((a.status, a.occupancy, a.timestamp) == (b.status, b.occupancy, b.timestamp))
    }
  }

  @Test(arguments: [0, 3600, 9 * 3600]) func `every run is one of the timetable, and of each kind there are some`(
    seconds: Int
  ) throws {
    let message = try message(seconds)
    let schedule = try Self.helsinki.get()
    let state = try RealtimeState([message], schedule: schedule)
    #expect(state.counts.unmatched == 0 && state.counts.unmatchedCalls == 0 && state.counts.added == 0)
    #expect(state.counts.matched == message.tripUpdates.count)
    #expect(message.tripUpdates.count > 80)
    let cancelled = message.tripUpdates.count { $0.trip.relationship == .canceled }
    #expect(cancelled > 0 && cancelled * 10 < message.tripUpdates.count)
    #expect(message.tripUpdates.contains { $0.calls.contains { $0.relationship == .skipped } })
    #expect(message.vehicles.count > 40)
    #expect(state.tripsOfVehicles.allSatisfy { $0 != nil })
    #expect(message.alerts.count == 2)
    for alert in message.alerts {
      for language in ["en", "de", "es", "fr", "nl", "sv", "zh"] {
        #expect(alert.header.translations.contains { $0.language == language && !$0.text.contains("{}") })
        #expect(alert.body.translations.contains { $0.language == language && !$0.text.contains("{}") })
      }
    }
  }

  @Test func `delays are those of a morning with works on one line`() throws {
    let schedule = try Self.helsinki.get()
    let traffic = try SimulatedTraffic(schedule, around: Self.center)
    let message = try traffic.message(at: Self.eight)
    let state = try RealtimeState([message], schedule: schedule)
    let works = schedule.routes[try #require(traffic.delayedRoute)].id
    var late: [Bool: [Int]] = [:]
    for stop in schedule.stops.indices {
      for entry in try schedule.board(
        at: [stop],
        in: Self.eight..<(Self.eight + 1200),
        realtime: state,
        isFresh: { _ in true }
      ) {
        guard let expected = entry.expected, let route = entry.route else { continue }
        // Nobody leaves much before the time that was promised.
        #expect(expected - entry.scheduled > -45)
        #expect(expected - entry.scheduled < SimulatedTraffic.latest)
        late[schedule.routes[route].id == works, default: []].append(expected - entry.scheduled)
      }
    }
    func mean(_ list: [Int]) -> Double { Double(list.reduce(0, +)) / Double(max(1, list.count)) }
    let usual = try #require(late[false])
    let delayed = try #require(late[true])
    #expect(usual.count > 500 && delayed.count > 50)
    #expect((20...150).contains(mean(usual)), "\(mean(usual))")
    #expect(mean(delayed) > mean(usual) + 150, "\(mean(delayed))")
    // Some early, most about on time, some late.
    #expect(usual.contains { $0 < 0 } && usual.contains { $0 > 300 })
    #expect(usual.count { abs($0) <= 60 } * 2 > usual.count)
  }

  @Test func `what was predicted stays predicted`() throws {
    let first = try message(0)
    let later = try message(240)
    // Runs of frequencies share their trip's id.
    func run(_ update: RealtimeMessage.TripUpdate) -> String { "\(update.trip.id) \(update.trip.start ?? -1)" }
    var times: [[String]: Int] = [:]
    for update in first.tripUpdates {
      for call in update.calls { times[[run(update), call.stop]] = call.departure?.time ?? call.arrival?.time }
    }
    var compared = 0
    for update in later.tripUpdates {
      for call in update.calls {
        guard let known = times[[run(update), call.stop]], let now = call.departure?.time ?? call.arrival?.time
        else {
          continue
        }
        #expect(known == now)
        compared += 1
      }
    }
    #expect(compared > 1000)
    #expect(try message(0) == first)
  }

  @Test func `vehicles are where the predictions say, and move along their lines`() throws {
    let schedule = try Self.helsinki.get()
    let message = try message(0)
    let later = try self.message(20)
    var moved = 0
    for vehicle in message.vehicles {
      let place = Geodetic(
        latitudeDegrees: try #require(vehicle.latitude),
        longitudeDegrees: try #require(vehicle.longitude)
      )
      let id = try #require(vehicle.trip?.id)
      let trip = try schedule.trip(try #require(try schedule.trip(id: id)))
      // On the way of its trip: an independent look for the nearest point, a metre apart.
      let shape = try trip.shape.map { try schedule.shape($0) } ?? []
      var nearest = Double.infinity
      for (a, b) in zip(shape, shape.dropFirst()) {
        let from = Geodetic(latitudeDegrees: a.latitude, longitudeDegrees: a.longitude)
        let length = greatCircleDistance(
          from: from,
          to: Geodetic(latitudeDegrees: b.latitude, longitudeDegrees: b.longitude)
        )
        if greatCircleDistance(from: from, to: place) > length + 5 { continue }
        for step in 0...max(1, Int(length)) {
          let part = Double(step) / Double(max(1, Int(length)))
          let point = Geodetic(
            latitudeDegrees: a.latitude + part * (b.latitude - a.latitude),
            longitudeDegrees: a.longitude + part * (b.longitude - a.longitude)
          )
          nearest = min(nearest, greatCircleDistance(from: point, to: place))
        }
      }
      #expect(nearest < 1.5, "\(vehicle.id): \(nearest) m")
      let stop = schedule.stops[try #require(schedule.stop(id: vehicle.stop))]
      if vehicle.status == .stopped {
        let at = Geodetic(
          latitudeDegrees: try #require(stop.latitude),
          longitudeDegrees: try #require(stop.longitude)
        )
        #expect(greatCircleDistance(from: at, to: place) < 150, "\(vehicle.id) at \(stop.name)")
      }
      #expect((0..<360).contains(try #require(vehicle.bearing)))
      guard let after = later.vehicles.first(where: { $0.id == vehicle.id }) else { continue }
      let metres = greatCircleDistance(
        from: place,
        to: Geodetic(latitudeDegrees: try #require(after.latitude), longitudeDegrees: try #require(after.longitude))
      )
      // No tram and no train of the underground goes faster.
      #expect(metres < 20 * 30, "\(vehicle.id): \(metres) m in 20 s")
      if metres > 20 { moved += 1 }
    }
    #expect(moved * 2 > message.vehicles.count)
  }

  @Test func `runs at intervals are named by their starts, and nothing runs at night`() throws {
    let folder = try FeedFolder([
      "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nT1,7:00:00,9:00:00,600,0\n"
    ])
    let (schedule, _) = try folder.imported()
    let traffic = try SimulatedTraffic(schedule, around: nil)
    let message = try traffic.message(at: ProviderConformance.now)
    #expect(message.tripUpdates.count > 3)
    #expect(message.tripUpdates.allSatisfy { ($0.trip.start ?? 1) % 600 == 0 })
    let state = try RealtimeState([try RealtimeMessage(protobuf: message.protobuf)], schedule: schedule)
    #expect(state.counts.unmatched == 0)
    #expect(try traffic.message(at: ProviderConformance.now - 6 * 3600).tripUpdates.isEmpty)
    // Far from any day of service, and at the ends of what a clock can show.
    for time in [0, Int.max, Int.min, 4_000_000_000] {
      #expect(try traffic.message(at: time).tripUpdates.isEmpty, "\(time)")
    }
  }

  @Test func `the demonstration's provider reads it as it reads others, and goes on when its clock goes back`()
    async throws
  {
    let folder = try FeedFolder()
    let file = folder.path + ".schedule"
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    defer {
      try? FileManager.default.removeItem(atPath: folder.path)
      try? FileManager.default.removeItem(atPath: file)
    }
    // One second before it goes back by a quarter of an hour.
    let clock = TransitClock(
      startingAt: ProviderConformance.now - 300,
      repeatingAfter: 900,
      since: TransitClock.real - 898
    )
    let provider = try GTFSProvider(
      info: ProviderInfo(id: "test", name: "Test", kinds: ["gtfs", "gtfs-rt"], attribution: "", isRemote: false),
      path: file,
      realtime: [.simulation],
      transport: ScriptedTransport { _ throws(ProviderFailure) in throw .connection("nobody is asked") },
      clock: clock
    )
    await provider.fetchRealtime()
    let before = try #require(provider.status(at: clock.now).realtime)
    #expect(before.failures == 0)
    try await eventually { clock.now < ProviderConformance.now }
    await provider.fetchRealtime()
    let after = try #require(provider.status(at: clock.now).realtime)
    #expect(after.updated < before.updated)
    #expect(abs(after.updated - clock.now) <= 1)
    #expect(after.failures == 0)
  }
}
