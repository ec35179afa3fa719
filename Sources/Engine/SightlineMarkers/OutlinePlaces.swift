import SightlineImaging

/// Positions on an outline, for questions of which one lies farthest in some direction.
///
/// Columns and rows lie apart, so that the compiler asks several at once.
struct OutlinePlaces: Sendable {
  private var columns: [Int32] = []
  private var rows: [Int32] = []

  init() {
    columns.reserveCapacity(256)
    rows.reserveCapacity(256)
  }

  /// Four of the positions that span a large area, in the order of a walk along the diagonal and its two sides.
  ///
  /// - Parameter points: 2 … 512 positions.
  /// - Returns: `nil` when all are one.
  mutating func spanning(_ points: UnsafeBufferPointer<PixelPosition>) -> InlineArray<4, Int>? {
    guard set(points) else { return nil }
    let a = farthest(from: 0)
    let c = farthest(from: a)
    guard a != c else { return nil }
    let (dx, dy) = (columns[c] &- columns[a], rows[c] &- rows[a])
    let b = farthest(along: dy, 0 &- dx)
    let d = farthest(along: 0 &- dy, dx)
    var corners: InlineArray<4, Int> = [a, b, c, d]
    for _ in 0..<2 {
      var hasMoved = false
      for i in 0..<4 {
        let (from, to) = (corners[(i + 3) & 3], corners[(i + 1) & 3])
        let best = farthest(along: rows[to] &- rows[from], columns[from] &- columns[to])
        if best != corners[i] {
          corners[i] = best
          hasMoved = true
        }
      }
      if !hasMoved { break }
    }
    return corners
  }

  /// Takes the positions, scaled down so that what is computed of them fits 32 bits beside an index.
  private mutating func set(_ points: UnsafeBufferPointer<PixelPosition>) -> Bool {
    precondition(points.count >= 2 && points.count <= 512)
    let first = points[0]
    var most: Int32 = 0
    for point in points { most = max(most, max(abs(point.x &- first.x), abs(point.y &- first.y))) }
    var shift: Int32 = 0
    while most &>> shift >= 512 { shift &+= 1 }
    columns.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    for point in points {
      columns.append((point.x &- first.x) &>> shift)
      rows.append((point.y &- first.y) &>> shift)
    }
    return most > 0
  }

  private func farthest(from origin: Int) -> Int {
    let (x, y) = (columns[origin], rows[origin])
    return columns.withUnsafeBufferPointer { columns in
      rows.withUnsafeBufferPointer { rows in
        var best: Int32 = -1
        for index in 0..<columns.count {
          let (dx, dy) = (columns[index] &- x, rows[index] &- y)
          // At most 2 × 1023², so the index fits below; the first of equals wins.
          best = max(best, (dx &* dx &+ dy &* dy) &<< 9 | Int32(truncatingIfNeeded: 511 &- index))
        }
        return 511 - Int(best & 511)
      }
    }
  }

  private func farthest(along x: Int32, _ y: Int32) -> Int {
    columns.withUnsafeBufferPointer { columns in
      rows.withUnsafeBufferPointer { rows in
        var best = Int32.min
        for index in 0..<columns.count {
          let value = columns[index] &* x &+ rows[index] &* y
          best = max(best, value &<< 9 | Int32(truncatingIfNeeded: 511 &- index))
        }
        return 511 - Int(best & 511)
      }
    }
  }
}
