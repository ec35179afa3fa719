import SightlineInput

/// Reads a document into a tree of located elements: XML 1.0 with namespaces, without document type declarations.
///
/// Goals, in this order: nothing in a foreign document may crash it or make it work without bound; what is not
/// well-formed is refused with line, column and advice; every element knows its place. Foundation's parser on Linux was
/// tried first and fails all three: it crashes on `<?p?>`, reports unclosed elements as success and gives the end of a
/// start tag as its place (`Documentation/decisions/0006-own-xml-reader.md`).
struct XMLTreeReader {
  let bytes: [UInt8]
  let limits: ReadingLimits
  var index = 0
  /// How far lines have been counted.
  private var counted = (offset: 0, line: 1, lineStart: 0)
  var open: [OpenElement] = []
  /// Values of the namespace declarations in force, by the attribute's name; the innermost is the last.
  var namespaces: [String: [String]] = [:]
  /// The same in order, with the level they were made on.
  var bindings: [(name: String, depth: Int)] = []
  let budget: ReadingBudget
  var elements = 0
  var root: LocatedElement?

  struct OpenElement {
    var element: LocatedElement
    /// The name as written, prefix included.
    var name: ArraySlice<UInt8>
    var text: [UInt8] = []
  }

  private init(_ bytes: [UInt8], limits: ReadingLimits, budget: ReadingBudget) {
    self.bytes = bytes
    self.limits = limits
    self.budget = budget
  }

  /// Checks the size, converts to UTF-8 and reads.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - limits: What it may be.
  ///   - budget: What it may cost; `nil` is what its size allows.
  /// - Returns: The root element.
  /// - Throws: `limit.size`, `limit.depth`, `limit.count`, `limit.steps`, `format.encoding`, `xml.doctype` or
  ///   `xml.malformed`.
  static func root(
    ofBytes bytes: [UInt8],
    limits: ReadingLimits,
    budget: ReadingBudget? = nil
  ) throws(DocumentFailure) -> LocatedElement {
    try limits.checkSize(bytes.count)
    return try root(
      of: try TextDecoding.utf8(bytes),
      limits: limits,
      budget: budget ?? limits.budget(documentBytes: bytes.count)
    )
  }

  /// Reads valid UTF-8 without byte-order mark, as ``TextDecoding`` gives it.
  static func root(
    of utf8: [UInt8],
    limits: ReadingLimits,
    budget: ReadingBudget
  ) throws(DocumentFailure) -> LocatedElement {
    var reader = XMLTreeReader(utf8, limits: limits, budget: budget)
    if let offset = XMLCharacters.firstForbidden(utf8) {
      throw reader.malformed("There is a character that XML does not allow. Remove it.", at: offset)
    }
    return try reader.read()
  }

  private mutating func read() throws(DocumentFailure) -> LocatedElement {
    try declaration()
    while index < bytes.count {
      if bytes[index] != 0x3C {
        try text()
      } else if has("<!--") {
        try comment()
      } else if has("<![CDATA[") {
        try characterData()
      } else if has("<!") {
        throw typeDeclaration()
      } else if has("<?") {
        try instruction()
      } else if has("</") {
        try endTag()
      } else {
        try startTag()
      }
    }
    if let last = open.last {
      throw DocumentFailure(
        code: "xml.malformed",
        line: last.element.line,
        message: "The element <\(shown(last.name))> is never closed. Add </\(shown(last.name))>. "
          + "(column \(last.element.column))"
      )
    }
    guard let root else {
      throw malformed("The document holds no element\(bytes.isEmpty ? "; it is empty" : "").", at: bytes.count)
    }
    return root
  }

  // MARK: What is not an element

  private mutating func declaration() throws(DocumentFailure) {
    guard has("<?xml"), bytes.count > 5, XMLCharacters.isSpace(bytes[5]) || bytes[5] == 0x3F else { return }
    guard let declaration = XMLDeclaration(bytes), declaration.isComplete else {
      throw malformed("The XML declaration is not of the form <?xml version=\"1.0\" encoding=\"UTF-8\"?>.", at: 0)
    }
    index = declaration.end
  }

  private mutating func typeDeclaration() -> DocumentFailure {
    let rest = bytes[(index + 2)...].prefix(7)
    guard String(decoding: rest, as: UTF8.self).uppercased() == "DOCTYPE" else {
      return malformed(
        "A tag beginning with <! is neither a comment nor CDATA. Write &lt; for a less-than sign.",
        at: index
      )
    }
    return DocumentFailure(
      code: "xml.doctype",
      line: place(of: index).line,
      message: "The document has a document type declaration (<!DOCTYPE>). It is refused because entities defined "
        + "there can fetch other files or grow without bound. Remove the declaration."
    )
  }

  private mutating func comment() throws(DocumentFailure) {
    guard let end = find("--", from: index + 4) else {
      throw malformed("This comment is never closed; close it with -->.", at: index)
    }
    guard end + 2 < bytes.count, bytes[end + 2] == 0x3E else {
      throw malformed("Two hyphens may not stand inside a comment.", at: end)
    }
    index = end + 3
  }

