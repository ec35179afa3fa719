import SightlineContent
import SightlineStore
import SightlineTours

/// A team's place among those of its run.
struct TourRank: Sendable {
  /// From 1; teams with the same score share one.
  let rank: Int
  let team: TourTeam
  let events: [StoredEvent]
  let progress: TourProgress

  /// The best first; of equals the lower number first.
  static func ranking(_ run: StoredRun, _ teams: [TourTeam], _ events: [StoredEvent]) -> [TourRank] {
    let byTeam = Dictionary(grouping: events, by: \.team)
    let standings = teams.map { team in
      let own = byTeam[team.number] ?? []
      let progress = TourProgress(tour: run.tour, seed: team.seed, records: own.map(\.record))
      return (team: team, events: own, progress: progress)
    }.sorted { ($1.progress.score, $0.team.number) < ($0.progress.score, $1.team.number) }
    var ranking: [TourRank] = []
    for (index, standing) in standings.enumerated() {
      let shared = ranking.last.flatMap { $0.progress.score == standing.progress.score ? $0.rank : nil }
      ranking.append(
        TourRank(rank: shared ?? index + 1, team: standing.team, events: standing.events, progress: standing.progress)
      )
    }
    return ranking
  }

  /// The ranking as `{"ranking": [{"rank", "number", "name", "color", "score"}]}`.
  static func json(_ ranking: [TourRank]) -> JSONWriter {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    json.name("ranking")
    json.beginArray()
    for entry in ranking {
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
    return json
  }
}
