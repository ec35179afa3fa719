import SightlineImaging
import SightlineMath

/// Rows of a linear measurement, r = H x + n with n of variance 1, and what they do to a state.
final class MeasurementStack {
  /// Most rows of one update.
  static let capacity = 320
  private static let stride = CovarianceMatrix.capacity

  /// Rows so far.
  private(set) var count = 0
  private let jacobian = FixedBuffer<Double>(count: capacity * stride, filledWith: 0)
  private let product = FixedBuffer<Double>(count: capacity * stride, filledWith: 0)
  private let innovation = FixedBuffer<Double>(count: capacity * capacity, filledWith: 0)
  private let residual = FixedBuffer<Double>(count: capacity, filledWith: 0)
  private let correctionBuffer = FixedBuffer<Double>(count: stride, filledWith: 0)
  /// Columns of H that are not all 0 for a row's group: first place in `columns`, how many.
  private var columns: [Int32] = []
  private var columnStart = [Int](repeating: 0, count: capacity)
  private var columnCount = [Int](repeating: 0, count: capacity)

  init() {}

  /// Starts a new update.
  func removeAll() {
    count = 0
    columns.removeAll(keepingCapacity: true)
  }

  /// Room that is left, rows.
  var room: Int { Self.capacity - count }

  /// Adds rows that depend on the same components, if what they say is believable.
  ///
  /// - Parameters:
  ///   - rows: r of each.
  ///   - added: how many rows.
  ///   - jacobian: H, rows × columns.
  ///   - used: the components that H's columns belong to.
  ///   - covariance: of the state.
  ///   - gate: most of the squared Mahalanobis distance; `nil` takes the rows as they are.
  /// - Returns: whether they were taken.
  @discardableResult
  @_optimize(speed)
  func add(
    rows: UnsafePointer<Double>,
    count added: Int,
    jacobian: UnsafePointer<Double>,
    columns used: [Int],
    covariance: CovarianceMatrix,
    gate: Double?
  ) -> Bool {
    guard added > 0, added <= room else { return false }
    let n = covariance.count
    let start = columns.count
    for column in used { columns.append(Int32(truncatingIfNeeded: column)) }
    for i in 0..<added {
      let at = count + i
      columnStart[at] = start
      columnCount[at] = used.count
      residual.base[at] = rows[i]
      let h = self.jacobian.base + at &* Self.stride
      let a = product.base + at &* Self.stride
      for j in 0..<n { a[j] = 0 }
      for (k, column) in used.enumerated() {
        let factor = jacobian[i &* used.count &+ k]
        h[k] = factor
        if factor == 0 { continue }
        let from = covariance.row(column)
        for j in 0..<n { a[j] += factor * from[j] }
      }
    }
    if let gate {
      var s = [Double](repeating: 0, count: added * added)
      for i in 0..<added {
        for j in 0...i { s[i * added + j] = entry(count + i, count + j) + (i == j ? 1 : 0) }
      }
      guard Self.decompose(&s, added, stride: added) else {
        columns.removeLast(used.count)
        return false
      }
      var y = [Double](repeating: 0, count: added)
      var distance = 0.0
      for i in 0..<added {
        var sum = rows[i]
        for k in 0..<i { sum -= s[i * added + k] * y[k] }
        y[i] = sum / s[i * added + i]
        distance += y[i] * y[i]
      }
      guard distance.isFinite, distance <= gate else {
        columns.removeLast(used.count)
        return false
      }
    }
    count += added
    return true
  }

  /// (H P Hᵀ) of two rows.
  @inline(__always)
  private func entry(_ i: Int, _ j: Int) -> Double {
    let a = product.base + i &* Self.stride
    let h = jacobian.base + j &* Self.stride
    var sum = 0.0
    let start = columnStart[j]
    for k in 0..<columnCount[j] { sum += a[Int(columns[start &+ k])] * h[k] }
    return sum
  }

