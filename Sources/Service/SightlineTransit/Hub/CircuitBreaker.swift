import Synchronization

/// Leaves a provider alone that fails again and again.
///
/// Opens after five failures in a row; then one probe is let through every thirty seconds, and a success closes it.
final class CircuitBreaker: Sendable {
  private struct State {
    var failures = 0
    /// When the next probe may go; `nil` while closed.
    var probeAt: Double?
    var opened = 0
  }

  private let limit: Int
  private let rest: Double
  private let state = Mutex(State())

  init(limit: Int = 5, rest: Double = 30) {
    self.limit = limit
    self.rest = rest
  }

  /// Whether a request may go at a time (seconds).
  func allows(at time: Double) -> Bool {
    state.withLock { state in
      guard let probeAt = state.probeAt else { return true }
      guard time >= probeAt else { return false }
      // This one is the probe; should nothing be heard of it, the next may go later.
      state.probeAt = time + rest
      return true
    }
  }

  /// Whether a request would be refused at a time (seconds).
  func refuses(at time: Double) -> Bool { state.withLock { $0.probeAt.map { time < $0 } ?? false } }

  /// What came of a request.
  func note(success: Bool, at time: Double) {
    state.withLock { state in
      if success {
        state.failures = 0
        state.probeAt = nil
      } else {
        state.failures += 1
        if state.failures >= limit {
          if state.probeAt == nil { state.opened += 1 }
          state.probeAt = time + rest
        }
      }
    }
  }

  var isOpen: Bool { state.withLock { $0.probeAt != nil } }

  /// How often it has opened.
  var openings: Int { state.withLock { $0.opened } }
}
