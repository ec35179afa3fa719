import SightlineCamera
import SightlineImaging
import SightlineMath

/// Finds targets in the frames of a camera and follows them.
///
/// A target that is not followed is searched by its features (``TargetDetector``); one that is, is aligned to its
/// reference
/// in every frame, from where it is expected. Nothing is reported that the frame does not agree with.
///
/// ```swift
/// let tracker = TargetTracker(targets: [target])
/// tracker.process(frame, time: time, into: &sightings)
/// ```
///
/// Assumes flat, rigid targets. Each is aligned by a homography, which over a part of the frame is near to what a lens does that
/// bends lines; what is known of its ``distortion`` keeps that out of the shape, and out of the pose.
public final class TargetTracker {
  /// How targets are followed.
  public struct Parameters: Sendable {
    /// How long a target is carried on unseen, seconds, when only its motion is known; default 0.1.
    public var extrapolation = 0.1
    /// How long with a gyroscope, seconds; default 1.5.
    public var extrapolationWithGyroscope = 1.5
    /// How long by what was around it, seconds, while that is seen; default 10.
    public var extrapolationWithSurroundings = 10.0
    /// Whether the surroundings are kept for that; default true.
    public var usesSurroundings = true
    /// How long a target that was carried on and is seen again is shown on its way from where it was thought to be,
    /// seconds;
    /// default 0.25.
    public var settling = 0.25
    /// Most targets followed at once; default 8.
    public var limit = 8
    /// How much is done in one frame, hundreds of work units; default 85.
    ///
    /// A unit is a microsecond or so of the machine its ratios were fitted on, so that the default is some 9 ms there
    /// natively and three times that in WebAssembly.
    ///
    /// What following leaves of it is for finding what is not followed. What is left of a search waits for the next
    /// frame, so that no
    /// frame takes much longer than others. Less makes a target be found a frame or two later.
    public var searchWork = 85

    /// The defaults.
    public init() {}
  }

  let parameters: Parameters
  /// Of the frames: what a flat thing can look like through the lens, and what the gyroscope's turns do to its pixels.
  ///
  /// `nil` leaves the first free and assumes a field of view of 62° along the longer side for the second.
  public var intrinsics: Intrinsics?
  /// Of the frames' lens; says nothing without ``intrinsics``.
  ///
  /// Where a turn of the camera carries things it is left out: that place is only expected.
  public var distortion = LensDistortion.none
  var tracks: [Track]
  let frames = FramePyramid()
  let aligner = Aligner()
  private(set) var detector: TargetDetector
  let follower: Follower
  private var isWanted: [Bool]
  private var searches = 0
  /// Searches since the last one that found something.
  private var searchesInVain = 0
  /// What was found and is not followed yet.
  private var detections: [Detection] = []
  /// When the frame that is being searched was taken, and what the camera's turns since then do to its pixels.
  private(set) var searchedTime = 0.0
  private(set) var sinceSearched = Homography(.identity)
  private(set) var searchedFrames = 0
  /// Work that is worth beginning a search with, and that looking for something in this frame takes that was found,
  /// blurred or not: work units.
  private static let (leastWork, acquiring, acquiringBlurred) = (4500, 450, 1100)
  /// What was counted for the last frame, work units (``WorkCost``).
  private(set) var frameWork = 0
  let background = BackgroundPlane()
  /// Time of the frame in which the background was last looked for, whether it was found, and how surely.
  var backgroundTime = -Double.infinity
  var isBackgroundFound = false
  var backgroundSigma = 0.0
  private(set) var lastTime: Double?
  private var size: (width: Int, height: Int)?
  private var frameNumber = 0

  /// A tracker for some targets.
  ///
  /// - Parameters:
  ///   - targets: what is looked for, at most 65535.
  ///   - intrinsics: of the frames, focal lengths within some hundredths; `nil` when not known, see ``intrinsics``.
  ///   - parameters: how they are followed.
  public init(targets: [Target], intrinsics: Intrinsics? = nil, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    self.intrinsics = intrinsics
    let models = targets.map { TargetModel($0) }
    tracks = models.map { Track(model: $0) }
    isWanted = [Bool](repeating: true, count: targets.count)
    detector = TargetDetector(models: models, aligner: aligner)
    follower = Follower(frames: frames, aligner: aligner)
  }

