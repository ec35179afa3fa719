import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct SheetFinderTests {
  /// A quadrilateral of one level on a wall of another with noise, its edges smooth.
  static func picture(
    _ corners: [Vector2],
    sheet: Double,
    wall: Double,
    noise: Double,
    seed: UInt64,
    width: Int = 320,
    height: Int = 240,
    print: Bool = false
  ) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var image = GrayImage(width: width, height: height)
    func isIn(_ corners: [Vector2], _ p: Vector2) -> Bool {
      corners.indices.allSatisfy { i in
        let (a, b) = (corners[i], corners[(i + 1) % 4])
        return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0
      }
    }
    // Prints have margins.
    let middle = corners.reduce(Vector2.zero, +) * 0.25
    let inner = corners.map { middle + ($0 - middle) * 0.8 }
    image.withMutablePixels { pixels in
      for y in 0..<height {
        for x in 0..<width {
          var inside = 0.0
          for k in 0..<16 {
            let p = Vector2(Double(x) - 0.375 + 0.25 * Double(k % 4), Double(y) - 0.375 + 0.25 * Double(k / 4))
            inside += isIn(corners, p) ? 1.0 / 16 : 0
          }
          // A slope of light over the wall, and lines of text on the sheet.
          let lines = print && isIn(inner, Vector2(Double(x), Double(y))) && y % 12 < 3 && x % 7 < 5 ? -120.0 : 0
          let slope = 12 * Double(x) / Double(width)
          let value = wall + slope + inside * (sheet - wall) + lines + Double.random(in: -noise...noise, using: &random)
          pixels[y * width + x] = UInt8(max(0, min(255, value.rounded())))
        }
      }
    }
    return image
  }

  private func check(_ image: GrayImage, _ corners: [Vector2], within: Double, _ note: String = "") throws {
    let sheet = try #require(image.withView { SheetFinder.find(in: $0) }, "\(note)")
    for k in 0..<4 {
      let distance = corners.map { ($0 - sheet.corners[k]).length }.min() ?? .infinity
      #expect(distance < within, "\(note) corner \(k): \(distance)")
    }
    // Clockwise as seen, the first nearest to the top left.
    #expect((0..<4).allSatisfy { sheet.corners[0].x + sheet.corners[0].y <= sheet.corners[$0].x + sheet.corners[$0].y })
  }

  @Test(arguments: 0..<24)
  func `a sheet is found to a fraction of a pixel in any pose, light on dark and dark on light`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 100)
    let middle = Vector2(Double.random(in: 130...190, using: &random), Double.random(in: 100...140, using: &random))
    let angle = sineCosine(degrees: Double.random(in: -40...40, using: &random))
    let (w, h) = (Double.random(in: 35...70, using: &random), Double.random(in: 35...60, using: &random))
    let corners = [(-w, -h), (w, -h), (w, h), (-w, h)].map { x, y in
      middle
        + Vector2(x * (1 + 0.001 * y), y * (1 + 0.001 * x)).rotated(cosine: angle.cosine, sine: angle.sine)
    }
    let isLight = seed.isMultiple(of: 2)
    let image = Self.picture(
      corners,
      sheet: isLight ? 225 : 40,
      wall: isLight ? 120 : 180,
      noise: 6,
      seed: UInt64(seed)
    )
    try check(image, corners, within: 0.3, "seed \(seed)")
  }

  @Test func `white paper on a white wall is found, and so is a printed one`() throws {
    let corners = [Vector2(100, 60), Vector2(200, 66), Vector2(196, 190), Vector2(96, 184)]
    try check(Self.picture(corners, sheet: 236, wall: 200, noise: 3, seed: 5), corners, within: 0.3)
    try check(Self.picture(corners, sheet: 240, wall: 150, noise: 3, seed: 6, print: true), corners, within: 0.5)
  }

  @Test func `where there is no sheet nothing is found`() {
    let outside = [Vector2(-10, -10), Vector2(-9, -10), Vector2(-9, -9), Vector2(-10, -9)]
    #expect(Self.picture(outside, sheet: 0, wall: 128, noise: 10, seed: 1).withView { SheetFinder.find(in: $0) } == nil)
    #expect(GrayImage(width: 320, height: 240, level: 99).withView { SheetFinder.find(in: $0) } == nil)
    #expect(GrayImage(width: 8, height: 8, level: 99).withView { SheetFinder.find(in: $0) } == nil)
    // Cut by the picture's edge: its corners are not there.
    let cut = [Vector2(-20, 60), Vector2(120, 60), Vector2(120, 180), Vector2(-20, 180)]
    #expect(Self.picture(cut, sheet: 230, wall: 100, noise: 3, seed: 2).withView { SheetFinder.find(in: $0) } == nil)
    var random = SplitMix64(seed: 9)
    var noise = GrayImage(width: 160, height: 120)
    noise.withMutablePixels { p in for i in 0..<160 * 120 { p[i] = UInt8.random(in: 0...255, using: &random) } }
    #expect(noise.withView { SheetFinder.find(in: $0) } == nil)
  }
}
