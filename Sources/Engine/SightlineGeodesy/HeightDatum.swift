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

  /// The same height above another datum.
  ///
  /// - Parameters:
  ///   - datum: of the answer.
  ///   - geoidHeight: metres from the ellipsoid up to sea level at the place, see ``Geoid``; `nil` when nobody knows.
  /// - Returns: `nil` where that takes what is not known: the geoid, the ground's or the device's height.
  public func height(above datum: HeightDatum, geoidHeight: Double?) -> Double? {
    switch (self.datum, datum) {
    case (.ellipsoid, .seaLevel): geoidHeight.map { metres - $0 }
    case (.seaLevel, .ellipsoid): geoidHeight.map { metres + $0 }
    case (let own, let wanted): own == wanted ? metres : nil
    }
  }
}
