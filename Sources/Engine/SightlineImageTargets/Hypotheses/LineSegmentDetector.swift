import SightlineImaging
import SightlineMath

/// A straight piece of an edge between light and dark.
struct LineSegment {
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
/// Pixels where the gradient is steepest across the edge are gathered as long as their directions stay alike, as LSD
/// does (Grompone von
/// Gioi, Jakubowicz, Morel and Randall 2010), and a line is fitted to each group. Pieces of one line are put together
/// afterwards.
final class LineSegmentDetector {
  /// Least gradient of an edge, sums of Sobel's operator: eight times the grey levels a pixel.
  static let leastGradient = 14
  /// Fewest pixels of a piece.
  private static let fewest = 5
  /// Most edges that are kept, the longest.
  private static let most = 240

  private(set) var width = 0
  private(set) var height = 0
  /// For each pixel the direction of its gradient in 128ths of a turn; 255 where there is hardly any.
  private(set) var directions = FixedBuffer<UInt8>(count: 1, filledWith: 255)
  /// The same, only where the gradient is steepest across the edge; taken ones are erased.
  private(set) var ridges = FixedBuffer<UInt8>(count: 1, filledWith: 255)
  private(set) var gradients = FixedBuffer<UInt16>(count: 1, filledWith: 0)
  /// The pixels of the group that grows, rows in the upper and columns in the lower sixteen bits.
  private var group = FixedBuffer<UInt32>(count: 1024, filledWith: 0)
  private var pieces: [LineSegment] = []
  /// The pieces by kind of number, so that four are looked at together, with room for three more.
  private let columns = LineSegmentColumns(room: 2 * LineSegmentDetector.most + 4)
  /// The edges of the last picture, longest first: pieces, and lines put together of several.
  private(set) var edges: [LineSegment] = []
  /// Cosine and sine of turns by 128.
  private let turns: FixedBuffer<SIMD2<Float>>
  /// Where along a line 6 to 24 places lie, from its beginning to its end: the middles of parts of a length, 24 numbers
  /// for each; none where
  /// there are fewer places.
  private let shares: FixedBuffer<Float>
  /// For each direction but for half turns, 1 for all that are within 17 degrees of it, but for half turns.
  private let alike: FixedBuffer<UInt8>

  init() {
    shares = FixedBuffer(count: 19 * 24, filledWith: .nan)
    for count in 6...24 {
      for i in 0..<count { shares.base[(count - 6) * 24 + i] = (Float(i) + 0.5) / Float(count) }
    }
    alike = FixedBuffer(count: 64 * 256, filledWith: 0)
    for wanted in 0..<64 {
      for direction in 0..<128 where (direction - wanted + 6) & 63 <= 12 { alike.base[wanted * 256 + direction] = 1 }
    }
    turns = FixedBuffer(count: 128, filledWith: .zero)
    for i in 0..<128 {
      let angle = Double(i) * 2 * pi / 128
      turns.base[i] = SIMD2(Float(cos(angle)), Float(sin(angle)))
    }
  }

  /// What comes next: gradients, the steepest of them, edges from a row on, or lines of several.
  private enum Step { case gradients, ridges, edges(Int), lines, done }
  private var step = Step.done
  /// Rows in which edges are begun at once.
  private static let band = 60

  /// Whether the edges are complete.
  var isDone: Bool {
    if case .done = step { return true }
    return false
  }

  /// Takes a picture.
  func set(_ image: GrayView) {
    begin(image)
    while !isDone { _ = advance(image) }
  }

  /// Takes a picture, in which ``advance(_:)`` finds the edges step by step.
  func begin(_ image: GrayView) {
    if width != image.width || height != image.height {
      (width, height) = (image.width, image.height)
      directions = FixedBuffer(count: width * height, filledWith: 255)
      ridges = FixedBuffer(count: width * height, filledWith: 255)
      gradients = FixedBuffer(count: width * height, filledWith: 0)
    }
    pieces.removeAll(keepingCapacity: true)
    edges.removeAll(keepingCapacity: true)
    step = width >= 16 && height >= 16 ? .gradients : .done
  }

