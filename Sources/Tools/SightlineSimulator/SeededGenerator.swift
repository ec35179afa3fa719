import SightlineMath

/// The simulator's chance: the same seed and name give the same numbers, on every machine.
///
/// Each sensor draws from a generator of its own, so that adding a camera changes no other reading.
/// Source: Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195 (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private var spare: Double?

  /// The generator of a seed.
  public init(seed: UInt64) { state = seed }

  /// The generator for one purpose of a run.
  public init(seed: UInt64, purpose: String) {
    // FNV-1a: only has to tell the few names apart.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.init(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ hash)
    _ = next()
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly distributed in 0 … 1, 1 excluded.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Evenly distributed between two numbers.
  public mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }

  /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller).
  public mutating func normal() -> Double {
    if let value = spare {
      spare = nil
      return value
    }
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * pi * uniform()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }

  /// Three independent normal numbers with a standard deviation.
  public mutating func normalVector(_ deviation: Double) -> Vector3 {
    Vector3(normal() * deviation, normal() * deviation, normal() * deviation)
  }
}

/// A quantity that wanders and is pulled back to zero: correlated noise with a standard deviation and a correlation time.
struct CorrelatedNoise: Sendable {
  private(set) var value: Double
  let deviation: Double
  let correlationTime: Double

  /// A quantity that has wandered for long already.
  init(deviation: Double, correlationTime: Double, from random: inout SeededGenerator) {
    self.deviation = deviation
    self.correlationTime = correlationTime
    value = deviation * random.normal()
  }

  /// Lets seconds pass; exact for any step.
  mutating func advance(by seconds: Double, from random: inout SeededGenerator) -> Double {
    let keep = exp(-max(0, seconds) / correlationTime)
    value = value * keep + deviation * (1 - keep * keep).squareRoot() * random.normal()
    return value
  }
}
