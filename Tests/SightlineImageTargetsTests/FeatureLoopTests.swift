import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// The fast ways of finding and describing features against plain loops, to the last digit.
@Suite struct FeatureLoopTests {
  private static let (width, height) = (190, 141)

  /// Noise with soft blobs, so that all levels have keypoints, and a chessboard, where many are equally strong.
  private func picture(_ random: inout SplitMix64) -> GrayImage {
    var image = GrayImage(width: Self.width, height: Self.height)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let wave = 60 * (sin(Double(x) / 9) + sin(Double(y) / 13 + Double(x) / 31))
        let noise = Double(random.next() % 90) - 45
        let isBoard = x > 120 && y > 80
        image[x, y] = UInt8(isBoard ? ((x / 6 + y / 6) % 2 == 0 ? 40 : 210) : max(0, min(255, 128 + wave + noise)))
      }
    }
    return image
  }

  @Test func `directions and descriptors are those of plain loops`() {
    var random = SplitMix64(seed: 41)
    let space = ScaleSpace()
    picture(&random).withView { space.set($0) }
    let (directions, sampler) = (OrientationAssigner(), DescriptorExtractor())
    for level in space.levels {
      for _ in 0..<60 {
        let x = Float.random(in: 1...Float(level.width - 2), using: &random)
        let y = Float.random(in: 1...Float(level.height - 2), using: &random)
        let spacing = Float.random(in: 0.84...1.19, using: &random)
        let fast = directions.directions(in: level, x: x, y: y, hasSecond: true)
        let plain = PlainSampler.directions(in: level, x: x, y: y)
        #expect(fast.0 == plain.0 && fast.1 == plain.1)
        var descriptors: [Int16] = []
        sampler.describe(level, x: x, y: y, angle: plain.0, spacing: spacing, into: &descriptors)
        #expect(descriptors == PlainSampler.descriptor(level, x: x, y: y, angle: plain.0, spacing: spacing))
      }
    }
  }

  @Test(arguments: [(60, Float(0.4)), (300, 2), (5000, 2)])
  func `features are those that a plain search finds and a plain choice keeps`(limit: Int, share: Float) {
    var random = SplitMix64(seed: 42)
    let image = picture(&random)
    var parameters = FeatureExtractor.Parameters()
    (parameters.keypoints.limit, parameters.keypoints.partShare) = (limit, share)
    let extractor = FeatureExtractor(parameters: parameters)
    var found = FeatureSet()
    image.withView { extractor.extract($0, into: &found) }
    let space = ScaleSpace()
    image.withView { space.set($0) }
    let expected = PlainSearch(space: space, parameters: parameters.keypoints).features(
      width: Self.width,
      height: Self.height
    )
    #expect(found.count > 50)
    #expect(found.features.map { SIMD4($0.x, $0.y, $0.scale, $0.response) } == expected)
  }

  @Test(arguments: [40, 4000])
  func `words are those that a plain loop finds`(count: Int) {
    var random = SplitMix64(seed: 43)
    let length = Feature.descriptorLength
    var samples: [Int16] = []
    for _ in 0..<count {
      let numbers = (0..<length).map { _ in Float(random.next() % 200) }
      let size = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
      for number in numbers { samples.append(Int16(number / size * FeatureSet.unit)) }
    }
    let vocabulary = samples.withUnsafeBufferPointer { all in
      Vocabulary(all.baseAddress!, sampleCount: count, words: 256)
    }
    var (few, all): ([(score: Int32, word: Int)], [(score: Int32, word: Int)]) = ([], [])
    for k in 0..<40 {
      samples.withUnsafeBufferPointer { samples in
        let descriptor = samples.baseAddress! + k * length
        vocabulary.words(near: descriptor, nodes: 64, limit: vocabulary.count, into: &all)
        vocabulary.words(near: descriptor, nodes: 64, limit: 6, into: &few)
        #expect(all.count == vocabulary.count && Set(all.map(\.word)).count == all.count)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.score >= $1.score })
        #expect(few.map(\.word) == all.prefix(6).map(\.word) && few.map(\.score) == all.prefix(6).map(\.score))
        // The word of a descriptor is the best of the best node's.
        vocabulary.words(near: descriptor, nodes: 1, limit: 1, into: &few)
        #expect(few.first?.word == vocabulary.word(of: descriptor))
      }
    }
  }
}

