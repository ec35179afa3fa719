import SightlineMath

/// A map of the plane that keeps straight lines straight: what a camera does to the points of a flat thing.
///
/// `imageFromPlane(point)`; the matrix is known up to a factor.
public struct Homography: Equatable, Sendable {
  /// The map of homogeneous coordinates.
  public var matrix: Matrix3

  /// A map from its matrix.
  @inlinable public init(_ matrix: Matrix3) { self.matrix = matrix }

  /// The point that a point is taken to; `nil` on and beyond the line that goes to infinity.
  ///
  /// Only one side of that line can be seen by a camera: the one where the third homogeneous coordinate is positive, as it
  /// is at the origin for a map made by ``init(unitSquareTo:)``.
  @inlinable public func callAsFunction(_ point: Vector2) -> Vector2? {
    let h = matrix * Vector3(point.x, point.y, 1)
    guard h.z > 0 else { return nil }
    return Vector2(h.x / h.z, h.y / h.z)
  }

  /// The map that takes the corners of the unit square, (0, 0), (1, 0), (1, 1), (0, 1), to four points in this order.
  ///
  /// In closed form; exact but for rounding. `nil` when the points are not the corners of a convex quadrilateral: no camera
  /// sees a square like that.
  ///
  /// - Parameter corners: four points, all clockwise or all counter-clockwise.
  public init?(unitSquareTo corners: Quadrilateral) {
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    func turn(_ p: Vector2, _ q: Vector2, _ r: Vector2) -> Double {
      (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x)
    }
    let turns = (turn(a, b, c), turn(b, c, d), turn(c, d, a), turn(d, a, b))
    let isClockwise = turns.0 > 0 && turns.1 > 0 && turns.2 > 0 && turns.3 > 0
    let isCounterClockwise = turns.0 < 0 && turns.1 < 0 && turns.2 < 0 && turns.3 < 0
    guard isClockwise || isCounterClockwise else { return nil }

    // The vanishing points follow from c = (a + …): two linear equations in the last row's two entries.
    let u = b - c
    let v = d - c
    let s = a - b + c - d
    let determinant = u.x * v.y - v.x * u.y
    let g = (s.x * v.y - v.x * s.y) / determinant
    let h = (u.x * s.y - s.x * u.y) / determinant
    guard g.isFinite, h.isFinite else { return nil }
    matrix = Matrix3(
      rows: Vector3(b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x),
      Vector3(b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y),
      Vector3(g, h, 1)
    )
  }

  /// The same for corners in an array.
  public init?(unitSquareTo corners: InlineArray<4, Vector2>) { self.init(unitSquareTo: Quadrilateral(corners)) }

  /// The map back; `nil` when this one takes the plane to a line.
  public var inverse: Homography? {
    let (a, b, c) = (matrix.row0, matrix.row1, matrix.row2)
    // The columns of the inverse are the vector products of the rows, over the determinant.
    let x = b.cross(c)
    let determinant = a.dot(x)
    guard determinant != 0, determinant.isFinite else { return nil }
    let columns = Matrix3(rows: x, c.cross(a), a.cross(b)).transposed
    let k = 1 / determinant
    return Homography(Matrix3(rows: columns.row0 * k, columns.row1 * k, columns.row2 * k))
  }

  /// One map after another: `(a * b)(p) == a(b(p))`.
  @inlinable public static func * (a: Homography, b: Homography) -> Homography { Homography(a.matrix * b.matrix) }
}
