import SightlineCamera
import SightlineMath

/// Keeps the four corners of a marker still while it rests, and follows without lag when it moves.
///
/// While the corners agree with their mean to within the noise, the mean over up to ``longestMemory`` frames is given; as
/// soon as they do not, the corners as measured. There is nothing in between: a filter that smooths motion lags behind it.
///
/// Two tests tell motion: one corner far from the mean, and a run of frames on the same side of it, which finds slow drift.
/// The noise is measured by second differences, which motion at constant speed leaves out.
struct CornerFilter: Sendable {
  /// Most frames that a mean is taken over.
  static let longestMemory = 40.0

  /// The filtered corners.
  private(set) var corners: Quadrilateral
  /// Whether the mean is taken over more than one frame.
  private(set) var isResting = false
  /// Standard deviation of a coordinate from frame to frame, pixels.
  private(set) var noise: Double
  private var count = 1.0
  private var last: Quadrilateral
  private var secondLast: Quadrilateral
  private var seen = 1
  /// Mean deviation from the filtered corners over the last frames.
  private var drift = InlineArray<4, Vector2>(repeating: .zero)

  init(_ corners: Quadrilateral, noise: Double) {
    self.corners = corners
    self.noise = noise
    last = corners
    secondLast = corners
  }

  mutating func take(_ measured: Quadrilateral) {
    let fresh = 0.3
    // The variance of a mean with forgetting, in units of a single measurement's.
    let driftVariance = fresh / (2 - fresh) + 1 / count
    let single = noise * noise * (1 + 1 / count)
    var isMoving = false
    var second = 0.0
    for i in 0..<4 {
      let off = measured[i] - corners[i]
      drift[i] = drift[i] * (1 - fresh) + off * fresh
      let jump = max(abs(off.x), abs(off.y))
      let run = max(abs(drift[i].x), abs(drift[i].y))
      if jump * jump > 20 * single || run * run > 16 * noise * noise * driftVariance { isMoving = true }
      let bend = measured[i] - last[i] * 2 + secondLast[i]
      second += bend.dot(bend)
    }
    if isMoving {
      corners = measured
      count = 1
      drift = InlineArray(repeating: .zero)
    } else {
      count = min(Self.longestMemory, count + 1)
      for i in 0..<4 { corners[i] = corners[i] + (measured[i] - corners[i]) * (1 / count) }
    }
    isResting = !isMoving
    if seen >= 2 { learn(second / 48, isMoving: isMoving) }
    seen += 1
    secondLast = last
    last = measured
  }

  /// Takes the variance of a coordinate by this frame's second differences: eight of them, each of six variances.
  private mutating func learn(_ variance: Double, isMoving: Bool) {
    let known = noise * noise
    // Acceleration looks like noise: while something moves, the noise may only be learnt to be smaller, or slowly larger.
    let bounded = min(variance, isMoving ? 1.05 * known : 4 * known)
    let next = known + (bounded - known) * 0.05
    noise = max(0.003, min(0.7, next.squareRoot()))
  }
}

private func abs(_ value: Double) -> Double { value < 0 ? -value : value }
