import Foundation
import SightlineImaging
import SightlineTestSupport
import Testing

/// Each filter against a plain loop over its definition.
struct FilterTests {
  @Test(arguments: sizes)
  func `sums over rectangles are sums of pixels`(width: Int, height: Int) {
    let image = noise(width, height, seed: 1)
    var integral = IntegralImage()
    image.withView { integral.set($0) }
    var random = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let (minX, minY) = (Int.random(in: 0...width, using: &random), Int.random(in: 0...height, using: &random))
      let (maxX, maxY) = (Int.random(in: minX...width, using: &random), Int.random(in: minY...height, using: &random))
      var expected: UInt32 = 0
      for y in minY..<maxY { for x in minX..<maxX { expected += UInt32(image[x, y]) } }
      #expect(integral.sum(minX: minX, minY: minY, maxX: maxX, maxY: maxY) == expected)
    }
  }

  @Test(arguments: sizes)
  func `adaptive threshold compares with the mean of the window`(width: Int, height: Int) {
    let image = noise(width, height, seed: 3)
    var integral = IntegralImage()
    var binary = GrayImage(width: 1, height: 1)
    for (radius, offset) in [(1, 0), (2, 7), (50, -3)] {
      image.withView { binary.setAdaptiveThreshold(of: $0, radius: radius, offset: offset, integral: &integral) }
      for y in 0..<height {
        for x in 0..<width {
          var (sum, count) = (0, 0)
          for v in max(0, y - radius)...min(height - 1, y + radius) {
            for u in max(0, x - radius)...min(width - 1, x + radius) {
              sum += Int(image[u, v])
              count += 1
            }
          }
          let dark = Double(image[x, y]) < Double(sum) / Double(count) - Double(offset)
          #expect(binary[x, y] == (dark ? maskLevel : 0))
        }
      }
    }
  }

  @Test(arguments: sizes)
  func `box blur is the rounded mean of the window`(width: Int, height: Int) {
    let image = noise(width, height, seed: 4)
    var integral = IntegralImage()
    var blurred = GrayImage(width: 1, height: 1)
    image.withView { blurred.setBoxBlur(of: $0, radius: 2, integral: &integral) }
    for y in 0..<height {
      for x in 0..<width {
        var (sum, count) = (0, 0)
        for v in max(0, y - 2)...min(height - 1, y + 2) {
          for u in max(0, x - 2)...min(width - 1, x + 2) {
            sum += Int(image[u, v])
            count += 1
          }
        }
        #expect(abs(Double(blurred[x, y]) - Double(sum) / Double(count)) <= 0.5)
      }
    }
  }

  @Test(arguments: sizes, [0.5, 1.3, 3])
  func `Gaussian blur is the weighted mean`(size: (Int, Int), sigma: Double) {
    let image = noise(size.0, size.1, seed: 5)
    var blurred = GrayImage(width: 1, height: 1)
    image.withView { blurred.setGaussianBlur(of: $0, sigma: sigma) }
    let radius = Int((3 * sigma).rounded(.up))
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        var (sum, total) = (0.0, 0.0)
        for v in -radius...radius {
          for u in -radius...radius {
            let weight = exp(-Double(u * u + v * v) / (2 * sigma * sigma))
            sum += weight * Double(image.clamped(x + u, y + v))
            total += weight
          }
        }
        #expect(abs(Double(blurred[x, y]) - sum / total) <= 0.501)
      }
    }
  }

  @Test func `half size is the rounded mean of four`() {
    for (width, height) in [(2, 2), (5, 3), (32, 16)] {
      let image = noise(width, height, seed: 6)
      var half = GrayImage(width: 1, height: 1)
      image.withView { half.setHalf(of: $0) }
      #expect(half.width == width / 2 && half.height == height / 2)
      for y in 0..<half.height {
        for x in 0..<half.width {
          let sum =
            image.clamped(2 * x, 2 * y) + image.clamped(2 * x + 1, 2 * y)
            + image.clamped(2 * x, 2 * y + 1) + image.clamped(2 * x + 1, 2 * y + 1)
          #expect(Int(half[x, y]) == (sum + 2) / 4)
        }
      }
    }
  }

  @Test func `double size is three quarters of the nearest and a quarter of the next, along both sides`() {
    for (width, height) in [(1, 1), (2, 3), (17, 5), (40, 9)] {
      let image = noise(width, height, seed: 7)
      var double = GrayImage(width: 1, height: 1)
      image.withView { double.setDouble(of: $0) }
      #expect(double.width == 2 * width && double.height == 2 * height)
      for y in 0..<double.height {
        for x in 0..<double.width {
          let (near, far) = ((x / 2, y / 2), (x / 2 + (x % 2) * 2 - 1, y / 2 + (y % 2) * 2 - 1))
          let sum =
            9 * image.clamped(near.0, near.1) + 3 * image.clamped(far.0, near.1)
            + 3 * image.clamped(near.0, far.1) + image.clamped(far.0, far.1)
          #expect(Int(double[x, y]) == (sum + 8) / 16)
        }
      }
    }
  }

  @Test(arguments: sizes)
  func `slopes are those of the Sobel operator`(width: Int, height: Int) {
    let image = noise(width, height, seed: 7)
    var slopes = GradientImage()
    image.withView { slopes.set($0) }
    for y in 0..<height {
      for x in 0..<width {
        var (dx, dy) = (0, 0)
        for i in -1...1 {
          let weight = i == 0 ? 2 : 1
          dx += weight * (image.clamped(x + 1, y + i) - image.clamped(x - 1, y + i))
          dy += weight * (image.clamped(x + i, y + 1) - image.clamped(x + i, y - 1))
        }
        #expect(Int(slopes.alongX[y * width + x]) == dx && Int(slopes.alongY[y * width + x]) == dy)
      }
    }
  }

  @Test(arguments: sizes)
  func `sampling at the centre of a pixel gives its level, and between them what lies between`(
    width: Int,
    height: Int
  ) throws {
    let image = noise(width, height, seed: 8)
    for y in 0..<height {
      for x in 0..<width {
        #expect(image.withView { $0.level(x: Double(x), y: Double(y)) } == Double(image[x, y]))
      }
    }
    for (x, y) in [(-0.01, 0), (0, -0.01), (Double(width) - 0.99, 0), (0, Double(height) - 0.99), (.nan, 0), (0, .nan)]
    {
      #expect(image.withView { $0.level(x: x, y: y) } == nil)
    }
    guard width > 1, height > 1 else { return }
    let (a, b, c, d) = (image.clamped(0, 0), image.clamped(1, 0), image.clamped(0, 1), image.clamped(1, 1))
    let expected = 0.75 * (0.6 * Double(a) + 0.4 * Double(b)) + 0.25 * (0.6 * Double(c) + 0.4 * Double(d))
    let level = try #require(image.withView { $0.level(x: 0.4, y: 0.25) })
    #expect(isNear(level, expected, within: 1e-9))
  }

  @Test func `Otsu's level parts the classes best`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<6 {
      var histogram = Histogram()
      for _ in 0..<Int.random(in: 2...40, using: &random) { histogram.add(UInt8.random(in: 0...255, using: &random)) }
      // Within-class variance, the other way to the same answer.
      func spread(_ levels: Range<Int>) -> Double {
        let count = levels.reduce(0.0) { $0 + Double(histogram.counts[$1]) }
        guard count > 0 else { return .infinity }
        let mean = levels.reduce(0.0) { $0 + Double($1) * Double(histogram.counts[$1]) } / count
        return levels.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) * Double(histogram.counts[$1]) }
      }
      let best = (0..<255).map { spread(0..<($0 + 1)) + spread(($0 + 1)..<256) }.min() ?? .nan
      guard let level = histogram.otsuThreshold else {
        #expect(best == .infinity)
        continue
      }
      #expect(isNear(spread(0..<(Int(level) + 1)) + spread((Int(level) + 1)..<256), best, within: 1e-6 * (1 + best)))
    }
    #expect(Histogram().otsuThreshold == nil)
    #expect(Histogram(GrayImage(width: 3, height: 3, level: 200)).otsuThreshold == nil)
  }
}

extension Histogram {
  fileprivate init(_ image: GrayImage) { self = image.withView { Histogram($0) } }
}
