import CZlib
import NIOCore

/// gzip, through the system's zlib.
enum Gzip {
  /// Bodies below it are sent as they are: the saving is less than a packet.
  static let worthwhileBytes = 1024

  /// The compressed bytes, or `nil` when they are not clearly fewer; the level is 1 (fast) to 9 (small).
  static func compress(_ body: ByteBuffer, level: Int32) -> ByteBuffer? {
    guard body.readableBytes >= worthwhileBytes, body.readableBytes < Int(UInt32.max) / 2 else { return nil }
    var stream = z_stream()
    guard sl_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, uLong(body.readableBytes)))
    var output = ByteBufferAllocator().buffer(capacity: bound)
    let status = body.withUnsafeReadableBytes { input in
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
        // zlib's interface takes a mutable pointer but does not write through it.
        stream.next_in = UnsafeMutablePointer(
          mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: room.count)
        let result = deflate(&stream, Z_FINISH)
        return result == Z_STREAM_END ? room.count - Int(stream.avail_out) : 0
      }
    }
    guard status > 0, output.readableBytes < body.readableBytes - body.readableBytes / 16 else { return nil }
    return output
  }
}
