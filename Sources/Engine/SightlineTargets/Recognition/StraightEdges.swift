import SightlineImaging
import SightlineMath

/// A straight piece of an edge between light and dark.
struct StraightEdge {
  /// Its ends, pixels.
  var from: SIMD2<Float>
  /// Its other end.
  var to: SIMD2<Float>
  /// Length of what of it was seen as an edge: less than from end to end when it was put together of pieces.
  var seen: Float

  var length: Float {
    let d = to - from
    return (d * d).sum().squareRoot()
  }
}

/// Finds the straight edges of a picture.
///
/// Pixels where the slope is steepest across the edge are gathered as long as their directions stay alike, as LSD does (Grompone von
/// Gioi, Jakubowicz, Morel and Randall 2010), and a line is fitted to each group. Pieces of one line are put together afterwards.
final class StraightEdges {
  /// Least slope of an edge, sums of Sobel's operator: eight times the grey levels a pixel.
  private static let leastSlope: Int32 = 14
  /// Fewest pixels of a piece.
  private static let fewest = 5
  /// Most edges that are kept, the longest.
  private static let most = 240

  private(set) var width = 0
  private(set) var height = 0
  /// For each pixel the direction of its slope in 128ths of a turn; 255 where there is hardly any.
  private var directions = Memory<UInt8>(count: 1, filledWith: 255)
  /// The same, only where the slope is steepest across the edge; taken ones are erased.
  private var ridges = Memory<UInt8>(count: 1, filledWith: 255)
  private var slopes = Memory<UInt16>(count: 1, filledWith: 0)
  private var stack: [Int32] = []
  private var pieces: [StraightEdge] = []
  private var ways: [SIMD2<Float>] = []
  /// The edges of the last picture, longest first: pieces, and lines put together of several.
  private(set) var edges: [StraightEdge] = []
  /// Cosine and sine of turns by 128.
  private let turns: Memory<SIMD2<Float>>

  init() {
    turns = Memory(count: 128, filledWith: .zero)
    for i in 0..<128 {
      let angle = Double(i) * 2 * pi / 128
      turns.base[i] = SIMD2(Float(cos(angle)), Float(sin(angle)))
    }
  }

  /// What comes next: slopes, the steepest of them, edges from a row on, or lines of several.
  private enum Part { case slopes, ridges, edges(Int), lines, done }
  private var part = Part.done
  /// Rows in which edges are begun at once.
  private static let band = 60

  /// Whether the edges are complete.
  var isDone: Bool {
    if case .done = part { return true }
    return false
  }

  /// Takes a picture.
  func set(_ image: GrayView) {
    begin(image)
    while !isDone { _ = goOn(image) }
  }

  /// Takes a picture, in which ``goOn(_:)`` finds the edges piece by piece.
  func begin(_ image: GrayView) {
    if width != image.width || height != image.height {
      (width, height) = (image.width, image.height)
      directions = Memory(count: width * height, filledWith: 255)
      ridges = Memory(count: width * height, filledWith: 255)
      slopes = Memory(count: width * height, filledWith: 0)
    }
    pieces.removeAll(keepingCapacity: true)
    edges.removeAll(keepingCapacity: true)
    part = width >= 16 && height >= 16 ? .slopes : .done
  }

  /// Does a piece of the work on a picture; answers what that takes in about microseconds of native code.
  func goOn(_ image: GrayView) -> Int {
    switch part {
    case .slopes:
      measure(image)
      part = .ridges
      return width * height * Cost.slope / 1_000_000
    case .ridges:
      let sloped = thin()
      part = .edges(2)
      return (width * height * Cost.ridge + sloped * Cost.sloped) / 1_000_000
    case .edges(let row):
      let end = min(height - 2, row + Self.band)
      let before = pieces.count
      gather(row..<end)
      part = end < height - 2 ? .edges(end) : .lines
      return (pieces.count - before) * Cost.edge / 1000
    case .lines:
      let count = pieces.count
      join()
      part = .done
      return count * (Cost.piece + min(count, 2 * Self.most) * Cost.pair / 1000) / 1000
    case .done: return 0
    }
  }

  /// What takes how long: nanoseconds of a thousand pixels, of a piece found and put in order, and of a thousand pairs of pieces.
  private enum Cost {
    static let slope = 4400
    static let ridge = 1200
    static let sloped = 9300
    static let edge = 920
    static let piece = 300
    static let pair = 1200
  }

