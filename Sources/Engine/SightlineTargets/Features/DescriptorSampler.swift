import SightlineMath

/// Reads what is around a spot: its direction, and its descriptor.
final class DescriptorSampler {
  /// Samples along a side of the turned grid: 16 with slopes on both axes, and one more on each side.
  private static let side = 18
  private static let radius = 6
  /// What a slope of nothing is kept as, so that all are positive.
  private static let zero: UInt16 = 0x8000
  /// Pixels of the round window that the direction is told from.
  private static let pixels = 113
  private let patch = Memory<Float>(count: 18 * 18 + 8, filledWith: 0)
  /// Where the grid's samples lie, and the pixels there: each one and its right neighbour, and the two below.
  private let offsets = Memory<Int32>(count: 4 * 5 * 18, filledWith: 0)
  private let beyondX = Memory<Float>(count: 4 * 5 * 18, filledWith: 0)
  private let beyondY = Memory<Float>(count: 4 * 5 * 18, filledWith: 0)
  private let upper = Memory<UInt32>(count: 4 * 5 * 18, filledWith: 0)
  private let lower = Memory<UInt32>(count: 4 * 5 * 18, filledWith: 0)
  /// How many pixels each row of the window reaches to either side of its middle.
  private let halfWidths = Memory<Int8>(count: 2 * DescriptorSampler.radius + 1, filledWith: 0)
  /// Weights of the window's pixels, row after row.
  private let window = Memory<Float>(count: DescriptorSampler.pixels + 8, filledWith: 0)
  /// Slopes of pixels of the window, ``zero`` added, and the weights of those at the rim; room for what is written beyond the last.
  private let across = Memory<UInt16>(count: DescriptorSampler.pixels + 16, filledWith: 0)
  private let down = Memory<UInt16>(count: DescriptorSampler.pixels + 16, filledWith: 0)
  private let weights = Memory<Float>(count: DescriptorSampler.pixels + 8, filledWith: 0)
  /// Which direction each pixel's slope is nearest to from below, and what that and the next one have of it.
  private let places = Memory<UInt32>(count: DescriptorSampler.pixels + 8, filledWith: 0)
  private let nearer = Memory<Float>(count: DescriptorSampler.pixels + 8, filledWith: 0)
  private let farther = Memory<Float>(count: DescriptorSampler.pixels + 8, filledWith: 0)
  /// Two rows of 36 directions, with room before and after each for its other end.
  private let histograms = Memory<Float>(count: 2 * 44, filledWith: 0)
  private let histogram: UnsafeMutablePointer<Float>
  private let smoothed: UnsafeMutablePointer<Float>
  /// Weight of each row of the grid for each of the four cells: triangles that overlap by half, falling off from the middle.
  private let rowWeights = Memory<Float>(count: 4 * 16, filledWith: 0)
  /// The triangles' weights of each column for the four cells.
  private let columnWeights = Memory<Float>(count: 16 * 4, filledWith: 0)
  private let falloff = Memory<Float>(count: 16, filledWith: 0)
  private let weighted = Memory<Float>(count: 16 * 16, filledWith: 0)
  private let numbers = Memory<Float>(count: Feature.descriptorLength, filledWith: 0)
  private let zeros = [Int16](repeating: 0, count: Feature.descriptorLength)

