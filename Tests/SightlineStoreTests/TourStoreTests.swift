import Foundation
import SightlineContent
import SightlineStore
import SightlineTours
import Testing

struct TourStoreTests: Sendable {
  private final class Fixture {
    let path = NSTemporaryDirectory() + "sightline-tours-\(UUID().uuidString).sqlite"
    let store: SQLiteStore

    init() throws { store = try SQLiteStore(path: path) }

    deinit {
      try? store.close()
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
  }

  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  private func tour(keepDays: Int = 7, rounding: Double = 0) -> Tour {
    var tour = Tour(title: "T")
    tour.keepDays = keepDays
    tour.rounding = rounding
    tour.stations = (0..<3).map { number in
      var station = Station(
        id: "s\(number)",
        kind: .choice,
        title: "S",
        position: Position(latitude: 52 + Double(number) / 1000, longitude: 4)
      )
      station.options = ["a", "b"]
      station.correct = [1]
      return station
    }
    return tour
  }

  private func started(_ store: SQLiteStore, _ tour: Tour, teams: Int = 1) async throws -> StoredRun {
    let stored = try await store.addTour(tour, owner: nil, at: noon)
    let drafts = (0..<teams).map { TeamDraft(name: "T\($0)", color: "#112233") }
    let run = try #require(try await store.addRun(of: stored.id, teams: drafts, isTrial: false, at: noon))
    return try #require(try await store.command(.start, run: run.id, at: noon)).run
  }

  private func device(_ store: SQLiteStore, _ team: TourTeam, _ number: UInt8 = 1) async throws -> TourDevice {
    let token = Data(repeating: number, count: 31) + [UInt8(team.number)]
    #expect(try await store.addDevice(of: team, token: token, limit: 20, at: noon) != nil)
    return try #require(try await store.device(token: token))
  }

  private func event(_ id: String, _ sequence: Int, _ station: Int) -> TourEvent {
    TourEvent(
      id: id,
      sequence: sequence,
      station: "s\(station)",
      kind: .choice([1]),
      made: noon,
      fix: TourFix(position: Position(latitude: 52 + Double(station) / 1000, longitude: 4), accuracy: 5)
    )
  }

  @Test func `the same events from many phones at once count once`() async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let run = try await started(store, tour(), teams: 30)
    let teams = try await store.teams(of: run.id)
    let noon = noon
    try await withThrowingTaskGroup(of: Void.self) { group in
      for team in teams {
        let device = try await device(store, team)
        let events = (0..<3).map { event("team\(team.number)-\($0)", $0 + 1, $0) }
        for _ in 0..<5 {
          group.addTask {
            _ = try await store.submit(TourSubmission(device: device, events: events, received: noon))
          }
        }
      }
      try await group.waitForAll()
    }
    let events = try await store.events(of: run.id)
    #expect(events.count == 90)
    #expect(Set(events.map(\.record.id)).count == 90)
    #expect(events.allSatisfy { $0.record.verdict == .right && $0.record.points == 10 })
  }

