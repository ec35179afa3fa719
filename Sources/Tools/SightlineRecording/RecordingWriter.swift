/// Where a recording's bytes go.
public protocol RecordingSink {
  /// Appends some bytes.
  mutating func append(_ bytes: [UInt8]) throws
}

/// A recording in memory.
public struct BytesSink: RecordingSink {
  /// What was written.
  public private(set) var bytes: [UInt8] = []

  /// An empty one.
  public init() {}

  /// Appends some bytes.
  public mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }
}

/// Writes a recording, chunk by chunk.
///
/// ```swift
/// var writer = try RecordingWriter(to: FileSink("walk.slrec"), header: RecordingHeader(fields: ["writer": "me"]))
/// try writer.append(.session(.display(display)), at: 0)
/// try writer.append(.tick, at: 0.016)
/// try writer.finish()
/// ```
///
/// Equal calls give equal bytes. Without ``finish()`` the recording is whole up to its last chunk, and readers say that
/// its end is missing.
public struct RecordingWriter<Sink: RecordingSink> {
  /// Where the bytes go.
  public private(set) var sink: Sink
  /// Chunks written, the header among them.
  public private(set) var chunkCount: UInt64 = 0
  private var lastTime: Double

  /// Begins a recording.
  public init(to sink: Sink, header: RecordingHeader) throws {
    self.sink = sink
    lastTime = header.time
    try self.sink.append(RecordingFormat.signature)
    try write(ChunkKind.header.rawValue, EventCoding.encode(header), at: header.time)
  }

  /// Appends an event.
  ///
  /// - Parameters:
  ///   - event: what happened. A world, document or picture of more than ``RecordingFormat/largestPayload`` bytes is
  ///     refused.
  ///   - time: seconds, a number; of a motion sample its own time should be given.
  /// - Throws: ``RecordingError/tooLarge(bytes:)``, ``RecordingError/noTime``, or what the sink throws.
  public mutating func append(_ event: RecordingEvent, at time: Double) throws {
    let (kind, payload) = EventCoding.encode(event)
    try write(kind, payload, at: time)
  }

  /// Appends the mark that the recording is complete.
  public mutating func finish() throws {
    var out = ByteWriter()
    out.put(chunkCount)
    try write(ChunkKind.end.rawValue, out.bytes, at: lastTime)
  }

  private mutating func write(_ kind: UInt16, _ payload: [UInt8], at time: Double) throws {
    guard payload.count <= RecordingFormat.largestPayload else {
      throw RecordingError.tooLarge(bytes: payload.count)
    }
    guard RecordingFormat.times.contains(time) else { throw RecordingError.noTime }
    let head = ChunkHead(
      length: UInt32(clamping: payload.count),
      kind: kind,
      time: time,
      payloadChecksum: CRC32.of(payload[...])
    )
    try sink.append(head.bytes + payload)
    lastTime = time
    chunkCount &+= 1
  }
}

extension EventCoding {
  static func encode(_ header: RecordingHeader) -> [UInt8] {
    var out = ByteWriter()
    out.put(header.version)
    out.put(UInt16(clamping: header.fields.count))
    for (name, value) in header.fields.sorted(by: { $0.key < $1.key }).prefix(Int(UInt16.max)) {
      out.put(name)
      out.put(value)
    }
    return out.bytes
  }

  static func header(_ payload: [UInt8], time: Double) -> RecordingHeader? {
    var source = ByteReader(payload[...])
    guard let version = source.u16(), let count = source.u16() else { return nil }
    var header = RecordingHeader(version: version, time: time)
    for _ in 0..<count {
      guard let name = source.text(), let value = source.text() else { return nil }
      header.fields[name] = value
    }
    return header
  }
}
