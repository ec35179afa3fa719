import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SightlineArchive
import SightlineReadWorkers
import Synchronization
import Testing

@testable import SightlineServer
@testable import SightlineTransit

/// Timetables that are fetched from an address, over real connections: what is whole is taken, whatever else comes leaves the one
/// in use.
@Suite(.serialized, .timeLimit(.minutes(10))) final class ScheduleFeedTests: Sendable {
  private let folder = NSTemporaryDirectory() + "sightline-fetched-\(UUID().uuidString)"
  private var file: String { folder + "/made/test.schedule" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/made", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  // MARK: Feeds

  /// A feed of so many stops, of which the first is named.
  static func feed(stops: Int = 6, name: String = "First") throws -> [UInt8] {
    var zip = ZipWriter()
    func add(_ file: String, _ lines: [String]) throws {
      try zip.add("\(file).txt", Array((lines.joined(separator: "\n") + "\n").utf8))
    }
    try add("agency", ["agency_id,agency_name,agency_url,agency_timezone", "A,A,http://example.org,Europe/Helsinki"])
    try add("routes", ["route_id,agency_id,route_short_name,route_type", "R,A,7,3"])
    try add("calendar_dates", ["service_id,date,exception_type", "S,20220222,1"])
    try add("trips", ["route_id,service_id,trip_id", "R,S,T"])
    try add(
      "stops",
      ["stop_id,stop_name,stop_lat,stop_lon"]
        + (0..<stops).map { "S\($0),\($0 == 0 ? name : "Stop \($0)"),60.\(170 + $0),24.94" }
    )
    try add(
      "stop_times",
      ["trip_id,arrival_time,departure_time,stop_id,stop_sequence"]
        + (0..<stops).map { "T,8:\(10 + $0):00,8:\(10 + $0):00,S\($0),\($0 + 1)" }
    )
    return try zip.finish()
  }

  /// What a host answers, which the test changes.
  private final class Script: Sendable {
    struct Answer: Sendable {
      var bytes: [UInt8] = []
      var status = HTTPResponse.Status.ok
      var etag = ""
      var headers: HTTPFields = [:]
    }

    private let held = Mutex(Answer())
    func set(_ answer: Answer) { held.withLock { $0 = answer } }

    func answer(_ seen: TestHost.SeenRequests.Seen) -> Response {
      let answer = held.withLock { $0 }
      if !answer.etag.isEmpty, seen.headers[.ifNoneMatch] == answer.etag { return Response(status: .notModified) }
      var headers = answer.headers
      if !answer.etag.isEmpty { headers[.eTag] = answer.etag }
      return Response(
        status: answer.status,
        headers: headers,
        body: .init(byteBuffer: ByteBuffer(bytes: answer.bytes))
      )
    }
  }

  private func keeper(
    _ port: Int,
    largest: Int = ScheduleFeed.largest,
    longest: Double = 120,
    interval: Double = 3600
  ) -> ScheduleFeed {
    ScheduleFeed(
      of: "test",
      source: ScheduleSource(url: "http://127.0.0.1:\(port)/gtfs.zip?key=geheim", interval: interval),
      file: file,
      transport: HTTPTransport(),
      timer: SystemTimer(),
      largest: largest,
      longest: longest,
      importing: { feed, file throws(ScheduleFeed.Refusal) in
        do { _ = try ScheduleImporter().importFeed(feed, into: file) } catch { throw .feed("\(error)") }
      }
    )
  }

  private var nameOfFirstStop: String? {
    guard let schedule = try? Schedule(path: file) else { return nil }
    return schedule.stop(id: "S0").map { schedule.stops[$0].name }
  }

  /// What lies beside the schedule.
  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/made")) ?? []).sorted()
  }

  // MARK: Tests

  @Test func `a feed is taken, asked for by its tag, and taken again when it is another`() async throws {
    let script = Script()
    let (first, second) = (try Self.feed(), try Self.feed(name: "Erste"))
    script.set(.init(bytes: first, etag: "\"one\""))
    try await TestHost.with({ script.answer($0) }) { [self] host in
      let keeper = keeper(host.port)
      #expect(!keeper.hasSchedule && keeper.pause == 0)
      #expect(await keeper.check().outcome == .taken)
      #expect(nameOfFirstStop == "First")
      #expect(keeper.pause == 3600)
      #expect(await keeper.check().outcome == .unchanged)
      script.set(.init(bytes: second, etag: "\"two\""))
      #expect(await keeper.check().outcome == .taken)
      #expect(nameOfFirstStop == "Erste")
      #expect(keeper.status.checks == [.taken: 2, .unchanged: 1])
      #expect(abs(keeper.status.checked - TransitClock.real) < 60 && abs(keeper.status.taken - TransitClock.real) < 60)
      // A restart has nothing to fetch: it knows when it asked last, and for what.
      let next = self.keeper(host.port)
      #expect(next.pause > 3500 && next.pause <= 3600)
      #expect(next.status.checked == keeper.status.checked && next.status.outcome == nil)
      #expect(await next.check().outcome == .unchanged)
      #expect(host.seen.all.map { $0.headers[.ifNoneMatch] } == [nil, "\"one\"", "\"one\"", "\"two\""])
      #expect(files == ["test.schedule", "test.schedule.previous", "test.schedule.source"])
      // The key of the address is nowhere.
      let note = String(decoding: try #require(FileManager.default.contents(atPath: file + ".source")), as: UTF8.self)
      #expect(!note.contains("geheim"))
      // Another address is another feed; and without its schedule, what was noted is worth nothing.
      let other = ScheduleFeed(
        of: "test",
        source: ScheduleSource(url: "http://127.0.0.1:\(host.port)/other.zip"),
        file: file,
        transport: HTTPTransport(),
        importing: { _, _ throws(ScheduleFeed.Refusal) in }
      )
      #expect(other.pause == 0)
      try FileManager.default.removeItem(atPath: file)
      #expect(await self.keeper(host.port).check().outcome == .taken)
      #expect(host.seen.all.last?.headers[.ifNoneMatch] == nil)
    }
  }

  @Test func `Last-Modified is asked for where there is no tag`() async throws {
    let bytes = try Self.feed()
    let date = "Tue, 22 Feb 2022 06:00:00 GMT"
    try await TestHost.with({ seen in
      if seen.headers[.ifModifiedSince] == date { return Response(status: .notModified) }
      return Response(status: .ok, headers: [.lastModified: date], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }) { [self] host in
      let keeper = keeper(host.port)
      #expect(await keeper.check().outcome == .taken)
      #expect(await keeper.check().outcome == .unchanged)
    }
  }

  @Test func `what is no feed is refused with a sentence, fetched once, and leaves the schedule in use`() async throws {
    let script = Script()
    let good = try Self.feed()
    var damaged = good
    for place in 200..<260 { damaged[place] ^= 0x55 }
    var foreign = ZipWriter()
    try foreign.add("readme.txt", Array("nothing".utf8))
    let cases: [(String, [UInt8], String)] = [
      ("cut", Array(good.prefix(good.count / 2)), "zip"),
      ("damaged", damaged, "damaged"),
      ("page", Array("<!DOCTYPE html><html><body>Maintenance</body></html>".utf8), "web page"),
      ("json", Array(#"{"error": "no key"}"#.utf8), "no zip archive"),
      ("empty", [], "empty"),
      ("foreign", try foreign.finish(), "agency.txt"),
      ("loss", try Self.feed(stops: 2), "4 of 6 stops"),
    ]
    script.set(.init(bytes: good, etag: "\"good\""))
    try await TestHost.with({ script.answer($0) }) { [self] host in
      let keeper = keeper(host.port)
      #expect(await keeper.check().outcome == .taken)
      let before = FileManager.default.contents(atPath: file)
      for (name, bytes, words) in cases {
        script.set(.init(bytes: bytes, etag: "\"\(name)\""))
        for turn in 1...2 {
          let report = await keeper.check()
          #expect(report.outcome == .refused, "\(name)")
          #expect(report.reason.contains(words), "\(name): \(report.reason)")
          #expect(!report.reason.contains(folder), "\(name): \(report.reason)")
          #expect(keeper.status.failuresInARow == turn)
          // Seldom, but not never: whoever mends the feed is noticed.
          #expect(keeper.pause == 300 * Double(turn))
        }
        #expect(host.seen.all.last?.headers[.ifNoneMatch] == "\"\(name)\"")
        #expect(FileManager.default.contents(atPath: file) == before, "\(name)")
        script.set(.init(bytes: good, etag: "\"good again after \(name)\""))
        #expect(await keeper.check().outcome == .taken)
        #expect(keeper.status.failuresInARow == 0 && keeper.pause == 3600)
        try before.map { try $0.write(to: URL(fileURLWithPath: file)) }
      }
      #expect(files == ["test.schedule", "test.schedule.previous", "test.schedule.source"])
    }
  }

  @Test(arguments: [
    (HTTPResponse.Status.notFound, "404"), (.unauthorized, "401"), (.internalServerError, "500"),
    (.found, "another address"),
  ]) func `statuses that mean failure are named, and asked less and less often`(
    status: HTTPResponse.Status,
    words: String
  ) async throws {
    let script = Script()
    script.set(.init(bytes: try Self.feed()))
    try await TestHost.with({ script.answer($0) }) { [self] host in
      let keeper = keeper(host.port)
      #expect(await keeper.check().outcome == .taken)
      script.set(.init(status: status, headers: [.location: "http://127.0.0.1:\(host.port)/elsewhere"]))
      var pauses: [Double] = []
      for _ in 0..<6 {
        let report = await keeper.check()
        #expect(report.outcome == .unreachable)
        #expect(report.reason.contains(words), "\(report.reason)")
        pauses.append(report.pause)
      }
      #expect(pauses == [300, 600, 1200, 2400, 3600, 3600])
      #expect(host.seen.all.count == 7, "a redirect was followed")
      #expect(nameOfFirstStop == "First")
      #expect(keeper.status.outcome == .unreachable)
    }
  }

  @Test(arguments: [
    (FaultHost.Fault.hang, "in time"), (.slow, "in time"), (.reset, "broke off"), (.garbage, "HTTP"),
    (.huge, "larger than 2000000 bytes"), (.tooShort, "broke off"), (.half, "zip"), (.page, "web page"),
    (.failing, "500"),
  ]) func `connections that go wrong leave the schedule in use, and nothing beside it`(
    fault: FaultHost.Fault,
    words: String
  ) async throws {
    let good = try Self.feed()
    let host = try await FaultHost(good: { good })
    let keeper = keeper(host.port, largest: 2_000_000, longest: 2)
    #expect(await keeper.check().outcome == .taken)
    let before = FileManager.default.contents(atPath: file)
    host.set(fault)
    let begin = ContinuousClock.now
    let report = await keeper.check()
    #expect(report.outcome == .unreachable || report.outcome == .refused)
    // Which of two it is that a body ends too early is a matter of moments.
    #expect(report.reason.contains(words) || fault == .garbage || fault == .tooShort, "\(report.reason)")
    #expect(ContinuousClock.now - begin < .seconds(8))
    #expect(FileManager.default.contents(atPath: file) == before)
    #expect(files == ["test.schedule", "test.schedule.source"])
    host.set(.good)
    #expect(await keeper.check().outcome == .taken)
    try await host.stop()
  }

  @Test func `an announced size beyond the limit is refused before it comes`() async throws {
    let script = Script()
    script.set(.init(bytes: [UInt8](repeating: 0x50, count: 3_000_000)))
    try await TestHost.with({ script.answer($0) }) { [self] host in
      let report = await keeper(host.port, largest: 2_000_000).check()
      #expect(report.outcome == .unreachable && report.reason.contains("2000000"), "\(report.reason)")
    }
  }

  @Test func `a reader that cannot be started is no fault of the feed`() async throws {
    let bytes = try Self.feed()
    try await TestHost.with({ _ in
      Response(status: .ok, headers: [.eTag: "\"a\""], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }) { [self] host in
      let keeper = ScheduleFeed(
        of: "test",
        source: ScheduleSource(url: "http://127.0.0.1:\(host.port)/"),
        file: file,
        transport: HTTPTransport(),
        importing: { _, _ throws(ScheduleFeed.Refusal) in throw .later("no process can be started.") }
      )
      #expect(await keeper.check().outcome == .unreachable)
      // It is not noted as refused: the next check fetches it again.
      #expect(await keeper.check().outcome == .unreachable)
      #expect(host.seen.all.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }
  }

  // MARK: The server

  private func configuration(_ text: String) throws -> String {
    let path = folder + "/transit.json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a server takes a timetable from an address, read apart, and says how it is`() async throws {
    let script = Script()
    script.set(.init(bytes: try Self.feed(), etag: "\"one\""))
    try await TestHost.with({ script.answer($0) }) { [self] host in
      let path = try configuration(
        """
        {"clock": {"at": "2022-02-22T08:00:00+02:00"}, "providers": [{"id": "test", "name": "Test",
         "feed": {"url": "http://127.0.0.1:\(host.port)/gtfs.zip", "interval": 60, "headers": {"x-key": "$KEY"}},
         "realtime": [{"simulated": true, "interval": 5}]}]}
        """
      )
      let workers = TestReaders.shared
      let read = workers.metrics.snapshot.kinds["feed"]?.answered ?? 0
      let configuration = try await TransitConfiguration.read(
        path,
        schedules: folder + "/made",
        environment: ["KEY": "geheim"],
        workers: workers
      )
      #expect(host.seen.all.first?.headers[HTTPField.Name("x-key")!] == "geheim")
      #expect((workers.metrics.snapshot.kinds["feed"]?.answered ?? 0) > read)
      let transit = TransitService(providers: configuration.providers, clock: configuration.clock, perSecond: 0)
      let fixture = try await ServerFixture { $0.transit = transit }
      func provider() async throws -> [String: Any] {
        let answer = try JSONAnswer(try await fixture.request("/api/v1/transit/providers"))
        #expect(try SchemaCheck().faults(answer.value, "Providers") == [])
        return try #require(answer.objects("providers").first)
      }
      let timetable = try #require(try await provider()["timetable"] as? [String: Any])
      #expect(timetable["result"] as? String == "taken")
      #expect(timetable["checked"] as? String != nil && timetable["taken"] as? String != nil)
      // It is kept up to date while the server runs; what was fetched is served within seconds, with what is made up on it.
      let keeping = Task { await transit.hub.run() }
      defer { keeping.cancel() }
      script.set(.init(bytes: [0x50, 0x4B, 0, 0], etag: "\"bad\""))
      let gtfs = try #require(configuration.providers.first?.provider as? GTFSProvider)
      #expect(await gtfs.checkTimetable()?.outcome == .refused)
      #expect((try await provider()["timetable"] as? [String: Any])?["result"] as? String == "refused")
      script.set(.init(bytes: try Self.feed(name: "Neu"), etag: "\"two\""))
      #expect(await gtfs.checkTimetable()?.outcome == .taken)
      #expect(gtfs.schedule.stop(0, language: nil).name == "Neu")
      let metrics = TransitMetrics.text(transit)
      #expect(metrics.contains("sightline_transit_timetable_checks_total{provider=\"test\",result=\"taken\"} 2"))
      #expect(metrics.contains("sightline_transit_timetable_checks_total{provider=\"test\",result=\"refused\"} 1"))
      #expect(metrics.contains("sightline_transit_timetable_failures{provider=\"test\"} 0"))
      #expect(metrics.contains("sightline_transit_timetable_age_seconds{provider=\"test\"}"))
      try await eventually(gtfs)
      // Not before: until the first messages are there, what is shown is the timetable alone.
      let state = try await provider()["state"] as? String
      #expect(state == "ok")
      let realtime = try #require(try await provider()["realtime"] as? [String: Any])
      #expect(realtime["matched"] as? Int == 1)
    }
  }

  private func eventually(_ provider: GTFSProvider) async throws {
    while provider.status(at: 0).realtime?.updated == 0 { try await Task.sleep(for: .milliseconds(20)) }
  }

  @Test func `without a timetable from before, a feed that cannot be had ends the start with a sentence`() async throws
  {
    let path = try configuration(
      #"{"providers": [{"id": "test", "feed": "http://127.0.0.1:1/gtfs.zip"}]}"#
    )
    do {
      _ = try await TransitConfiguration.read(path, schedules: folder + "/made", environment: [:])
      Issue.record("it started")
    } catch {
      #expect("\(error)".contains("Provider test") && "\(error)".contains("takes no connections"), "\(error)")
    }
    // With one, it starts whatever the address says.
    try Data(try Self.feed()).write(to: URL(fileURLWithPath: folder + "/feed.zip"))
    _ = try ScheduleImporter().importFeed(folder + "/feed.zip", into: file)
    let configuration = try await TransitConfiguration.read(path, schedules: folder + "/made", environment: [:])
    #expect(configuration.providers.count == 1)
  }
}
