/// A token bucket for each key, in bounded memory.
///
/// When there is no room for another key, one whose bucket is full again makes room, for it is as good as new. While there is
/// none, newcomers share one bucket: nobody who is known is forgotten, and a flood of addresses meets a limit.
struct TokenBuckets: Sendable {
  private struct Bucket {
    var key: String
    var tokens: Double
    var filled: Double
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
    buckets[place].tokens = min(burst, buckets[place].tokens + max(0, time - buckets[place].filled) * perSecond)
    buckets[place].filled = max(time, buckets[place].filled)
    buckets[place].tokens = max(-TokenBuckets.mostDebt * burst, buckets[place].tokens - tokens)
  }

  /// Gives tokens back that were taken for nothing.
  mutating func giveBack(_ tokens: Double, of key: String) {
    guard let place = places[key] else { return }
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
    bucket.tokens = min(burst, bucket.tokens + max(0, time - bucket.filled) * perSecond)
    bucket.filled = max(time, bucket.filled)
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
