import Foundation
import SightlineContent
import SightlineTestSupport
import SightlineTours
import Synchronization
import Testing

@testable import SightlineStore

/// What processes that serve one database tell each other through it.
@Suite struct SharingStoreTests {
  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  private func tour() -> Tour {
    var tour = Tour(title: "T")
    var station = Station(id: "s", kind: .open, title: "S", position: Position(latitude: 52, longitude: 4))
    station.accepted = ["right"]
    tour.stations = [station]
    return tour
  }

  private func run(_ stores: Stores) async throws -> StoredRun {
    let stored = try await stores.tours.addTour(tour(), owner: nil, at: noon)
    let drafts = (0..<2).map { TeamDraft(name: "T\($0)", color: "#112233") }
    return try #require(try await stores.tourRuns.addRun(of: stored.id, teams: drafts, isTrial: false, at: noon))
  }

  /// What stands in the outbox after a place, as `kind key item`.
  private func told(_ stores: Stores, after position: ChangePosition) async throws -> [String] {
    let found = try await stores.changes.changes(after: position)
    #expect(!found.hasGap && found.isWhole)
    #expect(found.changes.map(\.number) == found.changes.map(\.number).sorted())
    return found.changes.map { change in
      "\(change.kind.rawValue)\(change.key.isEmpty ? "" : " run")\(change.item.map { " \($0)" } ?? "")"
    }
  }

  // MARK: The outbox

  @Test(arguments: Backend.all)
  func `every change that others have to know stands in the outbox, in its transaction`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let start = try await stores.changes.latestChange()
    #expect(start.number == 0)
    let run = try await run(stores)
    #expect(try await told(stores, after: start).isEmpty, "a run that nobody knows of")

    _ = try await stores.tourRuns.command(.start, run: run.id, at: noon)
    #expect(try await told(stores, after: start) == ["run run", "log run 1"])

