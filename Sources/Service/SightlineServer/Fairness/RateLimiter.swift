/// Holds each client to so many requests a second.
final class RateLimiter: Sendable {
  /// What counts; over several servers together where they share a database.
  let buckets: CommonBuckets
  private let isOn: Bool
  private let code: String
  private let advice: String

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
    let start = ContinuousClock.now
    buckets = CommonBuckets(perSecond: perSecond, burst: burst, capacity: capacity) {
      (ContinuousClock.now - start).milliseconds / 1000
    }
    isOn = perSecond > 0
    self.code = code
    self.advice = advice
  }

  /// Throws when the client has asked too often.
  func check(_ client: String, cost: Double = 1) throws(RateExceeded) {
    guard isOn else { return }
    if let wait = buckets.take(cost, of: client) { throw RateExceeded(code: code, advice: advice, wait: wait) }
  }

  /// Takes a check back whose request is checked again.
  func giveBack(_ client: String, cost: Double = 1) {
    guard isOn else { return }
    buckets.giveBack(cost, of: client)
  }
}
