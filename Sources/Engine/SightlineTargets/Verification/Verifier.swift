import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetDetector {
  /// Whether a step has left a print about as large as it was, and where it was.
  static func isLike(_ moved: Homography, _ map: Homography, _ reference: ReferencePyramid) -> Bool {
    guard let p = map.corners(width: reference.width, height: reference.height),
      let q = moved.corners(width: reference.width, height: reference.height), isPlausible(q)
    else { return false }
    let (before, after) = (doubleArea(p), doubleArea(q))
    let middle = ((p[0] + p[2]) - (q[0] + q[2])) * 0.5
    return after > 0.5 * before && after < 2 * before && middle.length < 0.25 * (before / 2).squareRoot() + 4
  }

  /// Side of a print, pixels, below which inlierRatio says less.
  private static let fullSize = 90.0

  /// The level whose pixels are no finer than the reference's.
  static func finestLevel(_ size: Double, _ reference: ReferencePyramid, _ frames: FramePyramid) -> Int {
    finestLevel(size, reference.width, reference.height, frames)
  }

  static func finestLevel(_ size: Double, _ width: Double, _ height: Double, _ frames: FramePyramid) -> Int {
    let own = (width * height).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(1 << level) > 1.7 * own { level += 1 }
    return level
  }

  /// Whether the frame agrees so well that it can be nothing else; sets how strongly it speaks for the target.
  ///
  /// What agrees in part may be covered, or another picture with the same part: the end of the print where it has to be speaks for the first,
  /// disagreement that the outline encloses for the second. The more targets were asked, the likelier is the second, so that what is wanted
  /// grows with the logarithm of their number.
  func isConvincing(
    _ found: inout Alignment,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    level: Int
  ) -> Bool {
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return false }
    guard found.inlierCount >= 8, found.coverage >= 0.25 else { return false }
    guard hasSeveral || found.matchInliers == 0 else { return found.inlierRatio > 0.6 }
    judged = (found, -.infinity)
    guard found.inlierRatio > 0.5, found.coverage > 0.35 else { return false }
    let map = (FramePyramid.levelFromFrame(level) * found.frameFromReference).scaled
    guard let back = map.inverse else { return false }
    let outline = frames.levels[level].withView {
      BoundaryCheck.look(reference, map, contrast: aligner.contrast, in: $0)
    }
    let enclosed =
      found.inlierRatio > 0.9
      ? 0 : aligner.disagreement(back, reference, noise: frames.noise(level)).enclosed(outline)
    // What only an outline speaks for has to lie on one still, or it slid onto a part of something else, and to agree with nearly all of what
    // that holds; or, where the score that is wanted of many keeps out the rest, with all that is not covered. What agrees has to lie all
    // over it, unless it ends nearly everywhere where it should: a print with little in it has that in one place.
    if found.matchInliers == 0 {
      let isCovered = hasMany && found.inlierRatio > 0.6 && enclosed < 0.1
      guard found.inlierRatio > Self.leastOutlineAgreement || isCovered, outline.share > Self.leastOutlineShare,
        found.coverage > (hasMany ? 0.45 : 0.5) || outline.share > Self.wholeOutlineShare
      else { return false }
    }
    found.score = found.inlierRatio + 10 * max(0, found.inlierRatio - 0.95)
    found.score += 4 * outline.share - 10 * enclosed * outline.share * outline.share
    found.score += 0.2 * min(1.2, Double(found.matchInliers) / 55)
    // What is small has few pixels to agree by chance.
    let size = (doubleArea(corners) / 2).squareRoot()
    found.score -= 1.5 * max(0, log(Self.fullSize / size) / log(2))
    let hypotheses = log(Double(targetCount)) / log(10)
    let margin = found.score - max(1.75, 1.27 + 0.64 * hypotheses)
    judged = (found, margin)
    return margin > 0
  }

  /// Least correlation of a small picture that is looked at more finely.
  private static let leastCorrelation = 0.2

  /// How well the small picture of a target fits the frame at a hypothesis, and the hypothesis moved to where it fits best.
  ///
  /// Coarse and quick: of a hundred hypotheses it finds the few that are cornerScore the whole picture.
  func fit(_ model: TargetModel, _ frames: FramePyramid, _ hypothesis: Hypothesis) -> (fit: Double, map: Homography)? {
    let reference = model.thumbnailPyramid
    let start = (hypothesis.frameFromReference * model.referenceFromThumbnail).scaled
    var map = start
    guard let corners = map.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    let finest = Self.finestLevel(size, reference, frames)
    var found: Alignment?
    for level in [finest + 1, finest] where level < frames.levels.count {
      guard level == finest || size / Double(1 << level) > 30 else { continue }
      var aligned = aligner.align(reference, frames, from: map, level: level, count: 48, steps: 6, shapeDeviation: 0.25)
      if aligned == nil && level == finest && found != nil {
        // From where the coarse level came from: among bars its few patches may have gone astray.
        aligned = aligner.align(reference, frames, from: start, level: level, count: 48, steps: 6, shapeDeviation: 0.25)
      }
      guard let step = aligned, level == finest || Self.isLike(step.frameFromReference, map, reference) else {
        // Too few patches at the coarse level do not speak against the hypothesis.
        if level == finest { return nil }
        continue
      }
      guard step.correlation > Self.leastCorrelation else { return nil }
      map = step.frameFromReference
      found = step
    }
    guard let found, let back = model.referenceFromThumbnail.inverse else { return nil }
    return (found.correlation, (map * back).scaled)
  }
}
