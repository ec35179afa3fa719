import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetTracker {
  /// Looks for a target where it is expected; carries it on where it is not seen.
  func follow(_ i: Int, _ time: Double, _ step: RotationPrior?, _ sightings: inout [TargetSighting]) {
    let track = tracks[i]
    let moved = (track.motion * track.map).scaled
    let expected = step.map { turned(track, $0) } ?? moved
    var best = align(track, expected)
    var isLess = isMuchLess(best, track)
    if isLess || isDoubtful(best, track, expected, hasTurn: step != nil), track.frames > 1,
      let found = align(track, track.map)
    {
      if found.inlierRatio > best?.inlierRatio ?? 0 { best = found }
      isLess = isLess && isMuchLess(best, track)
    }
    if (best?.inlierRatio ?? 0) < 0.85, track.frames == 1, let way = track.blurVector {
      // Which of both directions along the motionBlur it goes in could not be seen.
      for sign in [1.0, -1.0] {
        let way = way * (sign / track.exposure)
        let shift = Homography(Matrix3(rows: Vector3(1, 0, way.x), Vector3(0, 1, way.y), Vector3(0, 0, 1)))
        guard let found = align(track, (shift * track.map).scaled) else { continue }
        if found.inlierRatio > best?.inlierRatio ?? 0 { best = found }
      }
    }
    let isFar = isDoubtful(best, track, expected, hasTurn: step != nil) && (best?.inlierRatio ?? 0) >= 0.6
    if (best?.inlierRatio ?? 0) < 0.5 || isFar || isLess, let found = searched(track, expected) {
      if found.inlierRatio > best?.inlierRatio ?? 0 { best = found }
    }
    if let best, isHeld(best, track, expected, hasTurn: step != nil, time) {
      tracks[i].held(best, time: time, turn: step)
      sightings.append(sighting(i, .tracked, best, time))
      return
    }
    predict(i, time, step, moved, &sightings)
  }

  /// Whether what was found is little of the target, or half of it far from where that is expected.
  private func isDoubtful(_ found: Alignment?, _ track: Track, _ expected: Homography, hasTurn: Bool) -> Bool {
    guard let found, found.inlierRatio >= 0.6 else { return true }
    guard found.inlierRatio < 0.8 else { return false }
    return distance(found.frameFromReference, expected, track.model.pyramid) > Self.reach(hasTurn: hasTurn)
  }

  /// Whether much less agrees than in the last frame: it may have slid to a place like its own, as by a line of text.
  private func isMuchLess(_ found: Alignment?, _ track: Track) -> Bool {
    (found?.inlierRatio ?? 0) < min(0.85, track.inlierRatio - 0.15)
  }

  /// How far from where it is expected a target can be, pixels.
  private static func reach(hasTurn: Bool) -> Double { hasTurn ? 14 : 30 }

  /// Where a target is expected after a turn of the camera: moved on besides as it was in the last frame, or, where that is not known,
  /// as the point that the camera is swung about has it.
  private func turned(_ track: Track, _ turn: RotationPrior) -> Homography {
    let shifted = turn.shift * track.map
    if track.previous != nil { return (track.residualMotion * shifted).scaled }
    return turn.carried(track.map, way: track.pivot.way(turn.rotation)) ?? shifted.scaled
  }

  /// Looks for a target around where it is expected.
  func searched(_ track: Track, _ start: Homography, radius: Int = 7) -> Alignment? {
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
  func align(_ track: Track, _ start: Homography) -> Alignment? {
    let reference = track.model.pyramid
    guard let corners = start.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    var motionBlur = track.motionBlur(start)
    let center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    let blur = motionBlur?.at(center).length ?? 0
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
          shapeDeviation: 0.1,
          motionBlur: motionBlur,
          hasOutline: true
        ),
        found.correlation > 0.1
      else { return nil }
      map = found.frameFromReference
      coarser = found
      motionBlur = track.motionBlur(map)
      level -= 1
    }
    var ratio: Double?
    if blur > Self.tellingBlur, finest + 1 < frames.levels.count {
      ratio = exposureRatio(track, map, level: finest + 1)
      if let ratio { motionBlur?.exposure *= ratio }
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
        shapeDeviation: 0.1,
        motionBlur: motionBlur,
        hasOutline: true
      )
    else { return coarser }
    found.exposureRatio = ratio
    // In the dark the finest level is mostly noise; the next shows whether it is the target all the same.
    if let coarser, found.inlierRatio < 0.5, coarser.inlierRatio > found.inlierRatio {
      if distance(found.frameFromReference, coarser.frameFromReference, reference) > 2.5 { return coarser }
      (found.inlierRatio, found.inlierCount, found.coverage) = (
        coarser.inlierRatio, coarser.inlierCount, coarser.coverage
      )
    }
    return found
  }

  /// Pixels of motionBlur from which on its length is looked at.
  private static let tellingBlur = 5.0

  /// How many times as long as it was thought the exposure seems to be open: of a shorter, the same and a longer time the one with
  /// which the frame agrees best.
  func exposureRatio(_ track: Track, _ map: Homography, level: Int) -> Double? {
    guard let motionBlur = track.motionBlur(map) else { return nil }
    func correlation(_ ratio: Double) -> Double {
      var other = motionBlur
      other.exposure *= ratio
      return aligner.align(
        track.model.pyramid,
        frames,
        from: map,
        level: level,
        count: 36,
        steps: 3,
        shapeDeviation: 0.1,
        motionBlur: other
      )?.correlation ?? -1
    }
    var best = (ratio: 1.0, correlation: correlation(1))
    func attempt(_ ratio: Double) {
      let found = correlation(ratio)
      if found > best.correlation { best = (ratio, found) }
    }
    attempt(0.8)
    attempt(1.25)
    return best.correlation > 0 ? best.ratio : nil
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
    guard found.inlierRatio > 0.4, found.inlierCount >= 6 else { return false }
    let isDoubtful = isDoubtful(found, track, expected, hasTurn: hasTurn)
    let isFirm = !isDoubtful && found.inlierRatio > 0.6 && found.inlierCount >= 20 && found.coverage >= 0.3
    if isFirm && found.cornerSigma < 6 { return true }
    guard found.cornerSigma < 4, time - track.seen < 0.08 else { return false }
    guard isDoubtful || found.coverage < 0.3 || found.inlierRatio < 0.6 else { return true }
    return distance(found.frameFromReference, expected, track.model.pyramid) < Self.reach(hasTurn: hasTurn)
  }
}
