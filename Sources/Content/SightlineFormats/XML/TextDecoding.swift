/// Bytes of an XML document as UTF-8, whatever encoding they came in.
///
/// Converting before parsing makes the reader independent of what the platform's parser happens to support, and lets
/// the checks that come first look at one encoding only.
enum TextDecoding {
  /// Converts, following byte-order mark and XML declaration.
  ///
  /// - Returns: UTF-8 without byte-order mark. When the document declared another encoding, its declaration is blanked
  ///   out, line ends kept, so that nobody decodes a second time.
  /// - Throws: `format.encoding` with the encoding's name or the offset of the first bad byte.
  static func utf8(_ bytes: [UInt8]) throws(DocumentFailure) -> [UInt8] {
    let isUTF32 = bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    if isUTF32 { throw unsupported("UTF-32") }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, from: 2, bigEndian: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, from: 2, bigEndian: false) }
    if bytes.starts(with: [0, 0x3C]) { return try utf16(bytes, from: 0, bigEndian: true) }
    if bytes.starts(with: [0x3C, 0]) { return try utf16(bytes, from: 0, bigEndian: false) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let content = start == 0 ? bytes : Array(bytes[start...])
    guard let declaration = XMLDeclaration(content), let encoding = declaration.encoding else {
      return try checkedUTF8(content, offset: start)
    }
    let decoded: [UInt8]
    switch encoding.lowercased() {
    case "utf-8": return try checkedUTF8(content, offset: start)
    case "utf8", "us-ascii", "ascii": decoded = try checkedUTF8(content, offset: start)
    case _ where start == 3:
      throw DocumentFailure(
        code: "format.encoding",
        line: 1,
        message: "The document begins with the mark of UTF-8 but declares \(quoted(encoding)). Correct one of them."
      )
    case "iso-8859-1", "latin1", "iso_8859-1": decoded = singleBytes(content) { UInt32($0) }
    case "iso-8859-15", "latin-9", "iso_8859-15": decoded = singleBytes(content, iso885915)
    case "windows-1252", "cp1252":
      if let offset = content.firstIndex(where: { windows1252($0) == 0 && $0 != 0 }) {
        throw DocumentFailure(
          code: "format.encoding",
          line: line(of: offset, in: content),
          message: "Byte \(offset) (\(content[offset])) stands for nothing in windows-1252. Save the document as UTF-8."
        )
      }
      decoded = singleBytes(content, windows1252)
    default: throw unsupported(encoding)
    }
    return XMLDeclaration(decoded).map { $0.blanked(in: decoded) } ?? decoded
  }

  private static func unsupported(_ name: String) -> DocumentFailure {
    DocumentFailure(
      code: "format.encoding",
      line: 1,
      message: "The encoding \(quoted(name)) is not read. Save the document as UTF-8. (Also read: UTF-16 with "
        + "byte-order mark, ISO-8859-1, ISO-8859-15, windows-1252.)"
    )
  }

  /// The bytes, if they are UTF-8.
  static func checkedUTF8(_ bytes: [UInt8], offset: Int) throws(DocumentFailure) -> [UInt8] {
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    scan: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): position += scalar.count
      case .emptyInput, .error: break scan
      }
    }
    let value = position < bytes.count ? " (\(bytes[position]))" : ""
    throw DocumentFailure(
      code: "format.encoding",
      line: line(of: position, in: bytes),
      message: "Byte \(position + offset)\(value) is not valid UTF-8. Save the document as UTF-8, or "
        + "declare its encoding."
    )
  }

  private static func utf16(_ bytes: [UInt8], from start: Int, bigEndian: Bool) throws(DocumentFailure) -> [UInt8] {
    func fail(_ unit: Int, _ line: Int) -> DocumentFailure {
      DocumentFailure(
        code: "format.encoding",
        line: line,
        message: "The pair of bytes at \(start + unit * 2) is not valid UTF-16. Save the document as UTF-8."
      )
    }
    let count = (bytes.count - start) / 2
    func unit(_ index: Int) -> UInt16 {
      let first = UInt16(bytes[start + index * 2])
      let second = UInt16(bytes[start + index * 2 + 1])
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    var output: [UInt8] = []
    output.reserveCapacity(count + count / 8)
    var line = 1
    var index = 0
    while index < count {
      let first = unit(index)
      var scalar = UInt32(first)
      if first == 0x0A { line += 1 }
      if first & 0xF800 == 0xD800 {
        guard first & 0x0400 == 0, index + 1 < count, unit(index + 1) & 0xFC00 == 0xDC00 else {
          throw fail(index, line)
        }
        scalar = 0x10000 &+ (UInt32(first & 0x3FF) << 10 | UInt32(unit(index + 1) & 0x3FF))
        index += 1
      }
      append(scalar, to: &output)
      index += 1
    }
    guard (bytes.count - start).isMultiple(of: 2) else { throw fail(count, line) }
    return XMLDeclaration(output).map { $0.blanked(in: output) } ?? output
  }

  private static func singleBytes(_ bytes: [UInt8], _ scalar: (UInt8) -> UInt32) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { append(scalar(byte), to: &output) }
    return output
  }

  private static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case 0..<0x80: output.append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      output += [0xC0 | UInt8(truncatingIfNeeded: scalar >> 6), 0x80 | UInt8(truncatingIfNeeded: scalar & 63)]
    case 0x800..<0x10000:
      output += [
        0xE0 | UInt8(truncatingIfNeeded: scalar >> 12), 0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 63),
        0x80 | UInt8(truncatingIfNeeded: scalar & 63),
      ]
    default:
      output += [
        0xF0 | UInt8(truncatingIfNeeded: scalar >> 18), 0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 63),
        0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 63), 0x80 | UInt8(truncatingIfNeeded: scalar & 63),
      ]
    }
  }

  private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes[..<min(offset, bytes.count)].count { $0 == 0x0A }
  }

  /// ISO-8859-15 is ISO-8859-1 with eight characters replaced.
  private static func iso885915(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0xA4: 0x20AC
    case 0xA6: 0x160
    case 0xA8: 0x161
    case 0xB4: 0x17D
    case 0xB8: 0x17E
    case 0xBC: 0x152
    case 0xBD: 0x153
    case 0xBE: 0x178
    default: UInt32(byte)
    }
  }

  /// Windows-1252 is ISO-8859-1 with printable characters from 0x80 to 0x9F; 0 where it has none.
  private static func windows1252(_ byte: UInt8) -> UInt32 {
    guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
    let table: [UInt32] = [
      0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17D, 0,
      0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0, 0x17E, 0x178,
    ]
    return table[Int(byte & 0x1F)]
  }
}

