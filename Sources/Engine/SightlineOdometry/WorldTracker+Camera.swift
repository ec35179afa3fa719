import SightlineCamera
import SightlineMath

extension WorldTracker {
  /// The camera as it is believed to be now, for pictures of the configuration's size.
  public var camera: FrameCamera {
    let camera = filter?.camera ?? CameraEstimate(configuration)
    return FrameCamera(
      intrinsics: Intrinsics(
        width: camera.width,
        height: camera.height,
        focalX: camera.focal,
        focalY: camera.focal,
        centerX: camera.center.x,
        centerY: camera.center.y
      ),
      distortion: LensDistortion(k1: camera.k1, k2: camera.k2)
    )
  }

  /// The camera of the last frame and where it was; `nil` as long as that is not known.
  public var view: TrackedView? {
    guard let filter else { return nil }
    let pose = pose(filter)
    return TrackedView(
      position: pose.position,
      worldFromCamera: Quaternion(pose.worldFromCamera),
      camera: camera
    )
  }

  /// What a ray through the tracker's world meets.
  ///
  /// - Parameters:
  ///   - origin: where it begins, metres.
  ///   - direction: of length 1.
  /// - Returns: as ``hitTest(_:)``.
  public func hitTest(from origin: Vector3, along direction: Vector3) -> SurfaceHit? {
    guard let filter, origin.isFinite, direction.isFinite else { return nil }
    return surroundings.hit(from: origin, along: direction, scaleDeviation: min(1, scaleDeviation(filter)))
  }
}
