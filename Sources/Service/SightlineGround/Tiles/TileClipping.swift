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

  /// Strips that are cut one by one; more are halved first, so that a corner is not looked at once for each of 65,536 strips.
  private static let few = 16

  /// Calls `body` with each strip of `limits` that shapes touch, and what of them lies in it.
  private static func strips(
    _ shapes: [[TilePoint]],
    cut: Cut,
    limits: ClosedRange<Int> = 0...Int(Int32.max),
    _ body: (Int, [[TilePoint]]) throws -> Void
  ) rethrows {
    guard let span = span(shapes, limits) else { return }
    if span.count == 1 {
      // What was cut for `limits` does not reach beyond the strip's margins.
      try body(span.lowerBound, shapes)
    } else if span.count <= few {
      for strip in span {
        let parts = shapes.flatMap { cut($0, range(of: strip...strip)) }
        if !parts.isEmpty { try body(strip, parts) }
      }
    } else {
      let middle = (span.lowerBound + span.upperBound) / 2
      for half in [span.lowerBound...middle, (middle + 1)...span.upperBound] {
        try strips(shapes.flatMap { cut($0, range(of: half)) }, cut: cut, limits: half, body)
      }
    }
  }

  /// The values of x that strips have with their margins.
  private static func range(of strips: ClosedRange<Int>) -> ClosedRange<Int32> {
    let low = Int32(clamped: strips.lowerBound * TileLevel.extent - TileLevel.margin)
    return low...Int32(clamped: (strips.upperBound + 1) * TileLevel.extent + TileLevel.margin)
  }

  /// The strips of `limits` that shapes touch; `nil` when there are none.
  private static func span(_ shapes: [[TilePoint]], _ limits: ClosedRange<Int>) -> ClosedRange<Int>? {
    var (low, high) = (Int32.max, Int32.min)
    for shape in shapes {
      for point in shape { (low, high) = (min(low, point.x), max(high, point.x)) }
    }
    guard low <= high else { return nil }
    let first = max(limits.lowerBound, (Int(low) - TileLevel.margin) / TileLevel.extent)
    let last = min(limits.upperBound, (Int(high) + TileLevel.margin) / TileLevel.extent)
    return first <= last ? first...last : nil
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
