import Foundation

/// Reads the text of a file with settings: one JSON object of texts, whole numbers, truth values and lists of texts.
///
/// `//` begins a comment that ends with its line. Unlike readers for documents it knows the line of every setting, and
/// says what an operator has to do.
struct SettingsReader {
  /// What is wrong, and in which line.
  struct Failure: Error, Equatable {
    let line: Int
    let message: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// The settings of a file, in their order.
  static func read(_ bytes: [UInt8]) throws(Failure) -> [SettingsFile.Entry] {
    // Some editors begin every file with it.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    guard String(validating: bytes, as: UTF8.self) != nil else {
      let wrong = firstLineThatIsNotText(bytes)
      throw Failure(line: wrong, message: "this is no UTF-8 text. Save the file as UTF-8.")
    }
    var reader = SettingsReader(bytes: bytes)
    return try reader.object()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func firstLineThatIsNotText(_ bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fails(_ message: String) -> Failure { Failure(line: line, message: message) }

  /// What stands here, for a message.
  private var seen: String {
    guard position < bytes.count else { return "the end of the file" }
    let rest = bytes[position...].prefix(64).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return "\"\(String(decoding: rest, as: UTF8.self).prefix(20))\""
  }

  private mutating func skipBlanks() {
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/"):
        while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
      default: return
      }
    }
  }

  private mutating func object() throws(Failure) -> [SettingsFile.Entry] {
    skipBlanks()
    guard next == UInt8(ascii: "{") else {
      throw fails("the settings have to stand between { and }; here is \(seen).")
    }
    position += 1
    var entries: [SettingsFile.Entry] = []
    skipBlanks()
    if next == UInt8(ascii: "}") {
      position += 1
      try end()
      return entries
    }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else {
        let advice = next == UInt8(ascii: "}") ? "Take the comma before it out." : "Write \"NAME\": VALUE."
        throw fails("here is \(seen), where the name of a setting is expected. \(advice)")
      }
      let named = line
      let name = try text()
      skipBlanks()
      guard next == UInt8(ascii: ":") else {
        throw fails("after the name \"\(name.prefix(40))\" a colon is expected; here is \(seen).")
      }
      position += 1
      skipBlanks()
      entries.append(SettingsFile.Entry(name: name, value: try value(of: name), line: named))
      skipBlanks()
      switch next {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "}"):
        position += 1
        try end()
        return entries
      default: throw fails("after a setting a comma or } is expected; here is \(seen).")
      }
    }
  }

  private mutating func end() throws(Failure) {
    skipBlanks()
    guard next == nil else { throw fails("nothing may stand after the } of the settings; here is \(seen).") }
  }

  private mutating func value(of name: String) throws(Failure) -> SettingsFile.Value {
    let name = name.prefix(40)
    switch next {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "["): return .list(try list(of: name))
    case UInt8(ascii: "{"):
      throw fails(
        "\(name) may not be an object: every setting is a text, a whole number, true, false or a list of texts."
      )
    default: break
    }
    let start = position
    while let byte = next, !" \t\r\n,:{}[]\"/".utf8.contains(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": throw fails("\(name) is null. Write a value, or take the line out for the default.")
    default: break
    }
    if let number = Int(word), word.utf8.first != UInt8(ascii: "+") { return .number(number) }
    position = start
    if Double(word) != nil { throw fails("\(name) is \(word.prefix(40)), which is no whole number of this machine.") }
    throw fails("\(name) has no value that can be read; here is \(seen). Texts stand in quotation marks.")
  }

  private mutating func list(of name: Substring) throws(Failure) -> [String] {
    position += 1
    var texts: [String] = []
    skipBlanks()
    if next == UInt8(ascii: "]") {
      position += 1
      return texts
    }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fails("\(name) is a list of texts; here is \(seen).") }
      texts.append(try text())
      skipBlanks()
      switch next {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"):
        position += 1
        return texts
      default: throw fails("in the list \(name) a comma or ] is expected; here is \(seen).")
      }
    }
  }

  private mutating func text() throws(Failure) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escaped()
      case ..<0x20: throw fails("a text ends without quotation mark, or has a control character in it.")
      default: text.append(byte)
      }
    }
    throw fails("a text has no end: a quotation mark is missing.")
  }

  private mutating func escaped() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw fails("a text has no end: a quotation mark is missing.") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]), next == UInt8(ascii: "\\"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        units.append(try unit())
      }
      guard let character = String(validating: units, as: UTF16.self) else {
        throw fails("the \\u in a text names no character.")
      }
      return Array(character.utf8)
    default: throw fails("a text has a \\ in it that means nothing; write \\\\ for one.")
    }
  }

  private mutating func unit() throws(Failure) -> UInt16 {
    guard position + 4 <= bytes.count,
      let number = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+")
    else { throw fails("after \\u four hexadecimal digits are expected.") }
    position += 4
    return number
  }
}
