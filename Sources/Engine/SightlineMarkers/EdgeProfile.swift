import SightlineMath

/// The blurred step and its slope, tabulated: the level and the change of an edge seen through a Gaussian.
struct BlurredStep: Sendable {
  private static let perUnit = 64.0
  private static let reach = 4.0
  private let steps: [Float]
  private let slopes: [Float]

  init() {
    let count = Int(2 * Self.reach * Self.perUnit) + 1
    var steps: [Float] = []
    var slopes: [Float] = []
    steps.reserveCapacity(count)
    slopes.reserveCapacity(count)
    var sum = 0.0
    var last = 0.0
    for i in 0..<count {
      let t = Double(i) / Self.perUnit - Self.reach
      let slope = exp(-t * t / 2) * 0.3989422804014327
      // The trapezoidal rule is exact enough here: its error falls off faster than any power for a Gaussian.
      if i > 0 { sum += (slope + last) / 2 / Self.perUnit }
      last = slope
      steps.append(Float(sum))
      slopes.append(Float(slope))
    }
    self.steps = steps
    self.slopes = slopes
  }

  @inline(__always)
  func withTables<Result>(_ body: (Tables) -> Result) -> Result {
    steps.withUnsafeBufferPointer { steps in
      slopes.withUnsafeBufferPointer { slopes in
        guard let a = steps.baseAddress, let b = slopes.baseAddress else { preconditionFailure() }
        return body(Tables(steps: a, slopes: b))
      }
    }
  }

  /// The tables, lent.
  struct Tables {
    let steps: UnsafePointer<Float>
    let slopes: UnsafePointer<Float>

    @inline(__always)
    private func index(_ t: Double) -> Int {
      let clamped = t < -4 ? -4 : t > 4 ? 4 : t
      // Added to so large a number, what is left of it is the nearest integer, in its lowest bits: a conversion tests for more
      // than a clamped number can be.
      return Int(truncatingIfNeeded: (clamped * 64 + (256 + 0x1p52)).bitPattern & 1023)
    }
    /// From 0 far on the dark side to 1 far on the light side.
    @inline(__always)
    func step(_ t: Double) -> Double { Double(steps[index(t)]) }
    /// Derivative of ``step(_:)``.
    @inline(__always)
    func slope(_ t: Double) -> Double { Double(slopes[index(t)]) }
    /// Step and slope, corrected for the distance from the entry of the table.
    @inline(__always)
    func exact(_ t: Float) -> (step: Float, slope: Float) {
      let clamped = max(-4, min(4, t))
      let index = Int(clamped * 64 + 256.5)
      let off = clamped - (Float(index) * (1 / 64) - 4)
      let slope = slopes[index]
      return (steps[index] + off * slope, slope * (1 - off * clamped))
    }
  }
}

/// Sums over the pixels beside an edge, for the least squares of its two levels, its place and its blur.
struct EdgeSums {
  // In pairs that grow alike, so that one instruction adds two: the model and the grey level, each alone and times the model;
  // both derivatives, alone, times the model, times the grey level, and squared.
  private var levels = SIMD2<Double>.zero
  private var levelsByModel = SIMD2<Double>.zero
  private var slopes = SIMD2<Double>.zero
  private var slopesByModel = SIMD2<Double>.zero
  private var slopesByValue = SIMD2<Double>.zero
  private var slopesSquared = SIMD2<Double>.zero
  private var (n, vv) = (0.0, 0.0)

  private var p: Double { levels.x }
  private var v: Double { levels.y }
  private var pp: Double { levelsByModel.x }
  private var vp: Double { levelsByModel.y }
  private var g: Double { slopes.x }
  private var h: Double { slopes.y }
  private var gp: Double { slopesByModel.x }
  private var hp: Double { slopesByModel.y }
  private var gv: Double { slopesByValue.x }
  private var hv: Double { slopesByValue.y }
  private var gg: Double { slopesSquared.x }
  private var hh: Double { slopesSquared.y }

