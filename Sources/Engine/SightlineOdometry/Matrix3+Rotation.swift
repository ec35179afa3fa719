import SightlineMath

extension Matrix3 {
  /// The matrix [v]× with `skew(v) * x == v.cross(x)`.
  @inline(__always)
  static func skew(_ v: Vector3) -> Matrix3 {
    Matrix3(rows: Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0))
  }

  /// Sum, entry by entry.
  @inline(__always)
  static func + (a: Matrix3, b: Matrix3) -> Matrix3 { Matrix3(rows: a.row0 + b.row0, a.row1 + b.row1, a.row2 + b.row2) }

  /// Scaling.
  @inline(__always)
  static func * (m: Matrix3, s: Double) -> Matrix3 { Matrix3(rows: m.row0 * s, m.row1 * s, m.row2 * s) }

  /// The product of the transposed matrix with a column vector.
  @inline(__always)
  func transposedTimes(_ v: Vector3) -> Vector3 { row0 * v.x + row1 * v.y + row2 * v.z }

  /// A row.
  @inline(__always)
  subscript(row index: Int) -> Vector3 { index == 0 ? row0 : index == 1 ? row1 : row2 }

  /// The inverse, or `nil` when there is none.
  func inverted() -> Matrix3? {
    let (a, b, c) = (row1.cross(row2), row2.cross(row0), row0.cross(row1))
    let determinant = row0.dot(a)
    guard determinant != 0, (1 / determinant).isFinite else { return nil }
    return Matrix3(rows: a, b, c).transposed * (1 / determinant)
  }
}

extension Vector3 {
  /// A component.
  @inline(__always)
  subscript(index: Int) -> Double { index == 0 ? x : index == 1 ? y : z }

  /// Whether all components are numbers.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
