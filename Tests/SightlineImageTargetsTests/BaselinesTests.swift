import SightlineBaselines
import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct BaselinesTests {
  private let poster = Posters.rich(width: 240, height: 180, seed: 91)

  private func features(_ image: GrayImage) -> [BinaryFeature] {
    let extractor = BinaryFeatureExtractor()
    return image.withView { view in
      var found = extractor.detect(view)
      extractor.describe(&found)
      return found
    }
  }

  @Test func `corners are where squares have theirs, and strongest first`() {
    var image = GrayImage(width: 120, height: 100, level: 40)
    for y in 40..<70 { for x in 50..<80 { image[x, y] = 220 } }
    let found = features(image)
    #expect(!found.isEmpty)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.response >= $1.response })
    for corner in [Vector2(50, 40), Vector2(79, 40), Vector2(79, 69), Vector2(50, 69)] {
      #expect(found.contains { (Vector2($0.x, $0.y) - corner).length < 4 })
    }
    // Nothing in the middle of a side or of the square.
    #expect(!found.contains { $0.scale < 1.1 && (Vector2($0.x, $0.y) - Vector2(65, 40)).length < 8 })
    #expect(features(GrayImage(width: 120, height: 100, level: 90)).isEmpty)
    #expect(features(GrayImage(width: 5, height: 3)).isEmpty)
  }

  @Test(arguments: [0.0, 30, 140])
  func `a turned poster is matched, and the map is its place`(degrees: Double) throws {
    let quad = Posters.quad(Vector2(160, 120), 220, 165, degrees: degrees, lean: 0.05)
    let frame = Posters.frame([(poster, quad)], width: 320, height: 240)
    let (a, b) = (features(poster), features(frame))
    for matches in [
      BinaryMatcher.bruteForce(a, b, test: .crossCheck), BinaryMatcher.bruteForce(a, b, test: .ratio(0.8)),
      BinaryMatcher.hashed(a, b, test: .ratio(0.8)),
    ] {
      let found = try #require(
        Homography.robust(
          from: matches.map { Vector2(a[$0.first].x, a[$0.first].y) },
          to: matches.map { Vector2(b[$0.second].x, b[$0.second].y) }
        )
      )
      #expect(found.inlierCount >= 12)
      #expect(Posters.error(found.map.corners(width: 240, height: 180), quad) < 4)
    }
  }

  /// Hashing skips most; what it finds is what everything against everything finds.
  @Test func `hashed matches are brute force's, most of them`() {
    let frame = Posters.frame(
      [(poster, Posters.quad(Vector2(160, 120), 230, 172, degrees: 20))],
      width: 320,
      height: 240
    )
    let (a, b) = (features(poster), features(frame))
    let all = BinaryMatcher.bruteForce(a, b, test: .crossCheck).filter { $0.distance < 40 }
    let hashed = BinaryMatcher.hashed(a, b, test: .crossCheck)
    #expect(all.count > 20)
    let found = all.count { hashed.contains($0) }
    #expect(found * 10 >= all.count * 8, "\(found) of \(all.count)")
    for match in all {
      #expect(match.distance == BinaryMatcher.distance(a[match.first].bits, b[match.second].bits))
      #expect(b.allSatisfy { BinaryMatcher.distance(a[match.first].bits, $0.bits) >= match.distance })
    }
    #expect(BinaryMatcher.bruteForce([], b, test: .crossCheck).isEmpty)
    #expect(BinaryMatcher.hashed(a, [], test: .ratio(0.8)).isEmpty)
  }

  @Test func `a template is found at its size, upright only`() throws {
    let search = poster.withView { TemplateSearch($0, scales: [0.5, 0.75], reduction: 2) }
    let upright = Posters.frame([(poster, Posters.quad(Vector2(149.5, 109.5), 180, 135))], width: 320, height: 240)
    let found = try #require(upright.withView { search.search($0) })
    #expect(found.scale == 0.75 && found.correlation > 0.9)
    #expect(abs(found.x - 59.5) <= 2 && abs(found.y - 42) <= 2)
    let turned = Posters.frame(
      [(poster, Posters.quad(Vector2(149.5, 109.5), 180, 135, degrees: 60))],
      width: 320,
      height: 240
    )
    #expect((turned.withView { search.search($0) }?.correlation ?? 0) < 0.6)
    #expect(GrayImage(width: 320, height: 240, level: 7).withView { search.search($0) } == nil)
    #expect(GrayImage(width: 3, height: 3).withView { search.search($0) } == nil)
  }

  @Test func `a map is found among as many wrong pairs as right ones`() throws {
    var random = SplitMix64(seed: 3)
    let quad = Posters.quad(Vector2(160, 120), 200, 150, degrees: 33, lean: 0.2)
    let truth = Posters.map(of: poster, to: quad)
    var (plane, image): ([Vector2], [Vector2]) = ([], [])
    for i in 0..<80 {
      let p = Vector2(Double.random(in: 0..<240, using: &random), Double.random(in: 0..<180, using: &random))
      plane.append(p)
      let wrong = Vector2(Double.random(in: 0..<320, using: &random), Double.random(in: 0..<240, using: &random))
      image.append(i % 2 == 0 ? try #require(truth(p)) : wrong)
    }
    let found = try #require(Homography.robust(from: plane, to: image))
    #expect(found.inlierCount >= 40)
    #expect(Posters.error(found.map.corners(width: 240, height: 180), quad) < 0.5)
    #expect(Homography.robust(from: Array(plane.prefix(7)), to: Array(image.prefix(7))) == nil)
  }
}
