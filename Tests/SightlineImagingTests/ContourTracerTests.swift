import SightlineImaging
import SightlineTestSupport
import Testing

/// The local threshold, the walk along borders, and the measure of noise.
struct ContourTracerTests {
  private func picture(_ rows: [String]) -> GrayImage {
    var image = GrayImage(width: rows[0].count, height: rows.count, level: 200)
    for (y, row) in rows.enumerated() { for (x, letter) in row.enumerated() where letter == "#" { image[x, y] = 40 } }
    return image
  }

  private func outlines(_ image: GrayImage, _ limits: ContourTracer.Limits) -> [[PixelPosition]] {
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    var tracer = ContourTracer()
    image.withView { threshold.mark($0, contrast: 20, in: &mask) }
    var found: [[PixelPosition]] = []
    tracer.trace(&mask, limits: limits) { found.append(Array($0)) }
    return found
  }

  private func area(_ outline: [PixelPosition]) -> Int {
    var sum = 0
    for (index, point) in outline.enumerated() {
      let last = outline[(index + outline.count - 1) % outline.count]
      sum += Int(point.x) * Int(point.y - last.y)
    }
    return sum
  }

  @Test func `a block with a hole has two borders, the hole's the other way around`() {
    let image = picture([
      "..........", "..######..", "..######..", "..##..##..", "..##..##..", "..######..", "..######..", "..........",
    ])
    let all = ContourTracer.Limits(rowStep: 1, shortest: 4, longest: 1000)
    let found = outlines(image, all)
    #expect(found.map { area($0) }.sorted() == [-4, 36])
    #expect(found.map { $0.count }.sorted() == [8, 24])
    for outline in found {
      for (index, point) in outline.enumerated() {
        let next = outline[(index + 1) % outline.count]
        #expect(abs(point.x - next.x) + abs(point.y - next.y) == 1)
      }
    }
    // Too long to follow, too short to report.
    #expect(outlines(image, ContourTracer.Limits(rowStep: 1, shortest: 4, longest: 20)).map { $0.count } == [8])
    #expect(outlines(image, ContourTracer.Limits(rowStep: 1, shortest: 10, longest: 1000)).map { $0.count } == [24])
  }

  @Test func `areas of borders agree with the dark pixels, whatever they look like`() {
    var random = SplitMix64(seed: 8)
    for size in [1, 2, 7, 8, 9, 40] {
      var image = GrayImage(width: size + 5, height: size, level: 200)
      for y in 0..<size { for x in 0..<(size + 5) where Bool.random(using: &random) { image[x, y] = 40 } }
      var threshold = LocalThreshold()
      var mask = BinaryMask()
      image.withView { threshold.mark($0, contrast: 20, in: &mask) }
      var dark = 0
      mask.withView { view in
        for y in 0..<size { for x in 0..<(size + 5) where view[x, y] == maskLevel { dark += 1 } }
      }
      let found = outlines(image, ContourTracer.Limits(rowStep: 1, shortest: 1, longest: 10000))
      #expect(found.reduce(0) { $0 + area($1) } == dark)
    }
  }

  @Test func `borders that begin where something is taken are left out`() {
    let image = picture(["..........", "..##..##..", "..##..##..", ".........."])
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    var tracer = ContourTracer()
    image.withView { threshold.mark($0, contrast: 20, in: &mask) }
    var found: [Int32] = []
    let all = ContourTracer.Limits(rowStep: 1, shortest: 4, longest: 1000)
    tracer.trace(&mask, limits: all, isTaken: { column, row in column < 5 && row > 0 }) { found.append($0[0].x) }
    #expect(found == [6])
  }

