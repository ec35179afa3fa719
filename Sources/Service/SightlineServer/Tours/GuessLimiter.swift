import Foundation
import Synchronization

/// Keeps a network from guessing codes: so many wrong ones at once, and then one a second.
///
/// Codes have 65 random bits, so this guards the server's time more than the codes.
final class GuessLimiter: Sendable {
  private let wrong = Mutex(TokenBuckets(perSecond: 1, burst: Double(GuessLimiter.limit)))

  /// Wrong codes that a network may send at once: a whole school may stand behind one address.
  static let limit = 60

  /// Throws when a network has sent too many wrong codes.
  func check(_ client: String, at time: Date) throws(TourError) {
    let wait = wrong.withLock { $0.take(0, of: client, at: time.timeIntervalSinceReferenceDate) }
    if let wait { throw .tooManyGuesses(wait: wait) }
  }

  /// Counts a wrong code.
  func count(_ client: String, at time: Date) {
    wrong.withLock { _ = $0.take(of: client, at: time.timeIntervalSinceReferenceDate) }
  }
}
