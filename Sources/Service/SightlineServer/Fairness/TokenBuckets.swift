/// A token bucket for each key, in bounded memory.
///
/// When there is no room for another key, one whose bucket is full again makes room, for it is as good as new. While there is
/// none, newcomers share one bucket: nobody who is known is forgotten, and a flood of addresses meets a limit.
struct TokenBuckets: Sendable {
  private struct Bucket {
    var key: String
    var tokens: Double
    var filled: Double

    /// Adds what has come back by a time.
    mutating func fill(at time: Double, perSecond: Double, burst: Double) {
      tokens = min(burst, tokens + max(0, time - filled) * perSecond)
      // Times come a little out of order; one that is much earlier comes after a clock was set back.
      filled = filled - time > 1 ? time : max(time, filled)
    }
  }

  /// Tokens that come back in a second.
  let perSecond: Double
  /// Most tokens of a bucket.
  let burst: Double
  private let capacity: Int
  private var places: [String: Int] = [:]
  private var buckets: [Bucket] = []
  private var hand = 0
  private var newcomers: Bucket

  /// How many times a client's allowance the newcomers get together when there is no room.
  private static let newcomersShare = 16.0
  /// Largest debt, in bursts: a wait that ends.
  private static let mostDebt = 32.0
  /// Buckets that are looked at for room, for one newcomer.
  private static let looks = 8

  /// Buckets for at most `capacity` keys.
  init(perSecond: Double, burst: Double, capacity: Int = 16_384) {
    self.perSecond = perSecond
    self.burst = burst
    self.capacity = capacity
    newcomers = Bucket(key: "", tokens: burst * TokenBuckets.newcomersShare, filled: 0)
  }

  /// Keys that are known.
  var count: Int { buckets.count }

  /// Takes tokens at a time in seconds; the seconds to wait when there are too few, `nil` when they were taken.
  ///
  /// With a cost of 0 it only tells whether there is one token.
  mutating func take(_ cost: Double = 1, of key: String, at time: Double) -> Double? {
    let need = max(cost, cost == 0 ? 1 : cost)
    guard let place = place(of: key, at: time) else {
      return TokenBuckets.take(
        need,
        cost,
        &newcomers,
        time,
        perSecond * TokenBuckets.newcomersShare,
        burst * TokenBuckets.newcomersShare
      )
    }
    return TokenBuckets.take(need, cost, &buckets[place], time, perSecond, burst)
  }

  /// Takes what was given elsewhere, also below nothing; who is not known any more and has no room goes free.
  mutating func charge(_ tokens: Double, of key: String, at time: Double) {
    guard let place = place(of: key, at: time) else { return }
    // Filled first: what comes back by now does not pay for it.
    buckets[place].fill(at: time, perSecond: perSecond, burst: burst)
    buckets[place].tokens = max(-TokenBuckets.mostDebt * burst, buckets[place].tokens - tokens)
  }

  /// Gives tokens back that were taken for nothing; who is not known has taken them from the newcomers' bucket.
  mutating func giveBack(_ tokens: Double, of key: String) {
    guard let place = places[key] else {
      newcomers.tokens = min(burst * TokenBuckets.newcomersShare, newcomers.tokens + tokens)
      return
    }
    buckets[place].tokens = min(burst, buckets[place].tokens + tokens)
  }

  private static func take(
    _ need: Double,
    _ cost: Double,
    _ bucket: inout Bucket,
    _ time: Double,
    _ perSecond: Double,
    _ burst: Double
  ) -> Double? {
    bucket.fill(at: time, perSecond: perSecond, burst: burst)
    guard bucket.tokens >= need else { return (need - bucket.tokens) / perSecond }
    bucket.tokens -= cost
    return nil
  }

  private mutating func place(of key: String, at time: Double) -> Int? {
    if let place = places[key] { return place }
    let new = Bucket(key: key, tokens: burst, filled: time)
    if buckets.count < capacity {
      buckets.append(new)
      places[key] = buckets.count - 1
      return buckets.count - 1
    }
    for _ in 0..<min(TokenBuckets.looks, buckets.count) {
      hand = (hand + 1) % buckets.count
      let bucket = buckets[hand]
      guard bucket.tokens + (time - bucket.filled) * perSecond >= burst else { continue }
      places[bucket.key] = nil
      buckets[hand] = new
      places[key] = hand
      return hand
    }
    return nil
  }
}
