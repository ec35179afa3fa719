import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import SightlineContent
import SightlineStore
import SightlineTours
import Synchronization
import Testing

@testable import SightlineServer

/// What phones may cost, and what they get to know when.
///
/// Time is the test's.
struct TourLimitTests {
  /// A clock that goes when it is told to.
  private final class Clock: Sendable {
    private let time = Mutex(Date())
    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0.addTimeInterval(seconds) } }
  }

  private static func tour(rounding: Double = 0) -> Tour {
    var tour = Tour(title: "T")
    tour.rounds = 2
    tour.rounding = rounding
    for (number, round) in [(0, 1), (1, 2)] {
      var station = Station(
        id: "s\(number)",
        kind: .choice,
        title: "Title of round \(round)",
        position: Position(latitude: 52 + Double(number) / 1000, longitude: 4)
      )
      station.text = "Question of round \(round)"
      station.options = ["Option \(round)", "b"]
      station.correct = [1]
      station.tries = 0
      station.round = round
      station.hints = [.init(text: "Words of hint \(round)", cost: 1), .init(text: "More words \(round)", cost: 2)]
      tour.stations.append(station)
    }
    tour.border = [(51.99, 3.99), (51.99, 4.01), (52.01, 4.01), (52.01, 3.99)].map {
      Position(latitude: $0.0, longitude: $0.1)
    }
    return tour
  }

  private struct Class {
    var fixture: ServerFixture
    var run: StoredRun
    var team: TourTeam
    var phone: HTTPFields
    var secret: String

    func ask(_ path: String, _ body: String = "{}") async throws -> TestResponse {
      try await fixture.request("/api/v1/tour-team" + path, .post, headers: phone, body: body)
    }

    func content() async throws -> String {
      String(buffer: try await fixture.request("/api/v1/tour-team", headers: phone).body)
    }

    func events(_ events: String) async throws -> TestResponse { try await ask("/events", #"{"events":[\#(events)]}"#) }
  }

  private func made(_ clock: Clock, _ tour: Tour = TourLimitTests.tour(), start: Bool = true) async throws -> Class {
    let fixture = try await ServerFixture(clock: FixtureClock(now: { clock.now }))
    let stored = try await fixture.stores.tours.addTour(tour, owner: nil, at: clock.now)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let added = try await fixture.stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: clock.now)
    let run = try #require(added)
    if start { _ = try await fixture.stores.tourRuns.command(.start, run: run.id, at: clock.now) }
    let first = try #require(try await fixture.stores.tourTeams.teams(of: run.id).first)
    let (_, secret) = try await fixture.server.tours.join(code: first.code)
    let phone: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(secret)"]
    return Class(fixture: fixture, run: run, team: first, phone: phone, secret: secret)
  }

  private func command(_ found: Class, _ command: TourCommand, _ clock: Clock) async throws {
    _ = try await found.fixture.stores.tourRuns.command(command, run: found.run.id, at: clock.now)
    try await found.fixture.server.tours.changed(found.run.id)
  }

  private func hint(_ number: Int, _ sequence: Int) -> String {
    #"{"id":"hint-000\#(number)","sequence":\#(sequence),"station":"s0","kind":"hint","hint":\#(number),"position":{"latitude":52,"longitude":4}}"#
  }

  // MARK: What phones get to know (L11)

  @Test func `questions come with their round, and the words of hints when they are taken`() async throws {
    let clock = Clock()
    let found = try await made(clock, start: false)
    var text = try await found.content()
    for words in ["round 1", "round 2", "Option", "hint 1", "hint 2"] {
      #expect(!text.contains(words), "\(words) before the start")
    }
    #expect(text.contains(#""stationCount":2"#))
    try await command(found, .start, clock)
    text = try await found.content()
    #expect(text.contains("Question of round 1") && text.contains("Option 1") && !text.contains("round 2"))
    #expect(!text.contains("Words of hint") && text.contains(#""hints":[{"cost":1},{"cost":2}]"#))
    let answer = String(buffer: try await found.events(hint(0, 1)).body)
    #expect(answer.contains(#""hintTexts":{"0":"Words of hint 1"}"#) && !answer.contains("More words"))
    #expect(String(buffer: try await found.ask("/state").body).contains("Words of hint 1"))
    let before = try JSONAnswer(try await found.ask("/state"))["revision"] as? Int
    try await command(found, .round(2), clock)
    let after = try JSONAnswer(try await found.ask("/state"))["revision"] as? Int
    #expect(before != after, "by which phones know to ask again")
    text = try await found.content()
    #expect(text.contains("Question of round 2") && text.contains("Question of round 1"))
    #expect(!text.contains("Words of hint 2") && text.contains("Words of hint 1"))
  }

  // MARK: What phones may cost (M5)

  @Test func `one phone cannot ask without end, and one that waits can again`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    var answers: [Int] = []
    for _ in 0..<200 { answers.append(try await found.ask("/state").status.code) }
    #expect(answers.filter { $0 == 200 }.count == 120 && answers.last == 429)
    let refused = try await found.ask("/state")
    try expectProblem(refused, 429, "tour.rate")
    #expect(refused.headers[.retryAfter] == "1")
    for path in ["/events", "/help"] {
      #expect(try await found.ask(path, path == "/events" ? #"{"events":[]}"# : "{}").status.code == 429)
    }
    let old = try await found.fixture.request("/tours/play/\(found.secret).gddf", .post, body: "lat=52&lon=4")
    #expect(old.status.code == 429)
    clock.pass(10)
    #expect(try await found.ask("/state").status == .ok)
    // Another phone of the same team is not held up by it.
    let (_, other) = try await found.fixture.server.tours.join(code: found.team.code)
    let phone: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(other)"]
    #expect(try await found.fixture.request("/api/v1/tour-team/state", .post, headers: phone, body: "{}").status == .ok)
  }

  @Test func `events have a rate of their own that an afternoon without a network does not reach`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    func batch(_ first: Int) -> String {
      (first..<first + 20).map {
        #"{"id":"answer-\#(10_000 + $0)","sequence":\#($0),"station":"s0","kind":"choice","choices":[0],"position":{"latitude":52,"longitude":4}}"#
      }.joined(separator: ",")
    }
    var taken = 0
    while try await found.events(batch(taken + 1)).status == .ok { taken += 20 }
    #expect(taken == 600)
    try expectProblem(try await found.events(batch(taken + 1)), 429, "tour.rate")
    clock.pass(60)
    #expect(try await found.events(batch(taken + 1)).status == .ok)
  }

  @Test func `a team that has sent everything there can be is told so`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    let device = try await found.fixture.server.tours.device(secret: found.secret)
    for first in stride(from: 1, through: TourEvent.mostOfTeam, by: 500) {
      let events = (first..<first + 500).map { number in
        TourEvent(
          id: "event-\(10_000 + number)",
          sequence: number,
          station: "s0",
          kind: .choice([0]),
          made: clock.now,
          fix: TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
        )
      }
      _ = try await found.fixture.stores.tourTeams.submit(
        TourSubmission(device: device, events: events, received: clock.now)
      )
    }
    let more =
      #"{"id":"one-more-1","sequence":9000,"station":"s0","kind":"choice","choices":[1],"position":{"latitude":52,"longitude":4}}"#
    try expectProblem(try await found.events(more), 409, "tour.events-full")
    #expect(try await found.ask("/state").status == .ok)
  }

  @Test func `calls for help and crossings of the border fill no log`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    var taken = 0
    for _ in 0..<50 {
      let answer = try await found.ask("/help")
      if answer.status == .noContent { taken += 1 } else { try expectProblem(answer, 429, "tour.help-rate") }
    }
    #expect(taken == 5)
    clock.pass(31)
    #expect(try await found.ask("/help").status == .noContent)
    for number in 0..<400 {
      clock.pass(1)
      let latitude = number.isMultiple(of: 2) ? 53.0 : 52.0
      _ = try await found.ask("/state", #"{"position":{"latitude":\#(latitude),"longitude":4,"accuracy":1}}"#)
    }
    let log = try await found.fixture.stores.tourRuns.log(of: found.run.id, after: 0)
    #expect(log.count { $0.kind == .help } == 6)
    let crossings = log.filter { $0.kind == .left || $0.kind == .returned }
    #expect((20...36).contains(crossings.count), "\(crossings.count)")
    // Each line says the other of the one before.
    for (one, next) in zip(crossings, crossings.dropFirst()) { #expect(one.kind != next.kind) }
    // And what is so in the end is told in the end.
    clock.pass(60)
    for latitude in [53.0, 53] {
      _ = try await found.ask("/state", #"{"position":{"latitude":\#(latitude),"longitude":4,"accuracy":1}}"#)
    }
    #expect(try await found.fixture.stores.tourRuns.log(of: found.run.id, after: 0).last?.kind == .left)
  }

  @Test func `whoever starts over asks the store for everything anew`() async throws {
    let clock = Clock()
    let store = StandInStore(try await made(clock).fixture.stores)
    let tours = TourService(store: store.tours, runs: store, teams: store, clock: { clock.now })
    tours.startOver()
    #expect(store.forgotten.load(ordering: .relaxed) == 1)
  }

  @Test func `calls for the teacher count over all servers`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    let calls = try #require(found.fixture.server.limits["call"])
    calls.share()
    #expect(try await found.ask("/help").status == .noContent)
    let told = calls.takeUntold()
    #expect(Array(told.values) == [1])
    // The team has called four times at another server.
    calls.charge(told.mapValues { _ in 4 })
    try expectProblem(try await found.ask("/help"), 429, "tour.help-rate")
    clock.pass(31)
    #expect(try await found.ask("/help").status == .noContent)
  }

  @Test func `token buckets are evicted when they are full again`() {
    let budget = TourBudget(burst: 2, perSecond: 1, mostKeys: 100)
    let start = Date(timeIntervalSince1970: 0)
    for number in 0..<1000 {
      #expect(budget.take(of: "\(number)", at: start.addingTimeInterval(Double(number))) == nil)
    }
    #expect(budget.count <= 100)
    #expect(budget.take(2, of: "a", at: start) == nil)
    #expect(budget.take(2, of: "a", at: start) == 2)
    #expect(
      budget.take(2, of: "a", at: start.addingTimeInterval(-1000)) == 2,
      "a clock that was set back gives nothing"
    )
  }

  // MARK: Positions (N1)

  @Test func `an author's tour cannot ask for a rounding that makes no numbers`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let teacher = try await fixture.signedIn("teacher")
    for rounding in ["1e-320", "1e-12", "0.009", "1001", "-1"] {
      let text = TourTests.tour.replacing(#"{"title":"Old town","#, with: #"{"title":"T","rounding":\#(rounding),"#)
      try expectProblem(try await teacher.request("/api/v1/tours", .post, text), 422, "tour.content")
    }
  }

  @Test func `a class whose tour rounds to nothing takes no other's positions with it`() async throws {
    let clock = Clock()
    let bad = try await made(clock, Self.tour(rounding: Double(bitPattern: 2024)))
    let stores = bad.fixture.stores
    let stored = try await stores.tours.addTour(Self.tour(), owner: nil, at: clock.now)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let good = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: clock.now))
    _ = try await stores.tourRuns.command(.start, run: good.id, at: clock.now)
    let first = try #require(try await stores.tourTeams.teams(of: good.id).first)
    let (_, secret) = try await bad.fixture.server.tours.join(code: first.code)
    let here = #"{"position":{"latitude":52,"longitude":4}}"#
    _ = try await bad.ask("/state", here)
    let phone: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(secret)"]
    _ = try await bad.fixture.request("/api/v1/tour-team/state", .post, headers: phone, body: here)
    try await bad.fixture.server.tours.keepPositions()
    #expect(try await stores.tourRuns.track(of: good.id).count == 1)
    #expect(try await stores.tourRuns.track(of: bad.run.id).count == 1)
  }

  @Test func `positions that could not be written are written later, in order`() async throws {
    let clock = Clock()
    let store = StandInStore(try await made(clock).fixture.stores)
    let tours = TourService(store: store.tours, runs: store, teams: store, clock: { clock.now })
    func note(_ latitude: Double) {
      let fix = TourFix(position: Position(latitude: latitude, longitude: 4), accuracy: 5)
      clock.pass(20)
      _ = tours.live.note(fix, hasLeft: false, team: 1, run: "r", at: clock.now)
    }
    note(1)
    note(2)
    _ = tours.live.note(
      TourFix(position: Position(latitude: .nan, longitude: 4), accuracy: 5),
      hasLeft: false,
      team: 2,
      run: "r",
      at: clock.now
    )
    store.fails.withLock { $0 = true }
    await #expect(throws: StandInStore.Failed.self) { try await tours.keepPositions() }
    note(3)
    let leases = try await ServerFixture().stores.leases
    await TourKeeper(tours: tours, leases: leases, log: Logger(label: "test")).keepPositions()
    store.fails.withLock { $0 = false }
    try await tours.keepPositions()
    #expect(store.written.withLock { $0 }.map(\.fix.position.latitude) == [1, 2, 3])
    #expect(tours.live.takeUnkept().isEmpty)
  }

  // MARK: Clocks that are wrong

  @Test func `a point is kept after the clock was set back`() {
    let live = TourPositions()
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    for seconds in [3600.0, 0, 5, 16, 20] {
      let fix = TourFix(position: Position(latitude: seconds / 100, longitude: 4), accuracy: 5)
      _ = live.note(fix, hasLeft: false, team: 1, run: "r", at: start + seconds)
    }
    #expect(live.takeUnkept().map { $0.time.timeIntervalSince(start) } == [3600, 0, 16])
  }

  @Test func `what other servers tell is later by its number, whatever their clocks say`() throws {
    let live = TourPositions()
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    func told(_ latitude: Double, _ seconds: Double, _ change: Int64) -> SharedPosition {
      var position = SharedPosition(
        run: "r",
        team: 1,
        time: now + seconds,
        latitude: latitude,
        longitude: 4,
        accuracy: 5,
        isVirtual: false,
        hasLeft: false
      )
      position.change = change
      return position
    }
    func note(_ latitude: Double, _ seconds: Double) {
      let fix = TourFix(position: Position(latitude: latitude, longitude: 4), accuracy: 5)
      _ = live.note(fix, hasLeft: false, team: 1, run: "r", at: now + seconds)
    }
    func latitude() -> Double? { live["r", 1]?.fix.position.latitude }
    // A server whose clock was an hour ahead, and was set right.
    #expect(live.take(told(1, 3600, 5)) != nil)
    #expect(live.take(told(2, 0, 6)) != nil && latitude() == 2)
    #expect(live.take(told(1, 3600, 5)) == nil && latitude() == 2)
    // What was told here comes back, and is no news.
    note(3, 1)
    #expect(live.takeUntold().map(\.latitude) == [3])
    live.noteTold()
    #expect(live.take(told(3, 1, 7)) == nil && latitude() == 3)
    #expect(live.take(told(4, -3600, 8)) != nil && latitude() == 4)
    // What others do not know yet is told after what they tell …
    note(5, 2)
    #expect(live.take(told(4, 1, 9)) == nil && latitude() == 5)
    let telling = live.takeUntold()
    #expect(telling.count == 1)
    #expect(live.take(told(4, 1, 9)) == nil, "also while it is told")
    live.putBack(untold: telling)
    // … unless it has waited too long for that.
    #expect(live.take(told(6, 30, 10)) != nil && latitude() == 6)
    #expect(live.takeUntold().isEmpty)
    // A database that has lost changes counts anew.
    #expect(live.take(told(7, 40, 1)) == nil)
    live.forgetNumbers()
    #expect(live.take(told(7, 40, 1)) != nil && latitude() == 7)
  }

  @Test func `a server whose clock is far from the database's deletes no runs`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    let lines = LogLines()
    let log = Logger(label: "test") { label in JSONLogHandler(label: label) { lines.append(String(buffer: $0)) } }
    let leases = StandInClock(clock.now)
    let keeper = TourKeeper(tours: found.fixture.server.tours, leases: leases, log: log)
    func isThere() async throws -> Bool { try await found.fixture.stores.tourRuns.run(found.run.id) != nil }
    // A year: longer than any run is kept.
    let year = 366 * 86_400.0
    clock.pass(year)
    #expect(await !keeper.removeExpired())
    #expect(try await isThere())
    #expect(lines.all.contains { $0.contains("ahead of the database's") }, "\(lines.all)")
    leases.set(clock.now - 60)
    #expect(await keeper.removeExpired())
    #expect(try await !isThere())
    // The earlier of the two counts.
    let (own, earlier) = (clock.now, clock.now - 200)
    leases.set(earlier)
    #expect(try await RemovalClock(clock: { own }, leases: leases).now() == earlier)
    leases.set(own + 200)
    #expect(try await RemovalClock(clock: { own }, leases: leases).now() == own)
    leases.set(own + 301)
    await #expect(throws: RemovalClock.Disagreement.self) {
      _ = try await RemovalClock(clock: { own }, leases: leases).now()
    }
  }

  // MARK: Rights that were taken away (L9)

  @Test func `a read that an invalidation overtakes is not cached`() async throws {
    let clock = Clock()
    let found = try await made(clock)
    let store = StandInStore(found.fixture.stores)
    let tours = TourService(store: store.tours, runs: store, teams: store, clock: { clock.now })
    let (run, secret) = (found.run.id, found.secret)
    // The store has answered, the answer is on its way, and now the team gets a new code.
    store.afterReading.withLock { after in
      after = { [real = found.fixture.stores] in
        let draft = TeamDraft(name: "New", color: "#112233")
        _ = try await real.tourTeams.changeTeam(1, run: run, draft, newCode: true)
        tours.forget(run)
      }
    }
    _ = try await tours.device(secret: secret)
    await #expect(throws: TourError.self) { try await tours.device(secret: secret) }

    store.afterReading.withLock { after in
      after = { [real = found.fixture.stores] in
        _ = try await real.tourRuns.removeRun(run)
        tours.forget(run)
      }
    }
    #expect(try await tours.run(run) != nil)
    #expect(try await tours.run(run) == nil)
  }
}

