import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineQR

/// Levels between pixels, with and without a look at the picture's edges.
struct GraySamplerTests {
  @Test func `inside of a picture both ways give the same`() {
    var random = SplitMix64(seed: 41)
    var image = GrayImage(width: 40, height: 30)
    for y in 0..<30 { for x in 0..<40 { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
    image.withView { view in
      let sampler = GraySampler(view)
      for k in 0..<2000 {
        var p = Vector2(Double.random(in: -2...42, using: &random), Double.random(in: -2...32, using: &random))
        if k % 4 == 0 { p = Vector2(p.x.rounded(), p.y.rounded()) }
        let isThere = sampler.contains(p, margin: 0)
        #expect(isThere == (p.x > 1 && p.y > 1 && p.x < 38 && p.y < 28))
        guard isThere else { continue }
        let (x, y) = (Float(p.x), Float(p.y))
        #expect(sampler.inside(x, y) == sampler(x, y))
      }
    }
  }

  @Test func `what lies around a picture in memory is not looked at`() throws {
    // Dark in the middle and light up to the edges; only what lies beyond them could be the dark ring.
    let side = 320
    func found(rim: UInt8) throws -> [Float?] {
      var pixels = [UInt8](repeating: rim, count: side * side)
      let inner = 20..<300
      for y in inner { for x in inner { pixels[y * side + x] = 200 } }
      return try pixels.withUnsafeBufferPointer { all in
        let part = UnsafeBufferPointer(rebasing: all[(20 * side + 20)...])
        let sampler = GraySampler(try GrayView(part, width: 280, height: 280, stride: side))
        var results: [Float?] = []
        for k in 0..<1200 {
          let reach = 5 + Float(k) * 0.1
          // So near to the right and the lower edge that the walk just ends there, and near to the others.
          for edge in [Double(279 - reach) - 1.01, Double(reach) + 1.01] {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] as [(Float, Float)] {
              let center = Vector2(edge, edge)
              results.append(sampler.ringCrossing(center, dx, dy, dark: 20, contrast: 180, reach: reach)?.outer)
            }
          }
        }
        return results
      }
    }
    #expect(try found(rim: 0) == found(rim: 255))
  }
}
