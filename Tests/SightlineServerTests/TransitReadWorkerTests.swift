import Foundation
import Logging
import SightlineReadWorkers
import SightlineTestSupport
import SightlineTransit
import Synchronization
import Testing

@testable import SightlineServer

/// What providers answer is read apart, and says the same as if it were not.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TransitReadWorkerTests {
  // MARK: Messages

  private static func varint(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(truncatingIfNeeded: rest)]
  }

  private static func number(_ field: Int, _ value: Int) -> [UInt8] { varint(field << 3) + varint(value) }
  private static func part(_ field: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(bytes.count) + bytes
  }
  private static func text(_ field: Int, _ text: String) -> [UInt8] { part(field, Array(text.utf8)) }
  private static func fraction(_ field: Int, _ value: Float) -> [UInt8] {
    varint(field << 3 | 5) + withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  /// A message with an update, a vehicle and a notice; `name` is the notice's.
  private static func message(_ time: Int = StubProvider.now - 5, notice name: String = "a1") -> [UInt8] {
    let trip = text(1, "T1") + text(2, "25:10:00") + text(3, "20220222") + number(4, 0) + text(5, "R") + number(6, 1)
    let event = number(1, -60) + number(2, time + 100)
    let call = number(1, 3) + part(2, event) + part(3, event) + text(4, "S") + number(5, 1) + part(6, text(1, "P"))
    let copy = text(2, "20220223") + text(3, "9:00:00")
    let update = part(1, trip) + part(2, call) + part(2, []) + number(4, time) + part(6, copy)
    let place = fraction(1, 60.17) + fraction(2, -24.94) + fraction(3, 359) + fraction(5, 12.5)
    let vehicle =
      part(1, trip) + part(2, place) + number(3, 4) + number(4, 1) + number(5, time) + text(7, "S")
      + part(8, text(1, "v") + text(2, "Nr. 7 ß")) + number(9, 5)
    let words = part(1, text(1, "Umleitung über B") + text(2, "de")) + part(1, text(1, "Detour"))
    let notice =
      part(1, number(1, time - 60)) + part(1, number(1, time) + number(2, time + 600)) + part(5, text(1, "HSL"))
      + part(5, text(2, "R") + number(3, 0) + part(4, trip) + text(5, "S") + number(6, 0)) + number(6, 9)
      + number(7, 4) + part(8, part(1, text(1, "https://example.org"))) + part(10, words) + part(11, words)
      + number(14, 4)
    return part(1, text(1, "2.0") + number(3, time)) + part(2, text(1, "u") + part(3, update))
      + part(2, text(1, "e") + part(4, vehicle)) + part(2, text(1, name) + part(5, notice))
      + part(2, text(1, "damaged") + part(3, [0xFF])) + part(2, text(1, "gone") + number(2, 1))
  }

  private static let siriJSON = """
    {"Siri": {"ServiceDelivery": {"ResponseTimestamp": "2026-03-02T07:00:10.123Z", "StopMonitoringDelivery": [{
      "MonitoredStopVisit": [
       {"ItemIdentifier": "i1", "MonitoringRef": {"value": "Q:1"},
        "MonitoredVehicleJourney": {"LineRef": {"value": "L:4"}, "PublishedLineName": [{"value": "4"}], "VehicleMode": ["BUS"],
         "DestinationName": [{"value": "Port & Gare"}], "DirectionRef": {"value": "Aller"},
         "FramedVehicleJourneyRef": {"DatedVehicleJourneyRef": "J:1"}, "VehicleFeatureRef": ["lowFloor", "wheelchair"],
         "MonitoredCall": {"StopPointRef": {"value": "Q:1"}, "DeparturePlatformName": {"value": "B"},
          "AimedDepartureTime": "2026-07-02T08:05:00", "ExpectedDepartureTime": "2026-07-02T06:07:30Z"}}},
       {"MonitoredVehicleJourney": {"LineRef": "L", "ExtraJourney": true,
         "MonitoredCall": {"ExpectedDepartureTime": "2026-03-02T07:20:00Z"}}},
       {"MonitoredVehicleJourney": {"MonitoredCall": {"AimedArrivalTime": "2026-03-02T07:21:00Z"}}}]}]}}}
    """
  private static let siriXML = """
    <Siri><ServiceDelivery><SituationExchangeDelivery><Situations><PtSituationElement>
    <SituationNumber>N1</SituationNumber><ValidityPeriod><StartTime>2026-03-01T00:00:00</StartTime></ValidityPeriod>
    <Severity>severe</Severity><Summary xml:lang="FR">Travaux é</Summary><Summary xml:lang="EN">Works</Summary>
    <Description>Longer</Description><InfoLinks><InfoLink><Uri>https://example.org</Uri></InfoLink></InfoLinks>
    <Affects><AffectedLine><LineRef>L:4</LineRef></AffectedLine><StopPointRef>Q:1</StopPointRef></Affects>
    </PtSituationElement></Situations></SituationExchangeDelivery></ServiceDelivery></Siri>
    """
  private static let plain = """
    {"updated": "2026-03-02T07:00:00Z", "departures": [
     {"line": "4", "mode": "tram", "color": "00985F", "textColor": "ffffff", "headsign": "Port é",
      "scheduled": "2026-03-02T07:05:00Z", "expected": "2026-03-02T07:06:00Z", "platform": "B", "trip": "J",
      "wheelchair": true, "lowFloor": false},
     {"line": "5", "scheduled": "2026-03-02T08:05:00+01:00", "cancelled": true}]}
    """
  private static let paris = TimeZone(identifier: "Europe/Paris") ?? .gmt

  private func wire<Content>(_ content: Content, _ write: (Content, inout WireWriter) -> Void) -> [UInt8] {
    ForeignAnswers.write(Result.success(content), content: write)
  }

  private func failure(_ work: () async throws(ProviderFailure) -> Void) async -> ProviderFailure? {
    do throws(ProviderFailure) {
      try await work()
      return nil
    } catch {
      return error
    }
  }

  // MARK: The same

  @Test func `realtime messages say the same apart`() async throws {
    let apart = ForeignProviders(TestReaders.shared)
    let message = Self.message()
    let read = try await apart.realtime(message, of: "hsl")
    #expect(read == (try RealtimeMessage(protobuf: message)))
    #expect(read.tripUpdates.count == 1 && read.vehicles.count == 1 && read.alerts.count == 1 && read.ignored == 2)
    #expect(read.tripUpdates.first?.calls.count == 2 && read.alerts.first?.selectors.count == 2)
    for bad in [[], Array("<html>".utf8), Array(message.dropLast()), Self.part(1, Self.number(2, 1))] as [[UInt8]] {
      let reason = await failure { () throws(ProviderFailure) in _ = try await apart.realtime(bad, of: "hsl") }
      let here = await failure { () throws(ProviderFailure) in _ = try await DirectReading().realtime(bad, of: "hsl") }
      #expect(reason != nil && reason == here)
    }
  }

  @Test func `any message says the same after the way between the processes`() throws {
    var random = SplitMix64(seed: 98)
    for _ in 0..<300 {
      let message = Self.random(&random)
      let bytes = wire(message) { ForeignAnswers.write($0, &$1) }
      let read = try ForeignAnswers.provided(bytes) { reader throws(WireReader.Malformed) in
        try ForeignAnswers.realtime(&reader)
      }
      #expect(try read.get() == message)
    }
  }

  @Test(arguments: [false, true]) func `SIRI answers say the same apart`(isXML: Bool) async throws {
    let bytes = Array((isXML ? Self.siriXML : Self.siriJSON).utf8)
    // Times without an offset need the zone, which a worker cannot look up in a file.
    for zone in ["Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "GMT+0130"] {
      let timeZone = try #require(TimeZone(identifier: zone))
      let apart = try await ForeignProviders(TestReaders.shared)
        .siri(bytes, isXML: isXML, timeZone: timeZone, of: "stif")
      let here = try await DirectReading().siri(bytes, isXML: isXML, timeZone: timeZone, of: "stif")
      #expect(apart.visits == here.visits && apart.visits.count == (isXML ? 0 : 2))
      #expect(apart.alerts.count == (isXML ? 1 : 0))
      #expect(wire(apart) { ForeignAnswers.write($0, &$1) } == wire(here) { ForeignAnswers.write($0, &$1) }, "\(zone)")
    }
    let refused = await failure { () throws(ProviderFailure) in
      let text = "{\"ServiceDelivery\":{\"ErrorCondition\":{\"InvalidDataReferencesError\":{}}}}"
      _ = try await ForeignProviders(TestReaders.shared)
        .siri(Array(text.utf8), isXML: false, timeZone: .gmt, of: "stif")
    }
    #expect(refused == .unknownStop)
  }

  @Test func `answers in the plain form, and lists of stops, say the same apart`() async throws {
    let apart = ForeignProviders(TestReaders.shared)
    let board = try await apart.plain(Array(Self.plain.utf8), of: "plain")
    #expect(board.departures == (try PlainDelivery(Array(Self.plain.utf8))).departures)
    #expect(board.updated == 1_772_434_800 && board.departures.count == 2)
    for text in ["{}", "", #"{"updated":"2026-03-02T07:00:00Z","departures":[{"line":"4"}]}"#] {
      let reason = await failure { () throws(ProviderFailure) in
        _ = try await apart.plain(Array(text.utf8), of: "plain")
      }
      let here = await failure { () throws(ProviderFailure) in _ = try PlainDelivery(Array(text.utf8)) }
      #expect(reason != nil && reason == here)
    }
    for (grid, list) in [
      (
        StopList.Grid.wgs84,
        "id,name,lat,lon,code,platform,wheelchair\na,\"É \"\"b\"\"\",57.7,11.9,c,2,true\nb,B,-1,-2,,,\n"
      ),
      (
        .wgs84,
        #"{"stops":[{"id":"a","name":"A","lat":1,"lon":2,"lines":[{"id":"L","name":"4","mode":"tram","color":"00985F"}]}]}"#
      ),
      (.rt90, "id,name,x,y\nc,C,6404000,1271000\n"), (.sweref99tm, "id,name,x,y\nc,C,6399000,319000\n"),
    ] {
      let read = try await apart.stops(Array(list.utf8), grid: grid, of: "list")
      let here = try StopList.read(Array(list.utf8), grid: grid)
      #expect(read.map(\.stop) == here.map(\.stop))
      #expect(wire(read) { ForeignAnswers.write($0, &$1) } == wire(here) { ForeignAnswers.write($0, &$1) })
    }
    let refused = await failure { () throws(ProviderFailure) in
      _ = try await apart.stops(Array("id,name,lat,lon\na,A,x,2\n".utf8), grid: .wgs84, of: "list")
    }
    #expect(refused == .malformed("The list of stops has no number lat in line 2 (a)."))
  }

  // MARK: What fails

  @Test func `damaged answers of a worker are refused, not believed`() throws {
    let message = try RealtimeMessage(protobuf: Self.message())
    let delivery = try SIRIDelivery(
      Array(Self.siriJSON.utf8),
      isXML: false,
      clock: ServiceClock(timeZone: Self.paris)
    )
    let notices = try SIRIDelivery(Array(Self.siriXML.utf8), isXML: true, clock: ServiceClock(timeZone: Self.paris))
    let board = try PlainDelivery(Array(Self.plain.utf8))
    let stops = try StopList.read(Array("id,name,lat,lon\na,A,1,2\n".utf8))
    typealias Check = ([UInt8]) throws(WireReader.Malformed) -> Void
    let siri: Check = { bytes throws(WireReader.Malformed) in
      _ = try ForeignAnswers.provided(bytes) { reader throws(WireReader.Malformed) in try ForeignAnswers.siri(&reader) }
    }
    let all: [(bytes: [UInt8], check: Check)] = [
      (
        wire(message) { ForeignAnswers.write($0, &$1) },
        { bytes throws(WireReader.Malformed) in
          _ = try ForeignAnswers.provided(bytes) { reader throws(WireReader.Malformed) in
            try ForeignAnswers.realtime(&reader)
          }
        }
      ),
      (wire(delivery) { ForeignAnswers.write($0, &$1) }, siri),
      (wire(notices) { ForeignAnswers.write($0, &$1) }, siri),
      (
        wire(board) { ForeignAnswers.write($0, &$1) },
        { bytes throws(WireReader.Malformed) in
          _ = try ForeignAnswers.provided(bytes) { reader throws(WireReader.Malformed) in
            try ForeignAnswers.plain(&reader)
          }
        }
      ),
      (
        wire(stops) { ForeignAnswers.write($0, &$1) },
        { bytes throws(WireReader.Malformed) in
          _ = try ForeignAnswers.provided(bytes) { reader throws(WireReader.Malformed) in
            try ForeignAnswers.stops(&reader)
          }
        }
      ),
    ]
    var random = SplitMix64(seed: 980)
    for (bytes, check) in all {
      try check(bytes)
      for count in bytes.indices {
        #expect(throws: WireReader.Malformed.self) { try check(Array(bytes[..<count])) }
      }
      #expect(throws: WireReader.Malformed.self) { try check(bytes + [0]) }
      for _ in 0..<3000 {
        var damaged = bytes
        for _ in 0..<3 {
          damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        // Whatever comes of it: no trap, and nothing out of range.
        do { try check(damaged) } catch {}
      }
    }
    // Claims of much, with nothing behind them; a time that nobody can mean; a sentence without end.
    for claim in [
      [0, 0, 0, 0xFF, 0xFF, 0xFF, 0x0F], [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [2, 0xFF, 0xFF, 0xFF, 0xFF], [3],
    ] as [[UInt8]] {
      for (_, check) in all { #expect(throws: WireReader.Malformed.self) { try check(claim) } }
    }
  }

  /// Reads apart, or has a reader do what no reader should.
  private final class TrialReading: ProviderReading {
    let workers: ReadWorkers
    let trial = Mutex<String?>(nil)

    init(_ workers: ReadWorkers) { self.workers = workers }

    private func fail(_ provider: String) async throws(ProviderFailure) {
      guard let trial = trial.withLock({ $0 }) else { return }
      do throws(ReadFailure) {
        _ = try await workers.read(ReadJob(ReadTrials.kind, document: Array(trial.utf8)), client: provider)
      } catch {
        throw error.ofProvider
      }
    }

    func realtime(_ message: [UInt8], of provider: String) async throws(ProviderFailure) -> RealtimeMessage {
      try await fail(provider)
      return try await ForeignProviders(workers).realtime(message, of: provider)
    }

    func siri(
      _ answer: [UInt8],
      isXML: Bool,
      timeZone: TimeZone,
      of provider: String
    ) async throws(ProviderFailure) -> SIRIDelivery {
      try await fail(provider)
      return try await ForeignProviders(workers).siri(answer, isXML: isXML, timeZone: timeZone, of: provider)
    }

    func plain(_ answer: [UInt8], of provider: String) async throws(ProviderFailure) -> PlainDelivery {
      try await fail(provider)
      return try await ForeignProviders(workers).plain(answer, of: provider)
    }
  }

  private struct FixedTransport: ProviderTransport {
    let answer: @Sendable () -> [UInt8]
    func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
      ProviderAnswer(body: answer())
    }
  }

  private func with(
    _ change: (inout ReadWorkersOptions) -> Void = { _ in },
    _ body: (ReadWorkers) async throws -> Void
  ) async throws {
    var options = TestReaders.options()
    options.workers = 1
    options.patience = 2
    options.variables = [ReadTrials.variable: "1"]
    change(&options)
    let workers = try ReadWorkers(options, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do { try await body(workers) } catch {
      await workers.shutdown()
      throw error
    }
    await workers.shutdown()
  }

  @Test func `a reader that fails leaves the last good message, and the next one is read`() async throws {
    let path = NSTemporaryDirectory() + "sightline-apart-\(UUID().uuidString).schedule"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let feed = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/transit/helsinki.zip").path
    _ = try ScheduleImporter().importFeed(feed, into: path)
    try await with { workers in
      let reading = TrialReading(workers)
      let count = Mutex(0)
      let names = ["first", "second", "third", "fourth", "fifth", "sixth"]
      let provider = try GTFSProvider(
        info: ProviderInfo(id: "hsl", name: "HSL", kinds: ["gtfs", "gtfs-rt"], attribution: "", isRemote: false),
        path: path,
        realtime: [RealtimeSource(url: "https://example.org/")],
        transport: FixedTransport { [message = Self.message] in
          let number = count.withLock { count in
            count += 1
            return count
          }
          return message(StubProvider.now - 20 + number, names[number - 1])
        },
        clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1),
        reading: reading
      )
      await provider.fetchRealtime()
      #expect(provider.alerts(at: StubProvider.now).map(\.id) == ["first"])
      for trial in ["trap", "hang", "swell", "garbage"] {
        reading.trial.withLock { $0 = trial }
        await provider.fetchRealtime()
        #expect(provider.alerts(at: StubProvider.now).map(\.id) == ["first"], "\(trial)")
      }
      #expect(provider.status(at: StubProvider.now).realtime?.failures == 4)
      guard case .malformed? = provider.status(at: StubProvider.now + 4000).failure else {
        Issue.record("the operator is not told why")
        return
      }
      reading.trial.withLock { $0 = nil }
      await provider.fetchRealtime()
      #expect(provider.alerts(at: StubProvider.now).map(\.id) == ["sixth"])
      #expect(provider.status(at: StubProvider.now).failure == nil)
      #expect(workers.metrics.snapshot.kinds["realtime"]?.answered == 2)
      #expect(
        workers.metrics.snapshot.kinds["trial"]?.failures == ["trap": 1, "time": 1, "memory": 1, "garbage": 1]
      )
    }
  }

  @Test func `answers on which the reader fails open the breaker`() async throws {
    try await with { workers in
      let reading = TrialReading(workers)
      reading.trial.withLock { $0 = "trap" }
      let stops = (0..<8).map {
        ListDirectory.Entry(stop: TransitStop(id: "S\($0)", name: "S", latitude: 60, longitude: 24))
      }
      let provider = PlainProvider(
        info: ProviderInfo(id: "plain", name: "P", kinds: ["json"], attribution: "", isRemote: true),
        stops: ListDirectory(stops, timeZone: .gmt),
        address: "https://example.org/{stop}",
        transport: FixedTransport { Array(Self.plain.utf8) },
        reading: reading
      )
      var limits = DeskLimits()
      limits.tryLimit = 60
      limits.total = 60
      let hub = TransitHub([(provider: provider, limits: limits)], patience: 60)
      let question = BoardQuestion(from: 1_772_434_800, window: 3600, limit: 5)
      for number in 0..<5 {
        let outcome = await hub.boards([(hub.desks[0], "S\(number)")], question)
        #expect(outcome.first?.failure == .malformed("its reader failed on it"))
      }
      #expect(hub.desks[0].isBreakerOpen)
      let resting = await hub.boards([(hub.desks[0], "S6")], question)
      #expect(resting.first?.failure == .resting)
      #expect(workers.metrics.snapshot.kinds["trial"]?.failures == ["trap": 5])
    }
  }

  @Test func `many answers at one moment are all read, and leave the queue to others`() async throws {
    try await with({
      $0.waiting = ForeignProviders.atOnce + 1
      $0.waitingOfClient = ForeignProviders.atOnce
    }) { workers in
      let providers = ForeignProviders(workers)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<200 {
          group.addTask { try await providers.plain(Array(Self.plain.utf8), of: "plain").departures.count }
        }
        group.addTask {
          try await ForeignProviders(workers).plain(Array(Self.plain.utf8), of: "other").departures.count
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == [Int](repeating: 2, count: 201))
    }
  }

  @Test func `a message that is more than its memory is a failure of its provider`() async throws {
    try await with({ $0.mebibytes = 16 }) { workers in
      let wide = Self.message() + Self.part(9, [UInt8](repeating: 0, count: 24 << 20))
      let reason = await failure { () throws(ProviderFailure) in
        _ = try await ForeignProviders(workers).realtime(wide, of: "hsl")
      }
      #expect(reason == .malformed("it takes more memory than is given to one answer"))
      #expect(workers.metrics.snapshot.kinds["realtime"]?.failures == ["memory": 1])
      _ = try await ForeignProviders(workers).realtime(Self.message(), of: "hsl")
    }
  }

  @Test func `rubbish from a worker is no message`() async throws {
    let rubbish: [[UInt8]] = [[], [0], [9], [UInt8](repeating: 0xFF, count: 4096)]
    for bytes in rubbish {
      let handlers = [ForeignReaders.realtime, ForeignReaders.siri, ForeignReaders.board, ForeignReaders.target].map {
        ReadHandler($0) { _, _ in bytes }
      }
      try await with({ $0.place = .thisProcess(handlers) }) { workers in
        let providers = ForeignProviders(workers)
        let expected = ReadFailure.garbage.ofProvider
        #expect(
          await failure { () throws(ProviderFailure) in _ = try await providers.realtime([], of: "a") } == expected
        )
        #expect(await failure { () throws(ProviderFailure) in _ = try await providers.plain([], of: "a") } == expected)
        #expect(
          await failure { () throws(ProviderFailure) in
            _ = try await providers.siri([], isXML: true, timeZone: .gmt, of: "a")
          } == expected
        )
        await #expect(throws: ReadFailure.self) {
          _ = try await ForeignDocuments(workers: workers).target(Data(), name: "a", width: 0, client: "a")
        }
      }
    }
  }

  @Test func `every failure of a worker is one of the provider, or of this server`() {
    for failure in [ReadFailure.trap, .memory, .time, .large, .garbage] {
      guard case .malformed = failure.ofProvider else {
        Issue.record("\(failure)")
        continue
      }
    }
    #expect(ReadFailure.busy(ofClient: true).ofProvider == .busy)
    #expect(ReadFailure.stopping.ofProvider == .busy)
    #expect(ReadFailure.unavailable.ofProvider.reason == "provider_error")
  }
}