/// What ``DirectionFinder`` and ``DescriptorSampler`` do, one pixel at a time.
private enum PlainSampler {
  static func directions(in level: ScaleSpace.Level, x: Float, y: Float) -> (Float, Float?) {
    var bins = [Float](repeating: 0, count: 36)
    let (cx, cy) = (Int(x.rounded()), Int(y.rounded()))
    for dy in -6...6 {
      for dx in -6...6 where dx * dx + dy * dy <= 36 {
        let (px, py) = (cx + dx, cy + dy)
        guard px >= 1, py >= 1, px < level.width - 1, py < level.height - 1 else { continue }
        func at(_ x: Int, _ y: Int) -> Float { Float(level.smooth[y * level.width + x]) }
        let (gx, gy) = (at(px + 1, py) - at(px - 1, py), at(px, py + 1) - at(px, py - 1))
        let weight = Float(exp(-Double(dx * dx + dy * dy) / (2 * 2.6 * 2.6)))
        let magnitude = (gx * gx + gy * gy).squareRoot() * weight
        let position = (roughAngle(gy, gx) + .pi) * (36 / (2 * .pi))
        let bin = min(35, Int(position))
        bins[bin] += magnitude * (1 - (position - Float(bin)))
        bins[(bin + 1) % 36] += magnitude * (position - Float(bin))
      }
    }
    for _ in 0..<2 { bins = (0..<36).map { (bins[($0 + 35) % 36] + bins[$0] + bins[($0 + 1) % 36]) / 3 } }
    func angle(_ bin: Int) -> Float {
      let (a, b, c) = (bins[(bin + 35) % 36], bins[bin], bins[(bin + 1) % 36])
      let bend = a + c - 2 * b
      return (Float(bin) + (bend < 0 ? 0.5 * (a - c) / bend : 0)) * (2 * .pi / 36) - .pi
    }
    let best = bins.firstIndex(of: bins.max() ?? 0) ?? 0
    let others = (0..<36).filter {
      $0 != best && bins[$0] > 0.8 * bins[best] && bins[$0] > bins[($0 + 35) % 36] && bins[$0] >= bins[($0 + 1) % 36]
    }
    let second = others.max { (bins[$0], $1) < (bins[$1], $0) }
    return (angle(best), second.map(angle))
  }

  static func descriptor(_ level: ScaleSpace.Level, x: Float, y: Float, angle: Float, spacing: Float) -> [Int16] {
    let (c, s) = (Float(cos(Double(angle))) * spacing, Float(sin(Double(angle))) * spacing)
    var grid = [[Float]](repeating: [], count: 18)
    let reach = 8.5 * (abs(c) + abs(s)) + 1
    let isInside =
      x >= reach && y >= reach && x < Float(level.width - 1) - reach && y < Float(level.height - 1) - reach
    for row in 0..<18 {
      let v = Float(row) - 8.5
      var (px, py) = (x - 8.5 * c - v * s, y - 8.5 * s + v * c)
      for _ in 0..<18 {
        let qx = isInside ? px : max(0, min(Float(level.width) - 1.01, px))
        let qy = isInside ? py : max(0, min(Float(level.height) - 1.01, py))
        let (ix, iy) = (Int(qx), Int(qy))
        func at(_ x: Int, _ y: Int) -> Float { Float(level.smooth[y * level.width + x]) }
        let a = at(ix, iy) + (qx - Float(ix)) * (at(ix + 1, iy) - at(ix, iy))
        let b = at(ix, iy + 1) + (qx - Float(ix)) * (at(ix + 1, iy + 1) - at(ix, iy + 1))
        grid[row].append(a + (qy - Float(iy)) * (b - a))
        (px, py) = (px + c, py + s)
      }
    }
    func falloff(_ i: Int) -> Float {
      let d = (Double(i) - 7.5) / 8
      return Float(exp(-d * d / (2 * 0.75 * 0.75)))
    }
    func share(_ i: Int, _ cell: Int) -> Float { max(0, 1 - abs(Float(i) - (Float(cell) * 4 + 1.5)) / 4) }
    var values: [Float] = []
    for cell in 0..<4 {
      var sums = [[Float]](repeating: [Float](repeating: 0, count: 16), count: 4)
      for row in 0..<16 where share(row, cell) > 0 {
        for column in 0..<16 {
          let gx = grid[row + 1][column + 2] - grid[row + 1][column]
          let gy = grid[row + 2][column + 1] - grid[row][column + 1]
          let (rising, downward) = ((gx + abs(gx)) * 0.5, (gy + abs(gy)) * 0.5)
          let weight = share(row, cell) * falloff(row)
          for (kind, gradient) in [rising, rising - gx, downward, downward - gy].enumerated() {
            sums[kind][column] += gradient * weight
          }
        }
      }
      for kind in 0..<4 {
        for across in 0..<4 {
          var value: Float = 0
          for column in 0..<16 { value += sums[kind][column] * falloff(column) * share(column, across) }
          values.append(value)
        }
      }
    }
    let total = values.reduce(1e-6, +)
    return values.map { Int16(($0 * (FeatureSet.unit * FeatureSet.unit / total)).squareRoot() + 0.5) }
  }
}

