import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct LeastSquaresTests {
  /// Equations with a known solution: more of them than unknowns, and random.
  private func equations(_ seed: UInt64, _ truth: InlineArray<5, Double>, noise: Double = 0) -> NormalEquations<5> {
    var random = SplitMix64(seed: seed)
    var result = NormalEquations<5>()
    for _ in 0..<40 {
      var row = InlineArray<5, Double>(repeating: 0)
      var value = 0.0
      for i in 0..<5 {
        row[i] = Double.random(in: -2...2, using: &random)
        value += row[i] * truth[i]
      }
      value += noise * Double.random(in: -1...1, using: &random)
      result.add(row, value, weight: Double.random(in: 0.1...3, using: &random))
    }
    return result
  }

  @Test(arguments: 0..<20)
  func `equations that agree give back what they were made of`(seed: UInt64) throws {
    let truth: InlineArray<5, Double> = [1, -2, 0.5, 1000, -1e-3]
    let found = try #require(equations(seed, truth).solution())
    for i in 0..<5 { #expect(abs(found[i] - truth[i]) < 1e-10) }
  }

  @Test func `the gradient of the squares is nothing at the solution`() throws {
    let sums = equations(7, [1, 2, 3, 4, 5], noise: 0.5)
    let found = try #require(sums.solution())
    for i in 0..<5 {
      var gradient = -sums.right[i]
      for j in 0..<5 { gradient += (j <= i ? sums.matrix[i][j] : sums.matrix[j][i]) * found[j] }
      #expect(abs(gradient) < 1e-10)
    }
  }

  @Test func `the covariance is the inverse of the matrix`() throws {
    let sums = equations(11, [0, 0, 0, 0, 0])
    let inverse = try #require(sums.covariance())
    for i in 0..<5 {
      for j in 0..<5 {
        var product = 0.0
        for k in 0..<5 { product += (k <= i ? sums.matrix[i][k] : sums.matrix[k][i]) * inverse[k][j] }
        #expect(abs(product - (i == j ? 1 : 0)) < 1e-12)
        #expect(abs(inverse[i][j] - inverse[j][i]) < 1e-14)
      }
    }
  }

  @Test func `the decomposition multiplied by itself is the matrix`() throws {
    let sums = equations(3, [1, 1, 1, 1, 1])
    let triangle = try #require(Cholesky<5>(sums.matrix)).triangle
    for i in 0..<5 {
      for j in 0...i {
        var product = 0.0
        for k in 0...j { product += triangle[i][k] * triangle[j][k] }
        #expect(abs(product - sums.matrix[i][j]) < 1e-12)
      }
    }
  }

  @Test func `what is not fixed by the equations has no solution`() {
    var line = NormalEquations<2>()
    for k in 0..<9 { line.add([Double(k), 2 * Double(k)], 1) }
    #expect(isNone(line.solution(leastPivot: 1e-12)))
    #expect(isNone(line.covariance(leastPivot: 1e-12)))
    // Held near nothing, or damped, it has one.
    var held = line
    held.hold(1, weight: 1)
    #expect(!isNone(held.solution(leastPivot: 1e-12)))
    #expect(!isNone(line.solution(damping: 1e-3, leastPivot: 1e-12)))
    #expect(isNone(NormalEquations<2>().solution()))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite gives no solution`(bad: Double) {
    for position in 0..<3 {
      var sums = NormalEquations<2>()
      sums.add([1, 0], 1)
      sums.add([0, 1], 1)
      sums.add([position == 0 ? bad : 1, position == 1 ? bad : 1], position == 2 ? bad : 1)
      #expect(isNone(sums.solution()))
    }
  }

  @Test func `a matrix that is not positive has no decomposition`() {
    #expect(isNone(Cholesky<2>([[1, 0], [2, 1]])))
    #expect(isNone(Cholesky<2>([[0, 0], [0, 1]])))
    #expect(isNone(Cholesky<2>([[-1, 0], [0, -1]])))
  }
}

/// Arrays of fixed size cannot be compared with `nil` by `==`.
private func isNone<Value>(_ value: Value?) -> Bool { if case .none = value { true } else { false } }
