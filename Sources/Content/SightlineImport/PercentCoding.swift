import SightlineInput

/// The `%XX` of addresses.
package enum PercentCoding {
  /// Decodes percent signs; text without one is returned as it is.
  ///
  /// Tolerant: a broken percent sign stands for itself, bytes that are not UTF-8 become U+FFFD.
  package static func decode(_ bytes: some Collection<UInt8>, plusIsBlank: Bool) -> String {
    func digit(_ byte: UInt8) -> UInt8? { Digit.hexadecimal(byte).map { UInt8(clamped: $0) } }
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || (plusIsBlank && $0 == UInt8(ascii: "+")) }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index != bytes.endIndex {
      let byte = bytes[index]
      bytes.formIndex(after: &index)
      if byte == UInt8(ascii: "+"), plusIsBlank {
        result.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), index != bytes.endIndex, let high = digit(bytes[index]) {
        let second = bytes.index(after: index)
        if second != bytes.endIndex, let low = digit(bytes[second]) {
          result.append(high << 4 | low)
          index = bytes.index(after: second)
        } else {
          result.append(byte)
        }
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