/// What ``FeatureExtractor`` does up to the choice, one pixel at a time.
private struct PlainSearch {
  let space: ScaleSpace
  let parameters: KeypointDetector.Parameters

  private struct RawKeypoint {
    var place: SIMD2<Float>
    var level: Int
    var offset: Float
    var response: Float
  }

  /// Place, size and response of the features of a picture.
  func features(width: Int, height: Int) -> [SIMD4<Float>] {
    var keypoints: [RawKeypoint] = []
    for index in space.levels.indices {
      let level = space.levels[index]
      for y in 2..<(level.height - 2) { for x in 2..<(level.width - 2) { look(index, x, y, &keypoints) } }
    }
    let order = keypoints.indices.sorted { (abs(keypoints[$0].response), $1) > (abs(keypoints[$1].response), $0) }
    let share =
      keypoints.count > parameters.limit ? max(1, Int(Float(parameters.limit) / 48 * parameters.partShare)) : Int.max
    var used: [Int: Int] = [:]
    var (chosen, others): ([Int], [Int]) = ([], [])
    for i in order {
      let scale = space.levels[keypoints[i].level].scale
      let column = min(7, Int(keypoints[i].place.x * scale) * 8 / width)
      let row = min(5, Int(keypoints[i].place.y * scale) * 6 / height)
      if used[row * 8 + column, default: 0] < share {
        used[row * 8 + column, default: 0] += 1
        chosen.append(i)
      } else {
        others.append(i)
      }
    }
    chosen = Array(chosen.prefix(parameters.limit))
    chosen += others.prefix(parameters.limit - chosen.count)
    return chosen.map { i in
      let (keypoint, scale) = (keypoints[i], space.levels[keypoints[i].level].scale)
      let spacing = 1 + keypoint.offset * (0.346_57 + keypoint.offset * 0.060_06)
      return SIMD4(
        (keypoint.place.x + 0.5) * scale - 0.5,
        (keypoint.place.y + 0.5) * scale - 0.5,
        scale * spacing,
        keypoint.response
      )
    }
  }

  private func look(_ index: Int, _ x: Int, _ y: Int, _ keypoints: inout [RawKeypoint]) {
    let level = space.levels[index]
    func at(_ dx: Int, _ dy: Int) -> Float { Float(level.difference[(y + dy) * level.width + x + dx]) }
    let sign: Float = at(0, 0) > 0 ? 1 : -1
    let value = at(0, 0) * sign
    guard value >= Float(parameters.threshold) else { return }
    for (dx, dy) in [(-1, 0), (0, -1), (-1, -1), (-1, 1)] where at(dx, dy) * sign >= value { return }
    for (dx, dy) in [(1, 0), (0, 1), (1, -1), (1, 1)] where at(dx, dy) * sign > value { return }
    let finer = index > 0 ? largest(space.levels[index - 1], x, y, ScaleSpace.step, sign) : nil
    if let finer, finer > value { return }
    let coarser =
      index + 1 < space.levels.count ? largest(space.levels[index + 1], x, y, 1 / ScaleSpace.step, sign) : nil
    if let coarser, coarser >= value { return }
    let (gx, gy) = ((at(1, 0) - at(-1, 0)) * 0.5, (at(0, 1) - at(0, -1)) * 0.5)
    let (xx, yy) = (at(1, 0) + at(-1, 0) - 2 * at(0, 0), at(0, 1) + at(0, -1) - 2 * at(0, 0))
    let xy = (at(1, 1) - at(-1, 1) - at(1, -1) + at(-1, -1)) * 0.25
    let (determinant, trace, r) = (xx * yy - xy * xy, xx + yy, parameters.edgeRatio)
    guard determinant > 0, trace * trace * r < (r + 1) * (r + 1) * determinant else { return }
    let dx = max(-0.7, min(0.7, -(yy * gx - xy * gy) / determinant))
    let dy = max(-0.7, min(0.7, -(xx * gy - xy * gx) / determinant))
    var offset: Float = 0
    if let finer, let coarser, finer + coarser < 2 * value {
      offset = max(-0.5, min(0.5, 0.5 * (finer - coarser) / (finer + coarser - 2 * value)))
    }
    let place = SIMD2(Float(x) + dx, Float(y) + dy)
    keypoints.append(RawKeypoint(place: place, level: index, offset: offset, response: at(0, 0)))
  }

  private func largest(_ level: ScaleSpace.Level, _ x: Int, _ y: Int, _ ratio: Float, _ sign: Float) -> Float {
    let nx = max(0, min(level.width - 2, Int((Float(x) + 0.5) * ratio - 0.5)))
    let ny = max(0, min(level.height - 2, Int((Float(y) + 0.5) * ratio - 0.5)))
    let p = level.difference + (ny * level.width + nx)
    return [p[0], p[1], p[level.width], p[level.width + 1]].map { Float($0) * sign }.max() ?? 0
  }
}
