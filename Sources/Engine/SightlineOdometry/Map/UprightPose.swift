import SightlineMath

/// Where a view was taken, by points of the map that it shows: a turn about the vertical and a place.
///
/// Two points fix the four numbers, since the upright is known; samples of two are tried, and what most points agree with is fitted to
/// all of these, with the little that the upright may be off.
/// Source: Kukelova, Bujnak and Pajdla, Closed-form Solutions to Minimal Absolute Pose Problems with Known Vertical Direction, ACCV 2010
/// (the problem; solved here by the two distances).
struct UprightPose {
  /// A point of the map and the direction it is seen in.
  struct Match {
    /// In the map, metres.
    var point: Vector3
    /// In the view's axes, of length 1.
    var ray: Vector3
    /// From the view's lens to where the lens was when it was seen, metres.
    var origin: Vector3
    /// Where the point was seen from when it became part of the map, metres, and how well its inverse distance is known, 1/m.
    var seenFrom: Vector3
    var rhoDeviation: Double
    /// Where in the picture, 0 … 1.
    var place: SIMD2<Float>
  }

  /// Deviation of a direction, radians.
  static let directionDeviation = 0.004
  /// How far a sample's pose may have a direction wrong, radians: the upright of either view is not exact.
  static let sampleTolerance = 0.012
  /// How far a direction may be from where the fitted pose has it, in deviations.
  private static let mostDeviations = 3.0

  /// The map from the view's axes.
  var mapFromView: UprightTransform
  /// Yaw, place, and what the upright is off about x and y, radians.
  var covariance: InlineArray<6, InlineArray<6, Double>>
  /// What the upright is off, radians.
  var tilt: Vector2
  /// Which matches agree.
  var inliers: [Int]

  /// The pose that two points fix; `nil` where they do not.
  static func minimal(_ a: Match, _ b: Match) -> [UprightTransform] {
    // Distances s and t along both directions: their difference has the height and the length of that of the points.
    let across = a.point - b.point
    let flat = across.x * across.x + across.y * across.y
    guard flat > 0.01 else { return [] }
    let (p, q) = (a.ray, b.ray)
    // The steeper of the two gives its distance by the other's.
    let isFirst = abs(p.z) > abs(q.z)
    let (steep, other) = isFirst ? (p, q) : (q, p)
    let rise = isFirst ? across.z : -across.z
    guard abs(steep.z) > 0.05 else { return [] }
    // steep: s = (rise + t q.z) / p.z, so s p − t q = c + t d over the ground.
    let (cx, cy) = (rise / steep.z * steep.x, rise / steep.z * steep.y)
    let k = other.z / steep.z
    let (dx, dy) = (k * steep.x - other.x, k * steep.y - other.y)
    let (e, f, g) = (dx * dx + dy * dy, cx * dx + cy * dy, cx * cx + cy * cy - flat)
    guard e > 1e-9 else { return [] }
    let root = f * f - e * g
    guard root >= 0 else { return [] }
    var poses: [UprightTransform] = []
    for sign in [-1.0, 1.0] {
      let t = (-f + sign * root.squareRoot()) / e
      let s = (rise + t * other.z) / steep.z
      guard s > 0.1, t > 0.1, s < 60, t < 60 else { continue }
      let difference = isFirst ? (p * s - q * t) : (p * t - q * s)
      let yaw = wrapToPi(atan2(across.y, across.x) - atan2(difference.y, difference.x))
      var pose = UprightTransform(yaw: yaw, translation: .zero)
      pose.translation = a.point - pose.turned(p * (isFirst ? s : t))
      poses.append(pose)
    }
    return poses
  }

  /// Squared error of a direction at a pose, and the deviation that it should have; `nil` behind the lens.
  @inline(__always)
  static func error(_ match: Match, _ back: UprightTransform, _ place: Vector3) -> (squared: Double, variance: Double)?
  {
    let d = back * match.point - match.origin
    let length = d.dot(d)
    let along = d.dot(match.ray)
    guard along > 0.05 else { return nil }
    let squared = max(0, length - along * along) / length
    let shift = place - match.seenFrom
    let spread = match.rhoDeviation * match.rhoDeviation * min(4, shift.dot(shift))
    return (squared, directionDeviation * directionDeviation + spread)
  }

