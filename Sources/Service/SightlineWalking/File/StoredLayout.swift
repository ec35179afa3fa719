/// Where things are in a stored graph (Documentation/formats/walking.md).
///
/// All numbers are little-endian.
enum StoredLayout {
  static let signature: [UInt8] = Array("SLWALK1\n".utf8)
  static let version: UInt32 = 1
  /// Bytes before the table of columns.
  static let head = 64
  /// Bytes of a row of the table.
  static let row = 24
  /// Where the bytes begin that the checksum is taken of.
  static let checked = 32
  /// Columns without those of hierarchies.
  static let columns = 22
  /// Columns of a hierarchy.
  static let hierarchyColumns = 2

  /// FNV-1a over words of eight bytes: it finds what changes by chance, not what somebody changes on purpose.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in stride(from: checked, to: bytes.count - 7, by: 8) {
      hash =
        (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        &* 0x100_0000_01B3
    }
    return hash
  }
}
