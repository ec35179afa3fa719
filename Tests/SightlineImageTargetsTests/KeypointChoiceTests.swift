import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// Prints with little in them on gravel, grass or brick, which have far more and far stronger features.
@Suite struct KeypointChoiceTests {
  /// Stones of four pixels, each of its own grey.
  private func gravel(width: Int, height: Int) -> GrayImage {
    var random = SplitMix64(seed: 31)
    var image = GrayImage(width: width, height: height)
    for y in stride(from: 0, to: height, by: 4) {
      for x in stride(from: 0, to: width, by: 4) {
        let level = UInt8.random(in: 20...235, using: &random)
        for dy in 0..<min(4, height - y) { for dx in 0..<min(4, width - x) { image[x + dx, y + dy] = level } }
      }
    }
    return image
  }

  /// A few shapes that hardly stand out.
  private func plain() -> GrayImage {
    var image = Posters.rich(width: 240, height: 180, seed: 12, shapes: 24)
    for y in 0..<image.height { for x in 0..<image.width { image[x, y] = 90 + image[x, y] / 5 } }
    return image
  }

  private let ground = Posters.quad(Vector2(319.5, 239.5), 640, 480)
  private let place = Posters.quad(Vector2(330, 230), 340, 255, degrees: 12)

  @Test func `a plain print keeps features on ground that has thousands of stronger ones`() {
    let frame = Posters.frame(
      [(gravel(width: 640, height: 480), ground), (plain(), place)],
      width: 640,
      height: 480,
      noise: 1
    )
    func inside(partShare: Float) -> Int {
      var parameters = FeatureExtractor.Parameters()
      (parameters.keypoints.limit, parameters.keypoints.partShare) = (600, partShare)
      var set = FeatureSet()
      frame.withView { FeatureExtractor(parameters: parameters).extract($0, into: &set) }
      #expect(set.count == 600)
      return set.features.count { abs($0.x - 330) < 120 && abs($0.y - 230) < 85 }
    }
    #expect(inside(partShare: 2) == 0)
    #expect(inside(partShare: 0.4) >= 15)
  }

  @Test func `a plain print is found on rough ground`() throws {
    let frame = Posters.frame(
      [(gravel(width: 640, height: 480), ground), (plain(), place)],
      width: 640,
      height: 480,
      noise: 1
    )
    let target = plain().withView { TargetBuilder().build($0, name: Array("plain".utf8)) }
    let recognizer = TargetRecognizer(targets: [target])
    var found: [TargetSighting] = []
    frame.withView { recognizer.recognize($0, into: &found) }
    let sighting = try #require(found.first)
    #expect(Posters.error(sighting.corners(width: 240, height: 180), place) < 1)
  }
}
