import SightlineMath

/// An area on the ground: a ring of corners.
///
/// Corners are joined by straight lines on a flat map about the position that is asked for; areas are small, and hold no pole.
public struct GroundArea: Equatable, Sendable {
  /// The corners in turn; the last is joined to the first.
  public var corners: [Geodetic]

  /// An area of its corners; fewer than three bound nothing.
  public init(_ corners: [Geodetic]) { self.corners = corners }

  /// Metres from a position to the border, negative inside; `nil` when there is none.
  public func distance(from position: Geodetic) -> Double? {
    GroundArea.distance(from: position, corners: corners.count) { corners[$0] }
  }

  /// Metres from a position to the border of so many corners, negative inside.
  ///
  /// Inside by the even-odd rule.
  /// - Parameters:
  ///   - position: where from.
  ///   - count: of corners.
  ///   - corner: each by its number.
  /// - Returns: `nil` when there is no border.
  @inlinable public static func distance(
    from position: Geodetic,
    corners count: Int,
    _ corner: (Int) -> Geodetic
  ) -> Double? {
    guard count >= 3 else { return nil }
    let metresPerDegree = WGS84.meanRadius * pi / 180
    let parallel = sineCosine(degrees: position.latitudeDegrees).cosine
    var isInside = false
    var nearest = Double.infinity
    var last = Vector2.zero
    // The last corner comes first, to be left.
    for k in -1..<count {
      let at = corner(k < 0 ? count - 1 : k)
      var longitude = at.longitudeDegrees - position.longitudeDegrees
      // The shorter way over the date line.
      if longitude > 180 { longitude -= 360 }
      if longitude < -180 { longitude += 360 }
      let north = (at.latitudeDegrees - position.latitudeDegrees) * metresPerDegree
      let point = Vector2(longitude * metresPerDegree * parallel, north)
      if k >= 0 {
        let edge = point - last
        // Whether the edge crosses the half line from the position to the east.
        if (point.y > 0) != (last.y > 0), last.x - edge.x * last.y / edge.y > 0 { isInside.toggle() }
        let length = edge.dot(edge)
        let share = length > 0 ? clamp(-last.dot(edge) / length, 0, 1) : 0
        nearest = min(nearest, (last + edge * share).length)
      }
      last = point
    }
    return isInside ? -nearest : nearest
  }
}
