/// Appends little-endian numbers and texts.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: UInt8) { bytes.append(value) }
  mutating func put(_ value: UInt16) { append(value) }
  mutating func put(_ value: UInt32) { append(value) }
  mutating func put(_ value: Int32) { append(value) }
  mutating func put(_ value: UInt64) { append(value) }
  mutating func put(_ value: Double) { append(value.bitPattern) }
  mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Number of UTF-8 bytes (32 bits), then these.
  mutating func put(_ text: String) {
    put(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// As they are, without their number.
  mutating func put(_ raw: [UInt8]) { bytes.append(contentsOf: raw) }

  /// A record that may grow in later versions: its length (16 bits), then itself.
  ///
  /// - Precondition: the record has fewer than 65,536 bytes.
  mutating func putRecord(_ write: (inout ByteWriter) -> Void) {
    var record = ByteWriter()
    write(&record)
    put(UInt16(clamping: record.bytes.count))
    put(record.bytes)
  }

  private mutating func append<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Takes little-endian numbers and texts from the front of some bytes; `nil` when there are too few.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var count: Int { rest.count }

  mutating func u8() -> UInt8? { rest.popFirst() }
  mutating func u16() -> UInt16? { number() }
  mutating func u32() -> UInt32? { number() }
  mutating func i32() -> Int32? { number() }
  mutating func u64() -> UInt64? { number() }
  mutating func f64() -> Double? { number().map { Double(bitPattern: $0) } }
  mutating func bool() -> Bool? { u8().map { $0 != 0 } }

  /// A text; bytes that are no UTF-8 become U+FFFD.
  mutating func text() -> String? {
    guard let length = u32(), length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
  }

  /// All that is left.
  mutating func remainder() -> [UInt8] {
    defer { rest = rest.suffix(0) }
    return Array(rest)
  }

  /// A record with its length before it.
  mutating func record() -> ByteReader? {
    guard let length = u16(), length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return ByteReader(rest.prefix(Int(length)))
  }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    var value: Number = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: rest.prefix(size)) }
    rest = rest.dropFirst(size)
    return Number(littleEndian: value)
  }
}
