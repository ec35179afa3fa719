/// Covariance of the filter's errors, a full symmetric matrix, with the two operations of a Kalman filter on it.
struct Covariance: Sendable {
  /// Number of error states.
  static let size = 26
  /// Row by row.
  private(set) var values = [Double](repeating: 0, count: size * size)
  // Work space, kept so that a step allocates nothing.
  private var column = [Double](repeating: 0, count: size)

  /// Variance of a state.
  subscript(state: Int) -> Double { values[state * Self.size + state] }

  /// Covariance of two states.
  subscript(a: Int, b: Int) -> Double { values[a * Self.size + b] }

  /// Forgets what is known about a state and its relation to others.
  mutating func reset(_ state: Int, variance: Double) {
    for k in 0..<Self.size {
      values[state * Self.size + k] = 0
      values[k * Self.size + state] = 0
    }
    values[state * Self.size + state] = variance
  }

  /// Adds noise to two states (or one, given twice).
  mutating func add(_ a: Int, _ b: Int, _ variance: Double) {
    values[a * Self.size + b] += variance
    if a != b { values[b * Self.size + a] += variance }
  }

  /// P ← F P Fᵀ with F = I + G, where G has only the given entries, all in rows below `changing`.
  ///
  /// Rows are replaced one by one, so the entries have to stand in an order in which every row still finds the others as
  /// they were: a row that uses another comes before it, and a row's entry for itself is its first.
  mutating func propagate(_ entries: [TransitionEntry], changing: Int) {
    values.withUnsafeMutableBufferPointer { p in
      entries.withUnsafeBufferPointer { entries in
        let n = Self.size
        for entry in entries {
          let (row, other) = (entry.row * n, entry.column * n)
          for k in 0..<n { p[row + k] += entry.value * p[other + k] }
        }
        // Of F P only the columns that change are left to do, and only in the rows that do: the rest is its mirror image.
        for entry in entries {
          for k in 0..<changing { p[k * n + entry.row] += entry.value * p[k * n + entry.column] }
        }
        for row in 0..<changing {
          for k in changing..<n { p[k * n + row] = p[row * n + k] }
        }
      }
    }
  }

  /// Takes a scalar measurement with the given sensitivity (the first `count` of `states` and `factors`) and variance.
  ///
  /// The first `considered` states do not learn from it: their uncertainty is taken into account ("consider" filter), so
  /// that the covariance stays honest. `corrections` is filled with what to add to each state.
  mutating func update(
    states: InlineArray<5, Int>,
    factors: InlineArray<5, Double>,
    count: Int,
    variance: Double,
    considered: Int,
    innovation: Double,
    corrections: inout [Double]
  ) {
    let n = Self.size
    values.withUnsafeMutableBufferPointer { p in
      column.withUnsafeMutableBufferPointer { column in
        corrections.withUnsafeMutableBufferPointer { corrections in
          // Rows in place of columns: the matrix is symmetric.
          let (first, factor) = (states[0] * n, factors[0])
          for k in 0..<n { column[k] = factor * p[first + k] }
          for e in 1..<max(count, 1) {
            let (row, factor) = (states[e] * n, factors[e])
            for k in 0..<n { column[k] += factor * p[row + k] }
          }
          var total = variance
          for e in 0..<count { total += factors[e] * column[states[e]] }
          guard total > 0, total.isFinite else {
            for k in 0..<n { corrections[k] = 0 }
            return
          }
          let inverse = 1 / total
          // What considered states have in common with one another stays; all else shrinks as in any Kalman filter.
          for i in 0..<n {
            let gain = column[i] * inverse
            for j in (i < considered ? considered : 0)..<n { p[i * n + j] -= gain * column[j] }
            corrections[i] = i < considered ? 0 : gain * innovation
          }
        }
      }
    }
  }
}

/// One entry of a transition matrix beyond the identity.
struct TransitionEntry: Sendable {
  var row: Int
  var column: Int
  var value: Double
}
