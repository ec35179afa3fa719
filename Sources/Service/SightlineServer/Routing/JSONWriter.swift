import NIOCore
import SightlineInput

/// Writes JSON straight into a byte buffer, for answers that are asked for thousands of times a second: encoding a
/// `Codable` value costs more than all the rest of such an answer together.
///
/// The caller keeps to JSON's grammar; the writer puts the commas.
struct JSONWriter {
  private(set) var buffer: ByteBuffer
  private var needsComma = false

  init(capacity: Int) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

  mutating func beginObject() { open(UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginArray() { open(UInt8(ascii: "[")) }
  mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's name; its value is written next.
  ///
  /// Names come from the program and need no escaping.
  mutating func name(_ name: StaticString) {
    comma()
    buffer.writeInteger(UInt8(ascii: "\""))
    buffer.writeStaticString(name)
    buffer.writeStaticString("\":")
    needsComma = false
  }

  /// A member's name that is known only at run time.
  mutating func dynamicName(_ name: String) {
    value(name)
    buffer.writeInteger(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ text: String) {
    comma()
    JSONWriter.writeString(text, to: &buffer)
    needsComma = true
  }

  mutating func value(_ number: Int) {
    comma()
    JSONWriter.writeInteger(number, to: &buffer)
    needsComma = true
  }

  /// The shortest digits that read back as the same number; `null` when it is not finite.
  mutating func value(_ number: Double) {
    comma()
    if number.isFinite {
      var sink = BufferSink(buffer: buffer)
      // The buffer must have one owner while it grows, or every number would copy it.
      buffer = ByteBuffer()
      number.write(to: &sink)
      buffer = sink.buffer
    } else {
      buffer.writeStaticString("null")
    }
    needsComma = true
  }

  mutating func value(_ flag: Bool) {
    comma()
    buffer.writeStaticString(flag ? "true" : "false")
    needsComma = true
  }

  mutating func null() {
    comma()
    buffer.writeStaticString("null")
    needsComma = true
  }

  /// Bytes that are a JSON value already.
  mutating func raw(_ json: some Collection<UInt8>) {
    comma()
    buffer.writeBytes(json)
    needsComma = true
  }

  /// One or more members that are JSON already.
  mutating func rawMembers(_ json: UnsafeRawBufferPointer) {
    comma()
    buffer.writeBytes(json)
    needsComma = true
  }

  /// One or more members that are JSON already.
  mutating func members(_ json: ByteBuffer) {
    comma()
    buffer.writeImmutableBuffer(json)
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
    JSONWriter.writeInteger(whole / 1000, to: &buffer)
    var fraction = whole % 1000
    if fraction != 0 {
      var divisor = 100
      buffer.writeInteger(UInt8(ascii: "."))
      while fraction != 0 {
        buffer.writeInteger(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: fraction / divisor))
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
    buffer.writeInteger(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    buffer.writeInteger(byte)
    needsComma = true
  }

  @inline(__always) private mutating func comma() {
    if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
  }
}

extension JSONWriter {
  /// Writes a string with its quotes; only what JSON demands is escaped.
  static func writeString(_ text: String, to buffer: inout ByteBuffer) {
    var text = text
    text.withUTF8 { writeString($0, to: &buffer) }
  }

  private static func writeString(_ utf8: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
    buffer.writeInteger(UInt8(ascii: "\""))
    var plainFrom = 0
    for (index, byte) in utf8.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      buffer.writeBytes(UnsafeBufferPointer(rebasing: utf8[plainFrom..<index]))
      plainFrom = index + 1
      switch byte {
      case UInt8(ascii: "\""): buffer.writeStaticString("\\\"")
      case UInt8(ascii: "\\"): buffer.writeStaticString("\\\\")
      case UInt8(ascii: "\n"): buffer.writeStaticString("\\n")
      case UInt8(ascii: "\r"): buffer.writeStaticString("\\r")
      case UInt8(ascii: "\t"): buffer.writeStaticString("\\t")
      default:
        buffer.writeStaticString(byte < 0x10 ? "\\u000" : "\\u001")
        let digit = byte & 15
        buffer.writeInteger(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10)
      }
    }
    buffer.writeBytes(UnsafeBufferPointer(rebasing: utf8[plainFrom...]))
    buffer.writeInteger(UInt8(ascii: "\""))
  }

  static func writeInteger(_ number: Int, to buffer: inout ByteBuffer) {
    if number < 0 { buffer.writeInteger(UInt8(ascii: "-")) }
    var magnitude = number.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      } while magnitude != 0
      buffer.writeBytes(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[start...]))
    }
  }
}

/// Lets a floating-point number write its digits without an intermediate `String`.
private struct BufferSink: TextOutputStream {
  var buffer: ByteBuffer

  mutating func write(_ string: String) { buffer.writeString(string) }

  // `Double.write(to:)` comes here with its digits; the name is the standard library's.
  mutating func _writeASCII(_ digits: UnsafeBufferPointer<UInt8>) { buffer.writeBytes(digits) }
}
