import SightlineImaging
import SightlineMath

/// Finds quadrilaterals of straight edges: what may be the outline of a print.
///
/// Two edges that meet make a corner; two corners that look at one another make a quadrilateral, also where the other
/// two corners or a part
/// of the sides is covered. What has the most of its outline as edges of the picture is told first.
struct QuadrilateralFinder {
  /// A quadrilateral, corners clockwise on the screen, pixels of the picture the edges are from.
  struct Quad {
    var corners: InlineArray<4, SIMD2<Float>>
    /// How much of it is seen as an edge, 0 … 1.
    var share: Float
  }

  /// Two edges that meet: the next corner clockwise lies along the first way, the last one along the second.
  private struct Corner {
    var place: SIMD2<Float>
    var next: SIMD2<Float>
    var last: SIMD2<Float>
    /// How far the edges go.
    var nextLength: Float
    var lastLength: Float
    /// The edges, so that two corners of one edge are not taken as opposite ones.
    var nextEdge: Int16
    var lastEdge: Int16
  }

  private static let most = 700
  /// Most quadrilaterals whose sides are measured in a picture, those of the longest edges first.
  ///
  /// A picture full of lines, as of bars, has ten times as many, and would take longer than all the rest of a search.
  private static let mostMeasured = 3000
  private static let leastSide: Float = 9
  private var corners: [Corner] = []
  /// Edges by kind of number: where they begin, their ways, their lengths and how far from their ends a corner may be.
  private var lines = FixedBuffer<Float>(count: 6 * 256, filledWith: 0)
  /// Corners by kind of number: where they are, and the ways along both edges.
  private let angles = FixedBuffer<Float>(count: 6 * QuadrilateralFinder.room, filledWith: 0)
  /// Room for corners, with some more for those read beside the last.
  private static let room = QuadrilateralFinder.most + 4
  private var found: [Quad] = []
  /// What was found, best first.
  private(set) var outlines: [Quad] = []

  init() {}

  /// Corner of whose pairs those with the stronger ones come next.
  private var next = 0
  private var measured = 0
  private(set) var isDone = true
  /// Quadrilaterals after which the work is interrupted.
  private static let batch = 800

  /// Looks for quadrilaterals among the edges of a picture; at most `limit`.
  mutating func find(_ edges: LineSegmentDetector, limit: Int) {
    begin()
    while !isDone { _ = advance(edges, limit: limit) }
  }

  /// Begins to look for quadrilaterals, which ``advance(_:limit:)`` does step by step.
  mutating func begin() {
    outlines.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
    corners.removeAll(keepingCapacity: true)
    (next, measured, isDone) = (0, 0, false)
  }

  /// Does the next step; answers what that cost, work units.
  @_optimize(speed)
  mutating func advance(_ edges: LineSegmentDetector, limit: Int) -> Int {
    var work = 0
    if next == 0 {
      meet(edges)
      work = edges.edges.count * edges.edges.count * WorkCost.cornerPair / 1_000_000
    }
    let (width, height) = (Float(edges.width), Float(edges.height))
    var found = self.found
    self.found = []
    let first = next
    var (next, measured) = (next, measured)
    let end = min(Self.mostMeasured, measured + Self.batch)
    corners.withUnsafeBufferPointer { corners in
      // A strong corner is paired with all that are stronger, so that the weakest pairs are those that are left out.
      while next < corners.count && measured < end {
        let a = corners[next]
        var j = 0
        while j < next {
          var mask = facing(a, j, next &- j)
          while mask != 0 {
            pair(a, corners[j &+ mask.trailingZeroBitCount], width, height, edges, &found, &measured)
            mask &= mask &- 1
          }
          j &+= 4
        }
        next += 1
      }
    }
    work +=
      ((next * next - first * first) / 2 * WorkCost.quadPair / 1000 + (measured - self.measured) * WorkCost.measuredQuad)
      / 1000
    (self.next, self.measured) = (next, measured)
    if next >= corners.count || measured >= Self.mostMeasured {
      isDone = true
      work += WorkCost.units(found.count, WorkCost.foundQuad)
      // Of equal worth the one found first comes first.
      var order: [(worth: Float, index: Int)] = []
      order.reserveCapacity(found.count)
      for (i, outline) in found.enumerated() { order.append((Self.worth(outline), i)) }
      order.sortStably { $0.worth > $1.worth || $0.worth == $1.worth && $0.index < $1.index }
      for (_, i) in order {
        guard outlines.count < limit else { break }
        if outlines.allSatisfy({ !isNear($0, found[i]) }) { outlines.append(found[i]) }
      }
    }
    self.found = found
    return work
  }

