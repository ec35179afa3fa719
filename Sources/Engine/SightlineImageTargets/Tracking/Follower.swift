import SightlineCamera
import SightlineImaging
import SightlineMath

/// Aligns a target that is followed to the present frame, from where it is expected.
///
/// Direct alignment to the reference (``Aligner``) from coarse to fine with the motion blur that its motion makes.
/// Where that disagrees it is tried
/// again from where the target was, along its blur, and after a search around the place; what then is not convincing is
/// not the target.
struct Follower {
  /// How a target is aligned, and what is believed.
  struct Parameters {
    /// Side of a print in a level's pixels from which on a coarser level is begun at, at most so many above the finest.
    var leastSide = 30.0
    var coarserLevels = 2
    /// Blur in pixels of the finest level above which a coarser one is the finest, if the print has that side there.
    var mostBlur = 12.0
    var leastBlurredSide = 40.0
    /// Pixels of the frame to one of the reference along a side, see ``CoarseToFineAlignment/Parameters/mostEnlarged``.
    var mostEnlarged = 1.7
    /// Patches and Gauss–Newton steps at a coarse level and at the finest; there fewer patches when it is blurred by
    /// more than some pixels, since
    /// each of these is drawn several times.
    var coarse = (patches: 48, steps: 7)
    var fine = (patches: 200, blurredPatches: 120, steps: 6)
    var blurred = 3.0
    /// Deviation of the shape's prior, see ``Aligner``; 0.05, 0.025 and 0.012 were better on some sequences and worse
    /// on as many.
    var shapeDeviation = 0.1
    /// Least mean correlation at a coarse level.
    var leastCorrelation = 0.1
    /// Where the finest level agrees with less than half and the next with more, how far apart both may be for the
    /// first to be believed, pixels.
    var noisyReach = 2.5
    /// Blur from which on the exposure is estimated, pixels; by which ratios, and with how many patches and steps.
    var tellingBlur = 5.0
    var exposureRatios = [0.8, 1.25]
    var exposureTrial = (patches: 36, steps: 3)
    /// Inlier ratios below which a target is doubted, is doubted far from where it is expected, is searched for around
    /// the place, and is tried along
    /// its blur; and by how much less than in the last frame is much less: it may have slid to a place like its own, as
    /// by a line of text.
    var doubted = 0.6
    var doubtedWhenFar = 0.8
    var searched = 0.5
    var nearlyWhole = 0.85
    var muchLess = 0.15
    /// How far from where it is expected a target can be, pixels, with a gyroscope and without.
    var reach = (rotation: 14.0, motion: 30.0)
    /// The search around a place: shifts in pixels of the level along each axis, least side of the print in the level,
    /// and least correlation.
    var searchRadius = 7
    var leastSearchSide = 26.0
    var leastSearchCorrelation = 0.25
    /// What is held at all: least inlier ratio and count.
    var held = (ratio: 0.4, count: 6)
    /// What is held wherever it is near: least inlier ratio, count and coverage, and largest deviation of the corners,
    /// pixels.
    var firm = (ratio: 0.6, count: 20, coverage: 0.3, sigma: 6.0)
    /// What is held only in the frame after one it was seen in: largest deviation of the corners, pixels, and longest
    /// gap, seconds.
    var loose = (sigma: 4.0, gap: 0.08)
    /// What was found in an earlier frame has to agree as well as one found anew: inlier ratio, count, coverage,
    /// corners.
    var acquired = (ratio: 0.6, count: 12, coverage: 0.25, sigma: 6.0)
    /// How far what was found in this frame may move when it is aligned as a followed target is, pixels, and how much
    /// correlation it may lose.
    var realigned = (reach: 8.0, loss: 0.02)
    /// The search for what was found in an earlier frame: shifts, and how many more for each frame since, of at most so
    /// many.
    var acquireSearch = (radius: 6, perFrame: 4, frames: 3)
  }

