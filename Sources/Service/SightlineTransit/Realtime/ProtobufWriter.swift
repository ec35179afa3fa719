/// Writes the protobuf wire format, field by field (protobuf encoding specification).
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value & 0x7F) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Four bytes, the lowest first.
  mutating func fixed(_ value: UInt32) {
    for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func integer(_ field: Int, _ value: Int) {
    varint(UInt64(clamping: field << 3))
    varint(UInt64(bitPattern: Int64(value)))
  }

  mutating func float(_ field: Int, _ value: Float) {
    varint(UInt64(clamping: field << 3 | 5))
    fixed(value.bitPattern)
  }

  mutating func string(_ field: Int, _ text: String) { data(field, Array(text.utf8)) }

  mutating func data(_ field: Int, _ content: [UInt8]) {
    varint(UInt64(clamping: field << 3 | 2))
    varint(UInt64(clamping: content.count))
    bytes += content
  }

  mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    body(&inner)
    data(field, inner.bytes)
  }

  /// A message with a header of this time.
  static func feed(time: Int, _ body: (inout ProtobufWriter) -> Void) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.message(1) {
      $0.string(1, "2.0")
      $0.integer(3, time)
    }
    body(&writer)
    return writer.bytes
  }

  // MARK: Fields that may be missing

  mutating func integer(_ field: Int, _ value: Int?) { if let value { integer(field, value) } }

  mutating func float(_ field: Int, _ value: Double?) { if let value { float(field, Float(value)) } }

  /// A text; an empty one is none.
  mutating func text(_ field: Int, _ text: String) { if !text.isEmpty { string(field, text) } }
}
