import Foundation

/// A zip archive that is read safely: nothing is unpacked to disk, sizes are limited, names are only names.
///
/// Reads stored and deflated entries and the 64-bit extension (PKWARE APPNOTE 6.3); no encryption, no parts. The central
/// directory decides; a local header that contradicts it makes the entry damaged. An entry's checksum is verified at
/// its end.
public struct ZipArchive: Sendable {
  /// What may be read at most.
  public struct Limits: Sendable {
    /// Entries in the directory.
    public var entries = 65_536
    /// Bytes of one entry, unpacked.
    public var unpackedBytes = 8 << 30
    /// Unpacked bytes for each packed byte, beyond the first mebibyte.
    public var ratio = 200

    /// The usual limits.
    public init() {}
  }

  /// One file in the archive.
  public struct Entry: Equatable, Sendable {
    /// Name with `/` between folders, as the archive gives it.
    ///
    /// Not a path to write to.
    public let name: String
    /// Bytes in the archive.
    public let packedSize: Int
    /// Bytes when unpacked, as the directory says.
    public let size: Int
    let method: Int
    let isEncrypted: Bool
    let checksum: UInt32
    let headerOffset: Int
  }

  /// The files, in the directory's order; folders are left out.
  public let entries: [Entry]
  private let data: Data
  /// Where the data lies, for content: the data itself is then only mapped for the directory.
  private let path: String?
  private let limits: Limits

  /// Reads the directory of a file.
  ///
  /// - Throws: ``ArchiveError``.
  public init(path: String, limits: Limits = Limits()) throws {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else {
      throw ArchiveError.unreadable(path)
    }
    try self.init(data: data, path: path, limits: limits)
  }

  /// Reads the directory of an archive in memory.
  ///
  /// - Throws: ``ArchiveError``.
  public init(data: Data, limits: Limits = Limits()) throws { try self.init(data: data, path: nil, limits: limits) }

  private init(data: Data, path: String?, limits: Limits) throws {
    self.data = data
    self.path = path
    self.limits = limits
    entries = try data.withUnsafeBytes { try ZipDirectory(bytes: $0).entries(limit: limits.entries) }
  }

  /// Whether the bytes begin like an archive.
  public static func isArchive(_ data: Data) -> Bool {
    data.starts(with: [0x50, 0x4B, 0x03, 0x04]) || data.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// The entry's content, unpacked while it is read.
  ///
  /// - Throws: ``ArchiveError`` here or while reading.
  public func open(_ entry: Entry) throws -> any ByteSource {
    if entry.isEncrypted { throw ArchiveError.unsupported(entry: entry.name, "encryption") }
    if entry.size > limits.unpackedBytes { throw ArchiveError.tooLarge(name: entry.name, limit: limits.unpackedBytes) }
    if entry.size > 1 << 20, entry.size / limits.ratio > entry.packedSize { throw ArchiveError.bomb(entry: entry.name) }
    let start = try data.withUnsafeBytes { try ZipDirectory(bytes: $0).contentOffset(of: entry) }
    let file = try path.map { try PackedFile(path: $0) }
    switch entry.method {
    case 0:
      guard entry.size == entry.packedSize else {
        throw ArchiveError.damaged(entry: entry.name, "its two sizes differ though it is not packed")
      }
      return ZipEntrySource(data: data, file: file, start: start, entry: entry, inflater: nil)
    case 8:
      let inflater = try Inflater(entry: entry.name)
      return ZipEntrySource(data: data, file: file, start: start, entry: entry, inflater: inflater)
    default: throw ArchiveError.unsupported(entry: entry.name, "compression method \(entry.method)")
    }
  }
}
