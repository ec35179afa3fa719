import SightlineCamera
import SightlineImaging
import SightlineMath

/// The cells of a marker as they are seen.
struct CellReading {
  /// n × n cells row by row, the first the most significant bit, 1 = white.
  var code: UInt64
  /// n × n values in the same order: −1 as dark as the border, 1 as light as the margin.
  var values: InlineArray<49, Double>
  /// Light less dark, grey levels.
  var contrast: Double
  /// Border cells that are light.
  var lightBorderCells: Int
  /// How clearly the cells are dark or light, on average: 0 in the middle between both, 1 or more when as dark as the
  /// border or as light as the margin.
  var clarity: Double
}

/// Values of all cells of a marker and its border, before blur is taken out.
struct CellValues {
  /// Cells along a side, with the border.
  let all: Int
  /// Row by row.
  var values = InlineArray<81, Double>(repeating: 0)
  var contrast = 0.0

  /// The cells with the blur of neighbours taken out.
  ///
  /// - Parameter share: of each cell's light that falls on each of its four neighbours; 0 leaves all as it is.
  /// - Returns: bits and values of the inner cells.
  func reading(sharpenedBy share: Double) -> CellReading {
    let n = all - 2
    var reading = CellReading(
      code: 0,
      values: InlineArray<49, Double>(repeating: 0),
      contrast: contrast,
      lightBorderCells: 0,
      clarity: 0
    )
    var at = 0
    for row in 0..<all {
      for column in 0..<all {
        var value = values[row * all + column]
        if share > 0 {
          // Beyond the border lies the margin, as light as can be.
          let left = column > 0 ? values[row * all + column - 1] : 1
          let right = column < all - 1 ? values[row * all + column + 1] : 1
          let above = row > 0 ? values[(row - 1) * all + column] : 1
          let below = row < all - 1 ? values[(row + 1) * all + column] : 1
          value = (value - share * (left + right + above + below)) / (1 - 4 * share)
        }
        reading.clarity += min(1, abs(value)) / Double(all * all)
        if row == 0 || column == 0 || row == all - 1 || column == all - 1 {
          if value > 0 { reading.lightBorderCells += 1 }
        } else {
          reading.values[at] = value
          at += 1
          reading.code = reading.code << 1 | (value > 0 ? 1 : 0)
        }
      }
    }
    precondition(at == n * n)
    return reading
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
  func cells(_ n: Int, in corners: Corners) -> CellValues? {
    guard let map = Homography(unitSquareTo: corners) else { return nil }
    let all = n + 2
    let cell = 1 / Double(all)
    var dark = Shade()
    var light = Shade()
    for i in 0..<all {
      let t = (Double(i) + 0.5) * cell
      let near = cell / 2
      let out = -0.35 * cell
      for p in [Vector2(t, near), Vector2(t, 1 - near), Vector2(near, t), Vector2(1 - near, t)] {
        if let q = map(p), let level = level(x: q.x, y: q.y) { dark.add(p, level) }
      }
      for p in [Vector2(t, out), Vector2(t, 1 - out), Vector2(out, t), Vector2(1 - out, t)] {
        if let q = map(p), let level = level(x: q.x, y: q.y) { light.add(p, level) }
      }
    }
    guard let black = dark.coefficients(), let white = light.coefficients() else { return nil }
    let half = (white - black) * 0.5
    let middle = (white + black) * 0.5
    var result = CellValues(all: all)
    result.contrast = 2 * half.dot(Vector3(1, 0.5, 0.5))
    guard result.contrast > 4 else { return nil }
    for row in 0..<all {
      for column in 0..<all {
        let center = Vector2((Double(column) + 0.5) * cell, (Double(row) + 0.5) * cell)
        var sum = 0.0
        for offset in [Vector2(0, 0), Vector2(-0.2, -0.2), Vector2(0.2, -0.2), Vector2(-0.2, 0.2), Vector2(0.2, 0.2)] {
          let p = center + offset * cell
          guard let q = map(p), let level = level(x: q.x, y: q.y) else { return nil }
          sum += level
        }
        let here = Vector3(1, center.x, center.y)
        let range = half.dot(here)
        guard range > 1 else { return nil }
        result.values[row * all + column] = (sum / 5 - middle.dot(here)) / range
      }
    }
    return result
  }
}
