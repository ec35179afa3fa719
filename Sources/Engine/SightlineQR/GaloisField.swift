/// The field of 256 elements that the codes' error correction calculates in: polynomials over 0 and 1, modulo
/// x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, 7.5.2).
struct GaloisField: Sendable {
  /// The field's tables.
  static let tables = GaloisField()

  /// Powers of the generating element α = x; twice around, so that a sum of two logarithms needs no reduction.
  let powers: [UInt8]
  /// Exponent of each element but 0.
  let logarithms: [UInt8]

  private init() {
    var powers = [UInt8](repeating: 0, count: 512)
    var logarithms = [UInt8](repeating: 0, count: 256)
    var value = 1
    for exponent in 0..<255 {
      powers[exponent] = UInt8(value)
      powers[exponent + 255] = UInt8(value)
      logarithms[value] = UInt8(exponent)
      value <<= 1
      if value > 255 { value ^= 0x11D }
    }
    self.powers = powers
    self.logarithms = logarithms
  }

  /// The product of two elements.
  @inline(__always)
  func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    a == 0 || b == 0 ? 0 : powers[Int(logarithms[Int(a)]) &+ Int(logarithms[Int(b)])]
  }

  /// The quotient of two elements.
  /// - Precondition: the divisor is not 0.
  func quotient(_ a: UInt8, by b: UInt8) -> UInt8 {
    precondition(b != 0)
    return a == 0 ? 0 : powers[Int(logarithms[Int(a)]) + 255 - Int(logarithms[Int(b)])]
  }

  /// The generating element to the power of an exponent of 0 or more.
  func power(_ exponent: Int) -> UInt8 { powers[exponent % 255] }

  /// The value of a polynomial, lowest coefficient first.
  func value(of polynomial: [UInt8], at x: UInt8) -> UInt8 {
    var sum: UInt8 = 0
    var index = polynomial.count
    while index > 0 {
      index -= 1
      sum = product(sum, x) ^ polynomial[index]
    }
    return sum
  }
}
