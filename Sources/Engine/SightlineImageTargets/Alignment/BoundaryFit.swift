import SightlineCamera
import SightlineImaging
import SightlineMath

/// How far the edges of a print are from where a map puts them in a frame.
///
/// A print with little in it is held by the few things that it shows, and its corners far from these are known badly.
/// The print itself
/// ends there, though, and mostly that can be seen. Each side is looked at in places across it; what lies on one
/// straight line
/// with most others counts. A side with no such line, as that of a picture cut out of a larger sheet, says nothing.
struct BoundaryFit {
  /// A place on a side, and how far away from it, along the side's normal, the edge is.
  ///
  /// All in pixels of the frame's level.
  struct Edge {
    var place: Vector2
    var normal: Vector2
    var offset: Double
  }

  /// Places along each side.
  private static let places = 24
  /// How far on either side of the outline edges are looked for.
  private static let reach = 3
  /// Longest motion blur across a side that it is looked at with, and most pixels beside a place that are taken
  /// together for that.
  private static let (longestSmear, widest) = (12.0, 8)
  /// Least difference of levels two pixels apart across an edge.
  private static let least: Float = 8
  /// Deviation of an edge from the line it is on, within which it counts.
  private static let tolerance = 0.5
  /// Standard deviation of one edge: noise, and what all of a side have in common.
  static let sigma = 0.6
  /// Standard deviation of the corners below which there is nothing to gain.
  static let worthwhile = 0.08

  private(set) var edges: [Edge] = []
  private var side: [Edge] = []
  private var along: [Double] = []

  init() { edges.reserveCapacity(4 * Self.places) }

  /// Looks along the outline.
  ///
  /// - Parameters:
  ///   - reference: the target's picture; where it has an edge of its own near its end, nothing is taken.
  ///   - corners: where the map puts its corners.
  ///   - map: from the reference to the frame's level.
  ///   - corrected: what takes places of the map to the frame.
  ///   - frame: the frame's level.
  ///   - motionBlur: how the frame is blurred; a side that is blurred across says nothing.
  mutating func look(
    _ reference: ReferencePyramid,
    corners: InlineArray<4, Vector2>,
    map: Homography,
    corrected: (Vector2) -> Vector2?,
    frame: GrayView,
    motionBlur: LevelMotionBlur?
  ) {
    edges.removeAll(keepingCapacity: true)
    guard let back = map.inverse?.scaled else { return }
    for i in 0..<4 {
      let (from, to) = (corners[i], corners[(i + 1) & 3])
      let length = (to - from).length
      guard length > 24, let a = corrected(from), let b = corrected(to), (b - a).length > 24 else { continue }
      let tangent = (b - a) * (1 / (b - a).length)
      // The corners go clockwise as seen: this points outwards.
      let normal = Vector2(tangent.y, -tangent.x)
      guard let seen = Self.visible(from, to, frame) else { continue }
      var wide = 1
      if let way = motionBlur?.at(from + (to - from) * ((seen.from + seen.to) / 2)) {
        // A blurred edge is a gradient as long as the motion blur: its middle is where as much is on either side.
        let across = abs(way.x * normal.x + way.y * normal.y)
        if across > Self.longestSmear { continue }
        if across > 2.5 { wide = min(Self.widest, Int(across.rounded())) }
      }
      side.removeAll(keepingCapacity: true)
      along.removeAll(keepingCapacity: true)
      var looked = 0
      for k in 0..<Self.places {
        let t = seen.from + (seen.to - seen.from) * (Double(k) + 1) / Double(Self.places + 1)
        let place = from + (to - from) * t
        guard let p = corrected(place), let profile = Self.profile(p, tangent, normal, wide, frame) else { continue }
        looked += 1
        guard let (offset, change) = Self.steepest(profile, wide) else { continue }
        guard Self.own(reference, back, place, normal) * 2.5 < change else { continue }
        side.append(Edge(place: place, normal: normal, offset: offset))
        along.append((Double(k) + 1) / Double(Self.places + 1))
      }
      keepLine(of: looked)
    }
  }

  /// Takes those of a side that lie on one line, when they are most of the places that could be looked at.
  private mutating func keepLine(of looked: Int) {
    let least = max(8, looked * 3 / 5)
    guard side.count >= least else { return }
    var (most, level, gradient) = (0, 0.0, 0.0)
    // Every third is enough to try lines through.
    for i in stride(from: 0, to: side.count, by: 3) {
      for j in stride(from: i + 3, to: side.count, by: 3) where along[j] > along[i] + 0.25 {
        let rise = (side[j].offset - side[i].offset) / (along[j] - along[i])
        let start = side[i].offset - rise * along[i]
        var count = 0
        for k in side.indices where abs(side[k].offset - start - rise * along[k]) < Self.tolerance { count += 1 }
        if count > most { (most, level, gradient) = (count, start, rise) }
      }
    }
    guard most >= least else { return }
    for k in side.indices where abs(side[k].offset - level - gradient * along[k]) < Self.tolerance {
      edges.append(side[k])
    }
  }

