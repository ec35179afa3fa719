import SightlineImaging
import SightlineTestSupport
import Testing

@Suite struct FloatImageTests {
  private func ramp(_ width: Int, _ height: Int) -> GrayImage {
    var image = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { image[x, y] = UInt8(2 * x + y) } }
    return image
  }

  @Test func `the same size is the same picture`() {
    let image = ramp(40, 30)
    let copy = image.withView { FloatImage($0) }
    #expect(copy.rounded() == image)
    #expect(copy.resized(width: 40, height: 30).rounded() == image)
  }

  @Test(arguments: [(20, 15), (27, 19), (13, 30), (40, 7)])
  func `a slope stays a slope when it is made smaller, whichever way`(width: Int, height: Int) {
    let image = ramp(40, 30)
    let ways = image.withView { view in
      (FloatImage(view).resized(width: width, height: height), FloatImage(view, width: width, height: height))
    }
    for y in 2..<(height - 2) {
      for x in 2..<(width - 2) {
        let expected =
          2 * ((Float(x) + 0.5) * 40 / Float(width) - 0.5) + (Float(y) + 0.5) * 30 / Float(height) - 0.5
        let level = ways.0.pixels.base[y * width + x]
        #expect(abs(level - expected) < 0.5)
        #expect(level == ways.1.pixels.base[y * width + x])
      }
    }
  }
}
