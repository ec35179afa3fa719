import SightlineImaging
import SightlineTestSupport
import Testing

@Suite struct MedianTests {
  @Test(arguments: [1, 2])
  func `each pixel is the one in the middle of those around it, sorted`(radius: Int) {
    var random = SplitMix64(seed: UInt64(radius))
    let (width, height) = (39, 17)
    var image = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
    var median = GrayImage(width: 1, height: 1)
    image.withView { median.setMedian(of: $0, radius: radius) }
    for y in 0..<height {
      for x in 0..<width {
        var expected = image[x, y]
        if x >= radius, y >= radius, x < width - radius, y < height - radius {
          var around: [UInt8] = []
          for v in -radius...radius { for u in -radius...radius { around.append(image[x + u, y + v]) } }
          expected = around.sorted()[around.count / 2]
        }
        #expect(median[x, y] == expected, "\(x), \(y)")
      }
    }
  }
}
