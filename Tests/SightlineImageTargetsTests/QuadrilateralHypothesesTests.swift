import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct QuadrilateralHypothesesTests {
  private func target(_ picture: GrayImage, _ name: String = "a") -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  /// A picture with hardly any features: a few broad, soft keypoints.
  private func soft(seed: UInt64) -> GrayImage {
    var random = SplitMix64(seed: seed)
    let keypoints = (0..<5).map { _ in
      (
        Vector2(Double.random(in: 0...160, using: &random), Double.random(in: 0...120, using: &random)),
        Double.random(in: 25...50, using: &random), Double.random(in: -70...70, using: &random)
      )
    }
    var image = GrayImage(width: 160, height: 120)
    for y in 0..<120 {
      for x in 0..<160 {
        var level = 165.0
        for (center, size, height) in keypoints {
          let d = Vector2(Double(x), Double(y)) - center
          level += height / (1 + d.dot(d) / (size * size))
        }
        image[x, y] = UInt8(clamp(level, 0, 255))
      }
    }
    return image
  }

  private func edges(of frame: GrayImage) -> LineSegmentDetector {
    let edges = LineSegmentDetector()
    frame.withView { edges.set($0) }
    return edges
  }

  @Test func `each side of a turned print is a straight edge`() {
    let quad = Posters.quad(Vector2(81, 62), 90, 60, degrees: 17)
    let edges = edges(
      of: Posters.frame([(GrayImage(width: 90, height: 60, level: 160), quad)], width: 160, height: 120)
    )
    for i in 0..<4 {
      let (a, b) = (quad[i], quad[(i + 1) & 3])
      let way = (b - a) * (1 / (b - a).length)
      let isSeen = edges.edges.contains { edge in
        let off = [edge.from, edge.to].map { p in
          let d = Vector2(Double(p.x), Double(p.y)) - a
          return abs(d.x * way.y - d.y * way.x)
        }
        return off.allSatisfy { $0 < 0.7 } && Double(edge.length) > 0.8 * (b - a).length
      }
      #expect(isSeen, "side \(i)")
    }
  }

  @Test func `a print with a covered corner has its outline`() throws {
    let quad = Posters.quad(Vector2(80, 60), 96, 66, degrees: -24, lean: 0.15)
    var frame = Posters.frame([(GrayImage(width: 96, height: 66, level: 170), quad)], width: 160, height: 120)
    for y in 0..<120 {
      for x in 0..<160 where (Vector2(Double(x), Double(y)) - quad[1]).length < 12 { frame[x, y] = 90 }
    }
    var outlines = QuadrilateralFinder()
    outlines.find(edges(of: frame), limit: 5)
    let nearest = outlines.outlines.flatMap { outline in
      (0..<4).map { shift -> Double in
        (0..<4).reduce(0.0) { sum, i in
          let p = outline.corners[(i + shift) & 3]
          return sum + (Vector2(Double(p.x), Double(p.y)) - quad[i]).length / 4
        }
      }
    }
    #expect(try #require(nearest.min()) < 1)
  }

  @Test func `nothing is outlined in an even picture, in noise, or in one without room`() {
    var outlines = QuadrilateralFinder()
    outlines.find(edges(of: GrayImage(width: 160, height: 120, level: 99)), limit: 5)
    #expect(outlines.outlines.isEmpty)
    outlines.find(edges(of: Posters.frame([], width: 160, height: 120, noise: 6)), limit: 5)
    #expect(outlines.outlines.isEmpty)
    for (width, height) in [(1, 1), (3, 200), (16, 16), (17, 16)] {
      outlines.find(edges(of: Posters.rich(width: width, height: height)), limit: 5)
      #expect(outlines.outlines.count <= 5)
    }
  }

  @Test func `what an outline holds is told by its grey levels, whichever corner comes first`() {
    let pictures = (0..<12).map { soft(seed: UInt64(40 + $0)) }
    let models = pictures.map { TargetModel(target($0)) }
    let binaryCodes = ThumbnailIndex(models)
    let frames = FramePyramid()
    var alike: [ThumbnailIndex.Likely] = []
    for (shown, turn) in [(3, 0), (7, 1), (11, 2), (0, 3)] {
      let quad = Posters.quad(Vector2(160, 120), 180, 135, degrees: 35, lean: 0.2)
      Posters.frame([(pictures[shown], quad)], width: 320, height: 240, gain: 0.6).withView { frames.set($0) }
      var turned = quad
      for i in 0..<4 { turned[i] = quad[(i + 4 - turn) & 3] }
      let wanted = [Bool](repeating: true, count: models.count)
      binaryCodes.look(frames, turned, isWanted: wanted, least: 0.5, limit: 3, into: &alike)
      #expect(alike.first?.target == shown && alike.first?.turn == turn)
      #expect((alike.first?.likeness ?? 0) > 0.9)
      var others = wanted
      others[shown] = false
      binaryCodes.look(frames, turned, isWanted: others, least: 0.5, limit: 3, into: &alike)
      #expect(!alike.contains { $0.target == shown })
    }
  }
}
