import Foundation
import SightlineGeodesy
import Synchronization
import Testing

@testable import SightlineTransit

/// A transport that does as the test says.
final class ScriptedTransport: ProviderTransport {
  typealias Answer = @Sendable (ProviderRequest) throws(ProviderFailure) -> ProviderAnswer

  private let answer: Mutex<Answer>
  private let seen = Mutex<[ProviderRequest]>([])

  init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }

  func set(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  var requests: [ProviderRequest] { seen.withLock { $0 } }

  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
    seen.withLock { $0.append(request) }
    return try answer.withLock { $0 }(request)
  }
}

/// What every provider has to do, whatever it is made of: each kind is set up with the same stop, line and departure.
struct ProviderConformance: CustomTestStringConvertible, Sendable {
  /// A provider under test.
  struct Subject {
    let provider: any TransitProvider
    let transport: ScriptedTransport
    /// Fetches what the provider fetches beside questions.
    let fetch: @Sendable () async -> Void
    let folder: FeedFolder?
  }

  let name: String
  /// Whether it predicts; then the departure is two minutes late.
  let isLive: Bool
  /// Whether departures fail when the transport does.
  let isRemote: Bool
  let make: @Sendable (ScriptedTransport) throws -> Subject
  /// The good answer to whatever it fetches.
  let answer: @Sendable () -> ProviderAnswer

  var testDescription: String { name }

  /// Monday 2026-03-02, 08:00 at Stockholm.
  static let now = 1_772_434_800
  /// Line 7 leaves stop B at 08:06 for Chalmers.
  static let departure = now + 360

  static let all = [gtfs, gtfsRealtime, siriJSON, siriXML, plain]

  private static let stops = ListDirectory(
    [("B", 57.7066, 11.9685), ("C", 57.6896, 11.9735)].map { id, latitude, longitude in
      .init(stop: TransitStop(id: id, name: "Stop \(id)", latitude: latitude, longitude: longitude))
    },
    timeZone: TimeZone(identifier: "Europe/Stockholm") ?? .gmt
  )

  private static func info(_ kind: String, isRemote: Bool) -> ProviderInfo {
    ProviderInfo(id: "test", name: "Test", kinds: [kind], attribution: "Test", isRemote: isRemote)
  }

  static let clock = TransitClock(startingAt: now, repeatingAfter: 1)

  private static func timetable(_ transport: ScriptedTransport, realtime: Bool) throws -> Subject {
    let folder = try FeedFolder()
    let file = folder.path + ".schedule"
    _ = try ScheduleImporter().importFeed(folder.path, into: file)
    let provider = try GTFSProvider(
      info: info("gtfs", isRemote: false),
      path: file,
      realtime: realtime ? [RealtimeSource(url: "https://example.org/tu.pb")] : [],
      transport: transport,
      clock: clock,
      timer: SystemTimer()
    )
    return Subject(
      provider: provider,
      transport: transport,
      fetch: { await provider.fetchRealtime() },
      folder: folder
    )
  }

  static let gtfs = ProviderConformance(
    name: "GTFS",
    isLive: false,
    isRemote: false,
    make: { try timetable($0, realtime: false) },
    answer: { ProviderAnswer() }
  )

  static let gtfsRealtime = ProviderConformance(
    name: "GTFS-RT",
    isLive: true,
    isRemote: false,
    make: { try timetable($0, realtime: true) },
    answer: { ProviderAnswer(body: message(time: now - 5, delay: 120), mediaType: "application/x-protobuf") }
  )

  /// A trip update of T1 by so many seconds at every stop.
  static func message(time: Int, delay: Int) -> [UInt8] {
    ProtobufWriter.feed(time: time) {
      $0.message(2) {
        $0.string(1, "e")
        $0.message(3) {
          $0.message(1) {
            $0.string(1, "T1")
            $0.string(3, "20260302")
          }
          $0.message(2) {
            $0.integer(1, 1)
            $0.message(3) { $0.integer(1, delay) }
          }
        }
      }
    }
  }

  private static func siri(_ transport: ScriptedTransport, isXML: Bool) -> Subject {
    let provider = SIRIProvider(
      info: info("siri", isRemote: true),
      stops: stops,
      settings: .init(departures: "https://example.org/sm?ref={stop}&n={limit}", isXML: isXML),
      transport: transport,
      clock: clock
    )
    return Subject(provider: provider, transport: transport, fetch: {}, folder: nil)
  }

