/// Writes XML, two spaces deeper for each level.
struct XMLTextWriter {
  private(set) var bytes: [UInt8] = []
  private var open: [String] = []
  /// Characters left out because XML 1.0 has no way to write them.
  private(set) var droppedCharacters = 0

  init() { bytes += Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) }

  mutating func begin(_ name: String, _ attributes: [(name: String, value: String?)] = []) {
    indent()
    put("<\(name)")
    for (attribute, value) in attributes {
      guard let value else { continue }
      put(" \(attribute)=\"")
      escape(value, inAttribute: true)
      put("\"")
    }
    put(">\n")
    open.append(name)
  }

  mutating func end() {
    guard let name = open.popLast() else { return }
    indent()
    put("</\(name)>\n")
  }

  /// An element holding text only.
  mutating func element(_ name: String, _ text: String) {
    indent()
    put("<\(name)>")
    escape(text, inAttribute: false)
    put("</\(name)>\n")
  }

  mutating func element(_ name: String, _ number: Double) { element(name, DecimalNumber.text(number)) }

  mutating func element(_ name: String, _ flag: Bool) { element(name, flag ? "true" : "false") }

  private mutating func indent() { bytes.append(contentsOf: repeatElement(0x20, count: open.count * 2)) }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func escape(_ text: String, inAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": put("&amp;")
      case "<": put("&lt;")
      case ">": put("&gt;")
      case "\"" where inAttribute: put("&quot;")
      case "\n" where inAttribute: put("&#10;")
      case "\t" where inAttribute: put("&#9;")
      // A bare carriage return would come back as a line feed.
      case "\r": put("&#13;")
      case "\n", "\t": put(String(scalar))
      case _ where scalar.value < 0x20, "\u{FFFE}", "\u{FFFF}": droppedCharacters += 1
      default: put(String(scalar))
      }
    }
  }
}
