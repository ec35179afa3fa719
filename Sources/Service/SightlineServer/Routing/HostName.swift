/// The `Host` field of a request.
enum HostName {
  /// Longest name with a port, bytes.
  static let longest = 255

  /// Whether a text can be a host, with or without a port.
  ///
  /// What a client sends as host comes back to it in addresses inside documents, and only if it can be one.
  static func isWellFormed(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...longest).contains(bytes.count) else { return false }
    return bytes.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
        || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}
