import SightlineImaging

/// Patches of 8 × 8 pixels of a target as they should look in a frame, ready to be compared with it.
///
/// Grey levels are compared without their mean and at one contrast, patch by patch: light, shadow and exposure need no model
/// of their own. The slopes are freed of what brightness and contrast could explain, so that the solution is the one that a
/// joint estimate of gain and offset would give.
final class PatchSet {
  /// Pixels along a side.
  static let side = 8
  static let pixels = 64

  /// One patch.
  struct Patch {
    /// Left top pixel in the frame's level.
    var x: Float
    var y: Float
    /// Root of the sum of squares of the grey levels less their mean.
    var norm: Float
    /// Sums of products of the slopes.
    var xx: Float
    var xy: Float
    var yy: Float
    /// Correlation with the frame at the last comparison, −1 … 1; −2 when it lay outside.
    var correlation: Float = -2
    /// Norm of the frame's patch there, in grey levels.
    var frameNorm: Float = 0
    /// Slopes times difference at the last comparison.
    var bx: Float = 0
    var by: Float = 0
  }

  let capacity: Int
  var patches: [Patch] = []
  /// Grey levels at unit norm, then slopes along x and y: 64 numbers each.
  private let data: Memory<Float>
  /// What is rendered: ten rows of ten.
  private let rendered = Memory<Float>(count: 112, filledWith: 0)

  init(capacity: Int) {
    self.capacity = capacity
    data = Memory(count: capacity * 192 + 16, filledWith: 0)
    patches.reserveCapacity(capacity)
  }