  private static func worth(_ o: Quad) -> Float {
    let (p, q) = (o.corners[2] - o.corners[0], o.corners[3] - o.corners[1])
    let size = ((p * p).sum() + (q * q).sum()).squareRoot()
    return o.share * (1 + 0.15 * min(1, size / 200))
  }

  /// All corners that two edges make.
  @_optimize(speed)
  private mutating func meet(_ edges: LineSegmentDetector) {
    corners.removeAll(keepingCapacity: true)
    let count = edges.edges.count
    let room = count + 4
    if lines.count < 6 * room { lines = FixedBuffer(count: 6 * room, filledWith: 0) }
    let base = lines.base
    for (i, edge) in edges.edges.enumerated() {
      let (length, at) = (edge.length, base + i)
      let way = (edge.to - edge.from) / length
      (at[0], at[room], at[2 &* room], at[3 &* room]) = (edge.from.x, edge.from.y, way.x, way.y)
      (at[4 &* room], at[5 &* room]) = (length, max(4, min(12, 0.15 * length)))
    }
    for i in 0..<count {
      let a = base + i
      let (fromX, fromY, wayX, wayY) = (a[0], a[room], a[2 &* room], a[3 &* room])
      let (length, gap) = (a[4 &* room], a[5 &* room])
      var j = i &+ 1
      while j < count {
        let b = base + j
        let (otherX, otherY) = (load4(b + 2 &* room), load4(b + 3 &* room))
        let sine = wayX * otherY - wayY * otherX
        let (dx, dy) = (load4(b) - fromX, load4(b + room) - fromY)
        let t = (dx * otherY - dy * otherX) / sine
        let u = (dx * wayY - dy * wayX) / sine
        let gaps = load4(b + 5 &* room)
        let isOfFirst = (t .> SIMD4(repeating: -gap)) .& (t .< SIMD4(repeating: length + gap))
        let isOfSecond = (u .> -gaps) .& (u .< load4(b + 4 &* room) + gaps)
        let isWide = sine.magnitudes .> SIMD4(repeating: 0.3)
        var mask = (isOfFirst .& isOfSecond .& isWide).laneMask(first: count &- j)
        while mask != 0 {
          let lane = mask.trailingZeroBitCount
          mask &= mask &- 1
          guard add(room, i, j &+ lane, t[lane], u[lane]) else { return }
        }
        j &+= 4
      }
    }
  }

  /// Adds the corners of two edges that meet so far along each of them; answers whether there is room for all.
  private mutating func add(_ room: Int, _ i: Int, _ j: Int, _ t: Float, _ u: Float) -> Bool {
    let (a, b) = (lines.base + i, lines.base + j)
    let (wayA, lengthA, gapA) = (SIMD2(a[2 * room], a[3 * room]), a[4 * room], a[5 * room])
    let (wayB, lengthB, gapB) = (SIMD2(b[2 * room], b[3 * room]), b[4 * room], b[5 * room])
    let place = SIMD2(a[0], a[room]) + wayA * t
    // Each edge may go on either way from there.
    for isBackA in 0..<2 {
      let (signA, goesA, startsA) = isBackA == 0 ? (Float(1), lengthA - t, -t) : (Float(-1), t, t - lengthA)
      guard goesA > 6, startsA < gapA else { continue }
      for isBackB in 0..<2 {
        let (signB, goesB, startsB) = isBackB == 0 ? (Float(1), lengthB - u, -u) : (Float(-1), u, u - lengthB)
        guard goesB > 6, startsB < gapB else { continue }
        guard corners.count < Self.most else { return false }
        let (x, y) = (wayA * signA, wayB * signB)
        if x.x * y.y - x.y * y.x > 0 {
          append(
            Corner(
              place: place,
              next: x,
              last: y,
              nextLength: goesA,
              lastLength: goesB,
              nextEdge: Int16(i),
              lastEdge: Int16(j)
            )
          )
        } else {
          append(
            Corner(
              place: place,
              next: y,
              last: x,
              nextLength: goesB,
              lastLength: goesA,
              nextEdge: Int16(j),
              lastEdge: Int16(i)
            )
          )
        }
      }
    }
    return true
  }

