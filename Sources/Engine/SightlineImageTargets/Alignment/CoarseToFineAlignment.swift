import SightlineCamera
import SightlineImaging
import SightlineMath

/// A hypothesis that is being aligned to a frame from coarse to fine, one alignment a step.
///
/// At most two levels above the finest, then, where the correlation leaves room for it, a search for the motion blur
/// that explains the frame, and at
/// last an alignment rendered where it has come to: what is verified is about that place.
struct CoarseToFineAlignment {
  /// How it is aligned.
  struct Parameters {
    /// Side of a print in a level's pixels below which that level is not begun at.
    var leastSide = 36.0
    /// Most levels above the finest.
    var coarserLevels = 2
    /// Pixels of the frame to one of the reference along a side above which a level is too fine for the reference.
    var mostEnlarged = 1.7
    /// Patches and Gauss–Newton steps at a coarse level, at the finest, and at the last alignment.
    var coarse = (patches: 60, steps: 8)
    var fine = (patches: 100, steps: 6)
    var last = (patches: 160, steps: 5)
    /// Deviation of the shape's prior, see ``Aligner``.
    var shapeDeviation = 0.25
    /// Least mean correlation to go on with at a coarse level, and at the finest.
    var leastCorrelation = (coarse: 0.15, fine: 0.3)
    /// Mean correlation from which on no motion blur is looked for.
    var sharp = 0.85
    /// Lengths of motion blur that are tried, pixels, each in so many directions of a half turn, and what the best is
    /// turned (radians) and stretched
    /// by then.
    var blurLengths = [7.0, 16]
    var blurDirections = 4
    var blurChanges = [(0.35, 1.0), (-0.35, 1), (0, 1.4), (0, 0.7)]
    /// Least side of the print, in lengths of the blur.
    var leastSideOverBlur = 3.0
    /// By how much a blur has to correlate better than none.
    var blurGain = 0.03
    /// Patches, steps and shape's deviation that blurs are tried with.
    var blurTrial = (patches: 36, steps: 4, shapeDeviation: 0.1)
  }

  /// What a step led to.
  enum Outcome {
    case going
    /// The frame does not agree.
    case failed
    /// Aligned at the finest level: whether that convinces is for the ``Verifier`` to say.
    case aligned(Alignment, Aligner.Comparison)
  }

  private enum Step { case levels, blurs(Int), last(Int) }

  let target: Int
  let hypothesis: Hypothesis
  /// Correlation of the thumbnail; −1 when that was not asked.
  let fit: Double
  /// The finest level of the frame it is aligned at.
  let finest: Int
  private let parameters: Parameters
  private let size: Double
  private var level: Int
  private var map: Homography
  private var found: Alignment?
  private var step = Step.levels
  /// What was found of the motion blur so far.
  private var steady = -1.0
  private var best: (blurVector: Vector2, score: Double) = (.zero, -1)
  private var motionBlur: MotionBlur?

  /// `nil` when the hypothesis is no picture seen from its front.
  init?(
    _ candidate: Candidate,
    _ extent: SIMD2<Float>,
    _ frames: FramePyramid,
    _ parameters: Parameters = Parameters()
  ) {
    let (width, height) = (Double(extent.x), Double(extent.y))
    let hypothesis = candidate.hypothesis
    guard let corners = hypothesis.frameFromReference.corners(width: width, height: height), isPlausible(corners)
    else { return nil }
    (target, self.hypothesis, fit) = (candidate.target, hypothesis, candidate.fit)
    self.parameters = parameters
    size = (doubleArea(corners) / 2).squareRoot()
    finest = frames.finestLevel(size, width, height, mostEnlarged: parameters.mostEnlarged)
    level = finest
    map = hypothesis.frameFromReference
    while level + 1 < frames.levels.count && size / Double(2 << level) > parameters.leastSide
      && level < finest + parameters.coarserLevels
    {
      level += 1
    }
  }

  /// Does the next alignment.
  mutating func advance(_ aligner: Aligner, _ reference: ReferencePyramid, _ frames: FramePyramid) -> Outcome {
    switch step {
    case .levels: return alignLevel(aligner, reference, frames)
    case .blurs(let index):
      tryBlur(index, aligner, reference, frames)
      return .going
    case .last(let round): return alignLast(round, aligner, reference, frames)
    }
  }

