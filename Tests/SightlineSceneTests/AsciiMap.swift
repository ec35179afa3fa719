import SightlineMath
import SightlineScene

/// A map drawn with letters: north is up, `@` is the observer, every letter a feature, every cell a square.
///
/// ```
/// . A .
/// . @ B
/// . . .
/// ```
/// Cells are separated by spaces. Features come in alphabetical order.
struct AsciiMap {
  var letters: [Character] = []
  var features: [SceneFeature] = []

  /// A map whose cells are so many metres wide.
  init(_ text: String, cell: Double) {
    var found: [(Character, Int, Int)] = []
    var observer = (0, 0)
    for (row, line) in text.split(separator: "\n").enumerated() {
      for (column, symbol) in line.split(separator: " ").enumerated() {
        guard let letter = symbol.first, letter != "." else { continue }
        if letter == "@" { observer = (column, row) } else { found.append((letter, column, row)) }
      }
    }
    for (letter, column, row) in found.sorted(by: { $0.0 < $1.0 }) {
      letters.append(letter)
      features.append(
        dot(
          feature(east: Double(column - observer.0) * cell, north: Double(observer.1 - row) * cell)
        )
      )
    }
  }

  /// The radar's disc as text: `radius` cells from the centre to the rim, y down.
  func draw(_ radar: RadarFrame, radius: Int) -> String {
    let size = 2 * radius + 1
    var grid = [[Character]](repeating: [Character](repeating: ".", count: size), count: size)
    grid[radius][radius] = "@"
    for blip in radar.blips {
      let column = radius + Int((blip.position.x * Double(radius)).rounded())
      let row = radius + Int((blip.position.y * Double(radius)).rounded())
      guard grid.indices.contains(row), grid.indices.contains(column) else { continue }
      grid[row][column] = letters[Int(blip.feature)]
    }
    return text(grid)
  }
}

/// Rows of characters with spaces between, as ``AsciiMap`` reads them.
func text(_ grid: [[Character]]) -> String {
  grid.map { $0.map(String.init).joined(separator: " ") }.joined(separator: "\n")
}
