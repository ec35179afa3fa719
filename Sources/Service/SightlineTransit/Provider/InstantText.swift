import SightlineInput

/// Instants as text: RFC 3339, and the `dateTime` of XML Schema.
package enum InstantText {
  /// POSIX seconds of `2022-02-22T08:04:10.5+02:00`; fractions are dropped.
  ///
  /// - Parameters:
  ///   - text: with `Z`, an offset, or nothing.
  ///   - zone: where a time without offset is meant; `nil` refuses it.
  /// - Returns: `nil` when it is no such text.
  package static func seconds(_ text: String, zone: ServiceClock? = nil) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes.count <= 40, bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20,
      bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A, bytes[16] == 0x3A,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      let date = ServiceDay(year: year, month: month, day: day), hour <= 24, minute < 60, second <= 60
    else { return nil }
    let local = date.number * 86_400 + hour * 3600 + minute * 60 + second
    var rest = bytes[19...]
    if rest.first == 0x2E || rest.first == 0x2C {
      rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
    }
    switch rest.first {
    case nil:
      guard let zone else { return nil }
      let guess = local - zone.offset(at: local)
      return local - zone.offset(at: guess)
    case 0x5A, 0x7A: return rest.count == 1 ? local : nil
    case 0x2B, 0x2D:
      let sign = rest.first == 0x2D ? -1 : 1
      let digits = rest.dropFirst().filter { $0 != 0x3A }
      guard digits.count == 4 || digits.count == 2, let hours = number(digits.prefix(2)),
        let minutes = digits.count == 2 ? 0 : number(digits.suffix(2)), hours <= 18, minutes < 60
      else { return nil }
      return local - sign * (hours * 3600 + minutes * 60)
    default: return nil
    }
  }

  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value &* 10 &+ Int(digit &- 0x30)
    }
    return value
  }

  /// The local times that can be written: years of four digits.
  private static let writable = -62_135_596_800...253_402_300_799

  /// Appends `2022-02-22T08:04:10+02:00` for POSIX seconds and seconds east of UTC.
  ///
  /// Years before 1 and after 9999 are written as the first and last second of those.
  package static func append(_ time: Int, offset: Int, to bytes: inout [UInt8]) {
    let offset = offset.clamped(to: -86_399...86_399)
    let local = time.saturatingAdd(offset).clamped(to: writable)
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let rest = local - days * 86_400
    let (year, month, day) = ServiceDay(number: days).date
    func two(_ value: Int) {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: value / 10 % 10))
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: value % 10))
    }
    two(year / 100)
    two(year % 100)
    bytes.append(0x2D)
    two(month)
    bytes.append(0x2D)
    two(day)
    bytes.append(0x54)
    two(rest / 3600)
    bytes.append(0x3A)
    two(rest / 60 % 60)
    bytes.append(0x3A)
    two(rest % 60)
    if offset == 0 {
      bytes.append(0x5A)
    } else {
      bytes.append(offset < 0 ? 0x2D : 0x2B)
      two(abs(offset) / 3600)
      bytes.append(0x3A)
      two(abs(offset) / 60 % 60)
    }
  }

  /// `2022-02-22T08:04:10+02:00`.
  package static func text(_ time: Int, offset: Int) -> String {
    var bytes: [UInt8] = []
    append(time, offset: offset, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