  private mutating func alignLast(
    _ round: Int,
    _ aligner: Aligner,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid
  ) -> Outcome {
    if let again = aligner.align(
      reference,
      frames,
      from: map,
      level: finest,
      count: parameters.last.patches,
      steps: parameters.last.steps,
      shapeDeviation: parameters.shapeDeviation,
      motionBlur: motionBlur
    ) {
      found = again
      map = again.frameFromReference
    }
    if motionBlur != nil && round == 0 {
      step = .last(1)
      return .going
    }
    guard var found else { return .failed }
    found.matchInliers = hypothesis.matchInliers
    if let motionBlur { found.blurVector = motionBlur.at(.zero) }
    return .aligned(found, aligner.comparison)
  }

  private mutating func alignLevel(
    _ aligner: Aligner,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid
  ) -> Outcome {
    let isLast = level == finest
    let effort = isLast ? parameters.fine : parameters.coarse
    func aligned(from map: Homography) -> Alignment? {
      aligner.align(
        reference,
        frames,
        from: map,
        level: level,
        count: effort.patches,
        steps: effort.steps,
        shapeDeviation: parameters.shapeDeviation
      )
    }
    let next = aligned(from: map) ?? (isLast && found != nil ? aligned(from: hypothesis.frameFromReference) : nil)
    level -= 1
    // What is small or plain has few patches at the coarse level, which may lead it astray; the fine one has more.
    guard let next, isLast || reference.isSimilar(next.frameFromReference, to: map) else {
      return isLast ? .failed : .going
    }
    guard next.correlation > parameters.leastCorrelation.coarse else { return .failed }
    map = next.frameFromReference
    found = next
    guard isLast else { return .going }
    guard next.correlation > parameters.leastCorrelation.fine else { return .failed }
    step = next.correlation < parameters.sharp ? .blurs(0) : .last(0)
    return .going
  }

  /// Tries the next motion blur; at the end there is one when it explains the frame better than a steady camera does.
  private mutating func tryBlur(
    _ index: Int,
    _ aligner: Aligner,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid
  ) {
    step = .blurs(index + 1)
    func score(_ blurVector: Vector2?) -> Double {
      aligner.align(
        reference,
        frames,
        from: map,
        level: min(finest + 1, frames.levels.count - 1),
        count: parameters.blurTrial.patches,
        steps: parameters.blurTrial.steps,
        shapeDeviation: parameters.blurTrial.shapeDeviation,
        motionBlur: blurVector.map { MotionBlur($0) }
      )?.correlation ?? -1
    }
    func attempt(_ blurVector: Vector2) {
      let value = score(blurVector)
      if value > best.score { best = (blurVector, value) }
    }
    let count = parameters.blurLengths.count * parameters.blurDirections
    if index == 0 {
      steady = score(nil)
      best.score = steady
    } else if index <= count {
      let length = parameters.blurLengths[(index - 1) / parameters.blurDirections]
      if length < size / parameters.leastSideOverBlur {
        let angle = Double((index - 1) % parameters.blurDirections) * pi / Double(parameters.blurDirections)
        attempt(Vector2(cos(angle), sin(angle)) * length)
      }
      if index == count && best.score <= steady + parameters.blurGain { step = .last(0) }
    } else {
      let (turn, scale) = parameters.blurChanges[index - 1 - count]
      attempt(best.blurVector.rotated(cosine: cos(turn), sine: sin(turn)) * scale)
      if index - count == parameters.blurChanges.count {
        motionBlur = MotionBlur(best.blurVector)
        step = .last(0)
      }
    }
  }
}

extension FramePyramid {
  /// The finest level in which a print of a side of `size` pixels in the frame has pixels no finer than its
  /// reference's, `mostEnlarged` aside.
  func finestLevel(_ size: Double, _ width: Double, _ height: Double, mostEnlarged: Double) -> Int {
    let own = (width * height).squareRoot()
    var level = 0
    while level + 1 < levels.count && size / Double(1 << level) > mostEnlarged * own { level += 1 }
    return level
  }
}

extension ReferencePyramid {
  /// Whether a map leaves the print about as large as another does, and where that puts it.
  func isSimilar(_ moved: Homography, to map: Homography) -> Bool {
    guard let p = map.corners(width: width, height: height),
      let q = moved.corners(width: width, height: height), isPlausible(q)
    else { return false }
    let (before, after) = (doubleArea(p), doubleArea(q))
    let middle = ((p[0] + p[2]) - (q[0] + q[2])) * 0.5
    return after > 0.5 * before && after < 2 * before && middle.length < 0.25 * (before / 2).squareRoot() + 4
  }
}
