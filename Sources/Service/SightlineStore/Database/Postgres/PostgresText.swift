/// Text as PostgreSQL keeps it: UTF-8 without the zero character, which it refuses.
///
/// Every text comes back as it was: the zero character is written as the noncharacter U+FDD0 followed by U+FDD2, and U+FDD0
/// itself as U+FDD0 and U+FDD1. Both are for use inside a program and stand in no text for people, so what other programs
/// read is what was written.
enum PostgresText {
  /// The first bytes of U+FDD0, U+FDD1 and U+FDD2, and their last ones.
  private static let start: (UInt8, UInt8) = (0xEF, 0xB7)
  private static let (mark, itself, zero): (UInt8, UInt8, UInt8) = (0x90, 0x91, 0x92)

  /// Adds a text to bytes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    let first = bytes.count
    bytes.append(contentsOf: text.utf8)
    guard bytes[first...].contains(where: { $0 == 0 || $0 == start.0 }) else { return }
    let plain = Array(bytes[first...])
    bytes.removeSubrange(first...)
    var index = 0
    while index < plain.count {
      if plain[index] == 0 {
        bytes += [start.0, start.1, mark, start.0, start.1, zero]
      } else if isMark(plain, index) {
        bytes += [start.0, start.1, mark, start.0, start.1, itself]
        index += 2
      } else {
        bytes.append(plain[index])
      }
      index += 1
    }
  }

  /// The text of bytes that came from the server.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.contains(start.0) else { return String(decoding: bytes, as: UTF8.self) }
    let kept = Array(bytes)
    var plain: [UInt8] = []
    plain.reserveCapacity(kept.count)
    var index = 0
    while index < kept.count {
      if isMark(kept, index), index + 5 < kept.count, kept[index + 3] == start.0, kept[index + 4] == start.1,
        kept[index + 5] == itself || kept[index + 5] == zero
      {
        plain += kept[index + 5] == zero ? [0] : [start.0, start.1, mark]
        index += 6
      } else {
        plain.append(kept[index])
        index += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func isMark(_ bytes: [UInt8], _ index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == start.0 && bytes[index + 1] == start.1 && bytes[index + 2] == mark
  }
}
