import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What a rating says is what happens.
@Suite struct RatingTests {
  private func target(_ picture: GrayImage) -> Target {
    picture.withView { TargetBuilder().build($0, name: Array("a".utf8)) }
  }

  /// The picture with its light and dark so many times as far apart.
  private func faint(_ picture: GrayImage, _ share: Double) -> GrayImage {
    var result = picture
    for y in 0..<picture.height {
      for x in 0..<picture.width { result[x, y] = UInt8(128 + (Double(picture[x, y]) - 128) * share) }
    }
    return result
  }

  /// One small picture over and over, as far down as `rows` says; below it the picture itself.
  private func tiled(_ picture: GrayImage, rows: Int) -> GrayImage {
    let tile = Posters.rich(width: 45, height: 45, seed: 77, shapes: 8)
    var result = picture
    for y in 0..<rows { for x in 0..<picture.width { result[x, y] = tile[x % 45, y % 45] } }
    return result
  }

  @Test func `the more stars the more often a picture is found in hard frames`() {
    let rich = Posters.rich(seed: 41)
    let pictures = [rich, faint(rich, 0.1), faint(rich, 0.04)]
    let quads = [
      Posters.quad(Vector2(240, 180), 130, 98, degrees: 15),
      Posters.quad(Vector2(200, 190), 200, 150, degrees: -70, lean: 0.3),
      Posters.quad(Vector2(260, 170), 96, 72, degrees: 160),
    ]
    var (stars, found) = ([Double](), [Int]())
    for picture in pictures {
      let target = target(picture)
      let recognizer = TargetRecognizer(targets: [target])
      var (sightings, count) = ([TargetSighting](), 0)
      for (k, quad) in quads.enumerated() {
        Posters.frame([(picture, quad)], noise: 5, seed: UInt64(k), gain: 0.7)
          .withView { recognizer.recognize($0, into: &sightings) }
        let corners = sightings.first?.corners(width: picture.width, height: picture.height)
        if Posters.error(corners, quad) < 3 { count += 1 }
      }
      stars.append(target.rating.stars)
      found.append(count)
    }
    #expect(stars[0] > stars[1] && stars[1] > stars[2], "\(stars)")
    #expect(found[0] == 3 && found[0] > found[1] && found[1] >= found[2] && found[2] == 0, "\(found)")
    #expect(stars[0] > 4 && stars[2] < 2, "\(stars)")
  }

  @Test func `a pattern is named where it is all there is, and not beside what is like nothing else`() {
    let rich = Posters.rich(seed: 43)
    let pattern = target(tiled(rich, rows: rich.height)).rating
    #expect(pattern.reasons.contains(.repeatsItself))
    let half = target(tiled(rich, rows: rich.height / 2)).rating
    #expect(!half.reasons.contains(.repeatsItself) && half.stars > pattern.stars, "\(half) \(pattern)")
  }
}
