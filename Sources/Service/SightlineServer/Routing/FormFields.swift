import SightlineImport

/// Names and values of a query string or an `application/x-www-form-urlencoded` body.
///
/// Decoding is tolerant, because old clients are careless: fields without `=` have an empty value, a broken percent
/// sign stands for itself, bytes that are not UTF-8 become U+FFFD. The first of two equal names counts.
struct FormFields: Sendable, Equatable {
  private(set) var fields: [(name: String, value: String)] = []

  /// Most fields that are read; the rest is ignored.
  static let maximumCount = 100

  init() {}

  init(_ text: String) { self.init(text[...]) }

  init(_ text: Substring) {
    for part in text.utf8.split(separator: UInt8(ascii: "&"), maxSplits: FormFields.maximumCount) {
      guard fields.count < FormFields.maximumCount else { break }
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let name = part[..<(equals ?? part.endIndex)]
      let value = equals.map { part[part.index(after: $0)...] }
      fields.append((FormFields.decode(name), value.map(FormFields.decode) ?? ""))
    }
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  var isEmpty: Bool { fields.isEmpty }

  static func == (left: FormFields, right: FormFields) -> Bool {
    left.fields.elementsEqual(right.fields) { $0 == $1 }
  }

  /// `+` is a blank, `%41` is `A`.
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    percentDecode(bytes, plusIsBlank: true)
  }

  /// Decodes percent signs; text without one is returned as it is.
  static func percentDecode(_ bytes: some Collection<UInt8>, plusIsBlank: Bool) -> String {
    PercentCoding.decode(bytes, plusIsBlank: plusIsBlank)
  }

  /// Encodes a field for a body: everything but letters, digits and `-._~` as `%XX`.
  static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
