import NIOCore
import Synchronization

/// Answers that cost time to make, by what they are made of; the least recently used go when it is full.
///
/// What is wanted by several at once is made once. Work runs in a ``BackgroundWorker``, where no network gets more than its
/// turn.
final class BodyCache: Sendable {
  /// An answer, plain and compressed.
  struct Body: Sendable {
    let plain: ByteBuffer
    let gzip: ByteBuffer?
    var mediaType = ""
    /// ``ContentTag`` of the plain form of what was computed; empty for bytes that were there already.
    var tag = ""

    var bytes: Int { plain.readableBytes + (gzip?.readableBytes ?? 0) }
  }

  /// Where an answer comes from.
  enum Source: Sendable {
    /// Bytes that are there already, and their media type.
    case bytes(ByteBuffer, mediaType: String)
    /// A computation.
    case work(@Sendable () throws -> ByteBuffer)
  }

  private let limit: Int
  private let worker: BackgroundWorker
  private let metrics: CacheMetrics?
  private let entries: Mutex<RecentEntries<Body>>
  private let flights = SingleFlight<String, Body?>()

  /// A cache of at most so many bytes, keys and the table's own share included.
  init(
    limit: Int,
    worker: BackgroundWorker = BackgroundWorker(label: "sightline.bodies", limit: 256),
    metrics: CacheMetrics? = nil
  ) {
    self.limit = limit
    self.metrics = metrics
    self.worker = worker
    entries = Mutex(RecentEntries(limit: limit))
  }

  /// Bytes that are taken, and answers that are kept.
  var use: (bytes: Int, count: Int) { entries.withLock { ($0.bytes, $0.count) } }

  /// The kept answer, or a new one.
  ///
  /// What does not get smaller by it need not be compressed; what nobody will ask for again need not be kept.
  func body(
    for key: String,
    isCompressed: Bool = true,
    isKept: Bool = true,
    make: @escaping @Sendable () async throws -> Source?
  ) async throws -> Body? {
    if let known = entries.withLock({ $0[key] }) {
      metrics?.hits.increment()
      return known
    }
    metrics?.misses.increment()
    return try await flights.value(for: key) { [self] in
      // The one before may have made it between the look and now.
      if let known = entries.withLock({ $0[key] }) { return known }
      let body: Body
      switch try await make() {
      case nil: return nil
      case .bytes(let plain, let mediaType):
        body = Body(plain: plain, gzip: nil, mediaType: mediaType)
      case .work(let work):
        body = try await worker.run {
          let plain = try work()
          var made = Body(plain: plain, gzip: isCompressed ? Gzip.compress(plain, level: 5) : nil)
          made.tag = ContentTag.of(plain.readableBytesView)
          return made
        }
      }
      // One answer must not drive out all the others.
      if isKept, body.bytes <= limit / 4 {
        entries.withLock { $0.set(key, to: body, bytes: body.bytes) }
      }
      return body
    }
  }
}

/// Values by name in bounded memory, in the order in which they were used last.
struct RecentEntries<Value: Sendable>: Sendable {
  private struct Entry {
    var key: String
    var value: Value
    var bytes: Int
    /// Places of the ones used after and before this one; -1 for none.
    var newer: Int
    var older: Int
  }

  private let limit: Int
  private var places: [String: Int] = [:]
  private var entries: [Entry?] = []
  private var free: [Int] = []
  private var newest = -1
  private var oldest = -1
  /// Bytes of all entries with their keys.
  private(set) var bytes = 0

  /// What an entry takes besides its key and value, bytes.
  static var overhead: Int { 256 }

  init(limit: Int) { self.limit = limit }

  /// Entries that are kept.
  var count: Int { places.count }

  /// A value; asking for it makes it the one used last.
  subscript(key: String) -> Value? {
    mutating get {
      guard let place = places[key], let entry = entries[place] else { return nil }
      unlink(place)
      link(place)
      return entry.value
    }
  }

  /// Keeps a value of so many bytes, and lets the ones go that were not used for the longest time.
  mutating func set(_ key: String, to value: Value, bytes size: Int) {
    if let place = places[key] { remove(place) }
    // The key stands in the table and in the entry, once in memory.
    let size = size + key.utf8.count + RecentEntries.overhead
    let entry = Entry(key: key, value: value, bytes: size, newer: -1, older: -1)
    let place: Int
    if let reused = free.popLast() {
      place = reused
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
    }
    places[key] = place
    bytes += size
    link(place)
    while bytes > limit, oldest >= 0 { remove(oldest) }
  }

  private mutating func remove(_ place: Int) {
    guard let entry = entries[place] else { return }
    unlink(place)
    entries[place] = nil
    places[entry.key] = nil
    bytes -= entry.bytes
    free.append(place)
  }

  private mutating func link(_ place: Int) {
    entries[place]?.older = newest
    entries[place]?.newer = -1
    if newest >= 0 { entries[newest]?.newer = place }
    newest = place
    if oldest < 0 { oldest = place }
  }

  private mutating func unlink(_ place: Int) {
    guard let entry = entries[place] else { return }
    if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
    if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
  }
}
