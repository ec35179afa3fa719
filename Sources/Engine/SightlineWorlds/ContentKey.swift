/// The identity of a place or overlay across refreshes: 52 bits made of a text's UTF-16 code units, never 0.
///
/// Two rounds of FNV-1a (Fowler, Noll, Vo) with different seeds and multipliers. 52 bits are a whole number that a page's
/// `Number` holds exactly; among 250,000 places two get one key by chance once in about 140,000 worlds.
struct ContentKey {
  private var first: UInt32 = 0x811C_9DC5
  private var second: UInt32 = 0x0100_0193
  private var count: UInt32 = 0

  /// The identity of a text.
  static func of(_ text: some Collection<UInt16>) -> UInt64 {
    var key = ContentKey()
    key.add(text)
    return key.value
  }

  mutating func add(_ unit: UInt16) {
    first = (first ^ UInt32(unit)) &* 0x0100_0193
    second = (second ^ (UInt32(unit) &+ count)) &* 0x85EB_CA6B
    count &+= 1
  }

  mutating func add(_ text: some Collection<UInt16>) {
    for unit in text { add(unit) }
  }

  /// `#` and a number's decimal digits: what stands for a name that is missing.
  mutating func add(number: Int) {
    add(0x23)
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }  // In range: at most the number itself.
    while divisor > 0 {
      add(0x30 &+ UInt16(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  /// The bits of a number; both zeros are the same.
  mutating func add(bitsOf number: Double) {
    let bits = (number + 0).bitPattern
    for shift in stride(from: 48, through: 0, by: -16) { add(UInt16(truncatingIfNeeded: bits >> shift)) }
  }

  var value: UInt64 { max(UInt64(second & 0xF_FFFF) << 32 | UInt64(first), 1) }
}
