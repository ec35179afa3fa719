import SightlineMath

/// A polynomial of the third degree in module coordinates that go from −1 to 1, with a value along x and one along y.
struct GridPolynomial {
  /// Number of terms.
  static let termCount = 10

  /// Coefficients of the terms, along x and along y.
  var coefficients: InlineArray<10, SIMD2<Double>>

  /// The terms at a point.
  @inline(__always)
  static func terms(_ s: Double, _ t: Double) -> InlineArray<10, Double> {
    [1, s, t, s * s, s * t, t * t, s * s * s, s * s * t, s * t * t, t * t * t]
  }

  /// The value at a point.
  @inline(__always)
  func callAsFunction(_ s: Double, _ t: Double) -> Vector2 {
    let terms = GridPolynomial.terms(s, t)
    var sum = coefficients[0]
    for index in 1..<Self.termCount { sum += coefficients[index] * terms[index] }
    return Vector2(sum.x, sum.y)
  }

  /// The value at a point, and how it changes with either coordinate.
  func tangents(_ s: Double, _ t: Double) -> (value: Vector2, alongS: Vector2, alongT: Vector2) {
    let c = coefficients
    let alongS = c[1] + c[3] * (2 * s) + c[4] * t + c[6] * (3 * s * s) + c[7] * (2 * s * t) + c[8] * (t * t)
    let alongT = c[2] + c[4] * s + c[5] * (2 * t) + c[7] * (s * s) + c[8] * (2 * s * t) + c[9] * (3 * t * t)
    return (self(s, t), Vector2(alongS.x, alongS.y), Vector2(alongT.x, alongT.y))
  }
}

/// A place of the code that was found in the picture.
struct GridAnchor {
  var u: Double
  var v: Double
  var found: Vector2
}

extension SamplingGrid {
  /// The grid bent so that it fits edges and places, by least squares with bends held small.
  ///
  /// The edges may be measured on any grid near. Terms of the third degree are used on demand.
  func bent(to edges: [EdgeMeasure], anchors: [GridAnchor], isCubic: Bool) -> SamplingGrid? {
    let count = GridPolynomial.termCount
    let used = isCubic ? count : 6
    var flat = self
    flat.bend = nil
    let side = (flat.point(Double(size), Double(size)) - flat.point(0, 0)).length / (1.4142 * Double(size))
    guard side > 0 else { return nil }
    var equations = NormalEquations<20>()
    let scale = 2 / Double(size)
    var row = InlineArray<20, Double>(repeating: 0)
    func add(_ u: Double, _ v: Double, _ normal: Vector2, _ found: Vector2, weight: Double) {
      let terms = GridPolynomial.terms(u * scale - 1, v * scale - 1)
      for index in 0..<used {
        row[index] = normal.x * terms[index]
        row[count + index] = normal.y * terms[index]
      }
      equations.add(row, normal.dot(found - flat.point(u, v)) / side, weight: weight)
    }
    for edge in edges { add(edge.u, edge.v, edge.normal, edge.found, weight: edge.weight) }
    for anchor in anchors {
      add(anchor.u, anchor.v, Vector2(1, 0), anchor.found, weight: 10)
      add(anchor.u, anchor.v, Vector2(0, 1), anchor.found, weight: 10)
    }
    for index in 0..<(2 * count) {
      let term = index % count
      // A module's error in an edge weighs as much as a module and a half of bend.
      equations.hold(index, weight: term < 6 ? 0.4 : term < used ? 1.5 : 1e6)
    }
    guard let x = equations.solution(damping: 1e-9, leastPivot: 1e-12) else { return nil }
    var result = flat
    result.bend = GridPolynomial(coefficients: .init { SIMD2(x[$0], x[count + $0]) * side })
    return result
  }

  /// Edges between neighbouring modules of which one was read as dark and one as light.
  ///
  /// `reading` is what was read on this grid, `reach` how far they may be from the centre of the nearest finder pattern in
  /// modules, `limit` about how many there may be.
  func contentEdges(
    _ sampler: GraySampler,
    _ reading: QRReading,
    reach: Int,
    limit: Int,
    contrast: Float
  ) -> [EdgeMeasure] {
    var edges: [EdgeMeasure] = []
    let every = max(1, size * size / max(1, limit))
    var number = 0
    reading.darkness.withUnsafeBufferPointer { darkness in
      for y in 0..<size {
        for x in 0..<size where isNearFinder(x, y, reach) {
          let at = y &* size &+ x
          let here = darkness[at]
          for isColumn in [true, false] where isColumn ? x + 1 < size : y + 1 < size {
            let next = darkness[isColumn ? at &+ 1 : at &+ size]
            guard (here > 0) != (next > 0) else { continue }
            number += 1
            guard number % every == 0 else { continue }
            let sign = here > 0 ? 1.0 : -1.0
            let (u, v) = isColumn ? (Double(x) + 1, Double(y) + 0.5) : (Double(x) + 0.5, Double(y) + 1)
            let (du, dv) = isColumn ? (sign, 0.0) : (0.0, sign)
            if var edge = edge(sampler, u, v, du, dv, reach: 0.75, contrast: contrast) {
              edge.weight *= Double(min(1, min(abs(here), abs(next)) + 0.1))
              edges.append(edge)
            }
          }
        }
      }
    }
    return edges
  }

  private func isNearFinder(_ x: Int, _ y: Int, _ reach: Int) -> Bool {
    let far = size - 4
    let (dx, dy) = (min(abs(x - 3), abs(x - far)), min(abs(y - 3), abs(y - far)))
    return max(dx, dy) <= reach
      && !(x > size / 2 && y > size / 2 && max(abs(x - far), abs(y - far)) <= reach && reach < size / 2)
  }
}
