import Foundation
import SightlineContent
import SightlineStore
import SightlineTours
import Synchronization

/// Where teams are now.
///
/// In memory; what is to be kept, and what other processes that serve the same runs have to know, is taken from here now
/// and then.
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
    /// Teams that have moved since others were told, by run.
    var untold: [String: Set<Int>] = [:]
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
      state.untold[run, default: []].insert(team)
      return isNews ? hasLeft : nil
    }
  }

  /// Takes over what another process has noted, unless a later one is known here.
  ///
  /// That process has told of a crossing of the border, and kept the point where it was due.
  ///
  /// - Returns: The position, when it is news.
  func take(_ other: SharedPosition) -> Position? {
    let position = SightlineContent.Position(latitude: other.latitude, longitude: other.longitude)
    let fix = TourFix(position: position, accuracy: other.accuracy, isVirtual: other.isVirtual)
    guard fix.isUsable else { return nil }
    return state.withLock { state in
      let before = state.runs[other.run]?[other.team]
      if let before, before.time >= other.time { return nil }
      var position = Position(fix: fix, time: other.time, hasLeft: other.hasLeft, kept: before?.kept)
      position.toldLeft = other.hasLeft
      if before?.kept.map({ other.time.timeIntervalSince($0) >= TourPositions.keepingInterval }) ?? true {
        position.kept = other.time
      }
      state.runs[other.run, default: [:]][other.team] = position
      return position
    }
  }

  /// Latest positions that others were not told yet, each handed out once.
  func takeUntold() -> [SharedPosition] {
    state.withLock { state in
      defer { state.untold = [:] }
      return state.untold.flatMap { run, teams in
        teams.compactMap { team in
          state.runs[run]?[team].map { position in
            SharedPosition(
              run: run,
              team: team,
              time: position.time,
              latitude: position.fix.position.latitude,
              longitude: position.fix.position.longitude,
              accuracy: position.fix.accuracy,
              isVirtual: position.fix.isVirtual,
              hasLeft: position.hasLeft
            )
          }
        }
      }
    }
  }

  /// What could not be told waits on, as it is then.
  func putBack(untold positions: [SharedPosition]) {
    state.withLock { state in
      for position in positions where state.runs[position.run]?[position.team] != nil {
        state.untold[position.run, default: []].insert(position.team)
      }
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
      state.untold[run] = nil
      state.unkept.removeAll { $0.run == run }
    }
  }
}
