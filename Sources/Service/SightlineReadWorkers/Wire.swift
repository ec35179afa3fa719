/// Writes the numbers, texts and byte strings of a message; little-endian, every length before what it counts.
public struct WireWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8]

  /// An empty message with room for so many bytes.
  public init(capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// A whole number.
  public mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Yes or no.
  public mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// A number with a fraction.
  public mutating func write(_ number: Double) { write(number.bitPattern) }

  /// A byte string, after its length in 32 bits.
  public mutating func write(_ part: some Collection<UInt8>) {
    write(UInt32(clamping: part.count))
    bytes.append(contentsOf: part)
  }

  /// A text in UTF-8, after its length.
  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  /// A text that may be missing.
  public mutating func write(_ text: String?) {
    write(text != nil)
    if let text { write(text) }
  }

  /// A whole number with a sign in as many bytes as it needs, seven bits in each; those near zero take one.
  public mutating func write(compact number: Int) {
    var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1)))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Such a number that may be missing.
  public mutating func write(compact number: Int?) {
    write(number != nil)
    if let number { write(compact: number) }
  }

  /// A short text in UTF-8, after its length as such a number.
  public mutating func write(compact text: String) {
    var text = text
    text.withUTF8 { utf8 in
      write(compact: utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }
}

/// Reads a message of ``WireWriter``, and believes nothing: every length is held against what is there and what is
/// allowed before anything is made of it.
public struct WireReader: Sendable {
  /// A message that is not what it should be.
  public struct Malformed: Error, Equatable, Sendable {
    /// Makes one.
    public init() {}
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// A reader at the start of a message.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// A reader at the start of a message.
  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Bytes that are left.
  public var remaining: Int { bytes.endIndex - position }

  /// The next bytes, without copying.
  public mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw Malformed() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// A whole number.
  public mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type = Number.self
  ) throws(Malformed) -> Number {
    var number = Number.zero
    for (place, byte) in try take(Number.bitWidth / 8).enumerated() {
      number |= Number(truncatingIfNeeded: byte) << Number(truncatingIfNeeded: 8 * place)
    }
    return number
  }

  /// Yes or no; every byte but 0 and 1 is refused.
  public mutating func flag() throws(Malformed) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw Malformed()
    }
  }

  /// A number with a fraction; has to be finite.
  public mutating func double() throws(Malformed) -> Double {
    let value = Double(bitPattern: try number(UInt64.self))
    guard value.isFinite else { throw Malformed() }
    return value
  }

  /// A count that is at most `limit`.
  public mutating func count(limit: Int) throws(Malformed) -> Int {
    guard let count = Int(exactly: try number(UInt32.self)), count <= limit else { throw Malformed() }
    return count
  }

  /// A byte string of at most `limit` bytes, without copying.
  public mutating func part(limit: Int) throws(Malformed) -> ArraySlice<UInt8> { try take(try count(limit: limit)) }

  /// A text of at most `limit` bytes; has to be UTF-8.
  public mutating func text(limit: Int) throws(Malformed) -> String {
    guard let text = String(validating: try part(limit: limit), as: UTF8.self) else { throw Malformed() }
    return text
  }

  /// A text that may be missing.
  public mutating func optionalText(limit: Int) throws(Malformed) -> String? {
    try flag() ? try text(limit: limit) : nil
  }

  /// A number of ``WireWriter/write(compact:)-(Int)`` that has to be in a range.
  public mutating func compact(in range: ClosedRange<Int>) throws(Malformed) -> Int {
    var value: UInt64 = 0
    var shift = 0
    while position < bytes.endIndex, shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      let number = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
      guard let number = Int(exactly: number), range.contains(number) else { throw Malformed() }
      return number
    }
    throw Malformed()
  }

  /// Such a number that may be missing.
  public mutating func optionalCompact(in range: ClosedRange<Int>) throws(Malformed) -> Int? {
    try flag() ? try compact(in: range) : nil
  }

  /// A short text of at most `limit` bytes; has to be UTF-8.
  public mutating func compactText(limit: Int) throws(Malformed) -> String {
    let count = try compact(in: 0...limit)
    guard let text = String(validating: try take(count), as: UTF8.self) else { throw Malformed() }
    return text
  }

  /// Refuses what is left over.
  public func end() throws(Malformed) { guard remaining == 0 else { throw Malformed() } }
}
