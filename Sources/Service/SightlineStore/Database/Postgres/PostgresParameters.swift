import CPostgreSQL
import Foundation

/// The arguments of a statement in the server's binary form.
///
/// Each says its own type, so that nothing is left to the server's guess.
struct PostgresParameters {
  /// Numbers of the types of integers, floating-point numbers, texts and bytes.
  private static let (int8, float8, text, bytea): (Oid, Oid, Oid, Oid) = (20, 701, 25, 17)

  let types: [Oid]
  /// One byte more than is needed, so that an empty value has an address, too.
  private var bytes: [UInt8] = [0]
  private var ranges: [Range<Int>?] = []

  init(_ arguments: SQLArguments) throws {
    types = arguments.values.map { Self.type($0.type) }
    for value in arguments.values {
      let start = bytes.count
      switch value {
      case .null:
        ranges.append(nil)
        continue
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .real(let number): withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
      case .text(let text): PostgresText.append(text, to: &bytes)
      case .blob(let data): bytes.append(contentsOf: data)
      }
      ranges.append(start..<bytes.count)
    }
    // What PostgreSQL takes in one value.
    guard bytes.count < 1 << 30 else { throw PostgresError.value("it has more than a gigabyte") }
  }

  static func type(_ type: SQLType) -> Oid {
    switch type {
    case .integer: int8
    case .real: float8
    case .text: text
    case .blob: bytea
    }
  }

  /// How many bytes they take.
  var size: Int { bytes.count }

  /// Calls libpq with their number, addresses, lengths and formats.
  func with<Value>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      let addresses = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: ranges.count)
      return body(Int32(clamping: ranges.count), addresses, lengths, formats)
    }
  }
}

/// Statements with `?` and `?1` as PostgreSQL wants them: with `$1`.
enum PostgresPlaceholders {
  /// Leaves texts, names in quotation marks and comments as they are.
  static func translate(_ sql: String) -> String {
    var result: [UInt8] = []
    var last = 0
    var quote: UInt8?
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if let open = quote {
        result.append(byte)
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        result.append(byte)
        quote = byte
      } else if byte == UInt8(ascii: "-"), index < bytes.count, bytes[index] == byte {
        result.append(byte)
        quote = UInt8(ascii: "\n")
      } else if byte == UInt8(ascii: "?") {
        let digits = bytes[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        index += digits.count
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? (last + 1)
        last = max(last, number)
        result.append(contentsOf: "$\(number)".utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
