import SightlineMath

/// Finds how far away the features of a view are, by views shortly before and after it, some features at a time.
///
/// Views of one filter differ by a shift that is known well: a feature is looked for near the plane through both lenses and its
/// direction, and its inverse distance is the only unknown.
struct MapDepths {
  /// Deviation of a feature's direction, radians.
  static let directionDeviation: Float = 0.0035
  /// How far from the plane through both lenses a feature may lie, radians.
  private static let mostOff: Float = 0.008
  /// Nearest and farthest things, as inverse distances, 1/m.
  private static let (leastRho, mostRho): (Float, Float) = (0.02, 3)
  /// Likeness below which two features are not the same.
  private static let leastLikeness: Float = 0.8
  /// Shift of the lens below which nothing is learned, metres.
  private static let leastShift = 0.02
  /// Share of an inverse distance that its deviation may be.
  private static let mostDeviation: Float = 0.2
  /// Share below which it is not told.
  private static let leastDeviation: Float = 0.015

  private let view: MapView
  private let others: [(view: MapView, shift: SIMD3<Float>)]
  private var next = 0

  /// Work on a view.
  init(_ view: MapView, others: [MapView]) {
    self.view = view
    var list: [(view: MapView, shift: SIMD3<Float>)] = []
    for other in others where other !== view && other.epoch == view.epoch {
      let shift = other.lens - view.lens
      guard shift.length > Self.leastShift, shift.length < 3 else { continue }
      list.append((other, SIMD3(Float(shift.x), Float(shift.y), Float(shift.z))))
    }
    self.others = list
  }

  /// Goes on with so many features; answers whether all are done.
  @_optimize(speed)
  mutating func advance(features: Int) -> Bool {
    let end = min(view.count, next + features)
    while next < end {
      find(next)
      next += 1
    }
    return next >= view.count
  }

  private func find(_ index: Int) {
    let ray = view.rays[index]
    var group = 0
    while group + 1 < MapView.groups, view.starts[group + 1] <= index { group += 1 }
    // What each other view says: ρ (r × b) = −(r × ray), with b from its lens to this one.
    var said: [(a: SIMD3<Float>, b: SIMD3<Float>)] = []
    for (other, shift) in others {
      let base = view.origins[index] - shift
      let normal = cross(base, ray)
      let size = (normal * normal).sum().squareRoot()
      guard size > Float(Self.leastShift) * 0.3 else { continue }
      let unit = normal / size
      var best: (likeness: Float, a: SIMD3<Float>, b: SIMD3<Float>)?
      var second: Float = 0
      other.forEachNear(group) { range in
        for k in range {
          let seen = other.rays[k]
          let off = (unit * seen).sum()
          guard abs(off) < Self.mostOff else { continue }
          let from = base - other.origins[k]
          let (a, b) = (cross(seen, from), cross(seen, ray))
          let squared = (a * a).sum()
          guard squared > 1e-6 else { continue }
          let rho = -(a * b).sum() / squared
          let slack = 2 * Self.directionDeviation / squared.squareRoot()
          guard rho > Self.leastRho - slack, rho < Self.mostRho + slack else { continue }
          let ratio = other.sizes[k] / view.sizes[index]
          guard ratio > 0.55, ratio < 1.8 else { continue }
          let likeness = view.likeness(index, to: other, k)
          if likeness > (best?.likeness ?? 0) {
            second = best?.likeness ?? 0
            best = (likeness, a, b)
          } else if likeness > second {
            second = likeness
          }
        }
      }
      guard let best, best.likeness > Self.leastLikeness else { continue }
      // Of two that look the same neither is believed: distances of descriptors, squared.
      guard 1 - best.likeness < 0.8 * (1 - second) else { continue }
      said.append((best.a, best.b))
    }
    guard let (rho, deviation, count) = solve(said) else { return }
    guard rho > Self.leastRho, rho < Self.mostRho,
      deviation < Self.mostDeviation * rho || (count > 1 && deviation < 0.03)
    else { return }
    view.rho[index] = rho
    // What the shifts between the views have in common does not show in what is left of each.
    view.rhoDeviation[index] = max(deviation, Self.leastDeviation * rho)
  }

  /// The inverse distance that suits most views.
  private func solve(_ said: [(a: SIMD3<Float>, b: SIMD3<Float>)]) -> (rho: Float, deviation: Float, count: Int)? {
    var best: (rho: Float, deviation: Float, count: Int)?
    for start in said {
      var rho = -(start.a * start.b).sum() / (start.a * start.a).sum()
      var result: (rho: Float, deviation: Float, count: Int)?
      for _ in 0..<2 {
        var (top, bottom, count): (Float, Float, Int) = (0, 0, 0)
        for (a, b) in said {
          let e = rho * a + b
          guard (e * e).sum() < 9 * Self.directionDeviation * Self.directionDeviation else { continue }
          top -= (a * b).sum()
          bottom += (a * a).sum()
          count += 1
        }
        guard count > 0, bottom > 0 else { break }
        rho = top / bottom
        result = (rho, Self.directionDeviation / bottom.squareRoot(), count)
      }
      if let result, result.count > best?.count ?? 0 { best = result }
    }
    return best
  }
}

@inline(__always)
func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
