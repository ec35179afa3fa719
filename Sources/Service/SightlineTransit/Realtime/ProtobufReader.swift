import SightlineInput

/// Reads the protobuf wire format: fields of one message, one after the other.
///
/// Unknown fields are passed over; every length is checked against what is there (protobuf encoding specification).
struct ProtobufReader {
  enum Failure: Error {
    case malformed
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Number of the current field.
  private(set) var field = 0
  private var wireType = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Goes to the next field, passing over the current one's value unless it was read; false at the end.
  mutating func next() throws -> Bool {
    guard position < bytes.count else { return false }
    let key = try varint()
    field = Int(truncatingIfNeeded: key >> 3)
    wireType = Int(truncatingIfNeeded: key & 7)
    guard field > 0, key >> 3 < 1 << 29 else { throw Failure.malformed }
    return true
  }

  /// Passes over the current field's value.
  mutating func skip() throws {
    switch wireType {
    case 0: _ = try varint()
    case 1: try advance(8)
    case 2: _ = try message()
    case 5: try advance(4)
    default: throw Failure.malformed
    }
  }

  /// The value of an integer field; of another wire type, nothing that can be used.
  mutating func integer() throws -> Int {
    guard wireType == 0 else { throw Failure.malformed }
    return Int(truncatingIfNeeded: Int64(bitPattern: try varint()))
  }

  /// The value of a `float` field.
  mutating func float() throws -> Float {
    guard wireType == 5 else { throw Failure.malformed }
    let start = position
    try advance(4)
    return Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
  }

  /// The bytes of a string or message.
  mutating func message() throws -> UnsafeRawBufferPointer {
    guard wireType == 2 else { throw Failure.malformed }
    let length = try varint()
    guard length <= UInt64(clamping: bytes.count - position) else { throw Failure.malformed }
    let start = position
    position += Int(clamped: length)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// An id or another short string, checked to be UTF-8 and not longer than ``RealtimeLimits/idBytes``.
  mutating func string() throws -> String {
    let bytes = try message()
    guard bytes.count <= RealtimeLimits.idBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.malformed
    }
    return text
  }

  /// A text for people, checked to be UTF-8, cut after ``RealtimeLimits/textBytes``.
  mutating func text() throws -> String {
    let bytes = try message()
    guard bytes.count > RealtimeLimits.textBytes else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure.malformed }
      return text
    }
    var end = RealtimeLimits.textBytes
    // Not within a character.
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self) else {
      throw Failure.malformed
    }
    return text + "…"
  }

  /// A time, POSIX seconds; one that nobody can mean becomes the nearest that is believed, see `Instant`.
  mutating func instant() throws -> Int { Instant.clamped(try integer()) }

  /// A small number without sign, as protobuf's `uint32`; `nil` for anything else.
  mutating func count() throws -> Int? {
    let value = try integer()
    return (0...Int(UInt32.max)).contains(value) ? value : nil
  }

  private mutating func advance(_ count: Int) throws {
    guard bytes.count - position >= count else { throw Failure.malformed }
    position += count
  }

  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if shift == 63, byte > 1 { throw Failure.malformed }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      if shift > 63 { throw Failure.malformed }
    }
    throw Failure.malformed
  }
}