  /// The slope of each pixel but those at the rim.
  private func measure(_ image: GrayView) {
    for y in 1..<(height - 1) {
      let (a, b, c) = (image.row(y - 1), image.row(y), image.row(y + 1))
      let (to, direction) = (slopes.base + y &* width, directions.base + y &* width)
      for x in 1..<(width - 1) {
        let (l, r) = (x &- 1, x &+ 1)
        let falling = Int32(c[r]) &- Int32(a[l])
        let rising = Int32(a[r]) &- Int32(c[l])
        let gx = falling &+ rising &+ 2 &* (Int32(b[r]) &- Int32(b[l]))
        let gy = falling &- rising &+ 2 &* (Int32(c[x]) &- Int32(a[x]))
        let (ax, ay) = (abs(gx), abs(gy))
        let slope = max(ax, ay) &+ min(ax, ay) &* 3 / 8
        to[x] = UInt16(truncatingIfNeeded: slope)
        direction[x] = slope < Self.leastSlope ? 255 : Self.direction(gx, gy)
      }
    }
  }

  /// The direction of a vector in 128ths of a turn.
  @inline(__always)
  private static func direction(_ x: Int32, _ y: Int32) -> UInt8 {
    let angle = roughAngle(Float(y), Float(x)) * (128 / (2 * .pi))
    return UInt8(truncatingIfNeeded: Int32(angle + 128.5) & 127)
  }

  /// Keeps the pixels that are steepest across their edge; answers how many pixels with a slope there were.
  private func thin() -> Int {
    var sloped = 0
    for y in 1..<(height - 1) {
      let row = y &* width
      for x in 1..<(width - 1) {
        let at = row &+ x
        let direction = directions.base[at]
        guard direction != 255 else {
          ridges.base[at] = 255
          continue
        }
        sloped &+= 1
        // Of eight directions, to the neighbour that lies there.
        let step: Int
        switch (Int(direction) &+ 8) &>> 4 & 3 {
        case 0: step = 1
        case 1: step = width &+ 1
        case 2: step = width
        default: step = width &- 1
        }
        let slope = slopes.base[at]
        let isRidge = slope > slopes.base[at &- step] && slope >= slopes.base[at &+ step]
        ridges.base[at] = isRidge ? direction : 255
      }
    }
    return sloped
  }

  /// Groups pixels with like directions, and fits a line to each group.
  private func gather(_ rows: Range<Int>) {
    for y in rows {
      for x in 2..<(width - 2) where ridges.base[y &* width &+ x] != 255 { grow(y &* width &+ x) }
    }
  }

  private func grow(_ seed: Int) {
    stack.removeAll(keepingCapacity: true)
    stack.append(Int32(truncatingIfNeeded: seed))
    var sum = turns.base[Int(ridges.base[seed])]
    ridges.base[seed] = 255
    var (n, mx, my, xx, xy, yy) = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    let (x0, y0) = (seed % width, seed / width)
    var next = 0
    while next < stack.count {
      let at = Int(stack[next])
      next += 1
      let py = at / width
      let (x, y) = (Float(at &- py &* width &- x0), Float(py &- y0))
      n += 1
      mx += x
      my += y
      xx += x * x
      xy += x * y
      yy += y * y
      let px = at &- py &* width
      guard px > 1, py > 1, px < width - 2, py < height - 2 else { continue }
      for dy in -1...1 {
        for dx in -1...1 {
          let other = at &+ dy &* width &+ dx
          let direction = ridges.base[other]
          guard direction != 255 else { continue }
          let unit = turns.base[Int(direction)]
          // Within 25 degrees of the mean of all so far.
          let along = (unit * sum).sum()
          guard along > 0, along * along > 0.82 * (sum * sum).sum() else { continue }
          ridges.base[other] = 255
          sum += unit
          stack.append(Int32(truncatingIfNeeded: other))
        }
      }
    }
    guard stack.count >= Self.fewest else { return }
    let center = SIMD2(mx, my) / n
    (xx, xy, yy) = (xx / n - center.x * center.x, xy / n - center.x * center.y, yy / n - center.y * center.y)
    let half = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    let (major, minor) = ((xx + yy) / 2 + half, (xx + yy) / 2 - half)
    // A curve is no edge of a print.
    guard minor < 1.2 || minor < 0.0009 * major else { return }
    var way = abs(xx - yy) > 0 || xy != 0 ? SIMD2(xx - minor, xy) : SIMD2(1, 0)
    if (way * way).sum() < (SIMD2(xy, yy - minor) * SIMD2(xy, yy - minor)).sum() { way = SIMD2(xy, yy - minor) }
    let length = (way * way).sum().squareRoot()
    guard length > 0 else { return }
    way /= length
    var (low, high) = (Float.infinity, -Float.infinity)
    for item in stack {
      let (py, px) = (Int(item) / width, Int(item) % width)
      let t = ((SIMD2(Float(px - x0), Float(py - y0)) - center) * way).sum()
      (low, high) = (min(low, t), max(high, t))
    }
    guard high - low >= Float(Self.fewest - 1) else { return }
    let middle = center + SIMD2(Float(x0), Float(y0))
    pieces.append(StraightEdge(from: middle + way * low, to: middle + way * high, seen: high - low + 1))
  }

