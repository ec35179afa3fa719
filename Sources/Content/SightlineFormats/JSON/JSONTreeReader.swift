import SightlineContent
import SightlineInput

/// Reads JSON by RFC 8259 into a tree of located values.
///
/// Foundation's decoder gives no lines and keeps one of several equal member names without a word; this one reports
/// them, and has limits.
struct JSONTreeReader {
  /// A document and what is odd about it.
  struct Result {
    var root: JSONNode
    var problems: [Problem]
    /// What the rest of the reading may cost.
    var budget: ReadingBudget
  }

  private let bytes: [UInt8]
  private let limits: ReadingLimits
  private let budget: ReadingBudget
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var values = 0
  private var problems: [Problem] = []
  /// What is being read: members by name, elements by number.
  private var path: [(name: String, number: Int)] = []

  private init(_ bytes: [UInt8], limits: ReadingLimits, budget: ReadingBudget) {
    self.bytes = bytes
    self.limits = limits
    self.budget = budget
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - limits: What it may be.
  ///   - budget: What it may cost; `nil` is what its size allows.
  /// - Returns: The tree, with what was found while reading it.
  /// - Throws: `limit.size`, `limit.depth`, `limit.count`, `limit.steps`, `format.encoding` or `json.malformed`.
  static func read(
    _ bytes: [UInt8],
    limits: ReadingLimits,
    budget: ReadingBudget? = nil
  ) throws(DocumentFailure) -> Result {
    try limits.checkSize(bytes.count)
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(4).contains(0) {
      throw DocumentFailure(
        code: "format.encoding",
        line: 1,
        message: "JSON must be UTF-8, but this looks like UTF-16 or UTF-32. Save the document as UTF-8."
      )
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let content = try TextDecoding.checkedUTF8(start == 0 ? bytes : Array(bytes[start...]), offset: start)
    let budget = budget ?? limits.budget(documentBytes: bytes.count)
    var reader = JSONTreeReader(content, limits: limits, budget: budget)
    reader.skipSpace()
    let root = try reader.value(depth: 1)
    reader.skipSpace()
    guard reader.index == reader.bytes.count else {
      throw reader.malformed("There is something behind the end of the document. Remove it.")
    }
    return Result(root: root, problems: reader.problems, budget: budget)
  }

  private mutating func value(depth: Int) throws(DocumentFailure) -> JSONNode {
    guard depth <= limits.depth else {
      throw DocumentFailure(
        code: "limit.depth",
        line: line,
        message: "The document has values nested \(depth) deep; the limit is \(limits.depth). Use fewer levels."
      )
    }
    values += 1
    guard values <= limits.values else {
      throw DocumentFailure(
        code: "limit.count",
        line: line,
        message: "The document has more than \(limits.values) values, the limit. Split it."
      )
    }
    guard budget.take(of: .steps) else {
      throw DocumentFailure.steps(line: line, limit: budget.limits.steps)
    }
    let start = line
    switch peek {
    case 0x7B: return JSONNode(value: try object(depth: depth), line: start)
    case 0x5B: return JSONNode(value: try array(depth: depth), line: start)
    case 0x22: return JSONNode(value: .string(try string()), line: start)
    case 0x2D?, (0x30...0x39)?: return JSONNode(value: try number(), line: start)
    case 0x74: return JSONNode(value: try word("true", .boolean(true)), line: start)
    case 0x66: return JSONNode(value: try word("false", .boolean(false)), line: start)
    case 0x6E: return JSONNode(value: try word("null", .null), line: start)
    case nil: throw malformed("The document ends where a value is expected.")
    default:
      throw malformed(
        "A value is expected here: an object, array, text in quotation marks, number, true, false or null."
      )
    }
  }

  private mutating func object(depth: Int) throws(DocumentFailure) -> JSONNode.Value {
    step()
    skipSpace()
    var members = JSONObject()
    if peek == 0x7D {
      step()
      return .object(members)
    }
    while true {
      guard peek == 0x22 else { throw malformed("A member name in quotation marks is expected here.") }
      let nameLine = line
      let name = try string()
      skipSpace()
      guard peek == 0x3A else { throw malformed("A colon is expected behind the member name.") }
      step()
      skipSpace()
      path.append((name, -1))
      let value = try value(depth: depth + 1)
      if !members.append(name, value), problems.count < limits.problems {
        problems.append(
          Problem(
            .error,
            "id.duplicate",
            line: nameLine,
            path: path.reduce(DocumentPath(root: "")) { $1.number < 0 ? $0.child($1.name) : $0.item($1.number) }.text,
            message: "The member \(quoted(name)) stands here a second time; the first one counts. Remove one."
          )
        )
      }
      path.removeLast()
      skipSpace()
      switch peek {
      case 0x2C:
        step()
        skipSpace()
      case 0x7D:
        step()
        return .object(members)
      default: throw malformed("A comma or } is expected here.")
      }
    }
  }

  private mutating func array(depth: Int) throws(DocumentFailure) -> JSONNode.Value {
    step()
    skipSpace()
    var nodes: [JSONNode] = []
    if peek == 0x5D {
      step()
      return .array([])
    }
    while true {
      path.append(("", nodes.count))
      nodes.append(try value(depth: depth + 1))
      path.removeLast()
      skipSpace()
      switch peek {
      case 0x2C:
        step()
        skipSpace()
      case 0x5D:
        step()
        return .array(nodes)
      default: throw malformed("A comma or ] is expected here.")
      }
    }
  }

  private mutating func string() throws(DocumentFailure) -> String {
    step()
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case 0x22:
        index += 1
        return String(decoding: text, as: UTF8.self)
      case 0x5C:
        index += 1
        try escape(into: &text)
      case 0..<0x20:
        throw malformed("A line break or control character stands inside a text. Write it as an escape such as \\n.")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw malformed("A text is not closed with a quotation mark.")
  }

  private mutating func escape(into text: inout [UInt8]) throws(DocumentFailure) {
    let byte = peek
    index += byte == nil ? 0 : 1
    switch byte {
    case 0x22, 0x5C, 0x2F: text.append(byte ?? 0)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0C)
    case 0x6E: text.append(0x0A)
    case 0x72: text.append(0x0D)
    case 0x74: text.append(0x09)
    case 0x75:
      var scalar = try hexadecimal()
      if scalar & 0xFC00 == 0xD800, peek == 0x5C, index + 1 < bytes.count, bytes[index + 1] == 0x75 {
        let mark = index
        index += 2
        let low = try hexadecimal()
        if low & 0xFC00 == 0xDC00 { scalar = 0x10000 &+ ((scalar & 0x3FF) << 10 | (low & 0x3FF)) } else { index = mark }
      }
      guard let character = Unicode.Scalar(scalar) else {
        throw malformed("A \\u escape is half a pair. Write both halves, or the character itself.")
      }
      text.append(contentsOf: String(character).utf8)
    default: throw malformed("An escape is none of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0041.")
    }
  }

  private mutating func hexadecimal() throws(DocumentFailure) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap(Digit.hexadecimal) else {
        throw malformed("A \\u escape needs four hexadecimal digits.")
      }
      result = result << 4 | UInt32(clamped: digit)
      index += 1
    }
    return result
  }

  private mutating func number() throws(DocumentFailure) -> JSONNode.Value {
    let start = index
    func fail() -> DocumentFailure {
      malformed(
        "A number is not of the form -12.5e3 (no leading zeros, no plus sign, digits on both sides of the point)."
      )
    }
    if peek == 0x2D { index += 1 }
    if peek == 0x30 { index += 1 } else { guard digits() > 0 else { throw fail() } }
    if peek == 0x2E {
      index += 1
      guard digits() > 0 else { throw fail() }
    }
    if peek == 0x65 || peek == 0x45 {
      index += 1
      if peek == 0x2B || peek == 0x2D { index += 1 }
      guard digits() > 0 else { throw fail() }
    }
    if let next = peek, (0x30...0x39).contains(next) || next == 0x2E || (0x61...0x7A).contains(next | 0x20) {
      throw fail()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw malformed("The number \(quoted(text)) is too large.")
    }
    return .number(value, text)
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    return index - start
  }

  private mutating func word(_ text: String, _ value: JSONNode.Value) throws(DocumentFailure) -> JSONNode.Value {
    let end = index + text.utf8.count
    guard end <= bytes.count, bytes[index..<end].elementsEqual(text.utf8) else {
      throw malformed("A word is none of true, false and null (in small letters).")
    }
    index = end
    return value
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { step() }
  }

  private mutating func step() {
    let byte = bytes[index]
    index += 1
    if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
      line += 1
      lineStart = index
    }
  }

  private func malformed(_ message: String) -> DocumentFailure {
    DocumentFailure(code: "json.malformed", line: line, message: "\(message) (column \(index - lineStart + 1))")
  }
}