/// The line `<?xml … ?>` at the very beginning of a document.
struct XMLDeclaration {
  /// Bytes it takes.
  let end: Int
  /// Value of `encoding`.
  let encoding: String?
  /// Whether it has a version of XML 1 and nothing that does not belong there.
  let isComplete: Bool

  /// Looks for one in text that is ASCII as far as the declaration goes; `nil` when there is none or it is not in the
  /// form that XML 1.0 prescribes (the parser will then complain about it).
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Array("<?xml".utf8)), bytes.count > 5, XMLDeclaration.isSpace(bytes[5]) else { return nil }
    guard let close = bytes.prefix(1024).firstIndex(of: 0x3E), bytes[close - 1] == 0x3F else { return nil }
    end = close + 1
    var fields: [String: String] = [:]
    var rest = bytes[5..<(close - 1)]
    while true {
      rest = rest.drop(while: XMLDeclaration.isSpace)
      guard !rest.isEmpty else { break }
      let name = rest.prefix { $0 != 0x3D && !XMLDeclaration.isSpace($0) }
      rest = rest.dropFirst(name.count).drop(while: XMLDeclaration.isSpace)
      guard rest.first == 0x3D else { return nil }
      rest = rest.dropFirst().drop(while: XMLDeclaration.isSpace)
      guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return nil }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest.dropFirst(value.count + 1)
      guard rest.first == quote else { return nil }
      rest = rest.dropFirst()
      fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
    }
    encoding = fields["encoding"]
    let version = fields["version"] ?? ""
    isComplete =
      version.hasPrefix("1.") && version.utf8.count > 2 && version.dropFirst(2).allSatisfy { $0.isASCII && $0.isNumber }
      && Set(fields.keys).isSubset(of: ["version", "encoding", "standalone"])
      && ["yes", "no"].contains(fields["standalone"] ?? "no")
  }

  /// The document with spaces in its place.
  func blanked(in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for index in 0..<end where !XMLDeclaration.isSpace(result[index]) { result[index] = 0x20 }
    return result
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
