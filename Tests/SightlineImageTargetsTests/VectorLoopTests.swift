import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// Straight edges, their shares and small pictures, four or eight numbers at a time, against plain loops: equal to the
/// last bit.
@Suite struct VectorLoopTests {
  @Test func `what is behind the point is left out as by a conversion`() {
    var random = SplitMix64(seed: 8801)
    for round in 0..<500 {
      let most: Float = round % 2 == 0 ? 3 : 3_999_999
      var four = SIMD4<Float>.zero
      for k in 0..<4 { four[k] = Float.random(in: 0...most, using: &random) }
      if round == 0 { four = SIMD4(0, 0.5, Float(1).nextDown, 1) }
      if round == 1 { four = SIMD4(1.5, 2.5, 255.5, Float(192).nextDown) }
      let whole = four.truncated
      for k in 0..<4 { #expect(whole[k] == UInt32(four[k])) }
    }
  }

  @Test func `each of four has its bit`() {
    for bits in 0..<16 as Range<UInt32> {
      var mask = SIMDMask<SIMD4<Int32>>(repeating: false)
      for k in 0..<4 { mask[k] = bits >> UInt32(k) & 1 == 1 }
      for count in 1...5 { #expect(mask.laneMask(first: count) == bits & (count < 4 ? 1 << UInt32(count) - 1 : 15)) }
    }
  }

  /// Flat in places, steep in others, so that all that is done otherwise where nothing is comes up.
  private func picture(_ width: Int, _ height: Int, seed: UInt64) -> GrayImage {
    var random = SplitMix64(seed: seed)
    var image = GrayImage(width: width, height: height, level: 100)
    for y in 0..<height {
      for x in 0..<width where (x / 12 + y / 7) % 3 != 0 {
        image[x, y] = UInt8.random(in: (x / 12) % 2 == 0 ? 0...255 : 95...105, using: &random)
      }
    }
    return image
  }

  private func direction(_ x: Int, _ y: Int) -> UInt8 {
    UInt8(Int32(roughAngle(Float(y), Float(x)) * (128 / (2 * .pi)) + 128.5) & 127)
  }

  @Test(arguments: [(16, 16), (17, 20), (25, 18), (61, 47)])
  func `slopes and the steepest of them are those of one pixel after another`(width: Int, height: Int) {
    let image = picture(width, height, seed: UInt64(width))
    let edges = LineSegmentDetector()
    image.withView { view in
      edges.begin(view)
      _ = edges.advance(view)
      _ = edges.advance(view)
    }
    var gradients = [Int](repeating: 0, count: width * height)
    var directions = [UInt8](repeating: 255, count: width * height)
    for y in 1..<(height - 1) {
      for x in 1..<(width - 1) {
        func at(_ dx: Int, _ dy: Int) -> Int { Int(image[x + dx, y + dy]) }
        let gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
        let gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
        let (less, more) = (min(abs(gx), abs(gy)), max(abs(gx), abs(gy)))
        gradients[y * width + x] = more + less * 3 / 8
        if gradients[y * width + x] >= 14 { directions[y * width + x] = direction(gx, gy) }
      }
    }
    let steps = [1, width + 1, width, width - 1]
    var ridges = 0
    for i in 0..<(width * height) {
      #expect(edges.directions.base[i] == directions[i])
      var isRidge = false
      if directions[i] != 255 {
        let step = steps[(Int(directions[i]) + 8) >> 4 & 3]
        isRidge = gradients[i] > gradients[i - step] && gradients[i] >= gradients[i + step]
      }
      #expect(edges.ridges.base[i] == (isRidge ? directions[i] : 255))
      if isRidge { ridges += 1 }
    }
    #expect(ridges > 10)
  }

  @Test func `the share of a line is that of one place after another`() {
    let (width, height) = (97, 71)
    let image = Posters.rich(width: width, height: height, seed: 8802)
    let edges = LineSegmentDetector()
    image.withView { edges.set($0) }
    var random = SplitMix64(seed: 8803)
    var (found, partly) = (0, 0)
    for round in 0..<600 {
      var a = SIMD2(Float.random(in: -20...120, using: &random), Float.random(in: -20...90, using: &random))
      var b = SIMD2(Float.random(in: -20...120, using: &random), Float.random(in: -20...90, using: &random))
      // Half of them along edges.
      if round % 2 == 0, !edges.edges.isEmpty {
        let edge = edges.edges[round / 2 % edges.edges.count]
        (a, b) = (edge.from - (edge.to - edge.from) * 0.2, edge.to)
      }
      let expected = share(edges, a, b)
      let share = edges.share(from: a, to: b)
      #expect(share.found == expected.found && share.looked == expected.looked)
      if share.found > 0.5 { found += 1 }
      if share.looked > 0 && share.looked < 1 { partly += 1 }
    }
    #expect(found > 50 && partly > 50)
  }

  private func share(
    _ edges: LineSegmentDetector,
    _ a: SIMD2<Float>,
    _ b: SIMD2<Float>
  ) -> (found: Float, looked: Float) {
    let d = b - a
    let count = max(6, min(24, Int((d.x * d.x + d.y * d.y).squareRoot() / 3)))
    let wanted = Int(direction(Int(-d.y * 16), Int(d.x * 16)))
    var (found, looked) = (0, 0)
    for i in 0..<count {
      let p = a + d * ((Float(i) + 0.5) / Float(count))
      guard p.x >= 1, p.y >= 1, p.x < Float(edges.width - 2), p.y < Float(edges.height - 2) else { continue }
      looked += 1
      let direction = Int(edges.directions.base[Int(p.y + 0.5) * edges.width + Int(p.x + 0.5)])
      guard direction != 255 else { continue }
      let lean = (direction - wanted) & 63
      if lean <= 6 || lean >= 58 { found += 1 }
    }
    return (Float(found) / Float(count), Float(looked) / Float(count))
  }

  /// Also where a map has its horizon among the matches.
  @Test(arguments: [0.0, 0.001, -0.004])
  func `matches near where a map puts them are all told of, and hardly any others`(lean: Double) {
    var random = SplitMix64(seed: 8804)
    var columns = MatchColumns(room: 300)
    columns.count = 300
    let map = Homography(
      Matrix3(rows: Vector3(0.8, -0.3, 120), Vector3(0.25, 0.9, 60), Vector3(lean, 0.0003, 1))
    )
    var (near, sure) = (Set<Int>(), 0)
    for i in 0..<300 {
      let target = SIMD2(Float.random(in: 0...400, using: &random), Float.random(in: 0...300, using: &random))
      let size = Float.random(in: 0.5...12, using: &random)
      let off = SIMD2(Float.random(in: -30...30, using: &random), Float.random(in: -30...30, using: &random))
      var frame = SIMD2<Float>(300, 200)
      if let p = map(Vector2(Double(target.x), Double(target.y))) {
        frame = SIMD2(Float(p.x), Float(p.y)) + off
        let e = Vector2(Double(frame.x), Double(frame.y)) - p
        if e.length < 6 * max(1, Double(size) / 2.5) { near.insert(i) }
      }
      columns.set(i, frame: frame, target: target, ratio: 1, turn: 0, size: size)
    }
    let count = columns.near(map, tolerance: 6)
    let found = (0..<count).map { Int(columns.found.base[$0]) }
    #expect(found == found.sorted() && near.isSubset(of: found))
    sure = near.count
    #expect(sure > 5 && count < sure + 100)
    if lean >= 0 { #expect(count < sure + 5) }
  }

  /// What comes from a target file is compared without its step, the rest as it is: with one odd number all is the
  /// rest.
  @Test func `descriptors without their step match as they are`() {
    let picture = Posters.rich(width: 160, height: 120, seed: 8805)
    let target = picture.withView { TargetBuilder().build($0, name: []) }
    let quad = Posters.quad(Vector2(160, 120), 190, 142, degrees: 25, lean: 0.1)
    var frame = FeatureSet()
    Posters.frame([(picture, quad)], width: 320, height: 240).withView { FeatureExtractor().extract($0, into: &frame) }
    var known = target.features()
    var matcher = BruteForceMatcher()
    var (short, long): ([Match], [Match]) = ([], [])
    matcher.match(frame, with: known, into: &short)
    // One more feature that nothing is like.
    known.features.append(known.features[0])
    known.descriptors.append(contentsOf: [Int16](repeating: 1, count: Feature.descriptorLength))
    matcher.match(frame, with: known, into: &long)
    long.removeAll { $0.target == known.count - 1 }
    #expect(short.count > 20 && short.count == long.count)
    for (a, b) in zip(short, long) { #expect(a.frame == b.frame && a.target == b.target && a.weight == b.weight) }
  }

  @Test(arguments: [2, 3]) func `a view from aslant is that of one pixel after another`(direction: Int) {
    for (width, height) in [(90, 70), (41, 97), (3, 5), (2, 2), (64, 9)] {
      let frame = picture(width, height, seed: UInt64(width))
      var view = AffineView()
      frame.withView { view.draw($0, direction: direction) }
      let m = view.frameFromView.matrix
      let (dy, step) = direction == 2 ? (362, 512) : (-362, -512)
      func level(_ x: Int, _ y: Int) -> Int {
        let (x, y) = (max(0, min((width - 1) << 10 - 1, x)), max(0, min((height - 1) << 10 - 1, y)))
        let (u, v, fx, fy) = (x >> 10, y >> 10, x >> 4 & 63, y >> 4 & 63)
        let above = Int(frame[u, v]) * (64 - fx) + Int(frame[u + 1, v]) * fx
        let below = Int(frame[u, v + 1]) * (64 - fx) + Int(frame[u + 1, v + 1]) * fx
        return (above * (64 - fy) + below * fy + 2048) >> 12
      }
      for y in 0..<view.picture.height {
        let (sx, sy) = (Int((m.row0.z + m.row0.y * Double(y)) * 1024), Int((m.row1.z + 1.5 * Double(y)) * 1024))
        for x in 0..<view.picture.width {
          let (u, v) = (sx + 1536 * x, sy + step * x)
          #expect(Int(view.picture[x, y]) == (level(u - 362, v - dy) + level(u + 362, v + dy) + 1) >> 1)
        }
      }
    }
  }

  @Test func `what an outline holds is likened as by plain loops`() {
    let pictures = (0..<6).map { Posters.rich(width: 160, height: 120, seed: 8810 + UInt64($0)) }
    let models = pictures.map { TargetModel($0.withView { TargetBuilder().build($0, name: [65]) }) }
    let binaryCodes = ThumbnailIndex(models)
    let frames = FramePyramid()
    var likely: [ThumbnailIndex.Likely] = []
    var told = 0
    for k in 0..<6 {
      // The last one reaches over the frame's rim.
      let quad = Posters.quad(Vector2(k == 5 ? 60 : 160, 120), 170, 128, degrees: 63 * Double(k), lean: 0.1)
      Posters.frame([(pictures[k], quad)], width: 320, height: 240).withView { frames.set($0) }
      binaryCodes.look(
        frames,
        quad,
        isWanted: [true, true, true, true, true, k != 0],
        least: -0.9,
        limit: 24,
        into: &likely
      )
      let size = (doubleArea(quad) / 2).squareRoot()
      var level = 0
      while level + 1 < frames.levels.count && size / Double(2 << level) > 1.4 * 16 { level += 1 }
      var corners = quad
      for i in 0..<4 { corners[i] = FramePyramid.levelFromFrame(level)(quad[i]) ?? quad[i] }
      for item in likely {
        let seen = frames.levels[level].withView { binaryCode($0, corners) }
        let small = models[item.target].target.thumbnail()
        let (w, h) = (Double(small.width), Double(small.height))
        let outer: InlineArray<4, Vector2> = [
          Vector2(-0.5, -0.5), Vector2(w - 0.5, -0.5), Vector2(w - 0.5, h - 0.5), Vector2(-0.5, h - 0.5),
        ]
        let own = small.withView { binaryCode($0, outer) }
        var product = 0
        for y in 0..<16 {
          for x in 0..<16 {
            // A quarter turn takes the last column to the first row.
            var (u, v) = (x, y)
            for _ in 0..<item.turn { (u, v) = (15 - v, u) }
            product += seen[v * 16 + u] * own[y * 16 + x]
          }
        }
        #expect(Float(product) * (1 / (Float(500) * 500)) == item.likeness)
      }
      #expect(likely.first?.target == k)
      #expect(k != 0 || likely.allSatisfy { $0.target != 5 })
      told += likely.count
    }
    #expect(told > 12)
  }

  private func binaryCode(_ picture: GrayView, _ corners: InlineArray<4, Vector2>) -> [Int] {
    guard let map = Homography(unitSquareTo: corners) else { return [] }
    let (m, step) = (map.matrix, (1 - 2 * 0.04) / 32)
    var levels: [Float] = []
    for y in 0..<16 {
      for x in 0..<16 {
        var sum: Float = 0
        for k in 0..<4 {
          let u = 0.04 + (Double(2 * x + k & 1) + 0.5) * step
          let v = 0.04 + (Double(2 * y + k >> 1) + 0.5) * step
          let w = 1 / (m.row2.x * u + m.row2.y * v + m.row2.z)
          let px = Float((m.row0.x * u + m.row0.y * v + m.row0.z) * w)
          let py = Float((m.row1.x * u + m.row1.y * v + m.row1.z) * w)
          sum += level(picture, px, py)
        }
        levels.append(sum)
      }
    }
    var mean: Float = 0
    for level in levels { mean += level }
    mean /= 256
    var square: Float = 0
    for k in 0..<256 {
      levels[k] -= mean
      square += levels[k] * levels[k]
    }
    let bound = 2.5 * (square / 256).squareRoot()
    square = 0
    for k in 0..<256 {
      levels[k] = max(-bound, min(bound, levels[k]))
      square += levels[k] * levels[k]
    }
    let scale = 500 / square.squareRoot()
    return levels.map { Int(max(-127, min(127, ($0 * scale).rounded()))) }
  }

  private func level(_ picture: GrayView, _ x: Float, _ y: Float) -> Float {
    let x = max(0, min(Float(picture.width - 1) - 0.001, x))
    let y = max(0, min(Float(picture.height - 1) - 0.001, y))
    let (ix, iy) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(ix), y - Float(iy))
    let (a, b) = (picture.row(iy), picture.row(iy + 1))
    let upper = Float(a[ix]) + fx * (Float(a[ix + 1]) - Float(a[ix]))
    let lower = Float(b[ix]) + fx * (Float(b[ix + 1]) - Float(b[ix]))
    return upper + fy * (lower - upper)
  }
}
