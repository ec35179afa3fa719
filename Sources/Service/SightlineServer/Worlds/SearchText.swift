import Foundation

/// Text as it is compared in a search: small letters without accents, one blank before each word.
enum SearchText {
  /// More of a title is not looked at, bytes after folding.
  static let longest = 240
  /// Words of a question that count.
  static let mostWords = 8

  /// Letters that are not a letter with an accent for Unicode, but are typed as one.
  private static let plain: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
  /// How the same letters are typed where a keyboard has none of them.
  private static let spelled: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"]

  /// The folded form of a text; empty when there is no letter or digit in it.
  static func folded(_ text: String) -> [UInt8] {
    // Folding makes a text at most a few times as long.
    let short = text.prefix(longest)
    let folded =
      short.utf8.allSatisfy { $0 < 0x80 }
      ? short.lowercased()
      : short.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil).lowercased()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(folded.utf8.count + 1)
    var isWord = false
    for scalar in folded.unicodeScalars {
      let counts = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let letters = counts ? plain[scalar].map { Array($0.utf8) } ?? Array(String(scalar).utf8) : []
      guard bytes.count + letters.count < longest else { break }
      if counts, !isWord { bytes.append(0x20) }
      bytes += letters
      isWord = counts
    }
    return bytes
  }

  /// All forms under which a title is found: as it is written, and as it is typed without its letters.
  static func forms(_ title: String) -> [UInt8] {
    let own = folded(title)
    let lower = title.prefix(longest).lowercased()
    guard lower.contains(where: { spelled[$0] != nil }) else { return own }
    let other = folded(lower.reduce(into: "") { $0 += spelled[$1] ?? String($1) })
    return other == own ? own : own + [separator] + other
  }

  /// Between two titles of one thing; no word has it.
  static let separator: UInt8 = 0x01

  /// Whether a word may begin at a byte: after a blank, and at every sign of scripts that write without blanks.
  static func isStart(_ text: UnsafeBufferPointer<UInt8>, _ index: Int, from start: Int) -> Bool {
    if text[index] == 0x20 || text[index] == separator { return false }
    if index > start, text[index - 1] == 0x20 { return true }
    // First bytes of U+3000 … U+9FFF and of U+A000 … U+DFFF: kana, Han, Hangul.
    return (0xE3...0xED).contains(text[index])
  }

  /// The words of a question.
  static func words(_ question: String) -> [[UInt8]] {
    folded(question).split(separator: 0x20).prefix(mostWords).map(Array.init)
  }
}
