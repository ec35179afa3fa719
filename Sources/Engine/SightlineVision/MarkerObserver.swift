import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath

/// The stage of a ``VisionPipeline`` that follows markers.
///
/// A marker that is not seen in a frame is carried on by the gyroscope, turned about the lens with the pose it had, until it is
/// lost; without a gyroscope nothing is said of it until it is seen again.
struct MarkerObserver {
  let parameters: MarkerTracker.Parameters
  private var dictionaries: [MarkerDictionary] = []
  private var sides: [MarkerSide] = []
  private var usualSide = 0.0
  private var tracker: MarkerTracker?
  /// Poses of followed markers, for a marker a metre long: as seen last, turned with the camera since.
  private var poses: [(track: Int, pose: PlanarPose)] = []

  init(parameters: MarkerTracker.Parameters) { self.parameters = parameters }

  mutating func watch(_ dictionaries: [MarkerDictionary], _ sides: [MarkerSide], _ usualSide: Double) {
    if dictionaries != self.dictionaries {
      tracker = nil
      poses.removeAll()
    }
    self.dictionaries = dictionaries
    self.sides = sides.filter { $0.side > 0 && $0.side.isFinite }
    self.usualSide = usualSide > 0 && usualSide.isFinite ? usualSide : 0
  }

  /// Appends an observation of each marker that is seen or carried on.
  mutating func observe(
    _ frame: GrayView,
    _ time: Double,
    _ camera: FrameCamera?,
    turn: Quaternion?,
    worldFromCamera: Quaternion?,
    into observations: inout [Observation]
  ) {
    guard !dictionaries.isEmpty else { return }
    // A side of one: poses are scaled to each marker's own.
    var tracker = self.tracker ?? MarkerTracker(dictionaries: dictionaries, side: 1, parameters: parameters)
    // Out of `self` while it works, so that nothing is copied.
    self.tracker = nil
    tracker.intrinsics = camera?.intrinsics
    tracker.distortion = camera?.distortion ?? .none
    if camera == nil { poses.removeAll() }
    tracker.track(frame, time: time, worldFromCamera: worldFromCamera)
    for event in tracker.events { if case .lost(let track, _, _) = event { setPose(nil, of: track) } }
    for marker in tracker.markers { append(marker, time, turn, &observations) }
    self.tracker = tracker
  }

  private mutating func setPose(_ pose: PlanarPose?, of track: Int) {
    poses.removeAll { $0.track == track }
    if let pose { poses.append((track, pose)) }
  }

  private mutating func append(
    _ marker: TrackedMarker,
    _ time: Double,
    _ turn: Quaternion?,
    _ observations: inout [Observation]
  ) {
    var unit: PlanarPose?
    if marker.isSeen {
      unit = marker.poses?.best
    } else if let turn, let before = poses.first(where: { $0.track == marker.track }) {
      unit = before.pose.turned(by: turn.inverse)
    }
    setPose(unit, of: marker.track)
    guard marker.isSeen || unit != nil else { return }
    let anchor = AnchorID.marker(dictionary: marker.dictionary.rawValue, id: Int32(clamping: marker.id))
    let side = sides.last { $0.marker == anchor }?.side ?? usualSide
    var pose = side > 0 ? unit : nil
    if let unit = pose { pose?.translation = unit.translation * side }
    observations.append(
      Observation(
        anchor,
        state: marker.isSeen ? (marker.sightings == 1 ? .found : .tracked) : .carried,
        corners: marker.corners,
        pose: pose,
        cornerSigma: marker.cornerNoise,
        confidence: marker.confidence,
        width: side,
        track: Int32(clamping: marker.track),
        isResting: marker.isResting,
        unseen: marker.isSeen ? 0 : time - marker.lastSeen
      )
    )
  }
}

/// The size of a marker.
public struct MarkerSide: Equatable, Sendable {
  /// Which.
  public var marker: AnchorID
  /// Outer edge of its black border, metres.
  public var side: Double

  /// A marker of a size.
  public init(_ marker: AnchorID, side: Double) {
    self.marker = marker
    self.side = side
  }
}

extension PlanarPose {
  /// The pose of the same thing before the same camera once that has turned on the spot.
  ///
  /// - Parameter currentFromPrevious: from the camera's axes then to those now.
  /// - Returns: the pose, with the same error.
  func turned(by currentFromPrevious: Quaternion) -> PlanarPose {
    PlanarPose(
      cameraFromPlane: (currentFromPrevious * cameraFromPlane).normalized ?? cameraFromPlane,
      translation: currentFromPrevious * translation,
      reprojectionError: reprojectionError
    )
  }
}