  /// Renders a patch from a reference level.
  ///
  /// Pixel (i, j) of the frame's patch shows the reference at
  /// `(u, v) + i · across + j · down`, smeared along a way on the reference in so many steps. Not added when there is
  /// too little in it.
  func add(
    x: Float,
    y: Float,
    from picture: FloatPicture,
    origin: SIMD2<Float>,
    across: SIMD2<Float>,
    down: SIMD2<Float>,
    smear: SIMD2<Float> = .zero,
    samples: Int = 1,
    leastNorm: Float
  ) {
    guard patches.count < capacity else { return }
    let r = rendered.base
    render(picture, origin - across - down, across, down, smear, samples)
    let t = data.base + patches.count &* 192
    let (gx, gy) = (t + 64, t + 128)
    var (sum, sumX, sumY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let m = r + ((j &+ 1) &* 10 &+ 1)
      let v = load8(m)
      let dx = (load8(m + 1) - load8(m - 1)) * 0.5
      let dy = (load8(m + 10) - load8(m - 10)) * 0.5
      store(t + j &* 8, v)
      store(gx + j &* 8, dx)
      store(gy + j &* 8, dy)
      sum += v
      sumX += dx
      sumY += dy
    }
    let (mean, meanX, meanY) = (sum.sum() / 64, sumX.sum() / 64, sumY.sum() / 64)
    var (squares, alongX, alongY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let v = load8(t + j &* 8) - mean
      store(t + j &* 8, v)
      squares += v * v
      alongX += v * (load8(gx + j &* 8) - meanX)
      alongY += v * (load8(gy + j &* 8) - meanY)
    }
    let norm = squares.sum().squareRoot()
    guard norm >= leastNorm else { return }
    let (ax, ay) = (alongX.sum() / (norm * norm), alongY.sum() / (norm * norm))
    var (xx, xy, yy) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let v = load8(t + j &* 8)
      let dx = load8(gx + j &* 8) - meanX - v * ax
      let dy = load8(gy + j &* 8) - meanY - v * ay
      store(gx + j &* 8, dx)
      store(gy + j &* 8, dy)
      store(t + j &* 8, v / norm)
      xx += dx * dx
      xy += dx * dy
      yy += dy * dy
    }
    patches.append(Patch(x: x, y: y, norm: norm, xx: xx.sum(), xy: xy.sum(), yy: yy.sum()))
  }

  /// Renders ten rows of ten from a place on, linear between pixels; what lies outside is as at the rim.
  private func render(
    _ picture: FloatPicture,
    _ start: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>,
    _ smear: SIMD2<Float>,
    _ samples: Int
  ) {
    for k in 0..<samples {
      let q = samples == 1 ? start : start + smear * ((Float(k) + 0.5) / Float(samples) - 0.5)
      if isInside(picture, q, across * 9, down * 9) {
        renderInside(picture, q, across, down, isFirst: k == 0)
      } else {
        renderAtRim(picture, q, across, down, isFirst: k == 0)
      }
    }
    guard samples > 1 else { return }
    let share = 1 / Float(samples)
    for i in 0..<100 { rendered.base[i] *= share }
  }

  /// Whether all of a parallelogram, and the pixels right of and below each of its places, are in a picture.
  private func isInside(
    _ picture: FloatPicture,
    _ q: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>
  ) -> Bool {
    let x = SIMD4(q.x, q.x + across.x, q.x + down.x, q.x + across.x + down.x)
    let y = SIMD4(q.y, q.y + across.y, q.y + down.y, q.y + across.y + down.y)
    // Less than a pixel less: places are not summed up in the same order. Pixels are counted in 23 bits.
    return x.min() > 0.01 && y.min() > 0.01 && x.max() < Float(picture.width) - 1.02
      && y.max() < Float(picture.height) - 1.02 && picture.width &* picture.height < 1 << 23
  }

  /// Four places at a time: of two rows eight and eight, then the last two of each.
  private func renderInside(
    _ picture: FloatPicture,
    _ start: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>,
    isFirst: Bool
  ) {
    let (p, width) = (picture.pixels.base, picture.width)
    let (first, second) = (SIMD4<Float>(0, 1, 2, 3), SIMD4<Float>(4, 5, 6, 7))
    let (x1, y1) = (first * across.x, first * across.y)
    let (x2, y2) = (second * across.x, second * across.y)
    let (last, row) = (SIMD4<Float>(8, 9, 8, 9), SIMD4<Float>(0, 0, 1, 1))
    let (x3, y3) = (last * across.x + row * down.x, last * across.y + row * down.y)
    for pair in 0..<5 {
      let to = rendered.base + 20 &* pair
      let q = start + down * Float(2 &* pair)
      let r = q + down
      put(Self.between(p, width, x1 + q.x, y1 + q.y), to, isFirst)
      put(Self.between(p, width, x2 + q.x, y2 + q.y), to + 4, isFirst)
      put(Self.between(p, width, x1 + r.x, y1 + r.y), to + 10, isFirst)
      put(Self.between(p, width, x2 + r.x, y2 + r.y), to + 14, isFirst)
      let ends = Self.between(p, width, x3 + q.x, y3 + q.y)
      put(ends.lowHalf, to + 8, isFirst)
      put(ends.highHalf, to + 18, isFirst)
    }
  }

  @inline(__always)
  private func put(_ value: SIMD4<Float>, _ place: UnsafeMutablePointer<Float>, _ isFirst: Bool) {
    let to = UnsafeMutableRawPointer(place)
    to.storeBytes(of: isFirst ? value : to.loadUnaligned(as: SIMD4<Float>.self) + value, as: SIMD4<Float>.self)
  }

  @inline(__always)
  private func put(_ value: SIMD2<Float>, _ place: UnsafeMutablePointer<Float>, _ isFirst: Bool) {
    let to = UnsafeMutableRawPointer(place)
    to.storeBytes(of: isFirst ? value : to.loadUnaligned(as: SIMD2<Float>.self) + value, as: SIMD2<Float>.self)
  }

  /// Four levels between pixels.
  @inline(__always)
  private static func between(
    _ pixels: UnsafePointer<Float>,
    _ width: Int,
    _ x: SIMD4<Float>,
    _ y: SIMD4<Float>
  ) -> SIMD4<Float> {
    // To the nearest whole number of half less. What lies on a pixel may be counted to the one before it, which gives the same level.
    let large = SIMD4<Float>(repeating: 12_582_912)
    let fx = (x - 0.5) + large - large
    let fy = (y - 0.5) + large - large
    // Whole numbers under 2²³ added to it lie in the lowest bits.
    let places = unsafeBitCast(fy * Float(width) + fx + 8_388_608, to: SIMD2<UInt64>.self)
    let low: UInt64 = 0x7F_FFFF
    let a = pixels + Int(truncatingIfNeeded: places.x & low)
    let b = pixels + Int(truncatingIfNeeded: places.x &>> 32 & low)
    let c = pixels + Int(truncatingIfNeeded: places.y & low)
    let d = pixels + Int(truncatingIfNeeded: places.y &>> 32 & low)
    let upper = SIMD8(lowHalf: fours(a, b), highHalf: fours(c, d))
    let lower = SIMD8(lowHalf: fours(a + width, b + width), highHalf: fours(c + width, d + width))
    let (ax, ay) = (x - fx, y - fy)
    let u = upper.evenHalf + ax * (upper.oddHalf - upper.evenHalf)
    let v = lower.evenHalf + ax * (lower.oddHalf - lower.evenHalf)
    return u + ay * (v - u)
  }

  @inline(__always)
  private static func fours(_ p: UnsafePointer<Float>, _ q: UnsafePointer<Float>) -> SIMD4<Float> {
    SIMD4(
      lowHalf: UnsafeRawPointer(p).loadUnaligned(as: SIMD2<Float>.self),
      highHalf: UnsafeRawPointer(q).loadUnaligned(as: SIMD2<Float>.self)
    )
  }

  /// One place at a time, moved to the rim when it lies outside.
  private func renderAtRim(
    _ picture: FloatPicture,
    _ start: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>,
    isFirst: Bool
  ) {
    let (w, p, r) = (picture.width, picture.pixels.base, rendered.base)
    let (right, bottom) = (Float(picture.width) - 1.001, Float(picture.height) - 1.001)
    for j in 0..<10 {
      for i in 0..<10 {
        let q = start + across * Float(i) + down * Float(j)
        let x = q.x < 0 ? 0 : q.x > right ? right : q.x
        let y = q.y < 0 ? 0 : q.y > bottom ? bottom : q.y
        let (ix, iy) = (Int32(x), Int32(y))
        let (fx, fy) = (x - Float(ix), y - Float(iy))
        let s = p + (Int(iy) &* w &+ Int(ix))
        let a = s[0] + fx * (s[1] - s[0])
        let b = s[w] + fx * (s[w &+ 1] - s[w])
        let v = a + fy * (b - a)
        r[j &* 10 &+ i] = isFirst ? v : r[j &* 10 &+ i] + v
      }
    }
  }

  /// Compares a patch with a frame where its top left pixel is moved to a place.
  @inline(__always)
  func compare(_ index: Int, with frame: GrayView, x: Float, y: Float) {
    compare(&patches[index], index, with: frame, x: x, y: y)
  }

  /// Compares all patches with a frame where a place is told for each; those that get none count as outside.
  @inline(__always)
  func compareAll(with frame: GrayView, at place: (Patch) -> SIMD2<Float>?) {
    // Lent out once for all: each access by the array would be checked.
    patches.withUnsafeMutableBufferPointer { patches in
      for i in patches.indices {
        if let p = place(patches[i]) {
          compare(&patches[i], i, with: frame, x: p.x, y: p.y)
        } else {
          patches[i].correlation = -2
        }
      }
    }
  }

  @inline(__always)
  private func compare(_ patch: inout Patch, _ index: Int, with frame: GrayView, x: Float, y: Float) {
    guard x >= 0, y >= 0, x < Float(frame.width) - 8, y < Float(frame.height) - 8 else {
      patch.correlation = -2
      return
    }
    let (x0, y0) = (Int32(x), Int32(y))
    guard Int(x0) + 9 <= frame.width, Int(y0) + 9 <= frame.height else {
      patch.correlation = -2
      return
    }
    let start = frame.pixels + (Int(y0) &* frame.stride &+ Int(x0))
    let sums = Self.sums(start, frame.stride, x - Float(x0), y - Float(y0), data.base + index &* 192)
    let norm = max(0, sums.squares - sums.levels * sums.levels / 64).squareRoot()
    patch.frameNorm = norm
    guard norm > 1e-3 else {
      patch.correlation = 0
      patch.bx = 0
      patch.by = 0
      return
    }
    // Patterns and slopes have no mean, so the frame's mean needs not be taken off; the slopes have no part along the
    // pattern, so what is left of their product is the difference's.
    patch.correlation = sums.pattern / norm
    // Contrast as the best fit has it, but for what hardly agrees, where that would be wild.
    let gain = patch.norm / (norm * max(0.5, patch.correlation))
    patch.bx = sums.alongX * gain
    patch.by = sums.alongY * gain
  }

  /// Sums over a patch of the frame: of its levels, their squares, and their products with the pattern and its slopes.
  private struct Sums {
    var levels: Float
    var squares: Float
    var pattern: Float
    var alongX: Float
    var alongY: Float
  }

  /// The sums for eight by eight levels between pixels.
  ///
  /// Not inlined: compilers take its vectors apart where they find more to do with what is in them.
  @inline(never)
  private static func sums(
    _ start: UnsafePointer<UInt8>,
    _ stride: Int,
    _ fx: Float,
    _ fy: Float,
    _ t: UnsafePointer<Float>
  ) -> Sums {
    // Nine levels are read as eight and eight: the last ones of the picture's last row may have no ninth after them.
    var (sum, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (withT, withX, withY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    var above = load8(start)
    above += (load8(start + 1) - above) * fx
    for j in 0..<8 {
      let row = start + (j &+ 1) &* stride
      var below = load8(row)
      below += (load8(row + 1) - below) * fx
      let v = above + (below - above) * fy
      above = below
      sum += v
      squares += v * v
      withT += v * load8(t + j &* 8)
      withX += v * load8(t + 64 + j &* 8)
      withY += v * load8(t + 128 + j &* 8)
    }
    return Sums(
      levels: total(sum),
      squares: total(squares),
      pattern: total(withT),
      alongX: total(withX),
      alongY: total(withY)
    )
  }

  /// The sum of eight; not inlined for the same reason.
  @inline(never)
  private static func total(_ v: SIMD8<Float>) -> Float { v.sum() }
}

@inline(__always)
private func store(_ pointer: UnsafeMutablePointer<Float>, _ value: SIMD8<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
}