  @Test func `the threshold follows the light and leaves what has no contrast`() {
    var image = GrayImage(width: 90, height: 60)
    for y in 0..<60 {
      for x in 0..<90 {
        let isInk = x / 5 % 2 == 0 && x < 60
        image[x, y] = UInt8((isInk ? 0.3 : 1) * (60 + 2 * Double(x)))
      }
    }
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    image.withView { threshold.mark($0, contrast: 20, in: &mask) }
    mask.withView { view in
      for y in 0..<60 {
        for x in 0..<90 where x < 60 || x > 66 { #expect((view[x, y] == maskLevel) == (x / 5 % 2 == 0 && x < 60)) }
      }
    }
    image.withView { threshold.mark($0, contrast: 250, in: &mask) }
    mask.withView { view in for y in 0..<60 { for x in 0..<90 { #expect(view[x, y] == 0) } } }
  }

  @Test(arguments: [(1, 1), (3, 9), (15, 4), (16, 5), (17, 13), (33, 3), (64, 30), (101, 22)], [8, 7, 5, 1, 15])
  func `the threshold is the middle of the extremes around each pixel`(size: (Int, Int), share: Int) {
    let (width, height) = size
    var random = SplitMix64(seed: 12)
    // The buffers of a wider picture are used again.
    var threshold = LocalThreshold()
    var mask = BinaryMask()
    GrayImage(width: 120, height: 40, level: 9).withView { threshold.mark($0, contrast: 2, in: &mask) }
    var image = GrayImage(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let (low, high): (UInt8, UInt8) = x % 40 < 25 ? (0, 255) : (90, 110)
        image[x, y] = UInt8.random(in: low...high, using: &random)
      }
    }
    image.withView { threshold.mark($0, contrast: 40, share: share, in: &mask) }
    mask.withView { view in
      for y in 0..<height {
        for x in 0..<width {
          var (darkest, lightest) = (255, 0)
          for row in max(0, y / 4 * 4 - 4)..<min(height, y / 4 * 4 + 8) {
            for column in max(0, x - 6)...min(width - 1, x + 6) {
              darkest = min(darkest, Int(image[column, row]))
              lightest = max(lightest, Int(image[column, row]))
            }
          }
          let level = (darkest * (16 - share) + lightest * share + 8) / 16
          let isDark = lightest - darkest >= 40 && Int(image[x, y]) < level
          #expect(view[x, y] == (isDark ? maskLevel : 0), "\(x), \(y)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 5, 7])
  func `a border that is met from above and from below comes whole, and once`(rowStep: Int) {
    // Rings, one inside the other, and a bar through them: rows from either end begin on the same border.
    var image = GrayImage(width: 90, height: 80, level: 200)
    for y in 6..<74 {
      for x in 8..<80 {
        let (dx, dy) = (abs(x - 44), abs(y - 40))
        let ring = max(dx, dy) / 6
        if ring % 2 == 1 || (dy < 3 && x > 44 && x < 76) { image[x, y] = 40 }
      }
    }
    let found = outlines(image, ContourTracer.Limits(rowStep: rowStep, shortest: 30, longest: 4000))
    let all = outlines(image, ContourTracer.Limits(rowStep: 1, shortest: 30, longest: 4000))
    #expect(found.map { $0.count }.sorted() == all.map { $0.count }.sorted())
    for outline in found {
      for (index, point) in outline.enumerated() {
        let next = outline[(index + 1) % outline.count]
        #expect(abs(point.x - next.x) + abs(point.y - next.y) == 1)
      }
    }
  }

  @Test(arguments: [0.0, 2, 5, 10])
  func `noise is measured beside a picture's own changes`(sigma: Double) {
    var random = SplitMix64(seed: 21)
    var image = GrayImage(width: 320, height: 200)
    for y in 0..<200 {
      for x in 0..<320 {
        // Twelve uniform numbers make a normal one of deviation 1; a third of the picture is striped.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        let level = 60 + 0.3 * Double(x) + (y < 66 && x / 3 % 2 == 0 ? 60 : 0)
        image[x, y] = UInt8(max(0, min(255, (level + sigma * normal).rounded())))
      }
    }
    let noise = image.withView { $0.noiseLevel() }
    #expect(noise >= 0.6 * sigma && noise <= 1.3 * sigma + 0.8)
    #expect(GrayImage(width: 3, height: 3).withView { $0.noiseLevel() } == 0)
  }

  @Test(arguments: [(1, 1), (1, 9), (9, 1), (17, 5), (40, 3)])
  func `smoothing is the weighted mean of nine pixels`(width: Int, height: Int) {
    var random = SplitMix64(seed: 4)
    var image = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
    var smooth = GrayImage(width: 1, height: 1)
    image.withView { smooth.setSmoothed($0) }
    for y in 0..<height {
      for x in 0..<width {
        var sum = 8
        for dy in -1...1 {
          for dx in -1...1 {
            let level = image[min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1)]
            sum += Int(level) * (2 - abs(dx)) * (2 - abs(dy))
          }
        }
        #expect(Int(smooth[x, y]) == sum / 16)
      }
    }
  }
}
