import SightlineCamera
import SightlineImaging
import SightlineMath

/// Pose hypotheses by quadrilaterals, without any features.
///
/// Line segments (``LineSegmentDetector``) make quadrilaterals (``QuadrilateralFinder``); what each holds is brought to
/// a few grey levels and looked up
/// among the thumbnails of all targets (``ThumbnailIndex``). This finds pages of text and pictures with little in them
/// as well as others, small
/// and steep ones too, as long as two opposite corners and much of the sides are seen.
final class QuadrilateralHypotheses {
  /// How many are made.
  struct Parameters {
    /// Most quadrilaterals that are looked into.
    var quads = 40
    /// Most targets told of for each, and most hypotheses of all: six and twenty instead of three and ten let prints
    /// from aside come to the front.
    var perQuad = 6
    var limit = 20
    /// Least cosine between the thumbnail descriptors.
    var leastLikeness: Float = 0.55
    /// Quadrilaterals looked into in one step.
    var batch = 5
  }

  /// What comes next: the median filter of a radius, line segments, quadrilaterals of them, or what is inside those
  /// from one on.
  private enum Step { case filter(Int), segments, quads, inside(Int), done }

  let parameters: Parameters
  /// The hypotheses of the frame, at the end the likeliest first.
  private(set) var candidates: [Candidate] = []
  private let models: [TargetModel]
  private let thumbnails: ThumbnailIndex
  private let segments = LineSegmentDetector()
  private var finder = QuadrilateralFinder()
  /// The level of the frame that is looked at, median-filtered.
  private var filtered = GrayImage(width: 1, height: 1)
  private var isFiltered = false
  private var alike: [ThumbnailIndex.Likely] = []
  private var step = Step.done

  init(_ models: [TargetModel], parameters: Parameters = Parameters()) {
    (self.models, self.parameters) = (models, parameters)
    thumbnails = ThumbnailIndex(models)
  }

  /// Whether the hypotheses are complete.
  var isDone: Bool {
    if case .done = step { return true }
    return false
  }

  /// Begins to make hypotheses, which ``advance(_:level:isWanted:)`` does step by step.
  ///
  /// With a `radius` other than 0 segments are looked for in the median-filtered level, see
  /// ``GrayImage/setMedian(of:radius:)``.
  func begin(_ frames: FramePyramid, level: Int, radius: Int = 0) {
    candidates.removeAll(keepingCapacity: true)
    frames.levels[level].withView { segments.begin($0) }
    isFiltered = radius > 0
    step = isFiltered ? .filter(radius) : .segments
  }

  /// Does the next step in a level of a frame; answers what that cost, work units.
  func advance(_ frames: FramePyramid, level: Int, isWanted: [Bool]) -> Int {
    switch step {
    case .filter(let radius):
      frames.levels[level].withView { filtered.setMedian(of: $0, radius: radius) }
      step = .segments
      let cost = radius == 1 ? WorkCost.medianOf9 : WorkCost.medianOf25
      return WorkCost.units(filtered.width * filtered.height, perThousand: cost)
    case .segments:
      let work = (isFiltered ? filtered : frames.levels[level]).withView { segments.advance($0) }
      if segments.isDone {
        finder.begin()
        step = .quads
      }
      return work
    case .quads:
      let work = finder.advance(segments, limit: parameters.quads)
      if finder.isDone { step = .inside(0) }
      return work
    case .inside(let first):
      let quads = finder.outlines
      let end = min(quads.count, first + parameters.batch)
      look(frames, quads[first..<end], level: level, isWanted: isWanted)
      step = end < quads.count ? .inside(end) : .done
      if isDone {
        candidates.sortStably { ($0.hypothesis.weight, $1.target) > ($1.hypothesis.weight, $0.target) }
        if candidates.count > parameters.limit { candidates.removeLast(candidates.count - parameters.limit) }
      }
      return WorkCost.units(end - first, WorkCost.thumbnailRead + models.count * WorkCost.thumbnailComparison)
    case .done: return 0
    }
  }

  private func look(
    _ frames: FramePyramid,
    _ some: ArraySlice<QuadrilateralFinder.Quad>,
    level: Int,
    isWanted: [Bool]
  ) {
    let scale = Double(1 << level)
    for outline in some {
      var corners = InlineArray<4, Vector2>(repeating: .zero)
      for i in 0..<4 {
        let p = outline.corners[i]
        corners[i] = Vector2((Double(p.x) + 0.5) * scale - 0.5, (Double(p.y) + 0.5) * scale - 0.5)
      }
      thumbnails.look(
        frames,
        corners,
        isWanted: isWanted,
        least: parameters.leastLikeness,
        limit: parameters.perQuad,
        into: &alike
      )
      for item in alike {
        guard let map = Self.map(corners, turn: item.turn, extent: models[item.target].extent) else { continue }
        let hypothesis = Hypothesis(frameFromReference: map, matchInliers: 0, weight: item.likeness)
        candidates.append(Candidate(target: item.target, hypothesis: hypothesis))
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
