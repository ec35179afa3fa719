import CZlib
import Foundation
import SightlineInput
import SightlineProtobuf

/// The blobs of a PBF file, one after the other: a length in four bytes, most significant first, a `BlobHeader` and a `Blob`
/// (wiki.openstreetmap.org/wiki/PBF_Format).
struct PBFBlobs {
  /// A blob as it lies in the file.
  struct Packed: Sendable {
    /// Counted from 1.
    var number: Int
    /// Byte of the file where its header's length begins.
    var offset: Int
    var isHeader: Bool
    var bytes: [UInt8]
  }

  /// Largest header and blob of the format.
  private static let mostHeaderBytes = 64 << 10
  private static let mostBytes = 32 << 20

  private let handle: FileHandle
  private var offset = 0
  private var number = 0

  init(_ handle: FileHandle) { self.handle = handle }

  /// The next blob with data.
  ///
  /// `nil` at the end of the file. Blobs of unknown kinds are passed over, as the format asks.
  mutating func next() throws -> Packed? {
    while true {
      let start = offset
      number += 1
      let length = try take(4, start: start, mayEnd: true)
      guard !length.isEmpty else { return nil }
      let size = length.reduce(0) { $0 << 8 | Int($1) }
      guard (1...Self.mostHeaderBytes).contains(size) else {
        throw OSMReadingError.block(number, offset: start, "its header says it has \(size) bytes, of at most 65,536")
      }
      let header = try take(size, start: start)
      let (kind, count) = try Self.header(header, number, start)
      guard (0...Self.mostBytes).contains(count) else {
        throw OSMReadingError.block(number, offset: start, "it says it has \(count) bytes, of at most 33,554,432")
      }
      let bytes = try take(count, start: start)
      if kind == "OSMData" || kind == "OSMHeader" {
        return Packed(number: number, offset: start, isHeader: kind == "OSMHeader", bytes: bytes)
      }
    }
  }

  private mutating func take(_ count: Int, start: Int, mayEnd: Bool = false) throws -> [UInt8] {
    guard count > 0 else { return [] }
    let data = (try? handle.read(upToCount: count)) ?? Data()
    if mayEnd, data.isEmpty { return [] }
    guard data.count == count else {
      throw OSMReadingError.block(
        number,
        offset: start,
        "the file ends within it, \(count - data.count) bytes too early"
      )
    }
    offset += count
    return [UInt8](data)
  }

  private static func header(_ bytes: [UInt8], _ number: Int, _ start: Int) throws -> (kind: String, size: Int) {
    var kind = ""
    var size = -1
    do {
      try bytes.withUnsafeBytes { bytes in
        var reader = ProtobufReader(bytes)
        while try reader.next() {
          switch reader.field {
          case 1: kind = String(decoding: try reader.message(), as: UTF8.self)
          case 3: size = try reader.integer()
          default: try reader.skip()
          }
        }
      }
    } catch {
      throw OSMReadingError.block(number, offset: start, "its header is malformed")
    }
    return (kind, size)
  }
}

extension PBFBlobs.Packed {
  /// Its content, unpacked.
  func unpacked() throws -> [UInt8] {
    do {
      return try bytes.withUnsafeBytes { try Self.unpacked($0) }
    } catch let damage as PBFDamage {
      throw OSMReadingError.block(number, offset: offset, damage.what)
    } catch {
      throw OSMReadingError.block(number, offset: offset, "it is malformed")
    }
  }

  /// Largest content of a blob.
  private static let mostUnpacked = 32 << 20

  private static func unpacked(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    var reader = ProtobufReader(bytes)
    var size = -1
    var packed: UnsafeRawBufferPointer?
    while try reader.next() {
      switch reader.field {
      case 1: return [UInt8](try reader.message())
      case 2: size = try reader.integer()
      case 3: packed = try reader.message()
      case 4, 5, 6, 7:
        throw PBFDamage(
          "it is packed with \(["LZMA", "bzip2", "LZ4", "Zstandard"][reader.field - 4]), which this program does not read; "
            + "osmium cat FILE -o NEW.osm.pbf writes it with zlib"
        )
      default: try reader.skip()
      }
    }
    guard let packed else { throw PBFDamage("it has no content") }
    guard (0...mostUnpacked).contains(size) else {
      throw PBFDamage("it says its content has \(size) bytes, of at most 33,554,432")
    }
    var made = uLongf(size)
    let result = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let status = uncompress(
        buffer.baseAddress ?? UnsafeMutablePointer(bitPattern: 1),
        &made,
        packed.baseAddress?.assumingMemoryBound(to: UInt8.self),
        uLong(packed.count)
      )
      guard status == Z_OK, made == uLongf(size) else { throw PBFDamage("it cannot be unpacked") }
      count = size
    }
    return result
  }
}

/// What is wrong within a block.
struct PBFDamage: Error {
  var what: String

  init(_ what: String) { self.what = what }
}
