import SightlineMath

/// Least squares in eight unknowns: the sums, the solution, and how sure it is.
struct NormalEquations {
  /// Upper triangle and the rest of the matrix, row by row.
  private(set) var matrix = InlineArray<64, Double>(repeating: 0)
  private(set) var right = InlineArray<8, Double>(repeating: 0)
  /// Transposed factor after ``solve()``, row by row; what is below its diagonal is of no use.
  private var factor = InlineArray<64, Double>(repeating: 0)

  init() {}

  /// Forgets what was added.
  mutating func clear() {
    for i in 0..<64 { matrix[unchecked: i] = 0 }
    for i in 0..<8 { right[unchecked: i] = 0 }
  }

  /// Adds what a patch at a place says: a 2 × 2 information matrix and the vector it goes with.
  ///
  /// The place is in the unit of the eight numbers: (1 + a) x + b y + c over 1 + g x + h y, and so on.
  mutating func add(x: Double, y: Double, xx: Double, xy: Double, yy: Double, bx: Double, by: Double) {
    // Rows of the Jacobian of both coordinates: (x, y, 1, 0, 0, 0, -x², -xy) and (0, 0, 0, x, y, 1, -xy, -y²). Every
    // number of their
    // products is one of six weights times one of six products of coordinates; written out, none is nothing and none is
    // made twice.
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
    for i in 0..<64 { factor[unchecked: i] = matrix[unchecked: i] }
    for k in 0..<8 {
      let square = factor[unchecked: k &* 9]
      guard square > 1e-12 * matrix[unchecked: k &* 9], square > 0, square.isFinite else { return nil }
      let root = square.squareRoot()
      for c in k..<8 { factor[unchecked: k &* 8 &+ c] /= root }
      factor[unchecked: k &* 9] = root
      // What is settled is taken off all rows after it, so that these do not wait for each other.
      for r in (k &+ 1)..<8 {
        let share = factor[unchecked: k &* 8 &+ r]
        for c in r..<8 { factor[unchecked: r &* 8 &+ c] -= share * factor[unchecked: k &* 8 &+ c] }
      }
    }
    var x = right
    for k in 0..<8 {
      x[unchecked: k] /= factor[unchecked: k &* 9]
      for r in (k &+ 1)..<8 { x[unchecked: r] -= factor[unchecked: k &* 8 &+ r] * x[unchecked: k] }
    }
    for r in (0..<8).reversed() {
      for k in (r &+ 1)..<8 { x[unchecked: r] -= factor[unchecked: r &* 8 &+ k] * x[unchecked: k] }
      x[unchecked: r] /= factor[unchecked: r &* 9]
    }
    return x
  }

  /// The variance of a place's two coordinates together, after ``solve()``.
  func variance(x: Double, y: Double) -> Double {
    var own = self
    return own.variances(x: SIMD4(repeating: x), y: SIMD4(repeating: y)).x
  }

  /// The variances of the coordinates of four places, each place's two together, after ``solve()``.
  ///
  /// Changes nothing, but numbers that may not be changed would be copied to be read by their place.
  mutating func variances(x: SIMD4<Double>, y: SIMD4<Double>) -> SIMD4<Double> {
    let (zero, one) = (SIMD4<Double>.zero, SIMD4<Double>(repeating: 1))
    var across: InlineArray<8, SIMD4<Double>> = [x, y, one, zero, zero, zero, -x * x, -x * y]
    var down: InlineArray<8, SIMD4<Double>> = [zero, zero, zero, x, y, one, -x * y, -y * y]
    var sum = SIMD4<Double>.zero
    for k in 0..<8 {
      let (p, q) = (across[unchecked: k] / factor[unchecked: k &* 9], down[unchecked: k] / factor[unchecked: k &* 9])
      for r in (k &+ 1)..<8 {
        across[unchecked: r] -= factor[unchecked: k &* 8 &+ r] * p
        down[unchecked: r] -= factor[unchecked: k &* 8 &+ r] * q
      }
      sum += p * p + q * q
    }
    return sum
  }
}
