import SightlineMath

/// A symmetric matrix of any size, for least squares that are solved once and not for every frame.
struct SymmetricMatrix {
  let count: Int
  /// All entries, row by row; only those on and below the diagonal are read.
  var entries: [Double]

  init(_ count: Int) {
    self.count = count
    entries = [Double](repeating: 0, count: count * count)
  }

  subscript(row: Int, column: Int) -> Double {
    get { entries[row * count + column] }
    set { entries[row * count + column] = newValue }
  }

  /// The lower triangle L with L Lᵀ equal to the matrix; `nil` when it is not positive definite.
  func cholesky() -> LowerTriangle? {
    var l = entries
    for i in 0..<count {
      for j in 0...i {
        var sum = entries[i * count + j]
        for k in 0..<j { sum -= l[i * count + k] * l[j * count + k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return nil }
          l[i * count + i] = sum.squareRoot()
        } else {
          l[i * count + j] = sum / l[j * count + j]
        }
      }
    }
    return LowerTriangle(count: count, entries: l)
  }
}

/// Cholesky's decomposition of a matrix.
struct LowerTriangle {
  let count: Int
  let entries: [Double]

  /// The solution x of L Lᵀ x = b.
  func solve(_ b: [Double]) -> [Double] {
    var x = b
    for i in 0..<count {
      for k in 0..<i { x[i] -= entries[i * count + k] * x[k] }
      x[i] /= entries[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in (i + 1)..<max(i + 1, count) { x[i] -= entries[k * count + i] * x[k] }
      x[i] /= entries[i * count + i]
    }
    return x
  }

  /// The diagonal of the matrix's inverse.
  func inverseDiagonal() -> [Double] {
    (0..<count).map { column in
      var unit = [Double](repeating: 0, count: count)
      unit[column] = 1
      return solve(unit)[column]
    }
  }
}