  var parameters = Parameters()
  let frames: FramePyramid
  let aligner: Aligner

  /// Where a target is in this frame; `nil` when it is not seen.
  ///
  /// - Parameters:
  ///   - track: what is known of it.
  ///   - expected: where it is thought to be.
  ///   - hasRotation: whether a gyroscope says so.
  ///   - time: of this frame.
  /// - Returns: its alignment.
  func follow(_ track: TargetTracker.Track, expected: Homography, hasRotation: Bool, time: Double) -> Alignment? {
    var best = align(track, expected)
    func isDoubtful() -> Bool { self.isDoubtful(best, track, expected, hasRotation) }
    var isLess = isMuchLess(best, track)
    if isLess || isDoubtful(), track.frames > 1, let found = align(track, track.map) {
      take(found, &best)
      isLess = isLess && isMuchLess(best, track)
    }
    if ratio(best) < parameters.nearlyWhole, track.frames == 1 {
      // Which of both directions along the blur it goes in could not be seen.
      tryAlongBlur(track, from: track.map, vectors: 1 / track.exposure, &best)
    }
    let isFar = isDoubtful() && ratio(best) >= parameters.doubted
    if ratio(best) < parameters.searched || isFar || isLess, let found = search(track, expected) {
      take(found, &best)
    }
    guard let best, isHeld(best, track, expected, hasRotation, time) else { return nil }
    return best
  }

  /// Aligns what was found in this frame as what is followed is: with the boundary, and blurred as the camera turns.
  func realign(_ found: Alignment, _ own: TargetTracker.Track, _ rotation: RotationPrior?, time: Double) -> Alignment {
    let reference = own.model.pyramid
    var best = found
    func attempt(_ before: Homography) {
      var track = own
      track.begin(found, time: time)
      track.map = (before * found.frameFromReference).scaled
      guard let next = align(track, found.frameFromReference),
        next.correlation > best.correlation - parameters.realigned.loss,
        distance(next.frameFromReference, found.frameFromReference, reference) < parameters.realigned.reach
      else { return }
      (best, best.matchInliers, best.score, best.blurVector) = (
        next, found.matchInliers, found.score, found.blurVector
      )
    }
    if let blurVector = found.blurVector {
      let step = blurVector * (1 / own.exposure)
      attempt(Homography(Matrix3(rows: Vector3(1, 0, -step.x), Vector3(0, 1, -step.y), Vector3(0, 0, 1))))
    }
    if let back = rotation?.shift.inverse {
      attempt(back)
    } else if found.blurVector == nil {
      attempt(Homography(.identity))
    }
    return best
  }

  /// Looks in this frame for what was found so many frames earlier.
  ///
  /// `shift` is what the camera's turns since then do to pixels, `time` that of the earlier frame.
  func acquire(
    _ earlier: Alignment,
    _ own: TargetTracker.Track,
    shift: Homography,
    frames since: Int,
    time: Double
  ) -> Alignment? {
    var track = own
    track.begin(earlier, time: time)
    // What it moved by took so many frames, of which the exposure took a part of one.
    let exposure = track.exposure
    track.exposure = exposure / Double(max(1, since))
    let expected = (shift * track.map).scaled
    var best = align(track, expected)
    if ratio(best) < parameters.nearlyWhole {
      tryAlongBlur(track, from: expected, vectors: Double(since) / exposure, &best)
    }
    let search = parameters.acquireSearch
    if ratio(best) < parameters.doubted,
      let found = self.search(track, expected, radius: search.radius + search.perFrame * min(search.frames, since))
    {
      take(found, &best)
    }
    let least = parameters.acquired
    guard var best, best.inlierRatio > least.ratio, best.inlierCount >= least.count, best.coverage >= least.coverage,
      best.cornerSigma < least.sigma
    else { return nil }
    best.matchInliers = earlier.matchInliers
    return best
  }

  private func ratio(_ found: Alignment?) -> Double { found?.inlierRatio ?? 0 }

