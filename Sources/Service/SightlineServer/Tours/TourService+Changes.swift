import SightlineInput
import SightlineStore
import SightlineTours

/// What other processes that serve the same runs have done.
extension TourService {
  /// Forgets what is not true any more, and shows on boards what has happened, as if it had been done here.
  ///
  /// What is shown twice does no harm: boards know events, lines and teams by their numbers.
  func apply(_ changes: [StoreChange]) async throws {
    var order: [String] = []
    var byRun: [String: [StoreChange]] = [:]
    for change in changes where change.kind != .worlds && change.kind != .positions && change.kind != .timetable {
      if byRun[change.key] == nil { order.append(change.key) }
      byRun[change.key, default: []].append(change)
    }
    for run in order {
      do {
        try await apply(byRun[run] ?? [], to: run)
      } catch {
        if Self.isPassing(error) { throw error }
        // One damaged run must not keep the others' boards from what comes after it.
        forget(run)
        audience.end(run)
      }
    }
  }

  /// Whether trying again may help.
  private static func isPassing(_ error: any Error) -> Bool {
    error is CancellationError || StoreBusy.isCause(of: error)
  }

  private func apply(_ changes: [StoreChange], to run: String) async throws {
    func has(_ kind: StoreChange.Kind) -> Bool { changes.contains { $0.kind == kind } }
    if has(.removedRun) { return removed(run) }
    if has(.teams) {
      // Boards begin anew: names and colours are everywhere on them.
      forget(run)
      audience.end(run)
    }
    if has(.run) { try await changed(run) }
    guard audience.watches(run) else { return }
    func numbers(_ kind: StoreChange.Kind) -> Set<Int64> {
      Set(changes.compactMap { $0.kind == kind ? $0.item : nil })
    }
    try await showLog(numbers(.log), of: run)
    try await showAnswers(numbers(.answer), of: run)
  }

  private func showLog(_ numbers: Set<Int64>, of run: String) async throws {
    guard let first = numbers.min() else { return }
    for entry in try await runs.log(of: run, after: first.saturatingSubtract(1)) where numbers.contains(entry.number) {
      publish(entry, run: run)
    }
  }

  private func showAnswers(_ numbers: Set<Int64>, of run: String) async throws {
    guard let first = numbers.min(), let last = numbers.max(), let found = try await self.run(run) else { return }
    var changed: Set<Int> = []
    for event in try await runs.events(of: run, numbers: first...last) where numbers.contains(event.number) {
      audience.show(.answer(event), of: run, at: clock())
      changed.insert(event.team)
    }
    for team in found.teams where changed.contains(team.number) {
      publish(team, run: found.run, tallies: try await teams.tallies(run: run, team: team.number))
    }
  }

  /// Shows where teams are that talk to other processes.
  func apply(_ positions: [SharedPosition]) {
    for other in positions {
      guard let position = live.take(other), audience.watches(other.run) else { continue }
      audience.show(.position(position, team: other.team), of: other.run, at: clock())
    }
  }

  /// Forgets all that is kept in memory, after changes that nobody can tell; boards begin anew.
  func startOver() {
    forgetAll()
    teams.forgetAll()
    live.forgetNumbers()
    audience.endAll()
  }
}