  init() {
    (histogram, smoothed) = (histograms.base + 4, histograms.base + 48)
    let r = Self.radius
    var place = 0
    for y in -r...r {
      for x in -r...r where x * x + y * y <= r * r {
        halfWidths.base[y + r] = max(halfWidths.base[y + r], Int8(x))
        window.base[Self.place(place)] = Float(exp(-Double(x * x + y * y) / (2 * 2.6 * 2.6)))
        place += 1
      }
    }
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

  /// The strongest direction of the slopes around a spot, and, where it is asked for, a second one that is nearly as strong.
  func directions(
    in level: ScaleSpace.Level,
    x: Float,
    y: Float,
    spacing: Float,
    hasSecond: Bool
  ) -> (Float, Float?) {
    let (cx, cy) = (Int(x.rounded()), Int(y.rounded()))
    let r = Self.radius
    let isInside = cx > r && cy > r && cx &+ r &+ 1 < level.width && cy &+ r &+ 1 < level.height
    if isInside { gather(level, cx, cy) }
    let count = isInside ? Self.pixels : gatherAtRim(level, cx, cy)
    fillHistogram(count, isInside ? window.base : weights.base)
    smoothHistogram()
    let bins = histogram
    var best = 0
    for i in 1..<36 where bins[i] > bins[best] { best = i }
    guard hasSecond else { return (angle(of: best), nil) }
    var second = -1
    for i in 0..<36 where i != best && bins[i] > 0.8 * bins[best] {
      if bins[i] > bins[(i + 35) % 36] && bins[i] >= bins[(i + 1) % 36] && (second < 0 || bins[i] > bins[second]) {
        second = i
      }
    }
    return (angle(of: best), second < 0 ? nil : angle(of: second))
  }

  /// Puts the slopes of all pixels of the window into ``across`` and ``down``, row after row.
  private func gather(_ level: ScaleSpace.Level, _ cx: Int, _ cy: Int) {
    let width = level.width
    var place = 0
    for dy in -Self.radius...Self.radius {
      let half = Int(halfWidths.base[dy &+ Self.radius])
      let p = level.smooth + ((cy &+ dy) &* width &+ cx &- half)
      // What is written beyond the row's end is written over by the next.
      put(p, width, place)
      if half > 3 { put(p + 8, width, place &+ 8) }
      place &+= 2 &* half &+ 1
    }
  }

  /// Eight slopes.
  @inline(__always)
  private func put(_ p: UnsafePointer<UInt16>, _ width: Int, _ place: Int) {
    @inline(__always) func load(_ offset: Int) -> SIMD8<UInt16> {
      UnsafeRawPointer(p + offset).loadUnaligned(as: SIMD8<UInt16>.self)
    }
    let zero = SIMD8(repeating: Self.zero)
    UnsafeMutableRawPointer(across.base + place).storeBytes(of: zero &+ load(1) &- load(-1), as: SIMD8<UInt16>.self)
    UnsafeMutableRawPointer(down.base + place)
      .storeBytes(of: zero &+ load(width) &- load(-width), as: SIMD8<UInt16>.self)
  }

  /// Puts the slopes of those pixels of the window that lie in the picture into ``across`` and ``down``, and their weights; answers how many.
  private func gatherAtRim(_ level: ScaleSpace.Level, _ cx: Int, _ cy: Int) -> Int {
    let (width, height) = (level.width, level.height)
    var (place, count) = (0, 0)
    for dy in -Self.radius...Self.radius {
      let half = Int(halfWidths.base[dy &+ Self.radius])
      let py = cy &+ dy
      for px in (cx &- half)...(cx &+ half) {
        if py >= 1, py < height &- 1, px >= 1, px < width &- 1 {
          let p = level.smooth + (py &* width &+ px)
          across.base[count] = Self.zero &+ p[1] &- p[-1]
          down.base[count] = Self.zero &+ p[width] &- p[-width]
          weights.base[Self.place(count)] = window.base[Self.place(place)]
          count &+= 1
        }
        place &+= 1
      }
    }
    for i in count..<((count &+ 7) & ~7) { weights.base[Self.place(i)] = 0 }
    return count
  }

  /// Shares so many slopes out among 36 directions, each between the two nearest.
  private func fillHistogram(_ count: Int, _ weights: UnsafePointer<Float>) {
    let blocks = (count &+ 7) &>> 3
    for block in 0..<blocks {
      let x = UnsafeRawPointer(across.base + 8 &* block).loadUnaligned(as: SIMD4<UInt32>.self)
      let y = UnsafeRawPointer(down.base + 8 &* block).loadUnaligned(as: SIMD4<UInt32>.self)
      let (even, odd) = (8 &* block, 8 &* block &+ 4)
      point(Self.slopes(x & SIMD4(repeating: 0xFFFF)), Self.slopes(y & SIMD4(repeating: 0xFFFF)), even)
      point(Self.slopes(x &>> SIMD4(repeating: 16)), Self.slopes(y &>> SIMD4(repeating: 16)), odd)
    }
    // Roots are drawn one by one in any case.
    for i in 0..<(8 &* blocks) { nearer.base[i] = nearer.base[i].squareRoot() }
    for i in Swift.stride(from: 0, to: 8 &* blocks, by: 4) {
      let (size, part) = (load4(nearer.base + i) * load4(weights + i), load4(farther.base + i))
      UnsafeMutableRawPointer(nearer.base + i).storeBytes(of: size * (1 - part), as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(farther.base + i).storeBytes(of: size * part, as: SIMD4<Float>.self)
    }
    let (bins, places, nearer, farther) = (histogram, places.base, nearer.base, farther.base)
    for i in 0..<36 { bins[i] = 0 }
    for block in 0..<blocks {
      for k in 0..<8 {
        let i = Self.place(8 &* block &+ k)
        let bin = Int(places[i])
        bins[bin] += nearer[i]
        bins[bin == 35 ? 0 : bin &+ 1] += farther[i]
      }
    }
  }

  /// Where what belongs to a pixel of the window lies: of eight, those at even places first.
  @inline(__always)
  private static func place(_ i: Int) -> Int { i & ~7 | (i & 1) &<< 2 | (i &>> 1) & 3 }

  /// Slopes from what ``put(_:_:_:)`` leaves.
  @inline(__always)
  private static func slopes(_ v: SIMD4<UInt32>) -> SIMD4<Float> {
    // A whole number in the lowest bits of 2²³; conversions go one by one.
    unsafeBitCast(v | SIMD4(repeating: 0x4B00_0000), to: SIMD4<Float>.self) - (8_388_608 + 32_768)
  }

  /// Finds which directions four slopes have, and their squares.
  @inline(__always)
  private func point(_ x: SIMD4<Float>, _ y: SIMD4<Float>, _ i: Int) {
    let position = (Self.roughAngles(y, x) + .pi) * (36 / (2 * .pi))
    let below = Self.roundedDown(position)
    let bin = Self.chosen(35 - below, SIMD4(repeating: 35), below)
    let place = unsafeBitCast(bin + 8_388_608, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0xFF)
    UnsafeMutableRawPointer(places.base + i).storeBytes(of: place, as: SIMD4<UInt32>.self)
    UnsafeMutableRawPointer(farther.base + i).storeBytes(of: position - bin, as: SIMD4<Float>.self)
    UnsafeMutableRawPointer(nearer.base + i).storeBytes(of: x * x + y * y, as: SIMD4<Float>.self)
  }

  /// ``roughAngle(_:_:)`` of whole numbers, to the last digit.
  @inline(__always)
  static func roughAngles(_ y: SIMD4<Float>, _ x: SIMD4<Float>) -> SIMD4<Float> {
    let (ax, ay) = (size(x), size(y))
    // Negative where it is steep.
    let flatness = ax - ay
    // Twice the smaller by twice the larger; of nothing 0, since beside a whole number so little is lost.
    let (sum, difference) = (ax + ay, size(flatness))
    let t = (sum - difference) / (sum + difference + 1e-30)
    let t2 = t * t
    var angle = ((-0.046_496_47 * t2 + 0.159_314_22) * t2 - 0.327_622_76) * t2 * t + t
    angle = chosen(flatness, .pi / 2 - angle, angle)
    angle = chosen(x, .pi - angle, angle)
    // No number is −0, and where y is negative the angle is not 0.
    let sign = unsafeBitCast(y, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x8000_0000)
    return unsafeBitCast(unsafeBitCast(angle, to: SIMD4<UInt32>.self) ^ sign, to: SIMD4<Float>.self)
  }

  /// Where some number is negative the first, else the second.
  ///
  /// By signs, since masks of comparisons are taken apart when they meet bits.
  @inline(__always)
  private static func chosen(_ sign: SIMD4<Float>, _ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    let mask = unsafeBitCast(sign, to: SIMD4<Int32>.self) &>> SIMD4(repeating: 31)
    return unsafeBitCast(
      unsafeBitCast(a, to: SIMD4<Int32>.self) & mask | unsafeBitCast(b, to: SIMD4<Int32>.self) & ~mask,
      to: SIMD4<Float>.self
    )
  }

  private func smoothHistogram() {
    smoothHistogram(histogram, to: smoothed)
    smoothHistogram(smoothed, to: histogram)
  }

  /// Makes of each direction the mean of itself and its two neighbours.
  private func smoothHistogram(_ from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>) {
    from[-1] = from[35]
    from[36] = from[0]
    for i in Swift.stride(from: 0, to: 36, by: 4) {
      let mean = (load4(from + (i &- 1)) + load4(from + i) + load4(from + (i &+ 1))) / 3
      UnsafeMutableRawPointer(to + i).storeBytes(of: mean, as: SIMD4<Float>.self)
    }
  }

  private func angle(of bin: Int) -> Float {
    let bins = histogram
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
  private static func size(_ v: SIMD4<Float>) -> SIMD4<Float> {
    unsafeBitCast(unsafeBitCast(v, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7FFF_FFFF), to: SIMD4<Float>.self)
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

  /// Finds where four rows of the grid are: in bytes from the pixel that a spot is in, and how far beyond the pixel there.
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
      let (wholeX, wholeY) = (Self.roundedDown(qx), Self.roundedDown(qy))
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
    let low = chosen(last - v, SIMD4(repeating: last), v)
    return chosen(low, .zero, low)
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

  @inline(__always)
  private static func roundedDown(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let near = (v + 8_388_608) - 8_388_608
    return near - chosen(v - near, SIMD4(repeating: 1), .zero)
  }
}
