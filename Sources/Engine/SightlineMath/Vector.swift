/// A vector or point in the plane.
///
/// On screens and pictures x is right and y is down.
public struct Vector2: Equatable, Sendable {
  /// First component.
  public var x: Double
  /// Second component.
  public var y: Double

  /// A vector from its components.
  @inlinable public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// The null vector.
  public static let zero = Vector2(0, 0)

  /// Sum, component by component.
  @inlinable public static func + (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x + b.x, a.y + b.y) }
  /// Difference, component by component.
  @inlinable public static func - (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x - b.x, a.y - b.y) }
  /// Scaling.
  @inlinable public static func * (a: Vector2, s: Double) -> Vector2 { Vector2(a.x * s, a.y * s) }
  /// Scaling.
  @inlinable public static func * (s: Double, a: Vector2) -> Vector2 { Vector2(a.x * s, a.y * s) }

  /// Scalar product.
  @inlinable public func dot(_ other: Vector2) -> Double { x * other.x + y * other.y }
  /// The area of the parallelogram that two vectors span; positive when the other one is counter-clockwise of this one with
  /// y up, clockwise on a screen.
  @inlinable public func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }
  /// Euclidean length.
  @inlinable public var length: Double { dot(self).squareRoot() }

  /// The vector turned by an angle whose cosine and sine are given: counter-clockwise when y is up, clockwise on a
  /// screen, where y is down.
  @inlinable public func rotated(cosine: Double, sine: Double) -> Vector2 {
    Vector2(cosine * x - sine * y, sine * x + cosine * y)
  }
}

/// A vector or point in space; the frame is in the name of the variable (`pointInWorld`, `offsetInDevice`).
public struct Vector3: Equatable, Sendable {
  /// First component.
  public var x: Double
  /// Second component.
  public var y: Double
  /// Third component.
  public var z: Double

  /// A vector from its components.
  @inlinable public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The null vector.
  public static let zero = Vector3(0, 0, 0)

  /// Sum, component by component.
  @inlinable public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
  /// Difference, component by component.
  @inlinable public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
  /// The opposite vector.
  @inlinable public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }
  /// Scaling.
  @inlinable public static func * (a: Vector3, s: Double) -> Vector3 { Vector3(a.x * s, a.y * s, a.z * s) }
  /// Scaling.
  @inlinable public static func * (s: Double, a: Vector3) -> Vector3 { Vector3(a.x * s, a.y * s, a.z * s) }

  /// Scalar product.
  @inlinable public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }
  /// Vector product, right-handed.
  @inlinable public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  /// Euclidean length.
  @inlinable public var length: Double { dot(self).squareRoot() }
  /// The same direction with length 1, or `nil` for the null vector and for components that are not finite.
  @inlinable public var normalized: Vector3? {
    let length = self.length
    return length > 0 && length.isFinite ? self * (1 / length) : nil
  }
}
