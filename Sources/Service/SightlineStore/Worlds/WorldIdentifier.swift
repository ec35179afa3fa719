/// Identifiers of worlds: what stands in addresses and on the command line.
///
/// The alphabet needs no encoding in a URL, a form field or a file name.
public enum WorldIdentifier {
  /// Longest identifier, bytes.
  public static let maximumLength = 64

  /// Whether the text is an identifier: `a–z`, `0–9`, `-`, `_`, `.`, the first one a letter or digit, no `..`.
  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= maximumLength, isAlphanumeric(first) else { return false }
    var previous = first
    for byte in text.utf8.dropFirst() {
      guard isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      else { return false }
      if byte == UInt8(ascii: "."), previous == byte { return false }
      previous = byte
    }
    return true
  }

  /// Makes an identifier from a file name: `Ulm Münster.area.xml` becomes `ulm-m-nster`.
  ///
  /// Everything from the first dot on is left out, so that `ulm.gddf` and `ulm.area.xml` are the same world.
  public static func derived(fromFileName name: String) -> String {
    let base = name.split(separator: "/").last.map(String.init) ?? ""
    let stem = base.split(separator: ".").first.map(String.init) ?? ""
    var result: [UInt8] = []
    for byte in stem.lowercased().utf8 {
      if isAlphanumeric(byte) {
        result.append(byte)
      } else if let last = result.last, last != UInt8(ascii: "-") {
        result.append(UInt8(ascii: "-"))
      }
      if result.count == maximumLength { break }
    }
    while result.last == UInt8(ascii: "-") { result.removeLast() }
    return result.isEmpty ? "world" : String(decoding: result, as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
