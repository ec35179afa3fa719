import CZlib
import Foundation

@testable import SightlineOpenStreetMap

/// Writes what a test wants to have in a PBF file, right or wrong.
struct ProtobufText {
  var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func integer(_ field: UInt64, _ value: Int) {
    varint(field << 3)
    varint(UInt64(bitPattern: Int64(value)))
  }

  mutating func message(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  static func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value << 1 ^ value >> 63)) }

  static func packed(_ values: [UInt64]) -> [UInt8] {
    var text = ProtobufText()
    for value in values { text.varint(value) }
    return text.bytes
  }

  /// Differences from one to the next, in ZigZag coding.
  static func deltas(_ values: [Int]) -> [UInt8] {
    packed(zip(values, [0] + values).map { zigzag($0 - $1) })
  }
}

/// The parts of a PBF file.
enum PBFText {
  static func blob(_ kind: String, _ content: [UInt8], isPacked: Bool = true) -> [UInt8] {
    var blob = ProtobufText()
    if isPacked {
      blob.integer(2, content.count)
      var room = compressBound(uLong(content.count))
      var packed = [UInt8](repeating: 0, count: Int(room))
      compress(&packed, &room, content, uLong(content.count))
      blob.message(3, Array(packed.prefix(Int(room))))
    } else {
      blob.message(1, content)
    }
    return framed(kind, blob.bytes)
  }

  static func framed(_ kind: String, _ blob: [UInt8], size: Int? = nil) -> [UInt8] {
    var header = ProtobufText()
    header.message(1, Array(kind.utf8))
    header.integer(3, size ?? blob.count)
    let count = UInt32(header.bytes.count)
    return withUnsafeBytes(of: count.bigEndian) { Array($0) } + header.bytes + blob
  }

  static func header(requiring features: [String] = ["OsmSchema-V0.6", "DenseNodes"]) -> [UInt8] {
    var header = ProtobufText()
    for feature in features { header.message(4, Array(feature.utf8)) }
    return blob("OSMHeader", header.bytes)
  }

  /// A block of the texts and one group of what is given, as (field, bytes).
  static func block(_ texts: [String], _ group: [(UInt64, [UInt8])], granularity: Int? = nil) -> [UInt8] {
    var table = ProtobufText()
    for text in texts { table.message(1, Array(text.utf8)) }
    var content = ProtobufText()
    for (field, bytes) in group { content.message(field, bytes) }
    var block = ProtobufText()
    block.message(1, table.bytes)
    block.message(2, content.bytes)
    if let granularity { block.integer(17, granularity) }
    return block.bytes
  }

  /// Dense nodes: identifiers, latitudes and longitudes in units of the granularity, keys and values by their number.
  static func dense(_ ids: [Int], _ latitudes: [Int], _ longitudes: [Int], _ tags: [UInt64] = []) -> [UInt8] {
    var dense = ProtobufText()
    dense.message(1, ProtobufText.deltas(ids))
    dense.message(8, ProtobufText.deltas(latitudes))
    dense.message(9, ProtobufText.deltas(longitudes))
    if !tags.isEmpty { dense.message(10, ProtobufText.packed(tags)) }
    return dense.bytes
  }
}

/// A file that is gone when the test is over.
func withFile<Result>(
  _ bytes: [UInt8],
  _ ending: String = "osm.pbf",
  _ body: (String) async throws -> Result
) async throws -> Result {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(ending)").path
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}
