import SightlineInput

/// Reads the protobuf wire format: fields of one message, one after the other.
///
/// Unknown fields are passed over; every length is checked against what is there (protobuf encoding specification). The bytes
/// must outlive the reader and what it hands out.
public struct ProtobufReader {
  /// Why a message cannot be read.
  public enum Failure: Error {
    case malformed
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  /// Number of the current field.
  public private(set) var field = 0
  private var wireType = 0

  /// A reader of a message, before its first field.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Goes to the next field.
  ///
  /// The current one's value has to be read or passed over before. False at the end.
  public mutating func next() throws(Failure) -> Bool {
    guard position < bytes.count else { return false }
    let key = try varint()
    field = Int(truncatingIfNeeded: key >> 3)
    wireType = Int(truncatingIfNeeded: key & 7)
    guard field > 0, key >> 3 < 1 << 29 else { throw .malformed }
    return true
  }

  /// Passes over the current field's value.
  public mutating func skip() throws(Failure) {
    switch wireType {
    case 0: _ = try varint()
    case 1: try advance(8)
    case 2: _ = try message()
    case 5: try advance(4)
    default: throw .malformed
    }
  }

  /// The value of an integer field; of another wire type, nothing that can be used.
  public mutating func integer() throws(Failure) -> Int {
    guard wireType == 0 else { throw .malformed }
    return Int(truncatingIfNeeded: Int64(bitPattern: try varint()))
  }

  /// The value of an integer field of type `sint64`, in ZigZag coding.
  public mutating func zigzag() throws(Failure) -> Int64 {
    guard wireType == 0 else { throw .malformed }
    return Self.signed(try varint())
  }

  /// The number of a ZigZag coding.
  @inlinable static func signed(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// The value of a `float` field.
  public mutating func float() throws(Failure) -> Float {
    guard wireType == 5 else { throw .malformed }
    let start = position
    try advance(4)
    return Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
  }

  /// The bytes of a string, a message or packed numbers.
  public mutating func message() throws(Failure) -> UnsafeRawBufferPointer {
    guard wireType == 2 else { throw .malformed }
    let length = try varint()
    guard length <= UInt64(clamping: bytes.count - position) else { throw .malformed }
    let start = position
    position += Int(clamped: length)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func advance(_ count: Int) throws(Failure) {
    guard bytes.count - position >= count else { throw .malformed }
    position += count
  }

  @inlinable mutating func varint() throws(Failure) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position &+= 1
      if shift == 63, byte > 1 { throw .malformed }
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
      if shift > 63 { throw .malformed }
    }
    throw .malformed
  }
}

/// Reads packed numbers: varints without keys between them.
public struct PackedNumbers {
  @usableFromInline var reader: ProtobufReader

  /// The numbers of a packed field.
  public init(_ bytes: UnsafeRawBufferPointer) { reader = ProtobufReader(bytes) }

  /// How many bytes there are still: at most so many numbers.
  public var bytesLeft: Int { reader.bytes.count - reader.position }

  /// Whether all numbers have been read.
  @inlinable public var isAtEnd: Bool { reader.position >= reader.bytes.count }

  /// The next number without sign.
  @inlinable public mutating func unsigned() throws(ProtobufReader.Failure) -> UInt64 { try reader.varint() }

  /// The next number of type `sint64`, in ZigZag coding.
  @inlinable public mutating func zigzag() throws(ProtobufReader.Failure) -> Int64 {
    ProtobufReader.signed(try reader.varint())
  }
}
