import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

/// Walks along borders that are given up early.
struct ConvexityCheckTests {
  private func outlines(_ image: GrayImage, convexityLimit: Int?) -> [Int] {
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    var tracer = ContourTracer()
    image.withView { threshold.mark($0, contrast: 20, in: &mask) }
    var found: [Int] = []
    let limits = ContourTracer.Limits(rowStep: 4, shortest: 20, longest: 4000, convexityLimit: convexityLimit)
    tracer.trace(&mask, limits: limits) { found.append($0.count) }
    return found
  }

  private func picture(_ isDark: (Int, Int) -> Bool) -> GrayImage {
    var image = GrayImage(width: 120, height: 100, level: 200)
    for y in 0..<100 { for x in 0..<120 where isDark(x, y) { image[x, y] = 40 } }
    return image
  }

  @Test func `a square is followed however it is turned`() {
    for degrees in stride(from: 0.0, to: 90, by: 5) {
      let (c, s) = (cos(Angle(degrees: degrees).radians), sin(Angle(degrees: degrees).radians))
      let image = picture { x, y in
        let (dx, dy) = (Double(x) - 60, Double(y) - 50)
        let far = max(abs(c * dx + s * dy), abs(c * dy - s * dx))
        return far < 30 && far > 20
      }
      let all = outlines(image, convexityLimit: nil)
      #expect(all.count == 2)
      #expect(outlines(image, convexityLimit: 4) == all.max().map { [$0] }, "\(degrees)°")
    }
  }

  @Test func `an edge that noise breaks into stairs is followed`() {
    // The upper row is dark by chance, as where the edge lies in the middle of a pixel.
    var random = SplitMix64(seed: 5)
    let row = (0..<120).map { _ in Bool.random(using: &random) }
    let image = picture { x, y in x >= 20 && x < 80 && (y > 30 || y == 30 && row[x]) && y < 42 }
    #expect(outlines(image, convexityLimit: 4).count == 1)
  }

  @Test func `the border of a hole is not`() {
    let image = picture { x, y in x >= 10 && x < 110 && y >= 10 && y < 90 && !(x >= 20 && x < 100 && y >= 20 && y < 80)
    }
    #expect(outlines(image, convexityLimit: nil).sorted() == [280, 360])
    #expect(outlines(image, convexityLimit: 4) == [360])
  }

  @Test func `a rough border is not, wherever a walk begins`() {
    // A bar with mushrooms above and below it.
    let image = picture { x, y in
      guard x >= 10, x < 110, y >= 36, y < 64 else { return false }
      let column = x % 10
      if y >= 46 && y < 54 { return true }
      return y < 38 || y >= 62 ? column >= 1 && column <= 8 : column == 4 || column == 5
    }
    #expect(outlines(image, convexityLimit: nil).count == 1)
    #expect(outlines(image, convexityLimit: 4).isEmpty)
  }
}
