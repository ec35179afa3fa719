import Foundation
import SightlineStore
import SightlineTours
import Synchronization

/// Where teams are now.
///
/// In memory only; what is to be kept is taken from here now and then.
final class TourPositions: Sendable {
  /// A team's latest position.
  struct Position: Sendable {
    var fix: TourFix
    var time: Date
    /// Whether it has left the area.
    var hasLeft: Bool
    fileprivate var kept: Date?
    /// What the run's log says of it.
    fileprivate var toldLeft = false
  }

  private struct State {
    var runs: [String: [Int: Position]] = [:]
    var unkept: [TourTrackPoint] = []
  }

  private let state = Mutex(State())

  /// Time between two positions of a team that are kept, seconds.
  static let keepingInterval: TimeInterval = 15

  subscript(run: String, team: Int) -> Position? { state.withLock { $0.runs[run]?[team] } }

  /// Most points that wait to be kept; beyond, they are dropped.
  ///
  /// About a quarter of an hour of two thousand teams.
  static let mostUnkept = 120_000

  /// Notes a position, already rounded; one that is no place on the Earth is passed over.
  ///
  /// - Parameters:
  ///   - fix: Where the team is.
  ///   - hasLeft: Whether that is outside the area.
  ///   - team: Number of the team.
  ///   - run: Its run.
  ///   - time: When.
  ///   - mayTell: Asked when a crossing of the border is to be told; told later if it says no.
  /// - Returns: Whether it is to be told that the team has left the area (true) or come back (false); `nil` for neither.
  func note(
    _ fix: TourFix,
    hasLeft: Bool,
    team: Int,
    run: String,
    at time: Date,
    mayTell: () -> Bool = { true }
  ) -> Bool? {
    guard fix.isUsable else { return nil }
    return state.withLock { state in
      let before = state.runs[run]?[team]
      var position = Position(fix: fix, time: time, hasLeft: hasLeft, kept: before?.kept)
      position.toldLeft = before?.toldLeft ?? false
      let isNews = hasLeft != position.toldLeft && mayTell()
      if isNews { position.toldLeft = hasLeft }
      if before?.kept.map({ time.timeIntervalSince($0) >= TourPositions.keepingInterval }) ?? true {
        position.kept = time
        if state.unkept.count < TourPositions.mostUnkept {
          state.unkept.append(TourTrackPoint(run: run, team: team, time: time, fix: fix))
        }
      }
      state.runs[run, default: [:]][team] = position
      return isNews ? hasLeft : nil
    }
  }

  /// Points to be kept, each handed out once.
  func takeUnkept() -> [TourTrackPoint] {
    state.withLock { state in
      defer { state.unkept = [] }
      return state.unkept
    }
  }

  /// Takes points back that could not be kept; they come before those noted meanwhile.
  func putBack(_ points: [TourTrackPoint]) {
    state.withLock { state in
      state.unkept = Array((points + state.unkept).suffix(TourPositions.mostUnkept))
    }
  }

  /// Forgets a run.
  func remove(_ run: String) {
    state.withLock { state in
      state.runs[run] = nil
      state.unkept.removeAll { $0.run == run }
    }
  }
}
