import SightlineImaging
import SightlineMath
import Testing

@testable import SightlineOdometry

@Suite struct PatchTests {
  /// A smooth picture of a few waves, moved and with another exposure.
  private func level(shiftX: Double, shiftY: Double, gain: Double = 1, offset: Double = 0) throws -> LevelPyramid {
    let (width, height) = (96, 80)
    var pixels = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x) - shiftX, Double(y) - shiftY)
        let value = 120 + 40 * sin(0.31 * u + 0.2 * v) + 30 * cos(0.43 * v - 0.11 * u) + 20 * sin(0.23 * u * v / 40)
        pixels[y * width + x] = UInt8(clamp(gain * value + offset, 0, 255).rounded())
      }
    }
    let pyramid = LevelPyramid()
    try pixels.withUnsafeBufferPointer { buffer in
      pyramid.set(try GrayView(buffer, width: width, height: height, stride: width))
    }
    return pyramid
  }

  @Test(arguments: [(0.0, 0.0), (1.37, -0.61), (-2.2, 1.9), (0.25, 0.5)])
  func `a shift is found to a fiftieth of a pixel, under another exposure too`(dx: Double, dy: Double) throws {
    let (a, b) = (try level(shiftX: 0, shiftY: 0), try level(shiftX: dx, shiftY: dy, gain: 0.8, offset: 12))
    let patch = Patch(a.levels[0], x: 40.3, y: 33.8)
    #expect(patch.isCorner)
    var (x, y): (Float, Float) = (40.3, 33.8)
    let fit = try #require(patch.align(to: b.levels[0], x: &x, y: &y, steps: 20))
    #expect(fit > 0.98)
    #expect(abs(Double(x) - 40.3 - dx) < 0.03)
    #expect(abs(Double(y) - 33.8 - dy) < 0.03)
  }

  @Test func `what leaves the picture is not found`() throws {
    let (a, b) = (try level(shiftX: 0, shiftY: 0), try level(shiftX: 0, shiftY: 0))
    let patch = Patch(a.levels[0], x: 40, y: 33)
    var (x, y): (Float, Float) = (2, 33)
    #expect(patch.align(to: b.levels[0], x: &x, y: &y, steps: 8) == nil)
  }

  @Test func `a plain wall is no corner`() throws {
    let pyramid = LevelPyramid()
    let pixels = [UInt8](repeating: 90, count: 64 * 64)
    try pixels.withUnsafeBufferPointer { pyramid.set(try GrayView($0, width: 64, height: 64, stride: 64)) }
    #expect(!Patch(pyramid.levels[0], x: 30, y: 30).isCorner)
  }
}
