/// Bytes that are read once, from front to back.
public protocol ByteSource: AnyObject {
  /// Fills the buffer from its start, as far as there is anything; returns how many bytes, 0 at the end.
  ///
  /// Fewer bytes than the buffer holds do not mean the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
  /// All that is left, if it is not more than `limit` bytes.
  ///
  /// - Throws: ``ArchiveError/tooLarge(name:limit:)`` beyond the limit, and what reading throws.
  public func readAll(limit: Int, name: String) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while true {
      let count = try read(into: buffer)
      if count == 0 { break }
      if bytes.count + count > limit { throw ArchiveError.tooLarge(name: name, limit: limit) }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return bytes
  }
}

/// Why an archive, or an entry of one, was refused.
public enum ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is not there or may not be read.
  case unreadable(String)
  /// No zip archive: the directory at its end is missing or contradicts itself.
  case notAnArchive(String)
  /// An entry's data does not agree with the directory.
  case damaged(entry: String, String)
  /// An entry uses something that is not supported: encryption or a rare compression.
  case unsupported(entry: String, String)
  /// More bytes than allowed.
  case tooLarge(name: String, limit: Int)
  /// Unpacks to so many times its packed size that it can only be meant to fill the memory.
  case bomb(entry: String)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) cannot be read. Check the path and its rights."
    case .notAnArchive(let why): "This is no zip archive, or it is cut off: \(why)."
    case .damaged(let entry, let why): "\(entry) in the archive is damaged: \(why). Fetch the file again."
    case .unsupported(let entry, let why):
      "\(entry) in the archive uses \(why), which is not supported. Pack it plainly."
    case .tooLarge(let name, let limit): "\(name) has more than \(limit) bytes, the most that is read."
    case .bomb(let entry): "\(entry) unpacks to far more than a real file of its packed size would; it is refused."
    }
  }
}
