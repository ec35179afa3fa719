import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What is done four or eight at a time against plain loops.
@Suite struct PlainLoopTests {
  /// Patches inside and over the rim of a picture, upright and turned, small and large.
  @Test func `patches are the picture between its pixels`() throws {
    let image = Posters.rich(width: 90, height: 70, seed: 7901)
    let picture = image.withView { FloatImage($0) }
    var random = SplitMix64(seed: 79)
    var inside = 0
    for _ in 0..<300 {
      let turn = Float.random(in: -3...3, using: &random)
      let scale = Float.random(in: 0.4...1.8, using: &random)
      let across = SIMD2(Float(cos(Double(turn))), Float(sin(Double(turn)))) * scale
      let down = SIMD2(-across.y, across.x) * Float.random(in: 0.5...1.2, using: &random)
      let origin = SIMD2(Float.random(in: -4...92, using: &random), Float.random(in: -4...72, using: &random))
      let set = PatchSet(capacity: 2)
      set.add(x: 10, y: 10, from: picture, origin: origin, across: across, down: down, leastNorm: 0)
      let patch = try #require(set.patches.first)
      var levels: [Float] = []
      for j in 0..<8 {
        for i in 0..<8 { levels.append(level(image, origin + across * Float(i) + down * Float(j))) }
      }
      let mean = levels.reduce(0, +) / 64
      let norm = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
      #expect(abs(patch.norm - norm) < 0.02 + 0.0005 * norm)
      if origin.x > 1, origin.y > 1, origin.x < 88, origin.y < 68 { inside += 1 }
      // A frame that shows just this has to agree with it.
      var frame = GrayImage(width: 20, height: 20, level: 128)
      for j in 0..<8 { for i in 0..<8 { frame[6 + i, 5 + j] = UInt8(levels[j * 8 + i].rounded()) } }
      frame.withView { set.compare(0, with: $0, x: 6, y: 5) }
      if norm > 60 { #expect(set.patches[0].correlation > 0.99) }
    }
    #expect(inside > 100)
  }

  private func level(_ image: GrayImage, _ p: SIMD2<Float>) -> Float {
    let x = max(0, min(Float(image.width) - 1.001, p.x))
    let y = max(0, min(Float(image.height) - 1.001, p.y))
    let (ix, iy) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(ix), y - Float(iy))
    func at(_ i: Int, _ j: Int) -> Float { Float(image[min(image.width - 1, i), min(image.height - 1, j)]) }
    let upper = at(ix, iy) * (1 - fx) + at(ix + 1, iy) * fx
    let lower = at(ix, iy + 1) * (1 - fx) + at(ix + 1, iy + 1) * fx
    return upper * (1 - fy) + lower * fy
  }

  /// Places in the frame's corners too: the last patch ends on the last pixel.
  @Test func `a patch is compared with all of its pixels and no others`() throws {
    let picture = Posters.rich(width: 60, height: 60, seed: 7902).withView { FloatImage($0) }
    let set = PatchSet(capacity: 1)
    set.add(x: 0, y: 0, from: picture, origin: SIMD2(20, 20), across: SIMD2(1, 0), down: SIMD2(0, 1), leastNorm: 0)
    let patch = try #require(set.patches.first)
    let frame = Posters.rich(width: 31, height: 23, seed: 7903)
    var random = SplitMix64(seed: 80)
    for round in 0..<200 {
      var (x, y) = (Float.random(in: -1...24, using: &random), Float.random(in: -1...16, using: &random))
      if round == 0 { (x, y) = (22, 14) }
      if round == 1 { (x, y) = (0, 0) }
      frame.withView { set.compare(0, with: $0, x: x, y: y) }
      guard x >= 0, y >= 0, x.rounded(.down) + 9 <= 31, y.rounded(.down) + 9 <= 23 else {
        #expect(set.patches[0].correlation == -2)
        continue
      }
      var (sum, squares, product) = (Float(0), Float(0), Float(0))
      for j in 0..<8 {
        for i in 0..<8 {
          let v = level(frame, SIMD2(x + Float(i), y + Float(j)))
          let p = picture.pixels.base[(20 + j) * 60 + 20 + i]
          sum += v
          squares += v * v
          product += v * p
        }
      }
      var own: Float = 0
      for j in 0..<8 { for i in 0..<8 { own += picture.pixels.base[(20 + j) * 60 + 20 + i] } }
      let norm = max(0, squares - sum * sum / 64).squareRoot()
      // Where there is nothing, nothing correlates.
      guard norm > 8 else { continue }
      let expected = (product - own * sum / 64) / (norm * patch.norm)
      #expect(abs(set.patches[0].correlation - expected) < 0.002)
    }
  }

