import NIOCore

/// A JSON object of numbers and plain texts, as nearly all questions are: read in one pass, without a tree.
///
/// Reads only what is certainly well-formed and unmistakable. Whoever gets `nil` reads the body with a real reader, which also says what is
/// wrong with it.
struct FlatQuestion: Sendable {
  enum Value: Sendable, Equatable {
    case number(Double)
    case text(String)
  }

  /// Digits of a number whose value follows from them by one division: as many as `Double` holds exactly.
  private static let mostExactDigits = 15
  /// Digits of a number that are read here: more than anybody writes of a coordinate.
  private static let mostDigits = 40

  private var names: [String] = []
  private var values: [Value] = []

  init?(_ body: ByteBuffer) {
    let isRead = body.withUnsafeReadableBytes { bytes -> Bool in
      var reader = Reader(bytes: bytes)
      return reader.object { name, value in
        // Of two members of one name a reader may take either: that is for the other one to say.
        guard names.count < 16, !names.contains(name) else { return false }
        names.append(name)
        values.append(value)
        return true
      }
    }
    if !isRead { return nil }
  }

  subscript(name: String) -> Value? { names.firstIndex(of: name).map { values[$0] } }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    private var at = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func object(_ take: (String, Value) -> Bool) -> Bool {
      guard next() == UInt8(ascii: "{") else { return false }
      if peek() == UInt8(ascii: "}") {
        at += 1
        return peek() == nil
      }
      while true {
        guard next() == UInt8(ascii: "\""), let name = text(), next() == UInt8(ascii: ":"), let first = peek() else {
          return false
        }
        let value: Value?
        if first == UInt8(ascii: "\"") {
          at += 1
          value = text().map(Value.text)
        } else {
          value = number().map(Value.number)
        }
        guard let value, take(name, value), let end = next() else { return false }
        if end == UInt8(ascii: "}") { return peek() == nil }
        if end != UInt8(ascii: ",") { return false }
      }
    }

    private mutating func peek() -> UInt8? {
      while at < bytes.count {
        let byte = bytes[at]
        guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
        at += 1
      }
      return at < bytes.count ? bytes[at] : nil
    }

    private mutating func next() -> UInt8? {
      let byte = peek()
      at += 1
      return byte
    }

    /// The rest of a text after its first quote: printable ASCII without escapes.
    private mutating func text() -> String? {
      let start = at
      while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
        guard (0x20..<0x7F).contains(bytes[at]), bytes[at] != UInt8(ascii: "\\") else { return nil }
        at += 1
      }
      guard at < bytes.count else { return nil }
      at += 1
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<(at - 1)]), as: UTF8.self)
    }

    /// A number without an exponent.
    ///
    /// Of up to fifteen digits both these and the power of ten are exact, so their quotient is the number nearest to what is written. The
    /// others, as browsers write what a satellite receiver says, are read by the standard library, which gives the nearest too.
    private mutating func number() -> Double? {
      let isNegative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
      if isNegative { at += 1 }
      let start = at
      var digits: Int64 = 0
      var count = 0
      var scale = 0.0
      while at < bytes.count {
        let byte = bytes[at]
        if byte == UInt8(ascii: "."), scale == 0, count > 0 {
          scale = 1
        } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
          // JSON has no zeros in front. Longer numbers, which would not fit, are for the real reader.
          if count == 1, digits == 0, scale == 0 { return nil }
          guard count < FlatQuestion.mostDigits else { return nil }
          if count < FlatQuestion.mostExactDigits { digits = digits &* 10 &+ Int64(byte &- UInt8(ascii: "0")) }
          count += 1
          scale *= 10
        } else {
          break
        }
        at += 1
      }
      guard at > start, count > 0, bytes[at - 1] != UInt8(ascii: "."), at < bytes.count,
        bytes[at] != UInt8(ascii: "."), bytes[at] | 0x20 != UInt8(ascii: "e")
      else { return nil }
      if count > FlatQuestion.mostExactDigits {
        guard let value = Double(String(decoding: bytes[start..<at], as: UTF8.self)) else { return nil }
        return isNegative ? -value : value
      }
      let value = Double(digits) / max(scale, 1)
      return isNegative ? -value : value
    }
  }
}