  private mutating func append(_ corner: Corner) {
    let (at, room) = (angles.base + corners.count, Self.room)
    (at[0], at[room], at[2 * room]) = (corner.place.x, corner.place.y, corner.next.x)
    (at[3 * room], at[4 * room], at[5 * room]) = (corner.next.y, corner.last.x, corner.last.y)
    corners.append(corner)
  }

  /// Which of four corners, one bit each, lie inside the angle of one that lies inside theirs; only so many of the four
  /// are meant.
  @inline(__always)
  private func facing(_ a: Corner, _ j: Int, _ count: Int) -> UInt32 {
    let (b, room) = (angles.base + j, Self.room)
    let (dx, dy) = (load4(b) - a.place.x, load4(b + room) - a.place.y)
    let none = SIMD4<Float>.zero
    let isInside = (a.next.x * dy - a.next.y * dx .> none) .& (dx * a.last.y - dy * a.last.x .> none)
    let (next, last) = (load4(b + 2 &* room) * dy, dx * load4(b + 5 &* room))
    let isAround = (next - load4(b + 3 &* room) * dx .< none) .& (last - dy * load4(b + 4 &* room) .< none)
    return (isInside .& isAround).laneMask(first: count)
  }

  /// The quadrilateral that has two corners as opposite ones, if it is one and is seen.
  @inline(__always)
  private func pair(
    _ a: Corner,
    _ b: Corner,
    _ width: Float,
    _ height: Float,
    _ edges: LineSegmentDetector,
    _ found: inout [Quad],
    _ measured: inout Int
  ) {
    let d = b.place - a.place
    guard (d * d).sum() > 200, a.nextEdge != b.lastEdge, a.lastEdge != b.nextEdge else { return }
    let (p, q) = (cross(a.next, b.last), cross(a.last, b.next))
    guard abs(p) > 0.2, abs(q) > 0.2 else { return }
    let (s, t) = (cross(d, b.last) / p, cross(d, a.next) / p)
    let (u, v) = (cross(d, b.next) / q, cross(d, a.last) / q)
    let least = Self.leastSide
    guard s > least, t > least, u > least, v > least else { return }
    guard s < 3 * v, v < 3 * s, t < 3 * u, u < 3 * t, max(s, v) < 8 * max(t, u), max(t, u) < 8 * max(s, v) else {
      return
    }
    // A third of each side has to be the edges that it was made of.
    let seen = min(a.nextLength, s) + min(b.lastLength, t) + min(b.nextLength, v) + min(a.lastLength, u)
    guard seen > 0.4 * (s + t + u + v) else { return }
    let quad: InlineArray<4, SIMD2<Float>> = [
      a.place, a.place + a.next * s, b.place, a.place + a.last * u,
    ]
    let (margin, right, bottom) = (0.25 * max(s, t, u, v), width, height)
    for i in 0..<4 {
      guard quad[i].x > -margin, quad[i].y > -margin, quad[i].x < right + margin, quad[i].y < bottom + margin else {
        return
      }
    }
    measured += 1
    var (share, looked) = (Float(0), Float(0))
    for i in 0..<4 {
      let side = edges.share(from: quad[i], to: quad[(i + 1) & 3])
      share += side.found
      looked += side.looked
      // Each side has to be seen in part, and the sides that are left have to be able to make good what is missing:
      // most
      // quadrilaterals fail at their first or second side.
      let left = Float(3 - i)
      guard side.looked > 0.5, side.found > 0.2 * side.looked, share + 0.4 * left > 0.6 * looked else { return }
    }
    guard looked > 2.4 else { return }
    found.append(Quad(corners: quad, share: share / 4))
  }

  @inline(__always)
  private func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }

  /// Whether two are the same quadrilateral, whichever corner comes first.
  private func isNear(_ a: Quad, _ b: Quad) -> Bool {
    let middle = (a.corners[0] + a.corners[2]) - (b.corners[0] + b.corners[2])
    guard (middle * middle).sum() < 144 else { return false }
    for shift in 0..<4 {
      var most: Float = 0
      for i in 0..<4 {
        let d = a.corners[i] - b.corners[(i + shift) & 3]
        most = max(most, (d * d).sum())
      }
      if most < 9 { return true }
    }
    return false
  }
}
