import CZlib

/// Makes a zip archive in memory: the same entries give the same bytes.
///
/// Source: PKWARE, APPNOTE 6.3.10, without the extensions for large archives (zip64) and with names in UTF-8.
public struct ZipWriter {
  /// Why an entry was not taken.
  public enum Failure: Error, Equatable {
    /// An archive of this kind holds at most 65,535 entries and 4 GiB.
    case tooLarge
  }

  private struct Entry {
    let name: [UInt8]
    let method: Int
    let checksum: UInt
    let packedSize: Int
    let size: Int
    let start: Int
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private static let mostBytes = Int(UInt32.max) - 1

  /// An empty archive.
  public init() {}

  /// Adds a file, packed when that makes it smaller.
  ///
  /// - Parameters:
  ///   - name: path in the archive, with slashes; given once.
  ///   - content: what is in it.
  /// - Throws: ``Failure``.
  public mutating func add(_ name: String, _ content: [UInt8]) throws(Failure) {
    let path = Array(name.utf8)
    guard entries.count < 65_535, path.count <= 65_535,
      bytes.count + content.count + path.count + 4096 <= Self.mostBytes
    else { throw .tooLarge }
    let packed = Self.deflated(content)
    let data = packed ?? content
    let entry = Entry(
      name: path,
      method: packed == nil ? 0 : 8,
      checksum: content.withUnsafeBufferPointer { crc32(crc32(0, nil, 0), $0.baseAddress, UInt32(clamping: $0.count)) },
      packedSize: data.count,
      size: content.count,
      start: bytes.count
    )
    entries.append(entry)
    write(0x0403_4B50, 4)
    writeCommon(entry)
    write(entry.name.count, 2)
    write(0, 2)
    bytes += entry.name
    bytes += data
  }

  /// The archive.
  ///
  /// - Throws: ``Failure`` when the directory does not fit any more.
  public consuming func finish() throws(Failure) -> [UInt8] {
    let start = bytes.count
    for entry in entries {
      write(0x0201_4B50, 4)
      // Made by version 2.0.
      write(20, 2)
      writeCommon(entry)
      write(entry.name.count, 2)
      // No extra field, no comment, disk 0, no attributes.
      for size in [2, 2, 2, 2, 4] { write(0, size) }
      write(entry.start, 4)
      bytes += entry.name
      guard bytes.count <= Self.mostBytes else { throw .tooLarge }
    }
    let length = bytes.count - start
    write(0x0605_4B50, 4)
    write(0, 2)
    write(0, 2)
    write(entries.count, 2)
    write(entries.count, 2)
    write(length, 4)
    write(start, 4)
    write(0, 2)
    return bytes
  }

  /// What the header of an entry and its line in the directory have in common.
  private mutating func writeCommon(_ entry: Entry) {
    // Needs version 2.0; names in UTF-8.
    write(20, 2)
    write(0x0800, 2)
    write(entry.method, 2)
    // The first of January 1980: when it was packed is nobody's business.
    write(0, 2)
    write(0x0021, 2)
    write(Int(truncatingIfNeeded: entry.checksum), 4)
    write(entry.packedSize, 4)
    write(entry.size, 4)
  }

  /// A number, the lowest byte first; sizes were checked to fit.
  private mutating func write(_ value: Int, _ size: Int) {
    for place in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
  }

  /// Packed content; `nil` when it is not smaller.
  private static func deflated(_ content: [UInt8]) -> [UInt8]? {
    guard content.count > 32 else { return nil }
    var stream = z_stream()
    guard sl_deflate_init_raw(&stream, 6) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    return content.withUnsafeBufferPointer { input -> [UInt8]? in
      var output = [UInt8](repeating: 0, count: content.count)
      let count = output.withUnsafeMutableBufferPointer { buffer -> Int? in
        // zlib reads its input, whatever its type says.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: buffer.count)
        // No room in as many bytes as went in: not smaller.
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? buffer.count - Int(stream.avail_out) : nil
      }
      guard let count, count < content.count else { return nil }
      output.removeLast(output.count - count)
      return output
    }
  }
}
