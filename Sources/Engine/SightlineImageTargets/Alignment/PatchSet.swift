import SightlineImaging

/// Patches of 8 × 8 pixels of a target as they should look in a frame, ready to be compared with it.
///
/// Grey levels are compared without their mean and at one contrast, patch by patch: light, shadow and exposure need no
/// model
/// of their own. The gradients are freed of what brightness and contrast could explain, so that the solution is the one
/// that a
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
    /// Sums of products of the gradients.
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
  /// Those that were added, in the order of that.
  ///
  /// Lent out: reached without the checks that an array in an object comes with.
  var patches: UnsafeMutableBufferPointer<Patch> { UnsafeMutableBufferPointer(start: own.base, count: number.base[0]) }
  private let own: FixedBuffer<Patch>
  private let number = FixedBuffer<Int>(count: 1, filledWith: 0)
  /// Grey levels at unit norm, then gradients along x and y: 64 numbers each.
  private let data: FixedBuffer<Float>
  /// What is rendered: ten rows of ten.
  private let rendered = FixedBuffer<Float>(count: 112, filledWith: 0)
  /// Levels of the frame, see ``between(_:_:_:_:_:)``.
  private let rows = FixedBuffer<Float>(count: 72, filledWith: 0)
  /// What was rendered before, where several are summed up.
  private let former = FixedBuffer<Float>(count: 100, filledWith: 0)
  private let places = PatchSampler()

  init(capacity: Int) {
    self.capacity = capacity
    data = FixedBuffer(count: capacity * 192 + 16, filledWith: 0)
    own = FixedBuffer(count: capacity, filledWith: Patch(x: 0, y: 0, norm: 0, xx: 0, xy: 0, yy: 0))
  }

  /// Leaves none.
  func removeAll() { number.base[0] = 0 }

  /// Renders a patch from a reference level.
  ///
  /// Pixel (i, j) of the frame's patch shows the reference at
  /// `(u, v) + i · across + j · down`, blurred along a way on the reference in so many steps. Not added when there is
  /// too little in it.
  @_optimize(speed)
  func add(
    x: Float,
    y: Float,
    from picture: FloatImage,
    origin: SIMD2<Float>,
    across: SIMD2<Float>,
    down: SIMD2<Float>,
    motionBlur: SIMD2<Float> = .zero,
    samples: Int = 1,
    leastNorm: Float
  ) {
    let count = number.base[0]
    guard count < capacity else { return }
    render(picture, origin - across - down, across, down, motionBlur, samples)
    var patch = Patch(x: x, y: y, norm: 0, xx: 0, xy: 0, yy: 0)
    guard Self.prepare(&patch, rendered.base, data.base + count &* 192, leastNorm) else { return }
    own.base[count] = patch
    number.base[0] = count &+ 1
  }

  /// What is compared, of what was rendered: grey levels at unit norm and the gradients freed of brightness and
  /// contrast.
  ///
  /// Whether there is enough in it.
  @_optimize(speed)
  @inline(never)
  private static func prepare(
    _ patch: inout Patch,
    _ rendered: UnsafePointer<Float>,
    _ t: UnsafeMutablePointer<Float>,
    _ leastNorm: Float
  ) -> Bool {
    let (gx, gy) = (t + 64, t + 128)
    var (sum, sumX, sumY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let m = rendered + ((j &+ 1) &* 10 &+ 1)
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
    let means = totals(sum, sumX, sumY, .zero) / 64
    let (mean, meanX, meanY) = (means.x, means.y, means.z)
    var (squares, alongX, alongY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let v = load8(t + j &* 8) - mean
      store(t + j &* 8, v)
      squares += v * v
      alongX += v * (load8(gx + j &* 8) - meanX)
      alongY += v * (load8(gy + j &* 8) - meanY)
    }
    let products = totals(squares, alongX, alongY, .zero)
    let norm = products.x.squareRoot()
    guard norm >= leastNorm else { return false }
    let (ax, ay) = (products.y / (norm * norm), products.z / (norm * norm))
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
    let gradients = totals(xx, xy, yy, .zero)
    (patch.norm, patch.xx, patch.xy, patch.yy) = (norm, gradients.x, gradients.y, gradients.z)
    return true
  }

  /// Renders ten rows of ten from a place on, linear between pixels; what lies outside is as at the rim.
  @_optimize(speed)
  private func render(
    _ picture: FloatImage,
    _ start: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>,
    _ motionBlur: SIMD2<Float>,
    _ samples: Int
  ) {
    for k in 0..<samples {
      let q = samples == 1 ? start : start + motionBlur * ((Float(k) + 0.5) / Float(samples) - 0.5)
      if isInside(picture, q, across * 9, down * 9) {
        places.find(q, across, down, width: picture.width)
      } else {
        places.findAtRim(q, across, down, width: picture.width, height: picture.height)
      }
      places.take(picture.pixels.base, width: picture.width)
      if k > 0 { copy(former.base, rendered.base, 100) }
      places.interpolate(to: rendered.base)
      if k > 0 { for i in 0..<100 { rendered.base[i] += former.base[i] } }
    }
    guard samples > 1 else { return }
    let share = 1 / Float(samples)
    for i in 0..<100 { rendered.base[i] *= share }
  }

  /// Whether all of a parallelogram, and the pixels right of and below each of its places, are in a picture.
  @_optimize(speed)
  private func isInside(
    _ picture: FloatImage,
    _ q: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>
  ) -> Bool {
    let (x1, x2) = (q.x + across.x, q.x + down.x)
    let (y1, y2) = (q.y + across.y, q.y + down.y)
    let (x3, y3) = (x1 + down.x, y1 + down.y)
    // Less than a pixel less: places are not summed up in the same order. Pixels are counted in 23 bits.
    return min(min(q.x, x1), min(x2, x3)) > 0.01 && min(min(q.y, y1), min(y2, y3)) > 0.01
      && max(max(q.x, x1), max(x2, x3)) < Float(picture.width) - 1.02
      && max(max(q.y, y1), max(y2, y3)) < Float(picture.height) - 1.02 && picture.width &* picture.height < 1 << 23
  }

  /// Compares a patch with a frame where its top left pixel is moved to a place.
  @inline(__always)
  func compare(_ index: Int, with frame: GrayView, x: Float, y: Float, hasGradients: Bool = true) {
    compare(own.base + index, data.base + index &* 192, with: frame, x: x, y: y, hasGradients: hasGradients)
  }

  /// Compares all patches with a frame where a place is told for each by its number; those that get none count as
  /// outside.
  ///
  /// Without gradients only their correlations are found out.
  @inline(__always)
  func compareAll(with frame: GrayView, hasGradients: Bool = true, at place: (Int) -> SIMD2<Float>?) {
    for i in 0..<number.base[0] {
      if let p = place(i) {
        compare(i, with: frame, x: p.x, y: p.y, hasGradients: hasGradients)
      } else {
        own.base[i].correlation = -2
      }
    }
  }

  @inline(__always)
  private func compare(
    _ patch: UnsafeMutablePointer<Patch>,
    _ t: UnsafePointer<Float>,
    with frame: GrayView,
    x: Float,
    y: Float,
    hasGradients: Bool
  ) {
    guard x >= 0, y >= 0, x < Float(frame.width) - 8, y < Float(frame.height) - 8 else {
      patch.pointee.correlation = -2
      return
    }
    let (x0, y0) = (Int(Int32(x)), Int(Int32(y)))
    guard x0 &+ 9 <= frame.width, y0 &+ 9 <= frame.height else {
      patch.pointee.correlation = -2
      return
    }
    let start = frame.pixels + (y0 &* frame.stride &+ x0)
    let (fx, fy) = (x - Float(x0), y - Float(y0))
    Self.between(start, start + 1, frame.stride, fx, rows.base)
    let sums = hasGradients ? Self.sums(rows.base, fy, t) : Self.sumsWithoutGradients(rows.base, fy, t)
    let (squares, pattern, alongX, alongY) = (sums.four.x, sums.four.y, sums.four.z, sums.four.w)
    let norm = max(0, squares - sums.levels * sums.levels / 64).squareRoot()
    patch.pointee.frameNorm = norm
    guard norm > 1e-3 else {
      (patch.pointee.correlation, patch.pointee.bx, patch.pointee.by) = (0, 0, 0)
      return
    }
    // Patterns and gradients have no mean, so the frame's mean needs not be taken off; the gradients have no part along
    // the
    // pattern, so what is left of their product is the difference's.
    let correlation = pattern / norm
    patch.pointee.correlation = correlation
    guard hasGradients else { return }
    // Contrast as the best fit has it, but for what hardly agrees, where that would be wild.
    let gain = patch.pointee.norm / (norm * max(0.5, correlation))
    (patch.pointee.bx, patch.pointee.by) = (alongX * gain, alongY * gain)
  }

  /// Sums over a patch of the frame: of its levels, and of their squares and their products with the pattern and its
  /// gradients.
  private typealias Sums = (levels: Float, four: SIMD4<Float>)

  /// Nine rows of eight levels between those of a frame and their right neighbours, which begin one further.
  ///
  /// Told apart, or compilers read what both have in common by single numbers.
  @_optimize(speed)
  @inline(never)
  private static func between(
    _ start: UnsafePointer<UInt8>,
    _ next: UnsafePointer<UInt8>,
    _ stride: Int,
    _ fx: Float,
    _ rows: UnsafeMutablePointer<Float>
  ) {
    for j in 0..<9 {
      let left = load8(start + j &* stride)
      store(rows + j &* 8, left + (load8(next + j &* stride) - left) * fx)
    }
  }

  /// The sums for eight by eight levels between rows, see ``between(_:_:_:_:_:)``.
  ///
  /// First those of the left half, then of the right one: those of one stay in registers.
  @_optimize(speed)
  @inline(never)
  private static func sums(_ rows: UnsafePointer<Float>, _ fy: Float, _ t: UnsafePointer<Float>) -> Sums {
    let (left, right) = (half(rows, fy, t, hasGradients: true), half(rows + 4, fy, t + 4, hasGradients: true))
    let four = totals(
      SIMD8(lowHalf: left.squares, highHalf: right.squares),
      SIMD8(lowHalf: left.pattern, highHalf: right.pattern),
      SIMD8(lowHalf: left.alongX, highHalf: right.alongX),
      SIMD8(lowHalf: left.alongY, highHalf: right.alongY)
    )
    let levels = total(SIMD8(lowHalf: left.levels, highHalf: right.levels))
    return (levels, four)
  }

  /// Those that correlations need.
  @_optimize(speed)
  @inline(never)
  private static func sumsWithoutGradients(_ rows: UnsafePointer<Float>, _ fy: Float, _ t: UnsafePointer<Float>) -> Sums
  {
    let (left, right) = (half(rows, fy, t, hasGradients: false), half(rows + 4, fy, t + 4, hasGradients: false))
    let four = totals(
      SIMD8(lowHalf: left.squares, highHalf: right.squares),
      SIMD8(lowHalf: left.pattern, highHalf: right.pattern),
      SIMD8(lowHalf: left.levels, highHalf: right.levels),
      .zero
    )
    return (four.z, four)
  }

  /// Sums of four columns.
  private struct HalfSums {
    var levels = SIMD4<Float>.zero
    var squares = SIMD4<Float>.zero
    var pattern = SIMD4<Float>.zero
    var alongX = SIMD4<Float>.zero
    var alongY = SIMD4<Float>.zero
  }

  @inline(__always)
  private static func half(
    _ rows: UnsafePointer<Float>,
    _ fy: Float,
    _ t: UnsafePointer<Float>,
    hasGradients: Bool
  ) -> HalfSums {
    var sums = HalfSums()
    var above = load4(rows)
    for j in 0..<8 {
      let below = load4(rows + (j &+ 1) &* 8)
      let v = above + (below - above) * fy
      above = below
      sums.levels += v
      sums.squares += v * v
      sums.pattern += v * load4(t + j &* 8)
      guard hasGradients else { continue }
      sums.alongX += v * load4(t + 64 + j &* 8)
      sums.alongY += v * load4(t + 128 + j &* 8)
    }
    return sums
  }

  /// The sum of eight numbers, from the first to the last; not inlined, as compilers would take the loop before it
  /// apart.
  @_optimize(speed)
  @inline(never)
  private static func total(_ v: SIMD8<Float>) -> Float { v.sum() }

  /// The sums of four times eight numbers, the same way.
  @_optimize(speed)
  @inline(never)
  private static func totals(
    _ a: SIMD8<Float>,
    _ b: SIMD8<Float>,
    _ c: SIMD8<Float>,
    _ d: SIMD8<Float>
  ) -> SIMD4<Float> {
    let low = transposed(a.lowHalf, b.lowHalf, c.lowHalf, d.lowHalf)
    let high = transposed(a.highHalf, b.highHalf, c.highHalf, d.highHalf)
    return low.0 + low.1 + low.2 + low.3 + high.0 + high.1 + high.2 + high.3
  }
}

/// Four rows of four as columns.
@inline(__always)
func transposed(
  _ a: SIMD4<Float>,
  _ b: SIMD4<Float>,
  _ c: SIMD4<Float>,
  _ d: SIMD4<Float>
) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
  let (ab, cd) = (SIMD8(lowHalf: a, highHalf: b), SIMD8(lowHalf: c, highHalf: d))
  let even = SIMD8(lowHalf: ab.evenHalf, highHalf: cd.evenHalf)
  let odd = SIMD8(lowHalf: ab.oddHalf, highHalf: cd.oddHalf)
  return (even.evenHalf, odd.evenHalf, even.oddHalf, odd.oddHalf)
}

@inline(__always)
private func store(_ pointer: UnsafeMutablePointer<Float>, _ value: SIMD8<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
}
