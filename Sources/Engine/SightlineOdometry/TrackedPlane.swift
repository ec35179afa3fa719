import SightlineMath

/// What kind of surface something is.
public enum SurfaceKind: UInt8, Sendable {
  /// The lowest level surface, well below the lens.
  case floor = 0
  /// A level surface above it: a table, a shelf.
  case level = 1
  /// An upright one: a wall, a front.
  case upright = 2
  /// A level one seen from below.
  case ceiling = 3
  /// No plane: the points that were seen around there.
  case points = 4
  /// Nothing was seen there: where the floor is when the phone is held as most people do.
  case guessedFloor = 5
}

/// A flat surface of the surroundings, as far as it has been seen.
public struct TrackedPlane: Sendable {
  /// Number that no other plane of the tracker has; stays as the plane grows.
  public var identifier: UInt32
  /// What it is.
  public var kind: SurfaceKind
  /// Of length 1, towards where it was seen from: up, down or level.
  public var normal: Vector3
  /// A point of it, in the middle of what was seen, metres in the tracker's world.
  public var center: Vector3
  /// Directions within it, of length 1: of an upright plane the second is up.
  public var axes: (Vector3, Vector3)
  /// Outline of what was seen, convex, counter-clockwise: along ``axes`` from ``center``, metres.
  public var outline: [Vector2]
  /// Points it is made of.
  public var pointCount: Int
  /// Standard deviation of its place along the normal, metres, as far as its points tell.
  public var deviation: Double

  /// Whether a point of the plane lies within the outline or near to it.
  ///
  /// - Parameters:
  ///   - point: along ``axes`` from ``center``, metres.
  ///   - margin: outside of the outline, metres.
  /// - Returns: whether it does.
  public func contains(_ point: Vector2, margin: Double = 0) -> Bool {
    guard outline.count >= 3 else { return false }
    for i in outline.indices {
      let (a, b) = (outline[i], outline[(i + 1) % outline.count])
      let side = b - a
      let length = (side.x * side.x + side.y * side.y).squareRoot()
      guard length > 0 else { continue }
      if side.cross(point - a) < -margin * length { return false }
    }
    return true
  }

  /// The place of a point of the world along ``axes`` from ``center``.
  public func coordinates(of point: Vector3) -> Vector2 {
    let offset = point - center
    return Vector2(axes.0.dot(offset), axes.1.dot(offset))
  }

  /// Where a ray meets the plane.
  ///
  /// - Parameters:
  ///   - direction: of the ray.
  ///   - origin: where the ray begins, metres.
  /// - Returns: the multiple of its direction; `nil` beside the plane and behind it.
  func distance(along direction: Vector3, from origin: Vector3) -> Double? {
    let slope = normal.dot(direction)
    guard abs(slope) > 1e-3 else { return nil }
    let distance = normal.dot(center - origin) / slope
    return distance > 0.05 && distance < 100 ? distance : nil
  }
}

/// Where a ray from the lens meets something.
public struct SurfaceHit: Sendable {
  /// In the tracker's world, metres.
  public var point: Vector3
  /// Of the surface, of length 1, towards the lens.
  public var normal: Vector3
  /// What was hit.
  public var kind: SurfaceKind
  /// The plane that was hit; `nil` for a guess or single points.
  public var plane: UInt32?
  /// Standard deviation of the point along the ray, metres.
  public var deviation: Double
}
