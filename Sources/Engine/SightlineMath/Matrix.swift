/// A 3 × 3 matrix, by rows; acts on column vectors from the left.
public struct Matrix3: Equatable, Sendable {
  /// First row.
  public var row0: Vector3
  /// Second row.
  public var row1: Vector3
  /// Third row.
  public var row2: Vector3

  /// A matrix from its rows.
  @inlinable public init(rows row0: Vector3, _ row1: Vector3, _ row2: Vector3) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
  }

  /// The identity.
  public static let identity = Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// The matrix of a unit quaternion: `Matrix3(q) * v == q * v`.
  @inlinable public init(_ q: Quaternion) {
    self.init(
      rows: Vector3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)),
      Vector3(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)),
      Vector3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
    )
  }

  /// The product with a column vector.
  @inlinable public static func * (m: Matrix3, v: Vector3) -> Vector3 {
    Vector3(m.row0.dot(v), m.row1.dot(v), m.row2.dot(v))
  }

  /// The matrix product.
  @inlinable public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let t = b.transposed
    return Matrix3(
      rows: Vector3(a.row0.dot(t.row0), a.row0.dot(t.row1), a.row0.dot(t.row2)),
      Vector3(a.row1.dot(t.row0), a.row1.dot(t.row1), a.row1.dot(t.row2)),
      Vector3(a.row2.dot(t.row0), a.row2.dot(t.row1), a.row2.dot(t.row2))
    )
  }

  /// Rows and columns exchanged; the inverse of a rotation.
  @inlinable public var transposed: Matrix3 {
    Matrix3(
      rows: Vector3(row0.x, row1.x, row2.x),
      Vector3(row0.y, row1.y, row2.y),
      Vector3(row0.z, row1.z, row2.z)
    )
  }
}
