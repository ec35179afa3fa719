import SightlineImaging
import SightlineMath

/// Reads what is around a keypoint in its direction and size: its descriptor.
final class DescriptorExtractor {
  /// Samples along a side of the turned grid: 16 with gradients on both axes, and one more on each side.
  private static let side = 18
  private let patch = FixedBuffer<Float>(count: 18 * 18 + 8, filledWith: 0)
  /// Where the grid's samples lie, and the pixels there: each one and its right neighbour, and the two below.
  private let offsets = FixedBuffer<Int32>(count: 4 * 5 * 18, filledWith: 0)
  /// How far each sample is beyond its pixel; ``beyondX`` then holds the levels.
  private let beyondX = FixedBuffer<Float>(count: 4 * 5 * 18, filledWith: 0)
  private let beyondY = FixedBuffer<Float>(count: 4 * 5 * 18, filledWith: 0)
  private let upper = FixedBuffer<UInt32>(count: 4 * 5 * 18, filledWith: 0)
  private let lower = FixedBuffer<UInt32>(count: 4 * 5 * 18, filledWith: 0)
  /// Weight of each row of the grid for each of the four cells: triangles that overlap by half, falling off from the
  /// middle.
  private let rowWeights = FixedBuffer<Float>(count: 4 * 16, filledWith: 0)
  /// The triangles' weights of each column for the four cells.
  private let columnWeights = FixedBuffer<Float>(count: 16 * 4, filledWith: 0)
  private let falloff = FixedBuffer<Float>(count: 16, filledWith: 0)
  /// Sums of the grid's columns, for each row of cells and each kind of gradient.
  private let weighted = FixedBuffer<Float>(count: 16 * 16, filledWith: 0)
  private let numbers = FixedBuffer<Float>(count: Feature.descriptorLength, filledWith: 0)
  private let zeros = [Int16](repeating: 0, count: Feature.descriptorLength)

  init() {
    for i in 0..<16 {
      let d = (Double(i) - 7.5) / 8
      falloff.base[i] = Float(exp(-d * d / (2 * 0.75 * 0.75)))
    }
    for cell in 0..<4 {
      for i in 0..<16 {
        let distance = abs(Float(i) - (Float(cell) * 4 + 1.5)) / 4
        let weight = max(0, 1 - distance)
        rowWeights.base[cell * 16 + i] = weight * falloff.base[i]
        columnWeights.base[i * 4 + cell] = weight
      }
    }
  }

