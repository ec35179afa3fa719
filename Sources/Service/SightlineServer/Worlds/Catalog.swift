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
    /// What has been read of the worlds' contents so far.
    let digests: [String: WorldDigest]
    /// The answer that lists the worlds, plain and compressed.
    let listing: ByteBuffer
    let compressedListing: ByteBuffer?
    /// Names the listing.
    let etag: String

    init(
      generation: Int64,
      worlds: [WorldRecord],
      indexes: [String: PlaceIndex],
      digests: [String: WorldDigest] = [:]
    ) {
      self.generation = generation
      self.digests = digests
      self.worlds = worlds
      byID = Dictionary(worlds.map { ($0.id, $0) }) { first, _ in first }
      self.indexes = indexes
      all = worlds.compactMap { indexes[$0.id] }
      listing = WorldJSON.listing(worlds, digests)
      compressedListing = Gzip.compress(listing, level: 5)
      etag = String(Data(SHA256.hash(data: Data(listing.readableBytesView))).hexadecimal.prefix(24))
    }
  }

  private let store: any WorldStore
  private let current = Mutex(Snapshot(generation: -1, worlds: [], indexes: [:]))
  private let refreshing = RefreshGate()
  private let digesting = RefreshGate()

  init(store: any WorldStore) { self.store = store }

  /// The latest state.
  var snapshot: Snapshot { current.withLock { $0 } }

  /// Reads what has changed since the last call; costs one small query when nothing has.
  ///
  /// Calls at the same time run one after the other: none returns before a read that began after its own start.
  ///
  /// - Parameter isForced: Whether the generation says nothing: a database that lost its last changes gives their numbers to others.
  /// - Throws: What the store throws.
  func refresh(isForced: Bool = false) async throws {
    try await refreshing.run { [self] in
      let generation = try await store.generation()
      let old = snapshot
      guard isForced || generation != old.generation else { return }
      let worlds = try await store.worlds()
      var indexes: [String: PlaceIndex] = [:]
      var unchanged: Set<String> = []
      for world in worlds {
        let isUnchanged = old.byID[world.id].map { Catalog.isSame($0, world) } ?? false
        if isUnchanged { unchanged.insert(world.id) }
        if isUnchanged, let known = old.indexes[world.id], known.generation == world.generation {
          indexes[world.id] = known
        } else if let list = try await store.places(of: world.id) {
          indexes[world.id] = PlaceIndex(world: world.id, list: list)
        }
      }
      // Searches go on with what was known of the worlds that have not changed, until `digest()` has read the others.
      let digests = old.digests.filter { id, digest in
        unchanged.contains(id) && indexes[id]?.generation == digest.generation
      }
      let new = Snapshot(generation: generation, worlds: worlds, indexes: indexes, digests: digests)
      current.withLock { $0 = new }
    }
  }

  /// Whether two records are of the same content.
  private static func isSame(_ first: WorldRecord, _ second: WorldRecord) -> Bool {
    first.generation == second.generation && first.contentHash == second.contentHash
  }

  /// Reads the contents of the worlds that have changed since the last call, for searches and covers; costs nothing when none has.
  ///
  /// In pieces; a change of the store waits for none of them.
  func digest() async throws {
    var isDone = false
    while !isDone {
      isDone = try await digesting.run { [self] in try await digestSome() }
      try Task.checkCancellation()
    }
  }

  /// Worlds, and places in them, that are read at a time.
  private static let pieceWorlds = 64
  private static let piecePlaces = 5000

  /// Whether nothing is left.
  private func digestSome() async throws -> Bool {
    let old = snapshot
    var made: [(record: WorldRecord, digest: WorldDigest)] = []
    var places = 0
    for world in old.worlds where old.digests[world.id]?.generation != world.generation {
      guard made.count < Catalog.pieceWorlds, places < Catalog.piecePlaces else { break }
      let content = try await store.world(world.id, version: world.version)
      let dimension = try? content?.dimension()
      let digest = dimension.map { WorldDigest(record: world, dimension: $0) } ?? WorldDigest(unreadable: world)
      made.append((world, digest))
      places += world.places
    }
    guard !made.isEmpty else { return true }
    try await refreshing.run { [self, made] in
      let now = snapshot
      var digests = now.digests
      // What has changed meanwhile is read again.
      for (record, digest) in made where now.byID[record.id].map({ Catalog.isSame($0, record) }) ?? false {
        digests[record.id] = digest
      }
      let new = Snapshot(generation: now.generation, worlds: now.worlds, indexes: now.indexes, digests: digests)
      current.withLock { $0 = new }
    }
    return false
  }
}

/// Runs one piece of asynchronous work at a time.
private actor RefreshGate {
  private var last: Task<Void, Never>?

  func run<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let previous = last
    let task = Task {
      await previous?.value
      return try await work()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
