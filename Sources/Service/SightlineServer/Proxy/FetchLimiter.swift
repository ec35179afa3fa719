import Synchronization

/// Counts running fetches, in all and by network, and refuses beyond the limit at once instead of queueing.
final class FetchLimiter: Sendable {
  private let counts: Mutex<FairCount<String>>

  init(policy: ProxyPolicy) {
    counts = Mutex(
      FairCount(FairShare(all: policy.concurrentFetches, each: policy.concurrentFetchesPerClient, part: 4))
    )
  }

  /// Runs the work, or throws ``FetchError/busy`` or ``FetchError/tooMany``.
  func run<Result>(client: String, _ work: () async throws -> Result) async throws -> Result {
    try counts.withLock { counts throws(FetchError) in
      guard !counts.take(for: client) else { return }
      throw counts.total < counts.share.all ? .tooMany : .busy
    }
    defer { counts.withLock { $0.give(of: client) } }
    return try await work()
  }
}