  /// Does the next step on a picture; answers what that cost, work units.
  func advance(_ image: GrayView) -> Int {
    switch step {
    case .gradients:
      measure(image)
      step = .ridges
      return width * height * WorkCost.gradient / (WorkCost.unit * 1000)
    case .ridges:
      let sloped = thin()
      step = .edges(2)
      return (width * height * WorkCost.ridge + sloped * WorkCost.ridgePixel) / 1_000_000
    case .edges(let row):
      let end = min(height - 2, row + Self.band)
      let before = pieces.count
      gather(row..<end)
      step = end < height - 2 ? .edges(end) : .lines
      return (pieces.count - before) * WorkCost.segment / WorkCost.unit
    case .lines:
      let count = pieces.count
      join()
      step = .done
      return count * (WorkCost.segmentOrder + min(count, 2 * Self.most) * WorkCost.joinedPair / 1000) / 1000
    case .done: return 0
    }
  }

  /// The direction of a vector in 128ths of a turn.
  @inline(__always)
  private static func direction(_ x: Int32, _ y: Int32) -> UInt8 {
    let angle = roughAngle(Float(y), Float(x)) * (128 / (2 * .pi))
    return UInt8(truncatingIfNeeded: Int32(angle + 128.5) & 127)
  }

  /// Groups pixels with like directions, and fits a line to each group.
  private func gather(_ rows: Range<Int>) {
    let end = width - 2
    for y in rows {
      let row = UnsafeRawPointer(ridges.base + y &* width)
      var x = 2
      while x < end {
        // The next of eight that is left.
        let left = ~row.loadUnaligned(fromByteOffset: x, as: UInt64.self)
        guard left != 0 else {
          x &+= 8
          continue
        }
        x &+= left.trailingZeroBitCount &>> 3
        if x < end { grow(x, y) }
        x &+= 1
      }
    }
  }

  private func grow(_ x0: Int, _ y0: Int) {
    let (ridges, turns, width) = (ridges.base, turns.base, width)
    var pixels = group.base
    pixels[0] = UInt32(truncatingIfNeeded: y0 &<< 16 | x0)
    let own = ridges + (y0 &* width &+ x0)
    var sum = turns[Int(own[0])]
    var limit = 0.82 * (sum.x * sum.x + sum.y * sum.y)
    own[0] = 255
    var (next, count) = (0, 1)
    while next < count {
      let (px, py) = (Int(pixels[next] & 0xFFFF), Int(pixels[next] &>> 16))
      next &+= 1
      guard px > 1, py > 1, px < width &- 2, py < height &- 2 else { continue }
      if count &+ 8 > group.count {
        let larger = FixedBuffer<UInt32>(count: 2 * group.count, filledWith: 0)
        copy(larger.base, pixels, count)
        (group, pixels) = (larger, larger.base)
      }
      var line = ridges + ((py &- 1) &* width &+ px &- 1)
      for y in (py &- 1)...(py &+ 1) {
        // Three side by side, the first in the lowest bits.
        let three = UnsafeRawPointer(line).loadUnaligned(as: UInt32.self) | 0xFF00_0000
        if three != .max {
          for k in 0..<3 {
            let direction = Int(three &>> UInt32(truncatingIfNeeded: 8 &* k) & 255)
            guard direction != 255 else { continue }
            let unit = turns[direction]
            // Within 25 degrees of the mean of all so far.
            let along = unit.x * sum.x + unit.y * sum.y
            guard along > 0, along * along > limit else { continue }
            line[k] = 255
            sum += unit
            limit = 0.82 * (sum.x * sum.x + sum.y * sum.y)
            pixels[count] = UInt32(truncatingIfNeeded: y &<< 16 | (px &- 1 &+ k))
            count &+= 1
          }
        }
        line += width
      }
    }
    guard count >= Self.fewest else { return }
    fit(count, x0, y0)
  }

