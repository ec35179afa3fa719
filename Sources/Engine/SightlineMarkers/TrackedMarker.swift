import SightlineCamera
import SightlineMath

/// A marker that is followed from frame to frame.
public struct TrackedMarker: Sendable {
  /// A number that no other track of this tracker has, also when two markers show the same id.
  public let track: Int
  /// The dictionary it is from.
  public let dictionary: MarkerDictionary
  /// Its number there.
  public let id: Int
  /// Outer corners of the black border, pixels: the marker's own top left, then clockwise as seen; still at rest, no lag in motion.
  ///
  /// While the marker is not seen, where it is expected.
  public internal(set) var corners: Quadrilateral
  /// The corners as the detector gave them last.
  public internal(set) var measuredCorners: Quadrilateral
  /// Whether it was seen in the last frame.
  public internal(set) var isSeen: Bool
  /// Whether it stood still in the picture.
  public internal(set) var isResting: Bool
  /// Time when it was seen last, seconds.
  public internal(set) var lastSeen: Double
  /// Standard deviation of a corner's coordinate as it was measured so far, pixels.
  public var cornerNoise: Double { filter.noise }
  /// Confidence of the last detection.
  public internal(set) var confidence: Double
  /// Its poses, the believed one first; `nil` when the tracker knows neither camera nor length, or when no square looks so.
  public internal(set) var poses: SquarePoses?

  /// Frames it was seen in, this one included.
  public internal(set) var sightings = 1
  /// Whether it was reported as found.
  var isFound = false
  var filter: CornerFilter
  var choice = PoseAmbiguityResolver()
  /// Pixels a second, of each corner, apart from what the camera's turning does.
  var velocity = InlineArray<4, Vector2>(repeating: .zero)

  init(track: Int, _ marker: DetectedMarker, time: Double, noise: Double) {
    self.track = track
    dictionary = marker.dictionary
    id = marker.id
    corners = marker.corners
    measuredCorners = marker.corners
    isSeen = true
    isResting = false
    lastSeen = time
    confidence = marker.confidence
    filter = CornerFilter(marker.corners, noise: noise)
  }

  /// How far off the expected corners may be when it is seen again in the next frame, pixels.
  var uncertainty: Double {
    guard !isResting else { return 1 }
    var speed = 0.0
    for i in 0..<4 { speed = max(speed, velocity[i].length) }
    // A fifth of what it moves within a thirtieth of a second may be wrong.
    return 2 + speed / 150
  }

  /// Longest side, pixels.
  var side: Double {
    var longest = 0.0
    for i in 0..<4 { longest = max(longest, (corners[(i + 1) & 3] - corners[i]).length) }
    return longest
  }
}

/// What changed with a frame.
public enum MarkerTrackingEvent: Equatable, Sendable {
  /// A marker is there: seen in two frames, so at most two frames after it came into view and was found.
  case found(track: Int)
  /// A marker is gone: not seen for ``MarkerTracker/Parameters/lostAfter`` seconds.
  case lost(track: Int, dictionary: MarkerDictionary, id: Int)
}
