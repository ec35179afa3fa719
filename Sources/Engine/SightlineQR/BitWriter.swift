/// Bits one after another, highest first in each byte.
struct BitWriter {
  /// The bytes so far; the last may be filled in part.
  private(set) var bytes: [UInt8] = []
  /// Bits so far.
  private(set) var count = 0

  /// Appends the lowest bits of a value.
  mutating func append(_ value: Int, bits: Int) {
    var bit = bits
    while bit > 0 {
      bit -= 1
      if count % 8 == 0 { bytes.append(0) }
      if value >> bit & 1 == 1 { bytes[count / 8] |= 0x80 >> (count % 8) }
      count += 1
    }
  }
}

/// Reads bits one after another.
struct BitReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bits that are left.
  var remaining: Int { bytes.count * 8 - place }

  /// The next bits as a number; `nil` when there are not so many.
  mutating func read(_ bits: Int) -> Int? {
    guard bits <= remaining else { return nil }
    var value = 0
    for _ in 0..<bits {
      value = value << 1 | Int(bytes[place / 8] >> (7 - place % 8) & 1)
      place += 1
    }
    return value
  }

  /// Goes on at the next whole byte; the bits passed over.
  mutating func skipToByte() -> Int { read((8 - place % 8) % 8) ?? 0 }
}
