import NIOCore
import SightlineInput

/// Writes JSON straight into bytes, for answers that are asked for thousands of times a second: encoding a
/// `Codable` value costs more than all the rest of such an answer together.
///
/// The caller keeps to JSON's grammar; the writer puts the commas.
struct JSONWriter {
  // An array: `ByteBuffer` asks for each piece who owns it, and most pieces are a few bytes.
  private var bytes: [UInt8] = []
  private var needsComma = false

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// What was written.
  var buffer: ByteBuffer { ByteBuffer(bytes: bytes) }

  /// How many bytes were written.
  var count: Int { bytes.count }

  mutating func beginObject() { open(UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginArray() { open(UInt8(ascii: "[")) }
  mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's name; its value is written next.
  ///
  /// Names come from the program and need no escaping.
  mutating func name(_ name: StaticString) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    JSONWriter.write(name, to: &bytes)
    JSONWriter.write("\":", to: &bytes)
    needsComma = false
  }

  /// A member's name that is known only at run time.
  mutating func dynamicName(_ name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ text: String) {
    comma()
    JSONWriter.writeString(text, to: &bytes)
    needsComma = true
  }

  /// A text with what it belongs to and a colon before it, as one string.
  mutating func value(_ text: String, of owner: String) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    JSONWriter.writeEscaped(owner, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    JSONWriter.writeEscaped(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func value(_ number: Int) {
    comma()
    JSONWriter.writeInteger(number, to: &bytes)
    needsComma = true
  }

  /// The shortest digits that read back as the same number; `null` when it is not finite.
  mutating func value(_ number: Double) {
    comma()
    if number.isFinite {
      var sink = DigitSink(bytes: [])
      // The array must have one owner while it grows, or every number would copy it.
      swap(&sink.bytes, &bytes)
      number.write(to: &sink)
      swap(&sink.bytes, &bytes)
    } else {
      JSONWriter.write("null", to: &bytes)
    }
    needsComma = true
  }

  mutating func value(_ flag: Bool) {
    comma()
    JSONWriter.write(flag ? "true" : "false", to: &bytes)
    needsComma = true
  }

  mutating func null() {
    comma()
    JSONWriter.write("null", to: &bytes)
    needsComma = true
  }

  /// A value whose bytes something else appends.
  mutating func value(appending: (inout [UInt8]) -> Void) {
    comma()
    appending(&bytes)
    needsComma = true
  }

  /// Bytes that are a JSON value already.
  mutating func raw(_ json: ByteBuffer) { members(json) }

  /// One or more members that are JSON already.
  mutating func rawMembers(_ json: UnsafeRawBufferPointer) {
    comma()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// One or more members that are JSON already.
  mutating func members(_ json: ByteBuffer) {
    comma()
    json.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  /// A number ≥ 0 with three decimals at most, enough for metres.
  mutating func thousandths(_ number: Double) {
    comma()
    let scaled = (number * 1000).rounded()
    guard scaled.isFinite, scaled >= 0, scaled < 9e15 else {
      needsComma = false
      return value(number)
    }
    let whole = Int(clamped: scaled)
    JSONWriter.writeInteger(whole / 1000, to: &bytes)
    var fraction = whole % 1000
    if fraction != 0 {
      var divisor = 100
      bytes.append(UInt8(ascii: "."))
      while fraction != 0 {
        bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: fraction / divisor))
        fraction %= divisor
        divisor /= 10
      }
    }
    needsComma = true
  }

  mutating func member(_ name: StaticString, _ text: String) {
    self.name(name)
    value(text)
  }
  mutating func member(_ name: StaticString, _ number: Int) {
    self.name(name)
    value(number)
  }
  mutating func member(_ name: StaticString, _ number: Double) {
    self.name(name)
    value(number)
  }

  private mutating func open(_ byte: UInt8) {
    comma()
    bytes.append(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  @inline(__always) private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

extension JSONWriter {
  /// Writes a text of the program as it is.
  @inline(__always) static func write(_ text: StaticString, to bytes: inout [UInt8]) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a string with its quotes; only what JSON demands is escaped.
  static func writeString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    writeEscaped(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func writeEscaped(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { writeEscaped($0, to: &bytes) }
  }

  private static func writeEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var plainFrom = 0
    for (index, byte) in utf8.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainFrom..<index]))
      plainFrom = index + 1
      switch byte {
      case UInt8(ascii: "\""): write("\\\"", to: &bytes)
      case UInt8(ascii: "\\"): write("\\\\", to: &bytes)
      case UInt8(ascii: "\n"): write("\\n", to: &bytes)
      case UInt8(ascii: "\r"): write("\\r", to: &bytes)
      case UInt8(ascii: "\t"): write("\\t", to: &bytes)
      default:
        write(byte < 0x10 ? "\\u000" : "\\u001", to: &bytes)
        let digit = byte & 15
        bytes.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10)
      }
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainFrom...]))
  }

  static func writeInteger(_ number: Int, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var magnitude = number.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      } while magnitude != 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[start...]))
    }
  }
}

/// Lets a floating-point number write its digits without an intermediate `String`.
private struct DigitSink: TextOutputStream {
  var bytes: [UInt8]

  mutating func write(_ string: String) { bytes.append(contentsOf: string.utf8) }

  // `Double.write(to:)` comes here with its digits; the name is the standard library's.
  mutating func _writeASCII(_ digits: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: digits) }
}