  /// The correction of the state by the last update, one number for each component; lives as long as the stack.
  var correction: UnsafePointer<Double> { UnsafePointer(correctionBuffer.base) }

  /// The Kalman update by all rows at once: makes the covariance smaller and the correction of the state.
  ///
  /// - Parameters:
  ///   - covariance: of the state.
  ///   - held: components that are not corrected; what is uncertain about them counts for the others all the same
  ///     (Schmidt 1966, Application of State-space Methods to Navigation Problems).
  /// - Returns: whether the equations could be solved.
  @_optimize(speed)
  func update(_ covariance: CovarianceMatrix, holding held: Range<Int>) -> Bool {
    let (m, n) = (count, covariance.count)
    guard m > 0 else { return false }
    let s = innovation.base
    for i in 0..<m {
      for j in 0...i { s[i &* Self.capacity &+ j] = entry(i, j) + (i == j ? 1 : 0) }
    }
    // S = L Lᵀ in place.
    for i in 0..<m {
      let rowI = s + i &* Self.capacity
      for j in 0...i {
        let rowJ = s + j &* Self.capacity
        var sum = SIMD4<Double>.zero
        var k = 0
        while k &+ 4 <= j {
          let x = UnsafeRawPointer(rowI + k).loadUnaligned(as: SIMD4<Double>.self)
          let y = UnsafeRawPointer(rowJ + k).loadUnaligned(as: SIMD4<Double>.self)
          sum += x * y
          k &+= 4
        }
        var value = rowI[j] - sum.sum()
        while k < j {
          value -= rowI[k] * rowJ[k]
          k &+= 1
        }
        if i == j {
          guard value > 0, value.isFinite else { return false }
          rowI[i] = value.squareRoot()
        } else {
          rowI[j] = value / rowJ[j]
        }
      }
    }
    // W = L⁻¹ (H P), and the residuals likewise.
    for i in 0..<m {
      let w = product.base + i &* Self.stride
      let l = s + i &* Self.capacity
      for k in 0..<i {
        let factor = l[k]
        if factor == 0 { continue }
        let from = product.base + k &* Self.stride
        for j in 0..<n { w[j] -= factor * from[j] }
        residual.base[i] -= factor * residual.base[k]
      }
      let scale = 1 / l[i]
      for j in 0..<n { w[j] *= scale }
      residual.base[i] *= scale
    }
    // P ← P − Wᵀ W, x = Wᵀ r.
    let x = correctionBuffer.base
    for j in 0..<n { x[j] = 0 }
    for i in 0..<m {
      let w = product.base + i &* Self.stride
      let r = residual.base[i]
      for j in 0..<n { x[j] += r * w[j] }
    }
    for j in 0..<n {
      let to = covariance.row(j)
      let isHeld = held.contains(j)
      if isHeld { x[j] = 0 }
      let kept = isHeld ? held.lowerBound : 0
      // Columns beyond the held ones of a held row come from the other half.
      if isHeld {
        for i in 0..<m {
          let w = product.base + i &* Self.stride
          let factor = w[j]
          if factor == 0 { continue }
          for k in 0..<kept { to[k] -= factor * w[k] }
        }
        continue
      }
      for i in 0..<m {
        let w = product.base + i &* Self.stride
        let factor = w[j]
        if factor == 0 { continue }
        for k in 0...j { to[k] -= factor * w[k] }
      }
    }
    for j in 0..<n {
      for k in 0..<j { covariance[k, j] = covariance[j, k] }
      guard x[j].isFinite else { return false }
    }
    return true
  }

  /// L with L Lᵀ = A, in the lower half of A.
  static func decompose(_ a: inout [Double], _ n: Int, stride: Int) -> Bool {
    for i in 0..<n {
      for j in 0...i {
        var sum = a[i * stride + j]
        for k in 0..<j { sum -= a[i * stride + k] * a[j * stride + k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return false }
          a[i * stride + i] = sum.squareRoot()
        } else {
          a[i * stride + j] = sum / a[j * stride + j]
        }
      }
    }
    return true
  }
}
