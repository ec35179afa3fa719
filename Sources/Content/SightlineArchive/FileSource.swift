import Foundation

/// The bytes of a file.
public final class FileSource: ByteSource {
  private let handle: FileHandle

  /// Opens a file.
  ///
  /// - Throws: ``ArchiveError/unreadable(_:)``.
  public init(path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw ArchiveError.unreadable(path) }
    self.handle = handle
  }

  deinit { try? handle.close() }

  /// Reads on; see ``ByteSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    while true {
      let count = Foundation.read(handle.fileDescriptor, start, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw ArchiveError.unreadable("the file (\(String(cString: strerror(errno))))") }
    }
  }
}

/// Bytes in memory.
public final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  /// A source of these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads on; see ``ByteSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<(position + count)])) }
    position += count
    return count
  }
}