  private mutating func instruction() throws(DocumentFailure) {
    let start = index
    index += 2
    let target = name()
    guard !target.isEmpty else {
      throw malformed("A processing instruction has no name. Write &lt; for a less-than sign.", at: start)
    }
    guard String(decoding: target, as: UTF8.self).lowercased() != "xml" else {
      throw malformed("The XML declaration may stand only at the very beginning of the document.", at: start)
    }
    guard let end = find("?>", from: index), end == index || XMLCharacters.isSpace(bytes[index]) else {
      throw malformed("This processing instruction is not closed; close it with ?>.", at: start)
    }
    index = end + 2
  }

  private mutating func characterData() throws(DocumentFailure) {
    guard !open.isEmpty else { throw malformed("CDATA stands outside the root element. Remove it.", at: index) }
    guard let end = find("]]>", from: index + 9) else {
      throw malformed("This CDATA section is never closed; close it with ]]>.", at: index)
    }
    append(bytes[(index + 9)..<end])
    index = end + 3
  }

  private mutating func text() throws(DocumentFailure) {
    let start = index
    while index < bytes.count, bytes[index] != 0x3C, bytes[index] != 0x26 { index += 1 }
    let run = bytes[start..<index]
    guard !open.isEmpty else {
      let offset = run.firstIndex { !XMLCharacters.isSpace($0) } ?? index
      guard offset == index, index == bytes.count || bytes[index] == 0x3C else {
        throw malformed("There is text outside the root element. Remove it.", at: offset)
      }
      return
    }
    if let bracket = find("]]>", from: start, to: index) {
      throw malformed("The characters ]]> may not stand in text. Write ]]&gt;.", at: bracket)
    }
    append(run)
    if index < bytes.count, bytes[index] == 0x26 {
      let value = try reference()
      open[open.count - 1].text.append(contentsOf: value)
    }
  }

  /// Adds text to the open element; each line end becomes a line feed (2.11).
  private mutating func append(_ run: ArraySlice<UInt8>) {
    let last = open.count - 1
    guard run.contains(0x0D) else { return open[last].text.append(contentsOf: run) }
    for (offset, byte) in zip(run.indices, run) {
      if byte != 0x0D {
        open[last].text.append(byte)
      } else if offset + 1 == bytes.count || bytes[offset + 1] != 0x0A {
        open[last].text.append(0x0A)
      }
    }
  }

  /// A character or one of the five entities that need no declaration; `index` stands at the ampersand.
  mutating func reference() throws(DocumentFailure) -> [UInt8] {
    let start = index
    guard let end = bytes[start...].prefix(16).firstIndex(of: 0x3B) else {
      throw malformed("An ampersand begins no entity. Write &amp;.", at: start)
    }
    let body = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    index = end + 1
    switch body {
    case "amp": return [0x26]
    case "lt": return [0x3C]
    case "gt": return [0x3E]
    case "quot": return [0x22]
    case "apos": return [0x27]
    default: break
    }
    guard body.hasPrefix("#") else {
      throw malformed(
        "\(quoted("&\(body);")) is not an entity of XML, which are &amp; &lt; &gt; &quot; &apos;. Write the character itself.",
        at: start
      )
    }
    let isHexadecimal = body.hasPrefix("#x")
    let digits = body.dropFirst(isHexadecimal ? 2 : 1)
    guard !digits.hasPrefix("+"), let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      XMLCharacters.isAllowed(value), let scalar = Unicode.Scalar(value)
    else {
      throw malformed("\(quoted("&\(body);")) is not a character. Write &#65; or &#x41;.", at: start)
    }
    return Array(String(scalar).utf8)
  }

  // MARK: Characters

  /// A name, or nothing if none begins here.
  mutating func name() -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      var value = UInt32(byte)
      var length = 1
      if byte >= 0x80 {
        // The bytes are valid UTF-8.
        length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        value = UInt32(byte) & (0xFF >> (length + 1))
        for next in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(next & 0x3F) }
      }
      guard index == start ? XMLCharacters.startsName(value) : XMLCharacters.continuesName(value) else { break }
      index += length
    }
    return bytes[start..<index]
  }

  @discardableResult mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count, XMLCharacters.isSpace(bytes[index]) { index += 1 }
    return index > start
  }

  func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  private func find(_ text: StaticString, from start: Int, to limit: Int? = nil) -> Int? {
    let count = text.utf8CodeUnitCount
    let end = (limit ?? bytes.count) - count
    var position = start
    search: while position <= end {
      for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
        position += 1
        continue search
      }
      return position
    }
    return nil
  }

  /// Line and column, from 1, columns in bytes; CR, LF and CR LF each end one line.
  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    if offset < counted.offset { counted = (0, 1, 0) }
    while counted.offset < offset {
      let byte = bytes[counted.offset]
      counted.offset += 1
      let isPair = byte == 0x0D && counted.offset < bytes.count && bytes[counted.offset] == 0x0A
      if byte == 0x0A || (byte == 0x0D && !isPair) {
        counted.line += 1
        counted.lineStart = counted.offset
      }
    }
    return (counted.line, offset - counted.lineStart + 1)
  }

  mutating func malformed(_ message: String, at offset: Int) -> DocumentFailure {
    let (line, column) = place(of: offset)
    return DocumentFailure(code: "xml.malformed", line: line, message: "\(message) (column \(column))")
  }

  /// A name for a message, shortened.
  func shown(_ name: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(String(decoding: name, as: UTF8.self).unicodeScalars.prefix(60)))
  }
}
