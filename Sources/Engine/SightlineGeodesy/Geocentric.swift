// WGS84 ↔ Earth-centred, Earth-fixed. Goals, in this order: no position where it fails (poles, axis, centre, outer
// space), accuracy at the surface limited by Double alone, then speed.
//
// The inverse looks for the nearest point of the ellipse in the meridian plane. With a = 1, a point (p, z), z ≥ 0 has
// its foot point at (p / (u + e²), b² z / u) for the root u > 0 of
//     f(u) = (p / (u + e²))² + (b z / u)² − 1.
// f falls and is convex for u > 0, so there is one root, and Newton's method started to the left of it approaches it
// from the left without ever jumping past: no case distinction, no tolerance to tune. The usual iteration on the
// latitude divides by the cosine and converges slowly near the centre; the usual closed forms cancel there.
import SightlineMath

/// A position in the Earth-centred, Earth-fixed frame (ECEF): x to 0° N 0° E, y to 0° N 90° E, z to the north pole.
public struct Geocentric: Equatable, Sendable {
  /// Metres towards 0° N 0° E.
  public var x: Double
  /// Metres towards 0° N 90° E.
  public var y: Double
  /// Metres towards the north pole.
  public var z: Double

  /// A position from its coordinates, metres.
  @inlinable public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The position of a point given by latitude, longitude and altitude.
  ///
  /// Source: NGA.STND.0036, equation 4-14.
  public init(_ position: Geodetic) {
    let (sineLatitude, cosineLatitude) = sineCosine(degrees: position.latitudeDegrees)
    let (sineLongitude, cosineLongitude) = sineCosine(degrees: position.longitudeDegrees)
    let e2 = WGS84.eccentricitySquared
    // Radius of curvature across the meridian.
    let nu = WGS84.semiMajorAxis / (1 - e2 * sineLatitude * sineLatitude).squareRoot()
    let fromAxis = (nu + position.altitude) * cosineLatitude
    self.init(
      x: fromAxis * cosineLongitude,
      y: fromAxis * sineLongitude,
      z: (nu * (1 - e2) + position.altitude) * sineLatitude
    )
  }

  /// The coordinates as a vector, metres.
  @inlinable public var vector: Vector3 { Vector3(x, y, z) }

  /// Latitude, longitude and altitude of the position.
  ///
  /// On the Earth's axis the longitude is 0. Where several points of the ellipsoid are nearest (a disc of 43 km about
  /// the Earth's centre) the northern one counts. Coordinates that are not finite give NaN.
  ///
  /// Accuracy: there and back again within 5e-9 m from 5,000 km below to 1,000 km above the ellipsoid, within 3e-7 m as
  /// far as the Moon, and everywhere as close to the poles as can be told (`GeocentricTests`).
  public var geodetic: Geodetic {
    let a = WGS84.semiMajorAxis
    let e2 = WGS84.eccentricitySquared
    let b2 = 1 - e2
    let fromAxis = hypot(x, y)
    let p = fromAxis / a
    let q = (z < 0 ? -z : z) / a
    guard p.isFinite, q.isFinite else {
      return Geodetic(latitudeDegrees: .nan, longitudeDegrees: .nan, altitude: .nan)
    }
    let longitude = fromAxis > 0 ? atan2(y, x) * (180 / pi) : 0
    let latitude: Double
    let altitude: Double
    if q == 0, p < e2 {
      // Inside the disc: the root is u = 0, the foot point is not below the point but above it.
      let cosineParametric = p / e2
      let sineParametric = (1 - cosineParametric * cosineParametric).squareRoot()
      latitude = atan2(sineParametric, b2.squareRoot() * cosineParametric)
      altitude = -(b2 * (1 - p * p / e2)).squareRoot() * a
    } else {
      let u = Self.footPointRoot(p: p, q: q)
      let alongAxis = q / u
      let acrossAxis = p / (u + e2)
      latitude = atan2(alongAxis, acrossAxis)
      altitude = (u - b2) * (alongAxis * alongAxis + acrossAxis * acrossAxis).squareRoot() * a
    }
    return Geodetic(
      latitudeDegrees: (z < 0 ? -latitude : latitude) * (180 / pi),
      longitudeDegrees: longitude,
      altitude: altitude
    )
  }

  /// The root u of f, see the top of the file.
  private static func footPointRoot(p: Double, q: Double) -> Double {
    let e2 = WGS84.eccentricitySquared
    let bq = (1 - e2).squareRoot() * q
    // Three lower bounds of the root: each leaves a part of f away. The last is within e² of it outside the Earth.
    var u = max(bq, p - e2, (p * p + bq * bq).squareRoot() - e2)
    // Four steps near the surface; more only within some 100 km of the centre.
    for _ in 0..<60 {
      let s = p / (u + e2)
      let t = bq / u
      let excess = s * s + t * t - 1
      let step = excess / (2 * (s * s / (u + e2) + t * t / u))
      // Past the root by rounding, or too near for a step to count.
      guard step > 0 else { break }
      let next = u + step
      if next == u { break }
      u = next
    }
    return u
  }
}