  static let siriJSON = ProviderConformance(
    name: "SIRI JSON",
    isLive: true,
    isRemote: true,
    make: { siri($0, isXML: false) },
    answer: {
      let text = """
        {"Siri": {"ServiceDelivery": {"ResponseTimestamp": "2026-03-02T06:59:55Z", "StopMonitoringDelivery": [{"MonitoredStopVisit": [
        {"MonitoredVehicleJourney": {"LineRef": {"value": "R"}, "PublishedLineName": [{"value": "7"}], "DestinationName": [{"value": "Chalmers"}],
        "MonitoredCall": {"AimedDepartureTime": "2026-03-02T07:06:00Z", "ExpectedDepartureTime": "2026-03-02T07:08:00Z"}}}]}]}}}
        """
      return ProviderAnswer(body: Array(text.utf8), mediaType: "application/json")
    }
  )

  static let siriXML = ProviderConformance(
    name: "SIRI XML",
    isLive: true,
    isRemote: true,
    make: { siri($0, isXML: true) },
    answer: {
      let text = """
        <Siri><ServiceDelivery><ResponseTimestamp>2026-03-02T06:59:55Z</ResponseTimestamp><StopMonitoringDelivery><MonitoredStopVisit>
        <MonitoredVehicleJourney><LineRef>R</LineRef><PublishedLineName>7</PublishedLineName><DestinationName>Chalmers</DestinationName>
        <MonitoredCall><AimedDepartureTime>2026-03-02T08:06:00</AimedDepartureTime>
        <ExpectedDepartureTime>2026-03-02T08:08:00+01:00</ExpectedDepartureTime></MonitoredCall></MonitoredVehicleJourney>
        </MonitoredStopVisit></StopMonitoringDelivery></ServiceDelivery></Siri>
        """
      return ProviderAnswer(body: Array(text.utf8), mediaType: "application/xml")
    }
  )

  static let plain = ProviderConformance(
    name: "JSON",
    isLive: true,
    isRemote: true,
    make: { transport in
      let provider = PlainProvider(
        info: info("json", isRemote: true),
        stops: stops,
        address: "https://example.org/departures?stop={stop}",
        transport: transport
      )
      return Subject(provider: provider, transport: transport, fetch: {}, folder: nil)
    },
    answer: {
      let text = """
        {"updated": "2026-03-02T06:59:55Z", "departures": [{"line": "7", "headsign": "Chalmers",
         "scheduled": "2026-03-02T08:06:00+01:00", "expected": "2026-03-02T08:08:00+01:00"}]}
        """
      return ProviderAnswer(body: Array(text.utf8), mediaType: "application/json")
    }
  )

  /// Sets a provider up, lets it fetch, runs the work, and clears away.
  func with(_ work: (Subject) async throws -> Void) async throws {
    let transport = ScriptedTransport { [answer] _ in answer() }
    let subject = try make(transport)
    defer {
      if let path = subject.folder?.path {
        for ending in ["", ".schedule"] { try? FileManager.default.removeItem(atPath: path + ending) }
      }
    }
    await subject.fetch()
    try await work(subject)
  }
}

