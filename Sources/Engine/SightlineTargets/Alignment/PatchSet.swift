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
  private let render = Memory<Float>(count: 112, filledWith: 0)

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
    let r = render.base
    let (w, p) = (picture.width, picture.pixels.base)
    let limit = SIMD2<Float>(Float(picture.width) - 1.001, Float(picture.height) - 1.001)
    for k in 0..<samples {
      let shift = smear * ((Float(k) + 0.5) / Float(samples) - 0.5)
      for j in 0..<10 {
        var q = origin + shift - across + down * Float(j - 1)
        for i in 0..<10 {
          let c = pointwiseMax(SIMD2(repeating: 0), pointwiseMin(limit, q))
          let (ix, iy) = (Int(c.x), Int(c.y))
          let (fx, fy) = (c.x - Float(ix), c.y - Float(iy))
          let s = p + (iy &* w &+ ix)
          let a = s[0] + fx * (s[1] - s[0])
          let b = s[w] + fx * (s[w &+ 1] - s[w])
          let v = a + fy * (b - a)
          r[j &* 10 &+ i] = k == 0 ? v : r[j &* 10 &+ i] + v
          q += across
        }
      }
    }
    if samples > 1 {
      let share = 1 / Float(samples)
      for i in 0..<100 { r[i] *= share }
    }
    let t = data.base + patches.count &* 192
    let (gx, gy) = (t + 64, t + 128)
    var (sum, sumX, sumY) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for j in 0..<8 {
      let m = r + ((j + 1) &* 10 + 1)
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

  /// Compares a patch with a frame where its top left pixel is moved to a place.
  @inline(__always)
  func compare(_ index: Int, with frame: GrayView, x: Float, y: Float) {
    let (fx0, fy0) = (x.rounded(.down), y.rounded(.down))
    guard fx0 >= 0, fy0 >= 0, fx0 + 9 <= Float(frame.width), fy0 + 9 <= Float(frame.height) else {
      patches[index].correlation = -2
      return
    }
    // Nine levels are read as eight and eight: the last ones of the picture's last row may have no ninth after them.
    let (fx, fy) = (x - fx0, y - fy0)
    let stride = frame.stride
    let start = frame.pixels + (Int(fy0) &* stride &+ Int(fx0))
    let t = data.base + index &* 192
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
    let total = sum.sum()
    let norm = max(0, squares.sum() - total * total / 64).squareRoot()
    patches[index].frameNorm = norm
    guard norm > 1e-3 else {
      patches[index].correlation = 0
      patches[index].bx = 0
      patches[index].by = 0
      return
    }
    // Patterns and slopes have no mean, so the frame's mean needs not be taken off; the slopes have no part along the
    // pattern, so what is left of their product is the difference's.
    patches[index].correlation = withT.sum() / norm
    // Contrast as the best fit has it, but for what hardly agrees, where that would be wild.
    let gain = patches[index].norm / (norm * max(0.5, patches[index].correlation))
    patches[index].bx = withX.sum() * gain
    patches[index].by = withY.sum() * gain
  }
}

@inline(__always)
private func store(_ pointer: UnsafeMutablePointer<Float>, _ value: SIMD8<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
}
