import SightlineMath

/// Bearing, pitch and roll of a device as the GDDF protocol states them.
struct Attitude: Equatable, Sendable {
  /// Clockwise from true north, −180 … 180.
  var bearingDegrees: Double
  /// Above the horizon, −90 … 90.
  var pitchDegrees: Double
  /// Counter-clockwise as the user sees the device turned from upright portrait, −180 … 180.
  var rollDegrees: Double

  /// The attitude of a device whose rear camera looks along −z.
  ///
  /// Within 2.6° of the vertical the bearing is that of the top edge, carried over the vertical without a jump, and the
  /// roll is part of it.
  init(eastNorthUpFromDevice: Quaternion) {
    let axes = Matrix3(eastNorthUpFromDevice)
    let (right, top, out) = (axes.transposed.row0, axes.transposed.row1, axes.transposed.row2)
    let isFlat = abs(out.z) > 0.999
    let bearing = isFlat ? -atan2(right.y, right.x) : atan2(-out.x, -out.y)
    bearingDegrees = Angle(radians: bearing).degrees
    pitchDegrees = Angle(radians: asin(-out.z)).degrees
    rollDegrees = isFlat ? 0 : Angle(radians: atan2(right.z, top.z)).degrees
  }
}
