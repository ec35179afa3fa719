import SightlineCamera
import SightlineImaging
import SightlineMath

/// Finds targets in the frames of a camera and follows them.
///
/// A target that is not followed is searched by its features (``TargetDetector``); one that is, is aligned to its reference
/// in every frame, from where it is expected. Nothing is reported that the frame does not agree with.
///
/// ```swift
/// let tracker = TargetTracker(targets: [target])
/// tracker.process(frame, time: time, into: &sightings)
/// ```
///
/// Assumes flat, rigid targets seen through a lens without much distortion.
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
    /// How long a target that was carried on and is seen again is shown on its way from where it was thought to be, seconds;
    /// default 0.25.
    public var settling = 0.25
    /// Most targets followed at once; default 8.
    public var limit = 8
    /// How much is done in one frame to find what is not followed, tenths of a millisecond of native code, about; default 120.
    ///
    /// What is left of a search waits for the next frame, so that no frame takes much longer than others. Less makes a
    /// target be found a frame or two later.
    public var searchWork = 120

    /// The defaults.
    public init() {}
  }

  let parameters: Parameters
  /// Of the frames, used only together with a gyroscope.
  ///
  /// `nil` assumes a field of view of 62° along the longer side.
  public var intrinsics: Intrinsics?
  var tracks: [Track]
  let frames = FramePyramid()
  let aligner = Aligner()
  private(set) var detector: TargetDetector
  private var isWanted: [Bool]
  private var searches = 0
  private var detections: [TargetDetector.Detection] = []
  /// When the frame that is being searched was taken, and what the camera's turns since then do to its pixels.
  private var searchedTime = 0.0
  private var sinceSearched = Homography(.identity)
  private var searchedFrames = 0
  /// Least work that is worth beginning a search with.
  private static let leastWork = 65
  let surroundings = Surroundings()
  /// Time of the frame in which the surroundings were last looked for, whether they were found, and how surely.
  var surroundingsTime = -Double.infinity
  var areSurroundingsFound = false
  var surroundingsSigma = 0.0
  private(set) var lastTime: Double?
  private var size: (width: Int, height: Int)?
  private var frameNumber = 0

  /// A tracker for some targets.
  ///
  /// - Parameters:
  ///   - targets: what is looked for, at most 65535.
  ///   - intrinsics: of the frames; used only together with a gyroscope. `nil` assumes a field of view of 62° along the
  ///     longer side.
  ///   - parameters: how they are followed.
  public init(targets: [Target], intrinsics: Intrinsics? = nil, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    self.intrinsics = intrinsics
    let models = targets.map { TargetModel($0) }
    tracks = models.map { Track(model: $0) }
    isWanted = [Bool](repeating: true, count: targets.count)
    detector = TargetDetector(models: models, aligner: aligner)
  }

  /// Looks for other targets from now on.
  ///
  /// One that was in the list before stays as it is: followed, when it is followed. Takes as long as a new tracker would.
  public func setTargets(_ targets: [Target]) {
    var former = tracks
    tracks = targets.map { target in
      guard let index = former.firstIndex(where: { $0.model.target == target }) else {
        return Track(model: TargetModel(target))
      }
      return former.remove(at: index)
    }
    isWanted = [Bool](repeating: true, count: targets.count)
    detector = TargetDetector(models: tracks.map { $0.model }, aligner: aligner)
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels; may change in size, which forgets what was followed.
  ///   - time: seconds, later than the last frame's.
  ///   - turn: how the camera turned since the last frame, from the gyroscope: from the camera's axes now to those at the last frame
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
    let step = turn.flatMap { cameraTurn($0, frame) }
    if let size, size != (frame.width, frame.height) {
      for i in tracks.indices { tracks[i].isFollowed = false }
      surroundings.forget()
      detector.cancel()
    }
    size = (frame.width, frame.height)
    for i in tracks.indices where tracks[i].isFollowed { follow(i, time, step, &sightings) }
    // One that is only carried on is looked for as well. Beside others that are seen a search may wait for the next frame.
    let isSearchDue =
      tracks.contains { $0.isFollowed && $0.seen < time } || isRoom && tracks.contains { !$0.isFollowed }
    let isAnySeen = tracks.contains { $0.isFollowed && $0.seen == time }
    frameNumber += 1
    if detector.isSearching {
      if let step { sinceSearched = (step.shift * sinceSearched).scaled }
      searchedFrames += 1
    }
    if !isSearchDue {
      detector.cancel()
    } else if detector.isSearching || !isAnySeen || frameNumber % 2 == 0 {
      search(frame, time, &sightings)
    }
    learnSurroundings(time)
    sightings.sort { $0.target < $1.target }
    lastTime = time
  }

  /// The camera's turn since the last frame with what it does to pixels.
  private func cameraTurn(_ turn: Quaternion, _ frame: GrayView) -> CameraTurn? {
    let size = (Double(frame.width), Double(frame.height))
    let assumed = Intrinsics(width: size.0, height: size.1, longSideFieldOfView: Angle(degrees: 62))
    return CameraTurn(turn, intrinsics ?? assumed)
  }

  /// Whether one more may be followed.
  private var isRoom: Bool { tracks.count { $0.isFollowed } < parameters.limit }

  /// Goes on searching the frame that was taken for it, or takes this one.
  private func search(_ frame: GrayView, _ time: Double, _ sightings: inout [TargetSighting]) {
    var work = parameters.searchWork
    // Following took its time, and more where it was in vain.
    for track in tracks where track.isFollowed { work -= track.seen == time ? 15 : 40 }
    detections.removeAll(keepingCapacity: true)
    // What little was left of the last search may leave time for the next one.
    var isTime = true
    if detector.isSearching {
      work = detector.advance(work, into: &detections)
      isTime = !detector.isSearching && detections.isEmpty && work >= Self.leastWork
    }
    if isTime {
      beginSearch(frame, time)
      _ = detector.advance(work, into: &detections)
    }
    for detection in detections {
      let i = detection.target
      if tracks[i].isFollowed ? tracks[i].seen > searchedTime : !isRoom { continue }
      guard let found = searchedTime == time ? detection.alignment : brought(i, detection.alignment) else { continue }
      tracks[i].begin(found, time: time)
      sightings.removeAll { $0.target == i }
      sightings.append(sighting(i, .detected, found, time))
    }
  }

  /// Takes this frame to be searched.
  private func beginSearch(_ frame: GrayView, _ time: Double) {
    searches += 1
    for i in tracks.indices { isWanted[i] = tracks[i].isFollowed ? tracks[i].seen < time : isRoom }
    var effort = TargetDetector.Effort()
    effort.thorough = !detector.hasSeveral || searches % 3 == 0 ? 1 : 0
    effort.turn = searches / 3
    if detector.hasMany { (effort.shortlist, effort.attempts) = (40, 4) }
    detector.begin(frame, isWanted: isWanted, effort: effort)
    (searchedTime, sinceSearched, searchedFrames) = (time, Homography(.identity), 0)
  }

  /// Looks in this frame for what was found in an earlier one.
  private func brought(_ i: Int, _ earlier: Alignment) -> Alignment? {
    var track = tracks[i]
    track.begin(earlier, time: searchedTime)
    let expected = (sinceSearched * track.map).scaled
    var best = align(track, expected)
    if (best?.agreement ?? 0) < 0.85, let way = track.way {
      for sign in [1.0, -1.0] {
        let way = way * (sign * Double(searchedFrames) / track.shutter)
        let shift = Homography(Matrix3(rows: Vector3(1, 0, way.x), Vector3(0, 1, way.y), Vector3(0, 0, 1)))
        guard let found = align(track, (shift * expected).scaled) else { continue }
        if found.agreement > best?.agreement ?? 0 { best = found }
      }
    }
    if (best?.agreement ?? 0) < 0.6, let found = searched(track, expected, radius: 6 + 4 * min(3, searchedFrames)) {
      if found.agreement > best?.agreement ?? 0 { best = found }
    }
    guard var best, best.agreement > 0.6, best.agreeing >= 12, best.spread >= 0.25, best.cornerSigma < 6 else {
      return nil
    }
    best.support = earlier.support
    return best
  }

  func sighting(_ i: Int, _ state: TargetState, _ found: Alignment, _ time: Double) -> TargetSighting {
    let shown = tracks[i].shown(found.frameFromReference, time: time, settling: parameters.settling)
    return TargetSighting(
      target: i,
      state: state,
      frameFromPicture: (found.frameFromReference * tracks[i].model.referenceFromPicture).scaled,
      shownFromPicture: (shown * tracks[i].model.referenceFromPicture).scaled,
      agreeing: state == .extrapolated ? 0 : found.agreeing,
      agreement: state == .extrapolated ? 0 : found.agreement,
      spread: found.spread,
      support: found.support,
      cornerSigma: found.cornerSigma
    )
  }

  private func follow(_ i: Int, _ time: Double, _ step: CameraTurn?, _ sightings: inout [TargetSighting]) {
    let track = tracks[i]
    let moved = (track.motion * track.map).scaled
    let expected = step.map { (track.residualMotion * ($0.shift * track.map)).scaled } ?? moved
    var best = align(track, expected)
    if (best?.agreement ?? 0) < 0.6, track.frames > 1, let found = align(track, track.map) {
      if found.agreement > best?.agreement ?? 0 { best = found }
    }
    if (best?.agreement ?? 0) < 0.85, track.frames == 1, let way = track.way {
      // Which of both directions along the smear it goes in could not be seen.
      for sign in [1.0, -1.0] {
        let way = way * (sign / track.shutter)
        let shift = Homography(Matrix3(rows: Vector3(1, 0, way.x), Vector3(0, 1, way.y), Vector3(0, 0, 1)))
        guard let found = align(track, (shift * track.map).scaled) else { continue }
        if found.agreement > best?.agreement ?? 0 { best = found }
      }
    }
    if (best?.agreement ?? 0) < 0.5, let found = searched(track, expected) {
      if found.agreement > best?.agreement ?? 0 { best = found }
    }
    if let best, isHeld(best, track, expected, hasTurn: step != nil, time) {
      tracks[i].held(best, time: time, turn: step)
      sightings.append(sighting(i, .tracked, best, time))
      return
    }
    carry(i, time, step, moved, &sightings)
  }

  /// Looks for a target around where it is expected.
  private func searched(_ track: Track, _ start: Homography, radius: Int = 7) -> Alignment? {
    let reference = track.model.pyramid
    guard let corners = start.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(2 << level) >= 26 { level += 1 }
    guard let place = aligner.search(reference, frames, around: start, level: level, radius: radius),
      place.correlation > 0.25
    else { return nil }
    return align(track, place.map)
  }

  /// Aligns from coarse to fine.
  private func align(_ track: Track, _ start: Homography) -> Alignment? {
    let reference = track.model.pyramid
    guard let corners = start.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    var smear = track.smear(start)
    let center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    let blur = smear?.at(center).length ?? 0
    var finest = TargetDetector.finestLevel(size, reference, frames)
    while finest + 1 < frames.levels.count && blur / Double(1 << finest) > 12 && size / Double(2 << finest) > 40 {
      finest += 1
    }
    var level = finest
    while level + 1 < frames.levels.count && size / Double(2 << level) > 30 && level < finest + 2 { level += 1 }
    var map = start
    var coarser: Alignment?
    while level > finest {
      guard
        let found = aligner.align(
          reference,
          frames,
          from: map,
          level: level,
          count: 48,
          steps: 7,
          stiffness: 0.1,
          smear: smear
        ),
        found.correlation > 0.1
      else { return nil }
      map = found.frameFromReference
      coarser = found
      smear = track.smear(map)
      level -= 1
    }
    let count = blur > 3 ? 120 : 200
    guard
      var found = aligner.align(
        reference,
        frames,
        from: map,
        level: finest,
        count: count,
        steps: 6,
        stiffness: 0.1,
        smear: smear,
        hasOutline: true
      )
    else { return coarser }
    // In the dark the finest level is mostly noise; the next shows whether it is the target all the same.
    if let coarser, found.agreement < 0.5, coarser.agreement > found.agreement {
      if distance(found.frameFromReference, coarser.frameFromReference, reference) > 2.5 { return coarser }
      (found.agreement, found.agreeing, found.spread) = (coarser.agreement, coarser.agreeing, coarser.spread)
    }
    return found
  }

  /// The mean distance of the corners that two maps give.
  func distance(_ a: Homography, _ b: Homography, _ reference: ReferencePyramid) -> Double {
    guard let p = a.corners(width: reference.width, height: reference.height),
      let q = b.corners(width: reference.width, height: reference.height)
    else { return .infinity }
    var sum = 0.0
    for i in 0..<4 { sum += (p[i] - q[i]).length / 4 }
    return sum
  }

  /// Whether what was found is the target where it can be.
  ///
  /// A few patches at the frame's edge fit many places: they hold a target only near where it is expected, and so firmly that its
  /// corners are known. One that was not seen in the last frame has to agree as one found anew.
  private func isHeld(
    _ found: Alignment,
    _ track: Track,
    _ expected: Homography,
    hasTurn: Bool,
    _ time: Double
  ) -> Bool {
    guard found.agreement > 0.4, found.agreeing >= 6 else { return false }
    let isFirm = found.agreement > 0.6 && found.agreeing >= 20 && found.spread >= 0.3
    if isFirm && found.cornerSigma < 6 { return true }
    guard found.cornerSigma < 4, time - track.seen < 0.08 else { return false }
    guard found.spread < 0.3 || found.agreement < 0.6 else { return true }
    let moved = distance(found.frameFromReference, expected, track.model.pyramid)
    return moved < (hasTurn ? 14 : 30)
  }
}
