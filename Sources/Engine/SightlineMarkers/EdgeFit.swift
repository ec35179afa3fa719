import SightlineImaging
import SightlineMath

/// Places along an edge, with weights; kept from marker to marker, so that nothing is allocated.
struct EdgePoints: Sendable {
  static let most = 28
  private struct Place {
    var along: Double
    var off: Double
    var weight: Double
  }
  private var places: [Place] = []
  var count: Int { places.count }

  init() { places.reserveCapacity(Self.most + 2) }

  mutating func removeAll() { places.removeAll(keepingCapacity: true) }

  mutating func add(along: Double, off: Double, weight: Double) {
    places.append(Place(along: along, off: off, weight: weight))
  }

  /// Least squares of off = m + k · along, again and again without what is far from it.
  @_optimize(speed)
  func line() -> (m: Double, k: Double)? { places.withUnsafeBufferPointer { Self.line($0) } }

  @_optimize(speed)
  private static func line(_ places: UnsafeBufferPointer<Place>) -> (m: Double, k: Double)? {
    var (m, k) = (0.0, 0.0)
    var limit = Double.infinity
    for round in 0..<4 {
      var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      var used = 0
      for place in places where abs(place.off - m - k * place.along) <= limit {
        let (a, v) = (place.along, place.weight)
        w += v
        x += v * a
        y += v * place.off
        xx += v * a * a
        xy += v * a * place.off
        used += 1
      }
      let determinant = w * xx - x * x
      guard used >= 3, w > 0, determinant > 1e-9 * w * xx else { return nil }
      k = (w * xy - x * y) / determinant
      m = (y - k * x) / w
      // With all places within the limit another round changes nothing.
      if round == 3 || round > 0 && used == places.count { break }
      var (spread, total) = (0.0, 0.0)
      for place in places {
        let d = min(abs(place.off - m - k * place.along), 1.5)
        spread += place.weight * d * d
        total += place.weight
      }
      limit = max(0.1, 2 * (spread / total).squareRoot())
    }
    return (m, k)
  }
}

extension GrayView {
  /// The corners of a dark quadrilateral to a small part of a pixel: where lines fitted to its four edges cross.
  ///
  /// A line fit uses the whole edge and is not drawn inwards by the rounding of a blurred corner, as a search for the corner
  /// itself is. Points that do not agree with the line of the others are dropped.
  ///
  /// - Parameters:
  ///   - start: corners to within `slack` pixels.
  ///   - cells: how many cells lie along a side, with the border: edges are searched no further than most of a cell, so that
  ///     the first inner edge stays outside.
  ///   - slack: how far the corners may be off, pixels.
  ///   - points: a buffer.
  /// - Returns: `nil` when an edge is not from dark to light or the corners run away.
  func refinedCorners(_ start: Quadrilateral, cells: Int, slack: Double, _ points: inout EdgePoints) -> Quadrilateral? {
    var corners = start
    for round in 0..<2 {
      var lines = InlineArray<4, Line2>(repeating: Line2(normal: .zero, offset: 0))
      for i in 0..<4 {
        let a = corners[i]
        let b = corners[(i + 1) & 3]
        let neighbour = min((corners[(i + 3) & 3] - a).length, (corners[(i + 2) & 3] - b).length)
        let reach = max(1.25, min(round == 0 ? 2.5 * slack : 3 * slack, 0.8 * neighbour / Double(cells)))
        guard let line = edge(from: a, to: b, reach: reach, &points) else { return nil }
        lines[i] = line
      }
      for i in 0..<4 {
        guard let corner = lines[(i + 3) & 3].crossing(lines[i]) else { return nil }
        guard (corner - start[i]).length < 3 + 3 * slack else { return nil }
        corners[i] = corner
      }
    }
    return corners
  }

  /// The line of an edge from dark (on the right when going from `a` to `b`, clockwise around the marker) to light.
  ///
  /// Profiles go along columns of pixels, or rows for a steep edge: their levels are read as they are, each once.
  @_optimize(speed)
  private func edge(from a: Vector2, to b: Vector2, reach: Double, _ points: inout EdgePoints) -> Line2? {
    let along = b - a
    let isFlat = abs(along.x) >= abs(along.y)
    // u along the axis that the edge follows more, v across it.
    let (au, av) = isFlat ? (a.x, a.y) : (a.y, a.x)
    let (du, dv) = isFlat ? (along.x, along.y) : (along.y, along.x)
    guard abs(du) >= 4 else { return nil }
    let slope = dv / du
    let stretch = (1 + slope * slope).squareRoot()
    let across = reach * stretch
    let steps = max(2, min(24, Int(across.rounded(.up))))
    let (unit, beside) = isFlat ? (1, stride) : (stride, 1)
    let (endU, endV) = isFlat ? (width, height) : (height, width)
    // Outwards is to the left of a → b: up for an edge to the right, right for one downwards, and so on.
    let outward = isFlat ? (du > 0 ? -1 : 1) : (du > 0 ? 1 : -1)
    let inset = max(1.0, 0.08 * abs(du))
    let (low, high) = (min(au, au + du) + inset, max(au, au + du) - inset)
    let first = max(0, Int(low.rounded(.up)))
    let last = min(endU - 1, Int(high.rounded(.down)))
    guard last - first >= 2 else { return nil }
    let step = (last - first) / EdgePoints.most + 1
    points.removeAll()
    var u = first
    var places = 0
    while u <= last {
      defer { u += step }
      places += 1
      let center = av + slope * (Double(u) - au)
      guard center > -1, center < Double(endV) else { continue }
      let middle = Int(center.rounded())
      // Near the frame's end a search of less reach is as good, as long as both sides of the edge are in it.
      let steps = min(steps, middle, endV - 1 - middle)
      guard steps >= 2 else { continue }
      var p = pixels + (u &* unit &+ (middle &- outward &* steps) &* beside)
      let move = outward &* beside
      var level = Int32(p.pointee)
      var (sum, moment) = (Int32(0), Int32(0))
      for k in 0..<(2 &* steps) {
        p += move
        let next = Int32(p.pointee)
        // Squared, so that noise beside the edge weighs little; only rises, so that inner edges do not count.
        let rise = max(0, next &- level)
        sum &+= rise &* rise
        moment &+= rise &* rise &* Int32(truncatingIfNeeded: 2 &* k &+ 1 &- 2 &* steps)
        level = next
      }
      guard sum > 4 else { continue }
      let off = Double(moment) / Double(2 * sum) * Double(outward)
      // Squares of grey levels along the slope; the root weighs like the contrast.
      points.add(along: Double(u) - au, off: Double(middle) + off - av, weight: Double(sum).squareRoot())
    }
    guard points.count * 2 >= places, points.count >= 3, let (m, k) = points.line() else { return nil }
    let scale = 1 / (1 + k * k).squareRoot() * (du > 0 ? 1 : -1)
    let direction = isFlat ? Vector2(scale, k * scale) : Vector2(k * scale, scale)
    let normal = Vector2(direction.y, -direction.x)
    let p = isFlat ? Vector2(au, av + m) : Vector2(av + m, au)
    return Line2(normal: normal, offset: normal.dot(p))
  }
}
