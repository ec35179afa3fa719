import SightlineCamera
import SightlineImaging
import SightlineMath

/// What a frame says of a target that was aligned in it.
enum VerificationResult: Equatable {
  /// It shows the target; `score` says how strongly, 0 where there is nothing to be told apart.
  case accepted(score: Double)
  /// Not enough speaks for it, by so much of the score (`margin` is at most 0). It may still be the best explanation of
  /// its place, or a competing
  /// one of that of another; −∞ when it can only be that.
  case deferred(score: Double, margin: Double)
  /// It is something else.
  case rejected
}

/// Decides whether a frame shows a target where it was aligned.
///
/// What agrees in part may be covered, or another picture with the same part: the print's end where it has to be
/// (``BoundaryCheck``) speaks for the
/// first, disagreement that its boundary encloses (``MismatchMap``) for the second. The score is
///
///     s = r + 10 max(0, r − 0.95) + 4 b − 15 e b − 2 max(0, 0.7 − c) + 0.2 min(1.2, m / 55) − 1.5 max(0, log₂(90 / a))
///
/// of inlier ratio r, boundary b, enclosed mismatch e, mean correlation c, match inliers m and side a of the print in
/// pixels, and has to exceed a threshold that grows
/// with the logarithm of the number of targets that were asked. `Recognition.md` has the measurements.
struct Verifier {
  /// The score, its threshold and what is required besides.
  struct Parameters {
    /// Fewest patches that agree, and least coverage of the target by sixteenths, of anything that is accepted.
    var leastInliers = 8
    var leastCoverage = 0.25
    /// Least inlier ratio when there is one target only and matches led to it.
    var leastRatioAlone = 0.6
    /// Least inlier ratio, and coverage, among several.
    ///
    /// With 0.5 instead, two of 160 known pictures among 20 targets were not named, and no unknown one less.
    var leastRatio = 0.45
    var leastCoverageAmongSeveral = 0.35
    /// Least mean correlation among several: what agrees in half by chance correlates less.
    var leastCorrelation = 0.4
    /// Inlier ratio from which on no mismatch is looked for.
    var nearlyAll = 0.9
    /// What only a quadrilateral speaks for: least inlier ratio; among many a lower one, of what may be covered, if
    /// less than that mismatch is enclosed; least share of its boundary; least coverage among few and among many,
    /// unless nearly all of the boundary is seen.
    ///
    /// Prints in motion end softly, so no more of the boundary can be wanted.
    var quadRatio = 0.75
    var quadCoveredRatio = 0.6
    var quadCoveredMismatch = 0.1
    var quadBoundary = 0.45
    var quadCoverage = (few: 0.5, many: 0.45)
    var wholeBoundary = 0.9
    /// Match inliers from which on something that agrees with a motion blur that was searched for is not asked for
    /// `quadBoundary`.
    ///
    /// Such a blur draws a target out to streaks, which fit a page's lines or the grain of wood by chance. Midway by
    /// ratio between the most of what agreed so (7) and the least of what was right (25) on the development seeds.
    var blurredMatches = 13
    /// Least coverage of what agrees in more than `nearlyAll`, unless this share of its boundary is seen: a print with
    /// little in it agrees in one place, and so does something else that is plain.
    var wholeCoverage = 0.5
    /// Among many, least share of the boundary of what agrees in more than `nearlyWhole`: nothing covers that, so it
    /// ends where it has to, or it is the part of a larger picture that shows the same photograph.
    var wholeBoundaryShare = 0.56
    /// Most of the boundary in the frame that may disagree with what agrees in more than `nearlyWhole`: that is not
    /// covered, so it agrees up to its end, or it is a picture in another one without the margin it should have.
    ///
    /// Midway between the most of what was right (0.62) and the least of what was false (0.69) on the development seeds.
    var wholeDiffering = 0.655
    /// None of these is asked of a print of whose boundary no more places than these lie in the frame.
    var wholeLooked = 2 * BoundaryCheck.places
    /// Weights of the score.
    var weights = Weights()
    /// Threshold of the score: at least `least`, else `base + perDecade · log₁₀(number of targets)`.
    ///
    /// Chosen so that at most 2 of 500 pictures of unknown things are named; `Recognition.md` says how far that is
    /// reached.
    var threshold = (least: 1.75, base: 1.07, perDecade: 0.64)
  }

  /// Weights of the score, per unit of what they are of.
  struct Weights {
    /// Of what the inlier ratio exceeds `nearlyWhole` by.
    var whole = 10.0
    var nearlyWhole = 0.95
    /// Of the boundary's share.
    var boundary = 4.0
    /// Of the enclosed mismatch, by the boundary's share.
    ///
    /// Where 588 of 640 known pictures are right among 20 targets, 7 of 1,600 unknown ones are named; with a weight of
    /// 10 it is 15 of them.
    var enclosed = 15.0
    /// Of what the mean correlation lacks to `goodCorrelation`: what agrees in half agrees well there when the rest is
    /// covered, and by chance when it is something else.
    ///
    /// Without it 2 of 384 unknown pictures were named instead of one, and 37 of 180 of a known layout instead of 33,
    /// with the weight of `enclosed` at 10.
    var correlation = 2.0
    var goodCorrelation = 0.7
    /// Of match inliers as a share of `manyMatches`, at most `mostMatches` of it: they hardly add anything.
    var matches = 0.2
    var manyMatches = 55.0
    var mostMatches = 1.2
    /// Of each halving of the side below `fullSide` pixels: what is small has few pixels to agree by chance.
    var halving = 1.5
    var fullSide = 90.0
  }

