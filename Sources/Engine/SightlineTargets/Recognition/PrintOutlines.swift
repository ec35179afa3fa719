import SightlineMath

/// Finds quadrilaterals of straight edges: what may be the outline of a print.
///
/// Two edges that meet make a corner; two corners that look at one another make a quadrilateral, also where the other two corners or a part
/// of the sides is covered. What has the most of its outline as edges of the picture is told first.
struct PrintOutlines {
  /// A quadrilateral, corners clockwise on the screen, pixels of the picture the edges are from.
  struct Outline {
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
  private var lines: [(from: SIMD2<Float>, way: SIMD2<Float>, length: Float)] = []
  private var corners: [Corner] = []
  private var found: [Outline] = []
  /// What was found, best first.
  private(set) var outlines: [Outline] = []

  init() {}

  /// Corner of whose pairs those with the stronger ones come next.
  private var next = 0
  private var measured = 0
  private(set) var isDone = true
  /// Quadrilaterals after which the work is interrupted.
  private static let batch = 800

  /// Looks for quadrilaterals among the edges of a picture; at most `limit`.
  mutating func find(_ edges: StraightEdges, limit: Int) {
    begin()
    while !isDone { _ = goOn(edges, limit: limit) }
  }

  /// Begins to look for quadrilaterals, which ``goOn(_:limit:)`` does piece by piece.
  mutating func begin() {
    outlines.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
    corners.removeAll(keepingCapacity: true)
    (next, measured, isDone) = (0, 0, false)
  }

  /// Does a piece of the work; answers what that takes in about microseconds of native code.
  mutating func goOn(_ edges: StraightEdges, limit: Int) -> Int {
    var work = 0
    if next == 0 {
      meet(edges)
      work = edges.edges.count * edges.edges.count * Cost.meeting / 1_000_000
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
        for j in 0..<next {
          let d = corners[j].place - a.place
          // Each inside the other's angle.
          guard cross(a.next, d) > 0, cross(d, a.last) > 0 else { continue }
          guard cross(corners[j].next, d) < 0, cross(d, corners[j].last) < 0 else { continue }
          pair(a, corners[j], width, height, edges, &found, &measured)
        }
        next += 1
      }
    }
    work += ((next * next - first * first) / 2 * Cost.pair / 1000 + (measured - self.measured) * Cost.quad) / 1000
    (self.next, self.measured) = (next, measured)
    if next >= corners.count || measured >= Self.mostMeasured {
      isDone = true
      work += found.count * Cost.found / 1000
      found.sort { Self.worth($0) > Self.worth($1) }
      for outline in found {
        guard outlines.count < limit else { break }
        if outlines.allSatisfy({ !isNear($0, outline) }) { outlines.append(outline) }
      }
    }
    self.found = found
    return work
  }

  /// What takes how long: nanoseconds of a thousand pairs of edges, a thousand pairs of corners, of a quadrilateral measured, and of one found.
  private enum Cost {
    static let meeting = 3000
    static let pair = 4300
    static let quad = 310
    static let found = 300
  }

  private static func worth(_ o: Outline) -> Float {
    let (p, q) = (o.corners[2] - o.corners[0], o.corners[3] - o.corners[1])
    let size = ((p * p).sum() + (q * q).sum()).squareRoot()
    return o.share * (1 + 0.15 * min(1, size / 200))
  }

  /// All corners that two edges make.
  private mutating func meet(_ edges: StraightEdges) {
    corners.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    for edge in edges.edges {
      let length = edge.length
      lines.append((edge.from, (edge.to - edge.from) / length, length))
    }
    for i in lines.indices {
      let (fromA, wayA, lengthA) = lines[i]
      for j in (i + 1)..<max(i + 1, lines.count) {
        let (fromB, wayB, lengthB) = lines[j]
        let sine = wayA.x * wayB.y - wayA.y * wayB.x
        guard abs(sine) > 0.3 else { continue }
        let d = fromB - fromA
        let t = (d.x * wayB.y - d.y * wayB.x) / sine
        let u = (d.x * wayA.y - d.y * wayA.x) / sine
        let (gapA, gapB) = (max(4, min(12, 0.15 * lengthA)), max(4, min(12, 0.15 * lengthB)))
        guard t > -gapA, t < lengthA + gapA, u > -gapB, u < lengthB + gapB else { continue }
        let place = fromA + wayA * t
        // Each edge may go on either way from there.
        for (signA, goesA, startsA) in [(Float(1), lengthA - t, -t), (Float(-1), t, t - lengthA)] {
          guard goesA > 6, startsA < gapA else { continue }
          for (signB, goesB, startsB) in [(Float(1), lengthB - u, -u), (Float(-1), u, u - lengthB)] {
            guard goesB > 6, startsB < gapB else { continue }
            guard corners.count < Self.most else { return }
            let (x, y) = (wayA * signA, wayB * signB)
            if x.x * y.y - x.y * y.x > 0 {
              corners.append(
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
              corners.append(
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
      }
    }
  }

  /// The quadrilateral that has two corners as opposite ones, if it is one and is seen.
  @inline(__always)
  private func pair(
    _ a: Corner,
    _ b: Corner,
    _ width: Float,
    _ height: Float,
    _ edges: StraightEdges,
    _ found: inout [Outline],
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
      // Each side has to be seen in part, and the sides that are left have to be able to make good what is missing: most
      // quadrilaterals fail at their first or second side.
      let left = Float(3 - i)
      guard side.looked > 0.5, side.found > 0.2 * side.looked, share + 0.4 * left > 0.6 * looked else { return }
    }
    guard looked > 2.4 else { return }
    found.append(Outline(corners: quad, share: share / 4))
  }

  @inline(__always)
  private func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }

  /// Whether two are the same quadrilateral, whichever corner comes first.
  private func isNear(_ a: Outline, _ b: Outline) -> Bool {
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
