import SightlineCamera
import SightlineMath

/// A world whose poses, surfaces and anchors the platform gives, as WebXR does, in place of own tracking.
///
/// The platform's world has x to the right, y up along gravity and z towards where one stood at first, metres, its origin on the floor
/// (`local-floor`); the camera's axes are x right, y up, z backward. Matrices are 4 × 4 by columns, as WebXR has them
/// (https://www.w3.org/TR/webxr/#xrrigidtransform-interface). What is given out has the frames of ``TrackedWorld``.
public final class PlatformTracker: TrackedWorld {
  /// Height up to which a level surface is the floor, metres: where the platform has not seen it yet, it guesses it.
  private static let floorHeight = 0.3
  /// Deviation of a pose that the platform is sure of, metres: it does not say any.
  private static let deviation = 0.01
  /// By which it grows while the place is only carried on, m/s: as fast as hands move.
  private static let drift = 0.3
  /// How far from length 1 and from right angles the axes of a pose may be.
  private static let skew = 1e-2
  /// Farthest place, metres.
  private static let farthest = 1e5
  /// Focal lengths of a camera, in sides of its picture.
  private static let focals = 0.1...20.0

  /// A place that is tied.
  private struct Tied {
    var handle: Int
    var pose: UprightTransform?
    /// Where its owner tied it, and how the platform's anchor for it was turned when it was first given.
    let first: UprightTransform
    var firstTurn: Quaternion?
  }

  /// The camera of the last frame and where it was.
  public private(set) var view: TrackedView?
  /// What the platform says that is met by the ray that it was asked for last; it answers for whatever pixel.
  public private(set) var hit: SurfaceHit?
  /// Whether any surface was met so far.
  public private(set) var hasSurface = false
  private var tied: [Tied] = []
  private var handles = 0
  /// When the place was last known for sure, seconds.
  private var sureTime = -Double.infinity
  private var last = (position: Vector3.zero, worldFromCamera: Quaternion.identity)

  /// Nothing yet.
  public init() {}

  // MARK: What the platform gives

