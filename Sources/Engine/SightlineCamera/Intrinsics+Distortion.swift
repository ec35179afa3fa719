import SightlineMath

extension Intrinsics {
  /// The pixel of a point in the camera frame, seen through a lens that bends lines; `nil` beside or behind it.
  public func pixel(ofPointInCamera p: Vector3, through lens: LensDistortion) -> Vector2? {
    guard p.z > 0 else { return nil }
    let seen = lens.distorted(Vector2(p.x / p.z, p.y / p.z))
    return Vector2(centerX + focalX * seen.x, centerY + focalY * seen.y)
  }
}