    func after(_ work: () async throws -> Void) async throws -> [String] {
      let position = try await stores.changes.latestChange()
      try await work()
      return try await told(stores, after: position)
    }
    let team = try #require(try await stores.tourTeams.teams(of: run.id).first)
    let token = Data(repeating: 1, count: 32)
    #expect(
      try await after { _ = try await stores.tourTeams.addDevice(of: team, token: token, limit: 5, at: noon) }
        == ["log run 2"]
    )
    let device = TourDevice(token: token, team: team)
    let event = TourEvent(id: "event-01", sequence: 1, station: "s", kind: .text("wrong"), made: noon, fix: nil)
    let submission = TourSubmission(device: device, events: [event], received: noon)
    #expect(try await after { _ = try await stores.tourTeams.submit(submission) } == ["answer run 1"])
    #expect(try await after { _ = try await stores.tourTeams.submit(submission) } == [], "the same again is no change")
    #expect(
      try await after { _ = try await stores.tourRuns.addLog(.message, run: run.id, team: nil, text: "x", at: noon) }
        == ["log run 3"]
    )
    #expect(
      try await after {
        _ = try await stores.tourTeams.changeTeam(
          1,
          run: run.id,
          TeamDraft(name: "N", color: "#000000"),
          newCode: true
        )
      } == ["teams run"]
    )
    #expect(
      try await after {
        _ = try await stores.tourTeams.addTeam(TeamDraft(name: "N", color: "#000000"), run: run.id, at: noon)
      } == ["teams run"]
    )
    #expect(
      try await after { _ = try await stores.worlds.save(WorldStoreConformance.draft("ulm", [])) } == ["worlds"]
    )
    #expect(try await after { _ = try await stores.worlds.remove("ulm") } == ["worlds"])
    // Also where it goes with something else.
    let tour = run.tourID
    #expect(try await after { _ = try await stores.tours.removeTour(tour) } == ["removedRun run"])
  }

  @Test(arguments: Backend.all) func `a change that is taken back tells nothing`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.database.write { db in
        try SQLChangeStore.add(.run, "x", db)
        throw Stop()
      }
    }
    #expect(try await store.stores.changes.latestChange().number == 0)
  }

  @Test(arguments: Backend.all)
  func `who was away too long, or reads another history, is told so`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let changes = store.stores.changes
    let start = try await changes.latestChange()
    for number in 0..<2500 where number % 500 == 0 {
      _ = try await store.database.write { db in
        for item in 0..<500 { try SQLChangeStore.add(.log, "run", item: Int64(number + item), db) }
      }
    }
    // In pages, none twice and none left out.
    var position = start
    var items: [Int64] = []
    while true {
      let page = try await changes.changes(after: position)
      #expect(!page.hasGap && page.changes.count <= SQLChangeStore.largestPage)
      items += page.changes.compactMap(\.item)
      position.number = page.through
      if page.isWhole { break }
    }
    #expect(items == Array(0..<2500))
    // A kind that only a newer program knows is passed over.
    try await store.execute("UPDATE change SET kind = 'newest' WHERE item = 2499")
    let last = try await changes.changes(after: ChangePosition(number: position.number - 2, history: position.history))
    #expect(last.changes.map(\.item) == [2498] && last.through == position.number)

    // The latest stays, however old, so that those who have read it know that nothing is missing.
    let removed = try await changes.removeChanges(before: .now.addingTimeInterval(3600))
    #expect(removed == 2499)
    #expect(try await changes.latestChange() == position)
    let idle = try await changes.changes(after: position)
    #expect(!idle.hasGap && idle.isWhole && idle.changes.isEmpty)
    #expect(try await changes.changes(after: start).hasGap)
    // A standby that took over without the latest changes.
    let ahead = ChangePosition(number: position.number + 1, history: position.history)
    #expect(try await changes.changes(after: ahead).hasGap)
    #expect(try await changes.changes(after: ChangePosition(number: position.number, history: "another")).hasGap)
    #expect(try await changes.removeChanges(before: noon.addingTimeInterval(-1e9)) == 0)
  }

  @Test(arguments: Backend.all) func `processes tell their own changes from others'`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let second = try await store.another()
    let (one, other) = (store.stores, second.stores)
    #expect(one.changes.origin != other.changes.origin && one.changes.isShared == (backend == .postgres))
    let start = try await one.changes.latestChange()
    _ = try await one.worlds.save(WorldStoreConformance.draft("ulm", []))
    _ = try await other.worlds.save(WorldStoreConformance.draft("neu-ulm", []))
    let found = try await one.changes.changes(after: start)
    #expect(found.changes.map(\.origin) == [one.changes.origin, other.changes.origin])
    try second.close()
  }

  // MARK: Positions

  @Test(arguments: Backend.all)
  func `positions are handed on, the latest of each team, and go with their run`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let run = try await run(stores)
    func position(_ team: Int, _ seconds: Double, _ latitude: Double) -> SharedPosition {
      SharedPosition(
        run: run.id,
        team: team,
        time: noon.addingTimeInterval(seconds),
        latitude: latitude,
        longitude: -4,
        accuracy: team == 1 ? nil : 7.5,
        isVirtual: team == 1,
        hasLeft: team == 2
      )
    }
    var gone = position(1, 0, 1)
    gone.run = "no-such-run"
    var broken = position(1, 5, .nan)
    broken.accuracy = .infinity
    // What cannot be kept takes nothing with it.
    try await stores.changes.save([gone, broken, position(99, 0, 1), position(1, 10, 52), position(2, 10, 53)])
    /// What is known after a change, and with which numbers it was told.
    func known(after number: Int64) async throws -> (positions: [SharedPosition], changes: [Int64], latest: Int64) {
      let found = try await stores.changes.positions(after: number)
      let positions = found.positions.map { position in
        var position = position
        position.change = 0
        return position
      }
      return (positions.sorted { $0.team < $1.team }, found.positions.map(\.change), found.latest)
    }
    let first = try await known(after: 0)
    #expect(first.positions == [position(1, 10, 52), position(2, 10, 53)])
    #expect(first.changes == [first.latest, first.latest] && first.latest > 0)
    // An earlier one that comes later changes nothing.
    try await stores.changes.save([position(1, 9, 50)])
    #expect(try await known(after: first.latest).positions.isEmpty)
    try await stores.changes.save([position(1, 11, 54)])
    let second = try await known(after: first.latest)
    #expect(second.positions == [position(1, 11, 54)] && second.latest > first.latest)
    #expect(second.changes == [second.latest])
    #expect(try await known(after: second.latest).positions.isEmpty)
    try await stores.changes.removePositions(before: noon.addingTimeInterval(11))
    #expect(try await known(after: 0).positions == [position(1, 11, 54)])
    // What is much earlier comes after a clock was set back.
    try await stores.changes.save([position(1, -3600, 55)])
    #expect(try await known(after: second.latest).positions == [position(1, -3600, 55)])
    _ = try await stores.tourRuns.removeRun(run.id)
    #expect(try await store.number("SELECT count(*) FROM tour_position") == 0)
  }

  // MARK: Leases

  @Test(arguments: Backend.all) func `leases have the database's clock, where that is another`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let time = try await store.stores.leases.time()
    if backend == .sqlite {
      #expect(time == nil)
    } else {
      // Here both are this machine's.
      #expect(abs(try #require(time).timeIntervalSinceNow) < 60)
    }
  }

  @Test(arguments: Backend.all)
  func `one of several has a lease, and another after its end`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let second = try await store.another()
    let (one, other) = (store.stores.leases, second.stores.leases)
    #expect(try await one.claim("work", for: 600))
    #expect(try await !other.claim("work", for: 600))
    #expect(try await !one.claim("work", for: 600), "nor twice by the same")
    #expect(try await other.claim("other work", for: 600))
    #expect(try await !other.renew("work", for: 600))
    // Giving back what one has not does nothing.
    try await other.finish("work", dueAfter: 0)
    #expect(try await one.renew("work", for: 0.05))
    try await waitUntil("it runs out") { try await other.claim("work", for: 600) }
    #expect(try await !one.renew("work", for: 600), "whoever comes back too late has lost it")
    try await one.finish("work", dueAfter: 0)
    #expect(try await !one.claim("work", for: 600))
    // Done: not due again until its time.
    try await other.finish("work", dueAfter: 3600)
    #expect(try await !one.claim("work", for: 600))
    try await store.execute("UPDATE lease SET due_milliseconds = due_milliseconds - 3600000")
    #expect(try await one.claim("work", for: 60))
    for odd in [Double.nan, -1, 1e300, .infinity] {
      try await one.finish("work", dueAfter: -1)
      #expect(try await one.claim("work", for: odd))
    }
    try second.close()
  }

  @Test(arguments: Backend.all) func `of many who ask at once one gets the lease`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let processes = try await [store.database, store.another(), store.another()] as [any SQLDatabase]
    let claimed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<24 {
        let leases = processes[number % 3].stores.leases
        group.addTask { try await leases.claim("work", for: 60) }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(claimed == 1)
    for process in processes.dropFirst() { try process.close() }
  }

  // MARK: Failures of signing in

  @Test(arguments: Backend.all)
  func `failures are counted over all processes, each once`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let second = try await store.another()
    let keys = [Data(repeating: 1, count: 32), Data(repeating: 2, count: 32)]
    let noon = noon
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        let failures = (number % 2 == 0 ? store.database : second).stores.signInFailures
        group.addTask {
          try await failures.update(keys) { known in
            for key in keys {
              let count = known.counts[key]?.failures ?? 0
              known.counts[key] = .init(failures: count + 1, last: noon, blockedUntil: noon)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let failures = store.stores.signInFailures
    #expect(try await failures.failures(of: keys).counts.values.map(\.failures) == [20, 20])
    try await failures.update(keys) { known in
      known.counts[keys[0]] = nil
      known.networks[keys[1]] = noon
    }
    var known = SignInFailures()
    known.counts[keys[1]] = .init(failures: 20, last: noon, blockedUntil: noon)
    known.networks[keys[1]] = noon
    #expect(try await second.stores.signInFailures.failures(of: keys) == known)
    try await failures.forget(failuresBefore: noon, networksBefore: noon)
    #expect(try await failures.failures(of: keys) == known, "what is at that time stays")
    try await failures.forget(failuresBefore: noon + 1, networksBefore: noon + 1)
    #expect(try await failures.failures(of: keys) == SignInFailures())
    try second.close()
  }

  // MARK: Notifications

  @Test(.enabled(if: Backend.all.contains(.postgres)))
  func `a listener hears of others' changes, and again after its line broke off`() async throws {
    let store = try await TestStore(.postgres)
    let second = try await store.another()
    let heard = Atomic(0)
    let listener = try #require(store.stores.changes.listen { heard.add(1, ordering: .relaxed) })
    func count() -> Int { heard.load(ordering: .relaxed) }
    try await waitUntil("the line works") { listener.isLive && count() > 0 }
    var before = count()
    _ = try await second.stores.worlds.save(WorldStoreConformance.draft("ulm", []))
    try await waitUntil("it hears") { count() > before }
    // A reader tells nothing.
    try await Task.sleep(for: .milliseconds(50))
    before = count()
    _ = try await second.stores.worlds.worlds()
    try await Task.sleep(for: .milliseconds(300))
    #expect(count() == before)

    try await store.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'NOTIFY sightline_probe%' AND datname = current_database()"
    )
    try await waitUntil("the line is made anew, and says that something may have been missed") {
      listener.reconnections > 0 && listener.isLive && count() > before
    }
    before = count()
    _ = try await second.stores.worlds.save(WorldStoreConformance.draft("neu-ulm", []))
    try await waitUntil("it hears again") { count() > before }
    listener.stop()
    try await waitUntil("its connection ends") { try store.connections() <= 3 }
    try second.close()
    #expect(try await TestStore(.sqlite).stores.changes.listen {} == nil)
  }
}