  /// Puts pieces of one line together; the pieces themselves stay as well.
  private func join() {
    pieces.sort { ($0.seen, $0.from.x, $0.from.y) > ($1.seen, $1.from.x, $1.from.y) }
    if pieces.count > 2 * Self.most { pieces.removeLast(pieces.count - 2 * Self.most) }
    ways.removeAll(keepingCapacity: true)
    for piece in pieces { ways.append((piece.to - piece.from) / piece.length) }
    edges.append(contentsOf: pieces.prefix(Self.most))
    pieces.withUnsafeBufferPointer { pieces in
      ways.withUnsafeBufferPointer { ways in
        for i in 0..<min(pieces.count, Self.most) {
          var line = pieces[i]
          let way = ways[i]
          var isJoined = false
          for j in pieces.indices {
            // Nearly along one another, to begin with.
            guard abs(way.x * ways[j].y - way.y * ways[j].x) < 0.1, j != i else { continue }
            guard let longer = joined(line, pieces[j]) else { continue }
            line = longer
            isJoined = true
          }
          if isJoined { edges.append(line) }
        }
      }
    }
    edges.sort { ($0.seen, $0.from.x, $0.from.y) > ($1.seen, $1.from.x, $1.from.y) }
    dropTwins()
  }

  /// Lines put together from one end and from the other are the same.
  private func dropTwins() {
    var kept = 0
    for i in edges.indices {
      let edge = edges[i]
      var isNew = true
      for k in 0..<kept where isSame(edges[k], edge) {
        isNew = false
        break
      }
      guard isNew else { continue }
      edges[kept] = edge
      kept += 1
      if kept == Self.most { break }
    }
    edges.removeLast(edges.count - kept)
  }

  private func isSame(_ a: StraightEdge, _ b: StraightEdge) -> Bool {
    // Same middle first: that decides nearly always.
    let middle = a.from + a.to - b.from - b.to
    guard (middle * middle).sum() < 16 else { return false }
    func near(_ p: SIMD2<Float>, _ q: SIMD2<Float>) -> Bool {
      let d = p - q
      return (d * d).sum() < 4
    }
    return near(a.from, b.from) && near(a.to, b.to) || near(a.from, b.to) && near(a.to, b.from)
  }

  /// One line of two pieces, when they lie on one and not too far from one another.
  @inline(__always)
  private func joined(_ a: StraightEdge, _ b: StraightEdge) -> StraightEdge? {
    let along = a.to - a.from
    let length = (along * along).sum().squareRoot()
    let way = along / length
    let normal = SIMD2(-way.y, way.x)
    let (p, q) = (b.from - a.from, b.to - a.from)
    let (t, u) = ((p * way).sum(), (q * way).sum())
    let (low, high) = (min(t, u), max(t, u))
    // Beside one another: a line and its shadow, not two pieces of it.
    guard high > length || low < 0 else { return nil }
    let gap = low > length ? low - length : high < 0 ? -high : 0
    guard gap < max(12, 0.7 * max(length, high - low)), gap > 0 || min(high, length) - max(low, 0) < 0.3 * (high - low)
    else { return nil }
    let off = max(abs((p * normal).sum()), abs((q * normal).sum()))
    guard off < 1.2 + 0.012 * (gap + max(length, high - low)) else { return nil }
    // The ends that are farthest from one another make the line.
    var (first, last) = (a.from, a.to)
    if low < 0 { first = t < u ? b.from : b.to }
    if high > length { last = t < u ? b.to : b.from }
    return StraightEdge(from: first, to: last, seen: a.seen + b.seen)
  }

  /// The share of some places along a line where the picture has an edge along it; `nil` when most of them lie outside.
  func share(from a: SIMD2<Float>, to b: SIMD2<Float>) -> (found: Float, looked: Float) {
    let d = b - a
    let length = (d * d).sum().squareRoot()
    let count = max(6, min(24, Int(length / 3)))
    // Across the line, either way: a half turn does not count.
    let wanted = Int32(Self.direction(Int32(-d.y * 16), Int32(d.x * 16)))
    var (found, looked) = (0, 0)
    for i in 0..<count {
      let p = a + d * ((Float(i) + 0.5) / Float(count))
      guard p.x >= 1, p.y >= 1, p.x < Float(width - 2), p.y < Float(height - 2) else { continue }
      looked += 1
      let at = Int(p.y + 0.5) &* width &+ Int(p.x + 0.5)
      let direction = directions.base[at]
      guard direction != 255 else { continue }
      let lean = (Int32(direction) &- wanted) & 63
      if lean <= 6 || lean >= 58 { found += 1 }
    }
    return (Float(found) / Float(count), Float(looked) / Float(count))
  }
}
