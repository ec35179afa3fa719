import SightlineContent

// The format's published example spells its XML declaration as an element, `<xml version="1.0" …>`, and documents in
// use copy it. That one slip is mended; every other ill-formed document is refused.
extension AREAReader {
  /// The document with that first line blanked out, or `nil` when it does not begin so.
  static func withoutDeclarationSlip(_ utf8: [UInt8]) -> [UInt8]? {
    let start = utf8.firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? 0
    guard utf8[start...].starts(with: Array("<xml ".utf8)),
      let end = utf8[start...].prefix(200).firstIndex(of: 0x3E),
      utf8[end - 1] != 0x2F
    else { return nil }
    // Somewhere there is the end tag of a real element of this name: then it is no slip.
    guard !utf8[end...].suffix(40).contains(subsequence: Array("</xml>".utf8)) else { return nil }
    var result = utf8
    for index in start...end where result[index] != 0x0A && result[index] != 0x0D { result[index] = 0x20 }
    return result
  }

  static let slipProblem = Problem(
    .warning,
    "xml.declaration",
    line: 1,
    path: "",
    message: "The first line is an element <xml …> without question marks. It is taken for the XML declaration; write "
      + "<?xml version=\"1.0\" encoding=\"UTF-8\"?>."
  )
}

extension Collection where Element == UInt8 {
  fileprivate func contains(subsequence: [UInt8]) -> Bool {
    var position = startIndex
    while let found = self[position...].firstIndex(of: subsequence[0]) {
      if self[found...].starts(with: subsequence) { return true }
      position = index(after: found)
    }
    return false
  }
}
