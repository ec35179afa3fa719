import SightlineInput

/// A JSON text (RFC 8259) as a flat list of its values, in the order in which they stand.
///
/// A value's children follow it directly; for an object they are key, value, key, value … No text is copied: strings and
/// numbers stay where they are and are looked at when somebody asks. Valid as long as the bytes are.
struct JSONText {
  enum Kind: UInt8 {
    case null, no, yes, number, string, array, object
  }

  struct Value {
    var kind: Kind
    /// First byte in the text, for a string the one behind the quotation mark.
    var start: Int32
    /// Bytes; of a string without its quotation marks.
    var length: Int32
    /// Index of the first value that does not belong to this one.
    var next: Int32

    /// Where it stands.
    var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
  }

  enum Failure: Error {
    case syntax(offset: Int)
    case limit(offset: Int)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var values: [Value] = []
  /// What looking up members may cost: an object with a hundred thousand of them that is asked a hundred thousand times
  /// would take hours.
  let budget: ReadingBudget

  static let deepest = 64

  init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(Failure) {
    self.bytes = bytes
    budget = ReadingBudget(ReadingBudget.Limits(documentBytes: bytes.count))
    var parser = JSONParser(bytes: bytes, limit: limit)
    try parser.parse()
    values = parser.values
  }

  /// The value of a member of an object; the last one when a key stands there twice.
  ///
  /// Once the steps of ``budget`` are used
  /// up nothing is found any more, which whoever reads has to ask for in the end.
  func member(_ object: Int, _ key: StaticString) -> Int? {
    guard values[object].kind == .object else { return nil }
    var found: Int?
    var index = object + 1
    let end = Int(values[object].next)
    while index < end {
      guard budget.take(of: .steps) else { return nil }
      if isEqual(index, key) { found = index + 1 }
      index = Int(values[index + 1].next)
    }
    return found
  }

  /// The elements of an array.
  func elements(_ array: Int) -> [Int] {
    guard values[array].kind == .array else { return [] }
    var result: [Int] = []
    var index = array + 1
    let end = Int(values[array].next)
    while index < end {
      result.append(index)
      index = Int(values[index].next)
    }
    return result
  }

  /// Whether a string is a word of ASCII letters; escapes in it are undone.
  func isEqual(_ string: Int, _ word: StaticString) -> Bool {
    guard values[string].kind == .string else { return false }
    var unescaped = JSONStringBytes(bytes: bytes, value: values[string])
    for k in 0..<word.utf8CodeUnitCount where unescaped.next() != word.utf8Start[k] { return false }
    return unescaped.next() == nil
  }

  /// The bytes of a string, escapes undone.
  func string(_ index: Int) -> [UInt8]? {
    guard values[index].kind == .string else { return nil }
    var unescaped = JSONStringBytes(bytes: bytes, value: values[index])
    var result: [UInt8] = []
    while let byte = unescaped.next() { result.append(byte) }
    return result
  }

  /// A number; `nil` for anything else.
  func number(_ index: Int) -> Double? {
    let value = values[index]
    guard value.kind == .number else { return nil }
    return decimalNumber(UnsafeBufferPointer(rebasing: bytes[value.range]))
  }
}

/// The bytes of a string one after the other with its escapes undone, as UTF-8.
struct JSONStringBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let end: Int
  /// What is left of a character of several bytes, the next one lowest.
  private var pending: UInt32 = 0

  init(bytes: UnsafeBufferPointer<UInt8>, value: JSONText.Value) {
    self.bytes = bytes
    position = Int(value.start)
    end = value.range.upperBound
  }

  mutating func next() -> UInt8? {
    if pending != 0 {
      defer { pending >>= 8 }
      return UInt8(truncatingIfNeeded: pending)
    }
    guard position < end else { return nil }
    let byte = bytes[position]
    position += 1
    guard byte == UInt8(ascii: "\\") else { return byte }
    // The parser has seen to it that a known letter follows, and four digits behind a "u".
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "u"): return encoded(codePoint())
    default: return letter
    }
  }

  private mutating func codePoint() -> UInt32 {
    let first = fourDigits()
    guard first >= 0xD800, first < 0xE000 else { return first }
    // A high surrogate and its low one make a character; one alone stands for nothing.
    guard first < 0xDC00, position + 6 <= end, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return 0xFFFD }
    let back = position
    position += 2
    let second = fourDigits()
    guard second >= 0xDC00, second < 0xE000 else {
      position = back
      return 0xFFFD
    }
    return 0x10000 &+ (first &- 0xD800) &<< 10 &+ (second &- 0xDC00)
  }

  private mutating func fourDigits() -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      value = value << 4 | UInt32(truncatingIfNeeded: Digit.hexadecimal(bytes[position]) ?? 0)
      position += 1
    }
    return value
  }

  private mutating func encoded(_ point: UInt32) -> UInt8 {
    if point < 0x80 { return UInt8(truncatingIfNeeded: point) }
    if point < 0x800 {
      pending = 0x80 | point & 0x3F
      return UInt8(truncatingIfNeeded: 0xC0 | point >> 6)
    }
    if point < 0x10000 {
      pending = (0x80 | point >> 6 & 0x3F) | (0x80 | point & 0x3F) << 8
      return UInt8(truncatingIfNeeded: 0xE0 | point >> 12)
    }
    pending = (0x80 | point >> 12 & 0x3F) | (0x80 | point >> 6 & 0x3F) << 8 | (0x80 | point & 0x3F) << 16
    return UInt8(truncatingIfNeeded: 0xF0 | point >> 18)
  }
}
