import Synchronization

/// Lets so many through at a time; others wait in line, and a bounded number of them.
package final class FetchGate: Sendable {
  private struct State {
    var free: Int
    var line: [Race<Void>] = []
    var served = 0
  }

  private let state: Mutex<State>
  private let mostWaiting: Int

  /// A gate for `count` at a time, before which at most `mostWaiting` stand: a thousand fetches are more than ends within
  /// anybody's patience.
  package init(_ count: Int, mostWaiting: Int = 1000) {
    self.mostWaiting = mostWaiting
    state = Mutex(State(free: count))
  }

  /// Waits for one's turn; ``leave()`` has to follow.
  ///
  /// - Throws: ``ProviderFailure/busy`` at once when the line is full.
  package func enter() async throws(ProviderFailure) {
    let place = state.withLock { state -> Result<Race<Void>?, ProviderFailure> in
      if state.free > 0 {
        state.free -= 1
        return .success(nil)
      }
      guard state.line.count - state.served < mostWaiting else { return .failure(.busy) }
      let race = Race<Void>()
      state.line.append(race)
      return .success(race)
    }
    try await place.get()?.value
  }

  /// Lets the next one in.
  package func leave() {
    let next: Race<Void>? = state.withLock { state in
      guard state.served < state.line.count else {
        state.line.removeAll(keepingCapacity: true)
        state.served = 0
        state.free += 1
        return nil
      }
      defer {
        state.served += 1
        if state.served > 1024 {
          state.line.removeFirst(state.served)
          state.served = 0
        }
      }
      return state.line[state.served]
    }
    next?.decide(())
  }

  /// How many wait.
  var waiting: Int { state.withLock { $0.line.count - $0.served } }
}
