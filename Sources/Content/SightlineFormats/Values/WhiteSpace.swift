extension String {
  /// Without white space and line ends at both ends.
  var trimmed: String {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    let scalars = unicodeScalars
    guard let first = scalars.first, let last = scalars.last, isSpace(first) || isSpace(last) else { return self }
    guard let start = scalars.firstIndex(where: { !isSpace($0) }),
      let end = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  /// Whether there is nothing but white space.
  var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace } }
}

extension String {
  /// Whether a text stands somewhere in it.
  ///
  /// The work grows with the sum of both lengths, not with their product as when each place is tried (Knuth, Morris and Pratt
  /// 1977, doi:10.1137/0206024).
  func holds(_ other: String) -> Bool {
    let pattern = Array(other.utf8)
    guard !pattern.isEmpty else { return true }
    // For each beginning of the pattern the length of the longest other one that it ends with.
    var borders = [0]
    var length = 0
    for byte in pattern.dropFirst() {
      while length > 0, pattern[length] != byte { length = borders[length - 1] }
      if pattern[length] == byte { length += 1 }
      borders.append(length)
    }
    length = 0
    for byte in utf8 {
      while length > 0, pattern[length] != byte { length = borders[length - 1] }
      if pattern[length] == byte { length += 1 }
      if length == pattern.count { return true }
    }
    return false
  }
}
