import SightlineImaging
import SightlineMath

/// Cuts a contour into straight segments (polygon approximation after Douglas and Peucker), joins those of one line, and finds
/// the four lines that are most likely the sides of a marker.
struct SegmentQuadFitter: Sendable {
  /// Straight pieces of one line.
  private struct Side {
    var fit = LineFit()
    var line = Line2(normal: .zero, offset: 0)
    /// Length of all pieces.
    var length = 0.0
    /// How far the pieces reach along the line.
    var (low, high) = (0.0, 0.0)
  }
  private static let mostCorners = 28
  private static let mostSides = 8

  private var polygon = PolygonApproximation()
  private var sides: [Side] = []

  init() { sides.reserveCapacity(Self.mostCorners) }

  /// The quadrilateral of an outline; `size` is the larger side of the box around it.
  mutating func quad(of points: UnsafeBufferPointer<PixelPosition>, size: Double) -> Quadrilateral? {
    guard collect(points, size: size) else { return nil }
    return best()
  }

  /// Fills `sides` with the longest lines, in the order of their directions.
  private mutating func collect(_ points: UnsafeBufferPointer<PixelPosition>, size: Double) -> Bool {
    let n = points.count
    let corners = polygon.mark(points, tolerance: 1.3 + 0.012 * size, most: Self.mostCorners)
    guard corners >= 3, corners <= Self.mostCorners else { return false }
    sides.removeAll(keepingCapacity: true)
    var first = 0
    while !polygon.isCorner[first] { first += 1 }
    var from = first
    let least = max(3, 0.12 * size)
    repeat {
      var to = from
      repeat { to = to + 1 == n ? 0 : to + 1 } while !polygon.isCorner[to]
      let (a, b) = (Vector2(points[from]), Vector2(points[to]))
      let along = b - a
      let length = along.length
      if length >= least {
        var fit = LineFit()
        add(points, from: from, to: to, to: &fit)
        fit.solve()
        let line = fit.line(origin: .zero, towards: along)
        let tangent = Vector2(-line.normal.y, line.normal.x)
        let side = Side(fit: fit, line: line, length: length, low: tangent.dot(a), high: tangent.dot(b))
        join(side, points, from: from, to: to)
      }
      from = to
    } while from != first
    guard sides.count >= 4 else { return false }
    if sides.count > Self.mostSides {
      sides.sortStably { $0.length > $1.length }
      sides.removeLast(sides.count - Self.mostSides)
    }
    // By the direction of the normal, all the way around.
    sides.sortStably { Self.turn($0.line.normal) < Self.turn($1.line.normal) }
    return true
  }

  private func add(_ points: UnsafeBufferPointer<PixelPosition>, from: Int, to: Int, to fit: inout LineFit) {
    let stretch = (to - from + points.count) % points.count
    let inset = stretch / 8
    for k in inset...(stretch - inset) {
      let index = from + k < points.count ? from + k : from + k - points.count
      fit.add(Double(points[index].x), Double(points[index].y))
    }
  }

  /// Adds a piece to the line that it lies on, or as a new one.
  private mutating func join(_ side: Side, _ points: UnsafeBufferPointer<PixelPosition>, from: Int, to: Int) {
    let (a, b) = (Vector2(points[from]), Vector2(points[to]))
    for index in sides.indices where sides[index].line.normal.dot(side.line.normal) > 0.97 {
      let line = sides[index].line
      guard abs(line.normal.dot(a) - line.offset) < 2, abs(line.normal.dot(b) - line.offset) < 2 else { continue }
      add(points, from: from, to: to, to: &sides[index].fit)
      sides[index].fit.solve()
      let joined = sides[index].fit.line(origin: .zero, towards: Vector2(-line.normal.y, line.normal.x))
      sides[index].line = joined
      sides[index].length += side.length
      sides[index].low = min(sides[index].low, side.low)
      sides[index].high = max(sides[index].high, side.high)
      return
    }
    sides.append(side)
  }

  /// Grows with the angle of a direction, from 0 to 4.
  private static func turn(_ v: Vector2) -> Double {
    let sum = abs(v.x) + abs(v.y)
    guard sum > 0 else { return 0 }
    let part = v.y / sum
    return v.x >= 0 ? (v.y >= 0 ? part : 4 + part) : 2 - part
  }

  /// The four lines whose pieces cover most of the quadrilateral that they make.
  private func best() -> Quadrilateral? {
    var found: Quadrilateral?
    var most = 0.0
    let n = sides.count
    // Normals turn clockwise around a marker, so each has to be well before the next.
    var follows = InlineArray<8, UInt32>(repeating: 0)
    for a in 0..<n {
      for b in 0..<n where sides[a].line.normal.cross(sides[b].line.normal) > 0.1 { follows[a] |= 1 << UInt32(b) }
    }
    for a in 0..<(n - 3) {
      for b in (a + 1)..<(n - 2) where follows[a] >> UInt32(b) & 1 == 1 {
        for c in (b + 1)..<(n - 1) where follows[b] >> UInt32(c) & 1 == 1 {
          for d in (c + 1)..<n where follows[c] >> UInt32(d) & 1 == 1 && follows[d] >> UInt32(a) & 1 == 1 {
            let length = sides[a].length + sides[b].length + sides[c].length + sides[d].length
            guard length > most else { continue }
            let chosen: InlineArray<4, Int> = [a, b, c, d]
            guard let quad = corners(chosen) else { continue }
            guard let cover = covered(chosen, quad), cover > most else { continue }
            most = cover
            found = quad
          }
        }
      }
    }
    return found
  }

  private func corners(_ chosen: InlineArray<4, Int>) -> Quadrilateral? {
    var quad = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      // Each line meets the next at the end of its side.
      let (line, next) = (sides[chosen[i]].line, sides[chosen[(i + 1) & 3]].line)
      guard let corner = line.crossing(next) else { return nil }
      quad[(i + 1) & 3] = corner
    }
    return quad
  }

  /// Length of the pieces that lie on the sides of a quadrilateral; `nil` when they are too little of it.
  private func covered(_ chosen: InlineArray<4, Int>, _ quad: Quadrilateral) -> Double? {
    var total = 0.0
    var perimeter = 0.0
    for i in 0..<4 {
      let side = sides[chosen[i]]
      let tangent = Vector2(-side.line.normal.y, side.line.normal.x)
      let (low, high) = (tangent.dot(quad[i]), tangent.dot(quad[(i + 1) & 3]))
      guard high - low > 2 else { return nil }
      let overlap = min(min(side.high, high + 2) - max(side.low, low - 2), side.length)
      guard overlap > 0.25 * (high - low) else { return nil }
      // Pieces far beyond a corner belong to something else.
      total += overlap - 0.3 * max(0, side.length - overlap)
      perimeter += high - low
    }
    return total > 0.55 * perimeter ? total : nil
  }
}
