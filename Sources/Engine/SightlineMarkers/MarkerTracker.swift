import SightlineCamera
import SightlineImaging
import SightlineMath

/// Follows square markers through a video.
///
/// A marker that was seen is measured where it should be now, and where it is not there looked for in a part of the frame;
/// the whole frame is searched when nothing is followed, and now and then for newcomers. Corners are filtered so that they are still at rest and have no lag
/// in motion, and of the two mirrored poses the one is kept that fits over time.
///
/// ```swift
/// var tracker = MarkerTracker(dictionaries: [.apriltag36h11], side: 0.05, intrinsics: camera)
/// tracker.track(frame, time: seconds)
/// for marker in tracker.markers where marker.isSeen { draw(at: marker.poses?.best) }
/// ```
///
/// Delays: `found` comes with the second frame that shows the marker, which is the next one once it was detected; a
/// newcomer beside others that are followed is detected after at most ``Parameters/wholeFrameInterval`` frames. `lost` comes
/// ``Parameters/lostAfter`` seconds after the last sighting. A marker that returns before that keeps its track.
public struct MarkerTracker: Sendable {
  /// How markers are followed.
  public struct Parameters: Sendable {
    /// The detector's own.
    public var detector = MarkerDetector.Parameters()
    /// Frames from one search of the whole frame to the next while something is followed; default 15.
    ///
    /// A larger one takes less time and sees newcomers later.
    public var wholeFrameInterval = 15
    /// Seconds without a sighting until a marker is lost; default 0.25.
    ///
    /// A larger one bridges longer interruptions and shows for longer what is gone.
    public var lostAfter = 0.25
    /// Noise of a corner's coordinate that is assumed until it is measured, pixels; default 0.05.
    public var cornerNoise = 0.05

    /// The defaults.
    public init() {}
  }

  /// How markers are followed.
  public let parameters: Parameters
  /// The markers that are followed, in the order in which they were found.
  public private(set) var markers: [TrackedMarker] = []
  /// What changed with the last frame.
  public private(set) var events: [MarkerTrackingEvent] = []
  /// Whether the last frame was searched as a whole.
  public private(set) var hasSearchedWholeFrame = false

  /// Of the camera; without them there are no poses.
  ///
  /// May change from frame to frame, as a camera that focuses says: what is followed stays followed.
  public var intrinsics: Intrinsics?
  /// Of its lens; may change as ``intrinsics`` may.
  public var distortion: LensDistortion

  private var detector: MarkerDetector
  private let side: Double?
  private var found: [DetectedMarker] = []
  private var inWindow: [DetectedMarker] = []
  private var windows: [Window] = []
  /// Of each marker, whether it was seen where it was expected.
  private var isFollowed: [Bool] = []
  private var framesSinceWhole = 0
  private var size: (width: Int, height: Int)?
  private var lastTime: Double?
  private var lastOrientation: Quaternion?
  private var nextTrack = 0

  /// A tracker for the markers of some dictionaries.
  ///
  /// - Parameters:
  ///   - dictionaries: what is looked for.
  ///   - side: outer edge of the markers' black border, metres; without it there are no poses.
  ///   - intrinsics: of the camera; without them there are no poses.
  ///   - distortion: of its lens.
  ///   - parameters: how markers are followed.
  public init(
    dictionaries: [MarkerDictionary],
    side: Double? = nil,
    intrinsics: Intrinsics? = nil,
    distortion: LensDistortion = .none,
    parameters: Parameters = Parameters()
  ) {
    self.parameters = parameters
    self.side = side
    self.intrinsics = intrinsics
    self.distortion = distortion
    detector = MarkerDetector(dictionaries: dictionaries, parameters: parameters.detector)
  }

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels; may change in size, which forgets what was followed.
  ///   - time: of the frame, seconds, later than that of the frame before.
  ///   - worldFromCamera: orientation of the camera by its gyroscope, when it is known; its frame is the camera's (x right,
  ///     y down, z forward), and any world that does not turn will do. It moves the place where a marker is looked for, and
  ///     helps to choose between the two poses.
  public mutating func track(_ frame: GrayView, time: Double, worldFromCamera: Quaternion? = nil) {
    events.removeAll(keepingCapacity: true)
    if let size, size != (frame.width, frame.height) { reset() }
    size = (frame.width, frame.height)
    let elapsed = lastTime.map { max(0, time - $0) } ?? 0
    var turn: Quaternion?
    if let before = lastOrientation, let now = worldFromCamera { turn = now.inverse * before }
    predict(elapsed, turn)
    search(frame)
    assign(time, elapsed, turn)
    drop(time)
    lastTime = time
    lastOrientation = worldFromCamera
  }

