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
  }

  private struct State {
    var runs: [String: [Int: Position]] = [:]
    var unkept: [TourTrackPoint] = []
  }

  private let state = Mutex(State())

  /// Time between two positions of a team that are kept, seconds.
  static let keepingInterval: TimeInterval = 15

  subscript(run: String, team: Int) -> Position? { state.withLock { $0.runs[run]?[team] } }

  /// Notes a position, already rounded.
  ///
  /// - Returns: Whether the team has left the area (true) or come back (false) since the one before; `nil` for neither.
  func note(_ fix: TourFix, hasLeft: Bool, team: Int, run: String, at time: Date) -> Bool? {
    state.withLock { state in
      let before = state.runs[run]?[team]
      var position = Position(fix: fix, time: time, hasLeft: hasLeft, kept: before?.kept)
      if before?.kept.map({ time.timeIntervalSince($0) >= TourPositions.keepingInterval }) ?? true {
        position.kept = time
        state.unkept.append(TourTrackPoint(run: run, team: team, time: time, fix: fix))
      }
      state.runs[run, default: [:]][team] = position
      return hasLeft == (before?.hasLeft ?? false) ? nil : hasLeft
    }
  }

  /// Points to be kept, each handed out once.
  func takeUnkept() -> [TourTrackPoint] {
    state.withLock { state in
      defer { state.unkept = [] }
      return state.unkept
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
