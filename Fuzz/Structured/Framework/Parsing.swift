/// Reads sample documents into trees, as they stand: prefixes and order stay.
///
/// For well-formed samples only; what is not
/// gives `nil`.
struct SampleParser {
  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  // MARK: XML

  /// The root element of an XML document in UTF-8.
  static func xml(_ bytes: [UInt8]) -> Node? {
    var parser = SampleParser(bytes)
    while parser.at < bytes.count {
      guard parser.skip(to: UInt8(ascii: "<")), let next = parser.peek(1) else { return nil }
      if next == UInt8(ascii: "?") || next == UInt8(ascii: "!") {
        parser.skipMarkup()
      } else {
        return parser.element()
      }
    }
    return nil
  }

  private func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }

  private mutating func skip(to byte: UInt8) -> Bool {
    while at < bytes.count, bytes[at] != byte { at += 1 }
    return at < bytes.count
  }

  private func stands(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  /// A comment, instruction or section, of which the bytes are given.
  @discardableResult private mutating func skipMarkup() -> String {
    let start = at
    let end = stands("<!--") ? "-->" : stands("<![CDATA[") ? "]]>" : ">"
    while at < bytes.count, !stands(end) { at += 1 }
    at = min(bytes.count, at + end.utf8.count)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func name() -> String {
    let start = at
    while let byte = peek(), byte > 0x20, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/"),
      byte != UInt8(ascii: "=")
    {
      at += 1
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func space() { while let byte = peek(), byte <= 0x20 { at += 1 } }

  private mutating func element() -> Node? {
    at += 1
    var node = Node.element(name())
    while true {
      space()
      guard let byte = peek() else { return nil }
      if byte == UInt8(ascii: "/") {
        at += 2
        return node
      }
      if byte == UInt8(ascii: ">") { break }
      let name = name()
      space()
      guard !name.isEmpty, peek() == UInt8(ascii: "=") else { return nil }
      at += 1
      space()
      guard let quote = peek() else { return nil }
      at += 1
      let start = at
      guard skip(to: quote) else { return nil }
      node.attributes.append((name: name, value: Self.plain(bytes[start..<at])))
      at += 1
    }
    at += 1
    while true {
      let start = at
      guard skip(to: UInt8(ascii: "<")), let next = peek(1) else { return nil }
      if at > start, bytes[start..<at].contains(where: { $0 > 0x20 }) {
        node.children.append(.text(Self.plain(bytes[start..<at])))
      }
      if next == UInt8(ascii: "/") {
        guard skip(to: UInt8(ascii: ">")) else { return nil }
        at += 1
        return node
      }
      if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
        node.children.append(.raw(skipMarkup()))
      } else {
        guard let child = element() else { return nil }
        node.children.append(child)
      }
    }
  }

  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text.replace(name, with: character)
    }
    return text
  }

  // MARK: JSON

  /// The value of a JSON document in UTF-8.
  static func json(_ bytes: [UInt8]) -> Node? {
    var parser = SampleParser(bytes)
    return parser.value()
  }

  private mutating func value() -> Node? {
    space()
    guard let byte = peek() else { return nil }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = byte == UInt8(ascii: "{")
      var node = isObject ? Node.object([]) : .list([])
      at += 1
      while true {
        space()
        guard let next = peek() else { return nil }
        if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") {
          at += 1
          return node
        }
        if next == UInt8(ascii: ",") {
          at += 1
          continue
        }
        var name = ""
        if isObject {
          guard let text = string() else { return nil }
          name = text
          space()
          at += 1
        }
        guard var child = value() else { return nil }
        child.name = name
        node.children.append(child)
      }
    case UInt8(ascii: "\""): return string().map { Node.text($0) }
    default:
      let start = at
      while let byte = peek(), byte > 0x20, !",]}".utf8.contains(byte) { at += 1 }
      return at > start ? .raw(String(decoding: bytes[start..<at], as: UTF8.self)) : nil
    }
  }

  private mutating func string() -> String? {
    guard peek() == UInt8(ascii: "\"") else { return nil }
    at += 1
    var text: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      at += 1
      guard byte == UInt8(ascii: "\\"), let next = peek() else {
        text.append(byte)
        continue
      }
      at += 1
      switch next {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        let code = UInt32(String(decoding: bytes[at..<min(bytes.count, at + 4)], as: UTF8.self), radix: 16) ?? 0x3F
        text += String(Unicode.Scalar(code) ?? "?").utf8
        at += 4
      default: text.append(next)
      }
    }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Tables

  /// Rows of a table without line ends in fields, named by its first row.
  static func csv(_ bytes: [UInt8]) -> Node? {
    var rows: [[String]] = []
    for line in bytes.split(separator: 0x0A) {
      var (fields, field, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
      for byte in line where byte != 0x0D {
        if byte == 0x22 {
          isQuoted.toggle()
        } else if byte == 0x2C, !isQuoted {
          fields.append(String(decoding: field, as: UTF8.self))
          field = []
        } else {
          field.append(byte)
        }
      }
      rows.append(fields + [String(decoding: field, as: UTF8.self)])
    }
    guard let header = rows.first else { return nil }
    return .list(
      rows.dropFirst().map { row in .object(zip(header, row).map { .text($1, as: $0) }) }
    )
  }
}
