/// A straight line in the plane: all points with `normal · point == offset`.
public struct Line2: Equatable, Sendable {
  /// Of unit length.
  public var normal: Vector2
  /// Distance of the line from the origin, along the normal.
  public var offset: Double

  /// A line from its normal, of unit length, and its offset.
  @inlinable public init(normal: Vector2, offset: Double) {
    self.normal = normal
    self.offset = offset
  }

  /// How far a point is off the line, positive on the side that the normal points to.
  @inlinable public func distance(to point: Vector2) -> Double { normal.dot(point) - offset }

  /// Where two lines meet.
  ///
  /// - Parameters:
  ///   - other: another line.
  ///   - leastSine: sine of the angle between them below which they run side by side.
  /// - Returns: `nil` when they run side by side.
  @inlinable public func crossing(_ other: Line2, leastSine: Double = 0.05) -> Vector2? {
    let determinant = normal.cross(other.normal)
    guard determinant > leastSine || determinant < -leastSine else { return nil }
    return Vector2(
      (offset * other.normal.y - other.offset * normal.y) / determinant,
      (normal.x * other.offset - other.normal.x * offset) / determinant
    )
  }
}

/// A straight line by total least squares: the least sum of squared distances across it.
///
/// Sums are gathered point by point, then ``solve()`` takes the eigenvectors of their 2 × 2 covariance in closed form. Points
/// are best given relative to one of them: sums of squares of large coordinates lose the small differences.
///
/// Source: Pearson 1901, doi:10.1080/14786440109462720.
public struct LineFit: Sendable {
  @usableFromInline var (w, x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
  /// Mean of the points, after ``solve()``.
  public private(set) var center = Vector2.zero
  /// Along the line, of unit length, after ``solve()``.
  public private(set) var direction = Vector2(1, 0)
  /// Mean squared distance of the points from the line, after ``solve()``.
  public private(set) var meanSquare = 0.0

  /// No points yet.
  @inlinable public init() {}

  /// Adds a point.
  @inline(__always)
  @inlinable public mutating func add(_ px: Double, _ py: Double) {
    w += 1
    x += px
    y += py
    xx += px * px
    xy += px * py
    yy += py * py
  }

  /// Finds the line through the points so far.
  public mutating func solve() {
    guard w > 0 else { return }
    center = Vector2(x / w, y / w)
    let (a, b, c) = (xx / w - center.x * center.x, xy / w - center.x * center.y, yy / w - center.y * center.y)
    // The larger eigenvalue of the 2 × 2 covariance, and its vector by the longer of two forms.
    let root = ((a - c) * (a - c) / 4 + b * b).squareRoot()
    let large = (a + c) / 2 + root
    meanSquare = max(0, (a + c) / 2 - root)
    let v = a > c ? Vector2(large - c, b) : Vector2(b, large - a)
    let length = v.length
    direction = length > 0 ? v * (1 / length) : Vector2(1, 0)
  }

  /// How far a point is off the line.
  @inline(__always)
  public func distance(_ px: Double, _ py: Double) -> Double {
    (px - center.x) * direction.y - (py - center.y) * direction.x
  }

  /// The line with its normal to the left of a walk along it, with y down: outwards for a walk clockwise around.
  ///
  /// - Parameters:
  ///   - origin: what the points were given relative to.
  ///   - towards: roughly the direction of the walk.
  /// - Returns: the line in the frame of `origin`.
  public func line(origin: Vector2, towards: Vector2) -> Line2 {
    let along = direction.dot(towards) < 0 ? direction * -1 : direction
    let normal = Vector2(along.y, -along.x)
    return Line2(normal: normal, offset: normal.dot(origin + center))
  }
}
