import CZlib
import Foundation
import SightlineInput

/// Writes a ground file: tiles as they come, their directory and the rest behind them.
///
/// The file is whole only after ``finish(info:walking:)``: its header is written last.
struct GroundFileWriter {
  private let path: String
  private let handle: FileHandle
  private var offset: Int
  private let tilesStart: Int
  private var tilesChecksum = UInt(crc32(0, nil, 0))
  private var directory: [UInt8] = []
  private var lastKey: UInt64?

  init(path: String) throws(GroundProblem) {
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else {
      throw .unwritable(path)
    }
    self.path = path
    self.handle = handle
    let room = GroundFile.headerBytes + GroundFile.Section.allCases.count * GroundFile.sectionBytes
    tilesStart = room
    offset = 0
    try write([UInt8](repeating: 0, count: room))
  }

  private mutating func write(_ bytes: [UInt8]) throws(GroundProblem) {
    do { try handle.write(contentsOf: bytes) } catch { throw .unwritable(path) }
    offset += bytes.count
  }

  /// Adds a tile; they come by rising zoom, row and column.
  mutating func add(_ id: TileID, _ content: [UInt8]) throws(GroundProblem) {
    precondition(lastKey.map { $0 < id.key } ?? true)
    lastKey = id.key
    let packed = try Self.gzip(content, path: path)
    Self.append(id.key, to: &directory)
    Self.append(UInt64(clamped: offset - tilesStart), to: &directory)
    Self.append(UInt32(clamped: packed.count), to: &directory)
    Self.append(UInt32(0), to: &directory)
    tilesChecksum = packed.withUnsafeBytes {
      crc32(tilesChecksum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32(clamped: packed.count))
    }
    try write(packed)
  }

  var tileCount: Int { directory.count / GroundFile.entryBytes }

  /// Writes the rest and the header, and waits until all of it is on the disk.
  mutating func finish(info: GroundInfo, walking: [UInt8]) throws(GroundProblem) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(info) else { throw .unwritable(path) }
    var table: [UInt8] = []
    let tiles = (tilesStart, offset - tilesStart, UInt32(truncatingIfNeeded: tilesChecksum))
    var sections: [(GroundFile.Section, Int, Int, UInt32)] = [(.tiles, tiles.0, tiles.1, tiles.2)]
    for (section, bytes) in [(GroundFile.Section.directory, directory), (.walking, walking), (.info, [UInt8](text))] {
      // What is mapped is read as numbers of eight bytes.
      try write([UInt8](repeating: 0, count: (8 - offset % 8) % 8))
      sections.append((section, offset, bytes.count, bytes.withUnsafeBytes { Self.checksum($0) }))
      try write(bytes)
    }
    table += GroundFile.magic
    Self.append(GroundFile.version, to: &table)
    Self.append(UInt32(clamped: sections.count), to: &table)
    for (section, offset, length, checksum) in sections {
      Self.append(section.rawValue, to: &table)
      Self.append(checksum, to: &table)
      Self.append(UInt64(clamped: offset), to: &table)
      Self.append(UInt64(clamped: length), to: &table)
    }
    do {
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: table)
      try handle.synchronize()
      try handle.close()
    } catch { throw .unwritable(path) }
  }

  static func append<Number: FixedWidthInteger>(_ value: Number, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  /// CRC-32 as zip and gzip have it.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var value = UInt(crc32(0, nil, 0))
    var start = 0
    // zlib counts in 32 bits.
    while start < bytes.count {
      let count = min(bytes.count - start, 1 << 30)
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
      value = crc32(value, part.bindMemory(to: UInt8.self).baseAddress, UInt32(clamped: count))
      start += count
    }
    return UInt32(truncatingIfNeeded: value)
  }

  /// One gzip stream without a time: the same content gives the same bytes.
  private static func gzip(_ content: [UInt8], path: String) throws(GroundProblem) -> [UInt8] {
    var stream = z_stream()
    guard sl_deflate_init_gzip(&stream, 9) == Z_OK else { throw .unwritable(path) }
    defer { deflateEnd(&stream) }
    var content = content
    let room = Int(deflateBound(&stream, uLong(content.count)))
    var count = 0
    let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, used in
      content.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(clamped: input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamped: room)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? room - Int(stream.avail_out) : 0
      }
      used = count
    }
    guard !packed.isEmpty else { throw .unwritable(path) }
    return packed
  }
}
