import Foundation
import HTTPTypes
import Synchronization

/// Keeps an address from guessing codes: so many wrong ones a minute, then none for a while.
///
/// Codes have 65 random bits, so this guards the server's time more than the codes.
final class GuessLimiter: Sendable {
  private let wrong = Mutex<[String: (count: Int, since: Date)]>([:])

  /// Wrong codes that an address may send in a minute: a whole school may stand behind one address.
  static let limit = 60

  /// Throws 429 when an address has sent too many wrong codes.
  func check(_ client: String, at time: Date) throws(RequestProblem) {
    let isOver = wrong.withLock { wrong in
      guard let entry = wrong[client], time.timeIntervalSince(entry.since) < 60 else { return false }
      return entry.count >= GuessLimiter.limit
    }
    guard isOver else { return }
    throw RequestProblem(
      .tooManyRequests,
      "tour.too-many-codes",
      "Too many wrong codes came from this address. Wait a minute, and scan the code instead of typing it.",
      headers: [.retryAfter: "60"]
    )
  }

  /// Counts a wrong code.
  func count(_ client: String, at time: Date) {
    wrong.withLock { wrong in
      if wrong.count > 10_000 { wrong = wrong.filter { time.timeIntervalSince($0.value.since) < 60 } }
      if let entry = wrong[client], time.timeIntervalSince(entry.since) < 60 {
        wrong[client] = (entry.count + 1, entry.since)
      } else {
        wrong[client] = (1, time)
      }
    }
  }
}
