import Synchronization

/// Counts running fetches, in all and by client, and refuses beyond the limit at once instead of queueing.
final class FetchLimiter: Sendable {
  private struct Counts {
    var all = 0
    var byClient: [String: Int] = [:]
  }

  private let policy: ProxyPolicy
  private let counts = Mutex(Counts())

  init(policy: ProxyPolicy) { self.policy = policy }

  /// Runs the work, or throws 503 or 429 when too much is running.
  func run<Result>(client: String, _ work: () async throws -> Result) async throws -> Result {
    try counts.withLock { counts throws(RequestProblem) in
      guard counts.all < policy.concurrentFetches else {
        throw RequestProblem(
          .serviceUnavailable,
          "open.busy",
          "The server is fetching too much at the moment. Try again shortly.",
          headers: [.retryAfter: "2"]
        )
      }
      guard counts.byClient[client, default: 0] < policy.concurrentFetchesPerClient else {
        throw RequestProblem(
          .tooManyRequests,
          "open.too-many",
          "Too many fetches are running for you. Try again when some have ended.",
          headers: [.retryAfter: "1"]
        )
      }
      counts.all += 1
      counts.byClient[client, default: 0] += 1
    }
    defer {
      counts.withLock { counts in
        counts.all -= 1
        let left = (counts.byClient[client] ?? 1) - 1
        counts.byClient[client] = left == 0 ? nil : left
      }
    }
    return try await work()
  }
}
