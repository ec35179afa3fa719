/// Covariance of the filter's errors, a full symmetric matrix, with the two operations of a Kalman filter on it.
struct Covariance: Sendable {
  /// Number of error states.
  static let size = 26
  /// Row by row.
  private(set) var values = [Double](repeating: 0, count: size * size)
  // Work space, kept so that a step allocates nothing.
  private var gain = [Double](repeating: 0, count: size)
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

  /// P ← F P Fᵀ with F = I + G, where G has only the given entries.
  ///
  /// Rows are replaced one by one, so the entries have to stand in an order in which every row still finds the others as
  /// they were: a row that uses another comes before it, and a row's entry for itself is its first.
  mutating func propagate(_ entries: [TransitionEntry]) {
    values.withUnsafeMutableBufferPointer { p in
      let n = Self.size
      for entry in entries {
        let (row, other) = (entry.row * n, entry.column * n)
        for k in 0..<n { p[row + k] += entry.value * p[other + k] }
      }
      for entry in entries {
        var k = 0
        while k < n * n {
          p[k + entry.row] += entry.value * p[k + entry.column]
          k += n
        }
      }
    }
  }

  /// Takes a scalar measurement with the given sensitivity (the first `count` of `states` and `factors`) and variance.
  ///
  /// `share` says for each state which part of its optimal gain is used; `nil` is all of it. With less than all the update
  /// is that of a "consider" filter: the covariance stays honest. `corrections` is filled with what to add to each state.
  mutating func update(
    states: InlineArray<5, Int>,
    factors: InlineArray<5, Double>,
    count: Int,
    variance: Double,
    share: [Double]?,
    innovation: Double,
    corrections: inout [Double]
  ) {
    let n = Self.size
    values.withUnsafeMutableBufferPointer { p in
      var total = variance
      for k in 0..<n {
        var sum = 0.0
        for e in 0..<count { sum += factors[e] * p[k * n + states[e]] }
        column[k] = sum
      }
      for e in 0..<count { total += factors[e] * column[states[e]] }
      guard total > 0, total.isFinite else { return }
      let inverse = 1 / total
      if let share {
        for k in 0..<n { gain[k] = column[k] * inverse * share[k] }
        for i in 0..<n {
          let (g, c) = (gain[i], column[i])
          for j in 0..<n { p[i * n + j] += (g * total - c) * gain[j] - g * column[j] }
        }
      } else {
        for k in 0..<n { gain[k] = column[k] * inverse }
        for i in 0..<n {
          let g = gain[i]
          for j in 0..<n { p[i * n + j] -= g * column[j] }
        }
      }
      for k in 0..<n { corrections[k] = gain[k] * innovation }
    }
  }
}

/// One entry of a transition matrix beyond the identity.
struct TransitionEntry: Sendable {
  var row: Int
  var column: Int
  var value: Double
}
