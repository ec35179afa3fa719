import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetDetector {
  /// Aligns a guess from coarse to fine; `nil` when the frame does not agree.
  func lockOn(_ model: TargetModel, _ frames: FramePyramid, _ guess: Hypothesis) -> Alignment? {
    let reference = model.pyramid
    guard let corners = guess.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return nil }
    let size = (doubleArea(corners) / 2).squareRoot()
    let finest = Self.finestLevel(size, reference, frames)
    var level = finest
    while level + 1 < frames.levels.count && size / Double(2 << level) > 36 && level < finest + 2 { level += 1 }
    var map = guess.frameFromReference
    var found: Alignment?
    while level >= finest {
      let isLast = level == finest
      func aligned(from map: Homography) -> Alignment? {
        aligner.align(
          reference,
          frames,
          from: map,
          level: level,
          count: isLast ? 100 : 60,
          steps: isLast ? 6 : 8,
          stiffness: 0.25
        )
      }
      let step = aligned(from: map) ?? (isLast && found != nil ? aligned(from: guess.frameFromReference) : nil)
      level -= 1
      // What is small or plain has few patches at the coarse level, which may lead it astray; the fine one has more.
      guard let step, isLast || isLike(step.frameFromReference, map, reference) else {
        if isLast { return nil }
        continue
      }
      guard step.correlation > 0.15 else { return nil }
      map = step.frameFromReference
      found = step
    }
    guard let first = found, first.correlation > 0.3 else { return nil }
    var smear: Smear?
    if first.correlation < 0.85 {
      smear = way(reference, frames, map, level: min(finest + 1, frames.levels.count - 1), size: size)
    }
    // Rendered anew where it has come to: the judgement is about this place.
    for _ in 0..<(smear == nil ? 1 : 2) {
      if let again = aligner.align(
        reference,
        frames,
        from: map,
        level: finest,
        count: 160,
        steps: 5,
        stiffness: 0.25,
        smear: smear
      ) {
        found = again
        map = again.frameFromReference
      }
    }
    found?.support = guess.support
    if let smear { found?.way = smear.at(.zero) }
    guard var found, isConvincing(&found, reference, frames, level: finest) else { return nil }
    return found
  }

  /// Whether a step has left a print about as large as it was, and where it was.
  private func isLike(_ moved: Homography, _ map: Homography, _ reference: ReferencePyramid) -> Bool {
    guard let p = map.corners(width: reference.width, height: reference.height),
      let q = moved.corners(width: reference.width, height: reference.height), isPlausible(q)
    else { return false }
    let (before, after) = (doubleArea(p), doubleArea(q))
    let middle = ((p[0] + p[2]) - (q[0] + q[2])) * 0.5
    return after > 0.5 * before && after < 2 * before && middle.length < 0.25 * (before / 2).squareRoot() + 4
  }

  /// Along which way the frame is smeared, when that explains it better than a steady camera does.
  private func way(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    _ map: Homography,
    level: Int,
    size: Double
  ) -> Smear? {
    func smear(_ way: Vector2) -> Smear {
      let before = Homography(Matrix3(rows: Vector3(1, 0, -way.x), Vector3(0, 1, -way.y), Vector3(0, 0, 1)))
      return Smear(before: before, shutter: 1)
    }
    func score(_ way: Vector2?) -> Double {
      aligner.align(
        reference,
        frames,
        from: map,
        level: level,
        count: 36,
        steps: 4,
        stiffness: 0.1,
        smear: way.map(smear)
      )?.correlation ?? -1
    }
    let steady = score(nil)
    var best: (way: Vector2, score: Double) = (.zero, steady)
    for length in [7.0, 16] where length < size / 3 {
      for k in 0..<4 {
        let angle = Double(k) * pi / 4
        let way = Vector2(cos(angle), sin(angle)) * length
        let value = score(way)
        if value > best.score { best = (way, value) }
      }
    }
    guard best.score > steady + 0.03 else { return nil }
    for (turn, scale) in [(0.35, 1.0), (-0.35, 1), (0, 1.4), (0, 0.7)] {
      let way = best.way.rotated(cosine: cos(turn), sine: sin(turn)) * scale
      let value = score(way)
      if value > best.score { best = (way, value) }
    }
    return smear(best.way)
  }

  /// Side of a print, pixels, below which agreement says less.
  private static let fullSize = 90.0

  /// The level whose pixels are no finer than the reference's.
  static func finestLevel(_ size: Double, _ reference: ReferencePyramid, _ frames: FramePyramid) -> Int {
    let own = (reference.width * reference.height).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(1 << level) > 1.7 * own { level += 1 }
    return level
  }

  /// Whether the frame agrees so well that it can be nothing else; sets how strongly it speaks for the target.
  ///
  /// What agrees in part may be covered, or another picture with the same part: the end of the print where it has to be speaks for the first,
  /// disagreement that the outline encloses for the second. The more targets were asked, the likelier is the second, so that what is wanted
  /// grows with the logarithm of their number.
  private func isConvincing(
    _ found: inout Alignment,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    level: Int
  ) -> Bool {
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return false }
    guard found.agreeing >= 8, found.spread >= 0.25 else { return false }
    guard hasSeveral || found.support == 0 else { return found.agreement > 0.6 }
    guard found.agreement > 0.5, found.spread > 0.35 else { return false }
    let map = (FramePyramid.levelFromFrame(level) * found.frameFromReference).scaled
    guard let back = map.inverse else { return false }
    let outline = frames.levels[level].withView {
      Outline.look(reference, map, contrast: aligner.contrast, in: $0)
    }
    let sealed =
      found.agreement > 0.9
      ? 0 : aligner.disagreement(back, reference, noise: frames.noise(level)).sealed(outline)
    // What only an outline speaks for has to lie on one still, or it slid onto a part of something else, and to agree with nearly all of what
    // that holds, or with all that is not covered.
    if found.support == 0 {
      guard found.agreement > Self.leastOutlineAgreement || found.agreement > 0.6 && sealed < 0.1,
        outline.share > Self.leastOutlineShare, found.spread > 0.45
      else { return false }
    }
    found.strength = found.agreement + 10 * max(0, found.agreement - 0.95)
    found.strength += 4 * outline.share - 10 * sealed * outline.share * outline.share
    found.strength += 0.2 * min(1.2, Double(found.support) / 55)
    // What is small has few pixels to agree by chance.
    let size = (doubleArea(corners) / 2).squareRoot()
    found.strength -= 1.5 * max(0, log(Self.fullSize / size) / log(2))
    let hypotheses = log(Double(targetCount)) / log(10)
    return found.strength > max(1.75, 1.27 + 0.64 * hypotheses)
  }

  /// How well the small picture of a target fits the frame at a guess, and the guess moved to where it fits best.
  ///
  /// Coarse and quick: of a hundred guesses it finds the few that are worth the whole picture.
  func fit(_ model: TargetModel, _ frames: FramePyramid, _ guess: Hypothesis) -> (fit: Double, map: Homography)? {
    let reference = model.small
    let start = (guess.frameFromReference * model.referenceFromSmall).scaled
    var map = start
    guard let corners = map.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    let finest = Self.finestLevel(size, reference, frames)
    var found: Alignment?
    for level in [finest + 1, finest] where level < frames.levels.count {
      guard level == finest || size / Double(1 << level) > 30 else { continue }
      var aligned = aligner.align(reference, frames, from: map, level: level, count: 48, steps: 6, stiffness: 0.25)
      if aligned == nil && level == finest && found != nil {
        // From where the coarse level came from: among bars its few patches may have gone astray.
        aligned = aligner.align(reference, frames, from: start, level: level, count: 48, steps: 6, stiffness: 0.25)
      }
      guard let step = aligned, level == finest || isLike(step.frameFromReference, map, reference) else {
        // Too few patches at the coarse level do not speak against the guess.
        if level == finest { return nil }
        continue
      }
      guard step.correlation > 0.1 else { return nil }
      map = step.frameFromReference
      found = step
    }
    guard let found, let back = model.referenceFromSmall.inverse else { return nil }
    return (found.correlation, (map * back).scaled)
  }
}
