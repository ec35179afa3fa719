/// An address split into its five parts, relative or not (RFC 3986).
///
/// Foundation's `URL` silently repairs what other programs refuse; a validator has to see the text as it is.
struct URLReference: Equatable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  /// Splits by the grammar of RFC 3986, appendix B; never fails, for every text has that shape.
  init(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), URLReference.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// The parts joined (RFC 3986, 5.3).
  var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }

  /// The host without user, port and brackets; `nil` when there is none.
  var host: String? {
    guard var rest = authority.map({ Substring($0) }) else { return nil }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      return String(rest[rest.index(after: rest.startIndex)..<end])
    }
    if let colon = rest.lastIndex(of: ":") { rest = rest[..<colon] }
    return rest.isEmpty ? nil : String(rest)
  }

  /// Whether the part behind the host is a port or nothing.
  var hasUsablePort: Bool {
    guard let authority else { return true }
    let afterHost =
      authority.lastIndex(of: "]").map { authority[authority.index(after: $0)...] } ?? Substring(authority)
    guard let colon = afterHost.lastIndex(of: ":") else { return true }
    let port = afterHost[afterHost.index(after: colon)...]
    return port.isEmpty || (port.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(port) != nil)
  }

  /// This reference seen from a base address, by RFC 3986, 5.2.2.
  ///
  /// Without a scheme in the base it stays as it is.
  func resolved(against base: URLReference) -> URLReference {
    guard scheme == nil, base.scheme != nil else { return self }
    var result = self
    result.scheme = base.scheme
    if authority == nil {
      result.authority = base.authority
      if path.isEmpty {
        result.path = base.path
        result.query = query ?? base.query
      } else if !path.hasPrefix("/") {
        let folder = base.path.lastIndex(of: "/").map { String(base.path[...$0]) }
        result.path = (folder ?? (base.authority != nil ? "/" : "")) + path
      }
    }
    result.path = URLReference.withoutDots(result.path)
    return result
  }

  /// RFC 3986, 5.2.4, on whole segments.
  private static func withoutDots(_ path: String) -> String {
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (number, segment) in segments.enumerated() {
      let isLast = number == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        if output.count > 1 || (output.count == 1 && output[0] != "") { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }

  /// The text with everything that may not stand in an address percent-encoded in UTF-8.
  ///
  /// A `%` that begins no escape is encoded too. Text that is fine comes back unchanged.
  static func percentEncoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var seenHash = false
    for (index, byte) in bytes.enumerated() {
      var isFine = isAllowed(byte)
      if byte == 0x25 {
        isFine = index + 2 < bytes.count && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
      } else if byte == 0x23 {
        isFine = !seenHash
        seenHash = true
      }
      if isFine {
        output.append(byte)
      } else {
        output += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    if isLetter(byte) || (0x30...0x39).contains(byte) { return true }
    return "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
  }
}
