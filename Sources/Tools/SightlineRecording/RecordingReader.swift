/// Where a recording's bytes come from.
public protocol RecordingSource {
  /// The next bytes, at most so many; none at the end.
  mutating func read(upTo count: Int) throws -> [UInt8]
}

/// A recording in memory.
public struct BytesSource: RecordingSource {
  private var rest: ArraySlice<UInt8>

  /// A source of these bytes.
  public init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next bytes.
  public mutating func read(upTo count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// How a recording ended.
public enum RecordingEnd: Equatable, Sendable {
  /// With its end mark.
  case complete
  /// Between two chunks, without the end mark: the recorder was interrupted, or the file was cut there.
  case unfinished
  /// Inside a chunk.
  case truncated(RecordingDamage)
  /// At a chunk whose bytes are not those that were written.
  case damaged(RecordingDamage)
}

/// Where a recording stops being readable, and what is lost.
public struct RecordingDamage: Equatable, Sendable {
  /// What is wrong with a chunk.
  public enum Reason: Equatable, Sendable {
    /// The file ends inside it.
    case cut
    /// Its head is not one.
    case head
    /// The checksum of its payload does not agree.
    case payload
    /// Its payload contradicts its kind (the number of a kind).
    case content(kind: UInt16)
  }
  /// What is wrong.
  public var reason: Reason
  /// Byte at which the bad chunk begins.
  public var offset: UInt64
  /// Chunks before it, the header among them.
  public var chunksBefore: UInt64
  /// Bytes from there to the end.
  public var bytesLost: UInt64
  /// Chunks after the damage that are sound by themselves, and are not played because what came between is not known.
  public var chunksAfter: UInt64
  /// Time of the last of those.
  public var lastTimeAfter: Double?
}

/// Reads a recording event by event, in constant memory: no more than its largest chunk is held.
///
/// ```swift
/// var reader = try RecordingReader(from: FileSource("walk.slrec"))
/// while let entry = try reader.next() { … }
/// if case .damaged(let damage) = reader.end { … }
/// ```
///
/// Chunks of kinds that this version does not know are skipped and counted. Reading stops at the first damaged byte:
/// what comes after it cannot be played, because nobody knows what is missing in between.
public struct RecordingReader<Source: RecordingSource> {
  /// What stands at the beginning.
  public private(set) var header = RecordingHeader()
  /// How the recording ended; `nil` while it has not.
  public private(set) var end: RecordingEnd?
  /// How many chunks of unknown kinds, or with unknown values, were skipped.
  public private(set) var skippedCount: UInt64 = 0
  /// Chunks read so far, the header and skipped ones among them.
  public private(set) var chunkCount: UInt64 = 0
  /// Bytes read so far.
  public private(set) var offset: UInt64 = 0
  /// Time of the last chunk.
  public private(set) var lastTime: Double = 0
  private var source: Source

  /// Reads the header.
  ///
  /// - Throws: ``RecordingError`` when there is no recording, or what the source throws.
  public init(from source: Source) throws {
    self.source = source
    let signature = try take(8)
    guard signature == RecordingFormat.signature else {
      let looksLikeText = signature.count > 3 && signature[1..<4] == RecordingFormat.signature[1..<4]
      throw looksLikeText ? RecordingError.transferredAsText : RecordingError.noRecording
    }
    guard let head = ChunkHead(try take(RecordingFormat.headSize)[...]), head.kind == ChunkKind.header.rawValue else {
      throw RecordingError.noHeader
    }
    let payload = try take(Int(head.length))
    guard payload.count == Int(head.length), CRC32.of(payload[...]) == head.payloadChecksum,
      let header = EventCoding.header(payload, time: head.time)
    else { throw RecordingError.noHeader }
    guard header.version <= RecordingFormat.version else { throw RecordingError.laterVersion(header.version) }
    self.header = header
    lastTime = head.time
    chunkCount = 1
  }

  /// The next event; `nil` at the end, see ``end``.
  ///
  /// - Throws: what the source throws.
  public mutating func next() throws -> RecordingEntry? {
    while end == nil {
      let start = offset
      let headBytes = try take(RecordingFormat.headSize)
      if headBytes.isEmpty {
        end = .unfinished
        return nil
      }
      guard headBytes.count == RecordingFormat.headSize else { return try stop(.cut, at: start, after: headBytes) }
      guard let head = ChunkHead(headBytes[...]) else { return try stop(.head, at: start, after: headBytes) }
      let payload = try take(Int(head.length))
      guard payload.count == Int(head.length) else { return try stop(.cut, at: start, after: []) }
      guard CRC32.of(payload[...]) == head.payloadChecksum else { return try stop(.payload, at: start, after: []) }
      chunkCount &+= 1
      if head.kind == ChunkKind.end.rawValue {
        end = .complete
        return nil
      }
      switch Self.decode(head, payload) {
      case .event(let event):
        lastTime = head.time
        return RecordingEntry(time: head.time, event: event, offset: start)
      case .unknown: skippedCount &+= 1
      case .malformed:
        chunkCount &-= 1
        return try stop(.content(kind: head.kind), at: start, after: [])
      }
    }
    return nil
  }

  private static func decode(_ head: ChunkHead, _ payload: [UInt8]) -> Decoded {
    if let kind = ChunkKind(rawValue: head.kind) {
      return EventCoding.decode(kind: kind, payload, time: head.time)
    }
    guard let kind = TrackingKind(rawValue: head.kind) else { return .unknown }
    return TrackingCoding.decode(kind, payload).map { .event(.tracking($0)) } ?? .malformed
  }

  /// Ends the reading at a bad chunk, and counts what lies behind it.
  private mutating func stop(
    _ reason: RecordingDamage.Reason,
    at start: UInt64,
    after leftover: [UInt8]
  ) throws -> RecordingEntry? {
    let rest = try DamageSurvey.run(from: leftover) { try take($0) }
    let damage = RecordingDamage(
      reason: reason,
      offset: start,
      chunksBefore: chunkCount,
      bytesLost: offset &- start,
      chunksAfter: rest.chunks,
      lastTimeAfter: rest.lastTime
    )
    end = reason == .cut ? .truncated(damage) : .damaged(damage)
    return nil
  }

  /// So many bytes, or fewer at the end; memory grows only with bytes that are there.
  private mutating func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try source.read(upTo: min(count - bytes.count, 1 << 20))
      if more.isEmpty { break }
      bytes += more
    }
    offset &+= UInt64(clamping: bytes.count)
    return bytes
  }
}
