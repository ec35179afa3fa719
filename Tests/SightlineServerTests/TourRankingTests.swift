import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineContent
import SightlineStore
import SightlineTours
import Testing

@testable import SightlineServer

/// What teams are told of each other, and when.
struct TourRankingTests {
  private static func tour() -> Tour {
    var tour = Tour(title: "T")
    let position = Position(latitude: 52, longitude: 4)
    var station = Station(id: "s", kind: .choice, title: "S", position: position)
    station.options = ["a", "b"]
    station.correct = [1]
    tour.stations = [station]
    return tour
  }

  private struct Run {
    var fixture: ServerFixture
    var run: StoredRun
    var teams: [TourTeam]
    var phone: HTTPFields

    func ranking() async throws -> TestResponse {
      try await fixture.request("/api/v1/tour-team/ranking", headers: phone)
    }

    func end() async throws {
      _ = try await fixture.stores.tourRuns.command(.end, run: run.id, at: Date())
      fixture.server.tours.forget(run.id)
    }
  }

  /// A run that goes on, and a phone of its first team.
  private func made(_ tour: Tour = TourRankingTests.tour(), teams count: Int) async throws -> Run {
    let fixture = try await ServerFixture()
    let stored = try await fixture.stores.tours.addTour(tour, owner: nil, at: Date())
    let drafts = (1...count).map { TeamDraft(name: "Team \($0)", color: "#112233") }
    let run = try #require(
      try await fixture.stores.tourRuns.addRun(of: stored.id, teams: drafts, isTrial: false, at: Date())
    )
    _ = try await fixture.stores.tourRuns.command(.start, run: run.id, at: Date())
    let teams = try await fixture.stores.tourTeams.teams(of: run.id)
    let (_, secret) = try await fixture.server.tours.join(code: try #require(teams.first).code)
    let phone: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(secret)"]
    return Run(fixture: fixture, run: run, teams: teams, phone: phone)
  }

  private struct Told: Decodable {
    struct Entry: Decodable {
      var rank: Int
      var number: Int
      var score: Int
    }
    var count: Int
    var ranking: [Entry]
  }

  private func standing(_ team: TourTeam, _ score: Int) -> (team: TourTeam, progress: TourProgress) {
    let record = TourRecord(
      id: "e",
      station: "s",
      kind: .visit,
      verdict: .right,
      points: score,
      place: .inside,
      distance: nil
    )
    return (team, TourProgress(tour: Self.tour(), seed: team.seed, records: [record]))
  }

  @Test("the ranking is there once the tour is over")
  func afterTheEnd() async throws {
    let made = try await made(teams: 3)
    let early = try await made.ranking()
    #expect(early.status == .conflict)
    #expect(String(buffer: early.body).contains("tour.not-ended"))
    try await made.end()
    let told = try JSONDecoder().decode(Told.self, from: Data((try await made.ranking()).body.readableBytesView))
    #expect(told.count == 3)
    #expect(told.ranking.map(\.number) == [1, 2, 3])
    #expect(told.ranking.allSatisfy { $0.rank == 1 && $0.score == 0 }, "nobody has points: all are first")
  }

  @Test("where the teacher keeps the points there is no ranking for teams")
  func keptPoints() async throws {
    var tour = Self.tour()
    tour.showsScore = false
    let made = try await made(tour, teams: 2)
    try await made.end()
    let refused = try await made.ranking()
    #expect(refused.status == .conflict)
    #expect(String(buffer: refused.body).contains("tour.ranking-kept"))
  }

  @Test("a ranking without its team, or without a secret, is nobody's")
  func strangers() async throws {
    let made = try await made(teams: 1)
    #expect(try await made.fixture.request("/api/v1/tour-team/ranking").status == .unauthorized)
  }

  @Test("teams of the same score share a rank, the best come first, and a team far down is told of itself")
  func ranks() async throws {
    let many = TourRank.mostTold + 10
    let teams = try await made(teams: many).teams
    let few = TourRank.ranking([
      standing(teams[0], 5), standing(teams[1], 8), standing(teams[2], 5), standing(teams[3], 0),
    ])
    #expect(few.map(\.team.number) == [2, 1, 3, 4])
    #expect(few.map(\.rank) == [1, 2, 2, 4])
    let ranking = TourRank.ranking(teams.map { standing($0, 1000 - $0.number) })
    let told = try JSONDecoder().decode(
      Told.self,
      from: Data(try JSONBytes.encode(RankingAnswer(ranking, for: many - 1)).readableBytesView)
    )
    #expect(told.count == many)
    #expect(told.ranking.map(\.number) == Array(1...TourRank.mostTold) + [many - 1])
  }
}
