import SightlineMath

/// A turn about the vertical and a shift: what two worlds can differ by whose upright is known.
public struct UprightTransform: Equatable, Sendable {
  /// Turn about the vertical, radians.
  public var yaw: Double
  /// Shift after the turn, metres.
  public var translation: Vector3

  /// A turn about the vertical and a shift.
  public init(yaw: Double, translation: Vector3) {
    self.yaw = yaw
    self.translation = translation
  }

  /// No turn and no shift.
  public static let identity = UprightTransform(yaw: 0, translation: .zero)

  /// The turn as a matrix.
  var rotation: Matrix3 {
    let (c, s) = (cos(yaw), sin(yaw))
    return Matrix3(rows: Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1))
  }

  /// A vector after the turn.
  func turned(_ v: Vector3) -> Vector3 {
    let (c, s) = (cos(yaw), sin(yaw))
    return Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
  }

  /// A point of the second world in the first.
  public static func * (a: UprightTransform, point: Vector3) -> Vector3 { a.turned(point) + a.translation }

  /// First the right one, then the left one.
  public static func * (a: UprightTransform, b: UprightTransform) -> UprightTransform {
    UprightTransform(yaw: wrapToPi(a.yaw + b.yaw), translation: a * b.translation)
  }

  /// The way back.
  public var inverse: UprightTransform {
    let back = UprightTransform(yaw: -yaw, translation: .zero)
    return UprightTransform(yaw: -yaw, translation: -back.turned(translation))
  }

  /// On the way to another: 0 is this one, 1 the other.
  func mixed(_ other: UprightTransform, _ share: Double) -> UprightTransform {
    UprightTransform(
      yaw: wrapToPi(yaw + share * wrapToPi(other.yaw - yaw)),
      translation: translation + (other.translation - translation) * share
    )
  }

  /// Whether all numbers are such.
  var isFinite: Bool { yaw.isFinite && translation.isFinite }
}