  @Test func `sums of least squares are those of the whole matrix`() throws {
    var random = SplitMix64(seed: 81)
    var equations = SightlineImageTargets.NormalEquations()
    var matrix = [Double](repeating: 0, count: 64)
    var right = [Double](repeating: 0, count: 8)
    func number() -> Double { Double.random(in: -1...1, using: &random) }
    for _ in 0..<40 {
      let (x, y, xx, xy, yy, bx, by) = (number(), number(), 2 + number(), number(), 2 + number(), number(), number())
      equations.add(x: x, y: y, xx: xx, xy: xy, yy: yy, bx: bx, by: by)
      let rows = [[x, y, 1, 0, 0, 0, -x * x, -x * y], [0, 0, 0, x, y, 1, -x * y, -y * y]]
      let weights = [[xx, xy], [xy, yy]]
      for r in 0..<8 {
        for a in 0..<2 {
          right[r] += rows[a][r] * (a == 0 ? bx : by)
          for b in 0..<2 { for c in 0..<8 { matrix[r * 8 + c] += rows[a][r] * weights[a][b] * rows[b][c] } }
        }
      }
    }
    let solved = equations.solve()
    let solution = try #require(solved)
    // The solution of the sums has to solve the plain ones.
    for r in 0..<8 {
      #expect(abs(equations.right[r] - right[r]) < 1e-12)
      var sum = 0.0
      for c in 0..<8 {
        sum += matrix[r * 8 + c] * solution[c]
        if c >= r { #expect(abs(equations.matrix[r * 8 + c] - matrix[r * 8 + c]) < 1e-12) }
      }
      #expect(abs(sum - right[r]) < 1e-9)
    }
  }

  @Test(arguments: [0, 1, 3, 4, 250])
  func `matches that agree with one are those that a plain loop finds`(count: Int) {
    var random = SplitMix64(seed: 82)
    var columns = MatchColumns(room: max(1, count))
    columns.count = count
    var items: [(frame: SIMD2<Float>, target: SIMD2<Float>, ratio: Float, turn: Float)] = []
    for i in 0..<count {
      func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
      let target = SIMD2(number(0...80), number(0...60))
      let near = SIMD2(number(-12...12), number(-12...12))
      items.append((target + near, target, number(0.4...2), number(-.pi ... .pi)))
      let item = items[i]
      columns.set(i, frame: item.frame, target: item.target, ratio: item.ratio, turn: item.turn, size: 1)
    }
    var inlierCount = 0
    for seed in items {
      let found = columns.agreeing(frame: seed.frame, target: seed.target, ratio: seed.ratio, turn: seed.turn)
      let expected = items.indices.filter { i in
        let item = items[i]
        guard item.ratio > 0.55 * seed.ratio, item.ratio < 1.8 * seed.ratio else { return false }
        var lean = item.turn - seed.turn
        if lean > .pi { lean -= 2 * .pi } else if lean < -.pi { lean += 2 * .pi }
        guard abs(lean) < 0.6 else { return false }
        let (c, s) = (Float(cos(Double(seed.turn))) * seed.ratio, Float(sin(Double(seed.turn))) * seed.ratio)
        let d = item.target - seed.target
        let e = SIMD2(seed.frame.x + c * d.x - s * d.y, seed.frame.y + s * d.x + c * d.y) - item.frame
        let tolerance = 4 + 0.3 * seed.ratio * (d * d).sum().squareRoot()
        return (e * e).sum() < tolerance * tolerance
      }
      #expect((0..<found).map { Int(columns.found.base[$0]) } == expected)
      inlierCount += found
    }
    if count > 100 { #expect(inlierCount > 2 * count) }
  }

  /// All pairs, without sorting by light and dark first.
  @Test func `plain matches are those of all pairs`() {
    let picture = Posters.rich(width: 160, height: 120, seed: 7904)
    let target = picture.withView { TargetBuilder().build($0, name: []) }
    let quad = Posters.quad(Vector2(160, 120), 190, 142, degrees: 25, lean: 0.1)
    var frame = FeatureSet()
    Posters.frame([(picture, quad)], width: 320, height: 240).withView { FeatureExtractor().extract($0, into: &frame) }
    let known = target.features()
    var matcher = BruteForceMatcher()
    var matches: [Match] = []
    matcher.match(frame, with: known, into: &matches)
    #expect(matches.count > 20)
    let ofTarget = Dictionary(grouping: matches, by: \.target)
    for i in 0..<known.count {
      var (best, index) = (Int32(-1), -1)
      for j in 0..<frame.count where (frame.features[j].response > 0) == (known.features[i].response > 0) {
        var sum: Int32 = 0
        for d in 0..<64 { sum += Int32(known.descriptors[i * 64 + d]) * Int32(frame.descriptors[j * 64 + d]) }
        if sum > best { (best, index) = (sum, j) }
      }
      let found = ofTarget[i] ?? []
      #expect(found.count <= 1)
      if let match = found.first { #expect(match.frame == index) }
      // What is alike and the only one of its kind by far must not be missing.
      if Float(best) > 0.99 * FeatureSet.unit * FeatureSet.unit, found.isEmpty { Issue.record("\(i) is missing") }
    }
  }

  @Test(arguments: [(64, 48), (45, 34), (33, 20), (97, 61), (31, 1)])
  func `a smaller picture has the means under triangles`(width: Int, height: Int) {
    let image = Posters.rich(width: 97, height: 61, seed: 7905)
    let small = image.withView { FloatImage($0) }.resized(width: width, height: height)
    func weights(_ from: Int, _ to: Int, _ i: Int) -> [(Int, Double)] {
      let ratio = Double(from) / Double(to)
      let (center, radius) = ((Double(i) + 0.5) * ratio - 0.5, max(1, ratio))
      let near = (Int(center - radius) - 2)...(Int(center + radius) + 2)
      let raw = near.map { (min(from - 1, max(0, $0)), max(0, 1 - abs(Double($0) - center) / radius)) }
      let total = raw.reduce(0) { $0 + $1.1 }
      return raw.map { ($0.0, $0.1 / total) }
    }
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for (v, a) in weights(61, height, y) {
          for (u, b) in weights(97, width, x) { sum += a * b * Double(image[u, v]) }
        }
        #expect(abs(Double(small.pixels.base[y * width + x]) - sum) < 0.01)
      }
    }
  }

  @Test(arguments: [(40, 32), (43, 31), (13, 14)])
  func `the cornerScore of a place is that of the gradients around it`(width: Int, height: Int) {
    let image = Posters.rich(width: width, height: height, seed: 7906)
    let level = ReferencePyramid(image).levels[0]
    func gradients(_ column: Int, _ row: Int) -> [Double] {
      var sums = [0.0, 0, 0]
      for y in max(1, 4 * row)..<max(max(1, 4 * row), min(height - 1, 4 * row + 4)) {
        for x in max(1, 4 * column)..<max(max(1, 4 * column), min(width - 1, 4 * column + 4)) {
          let gx = (Double(image[x + 1, y]) - Double(image[x - 1, y])) / 2
          let gy = (Double(image[x, y + 1]) - Double(image[x, y - 1])) / 2
          sums = [sums[0] + gx * gx, sums[1] + gx * gy, sums[2] + gy * gy]
        }
      }
      return sums
    }
    for row in 0..<level.rows {
      for column in 0..<level.columns {
        var sums = [0.0, 0, 0]
        for dy in -1...1 {
          for dx in -1...1
          where row + dy >= 0 && row + dy < level.rows && column + dx >= 0 && column + dx < level.columns {
            let weight = (dx == 0 ? 1 : 0.5) * (dy == 0 ? 1 : 0.5)
            for (k, v) in gradients(column + dx, row + dy).enumerated() { sums[k] += weight * v }
          }
        }
        let half = (sums[0] + sums[2]) / 2
        let smaller = half - max(0, half * half - (sums[0] * sums[2] - sums[1] * sums[1])).squareRoot()
        let expected = (max(0, smaller) + 0.15 * (sums[0] + sums[2])).squareRoot()
        #expect(abs(Double(level.cornerScore.base[row * level.columns + column]) - expected) < 0.01 * max(1, expected))
      }
    }
  }

  @Test(arguments: [(64, 48), (67, 51), (23, 22)])
  func `the scale space is made of weights 1 4 6 4 1`(width: Int, height: Int) throws {
    let image = Posters.rich(width: width, height: height, seed: 7907)
    let space = ScaleSpace()
    image.withView { space.set($0) }
    func smoothed(_ from: [Int]) -> [Int] {
      func along(_ p: [Int], down: Bool) -> [Int] {
        (0..<(width * height)).map { i in
          let (column, row) = (i % width, i / width)
          let weights = zip([1, 4, 6, 4, 1], -2...2)
          return (weights.reduce(0) { $0 + $1.0 * p[at(column, row, down ? 0 : $1.1, down ? $1.1 : 0)] } + 8) >> 4
        }
      }
      func at(_ column: Int, _ row: Int, _ dx: Int, _ dy: Int) -> Int {
        max(0, min(height - 1, row + dy)) * width + max(0, min(width - 1, column + dx))
      }
      return along(along(from, down: true), down: false)
    }
    let once = smoothed(image.pixels.map { Int($0) * 16 })
    let twice = smoothed(once)
    let level = try #require(space.levels.first)
    for i in 0..<(width * height) {
      #expect(Int(level.smooth[i]) == once[i])
      #expect(Int(level.difference[i]) == once[i] - twice[i])
    }
  }
}
