/// Four corners in order around: what a camera sees of a rectangle.
///
/// In pictures y is down, and corners that go clockwise as seen have a positive ``signedArea``. For a marker or a picture
/// the first corner is its own top left.
public struct Quadrilateral: Equatable, Sendable {
  /// The corners.
  public var corners: InlineArray<4, Vector2>

  /// A quadrilateral from its corners.
  @inlinable public init(_ corners: InlineArray<4, Vector2>) { self.corners = corners }
  /// A quadrilateral from its corners, one after the other.
  @inlinable public init(_ a: Vector2, _ b: Vector2, _ c: Vector2, _ d: Vector2) { corners = [a, b, c, d] }
  /// All four corners in one point, to be set afterwards.
  @inlinable public init(repeating point: Vector2) { corners = InlineArray(repeating: point) }

  /// A corner.
  @inlinable public subscript(_ index: Int) -> Vector2 {
    @inline(__always) get { corners[index] }
    @inline(__always) set { corners[index] = newValue }
  }

  /// The corner after another one, in order around.
  @inlinable public func corner(after index: Int) -> Vector2 { corners[(index &+ 1) & 3] }
  /// From a corner to the next one.
  @inlinable public func side(_ index: Int) -> Vector2 { corners[(index &+ 1) & 3] - corners[index] }

  /// Mean of the corners.
  @inlinable public var center: Vector2 { (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25 }

  /// From the first corner to the third, and from the second to the fourth.
  @inlinable public var diagonals: (Vector2, Vector2) { (corners[2] - corners[0], corners[3] - corners[1]) }

  /// The area, positive when the corners go clockwise with y down.
  ///
  /// By the diagonals: exact also where the corners lie far from the origin.
  @inlinable public var signedArea: Double { diagonals.0.cross(diagonals.1) / 2 }
  /// The area.
  @inlinable public var area: Double { signedArea.magnitude }

  /// Length of all sides together.
  @inlinable public var perimeter: Double { side(0).length + side(1).length + side(2).length + side(3).length }
  /// Length of the shortest side.
  @inlinable public var shortestSide: Double {
    min(min(side(0).length, side(1).length), min(side(2).length, side(3).length))
  }
  /// Length of the longest side.
  @inlinable public var longestSide: Double {
    max(max(side(0).length, side(1).length), max(side(2).length, side(3).length))
  }

  /// About the side of a square seen at a slant, by the shorter of both diagonals.
  ///
  /// A diagonal is 1.41 sides of a square that faces the camera, and 1.5 in the mean of what leans.
  @inlinable public var smallerSideByDiagonals: Double {
    min(diagonals.0.length, diagonals.1.length) / 1.5
  }
  /// About the side of a square seen at a slant, by the longer of both diagonals.
  @inlinable public var largerSideByDiagonals: Double {
    max(diagonals.0.length, diagonals.1.length) / 1.5
  }

  /// Whether it is strictly convex and its corners go clockwise with y down.
  @inlinable public var isConvexClockwise: Bool {
    for i in 0..<4 where !(side(i).cross(side((i + 1) & 3)) > 0) { return false }
    return true
  }

  /// Whether all coordinates are finite.
  @inlinable public var isFinite: Bool {
    for i in 0..<4 where !(corners[i].x.isFinite && corners[i].y.isFinite) { return false }
    return true
  }

  /// The same corners, beginning with another one.
  @inlinable public func beginning(at first: Int) -> Quadrilateral {
    Quadrilateral(corners[first & 3], corners[(first + 1) & 3], corners[(first + 2) & 3], corners[(first + 3) & 3])
  }

  /// The same corners the other way around, beginning with the same one.
  @inlinable public var reversed: Quadrilateral {
    Quadrilateral(corners[0], corners[3], corners[2], corners[1])
  }

  /// The largest distance of a corner from the same one of another quadrilateral.
  @inlinable public func largestDistance(to other: Quadrilateral) -> Double {
    var largest = 0.0
    for i in 0..<4 { largest = max(largest, (corners[i] - other.corners[i]).length) }
    return largest
  }

  /// Each corner taken somewhere else.
  @inlinable public func map(_ transform: (Vector2) -> Vector2) -> Quadrilateral {
    Quadrilateral(transform(corners[0]), transform(corners[1]), transform(corners[2]), transform(corners[3]))
  }

  /// Whether all corners are equal.
  @inlinable public static func == (a: Quadrilateral, b: Quadrilateral) -> Bool {
    for i in 0..<4 where a.corners[i] != b.corners[i] { return false }
    return true
  }
}
