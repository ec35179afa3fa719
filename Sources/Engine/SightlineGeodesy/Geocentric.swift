import SightlineMath

/// A position in Earth-centred, Earth-fixed axes: x to 0° N 0° E, y to 0° N 90° E, z to the north pole; metres.
public struct Geocentric: Equatable, Sendable {
  /// Metres.
  public var x: Double
  /// Metres.
  public var y: Double
  /// Metres.
  public var z: Double

  /// A position from its coordinates.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The position of geodetic coordinates.
  ///
  /// Source: NGA.STND.0036, equation 4-14.
  public init(_ geodetic: Geodetic) {
    let φ = Angle(degrees: geodetic.latitudeDegrees).radians
    let λ = Angle(degrees: geodetic.longitudeDegrees).radians
    let sinφ = sin(φ)
    let cosφ = cos(φ)
    let ν = WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * sinφ * sinφ).squareRoot()
    self.init(
      x: (ν + geodetic.altitude) * cosφ * cos(λ), y: (ν + geodetic.altitude) * cosφ * sin(λ),
      z: (ν * (1 - WGS84.eccentricitySquared) + geodetic.altitude) * sinφ)
  }

  /// The same as a vector.
  public var vector: Vector3 { Vector3(x, y, z) }

  /// Geodetic coordinates of the position; at the Earth's very centre, latitude 0.
  ///
  /// Bowring's parametric latitude, iterated three times: one step is exact to 1e-9° near the surface, three at any
  /// height that a satellite could have. The altitude is taken along the better conditioned of the two axes.
  /// Source: Bowring 1976, Survey Review 23(181), 323–327.
  public var geodetic: Geodetic {
    let a = WGS84.semiMajorAxis
    let b = WGS84.semiMinorAxis
    let e2 = WGS84.eccentricitySquared
    let ep2 = e2 / (1 - e2)
    let p = hypot(x, y)
    var β = atan2(a * z, b * p)
    var φ = 0.0
    for _ in 0..<3 {
      let s = sin(β)
      let c = cos(β)
      φ = atan2(z + ep2 * b * s * s * s, p - e2 * a * c * c * c)
      β = atan2(b * sin(φ), a * cos(φ))
    }
    let sinφ = sin(φ)
    let cosφ = cos(φ)
    // Distance from the ellipsoid along the normal, without dividing by a small sine or cosine.
    let altitude = p * cosφ + z * sinφ - a * (1 - e2 * sinφ * sinφ).squareRoot()
    return Geodetic(
      latitudeDegrees: Angle(radians: φ).degrees, longitudeDegrees: Angle(radians: atan2(y, x)).degrees,
      altitude: altitude)
  }
}
