import Dispatch
import Hummingbird
import Synchronization

/// Does long computations one at a time beside the threads that answer requests, and refuses when too many wait.
final class BackgroundWorker: Sendable {
  private let queue: DispatchQueue
  private let waiting = Mutex(0)
  private let limit: Int

  /// A worker; at most `limit` pieces of work wait or run.
  init(label: String, limit: Int) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.limit = limit
  }

  /// Runs the work when all that came before is done.
  ///
  /// - Throws: 503 when the limit is reached; what the work throws.
  func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try waiting.withLock { waiting throws(RequestProblem) in
      guard waiting < limit else {
        throw RequestProblem(
          .serviceUnavailable,
          "server.busy",
          "The server has too much of this to do at the moment. Try again in a few seconds.",
          headers: [.retryAfter: "5"]
        )
      }
      waiting += 1
    }
    defer { waiting.withLock { $0 -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