  /// Adds a pixel.
  ///
  /// - Parameters:
  ///   - value: its grey level.
  ///   - step: what the model has there, 0 … 1.
  ///   - slope: the model's derivative by the place.
  ///   - bend: the model's derivative by the blur.
  @inline(__always)
  mutating func add(value: Double, step: Double, slope: Double, bend: Double) {
    let seen = SIMD2(step, value)
    let both = SIMD2(slope, bend)
    levels += seen
    levelsByModel += seen * step
    slopes += both
    slopesByModel += both * step
    slopesByValue += both * value
    slopesSquared += both * both
    vv += value * value
    n += 1
  }

  /// What is known of the two levels before the pixels are asked, each worth so many pixels.
  struct Levels {
    var (dark, darkWeight) = (0.0, 0.0)
    var (light, lightWeight) = (0.0, 0.0)
  }

  /// What the pixels say.
  struct Result {
    /// Grey level of the dark side.
    var dark = 0.0
    /// Light less dark, grey levels.
    var contrast = 0.0
    /// Variances of the dark and of the light level for noise of one level, from the pixels alone.
    var (darkVariance, lightVariance) = (0.0, 0.0)
    /// How much farther in the direction of the profile the edge lies.
    var shift = 0.0
    /// Squared slopes, grey levels² a pixel²: the inverse variance of `shift` for noise of one level.
    var information = 0.0
    /// For the blur: sums of slope times residual, and of squared slopes.
    var (blurMoment, blurInformation) = (0.0, 0.0)
    /// Squared residuals, and the pixels that they are from.
    var (residual, pixels) = (0.0, 0.0)
  }

  /// Levels by regression, then one step of Gauss and Newton for place and blur; `nil` without pixels on both sides.
  ///
  /// - Parameter known: levels that pixels elsewhere tell; they count like pixels of these levels far from the edge.
  /// - Returns: what this edge says.
  @_optimize(speed)
  func result(_ known: Levels? = nil) -> Result? {
    var (n, p, pp, v, vp) = (self.n, self.p, self.pp, self.v, self.vp)
    var determinant = n * pp - p * p
    guard n >= 4, determinant > 0.01 * n * n else { return nil }
    var result = Result()
    result.darkVariance = pp / determinant
    result.lightVariance = (pp - 2 * p + n) / determinant
    if let known {
      n += known.darkWeight + known.lightWeight
      p += known.lightWeight
      pp += known.lightWeight
      v += known.darkWeight * known.dark + known.lightWeight * known.light
      vp += known.lightWeight * known.light
      determinant = n * pp - p * p
    }
    let c = (n * vp - p * v) / determinant
    let b = (v - c * p) / n
    result.dark = b
    result.contrast = c
    // Slopes with the part that levels explain taken out, so that an edge at the end of its window counts less.
    func project(_ a: Double, _ ap: Double) -> (Double, Double) {
      ((pp * a - p * ap) / determinant, (n * ap - p * a) / determinant)
    }
    let (sn, sp) = project(g, gp)
    let information = c * c * (gg - sn * g - sp * gp)
    guard information > 1e-9 else { return nil }
    result.shift = c * (gv - b * g - c * gp) / information
    result.information = information
    let (hn, hq) = project(h, hp)
    result.blurInformation = max(0, c * c * (hh - hn * h - hq * hp))
    result.blurMoment = c * (hv - b * h - c * hp)
    result.residual = residual(b, c, shift: result.shift)
    result.pixels = self.n
    return result
  }

  /// Squared residuals of the pixels alone with these levels and this shift.
  private func residual(_ b: Double, _ c: Double, shift: Double) -> Double {
    let d = -shift * c
    let levels = vv - 2 * b * v - 2 * c * vp + b * b * n + 2 * b * c * p + c * c * pp
    return max(0, levels + 2 * d * (gv - b * g - c * gp) + d * d * gg)
  }
}
