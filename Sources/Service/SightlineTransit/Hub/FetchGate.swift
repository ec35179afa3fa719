import Synchronization

/// Lets so many through at a time; the others wait in line.
final class FetchGate: Sendable {
  private struct State {
    var free: Int
    var line: [Race<Void>] = []
    var served = 0
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for one's turn; ``leave()`` has to follow.
  func enter() async {
    let race: Race<Void>? = state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let race = Race<Void>()
      state.line.append(race)
      return race
    }
    await race?.value
  }

  /// Lets the next one in.
  func leave() {
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
