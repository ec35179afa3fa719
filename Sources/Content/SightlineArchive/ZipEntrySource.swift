import CZlib
import Foundation

/// An entry's content, unpacked piece by piece and checked against the directory at its end.
final class ZipEntrySource: ByteSource {
  private let data: Data
  private let entry: ZipArchive.Entry
  private let inflater: Inflater?
  private var position: Int
  private let end: Int
  private var produced = 0
  private var checksum: UInt = crc32(0, nil, 0)
  private var isFinished = false

  init(data: Data, start: Int, entry: ZipArchive.Entry, inflater: Inflater?) {
    self.data = data
    self.entry = entry
    self.inflater = inflater
    position = start
    end = start + entry.packedSize
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isFinished, buffer.count > 0 else { return 0 }
    let count = try data.withUnsafeBytes { try fill(buffer, from: $0) }
    produced += count
    guard produced <= entry.size else {
      throw ArchiveError.damaged(entry: entry.name, "it is longer than its directory says")
    }
    checksum = crc32(checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(count))
    if count == 0 {
      isFinished = true
      guard produced == entry.size else {
        throw ArchiveError.damaged(entry: entry.name, "it ends after \(produced) of \(entry.size) bytes")
      }
      guard checksum == UInt(entry.checksum) else {
        throw ArchiveError.damaged(entry: entry.name, "its checksum is wrong")
      }
    }
    return count
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from bytes: UnsafeRawBufferPointer) throws -> Int {
    let most = min(buffer.count, 1 << 30)
    guard let inflater else {
      let count = min(most, end - position)
      buffer.copyMemory(from: .init(rebasing: bytes[position..<(position + count)]))
      position += count
      return count
    }
    let packed = UnsafeRawBufferPointer(rebasing: bytes[position..<min(end, position + 1 << 30)])
    let (used, count) = try inflater.inflate(packed, into: .init(rebasing: buffer[..<most]))
    position += used
    return count
  }
}

/// zlib's inflate over a raw deflate stream.
final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let entry: String
  private var hasEnded = false

  init(entry: String) throws {
    self.entry = entry
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard sl_inflate_init_raw(stream) == Z_OK else {
      stream.deallocate()
      throw ArchiveError.damaged(entry: entry, "there is not enough memory to unpack it")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Unpacks until the output is full or the input is used up; returns bytes used and bytes made.
  func inflate(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws -> (used: Int, made: Int) {
    if hasEnded { return (0, 0) }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    )
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    let result = CZlib.inflate(stream, Z_NO_FLUSH)
    let used = input.count - Int(stream.pointee.avail_in)
    let made = output.count - Int(stream.pointee.avail_out)
    switch result {
    case Z_STREAM_END: hasEnded = true
    case Z_OK: break
    case Z_BUF_ERROR where made == 0: throw ArchiveError.damaged(entry: entry, "its packed data is cut off")
    case Z_BUF_ERROR: break
    default: throw ArchiveError.damaged(entry: entry, "its packed data makes no sense")
    }
    return (used, made)
  }
}
