import SightlineCamera
import SightlineImaging
import SightlineMath

/// Guesses which targets are where by the outlines of prints, without any features.
///
/// What is inside each quadrilateral of straight edges is brought to a few grey levels, and the targets that look like that are guesses.
/// This finds pages of text and pictures with little in them as well as others, small and steep ones too, as long as two opposite
/// corners and much of the sides are seen.
final class OutlineGuesser {
  /// Most quadrilaterals that are looked into, most targets told of for each, and most guesses.
  private static let (quads, likely, guesses) = (40, 3, 10)
  /// Least likeness of a guess.
  private static let least: Float = 0.55

  private let models: [TargetModel]
  private let signatures: PictureSignatures
  private let edges = StraightEdges()
  private var outlines = PrintOutlines()
  private var alike: [PictureSignatures.Likely] = []

  init(_ models: [TargetModel]) {
    self.models = models
    signatures = PictureSignatures(models)
  }

  /// Makes guesses in a frame, the likeliest first.
  func guess(
    _ frames: FramePyramid,
    level: Int,
    isWanted: [Bool],
    into candidates: inout [CandidateFinder.Candidate]
  ) {
    candidates.removeAll(keepingCapacity: true)
    frames.levels[level].withView { edges.set($0) }
    outlines.find(edges, limit: Self.quads)
    let scale = Double(1 << level)
    for outline in outlines.outlines {
      var corners = InlineArray<4, Vector2>(repeating: .zero)
      for i in 0..<4 {
        let p = outline.corners[i]
        corners[i] = Vector2((Double(p.x) + 0.5) * scale - 0.5, (Double(p.y) + 0.5) * scale - 0.5)
      }
      signatures.look(frames, corners, isWanted: isWanted, least: Self.least, limit: Self.likely, into: &alike)
      for item in alike {
        guard let map = Self.map(corners, turn: item.turn, extent: models[item.target].extent) else { continue }
        let guess = Hypothesis(frameFromReference: map, support: 0, weight: item.likeness)
        candidates.append(CandidateFinder.Candidate(target: item.target, guess: guess))
      }
    }
    candidates.sort { ($0.guess.weight, $1.target) > ($1.guess.weight, $0.target) }
    if candidates.count > Self.guesses { candidates.removeLast(candidates.count - Self.guesses) }
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
