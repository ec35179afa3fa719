import SightlineMath

/// The square map of the web: the Mercator projection of the sphere, from (0, 0) in the north-west to (1, 1) in the south-east.
///
/// A point's tile at zoom *z* is the whole part of both coordinates times 2ᶻ. Latitudes of the ellipsoid are taken for those
/// of the sphere, as every map of the web does.
///
/// Source: EPSG guidance note 7-2, method 1024 (Popular Visualisation Pseudo Mercator).
public enum WebMercator {
  /// Latitude of the map's northern edge, degrees.
  public static let highestLatitude = 85.051_128_779_806_59
  /// Length of the equator of that sphere, metres.
  private static let equator = 2 * pi * WGS84.semiMajorAxis

  /// Where a position is on the map; beyond its edges the edge.
  public static func point(_ position: Geodetic) -> Vector2 {
    let sine = sineCosine(degrees: clamp(position.latitudeDegrees, -highestLatitude, highestLatitude)).sine
    return Vector2(position.longitudeDegrees / 360 + 0.5, 0.5 - log((1 + sine) / (1 - sine)) / (4 * pi))
  }

  /// The position of a point of the map, on the ellipsoid.
  public static func geodetic(_ point: Vector2) -> Geodetic {
    let angle = 2 * atan(exp(pi * (1 - 2 * point.y))) - pi / 2
    return Geodetic(latitudeDegrees: Angle(radians: angle).degrees, longitudeDegrees: point.x * 360 - 180)
  }

  /// How many metres on the ground a side of the map stands for at a latitude, in every direction.
  public static func side(atLatitude degrees: Double) -> Double {
    equator * sineCosine(degrees: clamp(degrees, -highestLatitude, highestLatitude)).cosine
  }
}
