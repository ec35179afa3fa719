import Foundation
import GRDB
import SightlineContent
import SightlineTours
import Synchronization
import Testing

@testable import SightlineStore

/// What a team may cost.
@Suite struct TourStoreLimitTests {
  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  private func tour() -> Tour {
    var tour = Tour(title: "T")
    var station = Station(id: "s", kind: .open, title: "S", position: Position(latitude: 52, longitude: 4))
    station.tries = 0
    station.accepted = ["right"]
    tour.stations = [station]
    for number in 1...3 {
      var more = station
      more.id = "s\(number)"
      more.kind = .choice
      more.options = ["a", "b"]
      more.correct = [1]
      tour.stations.append(more)
    }
    return tour
  }

  private func started(_ stores: Stores, _ tour: Tour) async throws -> (StoredRun, TourDevice) {
    let stored = try await stores.tours.addTour(tour, owner: nil, at: noon)
    let drafts = [TeamDraft(name: "T", color: "#112233")]
    let made = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: drafts, isTrial: false, at: noon))
    let run = try #require(try await stores.tourRuns.command(.start, run: made.id, at: noon)).run
    let team = try #require(try await stores.tourTeams.teams(of: run.id).first)
    let token = Data(repeating: 1, count: 32)
    _ = try await stores.tourTeams.addDevice(of: team, token: token, limit: 20, at: noon)
    return (run, try #require(try await stores.tourTeams.device(token: token)))
  }

  private func event(_ number: Int, _ station: String = "s1", _ kind: TourEvent.Kind = .choice([0])) -> TourEvent {
    TourEvent(
      id: "event-\(100_000 + number)",
      sequence: number,
      station: station,
      kind: kind,
      made: noon,
      fix: TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
    )
  }

  private func submit(_ stores: Stores, _ device: TourDevice, _ events: [TourEvent]) async throws -> TourOutcome {
    try await stores.tourTeams.submit(TourSubmission(device: device, events: events, received: noon))
  }

  @Test(arguments: Backend.all) func `a team's events end at a number, what was sent before is still known`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let (run, device) = try await started(stores, tour())
    // Wrong answers to a question with any number of tries.
    for first in stride(from: 1, through: TourEvent.mostOfTeam - 50, by: 500) {
      let last = min(first + 499, TourEvent.mostOfTeam - 50)
      _ = try await submit(stores, device, (first...last).map { event($0) })
    }
    let over = try await submit(stores, device, (4951...5050).map { event($0) })
    #expect(over.isFull && over.events.count == 50 && over.events.allSatisfy { $0.isNew })
    let none = try await submit(stores, device, (5001...5050).map { event($0) })
    #expect(none.isFull && none.events.isEmpty)
    let again = try await submit(stores, device, [event(5000)])
    #expect(again.events.count == 1 && !again.events[0].isNew)
    #expect(try await stores.tourRuns.events(of: run.id).count == TourEvent.mostOfTeam)
    #expect(again.tallies["s1"]?.wrong == TourEvent.mostOfTeam)
  }

  @Test(arguments: Backend.all) func `refused events are answered, and kept only so many`(backend: Backend) async throws
  {
    let store = try await TestStore(backend)
    let stores = store.stores
    let (run, device) = try await started(stores, tour())
    for first in stride(from: 1, through: 2000, by: 100) {
      let outcome = try await submit(stores, device, (first..<first + 100).map { event($0, "none", .visit) })
      #expect(outcome.events.count == 100)
      #expect(outcome.events.allSatisfy { $0.event.record.refusal == .unknownStation })
      #expect(outcome.events.allSatisfy { $0.isNew == (first <= TourEvent.mostRefusedOfTeam) })
    }
    #expect(try await stores.tourRuns.events(of: run.id).count == TourEvent.mostRefusedOfTeam)
    // Honest answers go on.
    let right = try await submit(stores, device, [event(2001, "s1", .choice([1]))])
    #expect(right.events.first?.event.record.verdict == .right && !right.isFull)
  }

  @Test(arguments: Backend.all) func `a mark changes the sums`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let (run, device) = try await started(stores, tour())
    let said = try await submit(stores, device, [event(1, "s", .text("well"))])
    #expect(said.tallies["s"]?.isPending == true)
    let number = try #require(said.events.first?.event.number)
    _ = try await stores.tourRuns.mark(event: number, run: run.id, points: 4, at: noon)
    var tally = StationTally()
    (tally.points, tally.isRight) = (4, true)
    #expect(try await stores.tourTeams.tallies(run: run.id, team: 1) == ["s": tally])
    _ = try await stores.tourRuns.mark(event: number, run: run.id, points: 0, at: noon)
    (tally.points, tally.isRight, tally.wrong) = (0, false, 1)
    #expect(try await stores.tourTeams.tallies(run: run.id, team: 1) == ["s": tally])
  }

  @Test func `a request costs the same however much the team has done`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    let (_, device) = try await started(stores, tour())
    func cost(_ number: Int) async throws -> (asking: Int, sending: Int) {
      let asking = try await database.pool.read { db in
        try Steps.count(db) {
          _ = try TourTallyTable.tallies(run: device.team.run, team: 1, SQLiteConnection(database: db))
        }
      }
      let submission = TourSubmission(device: device, events: [event(number)], received: noon)
      let sending = try await database.pool.write { db in
        try Steps.count(db) {
          _ = try SQLTourTeamStore.write(submission, KnownRuns(), SQLiteConnection(database: db))
        }
      }
      return (asking, sending)
    }
    _ = try await submit(stores, device, [event(1), event(2, "s2"), event(3, "s3")])
    let early = try await cost(4)
    for first in stride(from: 5, through: 4800, by: 400) {
      _ = try await submit(stores, device, (first..<first + 400).map { event($0) })
    }
    let late = try await cost(4900)
    #expect(early.asking > 0 && early.sending > 0)
    #expect(late.asking <= early.asking + 20, "\(early) \(late)")
    #expect(late.sending <= early.sending + early.sending / 4, "\(early) \(late)")
  }

  @Test(arguments: Backend.all) func `one position that is none does not stop the others`(backend: Backend) async throws
  {
    let store = try await TestStore(backend)
    let stores = store.stores
    let (run, _) = try await started(stores, tour())
    let places: [(Double, Double)] = [(52, 4), (.nan, 4), (52, .infinity), (1e300, 0), (53, 5)]
    try await stores.tourRuns.addTrack(
      places.map { latitude, longitude in
        let fix = TourFix(position: Position(latitude: latitude, longitude: longitude), accuracy: 5)
        return TourTrackPoint(run: run.id, team: 1, time: noon, fix: fix)
      }
    )
    #expect(try await stores.tourRuns.track(of: run.id).map(\.fix.position.latitude) == [52, 53])
  }

  @Test(arguments: Backend.all) func `a tour has so many runs, a run so many teams`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let stored = try await stores.tours.addTour(tour(), owner: nil, at: noon)
    let team = TeamDraft(name: "T", color: "#112233")
    for _ in 0..<TourLimits.runs {
      #expect(try await stores.tourRuns.addRun(of: stored.id, teams: [team], isTrial: false, at: noon) != nil)
    }
    await #expect(throws: TourStoreError.tooManyRuns) {
      try await stores.tourRuns.addRun(of: stored.id, teams: [team], isTrial: false, at: noon)
    }
    let run = try #require(try await stores.tourRuns.runs(of: stored.id).first)
    try await store.database.write { db in
      for number in 2...TourLimits.teams { _ = try SQLTourTeamStore.insert(team, number: number, run: run.id, db) }
    }
    #expect(try await stores.tourTeams.addTeam(team, run: run.id, at: noon) == nil)
  }
}

/// Counts what SQLite does: a step is one instruction of its machine, the same on every computer.
enum Steps {
  private typealias Handler = @convention(c) (UnsafeMutableRawPointer?) -> Int32
  private typealias SetHandler = @convention(c) (OpaquePointer?, Int32, Handler?, UnsafeMutableRawPointer?) -> Void
  private static let taken = Atomic(0)

  /// Instructions of the work on one connection; one test uses it, one connection at a time.
  static func count(_ db: Database, _ work: () throws -> Void) throws -> Int {
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "sqlite3_progress_handler"))
    let setHandler = unsafeBitCast(symbol, to: SetHandler.self)
    taken.store(0, ordering: .relaxed)
    setHandler(
      db.sqliteConnection,
      1,
      { _ in
        Steps.taken.wrappingAdd(1, ordering: .relaxed)
        return 0
      },
      nil
    )
    defer { setHandler(db.sqliteConnection, 0, nil, nil) }
    try work()
    return taken.load(ordering: .relaxed)
  }
}
