import SightlineMath

/// Looks for a view among key frames, some of them at a time, and tells where it was taken.
struct MapSearch {
  /// A place that was found.
  struct Found {
    /// The view that was looked for.
    var view: MapView
    /// The map from its axes.
    var pose: UprightTransform
    /// How uncertain that is against the key frame.
    var variance: MapVariance
    /// The key frame that shows most of it.
    var keyFrame: KeyFrame
    /// Points that agree.
    var inliers: Int
  }

  /// What a place has to be seen by to be believed.
  struct Demand {
    /// Points that have to agree.
    var inliers: Int
    /// In how many of sixteen parts of the picture they have to lie.
    var parts: Int
    /// Share of the points that should be seen.
    var share: Double
    /// Deviations of place, metres, and yaw, radians, that it may have: a wall straight ahead hardly tells one from the other.
    var (deviation, yawDeviation): (Double, Double)
    /// Where the place is known within what was gathered since.
    static let nearby = Demand(inliers: 16, parts: 5, share: 0.2, deviation: 0.1, yawDeviation: 0.06)
    /// After seconds by the motion sensors.
    static let lost = Demand(inliers: 20, parts: 6, share: 0.25, deviation: 0.1, yawDeviation: 0.05)
    /// Where nothing is known: right ones had 39 points in 7 parts and 44 % or more, wrong ones up to 26, 5 and 42 %; with deviations of
    /// 0.09 m and 2° one was 9° off.
    static let anywhere = Demand(inliers: 32, parts: 7, share: 0.35, deviation: 0.07, yawDeviation: 0.026)
  }

  /// Likeness below which a feature is not the same.
  private static let leastLikeness: Float = 0.78
  /// Key frames whose points are used together.
  private static let mostTogether = 6
  /// Matches with one key frame below which it is not believed to show the same.
  private static let fewestMatches = 6
  private static let tries = 400

  let view: MapView
  private let keyFrames: [KeyFrame]
  private var next = 0
  private var pairs: [[(point: Int, feature: Int)]] = []
  private var bestOfFeature: [(likeness: Float, pair: Int)]

  /// Work on a view.
  init(_ view: MapView, in keyFrames: [KeyFrame]) {
    self.view = view
    self.keyFrames = keyFrames
    bestOfFeature = [(likeness: Float, pair: Int)](repeating: (0, -1), count: view.count)
  }

  /// Whether all key frames have been compared.
  var isCompared: Bool { next >= keyFrames.count }

  /// Compares so many key frames with the view.
  mutating func compare(keyFrames count: Int) {
    let end = min(keyFrames.count, next + count)
    while next < end {
      pairs.append(match(keyFrames[next].view))
      next += 1
    }
  }

  @_optimize(speed)
  private mutating func match(_ old: MapView) -> [(point: Int, feature: Int)] {
    for i in bestOfFeature.indices { bestOfFeature[i] = (0, -1) }
    var found: [(point: Int, feature: Int)] = []
    for group in 0..<MapView.groups {
      for j in old.starts[group]..<old.starts[group + 1] where old.rho[j] > 0 {
        var (best, second, place): (Float, Float, Int) = (Self.leastLikeness, 0, -1)
        let size = old.sizes[j]
        view.forEachNear(group) { range in
          for k in range {
            let ratio = view.sizes[k] / size
            guard ratio > 0.4, ratio < 2.5 else { continue }
            let likeness = view.likeness(k, to: old, j)
            if likeness > best {
              second = place < 0 ? second : best
              (best, place) = (likeness, k)
            } else if likeness > second {
              second = likeness
            }
          }
        }
        // Distances of descriptors, squared: the best has to be clearly nearer than the next.
        guard place >= 0, 1 - best < 0.75 * (1 - second) else { continue }
        let before = bestOfFeature[place]
        if before.pair >= 0 {
          guard best > before.likeness else { continue }
          found[before.pair] = (j, place)
          bestOfFeature[place] = (best, before.pair)
        } else {
          bestOfFeature[place] = (best, found.count)
          found.append((j, place))
        }
      }
    }
    return found
  }

  private func match(_ keyFrame: KeyFrame, _ point: Int, _ feature: Int) -> UprightPose.Match {
    let (ray, origin) = (view.rays[feature], view.origins[feature])
    return UprightPose.Match(
      point: keyFrame.pose * keyFrame.view.point(point),
      ray: Vector3(Double(ray.x), Double(ray.y), Double(ray.z)),
      origin: Vector3(Double(origin.x), Double(origin.y), Double(origin.z)),
      seenFrom: keyFrame.pose.translation,
      rhoDeviation: Double(keyFrame.view.rhoDeviation[point]),
      place: view.places[feature]
    )
  }

