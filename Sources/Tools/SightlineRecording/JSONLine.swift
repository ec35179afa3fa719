/// Builds one line of JSON with its keys in the order in which they are written.
struct JSONLine {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ fill: (inout JSONLine) -> Void) {
    text += "{"
    needsComma = false
    fill(&self)
    text += "}"
    needsComma = true
  }

  mutating func object(_ name: String, _ fill: (inout JSONLine) -> Void) {
    key(name)
    object(fill)
  }

  mutating func objects<Element>(_ name: String, _ all: [Element], _ fill: (Element, inout JSONLine) -> Void) {
    key(name)
    text += "["
    needsComma = false
    for element in all {
      if needsComma { text += "," }
      object { fill(element, &$0) }
    }
    text += "]"
    needsComma = true
  }

  mutating func field(_ name: String, _ value: some JSONValue) {
    key(name)
    text += value.json
  }

  mutating func field(_ name: String, _ value: Int?) {
    key(name)
    text += value?.json ?? "null"
  }

  mutating func array(_ name: String, _ values: [some JSONValue]) {
    key(name)
    text += "[" + values.map { $0.json }.joined(separator: ",") + "]"
  }

  private mutating func key(_ name: String) {
    if needsComma { text += "," }
    text += name.json + ":"
    needsComma = true
  }
}

/// A value that JSON has.
protocol JSONValue {
  var json: String { get }
}

extension Int: JSONValue { var json: String { String(self) } }
extension Bool: JSONValue { var json: String { self ? "true" : "false" } }
extension Double: JSONValue { var json: String { isFinite ? "\(self)" : "null" } }
extension Float: JSONValue { var json: String { isFinite ? "\(self)" : "null" } }
extension String: JSONValue {
  var json: String {
    var out = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\u{0}"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
