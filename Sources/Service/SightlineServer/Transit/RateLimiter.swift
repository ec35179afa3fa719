import HTTPTypes
import Synchronization

/// A token bucket for each client address.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: ContinuousClock.Instant
  }

  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  private static let mostClients = 50_000

  /// So many requests a second, and so many at once; 0 a second for no limit.
  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Throws 429 when the client has asked too often.
  func check(_ client: String, cost: Double = 1) throws(RequestProblem) {
    guard perSecond > 0 else { return }
    let now = ContinuousClock.now
    let wait: Double? = buckets.withLock { buckets in
      if buckets.count >= Self.mostClients {
        // Who has not asked for so long has a full bucket again.
        let full = Duration.seconds(burst / perSecond)
        buckets = buckets.filter { now - $0.value.filled < full }
        if buckets.count >= Self.mostClients { buckets = [:] }
      }
      var bucket = buckets[client] ?? Bucket(tokens: burst, filled: now)
      bucket.tokens = min(burst, bucket.tokens + (now - bucket.filled).milliseconds / 1000 * perSecond)
      bucket.filled = now
      let isAllowed = bucket.tokens >= cost
      if isAllowed { bucket.tokens -= cost }
      let missing = cost - bucket.tokens
      buckets[client] = bucket
      return isAllowed ? nil : missing / perSecond
    }
    guard let wait else { return }
    throw RequestProblem(
      .tooManyRequests,
      "transit.rate",
      "Too many requests came from your address. Wait a moment, and ask for several stops in one request.",
      headers: [.retryAfter: "\(max(1, Int(wait.rounded(.up))))"]
    )
  }
}