  /// Keeps the better of two.
  private func take(_ found: Alignment, _ best: inout Alignment?) {
    if found.inlierRatio > ratio(best) { best = found }
  }

  /// Aligns from places so many blur vectors on either side of one.
  private func tryAlongBlur(
    _ track: TargetTracker.Track,
    from map: Homography,
    vectors: Double,
    _ best: inout Alignment?
  ) {
    guard let blurVector = track.blurVector else { return }
    for sign in [1.0, -1.0] {
      let way = blurVector * (sign * vectors)
      let shift = Homography(Matrix3(rows: Vector3(1, 0, way.x), Vector3(0, 1, way.y), Vector3(0, 0, 1)))
      if let found = align(track, (shift * map).scaled) { take(found, &best) }
    }
  }

  /// Whether what was found is little of the target, or half of it far from where that is expected.
  private func isDoubtful(
    _ found: Alignment?,
    _ track: TargetTracker.Track,
    _ expected: Homography,
    _ hasRotation: Bool
  ) -> Bool {
    guard let found, found.inlierRatio >= parameters.doubted else { return true }
    guard found.inlierRatio < parameters.doubtedWhenFar else { return false }
    return distance(found.frameFromReference, expected, track.model.pyramid) > reach(hasRotation)
  }

  /// Whether much less agrees than in the last frame.
  private func isMuchLess(_ found: Alignment?, _ track: TargetTracker.Track) -> Bool {
    ratio(found) < min(parameters.nearlyWhole, track.inlierRatio - parameters.muchLess)
  }

  private func reach(_ hasRotation: Bool) -> Double {
    hasRotation ? parameters.reach.rotation : parameters.reach.motion
  }

  /// Whether what was found is the target where it can be.
  ///
  /// A few patches at the frame's edge fit many places: they hold a target only near where it is expected, and so
  /// firmly that its
  /// corners are known. One that was not seen in the last frame has to agree as one found anew.
  private func isHeld(
    _ found: Alignment,
    _ track: TargetTracker.Track,
    _ expected: Homography,
    _ hasRotation: Bool,
    _ time: Double
  ) -> Bool {
    guard found.inlierRatio > parameters.held.ratio, found.inlierCount >= parameters.held.count else { return false }
    let firm = parameters.firm
    let isDoubtful = isDoubtful(found, track, expected, hasRotation)
    let isFirm =
      !isDoubtful && found.inlierRatio > firm.ratio && found.inlierCount >= firm.count
      && found.coverage >= firm.coverage
    if isFirm && found.cornerSigma < firm.sigma { return true }
    guard found.cornerSigma < parameters.loose.sigma, time - track.seen < parameters.loose.gap else { return false }
    guard isDoubtful || found.coverage < firm.coverage || found.inlierRatio < firm.ratio else { return true }
    return distance(found.frameFromReference, expected, track.model.pyramid) < reach(hasRotation)
  }

  /// Looks for a target around where it is expected, by whole pixels, then aligns it.
  func search(_ track: TargetTracker.Track, _ start: Homography, radius: Int? = nil) -> Alignment? {
    let reference = track.model.pyramid
    guard let corners = start.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(2 << level) >= parameters.leastSearchSide { level += 1 }
    let radius = radius ?? parameters.searchRadius
    guard let place = aligner.search(reference, frames, around: start, level: level, radius: radius),
      place.correlation > parameters.leastSearchCorrelation
    else { return nil }
    return align(track, place.map)
  }

