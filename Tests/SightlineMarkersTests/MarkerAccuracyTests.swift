import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineTestSupport
import Testing

/// Where corners are measured, and what is still found when a marker is not seen whole.
struct MarkerAccuracyTests {
  /// Applies a function to each level, in place.
  private func toned(_ image: GrayImage, _ curve: (Double) -> Double) -> GrayImage {
    var result = image
    for y in 0..<image.height {
      for x in 0..<image.width { result[x, y] = UInt8((255 * curve(Double(image[x, y]) / 255)).rounded()) }
    }
    return result
  }

  private func largest(_ a: Quadrilateral, _ b: Quadrilateral) -> Double {
    (0..<4).reduce(0) { max($0, (a[$1] - b[$1]).length) }
  }

  @Test func `a camera's tone curve does not move corners`() throws {
    let corners = square(Vector2(60.3, 59.7), side: 66, degrees: 21)
    var print = Print(family: .grid6x6, id: 41, corners: corners)
    (print.dark, print.light) = (12, 215)
    var blurred = GrayImage(width: 1, height: 1)
    print.draw(width: 120, height: 120).withView { blurred.setGaussianBlur(of: $0, sigma: 1.2) }
    let linear = try #require(markers(in: blurred, [.grid6x6Of250]).first)
    #expect(largest(linear.corners, corners) < 0.1)
    let curved = toned(blurred) { exp(log($0 + 1e-9) / 2.2) }
    let found = try #require(markers(in: curved, [.grid6x6Of250]).first)
    // The outer edges alone seem half a pixel farther in.
    #expect(largest(found.corners, corners) < 0.12)
  }

  @Test func `a known lens does not bend corners`() throws {
    let intrinsics = Intrinsics(width: 200, height: 200, focalX: 150, focalY: 150, centerX: 99.5, centerY: 99.5)
    let distortion = LensDistortion(k1: -0.18, k2: 0.06)
    let straight = square(Vector2(84, 92), side: 140, degrees: 9)
    let lens = MarkerLens(intrinsics: intrinsics, distortion: distortion)
    var seen = straight
    for i in 0..<4 {
      let ray = Vector2((straight[i].x - 99.5) / 150, (straight[i].y - 99.5) / 150)
      let bent = distortion.distorted(ray)
      seen[i] = Vector2(bent.x * 150 + 99.5, bent.y * 150 + 99.5)
    }
    let flat = Print(family: .grid5x5, id: 7, corners: straight)
    var image = GrayImage(width: 200, height: 200)
    let map = try #require(Homography(unitSquareTo: straight)?.inverse)
    for y in 0..<200 {
      for x in 0..<200 {
        var sum = 0.0
        for sample in 0..<16 {
          let p = Vector2(
            Double(x) + (Double(sample % 4) - 1.5) / 4 - 99.5,
            Double(y) + (Double(sample / 4) - 1.5) / 4 - 99.5
          )
          guard let ray = distortion.undistorted(p * (1 / 150)) else { continue }
          sum += flat.isLight(map, ray * 150 + Vector2(99.5, 99.5)) ? 200 : 40
        }
        image[x, y] = UInt8((sum / 16).rounded())
      }
    }
    var detector = MarkerDetector(dictionaries: [.grid5x5Of100])
    var found: [DetectedMarker] = []
    image.withView { detector.detect(in: $0, into: &found) }
    let without = try #require(found.first)
    detector.lens = lens
    image.withView { detector.detect(in: $0, into: &found) }
    let with = try #require(found.first)
    #expect(with.id == 7 && largest(with.corners, seen) < 0.1)
    #expect(largest(without.corners, seen) > 0.5)
  }

  @Test(arguments: 0..<4)
  func `a covered corner is rebuilt`(corner: Int) throws {
    let corners = square(Vector2(70, 70), side: 84, degrees: 15)
    var image = Print(family: .apriltag36h11, id: 212, corners: corners).draw(width: 140, height: 140)
    let hidden = corners[corner]
    for y in 0..<140 {
      for x in 0..<140 where (Vector2(Double(x), Double(y)) - hidden).length < 15 { image[x, y] = 150 }
    }
    let found = markers(in: image, [.apriltag36h11])
    let marker = try #require(found.first)
    #expect(found.count == 1 && marker.id == 212)
    #expect(largest(marker.corners, corners) < 0.5)
  }

  @Test func `mirrored and inverted prints are reported as such when asked for`() throws {
    var parameters = MarkerDetector.Parameters()
    parameters.findsMirrored = true
    parameters.findsInverted = true
    var detector = MarkerDetector(dictionaries: [.grid6x6Of250], parameters: parameters)
    let corners = square(Vector2(50, 52), side: 56, degrees: 12)
    for (isMirrored, isInverted) in [(false, false), (true, false), (false, true), (true, true)] {
      var print = Print(family: .grid6x6, id: 17, corners: corners)
      (print.isMirrored, print.isInverted) = (isMirrored, isInverted)
      var found: [DetectedMarker] = []
      print.draw(width: 104, height: 104).withView { detector.detect(in: $0, into: &found) }
      let marker = try #require(found.first)
      #expect(found.count == 1 && marker.id == 17)
      #expect(marker.isMirrored == isMirrored && marker.isInverted == isInverted)
      // The print is mirrored left to right: its own top left is seen at the top right, and so on clockwise.
      for i in 0..<4 {
        let expected = isMirrored ? corners[(i + 1) & 3] : corners[i]
        #expect((marker.corners[i] - expected).length < 0.2)
      }
    }
  }

  @Test func `text and stripes hold no markers`() {
    var random = SplitMix64(seed: 11)
    var text = GrayImage(width: 200, height: 160, level: 225)
    for line in 0..<10 {
      for letter in 0..<30 where Int.random(in: 0..<5, using: &random) > 0 {
        for stroke in 0..<4 where Bool.random(using: &random) {
          for k in 0..<8 {
            let (dx, dy) = stroke < 2 ? (stroke * 4, k) : (k / 2, stroke * 4 - 8)
            text[letter * 6 + dx + 6, line * 15 + dy + 5] = 30
          }
        }
      }
    }
    var stripes = GrayImage(width: 200, height: 160)
    for y in 0..<160 { for x in 0..<200 { stripes[x, y] = (x + y / 3) / 9 % 2 == 0 ? 40 : 210 } }
    for picture in [text, stripes] { #expect(markers(in: picture, MarkerDictionary.allCases).isEmpty) }
  }

  @Test func `a marker at the very edge of the picture is found, one that is cut off is not`() {
    for (x, isWhole) in [(30.0, true), (20, false)] {
      let corners = square(Vector2(x, 50), side: 50, degrees: 0, lean: 0)
      let image = Print(family: .grid6x6, id: 3, corners: corners).draw(width: 100, height: 100)
      #expect(markers(in: image, [.grid6x6Of250]).map { $0.id } == (isWhole ? [3] : []))
    }
  }
}
