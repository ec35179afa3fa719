import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// What is really so at a moment.
public struct SimulatedTruth: Equatable, Sendable {
  /// A landmark in front of the camera.
  public struct Sight: Equatable, Sendable {
    /// Index in the scenery's landmarks.
    public var landmark: Int
    /// In the camera picture; inside it or not.
    public var pixel: Vector2
    /// On the display; inside it or not.
    public var displayPoint: Vector2
    /// Whether the point lies within the picture.
    public var isInPicture: Bool
    /// Whether a house stands before it.
    public var isHidden = false
    /// Metres.
    public var distance: Double
  }

  /// Seconds.
  public var time: Double
  /// Pose and motion.
  public var state: Trajectory.State
  /// The position on the Earth.
  public var position: Geodetic
  /// Landmarks before the camera.
  public var sights: [Sight]
}

/// How directions land on the display and in the camera picture.
struct ViewGeometry: Sendable {
  let projection: DisplayProjection
  let intrinsics: Intrinsics

  init(_ script: SimulationScript) {
    intrinsics =
      script.camera?.intrinsics
      // As a session sees it without a camera: a picture of the display's own shape.
      ?? Intrinsics(
        width: script.display.width,
        height: script.display.height,
        longSideFieldOfView: Angle(degrees: 65)
      )
    projection = DisplayProjection(display: script.display, picture: CameraPicture(intrinsics: intrinsics))
  }

  /// Rotates world vectors into the camera frame of the picture.
  func cameraFromWorld(_ state: Trajectory.State) -> Quaternion {
    projection.cameraFromDisplay * (state.worldFromDevice * projection.deviceFromDisplay).inverse
  }

  func sights(of landmarks: [Scenery.Landmark], _ state: Trajectory.State) -> [SimulatedTruth.Sight] {
    let turn = cameraFromWorld(state)
    var sights: [SimulatedTruth.Sight] = []
    for (index, landmark) in landmarks.enumerated() {
      let offset = landmark.point - state.position
      let inCamera = turn * offset
      guard inCamera.z > 0.01, let pixel = intrinsics.pixel(ofPointInCamera: inCamera) else { continue }
      let isInside =
        pixel.x >= -0.5 && pixel.y >= -0.5 && pixel.x <= intrinsics.width - 0.5 && pixel.y <= intrinsics.height - 0.5
      sights.append(
        SimulatedTruth.Sight(
          landmark: index,
          pixel: pixel,
          displayPoint: projection.placement.displayPoint(ofPixel: pixel),
          isInPicture: isInside,
          distance: offset.length
        )
      )
    }
    return sights
  }
}
