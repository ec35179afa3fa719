import Synchronization

/// Holds each client to so many requests a second.
final class RateLimiter: Sendable {
  private let buckets: Mutex<TokenBuckets>
  private let isOn: Bool
  private let code: String
  private let advice: String
  private let start = ContinuousClock.now

  /// So many requests a second, and so many at once; 0 a second for no limit.
  ///
  /// - Parameters:
  ///   - perSecond: requests of a network in a second.
  ///   - burst: requests at once.
  ///   - capacity: networks that are remembered.
  ///   - code: the refusal's code.
  ///   - advice: what to do besides waiting; the second half of a sentence.
  init(
    perSecond: Double,
    burst: Double,
    capacity: Int = 16_384,
    code: String = "transit.rate",
    advice: String = "ask for several stops in one request"
  ) {
    buckets = Mutex(TokenBuckets(perSecond: perSecond, burst: burst, capacity: capacity))
    isOn = perSecond > 0
    self.code = code
    self.advice = advice
  }

  /// Throws when the client has asked too often.
  func check(_ client: String, cost: Double = 1) throws(RateExceeded) {
    guard isOn else { return }
    let now = (ContinuousClock.now - start).milliseconds / 1000
    let wait = buckets.withLock { $0.take(cost, of: client, at: now) }
    if let wait { throw RateExceeded(code: code, advice: advice, wait: wait) }
  }
}
