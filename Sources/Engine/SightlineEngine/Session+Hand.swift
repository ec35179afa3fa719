import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

// For hosts whose phone is led by hand: what a finger's way across the display means, and where to begin.

extension Session {
  /// The turn that keeps what is under a finger under it.
  ///
  /// - Parameters:
  ///   - way: of the finger over the display, points.
  ///   - pitch: how far the phone looks up. Near the vertical the heading turns no faster than at 70°.
  /// - Returns: how far to turn right and up; `nil` while the display is not known.
  public func turn(draggedBy way: Vector2, pitch: Angle) -> (heading: Angle, pitch: Angle)? {
    guard let projection, way.x.isFinite, way.y.isFinite, pitch.radians.isFinite else { return nil }
    let heading = -way.x / projection.focalPoints.x / max(0.35, cos(pitch.radians))
    return (Angle(radians: heading), Angle(radians: way.y / projection.focalPoints.y))
  }

  /// The point of the display that lies beside its middle, along the horizon of the last frame.
  ///
  /// - Parameter angle: to the right, less than a right angle.
  /// - Returns: `nil` while the display is not known.
  public func point(besideMiddleBy angle: Angle) -> Vector2? {
    guard let projection, abs(angle.radians) < pi / 2 else { return nil }
    let across = projection.focalPoints.x * tan(angle.radians)
    let middle = Vector2(projection.display.width / 2, projection.display.height / 2)
    return middle + Vector2(across, 0).rotated(cosine: cos(frame.roll.radians), sine: sin(frame.roll.radians))
  }

  /// Where a phone begins that may stand anywhere: see ``SightlineScene/Scene/viewpoint(near:halfView:)``.
  ///
  /// - Parameter given: where the user wants to stand; `nil`: anywhere.
  /// - Returns: `nil` for a world without places, or while the display is not known.
  public func viewpoint(near given: Geodetic?) -> Viewpoint? {
    guard let projection else { return nil }
    return scene.viewpoint(near: given, halfView: Angle(radians: projection.horizontalFieldOfView.radians / 2))
  }
}