  /// Fits a line to so many pixels of ``group``, told from one of them.
  private func fit(_ count: Int, _ x0: Int, _ y0: Int) {
    let group = group.base
    func place(_ k: Int) -> SIMD2<Float> {
      SIMD2(Float(Int(group[k] & 0xFFFF) &- x0), Float(Int(group[k] &>> 16) &- y0))
    }
    var (n, mx, my, xx, xy, yy) = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    for k in 0..<count {
      let p = place(k)
      n += 1
      mx += p.x
      my += p.y
      xx += p.x * p.x
      xy += p.x * p.y
      yy += p.y * p.y
    }
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
    for k in 0..<count {
      let t = ((place(k) - center) * way).sum()
      (low, high) = (min(low, t), max(high, t))
    }
    guard high - low >= Float(Self.fewest - 1) else { return }
    let middle = center + SIMD2(Float(x0), Float(y0))
    pieces.append(LineSegment(from: middle + way * low, to: middle + way * high, seen: high - low + 1))
  }

  /// Puts pieces of one line together; the pieces themselves stay as well.
  @_optimize(speed)
  private func join() {
    pieces.sortStably { ($0.seen, $0.from.x, $0.from.y) > ($1.seen, $1.from.x, $1.from.y) }
    if pieces.count > 2 * Self.most { pieces.removeLast(pieces.count - 2 * Self.most) }
    let columns = columns
    for (i, piece) in pieces.enumerated() { columns.set(i, piece) }
    edges.append(contentsOf: pieces.prefix(Self.most))
    pieces.withUnsafeBufferPointer { pieces in
      for i in 0..<min(pieces.count, Self.most) {
        var line = pieces[i]
        let (wayX, wayY) = (columns.wayX[i], columns.wayY[i])
        var isJoined = false
        var j = 0
        while j < pieces.count {
          // Nearly along one another and nearly on one line, to begin with.
          var mask = columns.near(j, pieces.count &- j, line, wayX, wayY)
          var next = j &+ 4
          while mask != 0 {
            let other = j &+ mask.trailingZeroBitCount
            mask &= mask &- 1
            guard other != i, let longer = joined(line, pieces[other]) else { continue }
            line = longer
            isJoined = true
            // Those after it are looked at with the longer line.
            next = other &+ 1
            break
          }
          j = next
        }
        if isJoined { edges.append(line) }
      }
    }
    edges.sortStably { ($0.seen, $0.from.x, $0.from.y) > ($1.seen, $1.from.x, $1.from.y) }
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

  private func isSame(_ a: LineSegment, _ b: LineSegment) -> Bool {
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
  private func joined(_ a: LineSegment, _ b: LineSegment) -> LineSegment? {
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
    return LineSegment(from: first, to: last, seen: a.seen + b.seen)
  }

  /// The share of some places along a line where the picture has an edge along it; `nil` when most of them lie outside.
  @_optimize(speed)
  func share(from a: SIMD2<Float>, to b: SIMD2<Float>) -> (found: Float, looked: Float) {
    let d = b - a
    let length = (d * d).sum().squareRoot()
    let count = max(6, min(24, Int(length / 3)))
    // Across the line, either way: a half turn does not count.
    let wanted = Int32(Self.direction(Int32(-d.y * 16), Int32(d.x * 16)))
    let (right, bottom) = (SIMD4(repeating: Float(width - 2)), SIMD4(repeating: Float(height - 2)))
    let (one, half) = (SIMD4<Float>(repeating: 1), SIMD4<Float>(repeating: 0.5))
    let (shares, along) = (shares.base + (count &- 6) &* 24, alike.base + Int(wanted & 63) &* 256)
    let (directions, width) = (directions.base, width)
    var inside = SIMD4<Int32>.zero
    var found = 0
    for i in stride(from: 0, to: count, by: 4) {
      let share = load4(shares + i)
      let (x, y) = (share * d.x + a.x, share * d.y + a.y)
      let isInside = (x .>= one) .& (y .>= one) .& (x .< right) .& (y .< bottom)
      inside &-= unsafeBitCast(isInside, to: SIMD4<Int32>.self)
      // The nearest pixels; of places outside the first pixel, which has no direction.
      let mask = unsafeBitCast(isInside, to: SIMD4<UInt32>.self)
      let (columns, rows) = ((x + half).truncated & mask, (y + half).truncated & mask)
      for k in 0..<4 {
        found &+= Int(along[Int(directions[Int(rows[k]) &* width &+ Int(columns[k])])])
      }
    }
    let looked = inside.wrappedSum()
    return (Float(found) / Float(count), Float(looked) / Float(count))
  }
}
