import SightlineMath

/// Reads what is around a spot: its direction, and its descriptor.
final class DescriptorSampler {
  /// Samples along a side of the turned grid: 16 with slopes on both axes, and one more on each side.
  private static let side = 18
  private static let radius = 6
  private let patch = Memory<Float>(count: 18 * 18 + 8, filledWith: 0)
  private let histogram = Memory<Float>(count: 36 + 4, filledWith: 0)
  private let window: Memory<Float>
  /// Weight of each row (or column) of the grid for each of the four cells: triangles that overlap by half.
  private let share: Memory<Float>
  private let falloff: Memory<Float>
  private let numbers = Memory<Float>(count: Feature.descriptorLength, filledWith: 0)
  private let zeros = [Int16](repeating: 0, count: Feature.descriptorLength)

  init() {
    let r = Self.radius
    window = Memory(count: (2 * r + 1) * (2 * r + 1), filledWith: 0)
    for y in -r...r {
      for x in -r...r where x * x + y * y <= r * r {
        window.base[(y + r) * (2 * r + 1) + x + r] = Float(exp(-Double(x * x + y * y) / (2 * 2.6 * 2.6)))
      }
    }
    share = Memory(count: 4 * 16, filledWith: 0)
    falloff = Memory(count: 16, filledWith: 0)
    for cell in 0..<4 {
      for i in 0..<16 {
        let distance = abs(Float(i) - (Float(cell) * 4 + 1.5)) / 4
        share.base[cell * 16 + i] = max(0, 1 - distance)
      }
    }
    for i in 0..<16 {
      let d = (Double(i) - 7.5) / 8
      falloff.base[i] = Float(exp(-d * d / (2 * 0.75 * 0.75)))
    }
  }

  /// The strongest direction of the slopes around a spot, and a second one that is nearly as strong.
  func directions(in level: ScaleSpace.Level, x: Float, y: Float, spacing: Float) -> (Float, Float?) {
    let bins = histogram.base
    for i in 0..<36 { bins[i] = 0 }
    let r = Self.radius
    let (cx, cy) = (Int(x.rounded()), Int(y.rounded()))
    let (width, height) = (level.width, level.height)
    for dy in -r...r {
      let py = cy + dy
      guard py >= 1, py < height - 1 else { continue }
      let row = level.smooth + py &* width
      let weights = window.base + (dy + r) &* (2 * r + 1) + r
      for dx in max(-r, 1 - cx)..<max(max(-r, 1 - cx), min(r + 1, width - 1 - cx)) {
        let weight = weights[dx]
        if weight == 0 { continue }
        let px = cx &+ dx
        let gx = Float(Int32(row[px &+ 1]) &- Int32(row[px &- 1]))
        let gy = Float(Int32(row[px &+ width]) &- Int32(row[px &- width]))
        let magnitude = (gx * gx + gy * gy).squareRoot() * weight
        // 36 bins, shared between the two nearest.
        let position = (roughAngle(gy, gx) + .pi) * (36 / (2 * .pi))
        let bin = min(35, Int(position))
        let part = position - Float(bin)
        bins[bin] += magnitude * (1 - part)
        bins[bin == 35 ? 0 : bin &+ 1] += magnitude * part
      }
    }
    smoothHistogram()
    var best = 0
    for i in 1..<36 where bins[i] > bins[best] { best = i }
    var second = -1
    for i in 0..<36 where i != best && bins[i] > 0.8 * bins[best] {
      if bins[i] > bins[(i + 35) % 36] && bins[i] >= bins[(i + 1) % 36] && (second < 0 || bins[i] > bins[second]) {
        second = i
      }
    }
    return (angle(of: best), second < 0 ? nil : angle(of: second))
  }

  private func smoothHistogram() {
    let bins = histogram.base
    for _ in 0..<2 {
      let first = bins[0]
      var before = bins[35]
      for i in 0..<36 {
        let here = bins[i]
        let after = i == 35 ? first : bins[i + 1]
        bins[i] = (before + here + after) / 3
        before = here
      }
    }
  }

  private func angle(of bin: Int) -> Float {
    let bins = histogram.base
    let (a, b, c) = (bins[(bin + 35) % 36], bins[bin], bins[(bin + 1) % 36])
    let bend = a + c - 2 * b
    let offset = bend < 0 ? 0.5 * (a - c) / bend : 0
    return (Float(bin) + offset) * (2 * .pi / 36) - .pi
  }

