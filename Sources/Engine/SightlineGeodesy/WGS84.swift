/// The WGS84 ellipsoid.
///
/// Source: NGA.STND.0036, table 3.1 (a and 1/f define the rest).
public enum WGS84 {
  /// Semi-major axis, metres.
  public static let semiMajorAxis = 6_378_137.0
  /// Flattening.
  public static let flattening = 1 / 298.257223563
  /// Semi-minor axis, metres.
  public static let semiMinorAxis = semiMajorAxis * (1 - flattening)
  /// First eccentricity squared.
  public static let eccentricitySquared = flattening * (2 - flattening)
  /// Mean radius (2a + b) / 3, metres: the sphere of great-circle distances.
  public static let meanRadius = 6_371_008.7714
}
