import SightlineCamera
import SightlineImaging
import SightlineMath

/// The cells of a marker as they are seen.
struct CellReading {
  /// n × n cells row by row, the first the most significant bit, 1 = white.
  var code: UInt64 = 0
  /// n × n values in the same order: −1 as dark as the border, 1 as light as the margin.
  var values = InlineArray<49, Float>(repeating: 0)
  /// Border cells that are light.
  var lightBorderCells = 0
  /// How clearly the cells are dark or light, on average: 0 in the middle between both, 1 or more when as dark as the
  /// border or as light as the margin.
  var clarity = 0.0
}

/// Values of all cells of a marker and its border, before blur is taken out.
///
/// Large for a value that is returned, so it is filled where it lies.
struct CellValues {
  /// Cells along a side, with the border.
  private(set) var all = 6
  /// Row by row, in rows of ``line`` from (1, 1) on, with the light margin around them.
  private var values = InlineArray<121, Float>(repeating: 1)
  private static let line = 11

  /// Begins a marker of so many cells along a side, with the border.
  mutating func begin(all: Int) {
    self.all = all
    for i in 0...(all + 1) {
      self[all, i - 1] = 1
      self[i - 1, all] = 1
    }
  }

  subscript(row: Int, column: Int) -> Float {
    get { values[(row + 1) * Self.line + column + 1] }
    set { values[(row + 1) * Self.line + column + 1] = newValue }
  }

  /// The cells with the blur of neighbours taken out.
  ///
  /// - Parameters:
  ///   - share: of each cell's light that falls on each of its four neighbours; 0 leaves all as it is.
  ///   - reading: becomes bits and values of the inner cells.
  func read(sharpenedBy share: Float, into reading: inout CellReading) {
    var code: UInt64 = 0
    var light = 0
    var clarity: Float = 0
    let own = 1 / (1 - 4 * share)
    let last = all - 1
    var at = 0
    // Elements of an array in a structure are read through its span: a subscript copies the whole array first.
    let values = self.values.span
    var inner = reading.values.mutableSpan
    for row in 0..<all {
      for column in 0..<all {
        let i = (row &+ 1) &* Self.line &+ column &+ 1
        let around = values[i &- 1] + values[i &+ 1] + values[i &- Self.line] + values[i &+ Self.line]
        let value = (values[i] - share * around) * own
        clarity += min(1, abs(value))
        let isLight: UInt64 = value > 0 ? 1 : 0
        if row == 0 || column == 0 || row == last || column == last {
          light &+= Int(isLight)
        } else {
          inner[at] = value
          at &+= 1
          code = code << 1 | isLight
        }
      }
    }
    reading.code = code
    reading.lightBorderCells = light
    reading.clarity = Double(clarity) / Double(all * all)
  }
}

/// A grey level that changes evenly over the marker: `a + b u + c v`.
private struct Shade {
  private var normal = (w: 0.0, u: 0.0, v: 0.0, uu: 0.0, uv: 0.0, vv: 0.0)
  private var right = (z: 0.0, uz: 0.0, vz: 0.0)

  mutating func add(_ p: Vector2, _ z: Double) {
    normal = (
      normal.w + 1, normal.u + p.x, normal.v + p.y, normal.uu + p.x * p.x, normal.uv + p.x * p.y,
      normal.vv + p.y * p.y
    )
    right = (right.z + z, right.uz + p.x * z, right.vz + p.y * z)
  }

  /// By the inverse of the symmetric 3 × 3 matrix.
  func coefficients() -> Vector3? {
    let m = Matrix3(
      rows: Vector3(normal.w, normal.u, normal.v),
      Vector3(normal.u, normal.uu, normal.uv),
      Vector3(normal.v, normal.uv, normal.vv)
    )
    return Homography(m).inverse.map { $0.matrix * Vector3(right.z, right.uz, right.vz) }
  }
}

extension GrayView {
  /// Reads n × n cells and the border around them.
  ///
  /// Dark and light are planes fitted to the border and to the margin just outside of it, so a gradient over the marker does
  /// no harm; a cell is light when it is above the middle of both.
  ///
  /// - Parameters:
  ///   - n: cells along a side, without the border.
  ///   - corners: of the border.
  ///   - values: becomes what was read.
  /// - Returns: whether this may be a marker; what has a border that is light in many places is none.
  @_optimize(speed)
  func readCells(_ n: Int, in corners: Quadrilateral, into values: inout CellValues) -> Bool {
    guard let map = Homography(unitSquareTo: corners) else { return false }
    let all = n + 2
    let cell = 1 / Double(all)
    var dark = Shade()
    var light = Shade()
    var levels = InlineArray<36, Double>(repeating: 0)
    let (near, out) = (cell / 2, -0.35 * cell)
    for side in 0..<4 {
      for i in 0..<all {
        let t = (Double(i) + 0.5) * cell
        let inside = Self.place(side, along: t, across: near)
        if let q = map(inside), let level = level(x: q.x, y: q.y) {
          dark.add(inside, level)
          levels[side * 9 + i] = level
        }
        let outside = Self.place(side, along: t, across: out)
        if let q = map(outside), let level = level(x: q.x, y: q.y) { light.add(outside, level) }
      }
    }
    guard let black = dark.coefficients(), let white = light.coefficients() else { return false }
    let half = (white - black) * 0.5
    let middle = (white + black) * 0.5
    guard half.dot(Vector3(1, 0.5, 0.5)) > 2 else { return false }
    var lightPlaces = 0
    for side in 0..<4 {
      for i in 0..<all {
        let place = Self.place(side, along: (Double(i) + 0.5) * cell, across: near)
        if levels[side * 9 + i] > middle.dot(Vector3(1, place.x, place.y)) { lightPlaces += 1 }
      }
    }
    guard lightPlaces <= n + 3 else { return false }
    values.begin(all: all)
    let m = map.matrix
    let reach = 0.2 * cell
    for row in 0..<all {
      for column in 0..<all {
        let center = Vector2((Double(column) + 0.5) * cell, (Double(row) + 0.5) * cell)
        let here = Vector3(1, center.x, center.y)
        let range = half.dot(here)
        guard range > 1 else { return false }
        // Where the centre is seen, and how that moves with either coordinate: the four places around it are so near that
        // this is enough.
        let h = m * Vector3(center.x, center.y, 1)
        guard h.z != 0 else { return false }
        let k = 1 / h.z
        let p = Vector2(h.x * k, h.y * k)
        let across = Vector2(m.row0.x - p.x * m.row2.x, m.row1.x - p.y * m.row2.x) * (k * reach)
        let down = Vector2(m.row0.y - p.x * m.row2.y, m.row1.y - p.y * m.row2.y) * (k * reach)
        let (a, b) = (across + down, across - down)
        guard
          let middleLevel = level(x: p.x, y: p.y), let level1 = level(x: p.x + a.x, y: p.y + a.y),
          let level2 = level(x: p.x - a.x, y: p.y - a.y), let level3 = level(x: p.x + b.x, y: p.y + b.y),
          let level4 = level(x: p.x - b.x, y: p.y - b.y)
        else { return false }
        let sum = middleLevel + level1 + level2 + level3 + level4
        values[row, column] = Float((sum / 5 - middle.dot(here)) / range)
      }
    }
    return true
  }

  /// A point near a side of the unit square: sides are left, top, right and bottom.
  @inline(__always)
  private static func place(_ side: Int, along: Double, across: Double) -> Vector2 {
    switch side {
    case 0: Vector2(across, along)
    case 1: Vector2(along, across)
    case 2: Vector2(1 - across, along)
    default: Vector2(along, 1 - across)
    }
  }
}
