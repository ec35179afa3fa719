/// An angle.
///
/// Radians inside; degrees only at the edges, by name.
public struct Angle: Equatable, Comparable, Sendable {
  /// The angle in radians.
  public var radians: Double

  /// An angle from radians.
  @inlinable public init(radians: Double) { self.radians = radians }
  /// An angle from degrees.
  @inlinable public init(degrees: Double) { self.radians = degrees * (pi / 180) }

  /// The angle in degrees.
  @inlinable public var degrees: Double { radians * (180 / pi) }

  /// No turn at all.
  public static let zero = Angle(radians: 0)

  /// The same direction in −π … π.
  @inlinable public var wrapped: Angle { Angle(radians: wrapToPi(radians)) }

  /// The smaller angle first.
  @inlinable public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
  /// Sum of two angles, not wrapped.
  @inlinable public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
  /// Difference of two angles, not wrapped.
  @inlinable public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
  /// The opposite turn.
  @inlinable public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
}
