import CZlib
import Foundation

/// An entry's content, unpacked piece by piece and checked against the directory at its end.
final class ZipEntrySource: ByteSource {
  private let data: Data
  private let file: PackedFile?
  private let entry: ZipArchive.Entry
  private let inflater: Inflater?
  private var position: Int
  private let end: Int
  private var produced = 0
  private var checksum: UInt = crc32(0, nil, 0)
  private var isFinished = false

  /// A source of the archive's bytes from `start`, from the file itself where there is one.
  init(data: Data, file: PackedFile?, start: Int, entry: ZipArchive.Entry, inflater: Inflater?) {
    self.data = data
    self.file = file
    self.entry = entry
    self.inflater = inflater
    position = start
    end = start + entry.packedSize
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isFinished, buffer.count > 0 else { return 0 }
    let count = try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, 1 << 30)]))
    produced += count
    guard produced <= entry.size else {
      throw ArchiveError.damaged(entry: entry.name, "it is longer than its directory says")
    }
    checksum = crc32(checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: count))
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

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let inflater else {
      return try packed(most: buffer.count) { bytes in
        buffer.copyMemory(from: bytes)
        return (bytes.count, bytes.count)
      }
    }
    while true {
      let count = try packed(most: 1 << 30) { bytes in
        let (used, made) = try inflater.inflate(bytes, into: buffer)
        return (used, made)
      }
      // A little input may give no output yet; that alone is not the end.
      if count > 0 || inflater.hasEnded { return count }
    }
  }

  /// Hands the next packed bytes over; `body` says how many it used, and what to return.
  private func packed(
    most: Int,
    _ body: (UnsafeRawBufferPointer) throws -> (used: Int, result: Int)
  ) throws -> Int {
    let count = min(most, end - position)
    let used: (Int, Int)
    if let file {
      used = try body(try file.bytes(at: position, most: count))
    } else {
      used = try data.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[position..<(position + count)])) }
    }
    position += used.0
    return used.1
  }
}

/// An archive's file, of which a window is held: a mapped file of gigabytes would fill the memory as it is read, and end the
/// program if somebody cut it off meanwhile.
final class PackedFile {
  private let handle: FileHandle
  private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private var start = 0
  private var count = 0

  init(path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw ArchiveError.unreadable(path) }
    self.handle = handle
  }

  deinit {
    window.deallocate()
    try? handle.close()
  }

  /// Some bytes from a place in the file, at most so many; none only when none are asked for.
  ///
  /// - Throws: ``ArchiveError/unreadable(_:)``, also when the file has become shorter.
  func bytes(at position: Int, most: Int) throws -> UnsafeRawBufferPointer {
    guard most > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if position < start || position >= start + count {
      count = try read(at: position)
      start = position
    }
    let first = position - start
    return UnsafeRawBufferPointer(rebasing: window[first..<min(count, first + most)])
  }

  private func read(at position: Int) throws -> Int {
    while true {
      let count = pread(handle.fileDescriptor, window.baseAddress, window.count, off_t(position))
      if count > 0 { return count }
      if count == 0 { throw ArchiveError.unreadable("the archive: it has become shorter while it was read") }
      if errno != EINTR { throw ArchiveError.unreadable("the archive (\(String(cString: strerror(errno))))") }
    }
  }
}

/// zlib's inflate over a raw deflate stream.
final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let entry: String
  /// Whether the stream has come to its own end.
  private(set) var hasEnded = false

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
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: output.count)
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
