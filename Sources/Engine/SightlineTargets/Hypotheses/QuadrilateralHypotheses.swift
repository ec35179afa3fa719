import SightlineCamera
import SightlineImaging
import SightlineMath

/// Hypotheses which targets are where by the outlines of prints, without any features.
///
/// What is inside each quadrilateral of straight edges is brought to a few grey levels, and the targets that look like that are hypotheses.
/// This finds pages of text and pictures with little in them as well as others, small and steep ones too, as long as two opposite
/// corners and much of the sides are seen.
final class QuadrilateralHypotheses {
  /// Most quadrilaterals that are looked into, most targets told of for each, and most hypotheses.
  private static let (quads, likely, hypotheses) = (40, 6, 20)
  /// Least likeness of a hypothesis.
  private static let least: Float = 0.55

  private let models: [TargetModel]
  private let binaryCodes: ThumbnailIndex
  private let edges = LineSegmentDetector()
  private var outlines = QuadrilateralFinder()
  /// The level of the frame that is looked at, without its grain.
  private var smooth = GrayImage(width: 1, height: 1)
  private var isSmooth = false
  private var alike: [ThumbnailIndex.Likely] = []

  init(_ models: [TargetModel]) {
    self.models = models
    binaryCodes = ThumbnailIndex(models)
  }

  /// What comes next: taking the grain away, edges, quadrilaterals of them, or what is inside those from one on.
  private enum Step { case grain(Int), edges, outlines, inside(Int), done }
  private var part = Step.done
  /// Quadrilaterals looked into at once.
  private static let batch = 5

  /// Whether the hypotheses are complete.
  var isDone: Bool {
    if case .done = part { return true }
    return false
  }

  /// Begins to make hypotheses, which ``goOn(_:level:isWanted:into:)`` does piece by piece.
  ///
  /// With a `radius` other than 0 edges are looked for in what is left of the level without its grain, see ``GrayImage/setMedian(of:radius:)``.
  func begin(
    _ frames: FramePyramid,
    level: Int,
    radius: Int = 0,
    _ candidates: inout [CandidateFinder.Candidate]
  ) {
    candidates.removeAll(keepingCapacity: true)
    frames.levels[level].withView { edges.begin($0) }
    isSmooth = radius > 0
    part = isSmooth ? .grain(radius) : .edges
  }

  /// Does a piece of making hypotheses in a level of a frame, at the end the likeliest first; answers what that took.
  func goOn(
    _ frames: FramePyramid,
    level: Int,
    isWanted: [Bool],
    into candidates: inout [CandidateFinder.Candidate]
  ) -> Int {
    switch part {
    case .grain(let radius):
      frames.levels[level].withView { smooth.setMedian(of: $0, radius: radius) }
      part = .edges
      return smooth.width * smooth.height * (radius == 1 ? Cost.medianOf9 : Cost.medianOf25) / 1_000_000
    case .edges:
      let work = (isSmooth ? smooth : frames.levels[level]).withView { edges.goOn($0) }
      if edges.isDone {
        outlines.begin()
        part = .outlines
      }
      return work
    case .outlines:
      let work = outlines.goOn(edges, limit: Self.quads)
      if outlines.isDone { part = .inside(0) }
      return work
    case .inside(let first):
      let end = min(outlines.outlines.count, first + Self.batch)
      look(frames, outlines.outlines[first..<end], level: level, isWanted: isWanted, into: &candidates)
      guard end == outlines.outlines.count else {
        part = .inside(end)
        return (end - first) * (Cost.inside + models.count * Cost.target) / 1000
      }
      part = .done
      candidates.sort { ($0.hypothesis.weight, $1.target) > ($1.hypothesis.weight, $0.target) }
      if candidates.count > Self.hypotheses { candidates.removeLast(candidates.count - Self.hypotheses) }
      return (end - first) * (Cost.inside + models.count * Cost.target) / 1000
    case .done: return 0
    }
  }

  /// What takes how long, nanoseconds: a quadrilateral looked into, and compared with a target; a thousand medians.
  private enum Cost {
    static let inside = 12_500
    static let target = 25
    static let medianOf9 = 2000
    static let medianOf25 = 30_000
  }

  private func look(
    _ frames: FramePyramid,
    _ some: ArraySlice<QuadrilateralFinder.Quad>,
    level: Int,
    isWanted: [Bool],
    into candidates: inout [CandidateFinder.Candidate]
  ) {
    let scale = Double(1 << level)
    for outline in some {
      var corners = InlineArray<4, Vector2>(repeating: .zero)
      for i in 0..<4 {
        let p = outline.corners[i]
        corners[i] = Vector2((Double(p.x) + 0.5) * scale - 0.5, (Double(p.y) + 0.5) * scale - 0.5)
      }
      binaryCodes.look(frames, corners, isWanted: isWanted, least: Self.least, limit: Self.likely, into: &alike)
      for item in alike {
        guard let map = Self.map(corners, turn: item.turn, extent: models[item.target].extent) else { continue }
        let hypothesis = Hypothesis(frameFromReference: map, matchInliers: 0, weight: item.likeness)
        candidates.append(CandidateFinder.Candidate(target: item.target, hypothesis: hypothesis))
      }
    }
  }

  /// From a reference of this size to an outline whose corner `turn` is the reference's first.
  private static func map(_ corners: InlineArray<4, Vector2>, turn: Int, extent: SIMD2<Float>) -> Homography? {
    var turned = corners
    for i in 0..<4 { turned[i] = corners[(i + turn) & 3] }
    guard let square = Homography(unitSquareTo: turned) else { return nil }
    let (w, h) = (Double(extent.x), Double(extent.y))
    let unit = Homography(
      Matrix3(rows: Vector3(1 / w, 0, 0.5 / w), Vector3(0, 1 / h, 0.5 / h), Vector3(0, 0, 1))
    )
    return (square * unit).scaled
  }
}
