/// What chance makes of a run: the same for the same names, on every machine.
///
/// Source: Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195 (SplitMix64).
struct Fortune {
  private var state: UInt64

  init(_ name: String, _ number: Int) {
    state = TextHash.of(name, number: number)
  }

  /// From 0 to below 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  /// Within a range.
  mutating func next(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + next() * (range.upperBound - range.lowerBound)
  }
}
