import Foundation
import Hummingbird
import Logging
import NIOCore
import SightlineStore
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineServer
@testable import SightlineTransit

/// Timetables and subscriptions of servers over one PostgreSQL database, each with files of its own.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] != "1"),
  .timeLimit(.minutes(10))
)
struct SharedTransitTests {
  /// One database, and what its servers have of it.
  private final class Place: Sendable {
    let name: String
    let folder = NSTemporaryDirectory() + "sightline-shared-\(UUID().uuidString)"
    private let opened = Mutex<[PostgresDatabase]>([])

    init() throws {
      name = try TestPostgres.shared().makeDatabase()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Another process' view of it.
    func open() async throws -> PostgresDatabase {
      var settings = PostgresSettings()
      settings.patience = 120
      settings.connectTimeout = 120
      let database = try await PostgresDatabase.open(
        PostgresLocation(try TestPostgres.shared().localAddress(name)),
        settings: settings
      )
      opened.withLock { $0.append(database) }
      return database
    }

    func end() {
      for database in opened.withLock({ $0 }) { try? database.close() }
      try? FileManager.default.removeItem(atPath: folder)
      _ = try? TestPostgres.shared().run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", in: "postgres")
    }
  }

  /// A server's timetable of the provider `test`, and what keeps it up to date.
  private struct Member {
    let timetable: SharedTimetable
    let feed: ScheduleFeed
    let stores: Stores

    init(_ place: Place, _ number: Int, port: Int, interval: Double = 0) async throws {
      stores = try await place.open().stores
      let file = "\(place.folder)/\(number)/test.schedule"
      timetable = SharedTimetable(of: "test", file: file, stores: stores)
      feed = ScheduleFeed(
        of: "test",
        source: ScheduleSource(url: "http://127.0.0.1:\(port)/gtfs.zip", interval: interval),
        file: file,
        transport: HTTPTransport(),
        importing: { feed, file throws(ScheduleFeed.Refusal) in
          do { _ = try ScheduleImporter().importFeed(feed, into: file) } catch { throw .feed("\(error)") }
        },
        sharing: timetable
      )
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true
      )
    }

    /// Name of the first stop of this server's file.
    var name: String? { SharedTransitTests.name(timetable.file) }
  }

  private static func name(_ file: String) -> String? {
    guard let schedule = try? Schedule(path: file) else { return nil }
    return schedule.stop(id: "S0").map { schedule.stops[$0].name }
  }

  /// A host with one feed, which the test changes.
  private final class Feed: Sendable {
    private let held = Mutex<(bytes: [UInt8], etag: String)>(([], ""))

    init() throws { try set("First") }

    func set(_ name: String, stops: Int = 6) throws {
      let bytes = try ScheduleFeedTests.feed(stops: stops, name: name)
      held.withLock { $0 = (bytes, "\"\(name)\"") }
    }

