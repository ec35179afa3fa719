import SightlineImaging
import SightlineMath

/// Finds the quadrilateral that a closed outline is the border of, also where a part of it is covered or something dark
/// touches it.
///
/// The usual case is fast: four positions that span the largest area, a line through the outline between each two, and the
/// crossings of the lines. Where that fails, the outline is cut into straight pieces, pieces of one line are put together
/// again, and the four lines with the longest pieces that make a sound quadrilateral are taken.
struct QuadFinder: Sendable {
  /// What is accepted, in pixels of the picture that the outline is from.
  struct Limits {
    /// Least mean side.
    var minimumSide: Double
    /// Most times the area inside the outline that four of its positions may span.
    var mostSpan: Double
  }

  /// Outlines are thinned to at most so many positions before corners are searched.
  private static let thinned = 96
  private var thin = [PixelPosition](repeating: PixelPosition(x: 0, y: 0), count: thinned)
  private var places = FarthestPoints()
  private var cutter = SegmentQuadFitter()

  init() {}

  /// The quadrilateral of an outline; corners clockwise, (0, 0) is the corner of the first pixel.
  mutating func quad(of outline: UnsafeBufferPointer<PixelPosition>, limits: Limits) -> Quadrilateral? {
    let count = outline.count
    // Every `step`-th position is a polygon of nearly the same area and extent.
    let step = (count + Self.thinned - 1) / Self.thinned
    let positions = (count - 1) / step + 1
    let (box, area) = thin.withUnsafeMutableBufferPointer { Self.thin(outline, step: step, positions, into: $0) }
    // Positive: clockwise with y down, so not the border of a hole.
    let least = limits.minimumSide
    guard area >= 0.55 * least * least else { return nil }
    let (width, height) = (Double(box.maxX &- box.minX), Double(box.maxY &- box.minY))
    guard min(width, height) >= 0.35 * least, area >= 0.18 * width * height else { return nil }
    let length = Double(count)
    guard length * length <= 110 * area else { return nil }
    let extent = max(box.maxX &- box.minX, box.maxY &- box.minY)
    return thin.withUnsafeBufferPointer { buffer in
      let thin = UnsafeBufferPointer(rebasing: buffer[0..<positions])
      guard positions >= 2, let corners = places.spanning(thin, extent: extent) else { return nil }
      // Something round spans less than it holds, something hollow more: neither has four sides.
      let span = Quadrilateral(
        Vector2(thin[corners[0]]),
        Vector2(thin[corners[1]]),
        Vector2(thin[corners[2]]),
        Vector2(thin[corners[3]])
      ).area
      guard span >= 0.6 * area, span <= limits.mostSpan * area else { return nil }
      if let quad = Self.simple(thin, outline, step: step, area: area, corners) {
        return Self.accepted(quad, minimumSide: least) ? quad : nil
      }
      guard let quad = cutter.quad(of: thin, size: max(width, height)) else { return nil }
      return Self.accepted(quad, minimumSide: least) ? quad : nil
    }
  }

  /// The box around some positions.
  private struct Box {
    var (minX, maxX, minY, maxY) = (Int32.max, Int32.min, Int32.max, Int32.min)
  }

  /// Copies every `step`-th position; answers the box around them and the area inside.
  private static func thin(
    _ outline: UnsafeBufferPointer<PixelPosition>,
    step: Int,
    _ positions: Int,
    into thin: UnsafeMutableBufferPointer<PixelPosition>
  ) -> (Box, area: Double) {
    guard let from = outline.baseAddress, let to = thin.baseAddress else { return (Box(), 0) }
    var box = Box()
    var sum = 0
    var last = from[(positions &- 1) &* step]
    for index in 0..<positions {
      let point = from[index &* step]
      box.minX = min(box.minX, point.x)
      box.maxX = max(box.maxX, point.x)
      box.minY = min(box.minY, point.y)
      box.maxY = max(box.maxY, point.y)
      sum &+= Int(last.x) &* Int(point.y) &- Int(last.y) &* Int(point.x)
      to[index] = point
      last = point
    }
    return (box, Double(sum) / 2)
  }

  /// Convex, clockwise, with a mean side and no needle.
  static func accepted(_ quad: Quadrilateral, minimumSide: Double) -> Bool {
    var perimeter = 0.0
    for i in 0..<4 {
      let (side, next) = (quad.side(i), quad.side((i + 1) & 3))
      let (a, b) = (side.length, next.length)
      guard a >= 0.25 * minimumSide, side.cross(next) > 0.12 * a * b else { return false }
      perimeter += a
    }
    return perimeter >= 3.2 * minimumSide
  }

  /// Four positions that span the largest area, refined by lines; `nil` when the outline does not follow them.
  @_optimize(speed)
  private static func simple(
    _ thin: UnsafeBufferPointer<PixelPosition>,
    _ outline: UnsafeBufferPointer<PixelPosition>,
    step: Int,
    area: Double,
    _ corners: InlineArray<4, Int>
  ) -> Quadrilateral? {
    // In the order of the outline, so that each side has a stretch of it.
    let n = thin.count
    var total = 0
    for i in 0..<4 {
      let stretch = (corners[(i + 1) & 3] - corners[i] + n) % n
      guard stretch >= 2 else { return nil }
      total += stretch
    }
    guard total == n else { return nil }
    var lines = InlineArray<4, Line2>(repeating: Line2(normal: .zero, offset: 0))
    for i in 0..<4 {
      guard let line = line(outline, from: corners[i] * step, to: corners[(i + 1) & 3] * step) else { return nil }
      lines[i] = line
    }
    var quad = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      guard let corner = lines[(i + 3) & 3].crossing(lines[i]) else { return nil }
      let found = Vector2(thin[corners[i]])
      // A cut corner is no corner: the other way can tell which lines to prolong.
      guard (corner - found).length <= 3 + 0.12 * area.squareRoot() else { return nil }
      quad[i] = corner
    }
    return quad
  }

  /// The line through the middle of a stretch of an outline, when most of it lies on it.
  @_optimize(speed)
  private static func line(_ outline: UnsafeBufferPointer<PixelPosition>, from: Int, to: Int) -> Line2? {
    let count = outline.count
    let stretch = (to - from + count) % count
    let inset = max(1, stretch / 8)
    let (begin, length) = (from + inset, stretch - 2 * inset)
    guard length >= 4 else { return nil }
    let origin = outline[begin % count]
    // At most about 48 positions tell a line; all of them only cost time.
    let step = max(1, length / 48)
    var fit = LineFit()
    var limit = Double.infinity
    for round in 0..<2 {
      let old = fit
      fit = LineFit()
      var inside = 0
      var seen = 0
      var index = begin
      let end = begin + length
      while index < end {
        let point = outline[index < count ? index : index - count]
        let (x, y) = (Double(point.x &- origin.x), Double(point.y &- origin.y))
        if round == 0 || abs(old.distance(x, y)) <= limit {
          fit.add(x, y)
          inside += 1
        }
        seen += 1
        index += step
      }
      guard inside * 10 >= seen * 7 else { return nil }
      fit.solve()
      // So near to a line, there is nothing to drop.
      if round == 0, fit.meanSquare < 0.25 { break }
      // A staircase deviates by up to 0.7 and by 0.35 on average.
      limit = max(1, min(2.5, 1.8 * fit.meanSquare.squareRoot()))
      guard fit.meanSquare < 4 + 0.0004 * Double(stretch * stretch) else { return nil }
    }
    guard fit.meanSquare < 1.2 else { return nil }
    return fit.line(origin: Vector2(origin), towards: Vector2(outline[to % count]) - Vector2(outline[from % count]))
  }
}
