import SightlineMath

/// The attitude that two directions give: up from the accelerometer, north from the magnetometer's horizontal part.
///
/// Source: Black 1964, AIAA Journal 2(7), "A passive system for determining the attitude of a satellite" (TRIAD), with gravity
/// as the trusted direction: trouble with the field cannot tilt the horizon.
public enum TwoVectorAttitude {
  /// Rotates device vectors into East-North-Up (magnetic north); `nil` when the two directions are parallel or not there.
  public static func eastNorthUpFromDevice(specificForce: Vector3, magneticField: Vector3) -> Quaternion? {
    guard let up = specificForce.normalized, let east = magneticField.cross(up).normalized else { return nil }
    let north = up.cross(east)
    return Quaternion(Matrix3(rows: east, north, up))
  }
}
