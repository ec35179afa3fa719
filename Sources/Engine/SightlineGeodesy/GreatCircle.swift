import SightlineMath

/// Distance along the ground on a sphere of the Earth's mean radius, metres; altitudes do not count.
///
/// Haversine with the half-angle taken by `atan2`, so that it is accurate for near points and for antipodal ones. The
/// sphere itself is within 0.56 % of the ellipsoid's geodesic.
public func greatCircleDistance(from a: Geodetic, to b: Geodetic) -> Double {
  let φ1 = Angle(degrees: a.latitudeDegrees).radians
  let φ2 = Angle(degrees: b.latitudeDegrees).radians
  let Δφ = φ2 - φ1
  let Δλ = Angle(degrees: b.longitudeDegrees - a.longitudeDegrees).radians
  let sφ = sin(Δφ / 2)
  let sλ = sin(Δλ / 2)
  let h = sφ * sφ + cos(φ1) * cos(φ2) * sλ * sλ
  // 1 − h computed without cancellation near the antipode: cos²(Δφ/2) − cosφ1 cosφ2 sin²(Δλ/2).
  let cφ = cos(Δφ / 2)
  let g = cφ * cφ - cos(φ1) * cos(φ2) * sλ * sλ
  return 2 * WGS84.meanRadius * atan2(max(h, 0).squareRoot(), max(g, 0).squareRoot())
}

/// Direction in which the great circle leaves, clockwise from true north, −π … π; `nil` when the two points have the same
/// place or are antipodes, where every direction is as good.
public func initialBearing(from a: Geodetic, to b: Geodetic) -> Angle? {
  let φ1 = Angle(degrees: a.latitudeDegrees).radians
  let φ2 = Angle(degrees: b.latitudeDegrees).radians
  let Δλ = Angle(degrees: b.longitudeDegrees - a.longitudeDegrees).radians
  let east = sin(Δλ) * cos(φ2)
  // cosφ1 sinφ2 − sinφ1 cosφ2 cosΔλ, written so that near points do not cancel.
  let s = sin(Δλ / 2)
  let north = sin(φ2 - φ1) + 2 * sin(φ1) * cos(φ2) * s * s
  guard hypot(east, north) > 1e-15 else { return nil }
  return Angle(radians: atan2(east, north))
}

/// Angle of the straight line to `b` above the horizontal plane at `a`, −π/2 … π/2; `nil` when both are the same point.
public func elevationAngle(from a: Geodetic, to b: Geodetic) -> Angle? {
  let p = EastNorthUpFrame(origin: a).point(b)
  guard p.length > 0 else { return nil }
  return Angle(radians: atan2(p.z, hypot(p.x, p.y)))
}
