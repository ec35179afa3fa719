extension StringProtocol {
  /// The text without blanks and line ends round it.
  func trimming() -> SubSequence {
    guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace }) else {
      return self[endIndex...]
    }
    return self[start...end]
  }
}
