import SightlineMath

/// A local frame on the Earth: x east, y north, z up along the ellipsoid's normal; metres, right-handed.
///
/// Up is the normal of the ellipsoid, as a plumb line shows it, and not the direction away from the Earth's centre: the
/// two differ by up to 0.19°, which is 3.3 m at a distance of 1 km. At a pole, the meridian of the origin's longitude
/// stands for north: the frame is the limit of those along that meridian.
///
/// ```swift
/// let frame = EastNorthUpFrame(origin: Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 10, altitude: 480))
/// let spire = frame.point(Geodetic(latitudeDegrees: 48.41, longitudeDegrees: 10, altitude: 640))
/// // spire.x is 0, spire.y about 1112 m, spire.z about 160 m less 0.1 m for the Earth's curvature
/// ```
public struct EastNorthUpFrame: Equatable, Sendable {
  /// Where the frame is at (0, 0, 0).
  public let origin: Geodetic
  /// The origin in the Earth-centred frame.
  public let originInEarth: Geocentric
  /// East in the Earth-centred frame.
  public let eastInEarth: Vector3
  /// North in the Earth-centred frame.
  public let northInEarth: Vector3
  /// Up in the Earth-centred frame.
  public let upInEarth: Vector3
  /// Turns vectors of this frame into the Earth-centred frame.
  public let earthFromSelf: Quaternion

  /// The frame at a position.
  public init(origin: Geodetic) {
    let (sineLatitude, cosineLatitude) = sineCosine(degrees: origin.latitudeDegrees)
    let (sineLongitude, cosineLongitude) = sineCosine(degrees: origin.longitudeDegrees)
    self.origin = origin
    originInEarth = Geocentric(origin)
    eastInEarth = Vector3(-sineLongitude, cosineLongitude, 0)
    northInEarth = Vector3(-sineLatitude * cosineLongitude, -sineLatitude * sineLongitude, cosineLatitude)
    upInEarth = Vector3(cosineLatitude * cosineLongitude, cosineLatitude * sineLongitude, sineLatitude)
    earthFromSelf =
      Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: origin.longitudeDegrees + 90))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90 - origin.latitudeDegrees))
  }

  /// A position in this frame, metres.
  public func point(_ position: Geodetic) -> Vector3 {
    point(Geocentric(position))
  }

  /// A position in this frame, metres.
  @inlinable public func point(_ position: Geocentric) -> Vector3 {
    let d = position.vector - originInEarth.vector
    return Vector3(eastInEarth.dot(d), northInEarth.dot(d), upInEarth.dot(d))
  }

  /// The position of a point of this frame in the Earth-centred frame.
  @inlinable public func geocentric(_ point: Vector3) -> Geocentric {
    let p = originInEarth.vector + point.x * eastInEarth + point.y * northInEarth + point.z * upInEarth
    return Geocentric(x: p.x, y: p.y, z: p.z)
  }

  /// The position of a point of this frame: the inverse of ``point(_:)-(Geodetic)``.
  public func geodetic(_ point: Vector3) -> Geodetic {
    geocentric(point).geodetic
  }

  /// The rotation `selfFromOther`: turns vectors of `other` into this frame.
  public func rotation(from other: EastNorthUpFrame) -> Quaternion {
    earthFromSelf.inverse * other.earthFromSelf
  }
}

extension Geodetic {
  /// Where a short way along the ground leads: straight on in the horizontal plane, and down to the ellipsoid.
  ///
  /// Over a kilometre it is right to 0.1 mm.
  /// - Parameters:
  ///   - heading: clockwise from true north.
  ///   - forward: metres towards it.
  ///   - right: metres to its right.
  /// - Returns: the end, at the same altitude.
  public func moved(heading: Angle, forward: Double, right: Double = 0) -> Geodetic {
    let (s, c) = (sin(heading.radians), cos(heading.radians))
    let ground = Geodetic(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
    let step = Vector3(forward * s + right * c, forward * c - right * s, 0)
    var end = EastNorthUpFrame(origin: ground).geodetic(step)
    end.altitude = altitude
    return end
  }
}
