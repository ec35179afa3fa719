import Dispatch
import Synchronization

/// Does long computations beside the threads that answer requests, one network's after the other's, and refuses when too
/// many wait.
///
/// Whose turn it is goes round by ``ClientNetwork/current``: who has sent a hundred pieces of work waits for the second of
/// them until all others have had one.
final class BackgroundWorker: Sendable {
  private struct State {
    var counts: FairCount<String>
    /// What waits, by network, and the networks in the order of their turns.
    var waiting: [String: [@Sendable () -> Void]] = [:]
    var turns: [String] = []
    var running = 0
  }

  private let queue: DispatchQueue
  private let state: Mutex<State>
  private let width: Int

  /// A worker; at most `limit` pieces of work wait or run, a fraction of them for one network, and `width` run at a time.
  init(label: String, limit: Int, width: Int = 1) {
    queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    self.width = width
    // One network gets half of what is free, and so at most a third of all.
    state = Mutex(State(counts: FairCount(FairShare(all: limit, each: limit, part: 2))))
  }

  /// Pieces of work that wait or run.
  var count: Int { state.withLock { $0.counts.total } }

  /// Runs the work when its network's turn has come.
  ///
  /// - Throws: ``Overload`` when the limit is reached; what the work throws.
  func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let client = ClientNetwork.current
    try state.withLock { state throws(Overload) in
      // The server's own work is held by the whole limit alone.
      if client.isEmpty ? state.counts.total < state.counts.share.all : state.counts.take(for: client) {
        if client.isEmpty { state.counts.add(1, to: client) }
        return
      }
      throw state.counts.total < state.counts.share.all ? .waitingForNetwork : .waiting
    }
    defer { state.withLock { $0.counts.give(of: client) } }
    return try await withCheckedThrowingContinuation { continuation in
      enqueue(for: client) { continuation.resume(with: Swift.Result { try work() }) }
    }
  }

  private func enqueue(for client: String, _ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      if state.waiting[client] == nil { state.turns.append(client) }
      state.waiting[client, default: []].append(work)
      guard state.running < width else { return false }
      state.running += 1
      return true
    }
    if isFirst { queue.async { self.drain() } }
  }

  /// Works until nothing waits.
  private func drain() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.turns.isEmpty else {
        state.running -= 1
        return nil
      }
      let client = state.turns.removeFirst()
      guard var own = state.waiting[client], !own.isEmpty else { return {} }
      let work = own.removeFirst()
      if own.isEmpty {
        state.waiting[client] = nil
      } else {
        state.waiting[client] = own
        state.turns.append(client)
      }
      return work
    }
  }
}
