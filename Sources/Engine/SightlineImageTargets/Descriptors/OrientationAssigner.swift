import SightlineImaging
import SightlineMath

/// Tells which way the gradients around a keypoint point.
final class OrientationAssigner {
  /// Of the round window, pixels.
  private static let radius = 6
  /// What a gradient of nothing is kept as, so that all are positive.
  private static let zero: UInt16 = 0x8000
  /// Pixels of the round window that the direction is told from.
  private static let pixels = 113
  /// How many pixels each row of the window reaches to either side of its middle.
  private let halfWidths = FixedBuffer<Int8>(count: 2 * OrientationAssigner.radius + 1, filledWith: 0)
  /// Weights of the window's pixels, row after row.
  private let window = FixedBuffer<Float>(count: OrientationAssigner.pixels + 8, filledWith: 0)
  /// Slopes of pixels of the window, ``zero`` added, and the weights of those at the rim; room for what is written
  /// beyond the last.
  private let across = FixedBuffer<UInt16>(count: OrientationAssigner.pixels + 16, filledWith: 0)
  private let down = FixedBuffer<UInt16>(count: OrientationAssigner.pixels + 16, filledWith: 0)
  private let weights = FixedBuffer<Float>(count: OrientationAssigner.pixels + 8, filledWith: 0)
  /// Which direction each pixel's gradient is nearest to from below, and what that and the next one have of it.
  private let places = FixedBuffer<UInt32>(count: OrientationAssigner.pixels + 8, filledWith: 0)
  private let nearer = FixedBuffer<Float>(count: OrientationAssigner.pixels + 8, filledWith: 0)
  private let farther = FixedBuffer<Float>(count: OrientationAssigner.pixels + 8, filledWith: 0)
  /// Two rows of 36 directions, with room before and after each for its other end.
  private let histograms = FixedBuffer<Float>(count: 2 * 44, filledWith: 0)
  private let histogram: UnsafeMutablePointer<Float>
  private let smoothed: UnsafeMutablePointer<Float>

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
  }

  /// The strongest direction of the gradients around a keypoint, and, where it is asked for, a second one that is
  /// nearly as strong.
  @_optimize(speed)
  func directions(
    in level: ScaleSpace.Level,
    x: Float,
    y: Float,
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

  /// Puts the gradients of all pixels of the window into ``across`` and ``down``, row after row.
  @_optimize(speed)
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

  /// Eight gradients.
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

  /// Puts the gradients of those pixels of the window that lie in the picture into ``across`` and ``down``, and their
  /// weights; answers how many.
  @_optimize(speed)
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

  /// Shares so many gradients out among 36 directions, each between the two nearest.
  @_optimize(speed)
  private func fillHistogram(_ count: Int, _ weights: UnsafePointer<Float>) {
    let blocks = (count &+ 7) &>> 3
    for block in 0..<blocks {
      let x = UnsafeRawPointer(across.base + 8 &* block).loadUnaligned(as: SIMD4<UInt32>.self)
      let y = UnsafeRawPointer(down.base + 8 &* block).loadUnaligned(as: SIMD4<UInt32>.self)
      let (even, odd) = (8 &* block, 8 &* block &+ 4)
      point(Self.gradients(x & SIMD4(repeating: 0xFFFF)), Self.gradients(y & SIMD4(repeating: 0xFFFF)), even)
      point(Self.gradients(x &>> SIMD4(repeating: 16)), Self.gradients(y &>> SIMD4(repeating: 16)), odd)
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
  private static func gradients(_ v: SIMD4<UInt32>) -> SIMD4<Float> {
    // A whole number in the lowest bits of 2²³; conversions go one by one.
    unsafeBitCast(v | SIMD4(repeating: 0x4B00_0000), to: SIMD4<Float>.self) - (8_388_608 + 32_768)
  }

  /// Finds which directions four gradients have, and their squares.
  @inline(__always)
  private func point(_ x: SIMD4<Float>, _ y: SIMD4<Float>, _ i: Int) {
    let position = (Self.roughAngles(y, x) + .pi) * (36 / (2 * .pi))
    let below = SIMD4.roundedDown(position)
    let bin = SIMD4.select(35 - below, SIMD4(repeating: 35), below)
    let place = unsafeBitCast(bin + 8_388_608, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0xFF)
    UnsafeMutableRawPointer(places.base + i).storeBytes(of: place, as: SIMD4<UInt32>.self)
    UnsafeMutableRawPointer(farther.base + i).storeBytes(of: position - bin, as: SIMD4<Float>.self)
    UnsafeMutableRawPointer(nearer.base + i).storeBytes(of: x * x + y * y, as: SIMD4<Float>.self)
  }

  /// ``roughAngle(_:_:)`` of whole numbers, to the last digit.
  @inline(__always)
  static func roughAngles(_ y: SIMD4<Float>, _ x: SIMD4<Float>) -> SIMD4<Float> {
    let (ax, ay) = (x.magnitudes, y.magnitudes)
    // Negative where it is steep.
    let flatness = ax - ay
    // Twice the smaller by twice the larger; of nothing 0, since beside a whole number so little is lost.
    let (sum, difference) = (ax + ay, flatness.magnitudes)
    let t = (sum - difference) / (sum + difference + 1e-30)
    let t2 = t * t
    var angle = ((-0.046_496_47 * t2 + 0.159_314_22) * t2 - 0.327_622_76) * t2 * t + t
    angle = SIMD4.select(flatness, .pi / 2 - angle, angle)
    angle = SIMD4.select(x, .pi - angle, angle)
    // No number is −0, and where y is negative the angle is not 0.
    let sign = unsafeBitCast(y, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x8000_0000)
    return unsafeBitCast(unsafeBitCast(angle, to: SIMD4<UInt32>.self) ^ sign, to: SIMD4<Float>.self)
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
}
