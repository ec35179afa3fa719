import SightlineImaging
import SightlineMath

/// A straight line: all points with `normal · p == offset`, the normal of unit length and away from the marker.
struct Line {
  var normal: Vector2
  var offset: Double

  func crossing(_ other: Line) -> Vector2? {
    let determinant = normal.cross(other.normal)
    guard determinant > 0.05 || determinant < -0.05 else { return nil }
    return Vector2(
      (offset * other.normal.y - other.offset * normal.y) / determinant,
      (normal.x * other.offset - other.normal.x * offset) / determinant
    )
  }
}

extension GrayView {
  /// The corners of a dark quadrilateral to a small part of a pixel: where lines fitted to its four edges cross.
  ///
  /// A line fit uses the whole edge and is not drawn inwards by the rounding of a blurred corner, as a search for the corner
  /// itself is. Points that do not agree with the line of the others are dropped.
  ///
  /// - Parameters:
  ///   - start: corners to within two or three pixels.
  ///   - cells: an estimate of how many cells lie along a side, with the border: edges are searched no further than most of
  ///     a cell, so that the first inner edge stays outside.
  /// - Returns: `nil` when an edge is not from dark to light or the corners run away.
  func refinedCorners(_ start: Corners, cells: Int) -> Corners? {
    var corners = start
    for round in 0..<3 {
      var lines = [Line]()
      for i in 0..<4 {
        let a = corners[i]
        let b = corners[(i + 1) & 3]
        let neighbour = min((corners[(i + 3) & 3] - a).length, (corners[(i + 2) & 3] - b).length)
        let reach = max(1.25, min(round == 0 ? 4 : 3, 0.8 * neighbour / Double(cells)))
        guard let line = edge(from: a, to: b, reach: reach) else { return nil }
        lines.append(line)
      }
      for i in 0..<4 {
        guard let corner = lines[(i + 3) & 3].crossing(lines[i]) else { return nil }
        guard (corner - start[i]).length < 6 else { return nil }
        corners[i] = corner
      }
    }
    return corners
  }

  /// The line of an edge from dark (on the right when going from `a` to `b`, clockwise around the marker) to light.
  private func edge(from a: Vector2, to b: Vector2, reach: Double) -> Line? {
    let along = b - a
    let length = along.length
    guard length > 4 else { return nil }
    // Clockwise on a screen, so outwards is to the left: up for the upper side.
    let normal = Vector2(along.y / length, -along.x / length)
    let count = max(8, min(48, Int(length)))
    let steps = Int((4 * reach).rounded(.up))
    var points = [(along: Double, off: Double, weight: Double)]()
    for k in 0..<count {
      let t = 0.1 + 0.8 * (Double(k) + 0.5) / Double(count)
      let base = a + along * t
      var (sum, moment) = (0.0, 0.0)
      var last: Double?
      for step in -steps...steps {
        let off = Double(step) * 0.25 * 4 * reach / Double(steps)
        let p = base + normal * off
        guard let level = level(x: p.x, y: p.y) else {
          last = nil
          continue
        }
        if let last {
          let rise = level - last
          // Squared, so that noise beside the edge weighs little; only rises, so that inner edges do not count.
          if rise > 0 {
            sum += rise * rise
            moment += rise * rise * (off - 0.125 * 4 * reach / Double(steps))
          }
        }
        last = level
      }
      if sum > 0.5 { points.append((t * length, moment / sum, sum.squareRoot())) }
    }
    guard points.count * 2 >= count else { return nil }
    // Least squares of off = m + k · along, then again without what is far from it.
    var (m, k) = (0.0, 0.0)
    var limit = Double.infinity
    for _ in 0..<4 {
      var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for point in points where abs(point.off - m - k * point.along) <= limit {
        w += point.weight
        x += point.weight * point.along
        y += point.weight * point.off
        xx += point.weight * point.along * point.along
        xy += point.weight * point.along * point.off
      }
      let determinant = w * xx - x * x
      guard w > 0, determinant > 1e-9 * w * xx else { return nil }
      k = (w * xy - x * y) / determinant
      m = (y - k * x) / w
      var (spread, weight) = (0.0, 0.0)
      for point in points {
        let off = min(abs(point.off - m - k * point.along), 1.5)
        spread += point.weight * off * off
        weight += point.weight
      }
      limit = max(0.1, 2 * (spread / weight).squareRoot())
    }
    let p = a + normal * m
    let direction = along * (1 / length) + normal * k
    let scale = 1 / direction.length
    let n = Vector2(direction.y * scale, -direction.x * scale)
    return Line(normal: n, offset: n.dot(p))
  }
}