  /// Looks for other targets from now on.
  ///
  /// One that was in the list before stays as it is: followed, when it is followed. Takes as long as a new tracker
  /// would.
  public func setTargets(_ targets: [Target]) {
    var former = tracks
    tracks = targets.map { target in
      guard let index = former.firstIndex(where: { $0.model.target == target }) else {
        return Track(model: TargetModel(target))
      }
      return former.remove(at: index)
    }
    isWanted = [Bool](repeating: true, count: targets.count)
    cancelSearch()
    detector = TargetDetector(models: tracks.map { $0.model }, aligner: aligner)
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels; may change in size, which forgets what was followed.
  ///   - time: seconds, later than the last frame's.
  ///   - turn: how the camera turned since the last frame, from the gyroscope: from the camera's axes now to those at
  ///     the last frame
  ///     (x right, y down, z forward). `nil` without a gyroscope.
  ///   - sightings: is filled with what is seen, in the order of the targets.
  public func process(
    _ frame: GrayView,
    time: Double,
    turn: Quaternion? = nil,
    into sightings: inout [TargetSighting]
  ) {
    sightings.removeAll(keepingCapacity: true)
    frames.set(frame)
    aligner.intrinsics = intrinsics
    aligner.distortion = distortion
    aligner.work = 0
    let step = turn.flatMap { cameraTurn($0, frame) }
    if let size, size != (frame.width, frame.height) {
      for i in tracks.indices { tracks[i].isFollowed = false }
      background.forget()
      cancelSearch()
    }
    size = (frame.width, frame.height)
    for i in tracks.indices where tracks[i].isFollowed { follow(i, time, step, &sightings) }
    frameWork = aligner.work
    // One that is only carried on is looked for as well. Beside others that are seen a search may wait for the next
    // frame.
    let isSearchDue =
      tracks.contains { $0.isFollowed && $0.seen < time } || isRoom && tracks.contains { !$0.isFollowed }
    let isAnySeen = tracks.contains { $0.isFollowed && $0.seen == time }
    frameNumber += 1
    if isSearching {
      if let step { sinceSearched = (step.shift * sinceSearched).scaled }
      searchedFrames += 1
    }
    if !isSearchDue {
      cancelSearch()
    } else if isSearching || !isAnySeen || frameNumber % 2 == 0 {
      search(frame, time, step, &sightings)
    }
    learnBackground(time)
    if background.time == time { frameWork += WorkCost.background }
    sightings.sortStably { $0.target < $1.target }
    lastTime = time
  }

  /// Looks for a target where it is expected; predicts it where it is not seen.
  private func follow(_ i: Int, _ time: Double, _ step: RotationPrior?, _ sightings: inout [TargetSighting]) {
    let track = tracks[i]
    let expected = track.expected(step)
    if let found = follower.follow(track, expected: expected, hasRotation: step != nil, time: time) {
      tracks[i].held(found, time: time, turn: step)
      sightings.append(sighting(i, .tracked, found, time))
    } else {
      predict(i, time, step, (track.motion * track.map).scaled, &sightings)
    }
  }

  /// The camera's turn since the last frame with what it does to pixels.
  private func cameraTurn(_ turn: Quaternion, _ frame: GrayView) -> RotationPrior? {
    let size = (Double(frame.width), Double(frame.height))
    let assumed = Intrinsics(width: size.0, height: size.1, longSideFieldOfView: Angle(degrees: 62))
    return RotationPrior(turn, intrinsics ?? assumed)
  }

  /// Whether one more may be followed.
  private var isRoom: Bool { tracks.count { $0.isFollowed } < parameters.limit }

  /// Whether an earlier frame is searched, or something that was found there is not followed yet.
  private var isSearching: Bool { detector.isSearching || !detections.isEmpty }

  private func cancelSearch() {
    detector.cancel()
    detections.removeAll(keepingCapacity: true)
  }

  /// Goes on searching the frame that was taken for it, or takes this one.
  private func search(_ frame: GrayView, _ time: Double, _ step: RotationPrior?, _ sightings: inout [TargetSighting]) {
    // Following took its time, and more where it was in vain.
    var budget = WorkBudget(100 * parameters.searchWork - aligner.work)
    if time - background.time >= BackgroundPlane.interval { budget.spend(WorkCost.background) }
    let all = budget.remaining
    if detections.isEmpty {
      // What little was left of the last search may leave time for the next one.
      var isTime = true
      if detector.isSearching {
        detector.advance(&budget, into: &detections)
        isTime = !detector.isSearching && detections.isEmpty && budget.affords(Self.leastWork)
      }
      if isTime {
        beginSearch(frame, time)
        detector.advance(&budget, into: &detections)
      }
    }
    var taken = 0
    while taken < detections.count {
      // What was found waits rather than that a frame takes too long.
      let cost = detections[taken].alignment.blurVector == nil ? Self.acquiring : Self.acquiringBlurred
      guard budget.affords(cost) || budget.remaining == all else { break }
      let before = aligner.work
      take(detections[taken], time, step, &sightings)
      budget.spend(aligner.work - before)
      taken += 1
    }
    detections.removeFirst(taken)
    frameWork += all - budget.remaining
  }

  /// Follows what was found from now on, if it is seen in this frame.
  private func take(
    _ detection: Detection,
    _ time: Double,
    _ step: RotationPrior?,
    _ sightings: inout [TargetSighting]
  ) {
    let i = detection.target
    guard tracks[i].isFollowed ? tracks[i].seen <= searchedTime : isRoom, let found = acquired(detection, time, step)
    else { return }
    tracks[i].begin(found, time: time)
    searchesInVain = 0
    sightings.removeAll { $0.target == i }
    sightings.append(sighting(i, .detected, found, time))
  }

  /// Where something is in this frame that was found in the frame that was searched.
  private func acquired(_ detection: Detection, _ time: Double, _ step: RotationPrior?) -> Alignment? {
    let (found, track) = (detection.alignment, tracks[detection.target])
    guard searchedTime != time else { return follower.realign(found, track, step, time: time) }
    return follower.acquire(found, track, shift: sinceSearched, frames: searchedFrames, time: searchedTime)
  }

  /// Takes this frame to be searched.
  private func beginSearch(_ frame: GrayView, _ time: Double) {
    searches += 1
    for i in tracks.indices { isWanted[i] = tracks[i].isFollowed ? tracks[i].seen < time : isRoom }
    var effort = SearchEffort()
    effort.exhaustive = detector.scale == .single || searches % 3 == 0 ? 1 : 0
    effort.turn = searches / 3
    // What was lost is looked for by its features first.
    effort.isByQuads = detector.scale.isHandful && searchesInVain % 2 == 1
    searchesInVain += 1
    if detector.scale.isMany { (effort.shortlist, effort.attempts) = (40, 4) }
    detector.begin(frame, isWanted: isWanted, effort: effort)
    (searchedTime, sinceSearched, searchedFrames) = (time, Homography(.identity), 0)
  }

  func sighting(_ i: Int, _ state: TargetState, _ found: Alignment, _ time: Double) -> TargetSighting {
    let shown = tracks[i].shown(found.frameFromReference, time: time, settling: parameters.settling)
    return TargetSighting(
      target: i,
      state: state,
      frameFromPicture: (found.frameFromReference * tracks[i].model.referenceFromPicture).scaled,
      shownFromPicture: (shown * tracks[i].model.referenceFromPicture).scaled,
      inlierCount: state == .extrapolated ? 0 : found.inlierCount,
      inlierRatio: state == .extrapolated ? 0 : found.inlierRatio,
      coverage: found.coverage,
      matchInliers: found.matchInliers,
      cornerSigma: found.cornerSigma
    )
  }
}