    func answer(_ seen: TestHost.SeenRequests.Seen) -> Response {
      let (bytes, etag) = held.withLock { $0 }
      if seen.headers[.ifNoneMatch] == etag { return Response(status: .notModified) }
      return Response(status: .ok, headers: [.eTag: etag], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
  }

  private func with(_ body: @Sendable (Place, Feed, TestHost) async throws -> Void) async throws {
    let (place, feed) = (try Place(), try Feed())
    defer { place.end() }
    try await TestHost.with({ feed.answer($0) }) { host in try await body(place, feed, host) }
  }

  @Test func `a feed is fetched once for all that start at one moment, and later by one of them`() async throws {
    try await with { place, feed, host in
      let members = [
        try await Member(place, 0, port: host.port), try await Member(place, 1, port: host.port),
        try await Member(place, 2, port: host.port),
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for member in members { group.addTask { try await member.timetable.begin(with: member.feed) } }
        try await group.waitForAll()
      }
      #expect(host.seen.all.count == 1, "one server fetches")
      #expect(members.map(\.name) == ["First", "First", "First"])

      // Any of them asks next, with what the first one knows; the others do not ask while it is not due.
      let long = try await Member(place, 3, port: host.port, interval: 3600)
      try await long.timetable.begin(with: long.feed)
      #expect(await long.timetable.takeTurn(long.feed)?.outcome == .unchanged)
      #expect(host.seen.all.count == 2 && host.seen.all[1].headers[.ifNoneMatch] == "\"First\"")
      for member in members { #expect(await member.timetable.takeTurn(member.feed) == nil) }
      #expect(host.seen.all.count == 2)
    }
  }

  @Test func `what one server imports is in use on all within seconds, also on one that was cut off`() async throws {
    try await with { place, feed, host in
      let one = try await Member(place, 0, port: host.port)
      let other = try await Member(place, 1, port: host.port)
      for member in [one, other] { try await member.timetable.begin(with: member.feed) }
      let provider = try GTFSProvider(
        info: ProviderInfo(id: "test", name: "T", kinds: ["gtfs"], attribution: "", isRemote: false),
        path: other.timetable.file,
        realtime: [],
        transport: HTTPTransport(),
        clock: TransitClock(),
        timer: SystemTimer()
      )
      other.timetable.onNew { provider.reload() }
      let timetable = other.timetable
      let fixture = try await ServerFixture(stores: other.stores) {
        $0.passwordCost = 4
        $0.transit = TransitService(providers: [(provider, DeskLimits())], timetables: [timetable])
      }
      func named(_ name: String) -> Bool {
        provider.schedule.number(of: "S0").map { provider.schedule.stop($0, language: nil).name == name } ?? false
      }
      func follow() -> [Task<Void, Never>] {
        [
          Task { await fixture.server.changes.follow() },
          Task { await timetable.follow() },
        ]
      }
      var following = follow()
      try await waitUntil("the server hears of changes") { fixture.server.changes.isListening }
      try feed.set("Zweite")
      #expect(await one.timetable.takeTurn(one.feed)?.outcome == .taken)
      let published = ContinuousClock.now
      try await waitUntil("the other server has it") { named("Zweite") }
      #expect(ContinuousClock.now - published < .seconds(10))

      // A feed that lost its stops is taken by nobody.
      try feed.set("Tredje", stops: 1)
      #expect(await one.timetable.takeTurn(one.feed)?.outcome == .refused)
      #expect(one.name == "Zweite" && named("Zweite"))

      for task in following { task.cancel() }
      for task in following { await task.value }
      try feed.set("Fjerde")
      #expect(await one.timetable.takeTurn(one.feed)?.outcome == .taken)
      #expect(named("Zweite"), "it is cut off")
      // Not the same stream of wishes: a server that comes back is a new process.
      let back = try await Member(place, 1, port: host.port)
      let asked = host.seen.all.count
      try await back.timetable.begin(with: back.feed)
      #expect(back.name == "Fjerde" && host.seen.all.count == asked)
      following = []
    }
  }

  @Test func `what is damaged in the database is not taken, and the last good one stays`() async throws {
    try await with { place, feed, host in
      let one = try await Member(place, 0, port: host.port)
      let other = try await Member(place, 1, port: host.port)
      for member in [one, other] { try await member.timetable.begin(with: member.feed) }
      try feed.set("Zweite")
      #expect(await one.timetable.takeTurn(one.feed)?.outcome == .taken)
      let damage = "UPDATE timetable_part SET bytes = set_byte(bytes, 5000, 255 - get_byte(bytes, 5000))"
      _ = try TestPostgres.shared().run(damage, in: place.name)
      try await other.timetable.begin(with: other.feed)
      #expect(other.name == "First")
      // One that has nothing makes it anew, for all.
      let fresh = try await Member(place, 2, port: host.port)
      try await fresh.timetable.begin(with: fresh.feed)
      #expect(fresh.name == "Zweite")

      // And one import back.
      try feed.set("Tredje")
      #expect(await fresh.timetable.takeTurn(fresh.feed)?.outcome == .taken)
      #expect(try await one.timetable.takeBack())
      let last = try await Member(place, 3, port: host.port)
      try await last.timetable.begin(with: last.feed)
      #expect(last.name == "Zweite")
    }
  }

  @Test func `a feed in a file of one machine is every server's, the youngest one counts`() async throws {
    let place = try Place()
    defer { place.end() }
    func write(_ name: String, _ file: String, at time: Double) throws -> String {
      let path = "\(place.folder)/\(file)"
      try Data(try ScheduleFeedTests.feed(name: name)).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
      return path
    }
    func start(_ number: Int, _ feed: String) async throws -> String? {
      let config = "\(place.folder)/\(number).json"
      try #"{"providers": [{"id": "test", "feed": "\#(feed)"}]}"#.write(
        toFile: config,
        atomically: true,
        encoding: .utf8
      )
      let made = "\(place.folder)/made-\(number)"
      let stores = try await place.open().stores
      let configuration = try await TransitConfiguration.read(config, schedules: made, environment: [:], stores: stores)
      #expect(configuration.shared.count == 1)
      return Self.name("\(made)/test.schedule")
    }
    await #expect(throws: TransitConfiguration.Failure.self) { _ = try await start(0, "/nowhere.zip") }
    #expect(try await start(1, try write("First", "a.zip", at: 1_700_000_000)) == "First")
    // It is on the first machine only.
    #expect(try await start(2, "/nowhere.zip") == "First")
    let younger = try write("Zweite", "b.zip", at: 1_700_000_100)
    #expect(try await start(3, younger) == "Zweite")
    #expect(try await start(1, "\(place.folder)/a.zip") == "Zweite")
    // By a command, whatever its age.
    let stores = try await place.open().stores
    let timetable = SharedTimetable(of: "test", file: "\(place.folder)/command.schedule", stores: stores)
    let forced = try write("Tredje", "c.zip", at: 1_600_000_000)
    try await timetable.importFeed(forced) { _ = try ScheduleImporter().importFeed(forced, into: timetable.file) }
    #expect(try await start(2, "/nowhere.zip") == "Tredje")
  }

  @Test func `a subscription that one server was asked for is opened by the other`() async throws {
    let place = try Place()
    defer { place.end() }
    func streams() async throws -> TransitStreams {
      TransitStreams(shared: SharedSubscriptions(store: try await place.open().stores.subscriptions))
    }
    let (one, other) = (try await streams(), try await streams())
    let wanted = TransitStreams.Subscription(stops: ["t:1"], limit: 5, window: 60, language: "sv", client: "c")
    let name = try await one.addShared(wanted)
    let found = try await other.findShared(name)
    #expect(found.stops == ["t:1"] && found.limit == 5 && found.language == "sv")
    #expect(other.open(name) != nil && one.open(name) != nil)
    await #expect(throws: TransitStreamError.self) { _ = try await other.findShared("00") }
    await #expect(throws: TransitStreamError.self) { _ = try await TransitStreams().findShared(name) }
  }

  @Test func `realtime messages are fetched once for all, and by each alone without the database`() async throws {
    let place = try Place()
    defer { place.end() }
    let message = Mutex("one")
    let tag = Mutex("\"1\"")
    try await TestHost.with({ seen in
      let (text, etag) = (message.withLock { $0 }, tag.withLock { $0 })
      if seen.headers[.ifNoneMatch] == etag { return Response(status: .notModified) }
      if text.isEmpty { return Response(status: .serviceUnavailable) }
      return .text(text, .ok, [.eTag: etag])
    }) { host in
      let url = "http://127.0.0.1:\(host.port)/rt.pb?key=geheim"
      var (databases, transports): ([PostgresDatabase], [SharedTransport]) = ([], [])
      for _ in 0..<2 {
        let database = try await place.open()
        databases.append(database)
        transports.append(
          SharedTransport(HTTPTransport(), of: "test", intervals: [url: 60], stores: database.stores)
        )
      }
      // As if most of the interval had gone by: a loaded machine keeps no time of its own.
      func wait() throws {
        let sql = """
          UPDATE realtime_message SET checked_milliseconds = checked_milliseconds - 58000;
          UPDATE lease SET due_milliseconds = 0
          """
        _ = try TestPostgres.shared().run(sql, in: place.name)
      }
      let request = ProviderRequest(url: url, accept: "*/*")
      let first = try await transports[0].fetch(request)
      let second = try await transports[1].fetch(request)
      #expect(String(decoding: second.body, as: UTF8.self) == "one" && second.etag == first.etag)
      #expect(host.seen.all.count == 1)
      var held = request
      held.etag = first.etag
      // Whoever is first when it is due asks with the provider's own tag.
      try wait()
      #expect(try await transports[1].fetch(held).isUnchanged)
      #expect(try await transports[0].fetch(held).isUnchanged)
      #expect(host.seen.all.count == 2 && host.seen.all[1].headers[.ifNoneMatch] == "\"1\"")
      message.withLock { $0 = "two" }
      tag.withLock { $0 = "\"2\"" }
      try wait()
      for transport in transports {
        #expect(String(decoding: try await transport.fetch(held).body, as: UTF8.self) == "two")
      }
      #expect(host.seen.all.count == 3)
      let count = try TestPostgres.shared().run("SELECT count(*) FROM realtime_message", in: place.name)
      #expect(count.contains("1"))
      try databases[1].close()
      #expect(String(decoding: try await transports[1].fetch(held).body, as: UTF8.self) == "two")
      #expect(host.seen.all.count == 4 && host.seen.all[3].headers[.ifNoneMatch] == nil)
    }
  }

  @Test(arguments: [true, false])
  func `a server that ends in the midst of a fetch keeps no message from the others`(isKilled: Bool) async throws {
    let place = try Place()
    defer { place.end() }
    let asked = Atomic(0)
    let isOver = Atomic(false)
    try await TestHost.with({ _ in
      // The first one gets no answer.
      if asked.add(1, ordering: .relaxed).newValue == 1 {
        while !isOver.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(20)) }
      }
      return .text("message")
    }) { host in
      defer { isOver.store(true, ordering: .relaxed) }
      let url = "http://127.0.0.1:\(host.port)/rt.pb"
      let request = ProviderRequest(url: url, accept: "*/*")
      let (first, second) = (try await place.open(), try await place.open())
      let transports = [first, second].map {
        SharedTransport(HTTPTransport(), of: "test", intervals: [url: 15], stores: $0.stores)
      }
      let fetch = Task { try await transports[0].fetch(request) }
      try await waitUntil("the first one fetches") { host.seen.all.count == 1 }
      if isKilled {
        // It says nothing any more, and ten seconds go by.
        try first.close()
        let sql = "UPDATE lease SET until_milliseconds = until_milliseconds - 10000"
        _ = try TestPostgres.shared().run(sql, in: place.name)
      } else {
        fetch.cancel()
        await #expect(throws: ProviderFailure.self) { try await fetch.value }
      }
      #expect(String(decoding: try await transports[1].fetch(request).body, as: UTF8.self) == "message")
      #expect(host.seen.all.count == 2)
      fetch.cancel()
      _ = await fetch.result
    }
  }
}