@Suite(.timeLimit(.minutes(10))) struct ProviderConformanceTests {
  private func question(_ from: Int = ProviderConformance.now, limit: Int = 20) -> BoardQuestion {
    BoardQuestion(from: from, window: 3600, limit: limit)
  }

  @Test(arguments: ProviderConformance.all) func `stops have ids, names and positions, and are found`(
    kind: ProviderConformance
  ) async throws {
    try await kind.with { subject in
      let directory = subject.provider.schedule
      let number = try #require(directory.number(of: "B"))
      let stop = directory.stop(number, language: nil)
      #expect(stop.id == "B" && !stop.name.isEmpty)
      let place = Geodetic(latitudeDegrees: stop.latitude, longitudeDegrees: stop.longitude)
      let found = directory.nearest(50, to: place, radius: nil)
      #expect(found.first?.stop == number && found[0].distance < 0.001)
      #expect(found.count == directory.count)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.distance <= $1.distance })
      #expect(Set(found.map { directory.stop($0.stop, language: "sv").id }).count == found.count)
      #expect(directory.nearest(5, to: place, radius: 1).count == 1)
      #expect(directory.number(of: "none") == nil)
      let bounds = try #require(directory.bounds)
      #expect(bounds.south <= stop.latitude && stop.latitude <= bounds.north)
    }
  }

  @Test(arguments: ProviderConformance.all) func `departures are those of the time asked for`(
    kind: ProviderConformance
  ) async throws {
    try await kind.with { subject in
      let board = try await subject.provider.departures(at: "B", question())
      let departure = try #require(board.departures.first)
      #expect(board.departures.count == 1)
      #expect(departure.line?.name == "7" && departure.headsign == "Chalmers")
      #expect(departure.scheduled == ProviderConformance.departure)
      #expect(departure.expected == (kind.isLive ? ProviderConformance.departure + 120 : nil))
      #expect(departure.state == (kind.isLive ? .live : .scheduled))
      #expect(board.isLive == kind.isLive)
      #expect(board.updated == (kind.isLive ? ProviderConformance.now - 5 : nil))
      #expect(board.shortfall == nil)
      #expect(
        try await subject.provider.departures(at: "B", question(ProviderConformance.now + 1000)).departures.isEmpty
      )
      #expect(try await subject.provider.departures(at: "B", question(limit: 0)).departures.isEmpty)
    }
  }

  @Test(arguments: ProviderConformance.all) func `a stop that is not there is an error`(
    kind: ProviderConformance
  ) async throws {
    try await kind.with { subject in
      await #expect(throws: ProviderFailure.unknownStop) {
        _ = try await subject.provider.departures(at: "none", question())
      }
      #expect(subject.transport.requests.allSatisfy { !$0.url.contains("none") })
    }
  }

  /// What servers send instead of an answer.
  static let rubbish: [[UInt8]] = [
    [], Array("<html><body>Service unavailable</body></html>".utf8), Array("{}".utf8), Array("null".utf8),
    Array("{\"error\": true}".utf8), [0xFF, 0xFE, 0x00], [UInt8](repeating: 0x5B, count: 100_000),
    Array("<a>".utf8) + [UInt8](repeating: 0x3C, count: 1000),
  ]

  @Test(arguments: ProviderConformance.all) func `rubbish is an error, never an empty board`(
    kind: ProviderConformance
  ) async throws {
    try await kind.with { subject in
      var bodies = Self.rubbish
      let good = kind.answer().body
      if kind.isRemote { bodies += [Array(good.prefix(good.count / 2)), Array(good.dropLast())] }
      for body in bodies {
        subject.transport.set { _ in ProviderAnswer(body: body) }
        if kind.isRemote {
          await #expect {
            _ = try await subject.provider.departures(at: "B", question())
          } throws: { error in
            if case .malformed = error as? ProviderFailure { true } else { false }
          }
        } else {
          // What was known stays.
          await subject.fetch()
          let board = try await subject.provider.departures(at: "B", question())
          #expect(board.departures.count == 1 && board.isLive == kind.isLive)
        }
      }
    }
  }

  @Test(arguments: ProviderConformance.all) func `what the transport fails with is passed on`(
    kind: ProviderConformance
  ) async throws {
    for failure in [ProviderFailure.timeout, .connection("it broke off"), .status(500, retryAfter: nil), .tooLarge(5)] {
      try await kind.with { subject in
        subject.transport.set { _ throws(ProviderFailure) in throw failure }
        if kind.isRemote {
          await #expect(throws: failure) { _ = try await subject.provider.departures(at: "B", question()) }
        } else {
          await subject.fetch()
          let board = try await subject.provider.departures(at: "B", question())
          #expect(board.departures.count == 1)
        }
      }
    }
  }

  @Test(arguments: ProviderConformance.all) func `answers are the same however many ask at once`(
    kind: ProviderConformance
  ) async throws {
    try await kind.with { subject in
      let provider = subject.provider
      let times = try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await provider.departures(
              at: "B",
              BoardQuestion(from: ProviderConformance.now, window: 3600, limit: 20)
            )
            .departures.map(\.time)
          }
        }
        return try await group.reduce(into: Set<[Int]>()) { $0.insert($1) }
      }
      #expect(times.count == 1)
    }
  }
}
