import NIOCore
import SightlineContent
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

  /// `{"count", "ranking"}` for a team: the best, itself among them or after them, and how many there are.
  static func json(_ ranking: [TourRank], for team: Int) -> ByteBuffer {
    let best = ranking.prefix(mostTold)
    let own = ranking.dropFirst(mostTold).filter { $0.team.number == team }
    var json = JSONWriter(capacity: 128 + best.count * 96)
    json.beginObject()
    json.member("count", ranking.count)
    json.name("ranking")
    json.beginArray()
    for entry in best + own {
      json.beginObject()
      json.member("rank", entry.rank)
      json.member("number", entry.team.number)
      json.member("name", entry.team.name)
      json.member("color", entry.team.color)
      json.member("score", entry.progress.score)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.buffer
  }
}