  /// Adds the descriptor of a keypoint.
  @_optimize(speed)
  func describe(
    _ level: ScaleSpace.Level,
    x: Float,
    y: Float,
    angle: Float,
    spacing: Float,
    into descriptors: inout [Int16]
  ) {
    sample(level, x, y, Float(cos(Double(angle))) * spacing, Float(sin(Double(angle))) * spacing)
    // First down the columns, sixteen at a time: rows of cells × four kinds of gradient.
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
        let weight = rowWeights.base[cell &* 16 &+ row]
        if weight == 0 { continue }
        sums[cell &* 4] += rising * weight
        sums[cell &* 4 &+ 1] += falling * weight
        sums[cell &* 4 &+ 2] += downward * weight
        sums[cell &* 4 &+ 3] += upward * weight
      }
    }
    let result = numbers.base
    var total: Float = 1e-6
    let falling = UnsafeRawPointer(falloff.base).loadUnaligned(as: SIMD16<Float>.self)
    for line in 0..<16 {
      UnsafeMutableRawPointer(weighted.base + 16 &* line).storeBytes(of: sums[line] * falling, as: SIMD16<Float>.self)
    }
    // Then along the rows, the four cells at a time.
    for line in 0..<16 {
      var cells = SIMD4<Float>.zero
      for column in 0..<16 {
        cells += load4(columnWeights.base + 4 &* column) * SIMD4(repeating: weighted.base[16 &* line &+ column])
      }
      UnsafeMutableRawPointer(result + line &* 4).storeBytes(of: cells, as: SIMD4<Float>.self)
    }
    for i in 0..<Feature.descriptorLength { total += result[i] }
    let share = FeatureSet.unit * FeatureSet.unit / total
    let start = descriptors.count
    descriptors.append(contentsOf: zeros)
    descriptors.withUnsafeMutableBufferPointer { all in
      guard let to = all.baseAddress else { return }
      for i in 0..<Feature.descriptorLength { result[i] = (result[i] * share).squareRoot() }
      for i in 0..<Feature.descriptorLength {
        to[start &+ i] = Int16(truncatingIfNeeded: Int32(result[i] + 0.5))
      }
    }
  }

  @inline(__always)
  private static func size(_ v: SIMD16<Float>) -> SIMD16<Float> {
    unsafeBitCast(unsafeBitCast(v, to: SIMD16<UInt32>.self) & SIMD16(repeating: 0x7FFF_FFFF), to: SIMD16<Float>.self)
  }

  /// Fills the turned grid around a keypoint, linear between pixels.
  @_optimize(speed)
  private func sample(_ level: ScaleSpace.Level, _ x: Float, _ y: Float, _ c: Float, _ s: Float) {
    let side = Self.side
    let (width, height) = (level.width, level.height)
    let middle = Float(side - 1) / 2
    let reach = middle * (abs(c) + abs(s)) + 1
    let isInside = x >= reach && y >= reach && x < Float(width - 1) - reach && y < Float(height - 1) - reach
    let origin = SIMD2(x.rounded(.down), y.rounded(.down))
    for group in 0..<Self.groups {
      let v = SIMD4<Float>(0, 1, 2, 3) + (Float(Self.firstRow(group)) - middle)
      let (px, py) = (x - middle * c - v * s, y - middle * s + v * c)
      if isInside {
        findPlaces(px, py, c, s, origin, width, group) { ($0, $1) }
      } else {
        let (lastX, lastY) = (Float(width) - 1.01, Float(height) - 1.01)
        findPlaces(px, py, c, s, origin, width, group) { (Self.limited($0, lastX), Self.limited($1, lastY)) }
      }
    }
    // Two neighbours each in one piece.
    let p = UnsafeRawPointer(level.smooth + (Int(origin.y) &* width &+ Int(origin.x)))
    let (offsets, upper, lower) = (offsets.base, upper.base, lower.base)
    let row = 2 &* width
    for i in 0..<(4 &* Self.groups &* side) {
      let at = p + Int(offsets[i])
      upper[i] = at.loadUnaligned(as: UInt32.self)
      lower[i] = (at + row).loadUnaligned(as: UInt32.self)
    }
    // The levels take the place of how far they are beyond.
    let levels = beyondX.base
    for i in Swift.stride(from: 0, to: 4 &* Self.groups &* side, by: 4) {
      UnsafeMutableRawPointer(levels + i).storeBytes(of: between(i), as: SIMD4<Float>.self)
    }
    for group in 0..<Self.groups {
      let to = patch.base + Self.firstRow(group) &* side
      let from = levels + 4 &* group &* side
      for column in 0..<side {
        to[column] = from[4 &* column]
        to[side &+ column] = from[4 &* column &+ 1]
        to[2 &* side &+ column] = from[4 &* column &+ 2]
        to[3 &* side &+ column] = from[4 &* column &+ 3]
      }
    }
  }

  /// How many times four rows make the grid; the last four meet those before them.
  private static let groups = 5
  @inline(__always)
  private static func firstRow(_ group: Int) -> Int { min(4 &* group, side &- 4) }

  /// Finds where four rows of the grid are: in bytes from the pixel that a keypoint is in, and how far beyond the pixel
  /// there.
  @inline(__always)
  private func findPlaces(
    _ startX: SIMD4<Float>,
    _ startY: SIMD4<Float>,
    _ c: Float,
    _ s: Float,
    _ origin: SIMD2<Float>,
    _ width: Int,
    _ group: Int,
    _ limited: (SIMD4<Float>, SIMD4<Float>) -> (SIMD4<Float>, SIMD4<Float>)
  ) {
    var (px, py) = (startX, startY)
    let stride = Float(width)
    for column in 0..<Self.side {
      let (qx, qy) = limited(px, py)
      let (wholeX, wholeY) = (SIMD4.roundedDown(qx), SIMD4.roundedDown(qy))
      // Whole numbers added to 3 · 2²² lie in the lowest bits.
      let places = (wholeY - origin.y) * stride + (wholeX - origin.x) + 12_582_912
      let bytes = (unsafeBitCast(places, to: SIMD4<UInt32>.self) &- 0x4B40_0000) &* 2
      let at = 4 &* (group &* Self.side &+ column)
      UnsafeMutableRawPointer(offsets.base + at).storeBytes(of: bytes, as: SIMD4<UInt32>.self)
      UnsafeMutableRawPointer(beyondX.base + at).storeBytes(of: qx - wholeX, as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(beyondY.base + at).storeBytes(of: qy - wholeY, as: SIMD4<Float>.self)
      px += c
      py += s
    }
  }

  /// From 0 to some number.
  @inline(__always)
  private static func limited(_ v: SIMD4<Float>, _ last: Float) -> SIMD4<Float> {
    let low = SIMD4.select(last - v, SIMD4(repeating: last), v)
    return SIMD4.select(low, .zero, low)
  }

  /// Four levels between pixels.
  @inline(__always)
  private func between(_ at: Int) -> SIMD4<Float> {
    let (fx, fy) = (load4(beyondX.base + at), load4(beyondY.base + at))
    let a = Self.pairs(upper.base + at)
    let b = Self.pairs(lower.base + at)
    let above = a.left + fx * a.rise
    let below = b.left + fx * b.rise
    return above + fy * (below - above)
  }

  /// Of four pairs of pixels the left ones, and how much the right ones are lighter.
  @inline(__always)
  private static func pairs(_ p: UnsafePointer<UInt32>) -> (left: SIMD4<Float>, rise: SIMD4<Float>) {
    let both = UnsafeRawPointer(p).loadUnaligned(as: SIMD4<UInt32>.self)
    // As in `slopes`.
    let large = SIMD4<UInt32>(repeating: 0x4B00_0000)
    let left = unsafeBitCast(both & SIMD4(repeating: 0xFFFF) | large, to: SIMD4<Float>.self)
    let right = unsafeBitCast(both &>> SIMD4(repeating: 16) | large, to: SIMD4<Float>.self)
    return (left - 8_388_608, right - left)
  }
}
