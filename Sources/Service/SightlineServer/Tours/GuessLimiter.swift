import Foundation

/// Keeps a network from guessing codes: so many wrong ones at once, and then one a second.
///
/// Codes have 65 random bits, so this guards the server's time more than the codes.
final class GuessLimiter: Sendable {
  /// What counts; over several servers together where they share a database.
  let buckets: CommonBuckets

  /// Wrong codes that a network may send at once: a whole school may stand behind one address.
  static let limit = 60

  /// A limiter whose time is a clock's.
  init(clock: @escaping @Sendable () -> Date) {
    buckets = CommonBuckets(perSecond: 1, burst: Double(GuessLimiter.limit)) { clock().timeIntervalSinceReferenceDate }
  }

  /// Throws when a network has sent too many wrong codes.
  func check(_ client: String) throws(TourError) {
    if let wait = buckets.take(0, of: client) { throw .tooManyGuesses(wait: wait) }
  }

  /// Counts a wrong code.
  func count(_ client: String) { _ = buckets.take(of: client) }
}
