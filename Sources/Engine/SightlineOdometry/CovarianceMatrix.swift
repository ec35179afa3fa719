import SightlineImaging
import SightlineMath

/// The covariance of an error state whose size changes: a symmetric matrix, kept whole, row by row.
final class CovarianceMatrix {
  /// Most error components.
  static let capacity = 232

  /// Error components now.
  private(set) var count: Int
  /// All entries; a row has ``capacity`` places.
  let base: UnsafeMutablePointer<Double>
  private let buffer: FixedBuffer<Double>
  private let scratch: FixedBuffer<Double>

  /// A matrix of zeros.
  init(count: Int) {
    precondition(count <= Self.capacity)
    self.count = count
    buffer = FixedBuffer(count: Self.capacity * Self.capacity, filledWith: 0)
    scratch = FixedBuffer(count: 32 * Self.capacity, filledWith: 0)
    base = buffer.base
  }

  /// An entry.
  subscript(row: Int, column: Int) -> Double {
    @inline(__always) get { base[row &* Self.capacity &+ column] }
    @inline(__always) set { base[row &* Self.capacity &+ column] = newValue }
  }

  /// The first entry of a row.
  @inline(__always)
  func row(_ index: Int) -> UnsafeMutablePointer<Double> { base + index &* Self.capacity }

  /// Adds components without any covariance at the end; answers the first one's place.
  func append(_ components: Int) -> Int {
    precondition(count + components <= Self.capacity)
    let first = count
    count += components
    for i in 0..<count {
      for j in first..<count {
        self[i, j] = 0
        self[j, i] = 0
      }
    }
    return first
  }

  /// Takes components out: what is known of the others stays as it is.
  func remove(_ first: Int, _ components: Int) {
    let after = first + components
    let tail = count - after
    for i in 0..<count where i < first || i >= after {
      let target = i < first ? i : i - components
      let (from, to) = (row(i), row(target))
      if i != target { for j in 0..<first { to[j] = from[j] } }
      for j in 0..<tail { to[first + j] = from[after + j] }
    }
    count -= components
  }

  /// The covariance after the first components have gone over into others linearly.
  ///
  /// - Parameters:
  ///   - transition: size × size, row by row.
  ///   - size: how many components change; at most 32.
  ///   - noise: variance that is added to each, covariance with each other, size × size.
  @_optimize(speed)
  func propagate(_ transition: UnsafePointer<Double>, size: Int, noise: UnsafePointer<Double>) {
    // T = Φ P for the first rows, all columns.
    let t = scratch.base
    for i in 0..<size {
      let to = t + i &* Self.capacity
      for j in 0..<count { to[j] = 0 }
      for k in 0..<size {
        let factor = transition[i &* size &+ k]
        if factor == 0 { continue }
        let from = row(k)
        for j in 0..<count { to[j] += factor * from[j] }
      }
    }
    for i in 0..<size {
      let from = t + i &* Self.capacity
      let to = row(i)
      for j in size..<max(size, count) {
        to[j] = from[j]
        self[j, i] = from[j]
      }
    }
    // Now the block itself: T Φᵀ + Q.
    for i in 0..<size {
      let from = t + i &* Self.capacity
      for j in i..<size {
        var sum = noise[i &* size &+ j]
        for k in 0..<size { sum += from[k] * transition[j &* size &+ k] }
        self[i, j] = sum
        self[j, i] = sum
      }
    }
  }

  /// Sets components to a linear function of others: x[target...] = A x[sources] + noise.
  ///
  /// - Parameters:
  ///   - target: first of the components that are set; they may be among the sources.
  ///   - size: how many.
  ///   - sources: the components they are made of.
  ///   - matrix: size × sources, row by row.
  ///   - noise: size × size that is added.
  @_optimize(speed)
  func set(_ target: Int, _ size: Int, from sources: [Int], _ matrix: [Double], noise: [Double]) {
    let t = scratch.base
    for i in 0..<size {
      let to = t + i &* Self.capacity
      for j in 0..<count { to[j] = 0 }
      for (k, source) in sources.enumerated() {
        let factor = matrix[i * sources.count + k]
        if factor == 0 { continue }
        let from = row(source)
        for j in 0..<count { to[j] += factor * from[j] }
      }
    }
    var own = [Double](repeating: 0, count: size * size)
    for i in 0..<size {
      for j in 0..<size {
        var sum = noise[i * size + j]
        let from = t + i &* Self.capacity
        for (k, source) in sources.enumerated() { sum += from[source] * matrix[j * sources.count + k] }
        own[i * size + j] = sum
      }
    }
    for i in 0..<size {
      let from = t + i &* Self.capacity
      for j in 0..<count {
        self[target + i, j] = from[j]
        self[j, target + i] = from[j]
      }
    }
    for i in 0..<size {
      for j in 0..<size { self[target + i, target + j] = 0.5 * (own[i * size + j] + own[j * size + i]) }
    }
  }

  /// Adds four linear functions of components to others: x[targets[i]] += (A x[sources])[i mod 4].
  ///
  /// - Parameters:
  ///   - targets: components that are added to; they may be among the sources.
  ///   - matrix: 4 × sources, row by row.
  ///   - sources: the components it is made of.
  func shift(_ targets: [Int], by matrix: [Double], of sources: [Int]) {
    let t = scratch.base
    // Rows, then columns of what they have become.
    for pass in 0..<2 {
      let (step, stride) = pass == 0 ? (1, Self.capacity) : (Self.capacity, 1)
      for k in 0..<4 {
        for j in 0..<count {
          var sum = 0.0
          for i in 0..<sources.count {
            sum += matrix[k &* sources.count &+ i] * base[sources[i] &* stride &+ j &* step]
          }
          t[k &* Self.capacity &+ j] = sum
        }
      }
      for i in 0..<targets.count {
        for j in 0..<count { base[targets[i] &* stride &+ j &* step] += t[(i & 3) &* Self.capacity &+ j] }
      }
    }
  }

  /// Makes both halves equal again, which rounding parts.
  @_optimize(speed)
  func symmetrize() {
    for i in 0..<count {
      for j in (i + 1)..<max(i + 1, count) {
        let mean = 0.5 * (self[i, j] + self[j, i])
        self[i, j] = mean
        self[j, i] = mean
      }
    }
  }
}
