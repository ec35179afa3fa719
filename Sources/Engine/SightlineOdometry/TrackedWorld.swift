import SightlineMath

/// What knows where the camera is and what surrounds it: own tracking (``WorldTracker``), or the platform's (``PlatformTracker``).
///
/// Its world has z up along gravity and metres; yaw and origin are its own.
public protocol TrackedWorld: AnyObject {
  /// The camera of the last frame and where it was; `nil` as long as that is not known.
  var view: TrackedView? { get }

  /// What is seen at a pixel of the last frame; `nil` where nothing is known.
  func hitTest(_ pixel: Vector2) -> SurfaceHit?

  /// What a ray through the world meets: origin in metres, direction not zero.
  func hitTest(from origin: Vector3, along direction: Vector3) -> SurfaceHit?

  /// Whether the surroundings themselves told a pose; otherwise it is only carried on.
  func isFollowed(_ estimate: OdometryEstimate) -> Bool

  /// Ties a place to what surrounds it.
  ///
  /// - Parameter pose: where it is, and which way it is turned about the vertical.
  /// - Returns: by which it can be asked for.
  func attach(_ pose: UprightTransform) -> Int

  /// Forgets a place that was tied.
  func detach(_ handle: Int)

  /// Where a place that was tied is now; `nil` as long as nobody knows.
  func pose(of handle: Int) -> UprightTransform?
}

extension WorldTracker: TrackedWorld {
  /// Followed points below which only the sensors carry the pose on.
  private static let fewestTracks = 8

  /// Whether enough points are followed, and the place is not lost.
  public func isFollowed(_ estimate: OdometryEstimate) -> Bool {
    estimate.trackCount >= Self.fewestTracks && !estimate.isLost
  }

  /// Ties a place to the nearest key frame: see ``WorldMap/attach(_:)``.
  public func attach(_ pose: UprightTransform) -> Int { map.attach(pose) }

  /// Forgets a place that was tied.
  public func detach(_ handle: Int) { map.detach(handle) }

  /// Where a place that was tied is now: see ``WorldMap/pose(of:)``.
  public func pose(of handle: Int) -> UprightTransform? { map.pose(of: handle) }
}
