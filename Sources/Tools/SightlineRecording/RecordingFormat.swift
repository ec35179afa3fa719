/// The numbers of the format; `Documentation/recording.md` describes it for writers in other languages.
///
/// A file is eight fixed bytes and a row of chunks. A chunk is a head of 24 bytes and a payload; everything is
/// little-endian. Chunks are only ever appended, so a recording that was interrupted is whole up to its last chunk.
public enum RecordingFormat {
  /// The first eight bytes; like those of PNG they show when a transfer has taken them for text.
  public static let signature: [UInt8] = [0x89, 0x53, 0x4C, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Version that is written; readers refuse a larger one.
  ///
  /// New kinds of chunks and longer payloads need no new version, because old readers skip them.
  public static let version: UInt16 = 1
  /// Bytes of a chunk's head.
  public static let headSize = 24
  /// Most bytes of a payload; larger lets larger pictures and worlds in and costs readers as much memory.
  public static let largestPayload = 64 << 20
  /// Times that a chunk may have, seconds: thirty thousand years in either direction.
  ///
  /// Beyond, a frame later is no other
  /// number than a frame before.
  public static let times = -1e12...1e12
  /// The usual ending of a file's name.
  public static let fileExtension = "slrec"
}

/// The head of a chunk.
struct ChunkHead: Equatable {
  var length: UInt32
  var kind: UInt16
  var time: Double
  var payloadChecksum: UInt32

  /// Its 24 bytes, the last four of which are the checksum of those before.
  var bytes: [UInt8] {
    var out = ByteWriter()
    out.put(length)
    out.put(kind)
    out.put(0 as UInt16)
    out.put(time)
    out.put(payloadChecksum)
    out.put(CRC32.of(out.bytes[...]))
    return out.bytes
  }

  init(length: UInt32, kind: UInt16, time: Double, payloadChecksum: UInt32) {
    self.length = length
    self.kind = kind
    self.time = time
    self.payloadChecksum = payloadChecksum
  }

  /// A head from 24 bytes; `nil` when they are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == RecordingFormat.headSize else { return nil }
    var source = ByteReader(bytes)
    guard let length = source.u32(), let kind = source.u16(), let reserved = source.u16(), let time = source.f64(),
      let payloadChecksum = source.u32(), let checksum = source.u32()
    else { return nil }
    // The cheap conditions first: after damage this is asked at every byte.
    guard reserved == 0, length <= RecordingFormat.largestPayload, RecordingFormat.times.contains(time),
      checksum == CRC32.of(bytes.dropLast(4))
    else { return nil }
    self.init(length: length, kind: kind, time: time, payloadChecksum: payloadChecksum)
  }
}

extension RecordingFormat {
  /// A chunk with any payload, for tests of readers.
  ///
  /// - Parameters:
  ///   - kind: its number.
  ///   - payload: at most ``largestPayload`` bytes.
  ///   - time: seconds.
  /// - Returns: head and payload.
  public static func chunk(kind: UInt16, payload: [UInt8], time: Double) -> [UInt8] {
    let checksum = CRC32.of(payload[...])
    return ChunkHead(length: UInt32(clamping: payload.count), kind: kind, time: time, payloadChecksum: checksum).bytes
      + payload
  }
}
