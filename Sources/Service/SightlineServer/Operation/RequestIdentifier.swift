import HTTPTypes
import Synchronization

/// Names for requests: the client's own when it is well formed, else a new one.
enum RequestIdentifier {
  private static let prefix = UInt32.random(in: .min ... .max)
  private static let counter = Atomic<UInt32>(0)

  /// 8 to 64 letters, digits and `-_.`: safe in a header field, a log line and a shell.
  static func isWellFormed(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }

  /// The client's own, or a new one.
  static func of(_ headers: HTTPFields) -> String {
    headers[.requestID].flatMap { isWellFormed($0) ? $0 : nil } ?? make()
  }

  /// A new one: 16 hexadecimal digits, half of them the process's, half a count.
  static func make() -> String {
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
    let number = UInt64(prefix) << 32 | UInt64(count)
    return String(unsafeUninitializedCapacity: 16) { digits in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: number >> (60 - 4 * index)) & 15
        digits[index] = digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10
      }
      return 16
    }
  }
}