  /// Adds the descriptor of a spot.
  func describe(
    _ level: ScaleSpace.Level,
    x: Float,
    y: Float,
    angle: Float,
    spacing: Float,
    into descriptors: inout [Int16]
  ) {
    sample(level, x, y, Float(cos(Double(angle))) * spacing, Float(sin(Double(angle))) * spacing)
    // First down the columns, sixteen at a time: rows of cells × four kinds of slope.
    var sums = InlineArray<16, SIMD16<Float>>(repeating: .zero)
    let side = Self.side
    for row in 0..<16 {
      let p = patch.base + (row + 1) &* side
      let middle = UnsafeRawPointer(p)
      let left = middle.loadUnaligned(as: SIMD16<Float>.self)
      let right = UnsafeRawPointer(p + 2).loadUnaligned(as: SIMD16<Float>.self)
      let above = UnsafeRawPointer(p + 1 - side).loadUnaligned(as: SIMD16<Float>.self)
      let below = UnsafeRawPointer(p + 1 + side).loadUnaligned(as: SIMD16<Float>.self)
      let gx = right - left
      let gy = below - above
      // What is above nothing is half the sum with its own size; what is below nothing is left.
      let rising = (gx + Self.size(gx)) * 0.5
      let falling = rising - gx
      let downward = (gy + Self.size(gy)) * 0.5
      let upward = downward - gy
      for cell in 0..<4 {
        let weight = share.base[cell &* 16 &+ row] * falloff.base[row]
        if weight == 0 { continue }
        sums[cell &* 4] += rising * weight
        sums[cell &* 4 &+ 1] += falling * weight
        sums[cell &* 4 &+ 2] += downward * weight
        sums[cell &* 4 &+ 3] += upward * weight
      }
    }
    let result = numbers.base
    var total: Float = 1e-6
    let across = UnsafeRawPointer(falloff.base).loadUnaligned(as: SIMD16<Float>.self)
    for line in 0..<16 {
      let weighted = sums[line] * across
      for cell in 0..<4 {
        let weights = UnsafeRawPointer(share.base + cell &* 16).loadUnaligned(as: SIMD16<Float>.self)
        let value = (weighted * weights).sum()
        result[line &* 4 &+ cell] = value
        total += value
      }
    }
    let share = FeatureSet.unit * FeatureSet.unit / total
    let start = descriptors.count
    descriptors.append(contentsOf: zeros)
    descriptors.withUnsafeMutableBufferPointer { all in
      guard let to = all.baseAddress else { return }
      for i in 0..<Feature.descriptorLength {
        to[start &+ i] = Int16(truncatingIfNeeded: Int32((result[i] * share).squareRoot() + 0.5))
      }
    }
  }

  @inline(__always)
  private static func size(_ v: SIMD16<Float>) -> SIMD16<Float> {
    unsafeBitCast(unsafeBitCast(v, to: SIMD16<UInt32>.self) & SIMD16(repeating: 0x7FFF_FFFF), to: SIMD16<Float>.self)
  }

  /// Fills the turned grid around a spot, linear between pixels.
  private func sample(_ level: ScaleSpace.Level, _ x: Float, _ y: Float, _ c: Float, _ s: Float) {
    let side = Self.side
    let (width, height) = (level.width, level.height)
    let middle = Float(side - 1) / 2
    let reach = middle * (abs(c) + abs(s)) + 1
    let inside = x >= reach && y >= reach && x < Float(width - 1) - reach && y < Float(height - 1) - reach
    let smooth = level.smooth
    for row in 0..<side {
      let v = Float(row) - middle
      var px = x - middle * c - v * s
      var py = y - middle * s + v * c
      let to = patch.base + row &* side
      for column in 0..<side {
        var (qx, qy) = (px, py)
        if !inside {
          qx = max(0, min(Float(width) - 1.01, px))
          qy = max(0, min(Float(height) - 1.01, py))
        }
        // Places are positive: cut off is rounded down. Whole numbers of 32 bits are quicker made of numbers and back.
        let (ix, iy) = (Int32(qx), Int32(qy))
        let (fx, fy) = (qx - Float(ix), qy - Float(iy))
        let p = UnsafeRawPointer(smooth + (Int(iy) &* width &+ Int(ix)))
        // Two neighbours each in one piece.
        let above = p.loadUnaligned(as: UInt32.self)
        let below = (p + 2 &* width).loadUnaligned(as: UInt32.self)
        let (a0, a1) = (Float(Int32(above & 0xFFFF)), Float(Int32(above &>> 16)))
        let (b0, b1) = (Float(Int32(below & 0xFFFF)), Float(Int32(below &>> 16)))
        let a = a0 + fx * (a1 - a0)
        let b = b0 + fx * (b1 - b0)
        to[column] = a + fy * (b - a)
        px += c
        py += s
      }
    }
  }
}
