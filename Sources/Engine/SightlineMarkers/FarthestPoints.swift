import SightlineImaging

/// Some positions on an outline, for questions of which one lies farthest in some direction.
///
/// Columns and rows lie apart, as numbers that a processor takes four at once; in each answer the place in the order of the
/// outline takes the last seven bits, so that the largest of all is found without a branch.
struct FarthestPoints: Sendable {
  /// Most positions.
  static let most = 128
  /// Four at once.
  private static let lanes = 4
  private var columns = [SIMD4<Float>](repeating: .zero, count: most / lanes)
  private var rows = [SIMD4<Float>](repeating: .zero, count: most / lanes)
  /// 127 less the place, so that the first of equals wins.
  private let order = (0..<(most / lanes)).map { index in
    SIMD4<Float>(0, -1, -2, -3) + Float(most - 1 - lanes * index)
  }
  private var vectors = 0

  init() {}

  /// Four of the positions that span a large area, in the order of a walk along the diagonal and its two sides.
  ///
  /// - Parameters:
  ///   - points: 2 … ``most`` positions.
  ///   - extent: the larger side of the box around them, 1 or more.
  /// - Returns: `nil` when all are one.
  mutating func spanning(_ points: UnsafeBufferPointer<PixelPosition>, extent: Int32) -> InlineArray<4, Int>? {
    precondition(points.count >= 2 && points.count <= Self.most)
    set(points, extent: extent)
    return columns.withUnsafeBufferPointer { columns in
      rows.withUnsafeBufferPointer { rows in
        order.withUnsafeBufferPointer { order in
          guard let columns = columns.baseAddress, let rows = rows.baseAddress, let order = order.baseAddress else {
            return nil
          }
          return Places(columns: columns, rows: rows, order: order, vectors: vectors).spanning()
        }
      }
    }
  }

  /// Takes the positions from the first one on, scaled down to less than 256, so that a product beside a place fits the 24
  /// bits of a number.
  private mutating func set(_ points: UnsafeBufferPointer<PixelPosition>, extent: Int32) {
    var shift: Int32 = 0
    while extent &>> shift >= 256 { shift &+= 1 }
    let first = points[0]
    vectors = (points.count + Self.lanes - 1) / Self.lanes
    let count = points.count
    let vectors = vectors
    columns.withUnsafeMutableBytes { columns in
      rows.withUnsafeMutableBytes { rows in
        let columns = columns.bindMemory(to: Float.self)
        let rows = rows.bindMemory(to: Float.self)
        guard let toColumns = columns.baseAddress, let toRows = rows.baseAddress else { return }
        for index in 0..<count {
          toColumns[index] = Float((points[index].x &- first.x) &>> shift)
          toRows[index] = Float((points[index].y &- first.y) &>> shift)
        }
        // What fills the last vector is the first position again, which then wins.
        for index in count..<(Self.lanes &* vectors) {
          toColumns[index] = 0
          toRows[index] = 0
        }
      }
    }
  }
}

/// The positions, lent.
private struct Places {
  let columns: UnsafePointer<SIMD4<Float>>
  let rows: UnsafePointer<SIMD4<Float>>
  let order: UnsafePointer<SIMD4<Float>>
  let vectors: Int

  private func column(_ index: Int) -> Float { columns[index &>> 2][index & 3] }
  private func row(_ index: Int) -> Float { rows[index &>> 2][index & 3] }

  func spanning() -> InlineArray<4, Int>? {
    let a = farthest(from: 0)
    let c = farthest(from: a)
    guard a != c else { return nil }
    let (dx, dy) = (column(c) - column(a), row(c) - row(a))
    var corners: InlineArray<4, Int> = [a, farthest(along: dy, -dx), c, farthest(along: -dy, dx)]
    for _ in 0..<2 {
      var hasMoved = false
      for i in 0..<4 {
        let (from, to) = (corners[(i + 3) & 3], corners[(i + 1) & 3])
        let best = farthest(along: row(to) - row(from), column(from) - column(to))
        if best != corners[i] {
          corners[i] = best
          hasMoved = true
        }
      }
      if !hasMoved { break }
    }
    return corners
  }

  private func farthest(from origin: Int) -> Int {
    let x = SIMD4<Float>(repeating: column(origin))
    let y = SIMD4<Float>(repeating: row(origin))
    let scale = SIMD4<Float>(repeating: Float(FarthestPoints.most))
    var best = SIMD4<Float>(repeating: -1)
    for index in 0..<vectors {
      let (dx, dy) = (columns[index] - x, rows[index] - y)
      let value = (dx * dx + dy * dy) * scale + order[index]
      best = best.replacing(with: value, where: value .> best)
    }
    return place(best)
  }

  private func farthest(along x: Float, _ y: Float) -> Int {
    let x = SIMD4<Float>(repeating: x * Float(FarthestPoints.most))
    let y = SIMD4<Float>(repeating: y * Float(FarthestPoints.most))
    var best = SIMD4<Float>(repeating: -.greatestFiniteMagnitude)
    for index in 0..<vectors {
      let value = columns[index] * x + rows[index] * y + order[index]
      best = best.replacing(with: value, where: value .> best)
    }
    return place(best)
  }

  private func place(_ best: SIMD4<Float>) -> Int {
    let value = Int32(max(max(best[0], best[1]), max(best[2], best[3])))
    return FarthestPoints.most - 1 - Int(value & Int32(FarthestPoints.most - 1))
  }
}