  /// Forgets all markers, as after a cut; they are reported as lost.
  public mutating func reset() {
    events.removeAll(keepingCapacity: true)
    for marker in markers where marker.isFound {
      events.append(.lost(track: marker.track, dictionary: marker.dictionary, id: marker.id))
    }
    markers.removeAll()
    lastTime = nil
    lastOrientation = nil
  }

  /// Moves every marker to where it is expected.
  private mutating func predict(_ elapsed: Double, _ turn: Quaternion?) {
    for index in markers.indices {
      for i in 0..<4 {
        let turned = turn.flatMap { self.turned(markers[index].corners[i], by: $0) } ?? markers[index].corners[i]
        // After a tenth of a second without a sighting a speed says little.
        let isRecent = (lastTime ?? 0) - markers[index].lastSeen < 0.1
        markers[index].corners[i] = turned + markers[index].velocity[i] * (isRecent ? elapsed : 0)
      }
    }
  }

  /// Where a far point is seen after the camera turned.
  private func turned(_ pixel: Vector2, by currentFromPrevious: Quaternion) -> Vector2? {
    intrinsics.flatMap { $0.pixel(ofPointInCamera: currentFromPrevious * $0.rayInCamera(through: pixel)) }
  }

  /// Fills `found` from the windows around the expected places, or from the whole frame.
  private mutating func search(_ frame: GrayView) {
    found.removeAll(keepingCapacity: true)
    framesSinceWhole += 1
    hasSearchedWholeFrame = markers.isEmpty || framesSinceWhole >= parameters.wholeFrameInterval
    if !hasSearchedWholeFrame {
      follow(in: frame)
      windows.removeAll(keepingCapacity: true)
      for (marker, isHere) in zip(markers, isFollowed) where !isHere {
        if let window = Window(around: marker, frame) { windows.append(window) }
      }
      windows.mergeOverlaps()
      // Many large windows take longer than the frame.
      let area = windows.reduce(0) { $0 + $1.area }
      hasSearchedWholeFrame = area * 10 > frame.width * frame.height * 6
    }
    if hasSearchedWholeFrame {
      framesSinceWhole = 0
      setLens(.zero)
      detector.detect(in: frame, into: &found)
      return
    }
    let known = markers
    for window in windows {
      let part = frame.cropped(x: window.x, y: window.y, width: window.width, height: window.height)
      let offset = Vector2(Double(window.x), Double(window.y))
      setLens(offset)
      // Newcomers are left to the searches of the whole frame.
      let expected = known.filter { window.contains($0.corners.center) }
      detector.detect(in: part, into: &inWindow, expecting: expected)
      for var marker in inWindow {
        for i in 0..<4 { marker.corners[i] = marker.corners[i] + offset }
        // One that is followed may lie in the window of another.
        if !isFound(marker) { found.append(marker) }
      }
    }
  }

  /// Fills `found` with the markers that are seen where they are expected, without any search.
  private mutating func follow(in frame: GrayView) {
    setLens(.zero)
    isFollowed.removeAll(keepingCapacity: true)
    for marker in markers {
      var isHere = false
      if marker.isSeen,
        let seen = detector.follow(
          (marker.dictionary, marker.id),
          at: marker.corners,
          slack: marker.uncertainty,
          in: frame
        ),
        !isFound(seen)
      {
        found.append(seen)
        isHere = true
      }
      isFollowed.append(isHere)
    }
  }

  /// Whether this marker has been found in this frame already.
  private func isFound(_ marker: DetectedMarker) -> Bool {
    let side = (marker.corners[2] - marker.corners[0]).length / 1.5
    return found.contains {
      $0.id == marker.id && $0.dictionary == marker.dictionary
        && ($0.corners.center - marker.corners.center).length < side / 2
    }
  }

