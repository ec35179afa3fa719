import SightlineMarkers

/// The ink of markers and boards.
enum PrintedMarker {
  /// The black cells of a marker.
  ///
  /// - Parameters:
  ///   - dictionary: its dictionary.
  ///   - id: its number there.
  ///   - x: left outer edge of the black border, millimetres.
  ///   - y: upper one.
  ///   - length: outer edge of the black border, millimetres.
  /// - Returns: rectangles that do not overlap.
  static func shape(_ dictionary: MarkerDictionary, id: Int, x: Double, y: Double, length: Double) -> [PrintRectangle] {
    let n = dictionary.cells
    let cell = length / Double(n + 2)
    let code = dictionary.family.code(id: id)
    func isBlack(_ row: Int, _ column: Int) -> Bool {
      guard (1...n).contains(row), (1...n).contains(column) else { return true }
      return code >> UInt64(clamping: n * n - 1 - (row - 1) * n - (column - 1)) & 1 == 0
    }
    var result: [PrintRectangle] = []
    for row in 0..<(n + 2) {
      var column = 0
      while column < n + 2 {
        let start = column
        while column < n + 2, isBlack(row, column) { column += 1 }
        if column > start {
          // Edges are computed from the marker's corner each time, so that rounding does not add up.
          let (left, right) = (x + Double(start) * cell, x + Double(column) * cell)
          let (top, bottom) = (y + Double(row) * cell, y + Double(row + 1) * cell)
          result.append(PrintRectangle(x: left, y: top, width: right - left, height: bottom - top))
        } else {
          column += 1
        }
      }
    }
    return result
  }

  /// Marks at the corners of a rectangle, outside of it, where to cut.
  static func cuttingMarks(x: Double, y: Double, width: Double, height: Double) -> [PrintRectangle] {
    let (length, gap, line) = (4.0, 1.0, 0.15)
    var result: [PrintRectangle] = []
    for right in [x, x + width] {
      for side in [y - gap - length, y + height + gap] {
        result.append(PrintRectangle(x: right - line / 2, y: side, width: line, height: length))
      }
    }
    for lower in [y, y + height] {
      for side in [x - gap - length, x + width + gap] {
        result.append(PrintRectangle(x: side, y: lower - line / 2, width: length, height: line))
      }
    }
    return result
  }

  /// A ruler with a mark every ten millimetres: whether the printer kept the size.
  static func ruler(x: Double, y: Double, length: Double) -> [PrintRectangle] {
    var result = [PrintRectangle(x: x, y: y, width: length, height: 0.2)]
    for mark in stride(from: 0, through: length, by: 10) {
      result.append(PrintRectangle(x: x + mark - 0.1, y: y - 2, width: 0.2, height: 2))
    }
    return result
  }
}

/// Sizes of paper, millimetres.
enum Paper: String, CaseIterable {
  case a3, a4, a5, letter

  var size: (width: Double, height: Double) {
    switch self {
    case .a3: (297, 420)
    case .a4: (210, 297)
    case .a5: (148, 210)
    case .letter: (215.9, 279.4)
    }
  }
}
