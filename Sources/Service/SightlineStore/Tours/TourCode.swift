/// Codes and identifiers that people read, write and speak: digits and letters without those that look alike (the
/// alphabet of Crockford's base 32).
public enum TourCode {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// Characters of a team's code: 65 random bits.
  public static let length = 13

  /// A new code of a team, in capitals.
  public static func make() -> String { random(length) }

  /// A new identifier of a tour or run, 60 random bits in small letters.
  static func makeIdentifier() -> String { random(12).lowercased() }

  private static func random(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<count).map { _ in alphabet[Int(truncatingIfNeeded: generator.next() & 31)] },
      as: UTF8.self
    )
  }

  /// A code as a person may have written it, in its one form: capitals, without blanks and hyphens, `O` read as 0, `I`
  /// and `L` as 1; `nil` for what cannot be one.
  public static func normalized(_ text: String) -> String? {
    var bytes: [UInt8] = []
    for byte in text.uppercased().utf8 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      case UInt8(ascii: "O"): bytes.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): bytes.append(UInt8(ascii: "1"))
      default:
        guard alphabet.contains(byte) else { return nil }
        bytes.append(byte)
      }
      if bytes.count > length { return nil }
    }
    return bytes.count == length ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The code in groups, for people: `7K2QX-40BNM-9TZ`.
  public static func grouped(_ code: String) -> String {
    var groups: [Substring] = []
    var rest = code[...]
    while !rest.isEmpty {
      groups.append(rest.prefix(5))
      rest = rest.dropFirst(5)
    }
    return groups.joined(separator: "-")
  }
}