/// Leases of a database whose clock the test sets.
private final class StandInClock: LeaseStore {
  private let held: Mutex<Date>

  init(_ time: Date) { held = Mutex(time) }

  func set(_ time: Date) { held.withLock { $0 = time } }

  func claim(_ name: String, for seconds: Double) async throws -> Bool { true }
  func renew(_ name: String, for seconds: Double) async throws -> Bool { true }
  func finish(_ name: String, dueAfter pause: Double) async throws {}
  func time() async throws -> Date? { held.withLock { $0 } }
}

/// A store that fails to write positions when it is told to, and lets something happen between an answer of the real
/// store and its arrival.
private final class StandInStore: TourRunStore, TourTeamStore {
  struct Failed: Error {}

  let tours: any TourStore
  let runs: any TourRunStore
  let teams: any TourTeamStore
  let fails = Mutex(false)
  let written = Mutex<[TourTrackPoint]>([])
  let afterReading = Mutex<(@Sendable () async throws -> Void)?>(nil)

  init(_ real: Stores) {
    tours = real.tours
    runs = real.tourRuns
    teams = real.tourTeams
  }

  private func happen() async throws {
    let happening = afterReading.withLock { after in
      defer { after = nil }
      return after
    }
    try await happening?()
  }

  func events(of run: String, numbers: ClosedRange<Int64>) async throws -> [StoredEvent] {
    try await runs.events(of: run, numbers: numbers)
  }

