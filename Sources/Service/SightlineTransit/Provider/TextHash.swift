/// A number for a text, the same in every run and on every machine; no secret is safe behind it that can be guessed.
enum TextHash {
  /// FNV-1a, 64 bits.
  ///
  /// Source: Fowler, Noll, Vo, draft-eastlake-fnv, offset basis and prime for 64 bits.
  static func of(_ text: String, number: Int = 0) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: Int64(number))
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