  /// Where the view was taken, when that is sure.
  ///
  /// - Parameters:
  ///   - prior: pose that is expected, and the most its yaw, radians, and its place, metres, may be off; `nil` for none.
  ///   - tiltDeviation: how uncertain the upright is, radians.
  ///   - demand: what it has to be seen by.
  /// - Returns: `nil` when the view shows nothing of the map, or nothing sure.
  func solve(
    prior: (pose: UprightTransform, yaw: Double, place: Double)?,
    tiltDeviation: Double,
    demand: Demand
  ) -> Found? {
    guard let best = pairs.indices.max(by: { pairs[$0].count < pairs[$1].count }),
      pairs[best].count >= Self.fewestMatches
    else { return nil }
    let main = keyFrames[best]
    // Key frames that look at the same from near by.
    var group = [best]
    let others = pairs.indices.filter { index in
      index != best && pairs[index].count >= Self.fewestMatches
        && (keyFrames[index].pose.translation - main.pose.translation).length < 3
        && keyFrames[index].axis.dot(main.axis) > 0.3
    }
    for place in ascendingPlaces(others.map { -Double(pairs[$0].count) }).prefix(Self.mostTogether - 1) {
      group.append(others[place])
    }
    var matches: [UprightPose.Match] = []
    for index in group {
      for pair in pairs[index] where matches.count < 300 {
        matches.append(match(keyFrames[index], pair.point, pair.feature))
      }
    }
    guard
      let sample = UprightPose.sample(
        matches,
        tries: Self.tries,
        seed: UInt32(truncatingIfNeeded: main.number),
        prior: prior
      ),
      let first = UprightPose(matches, start: sample.pose, tiltDeviation: tiltDeviation)
    else { return nil }
    // With the pose known, more of what the key frames show is found again.
    let guided = group.map { guide(keyFrames[$0], first) }
    var expected = 0
    var all: [UprightPose.Match] = []
    var owners: [Int] = []
    for (place, index) in group.enumerated() {
      expected = max(expected, guided[place].visible)
      for pair in guided[place].pairs {
        all.append(match(keyFrames[index], pair.point, pair.feature))
        owners.append(index)
      }
    }
    guard let pose = UprightPose(all, start: first.mapFromView, tiltDeviation: tiltDeviation) else { return nil }
    // A feature that several key frames show counts once.
    var places: [SIMD2<Float>] = []
    var (parts, counts): (UInt32, [Int]) = (0, [Int](repeating: 0, count: keyFrames.count))
    for index in pose.inliers {
      let place = all[index].place
      counts[owners[index]] += 1
      if places.contains(where: { $0 == place }) { continue }
      places.append(place)
      let column = UInt32(max(0, min(3, place.x * 4))), row = UInt32(max(0, min(3, place.y * 4)))
      parts |= 1 << (row * 4 + column)
    }
    let tilt = pose.tilt.length
    guard places.count >= demand.inliers, parts.nonzeroBitCount >= demand.parts,
      Double(places.count) >= demand.share * Double(expected), tilt < 4 * tiltDeviation,
      let nearest = counts.indices.max(by: { counts[$0] < counts[$1] })
    else { return nil }
    var position = 0.0
    for i in 1...3 { position = max(position, pose.covariance[i][i]) }
    // Points that were found from the same frames share their errors.
    let found = Found(
      view: view,
      pose: pose.mapFromView,
      variance: MapVariance(position: 4 * position + 2.5e-4, yaw: 4 * pose.covariance[0][0] + 5e-5),
      keyFrame: keyFrames[nearest],
      inliers: places.count
    )
    let isSure =
      found.variance.position < demand.deviation * demand.deviation
      && found.variance.yaw < demand.yawDeviation * demand.yawDeviation
    return isSure ? found : nil
  }

  /// Features at the places where the points of a key frame should be seen, and how many of these are in the picture.
  @_optimize(speed)
  private func guide(_ keyFrame: KeyFrame, _ pose: UprightPose) -> (pairs: [(point: Int, feature: Int)], visible: Int) {
    let back = pose.mapFromView.inverse
    let lean = Vector3(pose.tilt.x, pose.tilt.y, 0)
    let old = keyFrame.view
    var result: [(point: Int, feature: Int)] = []
    var visible = 0
    let axis = view.axis
    var taken = [Bool](repeating: false, count: view.count)
    for group in 0..<MapView.groups {
      for j in old.starts[group]..<old.starts[group + 1] where old.rho[j] > 0 {
        let flat = back * (keyFrame.pose * old.point(j))
        guard let unit = (flat + lean.cross(flat)).normalized, unit.dot(axis) > 0.85 else { continue }
        visible += 1
        let expected = SIMD3(Float(unit.x), Float(unit.y), Float(unit.z))
        var (best, place): (Float, Int) = (Self.leastLikeness, -1)
        view.forEachNear(group) { range in
          for k in range where !taken[k] {
            let off = view.rays[k] - expected
            guard (off * off).sum() < 0.02 * 0.02 else { continue }
            let likeness = view.likeness(k, to: old, j)
            if likeness > best { (best, place) = (likeness, k) }
          }
        }
        guard place >= 0 else { continue }
        taken[place] = true
        result.append((j, place))
      }
    }
    return (result, visible)
  }
}