  @Test func `a fault of one submission leaves its neighbours alone`() async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let run = try await started(store, tour(), teams: 2)
    let teams = try await store.teams(of: run.id)
    let good = try await device(store, teams[0])
    let gone = TourDevice(token: Data(repeating: 9, count: 32), team: teams[1])
    let noon = noon
    func submit(_ device: TourDevice, _ id: String, _ sequence: Int) async throws -> TourOutcome {
      let events = [event(id, sequence, sequence - 1)]
      return try await store.submit(TourSubmission(device: device, events: events, received: noon))
    }
    let first = Task { try await submit(good, "answer-1", 1) }
    let second = Task { try await submit(gone, "answer-2", 1) }
    #expect(try await first.value.events.count == 1)
    await #expect(throws: TourStoreError.gone) { try await second.value }
    let third = try await submit(good, "answer-3", 2)
    #expect(third.events.count == 1)
    #expect(try await store.events(of: run.id).count == 2)
  }

  @Test func `events survive the end of the store and are read as they were`() async throws {
    let path = NSTemporaryDirectory() + "sightline-tours-\(UUID().uuidString).sqlite"
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let store = try SQLiteStore(path: path)
    let run = try await started(store, tour())
    let team = try #require(try await store.teams(of: run.id).first)
    let device = try await device(store, team)
    var words = event("words-01", 2, 1)
    words.kind = .text("\"quoted\" → 你好\n=1+1")
    let outcome = try await store.submit(
      TourSubmission(device: device, events: [event("answer-1", 1, 0), words], received: noon)
    )
    try store.close()
    let again = try SQLiteStore(path: path)
    defer { try? again.close() }
    let events = try await again.events(of: run.id)
    #expect(events == outcome.events.map(\.event))
    #expect(events[1].record.kind == words.kind && events[1].record.refusal == .unfit)
    #expect(try await again.teams(of: run.id) == [team])
  }

  @Test func `positions are rounded before they are stored, and what is exact is not kept`() async throws {
    let fixture = try Fixture()
    let run = try await started(fixture.store, tour(rounding: 100))
    let team = try #require(try await fixture.store.teams(of: run.id).first)
    let device = try await device(fixture.store, team)
    let event = event("answer-1", 1, 0)
    _ = try await fixture.store.submit(TourSubmission(device: device, events: [event], received: noon))
    let stored = try #require(try await fixture.store.events(of: run.id).first)
    #expect(stored.fix == event.fix?.rounded(to: 100))
    #expect(stored.record.distance == nil && stored.record.place == .inside)
  }

  @Test(arguments: [
    (7, 6.9, 0), (7, 7.01, 1), (0, 0.01, 1), (30, 29.9, 0), (30, 30.1, 1),
  ])
  func `runs are deleted when their days are over`(keepDays: Int, days: Double, removed: Int) async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let run = try await started(store, tour(keepDays: keepDays))
    let team = try #require(try await store.teams(of: run.id).first)
    let device = try await device(store, team)
    _ = try await store.submit(TourSubmission(device: device, events: [event("answer-1", 1, 0)], received: noon))
    try await store.addTrack([
      TourTrackPoint(
        run: run.id,
        team: 1,
        time: noon,
        fix: TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
      )
    ])
    _ = try await store.command(.end, run: run.id, at: noon)
    #expect(try await store.removeExpiredRuns(at: noon.addingTimeInterval(days * 86_400)).count == removed)
    #expect(try await store.events(of: run.id).count == 1 - removed)
    #expect(try await store.track(of: run.id).count == 1 - removed)
    #expect(try await store.log(of: run.id, after: 0).isEmpty == (removed == 1))
    #expect(try await store.team(code: team.code) == (removed == 1 ? nil : team))
    // The tour itself stays: it is the teacher's work.
    #expect(try await store.tour(run.tourID) != nil)
  }

  @Test func `a run that nobody ends, one that never began, and a teacher's own try`() async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let unended = try await started(store, tour())
    let stored = try await store.addTour(tour(), owner: nil, at: noon)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let waiting = try #require(try await store.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    let trial = try #require(try await store.addRun(of: stored.id, teams: team, isTrial: true, at: noon))
    func after(_ days: Double) async throws -> Set<String> {
      Set(try await store.removeExpiredRuns(at: noon.addingTimeInterval(days * 86_400)))
    }
    #expect(try await after(0.9) == [])
    #expect(try await after(1.1) == [trial.id])
    #expect(try await after(7.9) == [])
    #expect(try await after(8.1) == [unended.id])
    #expect(try await after(180) == [])
    #expect(try await after(184) == [waiting.id])
  }

  @Test func `runs that have not begun follow the tour, others do not`() async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let stored = try await store.addTour(tour(), owner: 5, at: noon)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let begun = try #require(try await store.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    let waiting = try #require(try await store.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    _ = try await store.command(.start, run: begun.id, at: noon)
    var changed = stored.tour
    changed.title = "Changed"
    guard case .saved(let saved) = try await store.saveTour(stored.id, changed, expecting: 1, at: noon) else {
      Issue.record("not saved")
      return
    }
    #expect(saved.version == 2 && saved.owner == 5)
    #expect(try await store.run(begun.id)?.tour.title == "T")
    #expect(try await store.run(waiting.id)?.tour.title == "Changed")
    #expect(try await store.saveTour(stored.id, stored.tour, expecting: 1, at: noon) == .conflict(saved))
  }

  @Test func `codes have one form and 65 bits`() {
    let codes = (0..<1000).map { _ in TourCode.make() }
    #expect(Set(codes).count == 1000)
    for code in codes {
      #expect(code.count == TourCode.length)
      #expect(TourCode.normalized(TourCode.grouped(code).lowercased()) == code)
    }
    #expect(TourCode.normalized("oil00-00000-000") == "0110000000000")
    for bad in ["", "123", "AAAAAAAAAAAAAA", "AAAAAAAAAAAAU", "ÄAAAAAAAAAAAA", "AAAAAA/AAAAAA"] {
      #expect(TourCode.normalized(bad) == nil)
    }
  }
}