  /// What share of a side lies so far inside the frame that it can be looked at; `nil` when hardly any does.
  private static func visible(_ from: Vector2, _ to: Vector2, _ frame: GrayView) -> (from: Double, to: Double)? {
    let margin = Double(reach) + 7
    let (size, way) = (Vector2(Double(frame.width) - 1, Double(frame.height) - 1), to - from)
    var (low, high) = (0.0, 1.0)
    func clip(_ start: Double, _ step: Double, _ end: Double) {
      if abs(step) < 1e-9 {
        if start < margin || start > end - margin { high = -1 }
        return
      }
      let (a, b) = ((margin - start) / step, (end - margin - start) / step)
      (low, high) = (max(low, min(a, b)), min(high, max(a, b)))
    }
    clip(from.x, way.x, size.x)
    clip(from.y, way.y, size.y)
    return (high - low) * way.length > 24 ? (low, high) : nil
  }

  /// Levels across the outline, from inside to outside, a pixel apart; `nil` too near the frame's edge.
  private static func profile(
    _ p: Vector2,
    _ tangent: Vector2,
    _ normal: Vector2,
    _ wide: Int,
    _ frame: GrayView
  ) -> InlineArray<25, Float>? {
    let half = reach + 1 + wide
    let margin = Double(half) + 4
    guard p.x > margin, p.y > margin, p.x < Double(frame.width) - 1 - margin, p.y < Double(frame.height) - 1 - margin
    else { return nil }
    var profile = InlineArray<25, Float>(repeating: 0)
    for k in -half...half {
      var sum: Float = 0
      for beside in -1...1 {
        let q = p + normal * Double(k) + tangent * (1.5 * Double(beside))
        let (x, y) = (Float(q.x), Float(q.y))
        let (column, row) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let (a, b) = (frame.row(row), frame.row(row + 1))
        let upper = Float(a[column]) + fx * (Float(a[column + 1]) - Float(a[column]))
        let lower = Float(b[column]) + fx * (Float(b[column + 1]) - Float(b[column]))
        sum += upper + fy * (lower - upper)
      }
      profile[12 + k] = sum / 3
    }
    return profile
  }

  /// Where a profile changes most, from its middle, and by how much from one side to the other; `nil` when that is
  /// little or at its end.
  ///
  /// Either side is the mean of so many levels.
  private static func steepest(_ profile: InlineArray<25, Float>, _ wide: Int) -> (offset: Double, change: Float)? {
    var change = InlineArray<9, Float>(repeating: 0)
    for k in 0..<(2 * reach + 3) {
      let middle = 12 + k - reach - 1
      var difference: Float = 0
      for beside in 1...wide { difference += profile[middle + beside] - profile[middle - beside] }
      change[k] = abs(difference) / Float(wide)
    }
    var best = 2
    for k in 2...(2 * reach) where change[k] > change[best] { best = k }
    let (before, at, after) = (change[best - 1], change[best], change[best + 1])
    guard at > least, at > before, at >= after else { return nil }
    // The top of the parabola through three.
    let bend = before - 2 * at + after
    let top = bend < 0 ? Double((before - after) / (2 * bend)) : 0
    return (Double(best - reach - 1) + top, at)
  }

  /// The largest change over two pixels that the reference has itself just inside a place.
  private static func own(
    _ reference: ReferencePyramid,
    _ back: Homography,
    _ place: Vector2,
    _ normal: Vector2
  ) -> Float {
    let m = back.matrix
    let w = m.row2.x * place.x + m.row2.y * place.y + m.row2.z
    guard w > 1e-9 else { return .infinity }
    let index = reference.level(forPixels: (abs(determinantOf(m)) / (w * w * w)).squareRoot())
    let level = reference.levels[index]
    var (largest, values) = (Float(0), InlineArray<6, Float>(repeating: 0))
    for k in 0..<6 {
      guard let q = back(place - normal * Double(k)) else { return .infinity }
      let x = max(0, min(Double(level.picture.width) - 1.001, (q.x + 0.5) * level.ratio.x - 0.5))
      let y = max(0, min(Double(level.picture.height) - 1.001, (q.y + 0.5) * level.ratio.y - 0.5))
      let s = level.picture.pixels.base + (Int(y) * level.picture.width + Int(x))
      let (fx, fy) = (Float(x - Double(Int(x))), Float(y - Double(Int(y))))
      let upper = s[0] + fx * (s[1] - s[0])
      let lower = s[level.picture.width] + fx * (s[level.picture.width + 1] - s[level.picture.width])
      values[k] = upper + fy * (lower - upper)
      if k >= 2 { largest = max(largest, abs(values[k] - values[k - 2])) }
    }
    return largest
  }
}
