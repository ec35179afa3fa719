import SightlineMath

/// The covariance of the four corners of a square: how surely they are known, all together.
///
/// Corners that come from lines through long edges do not err one by one: what turns an edge moves two of them. The poses of a
/// square follow from differences of a few hundredths of a pixel, so it matters which differences are likely.
public struct CornerCovariance: Equatable, Sendable {
  /// Lower triangle of Cholesky's factor of the covariance, pixels: row i begins at i (i + 1) / 2.
  ///
  /// Rows are x and y of the first corner, then of the others in their order.
  private var factor = InlineArray<36, Double>(repeating: 0)
  /// Root of the mean variance of a coordinate, pixels.
  public let deviation: Double

  /// The covariance of four corners from its numbers; `nil` when it is none.
  ///
  /// - Parameters:
  ///   - covariance: of x and y of the corners in order, pixels², symmetric; the lower triangle is read.
  ///   - floor: deviation of each coordinate by itself that comes on top, pixels, for what no fit knows: lens and paper.
  public init?(covariance: InlineArray<8, InlineArray<8, Double>>, floor: Double) {
    var covariance = covariance
    var total = 0.0
    for i in 0..<8 {
      covariance[i][i] += floor * floor
      total += covariance[i][i]
    }
    guard let triangle = Cholesky<8>(covariance)?.triangle else { return nil }
    for i in 0..<8 {
      for j in 0..<(i + 1) { factor[i * (i + 1) / 2 + j] = triangle[i][j] }
    }
    deviation = (total / 8).squareRoot()
  }

  /// Differences of the eight coordinates in such combinations that all are equally likely, each as many pixels as usual.
  ///
  /// Eight sets of them side by side, one a lane.
  func whiten(_ differences: inout InlineArray<8, SIMD8<Double>>) {
    // Through spans: a subscript of an array in a structure copies the whole array first.
    let factor = self.factor.span
    var rows = differences.mutableSpan
    var first = 0
    for i in 0..<8 {
      var row = rows[i]
      for k in 0..<i { row -= factor[first &+ k] * rows[k] }
      rows[i] = row / factor[first &+ i]
      first &+= i &+ 1
    }
    for i in 0..<8 { rows[i] *= deviation }
  }

  /// The same for one set.
  func whiten(_ differences: inout InlineArray<8, Double>) {
    let factor = self.factor.span
    var rows = differences.mutableSpan
    var first = 0
    for i in 0..<8 {
      var row = rows[i]
      for k in 0..<i { row -= factor[first &+ k] * rows[k] }
      rows[i] = row / factor[first &+ i]
      first &+= i &+ 1
    }
    for i in 0..<8 { rows[i] *= deviation }
  }

  /// Whether all numbers are equal.
  public static func == (a: CornerCovariance, b: CornerCovariance) -> Bool {
    for i in 0..<36 where a.factor[i] != b.factor[i] { return false }
    return true
  }
}
