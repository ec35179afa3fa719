import Foundation
import Synchronization

/// How much a phone or a team may ask for: a bucket that fills with time, by the tours' clock.
///
/// Who asks has a secret that a team's code gave, so the keys are no more than the phones that have joined.
final class TourBudget: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: Date
  }

  private let burst: Double
  private let perSecond: Double
  private let mostKeys: Int
  private let buckets = Mutex<[String: Bucket]>([:])

  /// So many at once, and so many a second.
  init(burst: Double, perSecond: Double, mostKeys: Int = 50_000) {
    self.burst = burst
    self.perSecond = perSecond
    self.mostKeys = mostKeys
  }

  /// Takes from a bucket.
  ///
  /// - Returns: `nil` when there was enough in it, else the seconds until there will be; nothing is taken then.
  func take(_ cost: Double = 1, of key: String, at time: Date) -> Double? {
    buckets.withLock { buckets in
      if buckets.count >= mostKeys, buckets[key] == nil {
        // A bucket that is full again is as good as none.
        let full = burst / perSecond
        buckets = buckets.filter { time.timeIntervalSince($0.value.filled) < full }
        if buckets.count >= mostKeys { buckets = [:] }
      }
      var bucket = buckets[key] ?? Bucket(tokens: burst, filled: time)
      // A clock that was set back fills nothing, and takes nothing away.
      bucket.tokens = min(burst, bucket.tokens + max(0, time.timeIntervalSince(bucket.filled)) * perSecond)
      bucket.filled = time
      defer { buckets[key] = bucket }
      guard bucket.tokens >= cost else { return (cost - bucket.tokens) / perSecond }
      bucket.tokens -= cost
      return nil
    }
  }

  /// Number of buckets that are remembered.
  var count: Int { buckets.withLock { $0.count } }
}
