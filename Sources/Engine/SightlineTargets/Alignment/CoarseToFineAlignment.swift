import SightlineCamera
import SightlineImaging
import SightlineMath

/// A hypothesis that is being aligned to a frame from coarse to fine, one alignment after another.
struct CoarseToFineAlignment {
  /// What a piece of the work led to.
  enum Outcome {
    case going
    /// The frame does not agree.
    case failed
    /// Aligned; whether that convinces is for others to say.
    case aligned(Alignment)
  }

  private enum Step { case levels, ways(Int), place(Int) }

  let target: Int
  let hypothesis: Hypothesis
  /// How well the small picture fitted; −1 when that was not asked.
  let fit: Double
  private let size: Double
  /// The finest level of the frame it is aligned at.
  let finest: Int
  private var level: Int
  private var map: Homography
  private var found: Alignment?
  private var part = Step.levels
  /// What was found of the motionBlur so far.
  private var steady = -1.0
  private var best: (way: Vector2, score: Double) = (.zero, -1)
  private var motionBlur: MotionBlur?

  /// `nil` when the hypothesis is no picture seen from its front.
  init?(_ target: Int, _ hypothesis: Hypothesis, fit: Double, _ extent: SIMD2<Float>, _ frames: FramePyramid) {
    let (width, height) = (Double(extent.x), Double(extent.y))
    guard let corners = hypothesis.frameFromReference.corners(width: width, height: height), isPlausible(corners) else {
      return nil
    }
    (self.target, self.hypothesis, self.fit) = (target, hypothesis, fit)
    size = (doubleArea(corners) / 2).squareRoot()
    finest = TargetDetector.finestLevel(size, width, height, frames)
    level = finest
    map = hypothesis.frameFromReference
    while level + 1 < frames.levels.count && size / Double(2 << level) > 36 && level < finest + 2 { level += 1 }
  }

  /// Does the next alignment.
  mutating func goOn(_ aligner: Aligner, _ reference: ReferencePyramid, _ frames: FramePyramid) -> Outcome {
    switch part {
    case .levels: return alignLevel(aligner, reference, frames)
    case .ways(let index):
      tryWay(index, aligner, reference, frames)
      return .going
    case .place(let round):
      // Rendered anew where it has come to: the judgement is about this place.
      if let again = aligner.align(
        reference,
        frames,
        from: map,
        level: finest,
        count: 160,
        steps: 5,
        shapeDeviation: 0.25,
        motionBlur: motionBlur
      ) {
        found = again
        map = again.frameFromReference
      }
      if motionBlur != nil && round == 0 {
        part = .place(1)
        return .going
      }
      guard var found else { return .failed }
      found.matchInliers = hypothesis.matchInliers
      if let motionBlur { found.blurVector = motionBlur.at(.zero) }
      return .aligned(found)
    }
  }

  private mutating func alignLevel(
    _ aligner: Aligner,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid
  ) -> Outcome {
    let isLast = level == finest
    func aligned(from map: Homography) -> Alignment? {
      aligner.align(
        reference,
        frames,
        from: map,
        level: level,
        count: isLast ? 100 : 60,
        steps: isLast ? 6 : 8,
        shapeDeviation: 0.25
      )
    }
    let step = aligned(from: map) ?? (isLast && found != nil ? aligned(from: hypothesis.frameFromReference) : nil)
    level -= 1
    // What is small or plain has few patches at the coarse level, which may lead it astray; the fine one has more.
    guard let step, isLast || TargetDetector.isLike(step.frameFromReference, map, reference) else {
      return isLast ? .failed : .going
    }
    guard step.correlation > 0.15 else { return .failed }
    map = step.frameFromReference
    found = step
    guard isLast else { return .going }
    guard step.correlation > 0.3 else { return .failed }
    part = step.correlation < 0.85 ? .ways(0) : .place(0)
    return .going
  }

  /// Ways the frame may be blurred along: lengths, pixels, each in so many directions of a half turn.
  private static let lengths = [7.0, 16]
  private static let directions = 4
  /// What the best of them is turned and stretched by then.
  private static let changes = [(0.35, 1.0), (-0.35, 1), (0, 1.4), (0, 0.7)]

  /// Tries the next way the frame may be blurred along; at the end there is a motionBlur when it explains the frame better than a steady camera does.
  private mutating func tryWay(
    _ index: Int,
    _ aligner: Aligner,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid
  ) {
    part = .ways(index + 1)
    func score(_ way: Vector2?) -> Double {
      aligner.align(
        reference,
        frames,
        from: map,
        level: min(finest + 1, frames.levels.count - 1),
        count: 36,
        steps: 4,
        shapeDeviation: 0.1,
        motionBlur: way.map { Self.motionBlur($0) }
      )?.correlation ?? -1
    }
    let count = Self.lengths.count * Self.directions
    if index == 0 {
      steady = score(nil)
      best.score = steady
    } else if index <= count {
      let length = Self.lengths[(index - 1) / Self.directions]
      if length < size / 3 {
        let angle = Double((index - 1) % Self.directions) * pi / Double(Self.directions)
        let way = Vector2(cos(angle), sin(angle)) * length
        let value = score(way)
        if value > best.score { best = (way, value) }
      }
      if index == count && best.score <= steady + 0.03 { part = .place(0) }
    } else {
      let (turn, scale) = Self.changes[index - 1 - count]
      let way = best.way.rotated(cosine: cos(turn), sine: sin(turn)) * scale
      let value = score(way)
      if value > best.score { best = (way, value) }
      if index - count == Self.changes.count {
        motionBlur = Self.motionBlur(best.way)
        part = .place(0)
      }
    }
  }

  static func motionBlur(_ way: Vector2) -> MotionBlur {
    let before = Homography(Matrix3(rows: Vector3(1, 0, -way.x), Vector3(0, 1, -way.y), Vector3(0, 0, 1)))
    return MotionBlur(before: before, exposure: 1)
  }
}
