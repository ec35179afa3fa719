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
