/// Writes JSON, one member or element a line, two spaces deeper for each level.
package struct JSONTextWriter {
  private(set) var bytes: [UInt8] = []
  /// For each open object or array, whether something stands in it yet.
  private var hasContent: [Bool] = []
  private var isBehindName = false

  mutating func beginObject() { begin("{") }
  mutating func endObject() { end("}") }
  mutating func beginArray() { begin("[") }
  mutating func endArray() { end("]") }

  mutating func name(_ name: String) {
    separate()
    put(JSONTextWriter.quoted(name) + ": ")
    isBehindName = true
  }

  mutating func value(_ text: String) { raw(JSONTextWriter.quoted(text)) }

  mutating func value(_ number: Double) { raw(DecimalNumber.text(number)) }

  mutating func null() { raw("null") }

  mutating func value(_ texts: [String]) { raw("[" + texts.map(JSONTextWriter.quoted).joined(separator: ", ") + "]") }

  /// Numbers on one line.
  mutating func value(_ numbers: [Double]) {
    raw("[" + numbers.map { DecimalNumber.text($0) }.joined(separator: ", ") + "]")
  }

  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    self.name(name)
    value(text)
  }

  private mutating func raw(_ text: String) {
    separate()
    put(text)
  }

  private mutating func begin(_ bracket: String) {
    separate()
    put(bracket)
    hasContent.append(false)
  }

  private mutating func end(_ bracket: String) {
    let wasUsed = hasContent.popLast() ?? false
    if wasUsed { newLine() }
    put(bracket)
    if hasContent.isEmpty { put("\n") }
  }

  private mutating func separate() {
    if isBehindName {
      isBehindName = false
      return
    }
    guard let used = hasContent.last else { return }
    if used { put(",") }
    hasContent[hasContent.count - 1] = true
    newLine()
  }

  private mutating func newLine() { put("\n" + String(repeating: "  ", count: hasContent.count)) }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Text in quotation marks, with the escapes that RFC 8259 demands.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
