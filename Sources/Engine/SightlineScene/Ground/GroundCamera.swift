import SightlineCamera
import SightlineMath

/// A camera over the ground: where it is, how it is turned, and through which lens it looks.
struct GroundCamera {
  /// Rows are the display's axes (x right, y up, z out of the screen) in east, north, up.
  var displayFromGround: Matrix3
  /// In the ground frame, metres.
  var eye: Vector3

  /// Where a point of the ground frame is in the display frame.
  func inDisplay(_ point: Vector3) -> Vector3 { displayFromGround * (point - eye) }

  /// Where a ray of the display frame meets the ground; `nil` when it does not, or beyond `far` metres.
  func ground(along ray: Vector3, far: Double) -> Vector2? {
    let direction = displayFromGround.transposed * ray
    guard direction.z < 0, eye.z > 0 else { return nil }
    let reach = -eye.z / direction.z
    guard reach <= far else { return nil }
    return Vector2(eye.x + reach * direction.x, eye.y + reach * direction.y)
  }
}

extension GroundView.Parameters {
  /// Height of the eye over the ground, by how far the view is tilted down.
  ///
  /// h = h_min + (h_max − h_min)·cos β with β the tilt from flat (0) to upright (90°), so that upright the ground is at
  /// the user's feet, and flat it is seen from the sky. Source: Giordano 2010, section 5.4.1, whose equation 5.7 has
  /// sin β; what its text and figures describe is the cosine. Above the horizon the height stays at its least.
  ///
  /// - Parameter down: vertical part of the line of sight, downwards positive: −sin of the pitch, which is cos β.
  /// - Returns: metres.
  func height(down: Double) -> Double {
    minimumHeight + (maximumHeight - minimumHeight) * max(0, down)
  }
}

/// Which way the user faces: the direction of the line of sight over the ground while the phone is upright, and of the
/// screen's top edge while it is flat, without a jump between; `nil` where there is none (a view along the vertical turned
/// so that both cancel).
func facing(forward: Vector3, top: Vector3) -> Angle? {
  // Tilted down by a phone without roll, both point the same way; the top edge weighs as much as the view looks down. A
  // view that looks up has its top edge pointing back, and the weight is negative there.
  let east = forward.x - forward.z * top.x
  let north = forward.y - forward.z * top.y
  guard hypot(east, north) > 1e-3 else { return nil }
  return Angle(radians: atan2(east, north))
}

/// The rotation part of the way from `a` to `b` (0 … 1), at constant speed the shorter way round.
func between(_ a: Quaternion, _ b: Quaternion, _ part: Double) -> Quaternion {
  let cosine = a.dot(b)
  let sign = cosine < 0 ? -1.0 : 1.0
  let angle = acos(abs(cosine))
  var (p, q) = (1 - part, part)
  if angle > 1e-6 {
    p = sin((1 - part) * angle) / sin(angle)
    q = sin(part * angle) / sin(angle)
  }
  q *= sign
  let mixed = Quaternion(
    w: p * a.w + q * b.w,
    x: p * a.x + q * b.x,
    y: p * a.y + q * b.y,
    z: p * a.z + q * b.z
  )
  return mixed.normalized ?? b
}
