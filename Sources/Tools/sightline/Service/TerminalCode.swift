import SightlineQR

/// A QR code in a terminal's letters, for phones that are held before it.
enum TerminalCode {
  /// Light modules around the code that readers want to see.
  private static let quiet = 4

  /// The lines of a code; none for a text that no code can hold.
  ///
  /// Two modules in each letter, black on white whatever the terminal's colours are. Addresses are ASCII.
  static func lines(for text: String) -> [String] {
    guard let code = try? QREncoder().encode(text.utf8.map { QRCharacter($0) }) else { return [] }
    let matrix = code.matrix
    let range = -quiet..<matrix.size + quiet
    func isDark(_ x: Int, _ y: Int) -> Bool {
      (0..<matrix.size).contains(x) && (0..<matrix.size).contains(y) && matrix[x, y]
    }
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      let letters = range.map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[30;107m" + letters.joined() + "\u{1B}[0m"
    }
  }
}
