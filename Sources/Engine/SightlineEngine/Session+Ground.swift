import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

extension Session {
  /// How the phone was held in the last frame, for a ground map; `nil` when that frame shows nothing, because orientation,
  /// position or display are not known yet.
  ///
  /// A held picture holds this pose too.
  ///
  /// - Parameter ground: the ground frame; the user stands in it where the frame's eye is, on the ground.
  /// - Returns: how the phone is held, its lens, and where the user stands.
  public func groundPose(in ground: EastNorthUpFrame) -> GroundView.Pose? {
    guard frame.isValid, let projection, let origin = scene.origin else { return nil }
    let world = EastNorthUpFrame(origin: origin)
    let eye = EastNorthUpFrame(origin: world.geodetic(frame.eyeInWorld))
    let user = ground.point(eye.origin)
    return GroundView.Pose(
      eastNorthUpFromDevice: eye.rotation(from: world) * frame.worldFromDevice,
      projection: projection,
      user: Vector2(user.x, user.y)
    )
  }
}
