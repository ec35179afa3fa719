import SightlineMath

/// East-North-Up axes at a place: metres, up along the normal of the WGS84 ellipsoid.
///
/// At a pole, where east is undefined, the axes are those of the limit along the origin's longitude.
public struct EastNorthUpFrame: Equatable, Sendable {
  /// Where the axes stand.
  public let origin: Geodetic
  private let originInEarth: Vector3
  private let localFromEarth: Matrix3

  /// Axes at a place.
  public init(origin: Geodetic) {
    self.origin = origin
    originInEarth = Geocentric(origin).vector
    let φ = Angle(degrees: origin.latitudeDegrees).radians
    let λ = Angle(degrees: origin.longitudeDegrees).radians
    let (sinφ, cosφ, sinλ, cosλ) = (sin(φ), cos(φ), sin(λ), cos(λ))
    localFromEarth = Matrix3(
      rows: Vector3(-sinλ, cosλ, 0), Vector3(-sinφ * cosλ, -sinφ * sinλ, cosφ), Vector3(cosφ * cosλ, cosφ * sinλ, sinφ))
  }

  /// A position in these axes.
  public func point(_ geodetic: Geodetic) -> Vector3 {
    localFromEarth * (Geocentric(geodetic).vector - originInEarth)
  }

  /// The position of a point in these axes.
  public func geodetic(_ point: Vector3) -> Geodetic {
    let p = originInEarth + localFromEarth.transposed * point
    return Geocentric(x: p.x, y: p.y, z: p.z).geodetic
  }

  /// Turns vectors in the axes of `other` into these axes (`selfFromOther`).
  public func rotation(from other: EastNorthUpFrame) -> Quaternion {
    Quaternion(localFromEarth * other.localFromEarth.transposed)
  }
}
