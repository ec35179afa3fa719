/// What a height is measured from.
///
/// The numbers are those of recordings.
public enum HeightDatum: UInt8, CaseIterable, Sendable {
  /// The WGS84 ellipsoid: what satellites tell, and what the engine computes with.
  case ellipsoid = 0
  /// The device.
  case eye = 1
  /// Mean sea level: what maps and most documents tell. Up to 107 m from the ellipsoid, see ``Geoid``.
  case seaLevel = 2
  /// The ground at the place.
  case ground = 3

  /// Whether it is the same height for everybody, wherever the device is.
  public var isAbsolute: Bool { self == .ellipsoid || self == .seaLevel }
}

/// A height with what it is measured from.
public struct Height: Equatable, Sendable {
  /// Metres above ``datum``; not a number when unknown.
  public var metres: Double
  /// What ``metres`` are measured from.
  public var datum: HeightDatum

  /// A height.
  public init(_ metres: Double, above datum: HeightDatum) {
    self.metres = metres
    self.datum = datum
  }

  /// Metres above the ellipsoid at a place.
  ///
  /// - Parameters:
  ///   - latitudeDegrees: of the place.
  ///   - longitudeDegrees: of the place.
  ///   - geoid: without one sea level is taken to be the ellipsoid, which is up to 107 m off.
  /// - Returns: `nil` for a height that is not absolute.
  public func ellipsoidal(at latitudeDegrees: Double, _ longitudeDegrees: Double, _ geoid: inout Geoid?) -> Double? {
    switch datum {
    case .ellipsoid: metres
    case .seaLevel:
      metres + (geoid?.height(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees) ?? 0)
    case .ground, .eye: nil
    }
  }
}
