/// A rotation as a unit quaternion.
///
/// Convention (also in CONVENTIONS.md): Hamilton product (i·j = k), stored w, x, y, z, unit length; `q` and `-q` are the
/// same rotation. A variable is named by both frames: `worldFromDevice * vectorInDevice` is the vector in the world,
/// and `worldFromDevice * deviceFromCamera` is `worldFromCamera`.
public struct Quaternion: Equatable, Sendable {
  /// Real part, the cosine of half the angle.
  public var w: Double
  /// First imaginary part.
  public var x: Double
  /// Second imaginary part.
  public var y: Double
  /// Third imaginary part.
  public var z: Double

  /// A quaternion from its parts; not normalised.
  @inlinable public init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// No rotation.
  public static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

  /// Rotation about a unit axis, right-handed.
  @inlinable public init(axis: Vector3, angle: Angle) {
    let s = sin(angle.radians / 2)
    self.init(w: cos(angle.radians / 2), x: axis.x * s, y: axis.y * s, z: axis.z * s)
  }

  /// Composition: `a * b` rotates by `b` first.
  @inlinable public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w
    )
  }

  /// The rotated vector.
  @inlinable public static func * (q: Quaternion, v: Vector3) -> Vector3 {
    // v + 2 r × (r × v + w v): 15 multiplications instead of two full products.
    let r = Vector3(q.x, q.y, q.z)
    let t = 2 * r.cross(v)
    return v + q.w * t + r.cross(t)
  }

  /// The inverse rotation of a unit quaternion.
  @inlinable public var inverse: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// Scalar product of the four parts: 1 or −1 for equal rotations.
  @inlinable public func dot(_ other: Quaternion) -> Double {
    w * other.w + x * other.x + y * other.y + z * other.z
  }

  /// The same rotation with unit length, or `nil` if the parts are all zero or not finite.
  @inlinable public var normalized: Quaternion? {
    let length = dot(self).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    return Quaternion(w: w / length, x: x / length, y: y / length, z: z / length)
  }

  /// The angle between two rotations, 0 … π, exact for small angles too.
  @inlinable public func angle(to other: Quaternion) -> Angle {
    let d = inverse * other
    let s = Vector3(d.x, d.y, d.z).length
    return Angle(radians: 2 * atan2(s, d.w < 0 ? -d.w : d.w))
  }
}

extension Quaternion {
  /// The rotation of an orthogonal matrix with determinant 1.
  ///
  /// Divides by the largest of the four parts, so that it is accurate for every rotation.
  /// Source: Shepperd 1978, doi:10.2514/3.55767b.
  public init(_ m: Matrix3) {
    let (a, b, c) = (m.row0.x, m.row1.y, m.row2.z)
    let q: Quaternion
    if a + b + c > max(a, max(b, c)) {
      let w = (1 + a + b + c).squareRoot() / 2
      let k = 1 / (4 * w)
      q = Quaternion(
        w: w,
        x: (m.row2.y - m.row1.z) * k,
        y: (m.row0.z - m.row2.x) * k,
        z: (m.row1.x - m.row0.y) * k
      )
    } else if a >= b && a >= c {
      let x = (1 + a - b - c).squareRoot() / 2
      let k = 1 / (4 * x)
      q = Quaternion(
        w: (m.row2.y - m.row1.z) * k,
        x: x,
        y: (m.row0.y + m.row1.x) * k,
        z: (m.row0.z + m.row2.x) * k
      )
    } else if b >= c {
      let y = (1 - a + b - c).squareRoot() / 2
      let k = 1 / (4 * y)
      q = Quaternion(
        w: (m.row0.z - m.row2.x) * k,
        x: (m.row0.y + m.row1.x) * k,
        y: y,
        z: (m.row1.z + m.row2.y) * k
      )
    } else {
      let z = (1 - a - b + c).squareRoot() / 2
      let k = 1 / (4 * z)
      q = Quaternion(
        w: (m.row1.x - m.row0.y) * k,
        x: (m.row0.z + m.row2.x) * k,
        y: (m.row1.z + m.row2.y) * k,
        z: z
      )
    }
    self = q.normalized ?? .identity
  }
}
