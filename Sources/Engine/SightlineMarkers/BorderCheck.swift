import SightlineImaging
import SightlineMath

extension GrayView {
  /// Whether most of what lies just inside the sides of a quadrilateral is darker than what lies just outside, and something
  /// light lies within.
  ///
  /// Looks at 48 pixels along the sides, nearer to them at the end of the picture, and at most 49 inside, which spares the measuring of most outlines that are no
  /// marker's: the usual one, in a picture of the world, is a dark patch.
  ///
  /// - Parameters:
  ///   - corners: clockwise; (0, 0) is the corner of the first pixel.
  ///   - cells: most cells along a side, with the border.
  ///   - contrast: least difference worth a search, grey levels.
  /// - Returns: `false` when it cannot be a marker's border.
  @_optimize(speed)
  func hasBorder(_ corners: Quadrilateral, cells: Int, contrast: Int) -> Bool {
    var (good, all, hidden) = (0, 0, 0)
    var (darkSum, lightSum) = (0, 0)
    for i in 0..<4 {
      let (a, b) = (corners[i], corners[(i + 1) & 3])
      let along = b - a
      let length = along.length
      let out = Vector2(along.y / length, -along.x / length)
      // The narrower of the cells at both ends of the side.
      let near = min((corners[(i + 3) & 3] - a).length, (corners[(i + 2) & 3] - b).length) / Double(cells)
      let depth = max(0.6, 0.5 * near)
      let beyond = max(0.9, min(0.5 * near, 3))
      var (here, seen) = (0, 0)
      for k in 0..<6 {
        let p = a + along * ((Double(k) + 0.5) / 6)
        let (inside, outside) = (p - out * depth, p + out * min(beyond, room(p, out) - 0.01))
        guard let dark = nearest(inside), let light = nearest(outside) else { continue }
        seen += 1
        guard 2 * (light - dark) >= contrast else { continue }
        here += 1
        darkSum += dark
        lightSum += light
      }
      // What lies beyond the frame is not known: that may be one side, of a marker at its end.
      if seen == 0 { hidden += 1 }
      guard here >= 1 || seen == 0 && hidden < 2 else { return false }
      good += here
      all += seen
    }
    return good >= 10 && 8 * good >= 5 * all && hasLight(in: corners, above: (3 * darkSum + lightSum) / (4 * good))
  }

  /// Whether a grid of places inside the border has one that is lighter than a level.
  private func hasLight(in corners: Quadrilateral, above level: Int) -> Bool {
    for row in 0..<7 {
      let v = 0.17 + 0.11 * Double(row)
      let left = corners[0] + (corners[3] - corners[0]) * v
      let along = corners[1] + (corners[2] - corners[1]) * v - left
      for column in 0..<7 {
        guard let here = nearest(left + along * (0.17 + 0.11 * Double(column))), here > level else { continue }
        return true
      }
    }
    return false
  }

  /// How far it is from a point in a direction to the end of the picture; here (0, 0) is the corner of the first pixel.
  @inline(__always)
  private func room(_ p: Vector2, _ out: Vector2) -> Double {
    let x = out.x > 0 ? (Double(width) - p.x) / out.x : out.x < 0 ? -p.x / out.x : Double.infinity
    let y = out.y > 0 ? (Double(height) - p.y) / out.y : out.y < 0 ? -p.y / out.y : Double.infinity
    let room = min(x, y)
    // Less is the edge itself.
    return room < 0.6 ? .infinity : room
  }

  /// The pixel that a point lies in; here (0, 0) is the corner of the first pixel.
  @inline(__always)
  private func nearest(_ p: Vector2) -> Int? {
    guard p.x >= 0, p.y >= 0, p.x < Double(width), p.y < Double(height) else { return nil }
    return Int(row(Int(p.y))[Int(p.x)])
  }
}