  /// Takes where the camera was in a frame.
  ///
  /// - Parameters:
  ///   - worldFromViewer: 16 numbers; without all of them it is not known.
  ///   - clipFromViewer: the projection, 16 numbers.
  ///   - width: of the frame, pixels.
  ///   - height: as `width`.
  ///   - isEmulated: whether the platform only guesses the place, and knows the direction alone.
  ///   - time: of the frame, seconds.
  /// - Returns: what is known of the pose; nothing when the matrices are none of a pose and a camera.
  public func take(
    worldFromViewer: [Double],
    clipFromViewer: [Double],
    width: Double,
    height: Double,
    isEmulated: Bool,
    time: Double
  ) -> OdometryEstimate {
    hit = nil
    view = nil
    guard let pose = Self.pose(worldFromViewer),
      let camera = Self.camera(clipFromViewer, width: width, height: height)
    else { return estimate(.none, focal: 0, time: time, isLost: true) }
    // The platform's camera looks along −z, its y is up.
    let axes = pose.rotation * Matrix3(rows: Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1))
    last = (pose.position, Quaternion(axes).normalized ?? .identity)
    view = TrackedView(position: last.position, worldFromCamera: last.worldFromCamera, camera: camera)
    if !isEmulated { sureTime = time }
    return estimate(.metric, focal: camera.intrinsics.focalX, time: time, isLost: isEmulated)
  }

  private func estimate(_ state: OdometryState, focal: Double, time: Double, isLost: Bool) -> OdometryEstimate {
    let unsure = sureTime.isFinite ? max(0, time - sureTime) : 0
    let deviation = state == .none ? 1 : Self.deviation + (isLost ? Self.drift * unsure : 0)
    return OdometryEstimate(
      state: state,
      position: last.position,
      worldFromCamera: last.worldFromCamera,
      velocity: .zero,
      positionDeviation: deviation,
      // What the platform does not say is no number.
      yawDeviation: .nan,
      localDeviation: deviation,
      scaleDeviation: .nan,
      focal: focal,
      timeOffset: 0,
      rowTime: 0,
      focalDeviation: 0,
      trackCount: 0,
      isLost: isLost
    )
  }

  /// Takes what the ray meets that the platform was asked for, in the frame that was taken last.
  ///
  /// - Parameter worldFromHit: 16 numbers; its y axis is the surface's normal. What is no pose is no hit.
  public func takeHit(worldFromHit: [Double]) {
    hit = nil
    guard let view, let pose = Self.pose(worldFromHit) else { return }
    var normal = pose.rotation * Vector3(0, 1, 0)
    if normal.dot(view.position - pose.position) < 0 { normal = -normal }
    let kind: SurfaceKind =
      switch normal.z {
      case 0.9...: pose.position.z < Self.floorHeight ? .floor : .level
      case ...(-0.9): .ceiling
      case -0.4...0.4: .upright
      default: .points
      }
    hasSurface = true
    hit = SurfaceHit(point: pose.position, normal: normal, kind: kind, plane: nil, deviation: Self.deviation)
  }

  /// Takes where the platform's anchor for a tied place is now.
  ///
  /// - Parameters:
  ///   - handle: of the place.
  ///   - worldFromAnchor: 16 numbers; what is no pose is not known.
  public func takeAnchor(_ handle: Int, worldFromAnchor: [Double]) {
    guard let index = tied.firstIndex(where: { $0.handle == handle }) else { return }
    guard let pose = Self.pose(worldFromAnchor) else {
      tied[index].pose = nil
      return
    }
    let turn = Quaternion(pose.rotation)
    let first = tied[index].firstTurn ?? turn
    tied[index].firstTurn = first
    let turned = turn * first.inverse
    // What of the turn is about the vertical.
    let yaw = 2 * atan2(turned.z, turned.w)
    tied[index].pose = UprightTransform(yaw: wrapToPi(tied[index].first.yaw + yaw), translation: pose.position)
  }

  /// The platform's world is another from now on: where a place is that has no anchor is no longer known.
  public func takeReset() {
    hit = nil
    view = nil
    for index in tied.indices where tied[index].firstTurn == nil { tied[index].pose = nil }
  }

  // MARK: TrackedWorld

  /// Whether the platform is sure of the pose.
  public func isFollowed(_ estimate: OdometryEstimate) -> Bool { estimate.state == .metric && !estimate.isLost }

  /// What the platform's ray of this frame met, whatever the pixel.
  public func hitTest(_ pixel: Vector2) -> SurfaceHit? { hit }

  /// Only the platform's own rays meet something.
  public func hitTest(from origin: Vector3, along direction: Vector3) -> SurfaceHit? { nil }

  /// Ties a place; until the platform's anchor for it is given it stays where it is.
  public func attach(_ pose: UprightTransform) -> Int {
    handles += 1
    tied.append(Tied(handle: handles, pose: pose, first: pose, firstTurn: nil))
    return handles
  }

  /// Forgets a place that was tied.
  public func detach(_ handle: Int) { tied.removeAll { $0.handle == handle } }

  /// Where a place that was tied is now; `nil` when its anchor is lost, or the world is another.
  public func pose(of handle: Int) -> UprightTransform? { tied.first { $0.handle == handle }?.pose }

  // MARK: Frames

  /// The direction of a pixel's ray in the platform's camera axes (x right, y up, z backward), of length 1.
  public func ray(through pixel: Vector2) -> Vector3? {
    guard let lens = view?.camera.intrinsics, pixel.x.isFinite, pixel.y.isFinite else { return nil }
    return Vector3((pixel.x - lens.centerX) / lens.focalX, -(pixel.y - lens.centerY) / lens.focalY, -1).normalized
  }

  /// A pose of the platform's world, in z-up; `nil` for numbers that are none.
  private static func pose(_ m: [Double]) -> (rotation: Matrix3, position: Vector3)? {
    guard m.count == 16 else { return nil }
    let (x, y, z) = (Vector3(m[0], m[1], m[2]), Vector3(m[4], m[5], m[6]), Vector3(m[8], m[9], m[10]))
    let place = Vector3(m[12], m[13], m[14])
    // Also what is no number fails here.
    guard abs(x.length - 1) < skew, abs(y.length - 1) < skew, abs(x.dot(y)) < skew, (x.cross(y) - z).length < skew,
      place.length < farthest
    else { return nil }
    let upright = Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 0, -1), Vector3(0, 1, 0))
    return (upright * Matrix3(rows: x, y, z).transposed, upright * place)
  }

  /// The camera of a projection; `nil` for one that is none.
  ///
  /// With clip = P · point, z backward: x / w = P₀ x / −z − P₈, so that focal length and centre follow from P₀, P₈ and the frame's size.
  private static func camera(_ p: [Double], width: Double, height: Double) -> FrameCamera? {
    guard p.count == 16, width >= 16, height >= 16, width < 65_536, height < 65_536,
      focals.contains(p[0]), focals.contains(p[5]), abs(p[8]) < 1, abs(p[9]) < 1
    else { return nil }
    return FrameCamera(
      intrinsics: Intrinsics(
        width: width,
        height: height,
        focalX: p[0] * width / 2,
        focalY: p[5] * height / 2,
        centerX: (1 - p[8]) * width / 2 - 0.5,
        centerY: (1 + p[9]) * height / 2 - 0.5
      )
    )
  }
}
