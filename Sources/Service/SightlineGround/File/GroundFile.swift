import CZlib
import Foundation
import SightlineInput
import SightlineWalking

/// A ground in a file: information, tiles, ways to walk (Documentation/formats/ground.md).
///
/// The file is mapped; what is asked for is read from it. It is never changed: a newer one takes its name, and this one goes on
/// with what it has.
public struct GroundFile: Sendable {
  static let magic: [UInt8] = Array("SLGROUND".utf8)
  static let version: UInt32 = 1
  /// Magic, version, number of sections.
  static let headerBytes = 16
  /// Kind, checksum, offset, length.
  static let sectionBytes = 24
  /// Key, offset in the section of tiles, length, nothing.
  static let entryBytes = 24

  enum Section: UInt32, CaseIterable {
    case info = 1
    case directory, tiles, walking
  }

  /// Where it lies.
  public let path: String
  /// What it says about itself.
  public let info: GroundInfo
  /// What tells one version of the file from another: for ETags.
  public let identifier: String
  private let data: Data
  private let directory: Range<Int>
  private let tiles: Range<Int>
  private let walking: Range<Int>

  /// Opens a file, and checks its header, directory and information.
  ///
  /// - Throws: ``GroundProblem``.
  public init(path: String) throws(GroundProblem) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else {
      throw .unreadable(path)
    }
    guard data.count >= Self.headerBytes, data.prefix(8).elementsEqual(Self.magic) else {
      throw .damaged(path, "it does not begin as a ground file does")
    }
    let version = data.number(UInt32.self, at: 8)
    guard version == Self.version else { throw .version(path, version) }
    let count = Int(data.number(UInt32.self, at: 12))
    guard count <= 64, data.count >= Self.headerBytes + count * Self.sectionBytes else {
      throw .damaged(path, "its table of sections is cut off")
    }
    var sections: [Section: Range<Int>] = [:]
    var checksums: [UInt32] = []
    for index in 0..<count {
      let at = Self.headerBytes + index * Self.sectionBytes
      guard let offset = Int(exactly: data.number(UInt64.self, at: at + 8)),
        let length = Int(exactly: data.number(UInt64.self, at: at + 16)), let end = offset.checkedAdd(length),
        end <= data.count
      else { throw .damaged(path, "section \(index + 1) lies outside the file") }
      let checksum = data.number(UInt32.self, at: at + 4)
      checksums.append(checksum)
      guard let section = Section(rawValue: data.number(UInt32.self, at: at)) else { continue }
      sections[section] = offset..<end
      // Tiles and ways to walk have checksums of their own: a gigabyte is not read to open a file.
      guard section == .tiles || section == .walking || data.checksum(of: offset..<end) == checksum else {
        throw .damaged(path, "the checksum of section \(index + 1) is wrong")
      }
    }
    guard let info = sections[.info], let directory = sections[.directory], let tiles = sections[.tiles],
      let walking = sections[.walking], directory.count % Self.entryBytes == 0
    else { throw .damaged(path, "a section is missing") }
    guard let decoded = try? Self.decoder.decode(GroundInfo.self, from: data.subdata(in: info)) else {
      throw .damaged(path, "its information cannot be read")
    }
    self.path = path
    self.data = data
    self.info = decoded
    self.directory = directory
    self.tiles = tiles
    self.walking = walking
    identifier = checksums.map { String($0, radix: 36) }.joined(separator: "-")
  }

  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  /// Bytes of the file.
  public var size: Int { data.count }

  /// How many tiles there are, and their bytes as they lie in the file.
  public var tileCount: Int { directory.count / Self.entryBytes }
  /// Bytes of all tiles, as they lie in the file.
  public var tileBytes: Int { tiles.count }

  /// A tile, packed as gzip; `nil` where nothing is.
  public func tile(_ id: TileID) -> Data? {
    var low = 0
    var high = tileCount
    let key = id.key
    while low < high {
      let middle = (low + high) / 2
      if entry(middle).key < key { low = middle + 1 } else { high = middle }
    }
    guard low < tileCount else { return nil }
    let entry = entry(low)
    guard entry.key == key, let start = Int(exactly: entry.offset), let end = start.checkedAdd(Int(entry.length)),
      end <= tiles.count
    else { return nil }
    return data.subdata(in: (tiles.lowerBound + start)..<(tiles.lowerBound + end))
  }

  /// Largest content of a tile that is unpacked.
  private static let mostContent = 32 << 20

  /// The content of a packed tile; `nil` where it is damaged.
  public static func content(_ packed: Data) -> [UInt8]? {
    // gzip says the length at its end, in 32 bits.
    guard packed.count > 18 else { return nil }
    let length = Int(packed.number(UInt32.self, at: packed.count - 4))
    guard length <= mostContent else { return nil }
    var stream = z_stream()
    guard sl_inflate_init_gzip(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      packed.withUnsafeBytes { bytes in
        stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(clamped: bytes.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamped: length)
        isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
      }
      count = isWhole ? length : 0
    }
    return isWhole ? content : nil
  }

  /// All tiles, in the order of the directory.
  public var tileIDs: [TileID] {
    (0..<tileCount).compactMap { index in
      let key = entry(index).key
      return TileID(
        zoom: Int(clamped: key >> 48),
        column: Int(clamped: key & 0xFF_FFFF),
        row: Int(clamped: key >> 24 & 0xFF_FFFF)
      )
    }
  }

  private func entry(_ index: Int) -> (key: UInt64, offset: UInt64, length: UInt32) {
    let at = directory.lowerBound + index * Self.entryBytes
    return (
      data.number(UInt64.self, at: at), data.number(UInt64.self, at: at + 8), data.number(UInt32.self, at: at + 16)
    )
  }

  /// The ways to walk; `nil` where there are none.
  public func walkingGraph() throws(GroundProblem) -> WalkingGraph? {
    guard !walking.isEmpty else { return nil }
    do { return try WalkingGraph(mapping: path, part: walking) } catch { throw .damaged(path, "\(error)") }
  }

  /// Reads every byte again and compares: what `init` leaves out for time.
  public func check() throws(GroundProblem) {
    for index in 0..<Int(data.number(UInt32.self, at: 12)) {
      let at = Self.headerBytes + index * Self.sectionBytes
      let offset = Int(clamped: data.number(UInt64.self, at: at + 8))
      let length = Int(clamped: data.number(UInt64.self, at: at + 16))
      guard data.checksum(of: offset..<(offset + length)) == data.number(UInt32.self, at: at + 4) else {
        throw .damaged(path, "the checksum of section \(index + 1) is wrong")
      }
    }
  }
}

extension Data {
  /// A number, lowest byte first.
  func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }

  func checksum(of range: Range<Int>) -> UInt32 {
    withUnsafeBytes { GroundFileWriter.checksum(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}