  /// The best pose by samples.
  ///
  /// - Parameters:
  ///   - matches: points and directions, some of them wrong.
  ///   - tries: how many samples.
  ///   - seed: of the random numbers.
  ///   - prior: pose that is expected with the most its yaw may be off, radians, and its place, metres; `nil` for none.
  /// - Returns: the pose that most agree with; `nil` when none can be had.
  @_optimize(speed)
  static func sample(
    _ matches: [Match],
    tries: Int,
    seed: UInt32,
    prior: (pose: UprightTransform, yaw: Double, place: Double)?
  ) -> (pose: UprightTransform, cost: Double)? {
    guard matches.count >= 4 else { return nil }
    var random = seed | 1
    func draw() -> Int {
      random = random &* 1_664_525 &+ 1_013_904_223
      return Int(random >> 8) % matches.count
    }
    var best: (pose: UprightTransform, cost: Double)?
    var least = Double(matches.count)
    let tolerance = sampleTolerance * sampleTolerance
    for _ in 0..<tries {
      let (i, j) = (draw(), draw())
      guard i != j else { continue }
      for pose in minimal(matches[i], matches[j]) {
        if let prior {
          guard abs(wrapToPi(pose.yaw - prior.pose.yaw)) < prior.yaw,
            (pose.translation - prior.pose.translation).length < prior.place
          else { continue }
        }
        let back = pose.inverse
        var cost = 0.0
        for match in matches {
          if let e = error(match, back, pose.translation) {
            cost += min(1, e.squared / (tolerance + e.variance))
          } else {
            cost += 1
          }
          if cost >= least { break }
        }
        if cost < least {
          least = cost
          best = (pose, cost)
        }
      }
    }
    return best
  }

  /// The pose that suits all matches near a first one.
  ///
  /// `nil` when there are fewer than eight, or when they do not fix it.
  @_optimize(speed)
  init?(_ matches: [Match], start: UprightTransform, tiltDeviation: Double) {
    var pose = start
    var off = Vector2(0, 0)
    var chosen: [Int] = []
    var information = NormalEquations<6>()
    for round in 0..<6 {
      let back = pose.inverse
      var equations = NormalEquations<6>()
      chosen.removeAll(keepingCapacity: true)
      let gate = round < 2 ? 9.0 : Self.mostDeviations * Self.mostDeviations
      for (index, match) in matches.enumerated() {
        let flat = back.turned(match.point - pose.translation)
        let lean = Vector3(off.x, off.y, 0)
        let d = flat + lean.cross(flat) - match.origin
        let length = d.length
        guard length > 0.05, d.dot(match.ray) > 0 else { continue }
        let shift = pose.translation - match.seenFrom
        let spread = match.rhoDeviation * match.rhoDeviation * min(4, shift.dot(shift))
        let slack = round < 2 ? Self.sampleTolerance : Self.directionDeviation
        let variance = slack * slack + spread
        // Two axes across the direction.
        let ray = match.ray
        let helper = abs(ray.z) < 0.7 ? Vector3(0, 0, 1) : Vector3(1, 0, 0)
        guard let u = ray.cross(helper).normalized else { continue }
        let v = ray.cross(u)
        let unit = d * (1 / length)
        let (x, y) = (unit.dot(u), unit.dot(v))
        let squared = (x * x + y * y) / variance
        guard squared < gate else { continue }
        chosen.append(index)
        // By the turn about the vertical (the map's against the view's), the place and the lean.
        let byYaw = Vector3(flat.y, -flat.x, 0)
        for (axis, residual) in [(u, x), (v, y)] {
          let a = (axis - unit * residual) * (1 / length)
          let turned = pose.turned(a)
          let lean = flat.cross(a)
          equations.add(
            [a.dot(byYaw), -turned.x, -turned.y, -turned.z, lean.x, lean.y],
            -residual,
            weight: 1 / variance / max(1, squared.squareRoot())
          )
        }
      }
      guard chosen.count >= 8 else { return nil }
      let weight = 1 / (tiltDeviation * tiltDeviation)
      equations.hold(4, weight: weight)
      equations.hold(5, weight: weight)
      equations.right[4] -= weight * off.x
      equations.right[5] -= weight * off.y
      guard let step = equations.solution() else { return nil }
      pose.yaw = wrapToPi(pose.yaw + step[0])
      pose.translation = pose.translation + Vector3(step[1], step[2], step[3])
      off = off + Vector2(step[4], step[5])
      information = equations
    }
    guard let covariance = information.covariance(), pose.isFinite else { return nil }
    (mapFromView, self.covariance, tilt, inliers) = (pose, covariance, off, chosen)
  }
}
