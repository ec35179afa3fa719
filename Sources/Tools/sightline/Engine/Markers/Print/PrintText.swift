/// Letters made of squares, three wide and five high: labels that look the same in every format and need no font.
enum PrintText {
  /// Rows from top to bottom; the highest of three bits is at the left.
  private static let glyphs: [Character: [UInt8]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 3, 1, 7], "4": [5, 5, 7, 1, 1],
    "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 2, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
    "a": [2, 5, 7, 5, 5], "b": [6, 5, 6, 5, 6], "c": [3, 4, 4, 4, 3], "d": [6, 5, 5, 5, 6], "e": [7, 4, 6, 4, 7],
    "f": [7, 4, 6, 4, 4], "g": [3, 4, 5, 5, 3], "h": [5, 5, 7, 5, 5], "i": [7, 2, 2, 2, 7], "j": [1, 1, 1, 5, 2],
    "k": [5, 5, 6, 5, 5], "l": [4, 4, 4, 4, 7], "m": [5, 7, 7, 5, 5], "n": [6, 5, 5, 5, 5], "o": [2, 5, 5, 5, 2],
    "p": [6, 5, 6, 4, 4], "q": [2, 5, 5, 6, 3], "r": [6, 5, 6, 5, 5], "s": [3, 4, 2, 1, 6], "t": [7, 2, 2, 2, 2],
    "u": [5, 5, 5, 5, 7], "v": [5, 5, 5, 5, 2], "w": [5, 5, 7, 7, 5], "x": [5, 5, 2, 5, 5], "y": [5, 5, 2, 2, 2],
    "z": [7, 1, 2, 4, 7], "-": [0, 0, 7, 0, 0], ".": [0, 0, 0, 0, 2], ",": [0, 0, 0, 2, 4], "/": [1, 1, 2, 4, 4],
  ]

  /// Width of a text, millimetres.
  static func width(_ text: String, height: Double) -> Double { Double(max(0, 4 * text.count - 1)) * height / 5 }

  /// The squares of a text; characters that are not among the glyphs leave a gap.
  static func shape(_ text: String, x: Double, y: Double, height: Double) -> [PrintRectangle] {
    let dot = height / 5
    var result: [PrintRectangle] = []
    for (index, character) in text.lowercased().enumerated() {
      guard let rows = glyphs[character] else { continue }
      for (row, bits) in rows.enumerated() {
        for column in 0..<3 where bits & (4 >> UInt8(clamping: column)) != 0 {
          let left = x + Double(4 * index + column) * dot
          result.append(PrintRectangle(x: left, y: y + Double(row) * dot, width: dot, height: dot))
        }
      }
    }
    return result
  }
}