extension TransitReadWorkerTests {
  /// A message with everything that a reader may give.
  private static func random(_ random: inout SplitMix64) -> RealtimeMessage {
    func number(_ most: Int, _ random: inout SplitMix64) -> Int { Int(random.next() % UInt64(most)) }
    func maybe(_ most: Int, _ random: inout SplitMix64) -> Int? {
      number(3, &random) == 0 ? nil : number(most, &random)
    }
    func text(_ random: inout SplitMix64) -> String {
      ["", "T", "Straße 7", "🚋", String(repeating: "é", count: 200)][number(5, &random)]
    }
    func trip(_ random: inout SplitMix64) -> RealtimeMessage.Trip {
      var trip = RealtimeMessage.Trip()
      trip.id = text(&random)
      trip.route = text(&random)
      trip.direction = maybe(1 << 32, &random)
      trip.day = maybe(200_000, &random).map { ServiceDay(number: $0 - 30_000) }
      trip.start = maybe(3_600_000, &random)
      trip.relationship = maybe(9, &random).flatMap { .init(rawValue: $0) }
      return trip
    }
    func event(_ random: inout SplitMix64) -> RealtimeMessage.Event? {
      guard number(3, &random) > 0 else { return nil }
      var event = RealtimeMessage.Event()
      event.delay = maybe(14 * 86_400, &random).map { $0 - 7 * 86_400 }
      event.time = maybe(1 << 40, &random)
      return event
    }
    func words(_ random: inout SplitMix64) -> RealtimeMessage.Text {
      var words = RealtimeMessage.Text()
      for _ in 0..<number(3, &random) { words.translations.append((language: text(&random), text: text(&random))) }
      return words
    }
    var message = RealtimeMessage()
    message.timestamp = number(1 << 40, &random)
    message.ignored = number(100, &random)
    for _ in 0..<number(4, &random) {
      var update = RealtimeMessage.TripUpdate()
      update.trip = trip(&random)
      for _ in 0..<number(5, &random) {
        var call = RealtimeMessage.Call()
        call.sequence = maybe(1 << 32, &random)
        call.stop = text(&random)
        call.arrival = event(&random)
        call.departure = event(&random)
        call.relationship = maybe(4, &random).flatMap { .init(rawValue: $0) }
        call.assignedStop = text(&random)
        update.calls.append(call)
      }
      update.timestamp = maybe(1 << 40, &random)
      update.copyDay = maybe(84_000, &random).map { ServiceDay(number: $0) }
      update.copyStart = maybe(3_600_000, &random)
      update.vehicle = text(&random)
      message.tripUpdates.append(update)
    }
    for _ in 0..<number(4, &random) {
      var vehicle = RealtimeMessage.Vehicle()
      (vehicle.id, vehicle.label, vehicle.stop) = (text(&random), text(&random), text(&random))
      vehicle.trip = number(2, &random) == 0 ? nil : trip(&random)
      vehicle.latitude = maybe(180, &random).map { Double($0) - 90.5 + 0.5 }
      vehicle.longitude = maybe(360, &random).map { Double($0) - 180 }
      vehicle.bearing = maybe(361, &random).map { Double($0) }
      vehicle.speed = maybe(200, &random).map { Double($0) / 3 }
      vehicle.sequence = maybe(1 << 32, &random)
      vehicle.status = .init(rawValue: number(3, &random)) ?? .underWay
      vehicle.occupancy = maybe(1 << 32, &random)
      vehicle.timestamp = maybe(1 << 40, &random)
      message.vehicles.append(vehicle)
    }
    for _ in 0..<number(4, &random) {
      var alert = RealtimeMessage.Alert()
      alert.id = text(&random)
      for _ in 0..<number(3, &random) {
        let start = number(1 << 39, &random)
        alert.periods.append(start..<(maybe(1 << 39, &random).map { start + 1 + $0 } ?? .max))
      }
      for _ in 0..<number(3, &random) {
        var selector = RealtimeMessage.Alert.Selector()
        (selector.agency, selector.route, selector.stop) = (text(&random), text(&random), text(&random))
        selector.routeType = maybe(2000, &random)
        selector.direction = maybe(2, &random)
        selector.trip = number(2, &random) == 0 ? nil : trip(&random)
        alert.selectors.append(selector)
      }
      (alert.cause, alert.effect, alert.severity) = (maybe(12, &random), maybe(11, &random), maybe(5, &random))
      (alert.url, alert.header, alert.body) = (words(&random), words(&random), words(&random))
      message.alerts.append(alert)
    }
    return message
  }
}
