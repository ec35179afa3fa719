import SightlineInput

/// Cuts shapes into the tiles that they touch, first into columns, then each column's part into rows: what a corner costs does
/// not depend on how many tiles there are.
enum TileClipping {
  /// Calls `body` with each tile's column and row and what of the rings lies in it, in units of the world.
  ///
  /// Rings are cut by the method of Sutherland and Hodgman (1974): a ring that is in several pieces within a tile comes out as
  /// one, joined along the tile's margin, where nothing is drawn.
  static func rings(_ rings: [[TilePoint]], _ body: (Int, Int, [[TilePoint]]) throws -> Void) rethrows {
    try strips(rings, cut: ring) { column, part in
      try strips(transposed(part), cut: ring) { row, piece in try body(column, row, transposed(piece)) }
    }
  }

  /// The same of a line, which may come out as several.
  static func line(_ line: [TilePoint], _ body: (Int, Int, [[TilePoint]]) throws -> Void) rethrows {
    try strips([line], cut: self.line) { column, part in
      try strips(transposed(part), cut: self.line) { row, piece in try body(column, row, transposed(piece)) }
    }
  }

  /// What lies between two values of x.
  private typealias Cut = ([TilePoint], ClosedRange<Int32>) -> [[TilePoint]]

  private static func transposed(_ shapes: [[TilePoint]]) -> [[TilePoint]] {
    shapes.map { $0.map { TilePoint(x: $0.y, y: $0.x) } }
  }

  private static func strips(
    _ shapes: [[TilePoint]],
    cut: Cut,
    _ body: (Int, [[TilePoint]]) throws -> Void
  ) rethrows {
    var (low, high) = (Int32.max, Int32.min)
    for shape in shapes {
      for point in shape { (low, high) = (min(low, point.x), max(high, point.x)) }
    }
    guard low <= high else { return }
    let margin = TileLevel.margin
    let first = max(0, (Int(low) - margin) / TileLevel.extent)
    let last = (Int(high) + margin) / TileLevel.extent
    if first == last {
      try body(first, shapes)
      return
    }
    for strip in first...last {
      let range =
        Int32(clamped: strip * TileLevel.extent - margin)...Int32(clamped: (strip + 1) * TileLevel.extent + margin)
      let parts = shapes.flatMap { cut($0, range) }
      if !parts.isEmpty { try body(strip, parts) }
    }
  }

  private static func ring(_ ring: [TilePoint], _ range: ClosedRange<Int32>) -> [[TilePoint]] {
    var points = ring
    for (bound, isLower) in [(range.lowerBound, true), (range.upperBound, false)] {
      guard var previous = points.last else { return [] }
      var result: [TilePoint] = []
      for point in points {
        let isInside = isLower ? point.x >= bound : point.x <= bound
        let wasInside = isLower ? previous.x >= bound : previous.x <= bound
        if isInside != wasInside { append(crossing(previous, point, bound), to: &result) }
        if isInside { append(point, to: &result) }
        previous = point
      }
      points = result
    }
    if points.count > 1, points.first == points.last { points.removeLast() }
    return points.count > 2 ? [points] : []
  }

  private static func append(_ point: TilePoint, to points: inout [TilePoint]) {
    if points.last != point { points.append(point) }
  }

  private static func line(_ line: [TilePoint], _ range: ClosedRange<Int32>) -> [[TilePoint]] {
    var pieces: [[TilePoint]] = []
    var piece: [TilePoint] = []
    for (from, to) in zip(line, line.dropFirst()) {
      let (start, end) = (from.x, to.x)
      guard max(start, end) >= range.lowerBound, min(start, end) <= range.upperBound else {
        if piece.count > 1 { pieces.append(piece) }
        piece = []
        continue
      }
      let first =
        range.contains(start)
        ? from : crossing(from, to, start < range.lowerBound ? range.lowerBound : range.upperBound)
      let last =
        range.contains(end) ? to : crossing(from, to, end < range.lowerBound ? range.lowerBound : range.upperBound)
      if piece.last != first {
        if piece.count > 1 { pieces.append(piece) }
        piece = [first]
      }
      append(last, to: &piece)
      if !range.contains(end) {
        if piece.count > 1 { pieces.append(piece) }
        piece = []
      }
    }
    if piece.count > 1 { pieces.append(piece) }
    return pieces
  }

  /// Where a side crosses a value of x.
  private static func crossing(_ from: TilePoint, _ to: TilePoint, _ bound: Int32) -> TilePoint {
    let share = (Double(bound) - Double(from.x)) / (Double(to.x) - Double(from.x))
    let y = Double(from.y) + share * (Double(to.y) - Double(from.y))
    return TilePoint(x: bound, y: Int32(clamped: y.rounded()))
  }
}
