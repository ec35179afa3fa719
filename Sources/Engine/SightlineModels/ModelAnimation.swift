import SightlineMath

/// A movement of nodes.
public struct ModelAnimation: Sendable {
  /// What moves.
  public enum Path: UInt8, Sendable {
    /// Place.
    case translation
    /// Turn.
    case rotation
    /// Scale.
    case scale
  }
  /// What lies between two keys.
  public enum Interpolation: UInt8, Sendable {
    /// A straight line; for rotations the shorter arc.
    case linear
    /// The earlier key.
    case step
    /// A cubic with given tangents.
    case cubicSpline
  }
  /// One property of one node.
  public struct Channel: Sendable {
    /// The node.
    public var node: Int
    /// What moves.
    public var path: Path
    /// Index in ``ModelAnimation/curves``.
    public var curve: Int
  }
  /// Keys over time.
  public struct Curve: Sendable {
    /// What lies between two keys.
    public var interpolation: Interpolation
    /// Seconds, rising.
    public var times: [Float]
    /// Three or four numbers for each key; with ``Interpolation/cubicSpline`` tangent in, value and tangent out for each.
    public var values: [Float]
    /// Numbers in a value.
    public var width: Int
  }

  /// UTF-8; empty when it has none.
  public var name: [UInt8] = []
  /// What moves.
  public var channels: [Channel] = []
  /// How.
  public var curves: [Curve] = []
  /// The time of the last key, seconds.
  public var duration = 0.0
}

extension ModelAnimation.Curve {
  /// The value at a time; before the first key it is that key's, after the last one the last one's.
  ///
  /// Source: glTF 2.0, appendix C.
  ///
  /// - Parameters:
  ///   - time: seconds.
  ///   - isRotation: whether the four numbers are a quaternion x, y, z, w.
  /// - Returns: the numbers, the rest zero; a quaternion is of unit length.
  func value(at time: Double, isRotation: Bool) -> SIMD4<Double> {
    let last = times.count - 1
    guard time > Double(times[0]), last > 0 else { return unit(key(0), isRotation) }
    guard time < Double(times[last]) else { return unit(key(last), isRotation) }
    var (low, high) = (0, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(times[middle]) <= time { low = middle } else { high = middle }
    }
    let span = Double(times[high]) - Double(times[low])
    let t = (time - Double(times[low])) / span
    switch interpolation {
    case .step: return unit(key(low), isRotation)
    case .linear:
      let (a, b) = (key(low), key(high))
      return isRotation ? slerp(unit(a, true), unit(b, true), t) : a + (b - a) * t
    case .cubicSpline:
      let (t2, t3) = (t * t, t * t * t)
      let leaving = part(low, 2) * span
      let arriving = part(high, 0) * span
      let sum =
        key(low) * (2 * t3 - 3 * t2 + 1) + leaving * (t3 - 2 * t2 + t) + key(high) * (3 * t2 - 2 * t3)
        + arriving * (t3 - t2)
      return unit(sum, isRotation)
    }
  }

  private func key(_ index: Int) -> SIMD4<Double> { part(index, interpolation == .cubicSpline ? 1 : 0) }

  /// One of the values of a key: with cubic splines there are three.
  private func part(_ index: Int, _ part: Int) -> SIMD4<Double> {
    let first = (interpolation == .cubicSpline ? 3 * index + part : index) * width
    var result = SIMD4<Double>(0, 0, 0, 0)
    for k in 0..<width { result[k] = Double(values[first + k]) }
    return result
  }

  private func unit(_ q: SIMD4<Double>, _ isRotation: Bool) -> SIMD4<Double> {
    guard isRotation else { return q }
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).squareRoot()
    return length > 0 && length.isFinite ? q / length : SIMD4(0, 0, 0, 1)
  }

  private func slerp(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ t: Double) -> SIMD4<Double> {
    var cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
    let sign = cosine < 0 ? -1.0 : 1.0
    cosine *= sign
    // Close together the arc is its chord, and the sine in the denominator would be none.
    guard cosine < 0.9999 else { return unit(a + (b * sign - a) * t, true) }
    let angle = acos(cosine)
    let s = 1 / sin(angle)
    return unit(a * (sin((1 - t) * angle) * s) + b * (sign * sin(t * angle) * s), true)
  }
}
