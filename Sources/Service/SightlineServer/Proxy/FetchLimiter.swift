import Synchronization

/// Counts running fetches, in all and by network, and refuses beyond the limit at once instead of queueing.
final class FetchLimiter: Sendable {
  private let counts: Mutex<FairCount<String>>

  init(policy: ProxyPolicy) {
    counts = Mutex(
      FairCount(FairShare(all: policy.concurrentFetches, each: policy.concurrentFetchesPerClient, part: 4))
    )
  }

  /// Runs the work, or throws 503 or 429 when too much is running.
  func run<Result>(client: String, _ work: () async throws -> Result) async throws -> Result {
    try counts.withLock { counts throws(RequestProblem) in
      guard !counts.take(for: client) else { return }
      guard counts.total < counts.share.all else {
        throw RequestProblem(
          .serviceUnavailable,
          "open.busy",
          "The server is fetching too much at the moment. Try again shortly.",
          headers: [.retryAfter: "2"]
        )
      }
      throw RequestProblem(
        .tooManyRequests,
        "open.too-many",
        "Too many fetches are running for you. Try again when some have ended.",
        headers: [.retryAfter: "1"]
      )
    }
    defer { counts.withLock { $0.give(of: client) } }
    return try await work()
  }
}
