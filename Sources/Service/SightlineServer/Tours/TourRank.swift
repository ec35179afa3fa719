import SightlineStore
import SightlineTours

/// A team's place among those of its run.
struct TourRank: Sendable {
  /// From 1; teams with the same score share one.
  let rank: Int
  let team: TourTeam
  let progress: TourProgress

  /// Most teams that a phone is told of, besides its own.
  static let mostTold = 50

  /// The best first; of equals the lower number first.
  static func ranking(_ standings: [(team: TourTeam, progress: TourProgress)]) -> [TourRank] {
    let sorted = standings.sorted { ($1.progress.score, $0.team.number) < ($0.progress.score, $1.team.number) }
    var ranking: [TourRank] = []
    for (index, standing) in sorted.enumerated() {
      let shared = ranking.last.flatMap { $0.progress.score == standing.progress.score ? $0.rank : nil }
      ranking.append(TourRank(rank: shared ?? index + 1, team: standing.team, progress: standing.progress))
    }
    return ranking
  }

  /// What a team is told of a ranking: the best, itself among them or after them.
  static func told(_ ranking: [TourRank], to team: Int) -> [TourRank] {
    ranking.prefix(mostTold) + ranking.dropFirst(mostTold).filter { $0.team.number == team }
  }
}
