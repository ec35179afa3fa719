import SightlineImaging
import SightlineMath

/// Four corners, clockwise as seen.
typealias Corners = InlineArray<4, Vector2>

extension Contour {
  /// The quadrilateral that this outer border is the outline of, or `nil` when it is none.
  ///
  /// Takes the four pixels that span the largest area instead of cutting at a tolerance: noise roughens sides, it does not
  /// move the farthest pixels much.
  ///
  /// - Parameter minimumSide: no shorter side is accepted, pixels.
  /// - Returns: corners half a pixel outwards of the pixels' centres, to within a pixel or two.
  func quad(minimumSide: Double) -> Corners? {
    guard points.count >= 8 else { return nil }
    var center = Vector2.zero
    for point in points { center = center + Vector2(point) }
    center = center * (1 / Double(points.count))
    let a = farthest { (Vector2($0) - center).dot(Vector2($0) - center) }
    let origin = Vector2(a)
    let c = farthest { (Vector2($0) - origin).dot(Vector2($0) - origin) }
    let across = Vector2(c) - origin
    let b = farthest { across.cross(Vector2($0) - origin) }
    let d = farthest { -across.cross(Vector2($0) - origin) }
    // Order a, d, c, b is clockwise on a screen, where y is down: d lies to the left of a → c.
    var quad: Corners = [origin, Vector2(d), Vector2(c), Vector2(b)]
    // Each corner moves to the pixel farthest from the diagonal of its neighbours until nothing changes.
    for _ in 0..<3 {
      var hasMoved = false
      for i in 0..<4 {
        let from = quad[(i + 3) & 3]
        let diagonal = quad[(i + 1) & 3] - from
        let best = Vector2(farthest { -diagonal.cross(Vector2($0) - from) })
        if best != quad[i] {
          quad[i] = best
          hasMoved = true
        }
      }
      if !hasMoved { break }
    }
    return accepted(quad, minimumSide: minimumSide)
  }

  private func accepted(_ quad: Corners, minimumSide: Double) -> Corners? {
    var area = 0.0
    var perimeter = 0.0
    for i in 0..<4 {
      let side = quad[(i + 1) & 3] - quad[i]
      guard side.length + 1 >= minimumSide else { return nil }
      // Convex, and no corner so flat that it is part of a side.
      let next = quad[(i + 2) & 3] - quad[(i + 1) & 3]
      guard side.cross(next) > 0.1 * side.length * next.length else { return nil }
      area += quad[i].cross(quad[(i + 1) & 3]) / 2
      perimeter += side.length
    }
    var covered = 0.0
    for i in points.indices { covered -= Vector2(points[i]).cross(Vector2(points[(i + 1) % points.count])) / 2 }
    guard covered > 0.75 * area - perimeter, covered < 1.15 * area + perimeter else { return nil }
    guard Double(points.count) < 2.2 * perimeter else { return nil }
    // The border runs through the centres of the outermost pixels; the edge is half a pixel further out.
    let center = (quad[0] + quad[1] + quad[2] + quad[3]) * 0.25
    var result = quad
    for i in 0..<4 {
      let out = quad[i] - center
      result[i] = quad[i] + out * (0.7 / max(1, out.length))
    }
    return result
  }

  private func farthest(_ measure: (PixelPosition) -> Double) -> PixelPosition {
    var best = points[0]
    var largest = -Double.infinity
    for point in points {
      let value = measure(point)
      if value > largest {
        largest = value
        best = point
      }
    }
    return best
  }
}

extension Vector2 {
  init(_ pixel: PixelPosition) { self.init(Double(pixel.x), Double(pixel.y)) }

  /// The area that two vectors span; positive when the other one is clockwise on a screen.
  func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }
}
