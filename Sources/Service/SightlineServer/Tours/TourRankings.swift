import Foundation
import SightlineStore
import SightlineTours
import Synchronization

/// Rankings of runs that are over: at a tour's end every phone asks at once, and each ranking reads the standing of every team.
final class TourRankings: Sendable {
  private struct Known {
    let ranking: [TourRank]
    let time: Date
  }

  private let teams: any TourTeamStore
  private let flights = SingleFlight<String, [TourRank]>()
  private let known = Mutex<[String: Known]>([:])

  /// Seconds for which a ranking is told again: what is sent late, and marked later, still changes it.
  private static let fresh = 5.0
  private static let mostKnown = 256

  init(teams: any TourTeamStore) { self.teams = teams }

  /// The ranking of a run as it was some seconds ago at most.
  func ranking(of run: StoredRun, at time: Date) async throws -> [TourRank] {
    if let known = known.withLock({ $0[run.id] }), abs(time.timeIntervalSince(known.time)) < TourRankings.fresh {
      return known.ranking
    }
    return try await flights.value(for: run.id) { [teams, self] in
      var standings: [(team: TourTeam, progress: TourProgress)] = []
      for team in try await teams.teams(of: run.id) {
        let tallies = try await teams.tallies(run: run.id, team: team.number)
        standings.append((team, TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)))
      }
      let ranking = TourRank.ranking(standings)
      known.withLock { known in
        if known.count >= TourRankings.mostKnown {
          known = known.filter { abs(time.timeIntervalSince($0.value.time)) < TourRankings.fresh }
        }
        if known.count < TourRankings.mostKnown { known[run.id] = Known(ranking: ranking, time: time) }
      }
      return ranking
    }
  }
}
