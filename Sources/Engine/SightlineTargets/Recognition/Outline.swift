import SightlineCamera
import SightlineImaging
import SightlineMath

/// Whether a frame has the edges of a target's print where a map puts them.
///
/// A covered poster agrees in part, and so does another poster with the same photograph; but only the first one also ends where it should.
/// Prints without a visible edge (a part of a larger sheet) have none, so that this speaks for a target and never against it.
enum Outline {
  /// Places along each side.
  private static let places = 20
  /// How far on either side of the outline is looked, frame pixels.
  private static let reach = 5
  /// Least difference of two pixels across an edge, grey levels.
  private static let least: Float = 6

  /// Places of the outline that lie in the frame, and those of them with the steepest change of all around on the outline itself.
  struct Result {
    var looked = 0
    var found = 0
    /// Share of all places that were found, 0 … 1; those outside the frame count as on another poster, neither for nor against.
    var share: Double { (Double(found) + 0.35 * Double(4 * places - looked)) / Double(4 * places) }
  }

  /// Looks along the outline of a reference of this size.
  static func look(_ frameFromReference: Homography, width: Double, height: Double, in frame: GrayView) -> Result {
    var result = Result()
    guard let corners = frameFromReference.corners(width: width, height: height) else { return result }
    let own: InlineArray<4, Vector2> = [
      Vector2(-0.5, -0.5), Vector2(width - 0.5, -0.5), Vector2(width - 0.5, height - 0.5), Vector2(-0.5, height - 0.5),
    ]
    for side in 0..<4 {
      let next = (side + 1) & 3
      let along = corners[next] - corners[side]
      guard along.length > 8 else { continue }
      let tangent = along * (1 / along.length)
      let normal = Vector2(tangent.y, -tangent.x)
      for i in 0..<places {
        let t = (Double(i) + 0.5) / Double(places)
        guard let p = frameFromReference(own[side] * (1 - t) + own[next] * t) else { continue }
        guard let isEdge = isEdge(at: p, tangent, normal, frame) else { continue }
        result.looked += 1
        if isEdge { result.found += 1 }
      }
    }
    return result
  }

  /// Whether the change across a line at a place is steepest on it; `nil` too near the frame's edge.
  private static func isEdge(at p: Vector2, _ tangent: Vector2, _ normal: Vector2, _ frame: GrayView) -> Bool? {
    let margin = Double(reach) + 5
    guard p.x > margin, p.y > margin, p.x < Double(frame.width) - 1 - margin, p.y < Double(frame.height) - 1 - margin
    else { return nil }
    var profile = InlineArray<13, Float>(repeating: 0)
    for k in -(reach + 1)...(reach + 1) {
      var sum: Float = 0
      for along in -1...1 {
        let q = p + normal * Double(k) + tangent * (2 * Double(along))
        let (x, y) = (Float(q.x), Float(q.y))
        let (ix, iy) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(ix), y - Float(iy))
        let (a, b) = (frame.row(iy), frame.row(iy + 1))
        let upper = Float(a[ix]) + fx * (Float(a[ix + 1]) - Float(a[ix]))
        let lower = Float(b[ix]) + fx * (Float(b[ix + 1]) - Float(b[ix]))
        sum += upper + fy * (lower - upper)
      }
      profile[k + reach + 1] = sum / 3
    }
    var (best, place) = (least, reach + 1)
    for k in -reach...reach {
      let change = abs(profile[k + reach + 2] - profile[k + reach])
      if change > best { (best, place) = (change, k) }
    }
    return place >= -1 && place <= 1
  }
}
