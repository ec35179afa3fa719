import SightlineMath

/// A linear map followed by a shift: turning, scaling, mirroring, shearing and moving.
///
/// Named by both frames, as everywhere: `modelFromNode * pointInNode`.
public struct Affine: Equatable, Sendable {
  /// What is done to directions.
  public var linear: Matrix3
  /// Where the origin goes.
  public var translation: Vector3

  /// A map from its parts.
  public init(linear: Matrix3, translation: Vector3) {
    self.linear = linear
    self.translation = translation
  }

  /// Scaling, then turning, then moving, the order of glTF 2.0, section 5.25.
  public init(translation: Vector3, rotation: Quaternion, scale: Vector3) {
    let turn = Matrix3(rotation)
    func row(_ r: Vector3) -> Vector3 { Vector3(r.x * scale.x, r.y * scale.y, r.z * scale.z) }
    self.init(linear: Matrix3(rows: row(turn.row0), row(turn.row1), row(turn.row2)), translation: translation)
  }

  /// The map that changes nothing.
  public static let identity = Affine(linear: .identity, translation: .zero)

  /// The image of a point.
  @inlinable public static func * (a: Affine, point: Vector3) -> Vector3 { a.linear * point + a.translation }

  /// One map after the other: `a * b` does `b` first.
  public static func * (a: Affine, b: Affine) -> Affine {
    Affine(linear: a.linear * b.linear, translation: a * b.translation)
  }

  /// The volume of the image of a unit cube; negative when the map mirrors, so that front faces turn over.
  public var determinant: Double { linear.row0.dot(linear.row1.cross(linear.row2)) }
}

/// A box with edges along the axes.
public struct Box: Equatable, Sendable {
  /// The corner with the smallest coordinates.
  public var minimum: Vector3
  /// The corner with the largest coordinates.
  public var maximum: Vector3

  /// A box from two corners.
  public init(minimum: Vector3, maximum: Vector3) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The middle.
  public var center: Vector3 { (minimum + maximum) * 0.5 }
  /// Length of the edges.
  public var size: Vector3 { maximum - minimum }

  /// Grows to hold a point.
  mutating func include(_ p: Vector3) {
    minimum = Vector3(min(minimum.x, p.x), min(minimum.y, p.y), min(minimum.z, p.z))
    maximum = Vector3(max(maximum.x, p.x), max(maximum.y, p.y), max(maximum.z, p.z))
  }
}
