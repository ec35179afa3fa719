import Crypto
import Foundation
import NIOCore
import SightlineGeodesy
import SightlineStore
import Synchronization

/// What of the store is kept in memory: the list of worlds and the index of their places.
///
/// Requests read one immutable snapshot; a change of the store makes a new one, which takes the old one's place at
/// once. A snapshot in use stays alive until its last reader is done.
final class Catalog: Sendable {
  /// The state of the store at one generation.
  final class Snapshot: Sendable {
    let generation: Int64
    let worlds: [WorldRecord]
    let byID: [String: WorldRecord]
    let indexes: [String: PlaceIndex]
    /// All indexes, for searches over every world.
    let all: [PlaceIndex]
    /// The answer that lists the worlds, plain and compressed.
    let listing: ByteBuffer
    let compressedListing: ByteBuffer?
    /// Names the listing.
    let etag: String

    init(generation: Int64, worlds: [WorldRecord], indexes: [String: PlaceIndex]) {
      self.generation = generation
      self.worlds = worlds
      byID = Dictionary(worlds.map { ($0.id, $0) }) { first, _ in first }
      self.indexes = indexes
      all = worlds.compactMap { indexes[$0.id] }
      listing = WorldJSON.listing(worlds)
      compressedListing = Gzip.compress(listing, level: 5)
      etag = String(Data(SHA256.hash(data: Data(listing.readableBytesView))).hexadecimal.prefix(24))
    }
  }

  private let store: any WorldStore
  private let current = Mutex(Snapshot(generation: -1, worlds: [], indexes: [:]))
  private let refreshing = RefreshGate()

  init(store: any WorldStore) { self.store = store }

  /// The latest state.
  var snapshot: Snapshot { current.withLock { $0 } }

  /// Reads what has changed since the last call; costs one small query when nothing has.
  ///
  /// Calls at the same time run one after the other: none returns before a read that began after its own start.
  func refresh() async throws {
    try await refreshing.run { [self] in
      let generation = try await store.generation()
      let old = snapshot
      guard generation != old.generation else { return }
      let worlds = try await store.worlds()
      var indexes: [String: PlaceIndex] = [:]
      for world in worlds {
        if let known = old.indexes[world.id], known.generation == world.generation {
          indexes[world.id] = known
        } else if let list = try await store.places(of: world.id) {
          indexes[world.id] = PlaceIndex(world: world.id, list: list)
        }
      }
      let new = Snapshot(generation: generation, worlds: worlds, indexes: indexes)
      current.withLock { $0 = new }
    }
  }
}

/// Runs one piece of asynchronous work at a time.
private actor RefreshGate {
  private var last: Task<Void, any Error>?

  func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let previous = last
    let task = Task {
      _ = await previous?.result
      try await work()
    }
    last = task
    try await task.value
  }
}
