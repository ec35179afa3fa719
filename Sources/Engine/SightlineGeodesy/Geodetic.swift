/// A position on or above the WGS84 ellipsoid: degrees and metres.
public struct Geodetic: Equatable, Sendable {
  /// Degrees, −90 … 90, north positive.
  public var latitudeDegrees: Double
  /// Degrees, −180 … 180, east positive.
  public var longitudeDegrees: Double
  /// Metres above the ellipsoid.
  public var altitude: Double

  /// A position.
  @inlinable public init(latitudeDegrees: Double, longitudeDegrees: Double, altitude: Double = 0) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    self.altitude = altitude
  }
}
