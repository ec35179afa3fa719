/// Sine and cosine of an angle in degrees, exact at every multiple of 90°.
///
/// The turn is reduced in degrees, where it loses nothing, and only the remainder in −45° … 45° is brought to radians.
/// So the cosine of 90° is 0 and not 6e-17, and a point at a pole lies on the Earth's axis.
///
/// - Parameter degrees: any angle.
/// - Returns: both functions; NaN when the angle is not finite.
@inlinable public func sineCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  if degrees >= -45, degrees <= 45 {
    let radians = degrees * (pi / 180)
    return (sin(radians), cos(radians))
  }
  let turn = fmod(degrees, 360)
  guard turn.isFinite else { return (.nan, .nan) }
  let quarters = (turn / 90).rounded()
  let radians = (turn - 90 * quarters) * (pi / 180)
  let s = sin(radians)
  let c = cos(radians)
  switch Int32(quarters) & 3 {
  case 0: return (s, c)
  // Adding 0 turns −0 into 0, so that no direction flips at an exact multiple.
  case 1: return (c, 0 - s)
  case 2: return (0 - s, 0 - c)
  default: return (0 - c, s)
  }
}
