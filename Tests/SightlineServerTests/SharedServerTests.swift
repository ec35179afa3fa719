import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SightlineContent
import SightlineStore
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineServer

/// Two servers over one PostgreSQL database, each with its own memory and its own boards.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] != "1"))
struct SharedServerTests {
  /// The servers, and what keeps each of them up to date.
  private final class Pair: Sendable {
    let one: ServerFixture
    let other: ServerFixture
    private let name: String
    private let databases: [PostgresDatabase]
    private let feeds: [Task<Void, Never>]

    init(clock: FixtureClock = FixtureClock()) async throws {
      let postgres = try TestPostgres.shared()
      name = try postgres.makeDatabase()
      var databases: [PostgresDatabase] = []
      var fixtures: [ServerFixture] = []
      for _ in 0..<2 {
        var settings = PostgresSettings()
        settings.patience = 120
        settings.connectTimeout = 120
        let database = try await PostgresDatabase.open(
          PostgresLocation(postgres.localAddress(name)),
          settings: settings
        )
        databases.append(database)
        fixtures.append(try await ServerFixture(clock: clock, stores: database.stores) { $0.passwordCost = 4 })
      }
      self.databases = databases
      (one, other) = (fixtures[0], fixtures[1])
      feeds = fixtures.map { fixture in Task { await fixture.server.changes.follow() } }
    }

    /// Until both hear of everything.
    func begin() async throws {
      try await waitUntil("both hear of changes") {
        one.server.changes.isListening && other.server.changes.isListening
      }
    }

    /// Somebody who was signed in by one server, at the other.
    func atOther(_ signedIn: SignedIn) -> SignedIn {
      SignedIn(other, signedIn.account, cookie: signedIn.cookie, csrf: signedIn.csrf)
    }

    func end() async {
      for feed in feeds { feed.cancel() }
      for feed in feeds { await feed.value }
      for database in databases { try? database.close() }
      _ = try? TestPostgres.shared().run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", in: "postgres")
    }
  }

  /// What a board was sent.
  private final class Watcher: Sendable {
    private let state = Mutex<(events: [String], hasEnded: Bool)>(([], false))

    init(_ fixture: ServerFixture, _ run: String) throws {
      let stream = try #require(fixture.server.boards.hub.subscribe(to: run))
      Task { [self] in
        for await event in stream where event != EventHub.ping {
          state.withLock { $0.events.append(String(buffer: event)) }
        }
        state.withLock { $0.hasEnded = true }
      }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func count(_ name: String, _ text: String = "") -> Int {
      state.withLock { $0.events.count { $0.hasPrefix("event: \(name)\n") && (text.isEmpty || $0.contains(text)) } }
    }
  }

  private func with(clock: FixtureClock = FixtureClock(), _ body: (Pair) async throws -> Void) async throws {
    let pair = try await Pair(clock: clock)
    do {
      try await pair.begin()
      try await body(pair)
    } catch {
      await pair.end()
      throw error
    }
    await pair.end()
  }

  /// A run of two teams at the first server.
  private func makeRun(_ teacher: SignedIn) async throws -> (run: String, codes: [String]) {
    let made = try JSONAnswer(try await teacher.request("/api/v1/tours", .post, TourTests.tour))
    let tour = try #require(made["id"] as? String)
    let answer = try JSONAnswer(
      try await teacher.request(
        "/api/v1/tours/\(tour)/runs",
        .post,
        ##"{"teams":[{"name":"Otter","color":"#d33f49"},{"name":"Heron","color":"#2b6cb0"}]}"##
      )
    )
    let run = try #require((answer["run"] as? [String: Any])?["id"] as? String)
    return (run, answer.objects("teams").compactMap { $0["code"] as? String })
  }

  private func join(_ fixture: ServerFixture, _ code: String) async throws -> HTTPFields {
    let response = try await fixture.request(
      "/api/v1/tour-team/join",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"code":"\#(code)"}"#
    )
    let secret = try #require(try JSONAnswer(response)["secret"] as? String)
    return [.contentType: "application/json", .authorization: "Bearer \(secret)"]
  }

