import SightlineMath

/// What an observation is of: something that carries content or tells where the camera is, by the number it is known by.
///
/// The engine holds no text: pictures have the number the host gave them, codes the hash of what they say.
public enum AnchorID: Hashable, Sendable {
  /// A square marker: the number of its dictionary (`MarkerDictionary.rawValue`) and its id there.
  case marker(dictionary: UInt8, id: Int32)
  /// A flat picture, by the host's number.
  case picture(Int32)
  /// A QR code, by the hash of its content's bytes, see ``hash(ofCode:)``.
  case code(UInt64)
  /// A wall that markers and pictures hang on, by the host's number.
  case wall(Int32)
  /// Something set on floor, table or wall without any print, by the host's number: world tracking knows where it is.
  case placed(Int32)

  /// A number by which anchors are put in order: different for different ones.
  public var sortKey: (UInt8, UInt64) {
    switch self {
    case .marker(let dictionary, let id): (0, UInt64(dictionary) << 32 | UInt64(UInt32(bitPattern: id)))
    case .picture(let number): (1, UInt64(UInt32(bitPattern: number)))
    case .code(let hash): (2, hash)
    case .wall(let number): (3, UInt64(UInt32(bitPattern: number)))
    case .placed(let number): (4, UInt64(UInt32(bitPattern: number)))
    }
  }

  /// The 64-bit FNV-1a hash of a code's content.
  ///
  /// - Parameter bytes: of all its segments, in their order.
  /// - Returns: the hash.
  public static func hash(ofCode bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}

/// How it is known where an anchor is.
public enum ObservationState: UInt8, Sendable {
  /// Seen without use of earlier frames: for the first time, or again after it was lost.
  case found = 0
  /// Followed from earlier frames and seen in this one.
  case tracked = 1
  /// Not seen well enough in this frame: carried on by motion and gyroscope.
  case carried = 2
  /// Not seen for so long that nothing is known any more; said once.
  case lost = 3
}

/// Where something was in a frame of the camera.
public struct Observation: Sendable {
  /// What was seen.
  public var anchor: AnchorID
  /// How it is known.
  public var state: ObservationState
  /// Its outer corners, pixels of the frame: its own top left first, then clockwise as it is seen from the front.
  ///
  /// Of a marker those of its black border, of a code those of its modules, of a picture those of the whole print. Where it was
  /// last when it is lost.
  public var corners: Quadrilateral
  /// How it lies before the camera; `nil` when its size or the camera is not known, or when it is lost.
  public var pose: PlanarPose?
  /// Standard deviation of a corner's coordinate, pixels; 0 when it was not estimated.
  public var cornerSigma: Double
  /// How surely it is what it is said to be, 0 … 1.
  public var confidence: Double
  /// Width of what is between the corners, metres; 0 when it is not known, and the pose then is in widths.
  public var width: Double
  /// Tells apart two of one ``anchor`` that are seen at once; −1 where there is only one.
  public var track: Int32
  /// Whether it stood still in the picture.
  public var isResting: Bool
  /// Seconds since it was last seen; 0 when it is in this frame.
  public var unseen: Double

  /// An observation from its parts.
  public init(
    _ anchor: AnchorID,
    state: ObservationState,
    corners: Quadrilateral,
    pose: PlanarPose? = nil,
    cornerSigma: Double = 0,
    confidence: Double = 1,
    width: Double = 0,
    track: Int32 = -1,
    isResting: Bool = false,
    unseen: Double = 0
  ) {
    self.anchor = anchor
    self.state = state
    self.corners = corners
    self.pose = pose
    self.cornerSigma = cornerSigma
    self.confidence = confidence
    self.width = width
    self.track = track
    self.isResting = isResting
    self.unseen = unseen
  }
}

extension Observation {
  /// Whether all that it says are numbers of a size that something seen can have: up to 10⁹.
  public var isFinite: Bool {
    var sum = abs(cornerSigma) + abs(confidence) + abs(width) + abs(unseen)
    for k in 0..<4 { sum += abs(corners[k].x) + abs(corners[k].y) }
    if let pose {
      let (q, t) = (pose.cameraFromPlane, pose.translation)
      sum += abs(q.w) + abs(q.x) + abs(q.y) + abs(q.z)
      sum += abs(t.x) + abs(t.y) + abs(t.z) + abs(pose.reprojectionError)
    }
    return sum <= 1e9
  }
}

/// The camera that a frame was taken with.
public struct FrameCamera: Equatable, Sendable {
  /// Of the frame, pixels.
  public var intrinsics: Intrinsics
  /// Of its lens.
  public var distortion: LensDistortion

  /// A camera from its parts.
  public init(intrinsics: Intrinsics, distortion: LensDistortion = .none) {
    self.intrinsics = intrinsics
    self.distortion = distortion
  }
}

/// What was seen in one frame: what vision hands to a session.
public struct Observations: Sendable {
  /// When the frame was taken, seconds of the session's clock.
  public var time: Double
  /// The camera it was taken with.
  public var camera: FrameCamera
  /// What was seen in it, and what was lost with it.
  public var all: [Observation]

  /// Observations of a frame.
  public init(time: Double, camera: FrameCamera, _ all: [Observation] = []) {
    self.time = time
    self.camera = camera
    self.all = all
  }
}
