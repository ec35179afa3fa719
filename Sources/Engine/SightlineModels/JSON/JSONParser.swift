import SightlineInput

/// Reads a JSON text strictly: one value, nothing behind it, no comments, no trailing commas.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let limit: Int
  var values: [JSONText.Value] = []
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  mutating func parse() throws(JSONText.Failure) {
    // Some writers put the mark of UTF-8 before it, which RFC 8259 lets a reader skip.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
    skipSpace()
    try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw .syntax(offset: position) }
  }

  private mutating func value(depth: Int) throws(JSONText.Failure) {
    guard depth < JSONText.deepest, values.count < limit else { throw .limit(offset: position) }
    guard let first = peek() else { throw .syntax(offset: position) }
    switch first {
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONText.Failure) {
    let index = open(.object)
    if take("}") { return close(index) }
    repeat {
      skipSpace()
      guard values.count < limit else { throw .limit(offset: position) }
      try string()
      skipSpace()
      guard take(":") else { throw .syntax(offset: position) }
      skipSpace()
      try value(depth: depth + 1)
      skipSpace()
    } while take(",")
    guard take("}") else { throw .syntax(offset: position) }
    close(index)
  }

  private mutating func array(depth: Int) throws(JSONText.Failure) {
    let index = open(.array)
    if take("]") { return close(index) }
    repeat {
      skipSpace()
      try value(depth: depth + 1)
      skipSpace()
    } while take(",")
    guard take("]") else { throw .syntax(offset: position) }
    close(index)
  }

  private mutating func open(_ kind: JSONText.Kind) -> Int {
    values.append(JSONText.Value(kind: kind, start: Int32(position), length: 1, next: 0))
    position += 1
    skipSpace()
    return values.count - 1
  }

  private mutating func close(_ index: Int) {
    values[index].length = Int32(clamping: position - Int(values[index].start))
    values[index].next = Int32(clamping: values.count)
  }

  private mutating func append(_ kind: JSONText.Kind, _ start: Int, _ end: Int) {
    let next = Int32(values.count + 1)
    values.append(JSONText.Value(kind: kind, start: Int32(start), length: Int32(end - start), next: next))
  }

  private mutating func string() throws(JSONText.Failure) {
    guard take("\"") else { throw .syntax(offset: position) }
    let start = position
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        append(.string, start, position)
        position += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw .syntax(offset: position)
      default: position += 1
      }
    }
    throw .syntax(offset: position)
  }

  private mutating func escape() throws(JSONText.Failure) {
    position += 1
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let digit = peek(), Digit.hexadecimal(digit) != nil else { throw .syntax(offset: position) }
        position += 1
      }
    default: throw .syntax(offset: position)
    }
  }

  private mutating func word(_ word: StaticString, _ kind: JSONText.Kind) throws(JSONText.Failure) {
    let start = position
    for k in 0..<word.utf8CodeUnitCount {
      guard peek() == word.utf8Start[k] else { throw .syntax(offset: position) }
      position += 1
    }
    append(kind, start, position)
  }

  private mutating func number() throws(JSONText.Failure) {
    let start = position
    _ = take("-")
    // No digit may follow a leading zero.
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    append(.number, start, position)
  }

  private mutating func digits() throws(JSONText.Failure) {
    let start = position
    while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw .syntax(offset: position) }
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(truncatingIfNeeded: character.value) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }
}
