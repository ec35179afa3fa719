import SightlineInput
import SightlineMath

/// A uniform grid over the plane: for each cell the items that touch it.
///
/// The items of one cell lie side by side. The number of entries is bounded whatever the walls are: cells grow until the
/// walls cross no more than ``mostEntries`` of them.
struct WallGrid: Sendable {
  /// Most cells along a side.
  static let mostColumns = 256
  /// Most entries, about.
  static let mostEntries = 1_000_000.0
  /// By how much an item is thickened when its cells are found, metres, so that no rounding on a ray's way misses it.
  static let margin = 1e-6

  private(set) var low = Vector2.zero
  private(set) var high = Vector2.zero
  private(set) var cell = 1.0
  /// Cells a metre.
  private var perMetre = 1.0
  private(set) var columns = 0
  private(set) var rows = 0
  /// Where each cell's entries begin, and one more.
  private(set) var starts: [Int32] = []
  private(set) var items: [Int32] = []

  init() {}

  /// The cells that walls cross.
  init(walls: [OcclusionIndex.Wall], cell: Double) {
    var (low, high) = (walls[0].start, walls[0].start)
    var length = 0.0
    for wall in walls {
      low = Vector2(min(low.x, wall.end.x), min(low.y, wall.end.y))
      high = Vector2(max(high.x, wall.end.x), max(high.y, wall.end.y))
      length += (wall.end - wall.start).length
    }
    let side = max(high.x - low.x, high.y - low.y) + 4 * Self.margin
    self.cell = max(cell, 0.01, side / Double(Self.mostColumns), 2 * length / Self.mostEntries)
    perMetre = 1 / self.cell
    self.low = low - Vector2(2 * Self.margin, 2 * Self.margin)
    let reach = high - low + Vector2(4 * Self.margin, 4 * Self.margin)
    columns = (Int(clamped: reach.x / self.cell) + 1).clamped(to: 1...Self.mostColumns)
    rows = (Int(clamped: reach.y / self.cell) + 1).clamped(to: 1...Self.mostColumns)
    self.high = self.low + Vector2(Double(columns) * self.cell, Double(rows) * self.cell)
    fill(walls.count) { grid, number, take in grid.cross(walls[number].start, walls[number].end, take) }
  }

  /// The cells that the bounds of prisms touch, in the same cells as another grid.
  init(bounds: [OcclusionIndex.Part], like other: WallGrid) {
    (low, high) = (other.low, other.high)
    (cell, perMetre, columns, rows) = (other.cell, other.perMetre, other.columns, other.rows)
    // Bounds that lie on top of each other everywhere are no town: the last of them are not asked.
    var room = Self.mostEntries
    var count = 0
    for part in bounds {
      let cells = Double(column(part.high.x) - column(part.low.x) + 1) * Double(row(part.high.y) - row(part.low.y) + 1)
      guard cells <= room else { break }
      room -= cells
      count += 1
    }
    fill(count) { grid, number, take in
      let (low, high) = (bounds[number].low, bounds[number].high)
      for y in grid.row(low.y - Self.margin)...grid.row(high.y + Self.margin) {
        for x in grid.column(low.x - Self.margin)...grid.column(high.x + Self.margin) { take(y &* grid.columns &+ x) }
      }
    }
  }

  /// Counts, then puts in place.
  private mutating func fill(_ count: Int, _ cells: (WallGrid, Int, (Int) -> Void) -> Void) {
    var starts = [Int32](repeating: 0, count: columns * rows + 1)
    for number in 0..<count { cells(self, number) { starts[$0 + 1] &+= 1 } }
    for k in 1..<starts.count { starts[k] &+= starts[k - 1] }
    var items = [Int32](repeating: 0, count: Int(starts[starts.count - 1]))
    var next = starts
    for number in 0..<count {
      cells(self, number) {
        items[Int(next[$0])] = Int32(truncatingIfNeeded: number)
        next[$0] &+= 1
      }
    }
    self.starts = starts
    self.items = items
  }

  /// The cells that a wall crosses, row by row, a little thickened.
  private func cross(_ a: Vector2, _ b: Vector2, _ take: (Int) -> Void) {
    let (bottom, top) = a.y <= b.y ? (a, b) : (b, a)
    let rise = top.y - bottom.y
    for y in row(bottom.y - Self.margin)...row(top.y + Self.margin) {
      var (left, right) = (min(a.x, b.x), max(a.x, b.x))
      if rise > 0 {
        // Where it enters and leaves the row.
        let below = low.y + Double(y) * cell - Self.margin
        let enter = clamp((below - bottom.y) / rise, 0, 1) * (top.x - bottom.x) + bottom.x
        let leave = clamp((below + cell + 2 * Self.margin - bottom.y) / rise, 0, 1) * (top.x - bottom.x) + bottom.x
        (left, right) = (min(enter, leave), max(enter, leave))
      }
      for x in column(left - Self.margin)...column(right + Self.margin) { take(y &* columns &+ x) }
    }
  }

  @inline(__always)
  func column(_ x: Double) -> Int { Self.number((x - low.x) * perMetre, of: columns) }
  @inline(__always)
  func row(_ y: Double) -> Int { Self.number((y - low.y) * perMetre, of: rows) }

  /// The cell at a distance in cells, or the nearest there is; 0 for what is no number.
  @inline(__always)
  private static func number(_ cells: Double, of count: Int) -> Int {
    guard cells >= 1 else { return 0 }
    // In range: between 1 and the number of cells.
    return cells < Double(count) ? Int(cells) : count - 1
  }

  /// Whether a point lies in the grid; never in one without cells.
  @inline(__always)
  func holds(_ point: Vector2) -> Bool {
    columns > 0 && point.x >= low.x && point.y >= low.y && point.x <= high.x && point.y <= high.y
  }

  /// The cell of a point; `nil` outside.
  func cell(of point: Vector2) -> Int? {
    guard holds(point) else { return nil }
    return row(point.y) &* columns &+ column(point.x)
  }

  func entries(of cell: Int) -> Range<Int> { Int(starts[cell])..<Int(starts[cell + 1]) }
}
