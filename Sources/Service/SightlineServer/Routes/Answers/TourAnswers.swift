import Foundation
import SightlineContent
import SightlineStore
import SightlineTours

extension TeamDraft: Described {
  static var schemaName: String { "Team" }
  static var rules: [String: JSONSchema] { ["color": .color] }
}

/// One's tours with their runs.
struct TourList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var id: String
    var title: String
    var stations: Int
    var version: Int
    var saved: Date
    var runs: [RunAnswer]
  }

  var tours: [Entry]
}

/// A tour with what should be looked at again, and its runs; `tour` and `problems` are as they lie in the store.
struct TourAnswer: Codable, Described, Sendable {
  var id: String
  var version: Int
  var saved: Date
  var runs: [RunAnswer]

  static let schemaName = "StoredTour"
  static var rules: [String: JSONSchema] {
    ["tour": .component("Tour"), "problems": .list(.component("Finding"))]
  }
}

/// A run's teams with their codes: what is on the sheets.
struct TeamList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var number: Int
    var name: String
    var color: String
    var code: String
  }

  var run: RunAnswer
  var teams: [Entry]

  init(_ found: TourService.RunWithTeams, at time: Date) {
    run = RunAnswer(found.run, at: time)
    teams = found.teams.map { Entry(number: $0.number, name: $0.name, color: $0.color, code: $0.code) }
  }
}

/// The teams by their points, for a team: the best, itself among them or after them, and how many there are.
struct RankingAnswer: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    /// From 1; teams with the same score share one.
    var rank: Int
    var number: Int
    var name: String
    var color: String
    var score: Int
  }

  var count: Int
  var ranking: [Entry]

  static let schemaName = "Ranking"

  init(_ ranking: [TourRank], for team: Int) {
    count = ranking.count
    self.ranking = TourRank.told(ranking, to: team).map {
      Entry(rank: $0.rank, number: $0.team.number, name: $0.team.name, color: $0.team.color, score: $0.progress.score)
    }
  }
}
