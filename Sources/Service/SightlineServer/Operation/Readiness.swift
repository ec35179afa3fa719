import Synchronization

/// How far the server is between its start and its end.
final class Readiness: Sendable {
  /// In the order in which they follow each other.
  enum State: UInt8, Sendable {
    /// The store is opened, brought to the present form and read.
    case starting
    /// Every route answers.
    case ready
    /// Every route answers, but new requests should go to others: the server will stop.
    case draining
    /// Running requests are finished, no new ones should be sent.
    case stopping

    /// The word in `/health/ready`.
    var word: String {
      switch self {
      case .starting: "starting"
      case .ready: "ready"
      case .draining: "draining"
      case .stopping: "stopping"
      }
    }
  }

  /// Asked by every request: no lock.
  private let current = Atomic(State.starting.rawValue)

  var state: State { State(rawValue: current.load(ordering: .acquiring)) ?? .stopping }

  /// Goes on to a later state; there is no way back.
  func become(_ next: State) { current.max(next.rawValue, ordering: .acquiringAndReleasing) }
}

/// The store has not been read yet.
struct NotReady: Error, Equatable {}

extension Readiness {
  /// Throws until the store has been read.
  func require() throws(NotReady) {
    if state == .starting { throw NotReady() }
  }
}
