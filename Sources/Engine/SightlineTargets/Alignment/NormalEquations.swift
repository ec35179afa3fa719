import SightlineMath

/// Least squares in eight unknowns: the sums, the solution, and how sure it is.
struct NormalEquations {
  /// Upper triangle and the rest of the matrix, row by row.
  private(set) var matrix = InlineArray<64, Double>(repeating: 0)
  private(set) var right = InlineArray<8, Double>(repeating: 0)
  /// Lower triangle of the factor after ``solve()``.
  private var factor = InlineArray<64, Double>(repeating: 0)

  init() {}

  /// Adds what a patch at a place says: a 2 × 2 information matrix and the vector it goes with.
  ///
  /// The place is in the unit of the eight numbers: (1 + a) x + b y + c over 1 + g x + h y, and so on.
  mutating func add(x: Double, y: Double, xx: Double, xy: Double, yy: Double, bx: Double, by: Double) {
    // Rows of the Jacobian of both coordinates: (x, y, 1, 0, 0, 0, -x², -xy) and (0, 0, 0, x, y, 1, -xy, -y²). Every number of their
    // products is one of six weights times one of six products of coordinates; written out, none is nothing and none is made twice.
    let (ux, uy) = (-(x * xx + y * xy), -(x * xy + y * yy))
    let u = -(x * ux + y * uy)
    let (square, product, other) = (x * x, x * y, y * y)
    block(0, 0, xx, square, product, other, x, y)
    block(3, 3, yy, square, product, other, x, y)
    block(0, 3, xy, square, product, other, x, y)
    // Below the diagonal of that block, which is no part of the whole's lower triangle.
    matrix[1 * 8 + 3] += xy * product
    matrix[2 * 8 + 3] += xy * x
    matrix[2 * 8 + 4] += xy * y
    side(0, ux, square, product, other, x, y)
    side(3, uy, square, product, other, x, y)
    matrix[6 * 8 + 6] += u * square
    matrix[6 * 8 + 7] += u * product
    matrix[7 * 8 + 7] += u * other
    let along = -(x * bx + y * by)
    right[0] += x * bx
    right[1] += y * bx
    right[2] += bx
    right[3] += x * by
    right[4] += y * by
    right[5] += by
    right[6] += x * along
    right[7] += y * along
  }

  /// Adds w · (x, y, 1)ᵀ (x, y, 1), the upper triangle.
  @inline(__always)
  private mutating func block(
    _ row: Int,
    _ column: Int,
    _ w: Double,
    _ square: Double,
    _ product: Double,
    _ other: Double,
    _ x: Double,
    _ y: Double
  ) {
    let at = row &* 8 &+ column
    matrix[at] += w * square
    matrix[at &+ 1] += w * product
    matrix[at &+ 2] += w * x
    matrix[at &+ 9] += w * other
    matrix[at &+ 10] += w * y
    matrix[at &+ 18] += w
  }

  /// Adds w · (x, y, 1)ᵀ (x, y) in the last two columns.
  @inline(__always)
  private mutating func side(
    _ row: Int,
    _ w: Double,
    _ square: Double,
    _ product: Double,
    _ other: Double,
    _ x: Double,
    _ y: Double
  ) {
    let at = row &* 8 &+ 6
    matrix[at] += w * square
    matrix[at &+ 1] += w * product
    matrix[at &+ 8] += w * product
    matrix[at &+ 9] += w * other
    matrix[at &+ 16] += w * x
    matrix[at &+ 17] += w * y
  }

  /// Adds the belief that an unknown has a value, with so much information.
  mutating func addPrior(_ index: Int, value: Double, information: Double) {
    matrix[index * 9] += information
    right[index] += information * value
  }

  /// Adds the belief that a sum of the unknowns has a value, with so much information.
  mutating func addRow(_ row: InlineArray<8, Double>, value: Double, information: Double) {
    for r in 0..<8 {
      let weight = row[r] * information
      right[r] += weight * value
      for c in r..<8 { matrix[r * 8 + c] += weight * row[c] }
    }
  }

  /// The solution; `nil` when the sums do not fix it.
  mutating func solve() -> InlineArray<8, Double>? {
    for r in 0..<8 {
      for c in 0...r {
        var sum = matrix[c * 8 + r]
        for k in 0..<c { sum -= factor[r * 8 + k] * factor[c * 8 + k] }
        if r == c {
          guard sum > 1e-12 * matrix[r * 9], sum > 0, sum.isFinite else { return nil }
          factor[r * 9] = sum.squareRoot()
        } else {
          factor[r * 8 + c] = sum / factor[c * 9]
        }
      }
    }
    var x = right
    forward(&x)
    for r in (0..<8).reversed() {
      for k in (r + 1)..<8 { x[r] -= factor[k * 8 + r] * x[k] }
      x[r] /= factor[r * 9]
    }
    return x
  }

  /// The variance of a place's two coordinates together, after ``solve()``.
  func variance(x: Double, y: Double) -> Double {
    var j0: InlineArray<8, Double> = [x, y, 1, 0, 0, 0, -x * x, -x * y]
    var j1: InlineArray<8, Double> = [0, 0, 0, x, y, 1, -x * y, -y * y]
    forward(&j0)
    forward(&j1)
    var sum = 0.0
    for i in 0..<8 { sum += j0[i] * j0[i] + j1[i] * j1[i] }
    return sum
  }

  private func forward(_ x: inout InlineArray<8, Double>) {
    for r in 0..<8 {
      for k in 0..<r { x[r] -= factor[r * 8 + k] * x[k] }
      x[r] /= factor[r * 9]
    }
  }
}