  /// Aligns from coarse to fine.
  func align(_ track: TargetTracker.Track, _ start: Homography) -> Alignment? {
    let reference = track.model.pyramid
    guard let corners = start.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    var motionBlur = track.motionBlur(start)
    let center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    let blur = motionBlur?.at(center).length ?? 0
    let finest = finestLevel(size, blur: blur, reference)
    var level = finest
    while level + 1 < frames.levels.count && size / Double(2 << level) > parameters.leastSide
      && level < finest + parameters.coarserLevels
    {
      level += 1
    }
    var map = start
    var coarser: Alignment?
    while level > finest {
      guard
        let found = align(reference, map, level: level, parameters.coarse.patches, parameters.coarse.steps, motionBlur),
        found.correlation > parameters.leastCorrelation
      else { return nil }
      map = found.frameFromReference
      coarser = found
      motionBlur = track.motionBlur(map)
      level -= 1
    }
    var ratio: Double?
    if blur > parameters.tellingBlur, finest + 1 < frames.levels.count {
      ratio = exposureRatio(track, map, level: finest + 1)
      if let ratio { motionBlur?.exposure *= ratio }
    }
    let patches = blur > parameters.blurred ? parameters.fine.blurredPatches : parameters.fine.patches
    guard var found = align(reference, map, level: finest, patches, parameters.fine.steps, motionBlur) else {
      return coarser
    }
    found.exposureRatio = ratio
    // In the dark the finest level is mostly noise; the next shows whether it is the target all the same.
    if let coarser, found.inlierRatio < 0.5, coarser.inlierRatio > found.inlierRatio {
      let apart = distance(found.frameFromReference, coarser.frameFromReference, reference)
      if apart > parameters.noisyReach { return coarser }
      (found.inlierRatio, found.inlierCount) = (coarser.inlierRatio, coarser.inlierCount)
      found.coverage = coarser.coverage
    }
    return found
  }

  /// The finest level a target is aligned at: no finer than its reference, nor than its blur.
  private func finestLevel(_ size: Double, blur: Double, _ reference: ReferencePyramid) -> Int {
    var finest = frames.finestLevel(
      size,
      reference.width,
      reference.height,
      mostEnlarged: parameters.mostEnlarged
    )
    while finest + 1 < frames.levels.count && blur / Double(1 << finest) > parameters.mostBlur
      && size / Double(2 << finest) > parameters.leastBlurredSide
    {
      finest += 1
    }
    return finest
  }

  private func align(
    _ reference: ReferencePyramid,
    _ map: Homography,
    level: Int,
    _ patches: Int,
    _ steps: Int,
    _ motionBlur: MotionBlur?
  ) -> Alignment? {
    aligner.align(
      reference,
      frames,
      from: map,
      level: level,
      count: patches,
      steps: steps,
      shapeDeviation: parameters.shapeDeviation,
      motionBlur: motionBlur,
      hasOutline: true
    )
  }

  /// How many times as long as it was thought the exposure seems to be: of a shorter, the same and a longer one that
  /// with which the frame agrees
  /// best.
  func exposureRatio(_ track: TargetTracker.Track, _ map: Homography, level: Int) -> Double? {
    guard let motionBlur = track.motionBlur(map) else { return nil }
    func correlation(_ ratio: Double) -> Double {
      var other = motionBlur
      other.exposure *= ratio
      return aligner.align(
        track.model.pyramid,
        frames,
        from: map,
        level: level,
        count: parameters.exposureTrial.patches,
        steps: parameters.exposureTrial.steps,
        shapeDeviation: parameters.shapeDeviation,
        motionBlur: other
      )?.correlation ?? -1
    }
    var best = (ratio: 1.0, correlation: correlation(1))
    for ratio in parameters.exposureRatios {
      let found = correlation(ratio)
      if found > best.correlation { best = (ratio, found) }
    }
    return best.correlation > 0 ? best.ratio : nil
  }

  /// The mean distance of the corners that two maps give.
  private func distance(_ a: Homography, _ b: Homography, _ reference: ReferencePyramid) -> Double {
    guard let p = a.corners(width: reference.width, height: reference.height),
      let q = b.corners(width: reference.width, height: reference.height)
    else { return .infinity }
    var sum = 0.0
    for i in 0..<4 { sum += (p[i] - q[i]).length / 4 }
    return sum
  }
}
