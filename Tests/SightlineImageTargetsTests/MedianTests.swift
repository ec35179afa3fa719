import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct MedianTests {
  @Test(arguments: [1, 2]) func `each pixel is the median of those around it`(radius: Int) {
    // Down to one row of medians, and one block of sixteen; and a step beyond.
    for (width, height) in [(53, 31), (16 + 2 * radius, 2 * radius + 1), (17 + 2 * radius, 9), (36, 20)] {
      let image = Posters.frame([], width: width, height: height, noise: 60, seed: UInt64(width))
      var smooth = GrayImage(width: 3, height: 3)
      image.withView { smooth.setMedian(of: $0, radius: radius) }
      #expect(smooth.width == width && smooth.height == height)
      for y in 0..<height {
        for x in 0..<width {
          let isInside = x >= radius && y >= radius && x < width - radius && y < height - radius
          var around: [UInt8] = []
          if isInside {
            for v in -radius...radius { for u in -radius...radius { around.append(image[x + u, y + v]) } }
          }
          #expect(smooth[x, y] == (isInside ? around.sorted()[around.count / 2] : image[x, y]))
        }
      }
    }
  }

  @Test func `what is too narrow or too low stays as it is`() {
    for (width, height) in [(1, 1), (17, 40), (40, 2), (40, 1)] {
      let image = Posters.frame([], width: width, height: height, noise: 60)
      var smooth = GrayImage(width: 1, height: 1)
      image.withView { smooth.setMedian(of: $0, radius: 1) }
      for y in 0..<height { for x in 0..<width { #expect(smooth[x, y] == image[x, y]) } }
    }
  }

  /// A wall with more edges than any print has: crumbs of all grey levels, a few pixels large.
  private func gravel(_ frame: inout GrayImage, around quad: InlineArray<4, Vector2>) {
    var random = SplitMix64(seed: 83)
    var crumbs = [UInt8](repeating: 0, count: 200 * 200)
    for i in crumbs.indices { crumbs[i] = UInt8.random(in: 20...200, using: &random) }
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let p = Vector2(Double(x), Double(y))
        var isInside = true
        for i in 0..<4 {
          let (d, e) = (quad[(i + 1) & 3] - quad[i], p - quad[i])
          if d.x * e.y - d.y * e.x < 0 { isInside = false }
        }
        if !isInside { frame[x, y] = crumbs[(y / 4) * 200 + x / 4] }
      }
    }
  }

  @Test func `on a grainy wall the outline of a print is found without the grain`() {
    let models = (0..<4).map { k in TargetModel(plain(UInt64(k)).withView { TargetBuilder().build($0, name: [65]) }) }
    let proposer = QuadrilateralHypotheses(models)
    let frames = FramePyramid()
    for (shown, degrees) in [(2, -25.0)] {
      let quad = Posters.quad(Vector2(250, 180), 230, 172, degrees: degrees, lean: 0.1)
      var frame = Posters.frame([(plain(UInt64(shown)), quad)])
      gravel(&frame, around: quad)
      frame.withView { frames.set($0) }
      for radius in [0, 2] {
        proposer.begin(frames, level: 2, radius: radius)
        while !proposer.isDone {
          _ = proposer.advance(frames, level: 2, isWanted: [true, true, true, true])
        }
        let extent = models[shown].extent
        let isFound = proposer.candidates.contains {
          let corners = $0.hypothesis.frameFromReference.corners(width: Double(extent.x), height: Double(extent.y))
          return $0.target == shown && Posters.error(corners, quad) < 12
        }
        #expect(isFound == (radius == 2), "\(shown), radius \(radius)")
      }
    }
  }

  @Test func `without the grain is looked where many are known and nothing was found`() {
    let target = plain(1).withView { TargetBuilder().build($0, name: [65]) }
    for (count, rounds) in [(2, 0), (25, 3)] {
      let targets = [Target](repeating: target, count: count)
      let recognizer = TargetRecognizer(targets: targets)
      #expect(recognizer.effort.isFiltered == (rounds > 0))
      #expect(recognizer.effort.views == 0..<AffineView.count)
      let detector = TargetDetector(models: targets.map { TargetModel($0) }, aligner: Aligner())
      var found: [Detection] = []
      Posters.frame([], width: 160, height: 120).withView {
        detector.detect($0, isWanted: [Bool](repeating: true, count: count), effort: recognizer.effort, into: &found)
      }
      #expect(found.isEmpty && detector.plan.filterCount == rounds && detector.plan.view == AffineView.count)
    }
  }

  /// A gradient of light grey with a few broad, soft keypoints: hardly anything to hold on to.
  private func plain(_ seed: UInt64) -> GrayImage {
    var random = SplitMix64(seed: 8300 + seed)
    let keypoints = (0..<5).map { _ in
      (
        Vector2(Double.random(in: 0...160, using: &random), Double.random(in: 0...120, using: &random)),
        Double.random(in: 20...40, using: &random), Double.random(in: -50...70, using: &random)
      )
    }
    var image = GrayImage(width: 160, height: 120)
    for y in 0..<120 {
      for x in 0..<160 {
        var level = 185.0
        for (center, size, height) in keypoints {
          let d = Vector2(Double(x), Double(y)) - center
          level += height / (1 + d.dot(d) / (size * size))
        }
        image[x, y] = UInt8(clamp(level, 0, 255))
      }
    }
    return image
  }
}
