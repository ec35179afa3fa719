import Foundation

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

/// A field's bytes.
typealias FieldBytes = UnsafeBufferPointer<UInt8>

/// Readings of single fields; each gives `nil` for what is no such value.
extension UnsafeBufferPointer where Element == UInt8 {
  /// Whether the bytes are the same.
  @inline(__always) func isEqual(to other: FieldBytes) -> Bool {
    guard count == other.count, let mine = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(mine, others, count) == 0
  }

  /// Whether the bytes are the same.
  @inline(__always) func isEqual(to other: [UInt8]) -> Bool { other.withUnsafeBufferPointer { isEqual(to: $0) } }

  /// Text; bytes that are no UTF-8 are read as Windows-1252, and `isRepaired` is set.
  func text(isRepaired: inout Bool) -> String {
    if let text = String(validating: self, as: UTF8.self) { return text }
    isRepaired = true
    var text = ""
    for byte in self { text.unicodeScalars.append(Self.windows1252(byte)) }
    return text
  }

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    let upper: [UInt16] = [
      0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
      0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
      0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
    guard 0x80..<0xA0 ~= byte else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// A number without sign of up to nine digits.
  var digits: Int? {
    guard count > 0, count <= 9 else { return nil }
    var value = 0
    for byte in self {
      let digit = byte &- 0x30
      if digit > 9 { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  /// A decimal number.
  var decimal: Double? {
    guard count > 0, count < 64 else { return nil }
    if let value = plainDecimal { return value }
    let value = Double(String(decoding: self, as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// A number of up to fifteen digits without an exponent, as coordinates are written; `nil` for anything else.
  ///
  /// Its digits and the power of ten are both exact, so that the quotient is the number nearest to what is written.
  private var plainDecimal: Double? {
    var at = 0
    let isNegative = self[0] == 0x2D
    if isNegative { at = 1 }
    var value: Int64 = 0
    var digits = 0
    var decimals = -1
    while at < count {
      let byte = self[at]
      at += 1
      if byte == 0x2E, decimals < 0, digits > 0 {
        decimals = 0
        continue
      }
      let digit = byte &- 0x30
      guard digit <= 9, digits < 15 else { return nil }
      value = value &* 10 &+ Int64(digit)
      digits += 1
      if decimals >= 0 { decimals += 1 }
    }
    guard digits > 0, decimals != 0 else { return nil }
    let number = decimals > 0 ? Double(value) / powersOfTen[decimals] : Double(value)
    return isNegative ? -number : number
  }

  /// A distance without sign or exponent, to the precision of `Float`; NaN for anything else.
  var distance: Float {
    guard count > 0, count <= 18 else { return .nan }
    var value: Int64 = 0
    var scale: Float = 1
    var hasPoint = false
    for byte in self {
      if byte == 0x2E, !hasPoint {
        hasPoint = true
        continue
      }
      let digit = byte &- 0x30
      if digit > 9 { return .nan }
      value = value &* 10 &+ Int64(digit)
      if hasPoint { scale *= 10 }
    }
    return Float(value) / scale
  }

  /// `H:MM:SS` or `HH:MM:SS` with hours of up to three digits, in seconds.
  var time: Int32? {
    guard count >= 7, count <= 9 else { return nil }
    guard self[count - 3] == 0x3A, self[count - 6] == 0x3A else { return nil }
    var hours: Int32 = 0
    for index in 0..<(count - 6) {
      let digit = self[index] &- 0x30
      if digit > 9 { return nil }
      hours = hours &* 10 &+ Int32(digit)
    }
    let tensOfMinutes = self[count - 5] &- 0x30
    let minutes = self[count - 4] &- 0x30
    let tensOfSeconds = self[count - 2] &- 0x30
    let seconds = self[count - 1] &- 0x30
    if tensOfMinutes > 5 || minutes > 9 || tensOfSeconds > 5 || seconds > 9 { return nil }
    let ofMinutes = Int32(tensOfMinutes) &* 600 &+ Int32(minutes) &* 60
    return hours &* 3600 &+ ofMinutes &+ Int32(tensOfSeconds) &* 10 &+ Int32(seconds)
  }

  /// `YYYYMMDD`.
  var day: ServiceDay? {
    guard count == 8, let number = digits else { return nil }
    return ServiceDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// Six hex digits.
  var color: Int32? {
    guard count == 6 else { return nil }
    return Int32(String(decoding: self, as: UTF8.self), radix: 16).flatMap {
      self[0] == 0x2D || self[0] == 0x2B ? nil : $0
    }
  }
}
