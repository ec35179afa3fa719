/// Numbers that depend on nothing but the seed (SplitMix64): an input can be made again from its seed and its number.
struct Random {
  private var state: UInt64

  /// The numbers of one input.
  init(seed: UInt64, index: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
    state = next() ^ (index &* 0xD1B5_4A32_D192_ED03)
    _ = next()
  }

  /// Any 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number in 0..<`bound`; 0 for a bound below 1.
  mutating func below(_ bound: Int) -> Int {
    bound < 1 ? 0 : Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of the range.
  mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// True once in `times`.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// A fraction in 0..<1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// One of a list that is not empty.
  mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

  /// A small count that is mostly 0…3, now and then up to `most`.
  mutating func count(upTo most: Int) -> Int {
    once(in: 16) ? below(most + 1) : min(most, below(3))
  }
}