  @Test func `boards show what teams and teachers do at the other server, once`() async throws {
    try await with { pair in
      let teacher = try await pair.one.signedIn("teacher")
      let (run, codes) = try await makeRun(teacher)
      // Both know the run by now.
      #expect(try await pair.atOther(teacher).request("/api/v1/tour-runs/\(run)").status == .ok)
      let (here, there) = (try Watcher(pair.one, run), try Watcher(pair.other, run))
      func isSeen(_ name: String, _ text: String = "", times: Int = 1) async throws {
        try await waitUntil("\(name) \(text)") { there.count(name, text) >= times && here.count(name, text) >= times }
      }
      func command(_ path: String, _ body: String) async throws {
        let answer = try await teacher.request("/api/v1/tour-runs/\(run)/\(path)", .post, body)
        #expect(answer.status.kind == .successful, "\(String(buffer: answer.body))")
      }
      try await command("command", #"{"command":"start"}"#)
      try await isSeen("run", #""phase":"running""#)
      try await isSeen("log", "started")

      // A phone whose requests go to one server, and to the other, as a balancer sends them.
      let phone = try await join(pair.other, codes[0])
      try await isSeen("log", "joined")
      let answer = """
        {"events":[{"id":"event-01","sequence":1,"station":"mill","kind":"text","text":"perhaps",
        "position":{"latitude":52.001,"longitude":4,"accuracy":5}}]}
        """
      for fixture in [pair.one, pair.other, pair.one] {
        let sent = try await fixture.request("/api/v1/tour-team/events", .post, headers: phone, body: answer)
        #expect(sent.status == .ok, "\(String(buffer: sent.body))")
      }
      try await isSeen("answer", "perhaps")
      try await isSeen("team")
      let board = try JSONAnswer(try await pair.atOther(teacher).request("/api/v1/tour-runs/\(run)"))
      let number = try #require(board.objects("answers").first?["number"] as? Int)
      try await command("marks", #"{"event":\#(number),"points":4}"#)
      try await isSeen("answer", #""points":4"#)
      try await command("messages", #"{"text":"Come back"}"#)
      try await isSeen("log", "Come back")

      for (fixture, latitude) in [(pair.one, 52.0005), (pair.other, 52.0006)] {
        let body = #"{"position":{"latitude":\#(latitude),"longitude":4,"accuracy":5}}"#
        let state = try await fixture.request("/api/v1/tour-team/state", .post, headers: phone, body: body)
        #expect(state.status == .ok, "\(String(buffer: state.body))")
        try await isSeen("position", "\(latitude)")
      }
      // A board that is opened later knows them too, whichever server it is at.
      for fixture in [pair.one, pair.other] {
        let at = SignedIn(fixture, teacher.account, cookie: teacher.cookie, csrf: teacher.csrf)
        let text = String(buffer: try await at.request("/api/v1/tour-runs/\(run)").body)
        #expect(text.contains("52.0006"), "\(text)")
      }
      // The border is crossed at one server and again told at none.
      for fixture in [pair.one, pair.other, pair.one] {
        let body = #"{"position":{"latitude":52.5,"longitude":4,"accuracy":5}}"#
        _ = try await fixture.request("/api/v1/tour-team/state", .post, headers: phone, body: body)
        try await waitUntil("it is outside, for both") {
          [pair.one, pair.other].allSatisfy { $0.server.tours.live[run, 1]?.hasLeft == true }
        }
      }
      try await isSeen("log", #""left""#)
      for (watcher, place) in [(here, "here"), (there, "there")] {
        for (name, text, times) in [
          ("log", "joined", 1), ("log", "started", 1), ("log", "Come back", 1), ("log", #""left""#, 1),
          ("answer", #""points":4"#, 1), ("answer", "", 2),
        ] {
          #expect(watcher.count(name, text) == times, "\(name) \(text) \(place)")
        }
      }
    }
  }

  @Test func `what is taken away at one server is gone at the other`() async throws {
    try await with { pair in
      let teacher = try await pair.one.signedIn("teacher")
      let elsewhere = pair.atOther(teacher)
      let (run, codes) = try await makeRun(teacher)
      _ = try await teacher.request("/api/v1/tour-runs/\(run)/command", .post, #"{"command":"start"}"#)
      let phone = try await join(pair.one, codes[0])
      let path = "/api/v1/tour-team"
      #expect(try await pair.other.request(path, headers: phone).status == .ok)
      let board = try Watcher(pair.other, run)
      // A new code: the phone has lost its right, also where it was known.
      let change = ##"{"name":"Owl","color":"#112233","newCode":true}"##
      #expect(try await teacher.request("/api/v1/tour-runs/\(run)/teams/1", .put, change).status == .ok)
      try await waitUntil("the phone is refused") {
        try await pair.other.request(path, headers: phone).status == .unauthorized
      }
      try await waitUntil("boards begin anew") { board.hasEnded }
      let text = String(buffer: try await elsewhere.request("/api/v1/tour-runs/\(run)").body)
      #expect(text.contains("Owl") && !text.contains("Otter"))

      let second = try Watcher(pair.other, run)
      #expect(try await elsewhere.request("/api/v1/tour-runs/\(run)", .delete).status == .noContent)
      try await waitUntil("the board has ended") { second.hasEnded }
      try await waitUntil("nobody knows the run") {
        try await teacher.request("/api/v1/tour-runs/\(run)").status == .notFound
      }
      // A session that ends at one has ended at the other.
      #expect(try await elsewhere.request("/api/v1/session", .delete).status == .noContent)
      #expect(try await teacher.request("/api/v1/tours").status == .unauthorized)
    }
  }

  @Test func `failures of signing in are counted together`() async throws {
    // Time stands still: the wait is short at first.
    let now = Date.now
    try await with(clock: FixtureClock(now: { now })) { pair in
      _ = try await pair.one.account("olga")
      for number in 0..<SignInLimiter.free.pair {
        let fixture = number.isMultiple(of: 2) ? pair.one : pair.other
        #expect(try await fixture.signIn("olga", password: "wrong password").status == .unauthorized)
      }
      for fixture in [pair.one, pair.other] {
        try expectProblem(try await fixture.signIn("olga"), 429, "account.too-many")
      }
    }
  }

  @Test func `a new world is found at the other server`() async throws {
    try await with { pair in
      let found = { pair.other.server.catalog.snapshot.byID["ulm"]?.version }
      let place = Place(title: "Minster", position: Position(latitude: 48.4, longitude: 10), visual: .text("Minster"))
      for version in 1...2 {
        var dimension = Dimension()
        dimension.name = "version \(version)"
        dimension.places = [place]
        let draft = WorldDraft(id: "ulm", dimension: dimension, format: "gddf", source: "u.gddf")
        _ = try await pair.one.stores.worlds.save(draft)
        let start = ContinuousClock.now
        try await waitUntil("it is there") { found() == version }
        // Two seconds on a machine at rest; this one may be busy.
        #expect(ContinuousClock.now - start < .seconds(20))
      }
      let nearby = try await pair.other.request("/api/v1/nearby?latitude=48.4&longitude=10&radius=1000")
      #expect(String(buffer: nearby.body).contains("Minster"), "\(String(buffer: nearby.body))")
    }
  }

  @Test func `a server that was away too long begins anew`() async throws {
    try await with { pair in
      let teacher = try await pair.one.signedIn("teacher")
      let (run, _) = try await makeRun(teacher)
      let changes = pair.one.stores.changes
      var reader = ChangeFeed.Reader()
      let feed = pair.other.server.changes
      try await feed.read(&reader)
      let first = try #require(reader.position)
      // While it does not read, more happens than is kept; the other reader, which goes on all the time, has it all.
      let watcher = try Watcher(pair.other, run)
      for number in 0..<5 {
        _ = try await pair.one.stores.tourRuns.addLog(.message, run: run, team: nil, text: "News \(number)", at: .now)
      }
      try await waitUntil("the other reader has it") { watcher.count("log", "News 4") > 0 }
      _ = try await changes.removeChanges(before: .now.addingTimeInterval(3600))
      let board = try Watcher(pair.other, run)
      try await feed.read(&reader)
      try await waitUntil("boards begin anew") { board.hasEnded }
      let second = try #require(reader.position)
      #expect(second.number > first.number)
      // From there on it goes on as ever.
      let third = try Watcher(pair.other, run)
      _ = try await pair.one.stores.tourRuns.addLog(.message, run: run, team: nil, text: "later", at: .now)
      try await feed.read(&reader)
      try await waitUntil("it is shown") { third.count("log", "later") > 0 }
      #expect(!third.hasEnded)
    }
  }

  @Test func `one of two servers does what is due`() async throws {
    try await with { pair in
      let done = Atomic(0)
      let works = [pair.one, pair.other].map { LeasedWork(leases: $0.stores.leases, name: "work", interval: 3600) }
      for _ in 0..<3 {
        for work in works {
          _ = try await work.runIfDue {
            done.add(1, ordering: .relaxed)
            return true
          }
        }
      }
      #expect(done.load(ordering: .relaxed) == 1)
      // What failed is tried again soon, by whoever comes first.
      let failing = [pair.one, pair.other].map {
        LeasedWork(leases: $0.stores.leases, name: "other work", interval: 3600, retryPause: 0)
      }
      #expect(try await !failing[0].runIfDue { false })
      #expect(try await failing[1].runIfDue { true })
      #expect(try await !failing[0].runIfDue { true })
    }
  }
}
