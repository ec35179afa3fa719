public import Foundation
import SightlineInput

extension Data {
  /// Two lower-case digits for each byte.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(count * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Bytes written as pairs of digits `0–9`, `a–f`; `nil` for anything else.
  public init?(hexadecimal text: String) {
    // One notation, for what names things: no capital letters.
    func value(_ digit: UInt8) -> UInt8? {
      (0x41...0x46).contains(digit) ? nil : Digit.hexadecimal(digit).map { UInt8(clamped: $0) }
    }
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    self.init(capacity: text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8 {
      guard let nibble = value(digit) else { return nil }
      if let first = high {
        append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
  }
}
