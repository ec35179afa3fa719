// Linear least squares with few unknowns, the number of which is part of the type: no allocation, and loops of known length.
//
// Goals, in this order: nothing is allocated; equations that do not fix the unknowns are refused instead of answered with
// anything; the same sums in the same order on every platform.

/// The normal equations AᵀWA x = AᵀWb of a weighted linear least-squares problem.
///
/// ```swift
/// var equations = NormalEquations<2>()
/// for point in points { equations.add([point.x, 1], point.y) }
/// let line = equations.solution()   // slope and offset, nil when the points do not fix them
/// ```
public struct NormalEquations<let count: Int>: Sendable {
  /// A number for each unknown.
  public typealias Vector = InlineArray<count, Double>
  /// A square matrix, row by row.
  public typealias Matrix = InlineArray<count, InlineArray<count, Double>>

  /// AᵀWA; only what lies on and below the diagonal is written and read.
  public var matrix = Matrix(repeating: .init(repeating: 0))
  /// AᵀWb.
  public var right = Vector(repeating: 0)

  /// No equation yet.
  @inlinable public init() {}

  /// Adds the equation `row · x = value` so many times.
  @inline(__always)
  @inlinable public mutating func add(_ row: Vector, _ value: Double, weight: Double = 1) {
    for i in 0..<count {
      let scaled = row[i] * weight
      right[i] += scaled * value
      for j in 0..<(i + 1) { matrix[i][j] += scaled * row[j] }
    }
  }

  /// Adds the equation `x[index] = 0` so many times, which keeps an unknown small.
  @inlinable public mutating func hold(_ index: Int, weight: Double) { matrix[index][index] += weight }

  /// The unknowns that suit all equations best.
  ///
  /// - Parameters:
  ///   - damping: share of the diagonal that is added to it (Marquardt 1963): shorter steps, nearer to the gradient.
  ///   - leastPivot: as for ``Cholesky/init(_:damping:leastPivot:)``.
  /// - Returns: `nil` when the equations do not fix the unknowns, or when one of these is not finite.
  @_optimize(speed)
  @inlinable public func solution(damping: Double = 0, leastPivot: Double = 0) -> Vector? {
    guard let triangle = Cholesky<count>(matrix, damping: damping, leastPivot: leastPivot) else { return nil }
    let x = triangle.solve(right)
    for i in 0..<count where !x[i].isFinite { return nil }
    return x
  }

  /// The covariance of the unknowns when weights are inverse variances: the inverse of the matrix.
  ///
  /// `nil` when the equations do not fix the unknowns.
  @inlinable public func covariance(leastPivot: Double = 0) -> Matrix? {
    Cholesky<count>(matrix, leastPivot: leastPivot)?.inverse()
  }
}

/// The lower triangle L with L Lᵀ = A of a symmetric positive definite matrix: Cholesky's decomposition.
///
/// Source: Golub and Van Loan, Matrix Computations, 4th edition 2013, section 4.2.
public struct Cholesky<let count: Int>: Sendable {
  /// A number for each row.
  public typealias Vector = InlineArray<count, Double>
  /// A square matrix, row by row.
  public typealias Matrix = InlineArray<count, InlineArray<count, Double>>

  /// L, row by row; what is above the diagonal has no meaning.
  public let triangle: Matrix

  /// Decomposes a matrix.
  ///
  /// `nil` when it is not positive definite or not finite.
  ///
  /// - Parameters:
  ///   - matrix: what is above its diagonal is not read.
  ///   - damping: share of the diagonal that is added to it first.
  ///   - leastPivot: share of a diagonal entry that has to be left over after what the unknowns before it explain; from 1e-12
  ///     on what remains is rounding.
  @_optimize(speed)
  @inlinable public init?(_ matrix: Matrix, damping: Double = 0, leastPivot: Double = 0) {
    var l = matrix
    for i in 0..<count {
      for j in 0..<(i + 1) {
        var sum = matrix[i][j]
        if i == j { sum *= 1 + damping }
        for k in 0..<j { sum -= l[i][k] * l[j][k] }
        if i == j {
          guard sum > leastPivot * matrix[i][i], sum > 0, sum.isFinite else { return nil }
          l[i][i] = sum.squareRoot()
        } else {
          l[i][j] = sum / l[j][j]
        }
      }
    }
    triangle = l
  }

  /// The solution x of A x = b.
  @_optimize(speed)
  @inlinable public func solve(_ b: Vector) -> Vector { Self.solve(triangle, b) }

  // A parameter of its own: an array in a structure would be copied to be read by its index.
  @usableFromInline
  @inline(__always)
  static func solve(_ l: Matrix, _ b: Vector) -> Vector {
    var x = b
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

  /// A⁻¹, column by column.
  @inlinable public func inverse() -> Matrix {
    var result = Matrix(repeating: .init(repeating: 0))
    for i in 0..<count {
      var unit = Vector(repeating: 0)
      unit[i] = 1
      result[i] = solve(unit)
    }
    return result
  }
}