  /// Tells the detector the lens, in pixels of the part of the frame that begins at an offset.
  private mutating func setLens(_ offset: Vector2) {
    guard distortion != .none, var intrinsics else {
      detector.lens = nil
      return
    }
    intrinsics.centerX -= offset.x
    intrinsics.centerY -= offset.y
    detector.lens = MarkerLens(intrinsics: intrinsics, distortion: distortion)
  }

  /// Gives each detection to the track that expects it, nearest first, or makes a new one.
  private mutating func assign(_ time: Double, _ elapsed: Double, _ turn: Quaternion?) {
    for index in markers.indices { markers[index].isSeen = false }
    var pairs: [(distance: Double, track: Int, detection: Int)] = []
    for (detection, marker) in found.enumerated() {
      for (track, known) in markers.enumerated() where known.id == marker.id && known.dictionary == marker.dictionary {
        let distance = (known.corners.center - marker.corners.center).length / max(known.side, 8)
        pairs.append((distance, track, detection))
      }
    }
    pairs.sortStably { $0.distance < $1.distance }
    var isTaken = [Bool](repeating: false, count: found.count)
    for pair in pairs where !isTaken[pair.detection] && !markers[pair.track].isSeen {
      // Only in a search of the whole frame can a marker be far from where it was expected.
      guard pair.distance < 4 else { break }
      isTaken[pair.detection] = true
      // So far in one frame, nothing that was known of its pose need be so any more.
      if pair.distance > 1 { markers[pair.track].choice = PoseAmbiguityResolver() }
      update(pair.track, found[pair.detection], time, elapsed, turn)
    }
    for (detection, marker) in found.enumerated() where !isTaken[detection] {
      markers.append(TrackedMarker(track: nextTrack, marker, time: time, noise: parameters.cornerNoise))
      nextTrack += 1
      setPoses(markers.count - 1, marker.covariance, nil)
    }
  }

  private mutating func update(
    _ index: Int,
    _ seen: DetectedMarker,
    _ time: Double,
    _ elapsed: Double,
    _ turn: Quaternion?
  ) {
    let gap = time - markers[index].lastSeen
    for i in 0..<4 {
      let before = markers[index].measuredCorners[i]
      let turned = gap <= 1.5 * elapsed ? turn.flatMap { self.turned(before, by: $0) } ?? before : before
      markers[index].velocity[i] = gap > 0 && gap < 0.2 ? (seen.corners[i] - turned) * (1 / gap) : .zero
    }
    markers[index].measuredCorners = seen.corners
    markers[index].filter.take(seen.corners)
    markers[index].corners = markers[index].filter.corners
    markers[index].isResting = markers[index].filter.isResting
    if markers[index].isResting { markers[index].velocity = InlineArray(repeating: .zero) }
    markers[index].isSeen = true
    markers[index].lastSeen = time
    markers[index].confidence = seen.confidence
    markers[index].sightings += 1
    if !markers[index].isFound {
      markers[index].isFound = true
      events.append(.found(track: markers[index].track))
    }
    setPoses(index, seen.covariance, gap <= 1.5 * elapsed ? turn : nil)
  }

  private mutating func setPoses(_ index: Int, _ covariance: CornerCovariance?, _ turn: Quaternion?) {
    guard let side, let intrinsics else {
      markers[index].poses = nil
      return
    }
    let poses = SquarePoses(
      corners: markers[index].corners,
      side: side,
      intrinsics: intrinsics,
      distortion: distortion,
      covariance: covariance
    )
    let noise = markers[index].filter.noise
    markers[index].poses = poses.map { markers[index].choice.take($0, noise: noise, currentFromPrevious: turn) }
  }

  /// Removes what was not seen for too long; what was seen only once was perhaps nothing.
  private mutating func drop(_ time: Double) {
    var kept = 0
    for index in markers.indices {
      let marker = markers[index]
      let age = time - marker.lastSeen
      let isLost = marker.isFound ? age >= parameters.lostAfter : !marker.isSeen && age > 0
      if isLost {
        if marker.isFound { events.append(.lost(track: marker.track, dictionary: marker.dictionary, id: marker.id)) }
        continue
      }
      if kept != index { markers[kept] = marker }
      kept += 1
    }
    markers.removeLast(markers.count - kept)
  }
}
