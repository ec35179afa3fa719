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
    /// Number of the last change that told of the team; 0 for none.
    fileprivate var change: Int64 = 0
  }

  private struct State {
    var runs: [String: [Int: Position]] = [:]
    var unkept: [TourTrackPoint] = []
    /// Teams that have moved since others were told, by run.
    var untold: [String: Set<Int>] = [:]
    /// Teams that others are being told of.
    var telling: [String: Set<Int>] = [:]

    func isTold(_ run: String, _ team: Int) -> Bool {
      untold[run]?.contains(team) != true && telling[run]?.contains(team) != true
    }
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
      position.change = before?.change ?? 0
      let isNews = hasLeft != position.toldLeft && mayTell()
      if isNews { position.toldLeft = hasLeft }
      if TourPositions.isDue(time, after: before?.kept) {
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

  /// Whether a point is to be kept; one from before the last that was kept comes after a clock was set back.
  private static func isDue(_ time: Date, after kept: Date?) -> Bool {
    guard let kept else { return true }
    return !(0..<keepingInterval).contains(time.timeIntervalSince(kept))
  }

  /// Takes over what another process has noted, unless a later one is known here.
  ///
  /// What is later the numbers of changes say: clocks of processes differ. That process has told of a crossing of the border, and kept
  /// the point where it was due.
  ///
  /// - Returns: The position, when it is news.
  func take(_ other: SharedPosition) -> Position? {
    let position = SightlineContent.Position(latitude: other.latitude, longitude: other.longitude)
    let fix = TourFix(position: position, accuracy: other.accuracy, isVirtual: other.isVirtual)
    guard fix.isUsable else { return nil }
    return state.withLock { (state) -> Position? in
      let before = state.runs[other.run]?[other.team]
      if let before {
        guard before.change < other.change else { return nil }
        // What others do not know yet will be told after it, and counts then unless it is late.
        if !state.isTold(other.run, other.team) {
          let lateness = other.time.timeIntervalSince(before.time)
          guard lateness > 0, lateness <= SharedPosition.longestDelay else { return nil }
          state.untold[other.run]?.remove(other.team)
        }
      }
      var position = Position(fix: fix, time: other.time, hasLeft: other.hasLeft, kept: before?.kept)
      position.toldLeft = other.hasLeft
      position.change = other.change
      if TourPositions.isDue(other.time, after: before?.kept) { position.kept = other.time }
      // It may be what was told here, in whole milliseconds.
      let isNews = before.map { $0.fix != fix || abs($0.time.timeIntervalSince(other.time)) > 0.001 } ?? true
      if !isNews, let before { (position.time, position.kept) = (before.time, before.kept) }
      state.runs[other.run, default: [:]][other.team] = position
      return isNews ? position : nil
    }
  }

  /// Latest positions that others were not told yet, each handed out once.
  func takeUntold() -> [SharedPosition] {
    state.withLock { state in
      defer { (state.telling, state.untold) = (state.untold, [:]) }
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

  /// What was handed out last is told.
  func noteTold() { state.withLock { $0.telling = [:] } }

  /// What could not be told waits on, as it is then.
  func putBack(untold positions: [SharedPosition]) {
    state.withLock { state in
      state.telling = [:]
      for position in positions where state.runs[position.run]?[position.team] != nil {
        state.untold[position.run, default: []].insert(position.team)
      }
    }
  }

  /// Takes whatever others tell next for later than what is known: numbers may be given again.
  func forgetNumbers() {
    state.withLock { state in
      for run in state.runs.keys {
        for team in state.runs[run, default: [:]].keys { state.runs[run]?[team]?.change = 0 }
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
