import Synchronization

/// Boards that were fetched, by stop and window; see ``ProviderDesk`` for what is done with them.
///
/// Bounded by the departures that it holds: when they are too many the quarter that was used longest ago goes.
final class BoardCache: Sendable {
  struct Key: Hashable, Sendable {
    let stop: String
    let window: Int
  }

  /// What is known of a stop.
  struct Entry {
    var board: ProviderBoard?
    /// Seconds of the timer.
    var fetched = -Double.infinity
    var edition = 0
    var failure: ProviderFailure?
    var failed = -Double.infinity
    var used = 0.0
    /// Who waits for the fetch under way; `nil` when there is none.
    var waiting: [@Sendable (Result<ProviderBoard, ProviderFailure>) -> Void]?

    var weight: Int { 4 + (board.map { $0.departures.count + $0.intervals.count } ?? 0) }
  }

  private struct Shard {
    var entries: [Key: Entry] = [:]
    var weight = 0
  }

  /// A power of two.
  private static let shardCount = 16
  private let shards: [Box]
  private let limit: Int

  private final class Box: Sendable {
    let shard = Mutex(Shard())
  }

  /// A cache of so many departures in all.
  init(limit: Int) {
    self.limit = max(1, limit / Self.shardCount)
    shards = (0..<Self.shardCount).map { _ in Box() }
  }

  private func box(_ key: Key) -> Box {
    // By the last letters, in which neighbours differ: the table of the shard hashes the whole key.
    let place = key.stop.utf8.reversed().prefix(4).reduce(0) { 31 &* $0 &+ Int($1) }
    return shards[place & (Self.shardCount - 1)]
  }

  /// Looks at an entry and changes it; a new one is empty.
  func with<Result>(_ key: Key, _ body: (inout Entry) -> Result) -> Result {
    box(key).shard.withLock { shard in
      let before = shard.entries[key]?.weight ?? 0
      let result = body(&shard.entries[key, default: Entry()])
      shard.weight += (shard.entries[key]?.weight ?? 0) - before
      if shard.weight > limit { evict(&shard, keeping: key) }
      return result
    }
  }

  /// An entry, noted as used at a time (seconds).
  func use(_ key: Key, at time: Double) -> Entry? {
    box(key).shard.withLock { shard in
      guard let place = shard.entries.index(forKey: key) else { return nil }
      shard.entries.values[place].used = time
      return shard.entries.values[place]
    }
  }

  private func evict(_ shard: inout Shard, keeping kept: Key) {
    let old = shard.entries.filter { $0.key != kept && $0.value.waiting == nil }.sorted {
      $0.value.used < $1.value.used
    }
    for (key, entry) in old where shard.weight > limit * 3 / 4 {
      shard.weight -= entry.weight
      shard.entries[key] = nil
    }
  }

  /// Entries and departures held.
  var size: (entries: Int, departures: Int) {
    shards.reduce((0, 0)) { sum, box in
      box.shard.withLock { (sum.0 + $0.entries.count, sum.1 + $0.weight) }
    }
  }
}