  func addTrack(_ points: [TourTrackPoint]) async throws {
    if fails.withLock({ $0 }) { throw Failed() }
    written.withLock { $0 += points }
  }

  func device(token: Data) async throws -> TourDevice? {
    let device = try await teams.device(token: token)
    try await happen()
    return device
  }

  func run(_ id: String) async throws -> StoredRun? {
    let run = try await runs.run(id)
    try await happen()
    return run
  }

  func addRun(of tour: String, teams: [TeamDraft], isTrial: Bool, at time: Date) async throws -> StoredRun? {
    try await runs.addRun(of: tour, teams: teams, isTrial: isTrial, at: time)
  }
  func runs(of tour: String) async throws -> [StoredRun] { try await runs.runs(of: tour) }
  func removeRun(_ id: String) async throws -> Bool { try await runs.removeRun(id) }
  func command(_ command: TourCommand, run: String, at time: Date) async throws -> (run: StoredRun, isDone: Bool)? {
    try await runs.command(command, run: run, at: time)
  }
  func teams(of run: String) async throws -> [TourTeam] { try await teams.teams(of: run) }
  func addTeam(_ draft: TeamDraft, run: String, at time: Date) async throws -> TourTeam? {
    try await teams.addTeam(draft, run: run, at: time)
  }
  func changeTeam(_ number: Int, run: String, _ draft: TeamDraft, newCode: Bool) async throws -> TourTeam? {
    try await teams.changeTeam(number, run: run, draft, newCode: newCode)
  }
  func team(code: String) async throws -> TourTeam? { try await teams.team(code: code) }
  func addDevice(of team: TourTeam, token: Data, limit: Int, at time: Date) async throws -> TourLogEntry? {
    try await teams.addDevice(of: team, token: token, limit: limit, at: time)
  }
  func submit(_ submission: TourSubmission) async throws -> TourOutcome { try await teams.submit(submission) }
  let forgotten = Atomic(0)
  func forgetAll() {
    forgotten.add(1, ordering: .relaxed)
    teams.forgetAll()
  }
  func records(run: String, team: Int) async throws -> [TourRecord] { try await teams.records(run: run, team: team) }
  func tallies(run: String, team: Int) async throws -> [String: StationTally] {
    try await teams.tallies(run: run, team: team)
  }
  func standing(
    of team: TourTeam,
    after number: Int64
  ) async throws -> (tallies: [String: StationTally], messages: [TourLogEntry]) {
    try await teams.standing(of: team, after: number)
  }
  func events(of run: String) async throws -> [StoredEvent] { try await runs.events(of: run) }
  func mark(event: Int64, run: String, points: Int, at time: Date) async throws -> StoredEvent? {
    try await runs.mark(event: event, run: run, points: points, at: time)
  }
  func addLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date
  ) async throws
    -> TourLogEntry?
  {
    try await runs.addLog(kind, run: run, team: team, text: text, at: time)
  }
  func log(of run: String, after number: Int64) async throws -> [TourLogEntry] {
    try await runs.log(of: run, after: number)
  }
  func track(of run: String) async throws -> [TourTrackPoint] { try await runs.track(of: run) }
  func removeExpiredRuns(at time: Date) async throws -> [String] { try await runs.removeExpiredRuns(at: time) }
}
