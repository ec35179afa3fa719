import SightlineMath

/// How something flat lies before the camera: `pointInCamera = cameraFromPlane * pointInPlane + translation`.
///
/// One frame for everything flat, be it a marker, a picture, a board or a wall: origin in its centre, x to its right, y to its
/// top, z out of it towards who looks at its front. The camera frame has x right, y down, z forward, so something upright
/// straight ahead is turned by half a turn about x: w, x, y, z = 0, 1, 0, 0.
///
/// Where a pose is held it is named by its frames: `cameraFromMarker`, `cameraFromPicture`, `cameraFromBoard`.
public struct PlanarPose: Equatable, Sendable {
  /// Rotation from the plane's frame to the camera frame, unit length, `w >= 0`.
  public var cameraFromPlane: Quaternion
  /// The plane's origin in the camera frame, metres (or whatever unit the size of the thing was given in).
  public var translation: Vector3
  /// Root mean square distance between the points as seen and as the pose puts them, pixels.
  public var reprojectionError: Double

  /// A pose from its parts.
  public init(cameraFromPlane: Quaternion, translation: Vector3, reprojectionError: Double) {
    self.cameraFromPlane = cameraFromPlane
    self.translation = translation
    self.reprojectionError = reprojectionError
  }

  /// A point of the plane's frame, in the camera's.
  @inlinable public func callAsFunction(_ pointInPlane: Vector3) -> Vector3 {
    cameraFromPlane * pointInPlane + translation
  }
}
