import Foundation
import SightlineContent
import SightlineTours
import Testing

@testable import SightlineStore

struct TourStoreTests: Sendable {
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

  private func started(_ stores: Stores, _ tour: Tour, teams: Int = 1) async throws -> StoredRun {
    let stored = try await stores.tours.addTour(tour, owner: nil, at: noon)
    let drafts = (0..<teams).map { TeamDraft(name: "T\($0)", color: "#112233") }
    let run = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: drafts, isTrial: false, at: noon))
    return try #require(try await stores.tourRuns.command(.start, run: run.id, at: noon)).run
  }

  private func device(_ stores: Stores, _ team: TourTeam, _ number: UInt8 = 1) async throws -> TourDevice {
    let token = Data(repeating: number, count: 31) + [UInt8(team.number)]
    #expect(try await stores.tourTeams.addDevice(of: team, token: token, limit: 20, at: noon) != nil)
    return try #require(try await stores.tourTeams.device(token: token))
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

  @Test(arguments: Backend.all) func `the same events from many phones at once count once`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let run = try await started(stores, tour(), teams: 30)
    let teams = try await stores.tourTeams.teams(of: run.id)
    let noon = noon
    try await withThrowingTaskGroup(of: Void.self) { group in
      for team in teams {
        let device = try await device(stores, team)
        let events = (0..<3).map { event("team\(team.number)-\($0)", $0 + 1, $0) }
        for _ in 0..<5 {
          group.addTask {
            _ = try await stores.tourTeams.submit(TourSubmission(device: device, events: events, received: noon))
          }
        }
      }
      try await group.waitForAll()
    }
    let events = try await stores.tourRuns.events(of: run.id)
    #expect(events.count == 90)
    #expect(Set(events.map(\.record.id)).count == 90)
    #expect(events.allSatisfy { $0.record.verdict == .right && $0.record.points == 10 })
  }

  @Test(arguments: Backend.all)
  func `a run that another history has under the same revision is read anew when all is forgotten`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let run = try await started(stores, tour())
    let device = try await device(stores, try #require(try await stores.tourTeams.teams(of: run.id).first))
    func verdict(_ number: Int) async throws -> TourVerdict? {
      let events = [event("e\(number)", number + 1, number)]
      let outcome = try await stores.tourTeams.submit(
        TourSubmission(device: device, events: events, received: noon)
      )
      return outcome.events.first?.event.record.verdict
    }
    #expect(try await verdict(0) == .right)
    _ = try await fixture.database.write { db in
      let found = try db.value(Data.self, sql: "SELECT definition FROM tour_run WHERE id = ?", arguments: [run.id])
      let other = String(decoding: try #require(found), as: UTF8.self)
        .replacingOccurrences(of: #""correct":[1]"#, with: #""correct":[0]"#)
      try db.execute(
        sql: "UPDATE tour_run SET definition = ? WHERE id = ?",
        arguments: [Data(other.utf8), run.id]
      )
    }
    #expect(try await verdict(1) == .right, "a revision that is known is not read again")
    stores.tourTeams.forgetAll()
    #expect(try await verdict(2) == .wrong)
  }

  @Test(arguments: Backend.all)
  func `where a team stands: its tallies, and messages to it and to all that it has not had`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let run = try await started(stores, tour(), teams: 2)
    let teams = try await stores.tourTeams.teams(of: run.id)
    let nothing = try await stores.tourTeams.standing(of: teams[0], after: 0)
    #expect(nothing.tallies.isEmpty && nothing.messages.isEmpty)
    for team in teams {
      let events = (0..<team.number).map { event("t\(team.number)-\($0)", $0 + 1, $0) }
      _ = try await stores.tourTeams.submit(
        TourSubmission(device: try await device(stores, team), events: events, received: noon)
      )
    }
    var numbers: [Int64] = []
    for (to, text) in [(nil, "all, \"ä\""), (1, "one"), (2, "two"), (nil, ""), (1, "s0")] {
      let line = try await stores.tourRuns.addLog(
        .message,
        run: run.id,
        team: to,
        text: text,
        at: noon + Double(numbers.count)
      )
      numbers.append(try #require(line).number)
      _ = try await stores.tourRuns.addLog(.help, run: run.id, team: 1, text: "no message", at: noon)
    }
    let first = try await stores.tourTeams.standing(of: teams[0], after: 0)
    #expect(first.messages.map(\.text) == ["all, \"ä\"", "one", "", "s0"])
    #expect(first.messages.map(\.number) == [numbers[0], numbers[1], numbers[3], numbers[4]])
    #expect(first.messages.map(\.team) == [nil, 1, nil, 1] && first.messages.allSatisfy { $0.kind == .message })
    #expect(first.messages.map(\.time) == [0, 1, 3, 4].map { noon + $0 })
    #expect(first.tallies == (try await stores.tourTeams.tallies(run: run.id, team: 1)) && first.tallies.count == 1)
    let second = try await stores.tourTeams.standing(of: teams[1], after: numbers[2])
    #expect(second.messages.map(\.text) == [""])
    #expect(second.tallies == (try await stores.tourTeams.tallies(run: run.id, team: 2)) && second.tallies.count == 2)
    for number in 0..<TourLimits.messages + 5 {
      _ = try await stores.tourRuns.addLog(.message, run: run.id, team: nil, text: "\(number)", at: noon)
    }
    let last = try await stores.tourTeams.standing(of: teams[0], after: 0).messages
    #expect(last.map(\.text) == (5..<TourLimits.messages + 5).map { "\($0)" })
  }

  @Test(arguments: Backend.all) func `answers are judged by the run as it is, however often it was read before`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    // Two processes with one database: each remembers runs by itself.
    let second = try await fixture.another()
    let (stores, others) = (fixture.stores, second.stores)
    let run = try await started(stores, tour())
    let device = try await device(stores, try await stores.tourTeams.teams(of: run.id)[0])
    func verdict(_ stores: Stores, _ number: Int) async throws -> TourVerdict? {
      let submission = TourSubmission(device: device, events: [event("e\(number)", number, number % 3)], received: noon)
      return try await stores.tourTeams.submit(submission).events.first?.event.record.verdict
    }
    #expect(try await verdict(stores, 1) == .right)
    #expect(try await verdict(others, 2) == .right)
    _ = try await stores.tourRuns.command(.end, run: run.id, at: noon)
    #expect(try await verdict(others, 3) == .refused)
    #expect(try await verdict(stores, 4) == .refused)
    _ = try await stores.tourRuns.removeRun(run.id)
    for stores in [stores, others] {
      await #expect(throws: TourStoreError.gone) { _ = try await verdict(stores, 5) }
    }
    try second.close()
  }

  @Test(arguments: Backend.all) func `a fault of one submission leaves its neighbours alone`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let run = try await started(stores, tour(), teams: 2)
    let teams = try await stores.tourTeams.teams(of: run.id)
    let good = try await device(stores, teams[0])
    let gone = TourDevice(token: Data(repeating: 9, count: 32), team: teams[1])
    let noon = noon
    func submit(_ device: TourDevice, _ id: String, _ sequence: Int) async throws -> TourOutcome {
      let events = [event(id, sequence, sequence - 1)]
      return try await stores.tourTeams.submit(TourSubmission(device: device, events: events, received: noon))
    }
    let first = Task { try await submit(good, "answer-1", 1) }
    let second = Task { try await submit(gone, "answer-2", 1) }
    #expect(try await first.value.events.count == 1)
    await #expect(throws: TourStoreError.gone) { try await second.value }
    let third = try await submit(good, "answer-3", 2)
    #expect(third.events.count == 1)
    #expect(try await stores.tourRuns.events(of: run.id).count == 2)
  }

  @Test(arguments: Backend.all)
  func `events survive the end of the store and are read as they were`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let run = try await started(stores, tour())
    let team = try #require(try await stores.tourTeams.teams(of: run.id).first)
    let device = try await device(stores, team)
    var words = event("words-01", 2, 1)
    words.kind = .text("\"quoted\" → 你好\n=1+1")
    let outcome = try await stores.tourTeams.submit(
      TourSubmission(device: device, events: [event("answer-1", 1, 0), words], received: noon)
    )
    try await store.reopen()
    let events = try await store.stores.tourRuns.events(of: run.id)
    #expect(events == outcome.events.map(\.event))
    #expect(events[1].record.kind == words.kind && events[1].record.refusal == .unfit)
    #expect(try await store.stores.tourTeams.teams(of: run.id) == [team])
  }

  @Test(arguments: Backend.all) func `positions are rounded before they are stored, and what is exact is not kept`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let run = try await started(fixture.stores, tour(rounding: 100))
    let team = try #require(try await fixture.stores.tourTeams.teams(of: run.id).first)
    let device = try await device(fixture.stores, team)
    let event = event("answer-1", 1, 0)
    _ = try await fixture.stores.tourTeams.submit(TourSubmission(device: device, events: [event], received: noon))
    let stored = try #require(try await fixture.stores.tourRuns.events(of: run.id).first)
    #expect(stored.fix == event.fix?.rounded(to: 100))
    #expect(stored.record.distance == nil && stored.record.place == .inside)
  }

  @Test(
    arguments: Backend.all,
    [
      (7, 6.9, 0), (7, 7.01, 1), (0, 0.01, 1), (30, 29.9, 0), (30, 30.1, 1),
    ]
  )
  func `runs are deleted when their days are over`(
    backend: Backend,
    rule: (keepDays: Int, days: Double, removed: Int)
  ) async throws {
    let (keepDays, days, removed) = rule
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let run = try await started(stores, tour(keepDays: keepDays))
    let team = try #require(try await stores.tourTeams.teams(of: run.id).first)
    let device = try await device(stores, team)
    _ = try await stores.tourTeams.submit(
      TourSubmission(device: device, events: [event("answer-1", 1, 0)], received: noon)
    )
    try await stores.tourRuns.addTrack([
      TourTrackPoint(
        run: run.id,
        team: 1,
        time: noon,
        fix: TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
      )
    ])
    _ = try await stores.tourRuns.command(.end, run: run.id, at: noon)
    #expect(try await stores.tourRuns.removeExpiredRuns(at: noon.addingTimeInterval(days * 86_400)).count == removed)
    #expect(try await stores.tourRuns.events(of: run.id).count == 1 - removed)
    #expect(try await stores.tourRuns.track(of: run.id).count == 1 - removed)
    #expect(try await stores.tourRuns.log(of: run.id, after: 0).isEmpty == (removed == 1))
    #expect(try await stores.tourTeams.team(code: team.code) == (removed == 1 ? nil : team))
    // The tour itself stays: it is the teacher's work.
    #expect(try await stores.tours.tour(run.tourID) != nil)
  }

  @Test(arguments: Backend.all) func `a run that nobody ends, one that never began, and a teacher's own try`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let unended = try await started(stores, tour())
    let stored = try await stores.tours.addTour(tour(), owner: nil, at: noon)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let waiting = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    let trial = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: true, at: noon))
    func after(_ days: Double) async throws -> Set<String> {
      Set(try await stores.tourRuns.removeExpiredRuns(at: noon.addingTimeInterval(days * 86_400)))
    }
    #expect(try await after(0.9) == [])
    #expect(try await after(1.1) == [trial.id])
    #expect(try await after(7.9) == [])
    #expect(try await after(8.1) == [unended.id])
    #expect(try await after(180) == [])
    #expect(try await after(184) == [waiting.id])
  }

  @Test(arguments: Backend.all) func `runs that have not begun follow the tour, others do not`(
    backend: Backend
  ) async throws {
    let fixture = try await TestStore(backend)
    let stores = fixture.stores
    let stored = try await stores.tours.addTour(tour(), owner: 5, at: noon)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let begun = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    let waiting = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: noon))
    _ = try await stores.tourRuns.command(.start, run: begun.id, at: noon)
    var changed = stored.tour
    changed.title = "Changed"
    guard case .saved(let saved) = try await stores.tours.saveTour(stored.id, changed, expecting: 1, at: noon) else {
      Issue.record("not saved")
      return
    }
    #expect(saved.version == 2 && saved.owner == 5)
    #expect(try await stores.tourRuns.run(begun.id)?.tour.title == "T")
    #expect(try await stores.tourRuns.run(waiting.id)?.tour.title == "Changed")
    #expect(try await stores.tours.saveTour(stored.id, stored.tour, expecting: 1, at: noon) == .conflict(saved))
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
