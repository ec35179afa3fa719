import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What alignment and opening references do several at a time against plain sums.
@Suite struct AlignmentLoopTests {
  private func level(_ picture: FloatImage, _ p: SIMD2<Float>) -> Float {
    let x = max(0, min(Float(picture.width) - 1.001, p.x))
    let y = max(0, min(Float(picture.height) - 1.001, p.y))
    let (column, row) = (Int(x), Int(y))
    func at(_ i: Int, _ j: Int) -> Float { picture.pixels.base[(row + j) * picture.width + column + i] }
    let (fx, fy) = (x - Float(column), y - Float(row))
    let upper = at(0, 0) + fx * (at(1, 0) - at(0, 0))
    let lower = at(0, 1) + fx * (at(1, 1) - at(0, 1))
    return upper + fy * (lower - upper)
  }

  /// Each of ten rows of ten places, inside and over the rim.
  @Test(arguments: [false, true])
  func `what is between pixels is what a plain loop finds`(isAtRim: Bool) {
    let picture = Posters.rich(width: 90, height: 70, seed: 7911).withView { FloatImage($0) }
    let places = PatchSampler()
    var random = SplitMix64(seed: 91)
    var levels = [Float](repeating: 0, count: 100)
    for _ in 0..<200 {
      func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
      let across = SIMD2(number(-1.2...1.2), number(-1.2...1.2))
      let down = SIMD2(number(-1.2...1.2), number(-1.2...1.2))
      let start = isAtRim ? SIMD2(number(-20...110), number(-20...90)) : SIMD2(number(30...60), number(30...40))
      if isAtRim {
        places.findAtRim(start, across, down, width: picture.width, height: picture.height)
      } else {
        places.find(start, across, down, width: picture.width)
      }
      places.take(picture.pixels.base, width: picture.width)
      levels.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { places.interpolate(to: base) } }
      for j in 0..<10 {
        for i in 0..<10 {
          let expected = level(picture, start + across * Float(i) + down * Float(j))
          #expect(abs(levels[j * 10 + i] - expected) < 0.02)
        }
      }
    }
  }

  @Test func `a place that is no number is one at the rim`() {
    let picture = FloatImage(width: 20, height: 16)
    let places = PatchSampler()
    var levels = [Float](repeating: 1, count: 100)
    places.findAtRim(SIMD2(.nan, .infinity), .zero, .zero, width: picture.width, height: picture.height)
    places.take(picture.pixels.base, width: picture.width)
    levels.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { places.interpolate(to: base) } }
    #expect(levels.allSatisfy { $0 == 0 })
  }

  @Test func `a blurred patch is the mean along its way`() throws {
    let picture = Posters.rich(width: 90, height: 70, seed: 7912).withView { FloatImage($0) }
    var random = SplitMix64(seed: 92)
    for _ in 0..<100 {
      func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
      let (across, down) = (SIMD2(number(0.5...1.2), number(-0.3...0.3)), SIMD2(number(-0.3...0.3), number(0.5...1.2)))
      let (origin, way) = (SIMD2(number(-4...86), number(-4...66)), SIMD2(number(-9...9), number(-9...9)))
      let samples = Int.random(in: 2...9, using: &random)
      let set = PatchSet(capacity: 1)
      set.add(
        x: 0,
        y: 0,
        from: picture,
        origin: origin,
        across: across,
        down: down,
        motionBlur: way,
        samples: samples,
        leastNorm: 0
      )
      let patch = try #require(set.patches.first)
      var levels: [Float] = []
      for j in 0..<8 {
        for i in 0..<8 {
          let sum = (0..<samples).reduce(Float(0)) { sum, k in
            let along = way * ((Float(k) + 0.5) / Float(samples) - 0.5)
            return sum + level(picture, origin + across * Float(i) + down * Float(j) + along)
          }
          levels.append(sum / Float(samples))
        }
      }
      let mean = levels.reduce(0, +) / 64
      let norm = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
      #expect(abs(patch.norm - norm) < 0.02 + 0.0005 * norm)
    }
  }

  @Test func `correlations are the same with gradients and without`() throws {
    let picture = Posters.rich(width: 60, height: 60, seed: 7913).withView { FloatImage($0) }
    let set = PatchSet(capacity: 1)
    set.add(x: 0, y: 0, from: picture, origin: SIMD2(20, 20), across: SIMD2(1, 0), down: SIMD2(0, 1), leastNorm: 0)
    let frame = Posters.rich(width: 31, height: 23, seed: 7914)
    var random = SplitMix64(seed: 93)
    for _ in 0..<200 {
      let (x, y) = (Float.random(in: -1...24, using: &random), Float.random(in: -1...16, using: &random))
      frame.withView { set.compare(0, with: $0, x: x, y: y) }
      let whole = try #require(set.patches.first)
      frame.withView { set.compare(0, with: $0, x: x, y: y, hasGradients: false) }
      let quick = try #require(set.patches.first)
      #expect(whole.correlation == quick.correlation && whole.frameNorm == quick.frameNorm)
    }
  }

  @Test func `the variances of places are those of the whole matrix`() throws {
    var random = SplitMix64(seed: 94)
    func number() -> Double { Double.random(in: -1...1, using: &random) }
    var equations = SightlineImageTargets.NormalEquations()
    for _ in 0..<60 {
      equations.add(x: number(), y: number(), xx: 2 + number(), xy: number(), yy: 2 + number(), bx: 0, by: 0)
    }
    var matrix = (0..<8).map { r in (0..<8).map { equations.matrix[min(r, $0) * 8 + max(r, $0)] } }
    let solved = equations.solve()
    try #require(solved != nil)
    let (x, y) = (SIMD4(number(), number(), number(), number()), SIMD4(number(), number(), number(), number()))
    let variances = equations.variances(x: x, y: y)
    // Solved for all eight numbers by elimination, the rows of the places beside the matrix.
    var sides: [[Double]] = []
    for i in 0..<4 {
      sides.append([x[i], y[i], 1, 0, 0, 0, -x[i] * x[i], -x[i] * y[i]])
      sides.append([0, 0, 0, x[i], y[i], 1, -x[i] * y[i], -y[i] * y[i]])
    }
    for r in 0..<8 { matrix[r] += sides.map { $0[r] } }
    for k in 0..<8 {
      matrix[k] = matrix[k].map { $0 / matrix[k][k] }
      for r in 0..<8 where r != k {
        let share = matrix[r][k]
        for c in 0..<16 { matrix[r][c] -= share * matrix[k][c] }
      }
    }
    for i in 0..<4 {
      var sum = 0.0
      for s in [2 * i, 2 * i + 1] { for r in 0..<8 { sum += sides[s][r] * matrix[r][8 + s] } }
      #expect(abs(variances[i] - sum) < 1e-9 * sum)
      #expect(variances[i] == equations.variance(x: x[i], y: y[i]))
    }
  }

  /// Blocks of one level, some detail and much, and ends of blocks; against the transform as it is written down.
  @Test(arguments: [(48, 40, 1), (61, 43, 6), (7, 9, 20)])
  func `a picture is decoded to what its blocks hold`(width: Int, height: Int, step: Int) throws {
    var image = Posters.rich(width: 61, height: 43, seed: 7915)
    for y in 0..<16 { for x in 0..<24 { image[x, y] = x < 8 ? 0 : x < 16 ? 255 : 77 } }
    var random = SplitMix64(seed: 95)
    for y in 16..<24 { for x in 0..<61 { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
    var cut = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { cut[x, y] = image[x % 61, y % 43] } }
    let code = cut.withView { PictureCoder.encode($0, step: step) }
    let found = PictureCoder.decode(code[...], width: width, height: height, step: step)
    let decoded = try #require(found)
    var different = 0
    for by in 0..<((height + 7) / 8) {
      for bx in 0..<((width + 7) / 8) {
        let block = plain(cut, bx, by, step)
        for y in 0..<min(8, height - by * 8) {
          for x in 0..<min(8, width - bx * 8) {
            let level = Double(decoded[bx * 8 + x, by * 8 + y])
            if abs(level - max(0, min(255, block[y * 8 + x]))) > 0.51 { different += 1 }
          }
        }
      }
    }
    // A number halfway between two may be taken for either.
    #expect(different <= width * height / 100)
  }

  /// A block transformed, quantised and transformed back.
  private func plain(_ image: GrayImage, _ bx: Int, _ by: Int, _ step: Int) -> [Double] {
    func wave(_ k: Int, _ x: Int) -> Double {
      (k == 0 ? 0.125.squareRoot() : 0.5) * cos((2 * Double(x) + 1) * Double(k) * pi / 16)
    }
    func level(_ x: Int, _ y: Int) -> Double {
      Double(image[min(image.width - 1, bx * 8 + x), min(image.height - 1, by * 8 + y)]) - 128
    }
    var back = [Double](repeating: 128, count: 64)
    // In the order of rising frequency, to and fro along the diagonals.
    let order = (0..<64).map { ($0 / 8, $0 % 8) }.sorted { a, b in
      let (s, t) = (a.0 + a.1, b.0 + b.1)
      return s != t ? s < t : s % 2 == 0 ? a.0 > b.0 : a.0 < b.0
    }
    for (place, (v, u)) in order.enumerated() {
      var sum = 0.0
      for y in 0..<8 { for x in 0..<8 { sum += wave(v, y) * wave(u, x) * level(x, y) } }
      let quantum = Double(step) * (1 + Double(place) / 40)
      let value = (abs(sum / quantum) + (place == 0 ? 0.5 : 0.38)).rounded(.down) * (sum < 0 ? -quantum : quantum)
      for y in 0..<8 { for x in 0..<8 { back[y * 8 + x] += value * wave(v, y) * wave(u, x) } }
    }
    return back
  }
}
