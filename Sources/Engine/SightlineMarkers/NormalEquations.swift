/// Normal equations of a small weighted least-squares problem.
struct NormalEquations<let count: Int> {
  private var matrix = InlineArray<count, InlineArray<count, Double>>(repeating: .init(repeating: 0))
  private var right = InlineArray<count, Double>(repeating: 0)

  init() {}

  /// Adds `row · unknowns = value`.
  @inline(__always)
  mutating func add(_ row: InlineArray<count, Double>, _ value: Double, weight: Double) {
    for i in 0..<count {
      let scaled = row[i] * weight
      right[i] += scaled * value
      for j in 0..<(i + 1) { matrix[i][j] += scaled * row[j] }
    }
  }

  /// By Cholesky's decomposition; `nil` when the equations do not fix the unknowns.
  func solution() -> InlineArray<count, Double>? {
    guard let l = factor() else { return nil }
    return Self.solve(l, right)
  }

  /// Covariance of the unknowns, when the weights are inverse variances; `nil` when the equations do not fix them.
  func covariance() -> InlineArray<count, InlineArray<count, Double>>? {
    guard let l = factor() else { return nil }
    var result = InlineArray<count, InlineArray<count, Double>>(repeating: .init(repeating: 0))
    for i in 0..<count {
      var unit = InlineArray<count, Double>(repeating: 0)
      unit[i] = 1
      result[i] = Self.solve(l, unit)
    }
    return result
  }

  private func factor() -> InlineArray<count, InlineArray<count, Double>>? {
    var l = matrix
    for i in 0..<count {
      for j in 0..<(i + 1) {
        var sum = matrix[i][j]
        for k in 0..<j { sum -= l[i][k] * l[j][k] }
        if i == j {
          guard sum > 1e-12 * matrix[i][i], sum.isFinite else { return nil }
          l[i][i] = sum.squareRoot()
        } else {
          l[i][j] = sum / l[j][j]
        }
      }
    }
    return l
  }

  private static func solve(
    _ l: InlineArray<count, InlineArray<count, Double>>,
    _ right: InlineArray<count, Double>
  ) -> InlineArray<count, Double> {
    var x = right
    for i in 0..<count {
      for k in 0..<i { x[i] -= l[i][k] * x[k] }
      x[i] /= l[i][i]
    }
    for i in (0..<count).reversed() {
      for k in (i + 1)..<max(i + 1, count) { x[i] -= l[k][i] * x[k] }
      x[i] /= l[i][i]
    }
    return x
  }
}
