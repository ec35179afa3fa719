import SightlineImaging
import SightlineMath

/// Cuts an outline into straight pieces and finds the four lines that are most likely the sides of a marker.
struct OutlineCutter: Sendable {
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

  private var kept: [Bool] = []
  private var open: [(Int, Int)] = []
  private var sides: [Side] = []

  init() {
    open.reserveCapacity(64)
    sides.reserveCapacity(Self.mostCorners)
  }

  /// The quadrilateral of an outline; `size` is the larger side of the box around it.
  mutating func quad(of points: UnsafeBufferPointer<PixelPosition>, size: Double) -> Quadrilateral? {
    guard collect(points, size: size) else { return nil }
    return best()
  }

  /// Fills `sides` with the longest lines, in the order of their directions.
  private mutating func collect(_ points: UnsafeBufferPointer<PixelPosition>, size: Double) -> Bool {
    let n = points.count
    if kept.count < n { kept = [Bool](repeating: false, count: n) }
    let corners = cut(points, tolerance: 1.3 + 0.012 * size)
    guard corners >= 3, corners <= Self.mostCorners else { return false }
    sides.removeAll(keepingCapacity: true)
    var first = 0
    while !kept[first] { first += 1 }
    var from = first
    let least = max(3, 0.12 * size)
    repeat {
      var to = from
      repeat { to = to + 1 == n ? 0 : to + 1 } while !kept[to]
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
      sides.sort { $0.length > $1.length }
      sides.removeLast(sides.count - Self.mostSides)
    }
    // By the direction of the normal, all the way around.
    sides.sort { Self.turn($0.line.normal) < Self.turn($1.line.normal) }
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

  /// Marks the corners of a polygon near the outline in `kept`; answers their number.
  ///
  /// By Douglas and Peucker as in ``Contour/polygon(tolerance:)``, without allocating.
  @_optimize(speed)
  private mutating func cut(_ points: UnsafeBufferPointer<PixelPosition>, tolerance: Double) -> Int {
    let n = points.count
    for i in 0..<n { kept[i] = false }
    var second = 0
    var first = 0
    for _ in 0..<2 {
      first = second
      var largest: Int32 = -1
      for i in 0..<n {
        let (dx, dy) = (points[i].x &- points[first].x, points[i].y &- points[first].y)
        let distance = dx &* dx &+ dy &* dy
        if distance > largest {
          largest = distance
          second = i
        }
      }
    }
    guard first != second else { return 0 }
    kept[first] = true
    kept[second] = true
    var count = 2
    open.removeAll(keepingCapacity: true)
    open.append((first, second))
    open.append((second, first))
    while let (from, to) = open.popLast() {
      let (ax, ay) = (points[from].x, points[from].y)
      let (dx, dy) = (points[to].x &- ax, points[to].y &- ay)
      var best = -1
      var largest: Int32 = 0
      var index = from + 1 == n ? 0 : from + 1
      while index != to {
        let area = abs((points[index].x &- ax) &* dy &- (points[index].y &- ay) &* dx)
        if area > largest {
          largest = area
          best = index
        }
        index = index + 1 == n ? 0 : index + 1
      }
      let length = (Double(dx) * Double(dx) + Double(dy) * Double(dy)).squareRoot()
      guard best >= 0, Double(largest) > tolerance * length else { continue }
      kept[best] = true
      count += 1
      guard count <= Self.mostCorners else { return count }
      open.append((from, best))
      open.append((best, to))
    }
    return count
  }
}