  var parameters = Parameters()
  /// How many targets are looked for.
  let targetCount: Int
  /// Whether they are so many that thumbnails are looked at first.
  let hasMany: Bool

  /// Least score that is accepted.
  var threshold: Double {
    let decades = log(Double(targetCount)) / log(10)
    return max(parameters.threshold.least, parameters.threshold.base + parameters.threshold.perDecade * decades)
  }

  /// What a frame says of an alignment.
  ///
  /// - Parameters:
  ///   - found: what was aligned last, at the level.
  ///   - comparison: the patches that were compared for it.
  ///   - reference: what it is of.
  ///   - frames: the frame.
  ///   - level: of the frame.
  /// - Returns: what is to be believed.
  func callAsFunction(
    _ found: Alignment,
    _ comparison: Aligner.Comparison,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    level: Int
  ) -> VerificationResult {
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners), found.inlierCount >= parameters.leastInliers, found.coverage >= parameters.leastCoverage
    else { return .rejected }
    guard targetCount > 1 || found.matchInliers == 0 else {
      return found.inlierRatio > parameters.leastRatioAlone ? .accepted(score: 0) : .rejected
    }
    let competing = VerificationResult.deferred(score: 0, margin: -.infinity)
    let agreesNearly = found.inlierRatio > parameters.nearlyAll
    guard found.inlierRatio > parameters.leastRatio, found.correlation > parameters.leastCorrelation,
      found.coverage > parameters.leastCoverageAmongSeveral || agreesNearly
    else { return competing }
    let map = (FramePyramid.levelFromFrame(level) * found.frameFromReference).scaled
    guard let back = map.inverse else { return competing }
    let boundary = frames.levels[level].withView {
      BoundaryCheck.look(reference, map, contrast: comparison.contrast, in: $0)
    }
    let enclosed =
      agreesNearly
      ? 0 : MismatchMap(comparison, back, reference, noise: frames.noise(level)).enclosed(boundary)
    if found.matchInliers == 0 && !isQuadBelievable(found, boundary.share, enclosed) { return competing }
    if found.blurVector != nil && found.matchInliers < parameters.blurredMatches
      && boundary.share <= parameters.quadBoundary
    {
      return competing
    }
    let isWhole = found.inlierRatio > parameters.weights.nearlyWhole
    if boundary.share < parameters.wholeBoundaryShare && boundary.looked > parameters.wholeLooked {
      if isWhole && boundary.differing > parameters.wholeDiffering { return competing }
      if agreesNearly && found.coverage <= parameters.wholeCoverage { return competing }
      if hasMany && isWhole { return competing }
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    let score = score(found, boundary: boundary.share, enclosed: enclosed, side: size)
    let margin = score - threshold
    return margin > 0 ? .accepted(score: score) : .deferred(score: score, margin: margin)
  }

  /// Whether what only a quadrilateral speaks for lies on one still, or it slid onto a part of something else, and
  /// agrees with nearly all of what that holds; or, where the score that is wanted among many keeps out the rest, with
  /// all that is not covered.
  ///
  /// What agrees has to lie all over it, unless it ends nearly everywhere where it should: a print with little in it
  /// has that in one place.
  private func isQuadBelievable(_ found: Alignment, _ boundary: Double, _ enclosed: Double) -> Bool {
    let isCovered =
      hasMany && found.inlierRatio > parameters.quadCoveredRatio && enclosed < parameters.quadCoveredMismatch
    let leastCoverage = hasMany ? parameters.quadCoverage.many : parameters.quadCoverage.few
    return (found.inlierRatio > parameters.quadRatio || isCovered) && boundary > parameters.quadBoundary
      && (found.coverage > leastCoverage || boundary > parameters.wholeBoundary)
  }

  /// How strongly inliers, boundary, mismatch, correlation, matches and size together speak for a target.
  func score(_ found: Alignment, boundary: Double, enclosed: Double, side: Double) -> Double {
    let w = parameters.weights
    var score = found.inlierRatio + w.whole * max(0, found.inlierRatio - w.nearlyWhole)
    score += w.boundary * boundary - w.enclosed * enclosed * boundary
    score -= w.correlation * max(0, w.goodCorrelation - found.correlation)
    score += w.matches * min(w.mostMatches, Double(found.matchInliers) / w.manyMatches)
    score -= w.halving * max(0, log(w.fullSide / side) / log(2))
    return score
  }
}
