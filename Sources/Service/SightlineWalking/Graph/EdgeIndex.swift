import SightlineInput
import SightlineOpenStreetMap

/// Which edges are near a place: cells of a thousandth of a degree with the edges that touch them, by rising cell.
struct EdgeIndex: Sendable {
  /// Number of the row in the upper half, of the column in the lower.
  let cells: Column<UInt64>
  /// Where the edges of a cell begin; one more than there are cells.
  let first: Column<UInt32>
  let edges: Column<UInt32>

  /// Side of a cell, 1e-7 degrees: 111 m to the north.
  static let side = 10_000
  static let rows = 1_800_000_000 / side
  static let columns = 3_600_000_000 / side

  init(cells: Column<UInt64>, first: Column<UInt32>, edges: Column<UInt32>) {
    self.cells = cells
    self.first = first
    self.edges = edges
  }

  /// The row of a latitude.
  static func row(_ latitude: Int) -> Int { ((latitude + 900_000_000) / side).clamped(to: 0...rows - 1) }

  /// The column of a longitude, which may be beyond ±180 degrees.
  static func column(_ longitude: Int) -> Int {
    let shifted = (longitude + 1_800_000_000) % 3_600_000_000
    return min((shifted < 0 ? shifted + 3_600_000_000 : shifted) / side, columns - 1)
  }

  init(_ tables: GraphTables) {
    var pairs: [(cell: UInt64, edge: UInt32)] = []
    pairs.reserveCapacity(2 * tables.edgeCount)
    func position(_ values: [Int32], _ index: Int) -> OSMPosition {
      OSMPosition(latitude: values[2 * index], longitude: values[2 * index + 1])
    }
    for edge in 0..<tables.edgeCount {
      let number = UInt32(clamping: edge)
      let start = pairs.count
      func add(_ row: Int, _ column: Int) {
        let cell = UInt64(row) << 32 | UInt64(column)  // In range: rows and columns of the Earth.
        for index in pairs.indices.suffix(min(8, pairs.count - start)) where pairs[index].cell == cell { return }
        pairs.append((cell, number))
      }
      var last = position(tables.nodePositions, Int(tables.from[edge]))
      for point in Int(tables.shapeFirst[edge])...Int(tables.shapeFirst[edge + 1]) {
        let isEnd = point == Int(tables.shapeFirst[edge + 1])
        let next = isEnd ? position(tables.nodePositions, Int(tables.to[edge])) : position(tables.shape, point)
        Self.visit(last, next, add)
        last = next
      }
    }
    pairs.sort { $0.cell == $1.cell ? $0.edge < $1.edge : $0.cell < $1.cell }
    var cells: [UInt64] = []
    var first: [UInt32] = []
    var edges: [UInt32] = []
    edges.reserveCapacity(pairs.count)
    for pair in pairs {
      if cells.last != pair.cell {
        cells.append(pair.cell)
        first.append(UInt32(clamping: edges.count))
      } else if edges.last == pair.edge {
        continue
      }
      edges.append(pair.edge)
    }
    first.append(UInt32(clamping: edges.count))
    self.init(cells: Column(cells), first: Column(first), edges: Column(edges))
  }

  /// The cells that a line's pieces of at most a cell's length may touch.
  private static func visit(_ a: OSMPosition, _ b: OSMPosition, _ add: (_ row: Int, _ column: Int) -> Void) {
    let (dy, dx) = (Int(b.latitude) - Int(a.latitude), GroundMetric.eastUnits(a.longitude, b.longitude))
    let count = max(1, (max(abs(dy), abs(dx)) + side - 1) / side)
    for piece in 0..<count {
      let (y0, y1) = (Int(a.latitude) + dy * piece / count, Int(a.latitude) + dy * (piece + 1) / count)
      let (x0, x1) = (Int(a.longitude) + dx * piece / count, Int(a.longitude) + dx * (piece + 1) / count)
      let (west, east) = (column(min(x0, x1)), column(max(x0, x1)))
      for row in row(min(y0, y1))...row(max(y0, y1)) {
        add(row, west)
        if east != west { add(row, east) }
      }
    }
  }

  /// Visits the edges of all cells within a distance, some of them repeatedly.
  ///
  func visit(around position: OSMPosition, metres: Double, _ body: (Int) -> Void) {
    let metric = GroundMetric(latitude: position.latitude)
    let north = Int(clamped: (metres / metric.metresNorth).rounded(.up))
    // Near a pole a circle goes all round.
    let east = min(Int(clamped: (metres / max(metric.metresEast, 1e-9)).rounded(.up)), 1_800_000_000)
    let (latitude, longitude) = (Int(position.latitude), Int(position.longitude))
    let (west, last) = (Self.column(longitude - east), Self.column(longitude + east))
    let isAllRound = 2 * east >= 3_600_000_000 - 2 * Self.side
    for row in Self.row(latitude - north)...Self.row(latitude + north) {
      if isAllRound {
        visit(row, 0, Self.columns - 1, body)
      } else if west <= last {
        visit(row, west, last, body)
      } else {
        visit(row, west, Self.columns - 1, body)
        visit(row, 0, last, body)
      }
    }
  }

  private func visit(_ row: Int, _ west: Int, _ east: Int, _ body: (Int) -> Void) {
    let start = UInt64(row) << 32 | UInt64(west)  // In range: rows and columns of the Earth.
    let end = UInt64(row) << 32 | UInt64(east)  // In range: as above.
    var low = 0
    var high = cells.count
    while low < high {
      let middle = (low + high) / 2
      if cells[middle] < start { low = middle + 1 } else { high = middle }
    }
    while low < cells.count, cells[low] <= end {
      for entry in Int(first[low])..<Int(first[low + 1]) { body(Int(edges[entry])) }
      low += 1
    }
  }
}
