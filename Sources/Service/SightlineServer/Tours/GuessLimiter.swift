import Foundation
import HTTPTypes
import SightlineInput
import Synchronization

/// Keeps a network from guessing codes: so many wrong ones at once, and then one a second.
///
/// Codes have 65 random bits, so this guards the server's time more than the codes.
final class GuessLimiter: Sendable {
  private let wrong = Mutex(TokenBuckets(perSecond: 1, burst: Double(GuessLimiter.limit)))

  /// Wrong codes that a network may send at once: a whole school may stand behind one address.
  static let limit = 60

  /// Throws 429 when a network has sent too many wrong codes.
  func check(_ client: String, at time: Date) throws(RequestProblem) {
    let wait = wrong.withLock { $0.take(0, of: client, at: time.timeIntervalSinceReferenceDate) }
    guard let wait else { return }
    throw RequestProblem(
      .tooManyRequests,
      "tour.too-many-codes",
      "Too many wrong codes came from this address. Wait a minute, and scan the code instead of typing it.",
      headers: [.retryAfter: "\(max(1, Int(clamped: wait.rounded(.up))))"]
    )
  }

  /// Counts a wrong code.
  func count(_ client: String, at time: Date) {
    wrong.withLock { _ = $0.take(of: client, at: time.timeIntervalSinceReferenceDate) }
  }
}
