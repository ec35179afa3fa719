/// The `Accept-Encoding` and `If-None-Match` fields.
enum ContentCoding {
  /// Whether gzip is accepted: named (or `*`) with a weight other than 0.
  static func acceptsGzip(_ field: String) -> Bool {
    var any: Bool?
    for part in field.utf8.split(separator: UInt8(ascii: ",")) {
      let pieces = part.split(separator: UInt8(ascii: ";"))
      guard let first = pieces.first else { continue }
      let name = String(decoding: first, as: UTF8.self).trimming().lowercased()
      guard name == "gzip" || name == "x-gzip" || name == "*" else { continue }
      let refused = pieces.dropFirst().contains { piece in
        let text = String(decoding: piece, as: UTF8.self).trimming().lowercased()
        return text.hasPrefix("q=") && Double(text.dropFirst(2)) == 0
      }
      if name == "*" { any = any ?? !refused } else { return !refused }
    }
    return any ?? false
  }

  /// Whether one of the listed entity tags is ours, by the weak comparison of RFC 9110, 8.8.3.2.
  static func matches(_ field: String, etag: String) -> Bool {
    func opaque(_ tag: some StringProtocol) -> String { String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]) }
    let own = opaque(etag)
    return field.split(separator: ",").contains { part in
      let tag = part.trimming()
      return tag == "*" || opaque(tag) == own
    }
  }
}
