import SightlineInput

/// How much of something scarce one network may hold, so that none can take what others need.
///
/// Besides the two fixed limits a network may hold no more than a part of what is free. So the last places are never one
/// network's: the tighter it gets, the less one may have, and who has nothing yet still gets in.
struct FairShare: Sendable {
  /// Most in all.
  var all: Int
  /// Most of one network.
  var each: Int
  /// A network may hold one part in so many of what is free.
  var part = 8
  /// What a network may hold of what is free, however tight it is.
  var least = 2

  /// Whether a network that holds `held` may take `count` more when `total` are taken by all.
  func admits(_ count: Int = 1, held: Int, total: Int) -> Bool {
    let (wanted, taken) = (held.saturatingAdd(count), total.saturatingAdd(count))
    guard taken <= all, wanted <= each else { return false }
    return wanted <= max(least, (all - total) / part)
  }
}

/// A count of what is held by each network and by all.
struct FairCount<Key: Hashable & Sendable>: Sendable {
  let share: FairShare
  private(set) var total = 0
  private var held: [Key: Int] = [:]

  init(_ share: FairShare) { self.share = share }

  /// What a network holds.
  func held(by key: Key) -> Int { held[key, default: 0] }

  /// Takes some for a network; `false` when it may not have them.
  mutating func take(_ count: Int = 1, for key: Key) -> Bool {
    guard share.admits(count, held: held[key, default: 0], total: total) else { return false }
    add(count, to: key)
    return true
  }

  /// Counts what is held already, whatever the limits say.
  mutating func add(_ count: Int, to key: Key) {
    total += count
    held[key, default: 0] += count
  }

  /// Gives some back.
  mutating func give(_ count: Int = 1, of key: Key) {
    total -= count
    let left = held[key, default: 0] - count
    held[key] = left > 0 ? left : nil
  }
}
