import Foundation
import SightlineStore
import SightlineTours

/// What happens in a run that its boards show at once.
enum TourNews: Sendable {
  /// The run's phase, times or round have changed.
  case run(StoredRun)
  /// A line of the log.
  case log(TourLogEntry)
  /// Something that a team did, or a mark for it.
  case answer(StoredEvent)
  /// A team's standing.
  case team(TourTeam, TourProgress, TourPositions.Position?)
  /// Where a team is.
  case position(TourPositions.Position, team: Int)
}

/// Who looks at runs while they go on: the open boards of their teachers.
protocol TourAudience: Sendable {
  /// Whether anybody looks at a run: what nobody sees needs not be put together.
  func watches(_ run: String) -> Bool
  /// Shows something to all who look at a run.
  func show(_ news: TourNews, of run: String, at time: Date)
  /// Ends the boards of a run: it is gone, or another from the ground up.
  func end(_ run: String)
  /// Ends all boards, which begin anew with what is true now.
  func endAll()
  /// Keeps boards open on which nothing happens.
  func beat()
}

/// Nobody.
struct NoAudience: TourAudience {
  func watches(_ run: String) -> Bool { false }
  func show(_ news: TourNews, of run: String, at time: Date) {}
  func end(_ run: String) {}
  func endAll() {}
  func beat() {}
}
