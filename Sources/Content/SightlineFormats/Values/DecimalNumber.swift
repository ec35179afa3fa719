import SightlineInput

/// Decimal numbers as text, independent of any locale.
enum DecimalNumber {
  /// Reads a complete decimal number: sign, digits with at most one full stop, exponent.
  ///
  /// `Double(_:)` alone also takes "inf", "nan" and hexadecimal, which are no numbers in any of the formats.
  ///
  /// - Returns: A finite number, or `nil`; a number too large for `Double` is none.
  static func parse(_ text: some StringProtocol) -> Double? {
    var digits = 0
    var hasPoint = false
    var state = 0  // 0 before the mantissa, 1 in it, 2 right after `e`, 3 after the exponent's sign, 4 in the exponent
    for byte in text.utf8 {
      switch (byte, state) {
      case (0x30...0x39, 0...1):
        digits += 1
        state = 1
      case (0x30...0x39, 2...4): state = 4
      case (0x2B, 0), (0x2D, 0): state = 1
      case (0x2E, 0...1) where !hasPoint:
        hasPoint = true
        state = 1
      case (0x65, 1) where digits > 0, (0x45, 1) where digits > 0: state = 2
      case (0x2B, 2), (0x2D, 2): state = 3
      default: return nil
      }
    }
    guard digits > 0, state == 1 || state == 4, let value = Double(String(text)), value.isFinite else { return nil }
    return value
  }

  /// The shortest text that reads back as the same number, never in exponent form: XML Schema's `decimal` has none.
  ///
  /// What is no number is written as 0.
  static func text(_ value: Double) -> String {
    if value == 0 || value.isNaN { return "0" }
    // What is infinite is written as the largest number there is: no format has a word for it.
    let largest = Double.greatestFiniteMagnitude
    let description = "\(value.clamped(to: -largest...largest))"
    guard let e = description.firstIndex(of: "e") else {
      return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
    var mantissa = description[..<e]
    let exponent = Int(description[description.index(after: e)...]) ?? 0
    let sign = mantissa.first == "-" ? "-" : ""
    if mantissa.first == "-" { mantissa = mantissa.dropFirst() }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts[0]
    let fraction = parts.count > 1 && parts[1] != "0" ? parts[1] : ""
    let digits = whole + fraction
    let point = whole.count + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// A number with a fixed count of decimals, never "-0".
  static func text(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    // Beyond 2⁵³ there are no fractions to round.
    guard scaled < 9_007_199_254_740_992 else { return text(value) }
    let integer = UInt64(clamped: scaled)
    var digits = String(integer)
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    let sign = value < 0 && integer != 0 ? "-" : ""
    return decimals == 0 ? sign + digits : sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }
}
