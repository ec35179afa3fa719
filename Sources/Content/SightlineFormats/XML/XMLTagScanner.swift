/// Walks over the tags of a document before the parser sees it.
///
/// The platform's parser alone is not enough (each point was tried): it takes any document type declaration and any
/// depth, it reports unclosed and mismatched elements as success, and gives the end of a start tag as its place. So
/// this pass refuses what must not reach the parser, checks that elements nest, and notes where each one begins.
struct XMLTagScanner {
  /// Where a start tag begins, both counted from 1; columns are in bytes.
  struct Location: Equatable {
    var line: Int
    var column: Int
  }

  private struct Open {
    var name: Range<Int>
    var line: Int
  }

  private let bytes: [UInt8]
  private let limits: ReadingLimits
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var open: [Open] = []
  private(set) var starts: [Location] = []

  private init(_ bytes: [UInt8], limits: ReadingLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Places of all start tags in order.
  static func starts(of bytes: [UInt8], limits: ReadingLimits) throws(DocumentFailure) -> [Location] {
    var scanner = XMLTagScanner(bytes, limits: limits)
    try scanner.scan()
    return scanner.starts
  }

  private mutating func scan() throws(DocumentFailure) {
    while try nextTag() {
      if has("<!--") {
        try skip(past: "-->", from: index + 4, what: "This comment is never closed; close it with -->.")
      } else if has("<![CDATA[") {
        guard !open.isEmpty else { throw malformed("CDATA stands outside the root element. Remove it.") }
        try skip(past: "]]>", from: index + 9, what: "This CDATA section is never closed; close it with ]]>.")
      } else if has("<!") {
        throw declaration()
      } else if has("<?") {
        try skip(past: "?>", from: index + 2, what: "This processing instruction is never closed; close it with ?>.")
      } else if has("</") {
        try endTag()
      } else {
        try startTag()
      }
    }
    if let last = open.last {
      line = last.line
      throw malformed("The element <\(name(last.name))> is never closed. Add </\(name(last.name))>.")
    }
    if starts.isEmpty {
      throw malformed("The document holds no element\(bytes.isEmpty ? "; it is empty" : "").")
    }
  }

  /// Moves to the next `<`.
  private mutating func nextTag() throws(DocumentFailure) -> Bool {
    while index < bytes.count, bytes[index] != 0x3C {
      if open.isEmpty, !isSpace(bytes[index]) {
        throw malformed("There is text outside the root element. Remove it.")
      }
      step()
    }
    return index < bytes.count
  }

  private func declaration() -> DocumentFailure {
    let rest = bytes[(index + 2)...].prefix(7)
    guard String(decoding: rest, as: UTF8.self).uppercased() == "DOCTYPE" else {
      return malformed("A tag beginning with <! is neither a comment nor CDATA. Write &lt; for a less-than sign.")
    }
    return DocumentFailure(
      code: "xml.doctype",
      line: line,
      message: "The document has a document type declaration (<!DOCTYPE>). It is refused because entities defined "
        + "there can fetch other files or grow without bound. Remove the declaration."
    )
  }

  private mutating func endTag() throws(DocumentFailure) {
    let start = index + 2
    var end = start
    while end < bytes.count, !isSpace(bytes[end]), bytes[end] != 0x3E { end += 1 }
    let range = start..<end
    guard let last = open.last else {
      throw malformed("</\(name(range))> closes nothing. Remove it.")
    }
    guard bytes[range].elementsEqual(bytes[last.name]) else {
      throw malformed(
        "</\(name(range))> stands where </\(name(last.name))> must come first: the element <\(name(last.name))> of "
          + "line \(last.line) is still open."
      )
    }
    while end < bytes.count, isSpace(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == 0x3E else {
      throw malformed("The tag </\(name(range))> does not end with >.")
    }
    move(to: end + 1)
    open.removeLast()
  }

  private mutating func startTag() throws(DocumentFailure) {
    let nameStart = index + 1
    var end = nameStart
    while end < bytes.count, !isSpace(bytes[end]), bytes[end] != 0x3E, bytes[end] != 0x2F { end += 1 }
    guard end > nameStart else { throw malformed("A < begins no tag. Write &lt; for a less-than sign.") }
    if open.isEmpty, !starts.isEmpty {
      throw malformed("There is a second root element <\(name(nameStart..<end))>. Only one may be there.")
    }
    starts.append(Location(line: line, column: index - lineStart + 1))
    guard starts.count <= limits.elements else {
      throw limit("limit.count", "more than \(limits.elements) elements", "Split it.")
    }
    let tag = Open(name: nameStart..<end, line: line)
    var quote: UInt8 = 0
    while end < bytes.count {
      let byte = bytes[end]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E || byte == 0x3C {
        break
      }
      end += 1
    }
    guard end < bytes.count, bytes[end] == 0x3E else {
      throw malformed("The tag <\(name(tag.name))> is not closed; a > or a quotation mark is missing.")
    }
    let isEmpty = bytes[end - 1] == 0x2F
    move(to: end + 1)
    if isEmpty {
      guard open.count < limits.depth else { throw tooDeep() }
    } else {
      open.append(tag)
      guard open.count <= limits.depth else { throw tooDeep() }
    }
  }

  private func tooDeep() -> DocumentFailure {
    limit("limit.depth", "elements nested \(limits.depth + 1) deep", "Use fewer levels.")
  }

  private func limit(_ code: String, _ found: String, _ advice: String) -> DocumentFailure {
    let allowed = code == "limit.depth" ? limits.depth : limits.elements
    return DocumentFailure(
      code: code,
      line: line,
      message: "The document has \(found); the limit is \(allowed). \(advice)"
    )
  }

  private func malformed(_ message: String) -> DocumentFailure {
    DocumentFailure(code: "xml.malformed", line: line, message: "\(message) (column \(index - lineStart + 1))")
  }

  private func name(_ range: Range<Int>) -> String {
    let scalars = String(decoding: bytes[range], as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 }
    return String(String.UnicodeScalarView(scalars.prefix(60)))
  }

  private func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    let pointer = UnsafeBufferPointer(start: text.utf8Start, count: count)
    return bytes[index..<(index + count)].elementsEqual(pointer)
  }

  private mutating func skip(past text: String, from start: Int, what: String) throws(DocumentFailure) {
    let end = Array(text.utf8)
    var position = start
    while position + end.count <= bytes.count {
      if bytes[position] == end[0], bytes[position..<(position + end.count)].elementsEqual(end) {
        return move(to: position + end.count)
      }
      position += 1
    }
    throw malformed(what)
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private mutating func move(to end: Int) { while index < end { step() } }

  /// One byte on; CR, LF and CR LF each end one line.
  private mutating func step() {
    let byte = bytes[index]
    index += 1
    if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
      line += 1
      lineStart = index
    }
  }
}
