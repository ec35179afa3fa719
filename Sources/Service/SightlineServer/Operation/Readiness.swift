import Synchronization

/// Whether the server can do its work: what `/health/ready` tells a load balancer.
final class Readiness: Sendable {
  enum State: String, Sendable {
    /// The store is opened, brought to the present form and read.
    case starting
    /// Every route answers.
    case ready
    /// Running requests are finished, no new ones should be sent.
    case stopping
  }

  private let current = Mutex(State.starting)

  var state: State { current.withLock { $0 } }

  /// Goes on to a later state; there is no way back from stopping.
  func become(_ next: State) {
    current.withLock { if $0 != .stopping { $0 = next } }
  }
}

/// The store has not been read yet.
struct NotReady: Error, Equatable {}

extension Readiness {
  /// Throws until the store has been read.
  func require() throws(NotReady) {
    if state == .starting { throw NotReady() }
  }
}
