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
  public var view: TrackedView? { view(late: 0) }

  /// The same as ``view``, but where the camera was when the line of a pixel was read.
  ///
  /// - Parameter pixel: of the last frame; of one outside the line nearest to it counts.
  /// - Returns: `nil` as long as that is not known.
  public func view(whenReading pixel: Vector2) -> TrackedView? {
    guard let camera = filter?.camera else { return nil }
    return view(late: camera.readout * clamp(camera.line(of: pixel), -0.5, 0.5))
  }

  /// Where the camera was so many seconds after the middle of the last frame's exposure.
  private func view(late: Double) -> TrackedView? {
    guard let filter else { return nil }
    var pose = pose(filter)
    let world = map.shownFromFilter
    if late != 0, let frame = filter.clones.last {
      pose.position = pose.position + frame.velocity * late
      // About the device's own axes, which the lens is near.
      let turn = Matrix3(Quaternion(rotationVector: frame.attitude * frame.rate * late))
      pose.worldFromCamera = turn * pose.worldFromCamera
    }
    return TrackedView(
      position: world * pose.position,
      worldFromCamera: Quaternion(world.rotation * pose.worldFromCamera),
      camera: camera
    )
  }

  /// Whether tracking began anew and has not recognised where it is: what was known before lies anywhere.
  public var isUntied: Bool { map.isUntied }

  /// The planes of the surroundings that were found so far, in the world of the estimates.
  public var planes: [TrackedPlane] {
    let world = map.shownFromFilter
    return surroundings.planes.map { plane in
      var plane = plane
      plane.center = world * plane.center
      plane.normal = world.turned(plane.normal)
      plane.axes = (world.turned(plane.axes.0), world.turned(plane.axes.1))
      return plane
    }
  }

  /// Points of the surroundings whose place is known, those that were seen last, in the world of the estimates, metres.
  public var points: [Vector3] {
    let world = map.shownFromFilter
    return surroundings.points.all.map { world * $0.position }
  }

  /// Where the points are that are followed, pixels of the last frame.
  public var followedPixels: [Vector2] {
    tracker.tracks.filter { $0.isFollowed }.map { Vector2(Double($0.x), Double($0.y)) }
  }

  /// What is seen at a pixel of the last frame.
  ///
  /// - Parameter pixel: of the last frame; the middle of the first one is 0, 0.
  /// - Returns: the surface; below the horizon, and not far, there is always one, if only a guess. `nil` before there is a pose.
  public func hitTest(_ pixel: Vector2) -> SurfaceHit? {
    guard let filter, pixel.x.isFinite, pixel.y.isFinite else { return nil }
    let pose = pose(filter)
    return hit(filter, from: pose.position, along: pose.worldFromCamera * filter.camera.ray(through: pixel))
  }

  /// What a ray through the world of the estimates meets.
  ///
  /// - Parameters:
  ///   - origin: where it begins, metres.
  ///   - direction: not zero.
  /// - Returns: as ``hitTest(_:)``.
  public func hitTest(from origin: Vector3, along direction: Vector3) -> SurfaceHit? {
    guard let filter, origin.isFinite, direction.isFinite else { return nil }
    let back = map.shownFromFilter.inverse
    return hit(filter, from: back * origin, along: back.turned(direction))
  }

  /// What a ray through the filter's world meets, in that of the estimates.
  private func hit(_ filter: VisualInertialFilter, from origin: Vector3, along direction: Vector3) -> SurfaceHit? {
    guard let direction = direction.normalized,
      var hit = surroundings.hit(from: origin, along: direction, scaleDeviation: min(1, scaleDeviation(filter)))
    else { return nil }
    let world = map.shownFromFilter
    (hit.point, hit.normal) = (world * hit.point, world.turned(hit.normal))
    return hit
  }
}
