import SightlineImaging
import SightlineTestSupport
import Testing

/// Two walks at once give what one after the other gives.
struct ContourFollowerTests {
  /// Dark things of many kinds: noise, rough areas, nested rings, squares.
  private func picture(_ kind: Int, _ width: Int, _ height: Int, _ random: inout SplitMix64) -> GrayImage {
    var image = GrayImage(width: width, height: height, level: 200)
    let share = Double.random(in: 0.1...0.9, using: &random)
    switch kind {
    case 0:
      for y in 0..<height {
        for x in 0..<width where Double.random(in: 0..<1, using: &random) < share { image[x, y] = 40 }
      }
    case 1:
      for _ in 0..<(width * height / 150) {
        let (left, top) = (Int.random(in: -8..<width, using: &random), Int.random(in: -8..<height, using: &random))
        let (right, bottom) = (
          left + Int.random(in: 2...25, using: &random), top + Int.random(in: 2...25, using: &random)
        )
        let level: UInt8 = Bool.random(using: &random) ? 40 : 200
        for y in max(0, top)..<max(0, top, min(height, bottom)) {
          for x in max(0, left)..<max(0, left, min(width, right)) { image[x, y] = level }
        }
      }
    case 2:
      let (cx, cy) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
      let wide = Int.random(in: 2...9, using: &random)
      for y in 0..<height {
        for x in 0..<width {
          let isRing = max(abs(x - cx), abs(y - cy)) / wide % 2 == 0
          if isRing != (Double.random(in: 0..<1, using: &random) < 0.02) { image[x, y] = 40 }
        }
      }
    default:
      let step = Int.random(in: 10...30, using: &random)
      for y in 0..<height { for x in 0..<width where x % step > 3 && y % step > 3 { image[x, y] = 40 } }
    }
    return image
  }

  @Test(arguments: 0..<4)
  func `two walks at once find the same outlines as one after the other`(kind: Int) {
    var random = SplitMix64(seed: 620 + UInt64(kind))
    // Used again and again, as from frame to frame.
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    var tracer = ContourTracer()
    var all = 0
    for _ in 0..<40 {
      let (width, height) = (Int.random(in: 20...90, using: &random), Int.random(in: 5...70, using: &random))
      let image = picture(kind, width, height, &random)
      image.withView { threshold.mark($0, contrast: 20, in: &mask) }
      let isDark = mask.withView { view in (0..<height).map { y in (0..<width).map { view[$0, y] != 0 } } }
      let limits = ContourTracer.Limits(
        rowStep: Int.random(in: 1...8, using: &random),
        shortest: Int.random(in: 4...40, using: &random),
        longest: Int.random(in: 20...600, using: &random),
        convexityLimit: [nil, 1, 4, 12].randomElement(using: &random) ?? nil
      )
      let free = Int.random(in: 0...width, using: &random)
      let isTaken = { (column: Int, row: Int) in column > free && row % 3 == 0 }
      let expected = OneWalkAtATime(isDark, limits, isTaken: isTaken).outlines
      var found: [[PixelPosition]] = []
      tracer.trace(&mask, limits: limits, isTaken: isTaken) { found.append(Array($0)) }
      // A walk of few steps may end before a longer one that began earlier; each begins in a place of its own.
      found.sort { ($1[0].y, $0[0].x) < ($0[0].y, $1[0].x) }
      #expect(found == expected, "\(width) × \(height), \(limits)")
      all += expected.count
    }
    #expect(all > 40)
  }

  @Test func `a small square is followed wherever the other walk is`() {
    // The outline of 48 steps is all but one of the steps between two looks that are not its own.
    var image = GrayImage(width: 110, height: 60, level: 200)
    for y in 0..<60 { for x in 0..<110 where x % 18 >= 6 && y % 18 >= 6 { image[x, y] = 40 } }
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    var tracer = ContourTracer()
    for rowStep in 1...9 {
      image.withView { threshold.mark($0, contrast: 20, in: &mask) }
      var counts: [Int] = []
      tracer.trace(&mask, limits: ContourTracer.Limits(rowStep: rowStep, shortest: 35, longest: 600, convexityLimit: 1))
      {
        counts.append($0.count)
      }
      #expect(counts == [Int](repeating: 48, count: 18))
    }
  }
}
