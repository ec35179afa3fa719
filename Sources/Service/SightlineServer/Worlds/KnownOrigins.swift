import Synchronization

/// The few names by which clients really reach this server: only for these are answers kept that hold the name.
///
/// Anybody can send any `Host`. Answers for made-up ones are made, in turn, and forgotten.
final class KnownOrigins: Sendable {
  private let seen = Mutex<[String: ContinuousClock.Instant]>([:])
  private let most: Int
  private let rest: Duration

  /// At most so many names; one that nobody used for a while makes room for another.
  init(most: Int = 16, rest: Duration = .seconds(600)) {
    self.most = most
    self.rest = rest
  }

  /// Whether an origin is one of the few; the first ones become it.
  func admits(_ origin: String) -> Bool {
    let now = ContinuousClock.now
    return seen.withLock { seen in
      if seen[origin] == nil, seen.count >= most {
        guard let oldest = seen.min(by: { $0.value < $1.value }), now - oldest.value > rest else { return false }
        seen[oldest.key] = nil
      }
      seen[origin] = now
      return true
    }
  }
}
