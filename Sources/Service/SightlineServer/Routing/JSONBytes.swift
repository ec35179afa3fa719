import Foundation
import NIOCore
import NIOFoundationCompat

/// How answers are encoded: members in order, times as ``Timestamp`` has them.
///
/// What is asked for thousands of times a second is written by ``JSONWriter`` instead.
enum JSONBytes {
  /// A value as JSON.
  ///
  /// - Parameters:
  ///   - value: Something that encodes itself as an object, where members are added.
  ///   - members: Further members, which are JSON already.
  /// - Returns: An object with all of them, or the value's own form.
  /// - Throws: `EncodingError` for numbers that are not finite.
  static func encode(_ value: some Encodable, adding members: KeyValuePairs<String, Data> = [:]) throws -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.iso8601(date))
    }
    let bytes = try encoder.encode(value)
    guard !members.isEmpty else { return ByteBuffer(data: bytes) }
    precondition(bytes.last == UInt8(ascii: "}"), "members are added to objects only")
    var buffer = ByteBufferAllocator().buffer(
      capacity: bytes.count + members.reduce(0) { $0 + $1.key.utf8.count + $1.value.count + 4 }
    )
    buffer.writeBytes(bytes.dropLast())
    var isFirst = bytes.count == 2
    for (name, json) in members {
      buffer.writeString(isFirst ? "\"\(name)\":" : ",\"\(name)\":")
      buffer.writeBytes(json)
      isFirst = false
    }
    buffer.writeString("}")
    return buffer
  }
}
