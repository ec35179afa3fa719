import SightlineImaging
import SightlineTestSupport
import Testing

@Suite struct PyramidTests {
  private func noise(_ width: Int, _ height: Int, seed: UInt64) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var image = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
    return image
  }

  @Test func `each level is half of the one before`() {
    var pyramid = Pyramid()
    // A small picture after a large one, and with fewer levels: nothing of the large one is left in it.
    for (width, height, levels) in [(97, 64, 4), (40, 33, 3), (64, 64, 4)] {
      let image = noise(width, height, seed: UInt64(width))
      image.withView { pyramid.set($0, levels: levels) }
      #expect(pyramid.levels[0] == image)
      for level in 1..<levels {
        var half = GrayImage(width: 1, height: 1)
        pyramid.levels[level - 1].withView { half.setHalf(of: $0) }
        #expect(pyramid.levels[level] == half)
        #expect(half.width == width >> level && half.height == height >> level)
      }
    }
  }

  @Test func `halves alone leave the base to its owner`() {
    var pyramid = Pyramid()
    let image = noise(50, 40, seed: 3)
    pyramid.setBase { $0 = GrayImage(width: 5, height: 4, level: 7) }
    image.withView { pyramid.setHalves(of: $0, levels: 2) }
    #expect(pyramid.levels[0] == GrayImage(width: 5, height: 4, level: 7))
    #expect(pyramid.levels[1].width == 25 && pyramid.levels[1].height == 20)
  }

  @Test func `there are levels as long as the smaller side is large enough`() {
    #expect(Pyramid.levelCount(width: 640, height: 480, least: 100, most: 5) == 3)
    #expect(Pyramid.levelCount(width: 640, height: 480, least: 16, most: 5) == 5)
    #expect(Pyramid.levelCount(width: 640, height: 480, least: 16, most: 2) == 2)
    #expect(Pyramid.levelCount(width: 1, height: 1, least: 16, most: 5) == 1)
  }
}
