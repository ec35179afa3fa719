// Distance and bearing on the sphere of the Earth's mean radius. Latitudes of the ellipsoid are taken as they are, so
// distances differ from those on the ellipsoid by up to 0.56 %, bearings by up to 0.2°.
import SightlineMath

/// Distance along the ground by the haversine formula, metres.
///
/// Altitudes are ignored. The haversines to the point and to its antipode are both summed from squares, so neither
/// short distances nor those near half the Earth's circumference lose digits.
/// Accuracy against the exact value on the sphere: 4e-9 m everywhere (`GreatCircleTests`).
public func greatCircleDistance(from: Geodetic, to: Geodetic) -> Double {
  let (sineHalf, cosineHalf) = sineCosine(degrees: (to.longitudeDegrees - from.longitudeDegrees) / 2)
  let north = sineCosine(degrees: (to.latitudeDegrees - from.latitudeDegrees) / 2).sine
  let mirrored = sineCosine(degrees: (to.latitudeDegrees + from.latitudeDegrees) / 2).sine
  let cosines = sineCosine(degrees: from.latitudeDegrees).cosine * sineCosine(degrees: to.latitudeDegrees).cosine
  let near = north * north + cosines * sineHalf * sineHalf
  let far = mirrored * mirrored + cosines * cosineHalf * cosineHalf
  return 2 * WGS84.meanRadius * atan2(near.squareRoot(), far.squareRoot())
}

/// Direction in which the great circle to a point starts: clockwise from true north, −π … π.
///
/// At a pole, the meridian of `from`'s longitude stands for north, as in ``EastNorthUpFrame``.
/// - Returns: `nil` when no direction exists: both are the same point or antipodes (within some 6 nm), or a coordinate
///   is not finite.
public func initialBearing(from: Geodetic, to: Geodetic) -> Angle? {
  let difference = to.longitudeDegrees - from.longitudeDegrees
  let sineHalf = sineCosine(degrees: difference / 2).sine
  let cosineTo = sineCosine(degrees: to.latitudeDegrees).cosine
  let east = sineCosine(degrees: difference).sine * cosineTo
  // The usual difference of products cancels for near points; this form does not.
  let north =
    sineCosine(degrees: to.latitudeDegrees - from.latitudeDegrees).sine
    + 2 * sineCosine(degrees: from.latitudeDegrees).sine * cosineTo * sineHalf * sineHalf
  guard hypot(east, north) > 1e-15 else { return nil }
  return Angle(radians: atan2(east, north))
}

/// Angle of the straight line to a point above the horizontal plane at `from`, −π/2 … π/2.
///
/// Both altitudes count, and so does the curvature of the Earth: a point at the same altitude lies below the plane.
/// - Returns: `nil` when both are the same point or a coordinate is not finite.
public func elevationAngle(from: Geodetic, to: Geodetic) -> Angle? {
  guard from != to else { return nil }
  let p = EastNorthUpFrame(origin: from).point(to)
  let along = hypot(p.x, p.y)
  // At a pole all longitudes are one point, which `!=` does not know.
  guard hypot(along, p.z) > 1e-8 else { return nil }
  return Angle(radians: atan2(p.z, along))
}
