import NIOCore
import Synchronization

/// Counts what networks hold of the server: connections, running requests that came by a trusted server in front, and bytes of
/// answers that wait for slow readers.
final class ConnectionRegister: Sendable {
  private struct State {
    var connections: FairCount<ClientNetwork>
    var requests: FairCount<String>
    var unsent: FairCount<ClientNetwork>
    /// Connections that have no network or are a trusted server's: these are not held to a network's share.
    var others = 0
    var refusals = 0
  }

  private let state: Mutex<State>

  /// Most bytes that wait for readers of one network, and of all.
  static let unsentBytes = (each: 128 << 20, all: 384 << 20)
  /// Refused connections that are told why before they are closed; more are just closed.
  private static let mostRefusals = 64

  /// A register with a limit of connections in all and for each network.
  init(connections all: Int, perNetwork each: Int) {
    let share = FairShare(all: all, each: each)
    let bytes = ConnectionRegister.unsentBytes
    state = Mutex(
      State(
        connections: FairCount(share),
        // Requests that a server in front passes on take no connection each; they are held to the same numbers.
        requests: FairCount(share),
        unsent: FairCount(FairShare(all: bytes.all, each: bytes.each, part: 2, least: 1 << 20))
      )
    )
  }

  /// Connections that are open.
  var count: Int { state.withLock { $0.connections.total + $0.others } }

  /// A place for a connection, or `nil` when its network has enough of them.
  func open(_ network: ClientNetwork?) -> ConnectionSlot? {
    let isAdmitted = state.withLock { state in
      guard state.connections.total + state.others < state.connections.share.all else { return false }
      guard let network else {
        state.others += 1
        return true
      }
      return state.connections.take(for: network)
    }
    return isAdmitted ? ConnectionSlot(register: self, network: network) : nil
  }

  fileprivate func close(_ network: ClientNetwork?) {
    state.withLock { state in
      if let network { state.connections.give(of: network) } else { state.others -= 1 }
    }
  }

  /// Takes a connection out of its network's share.
  fileprivate func release(_ network: ClientNetwork) {
    state.withLock { state in
      state.connections.give(of: network)
      state.others += 1
    }
  }

  fileprivate func addUnsent(_ bytes: Int, _ network: ClientNetwork) {
    state.withLock { $0.unsent.add(bytes, to: network) }
  }

  /// Whether so much waits for the readers of a network that it gets no more for now.
  func isCrowded(_ network: ClientNetwork) -> Bool {
    state.withLock { state in
      let held = state.unsent.held(by: network)
      // An answer is not refused for what others leave lying, unless there is no room at all.
      return held > 0 && !state.unsent.share.admits(held: held, total: state.unsent.total)
        || state.unsent.total >= state.unsent.share.all
    }
  }

  /// Bytes that wait for readers.
  var unsentBytes: Int { state.withLock { $0.unsent.total } }

  /// Whether one more refused connection may be told why.
  func beginRefusal() -> Bool {
    state.withLock { state in
      guard state.refusals < ConnectionRegister.mostRefusals else { return false }
      state.refusals += 1
      return true
    }
  }

  func endRefusal() { state.withLock { $0.refusals -= 1 } }

  /// Counts a running request that came by a trusted server, until what is returned goes; `nil` when its network has too many.
  func begin(requestOf client: String) -> RunningRequest? {
    guard state.withLock({ $0.requests.take(for: client) }) else { return nil }
    return RunningRequest(register: self, client: client)
  }

  fileprivate func end(requestOf client: String) { state.withLock { $0.requests.give(of: client) } }

  /// Requests that came by a trusted server and run.
  var requests: Int { state.withLock { $0.requests.total } }
}

/// A request that runs, until nobody holds on to it any more: its handler, or the stream that it answers with.
final class RunningRequest: Sendable {
  private let register: ConnectionRegister
  private let client: String

  fileprivate init(register: ConnectionRegister, client: String) {
    self.register = register
    self.client = client
  }

  deinit { register.end(requestOf: client) }
}

/// A connection's place in the register.
final class ConnectionSlot: Sendable {
  private struct State {
    var network: ClientNetwork?
    var unsent = 0
    var isOpen = true
  }

  private let register: ConnectionRegister
  private let state: Mutex<State>
  /// Whose network the other end is in.
  let network: ClientNetwork?

  fileprivate init(register: ConnectionRegister, network: ClientNetwork?) {
    self.register = register
    self.network = network
    state = Mutex(State(network: network))
  }

  /// Notes that requests of others come over this connection: it is not held against its own network any more.
  func carriesOthers() {
    state.withLock { state in
      guard state.isOpen, let network = state.network else { return }
      state.network = nil
      register.release(network)
    }
  }

  /// Notes how many bytes wait for the reader.
  func setUnsent(_ bytes: Int) {
    guard let network else { return }
    state.withLock { state in
      guard state.isOpen, bytes != state.unsent else { return }
      register.addUnsent(bytes - state.unsent, network)
      state.unsent = bytes
    }
  }

  /// Gives everything back.
  func close() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      if let network, state.unsent > 0 { register.addUnsent(-state.unsent, network) }
      register.close(state.network)
    }
  }
}
