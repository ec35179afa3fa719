import SightlineCamera
import SightlineMath

/// A guess where a target is, from matches that agree about it.
struct Hypothesis {
  /// From the reference's pixels to the frame's.
  var frameFromReference: Homography
  /// Matches that agree with it, each feature counted once.
  var support: Int
  /// The sum of their weights.
  var weight: Float
}

/// Finds the guesses that the most matches agree on.
///
/// Each match alone says where the target is, how large and which way it is turned. Matches that say about the same
/// are gathered around the best ones, and a homography is fitted to them as far as they fix one.
struct HypothesisFinder {
  private var order: [Int] = []
  private var members: [Int] = []
  private var usedFrame: [Int32] = []
  private var usedTarget: [Int32] = []
  private var stamp: Int32 = 0
  private var chosen: [Int] = []
  private var companies: [Float] = []

  init() {}

  /// The best guesses, best first, at most `limit`.
  mutating func find(
    _ matches: [Match],
    frame: [Feature],
    target: [Feature],
    limit: Int,
    into result: inout [Hypothesis]
  ) {
    result.removeAll(keepingCapacity: true)
    guard matches.count >= 3 else { return }
    order = Array(matches.indices)
    order.sort { (matches[$0].weight, $1) > (matches[$1].weight, $0) }
    if usedFrame.count < frame.count { usedFrame = [Int32](repeating: 0, count: frame.count) }
    if usedTarget.count < target.count { usedTarget = [Int32](repeating: 0, count: target.count) }
    var seeds: [(weight: Float, seed: Int)] = []
    // The clearest matches, and those in the best company however unclear.
    chosen.removeAll(keepingCapacity: true)
    chosen.append(contentsOf: order.prefix(40))
    let least = company(matches, rank: 30)
    for i in order.dropFirst(40) where matches[i].company > least && chosen.count < 80 { chosen.append(i) }
    for seed in chosen {
      let weight = gather(matches, frame, target, seed: seed)
      if members.count >= 3 { seeds.append((weight, seed)) }
    }
    seeds.sort { ($0.weight, $1.seed) > ($1.weight, $0.seed) }
    for (_, seed) in seeds.prefix(4 * limit) {
      guard result.count < limit else { break }
      _ = gather(matches, frame, target, seed: seed)
      guard let guess = fitted(matches, frame, target) else { continue }
      let isNew = result.allSatisfy { !isNear($0.frameFromReference, guess.frameFromReference, target) }
      if isNew { result.append(guess) }
    }
    result.sort { $0.weight > $1.weight }
  }

  /// The company of the match that has so many in better company.
  private mutating func company(_ matches: [Match], rank: Int) -> Float {
    companies.removeAll(keepingCapacity: true)
    for match in matches { companies.append(match.company) }
    companies.sort(by: >)
    return companies.count > rank ? companies[rank] : 0
  }

  private func isNear(_ a: Homography, _ b: Homography, _ target: [Feature]) -> Bool {
    for i in [0, target.count / 2, target.count - 1] {
      let p = Vector2(Double(target[i].x), Double(target[i].y))
      guard let u = a(p), let v = b(p), (u - v).length < 6 else { return false }
    }
    return true
  }

  /// Gathers what agrees with a match; answers its weight.
  private mutating func gather(_ matches: [Match], _ frame: [Feature], _ target: [Feature], seed: Int) -> Float {
    members.removeAll(keepingCapacity: true)
    stamp += 1
    let (f0, t0) = (frame[matches[seed].frame], target[matches[seed].target])
    let scale = f0.scale / t0.scale
    let turn = f0.angle - t0.angle
    let (c, s) = (Float(cos(Double(turn))) * scale, Float(sin(Double(turn))) * scale)
    var weight: Float = 0
    for i in order {
      let m = matches[i]
      guard usedFrame[m.frame] != stamp, usedTarget[m.target] != stamp else { continue }
      let (f, t) = (frame[m.frame], target[m.target])
      let ratio = f.scale / (t.scale * scale)
      guard ratio > 0.55, ratio < 1.8 else { continue }
      var twist = f.angle - t.angle - turn
      if twist > .pi { twist -= 2 * .pi } else if twist < -.pi { twist += 2 * .pi }
      if twist > .pi { twist -= 2 * .pi } else if twist < -.pi { twist += 2 * .pi }
      guard abs(twist) < 0.6 else { continue }
      let (dx, dy) = (t.x - t0.x, t.y - t0.y)
      let ex = f0.x + c * dx - s * dy - f.x
      let ey = f0.y + s * dx + c * dy - f.y
      let tolerance = 4 + 0.3 * scale * (dx * dx + dy * dy).squareRoot()
      guard ex * ex + ey * ey < tolerance * tolerance else { continue }
      usedFrame[m.frame] = stamp
      usedTarget[m.target] = stamp
      members.append(i)
      weight += m.weight
    }
    return weight
  }

  /// Fits a map to the gathered matches, gathering again as it becomes surer.
  private mutating func fitted(_ matches: [Match], _ frame: [Feature], _ target: [Feature]) -> Hypothesis? {
    guard var map = similarity(matches, frame, target) else { return nil }
    for round in 0..<5 {
      // An affine map from five, a homography from nine; until then a similarity that may lean a little.
      let shape = members.count >= 5 ? 10.0 : 0.08
      let perspective = members.count >= 9 && round >= 2 ? 0.5 : 0.01
      guard let better = refined(map, matches, frame, target, shape: shape, perspective: perspective) else {
        return nil
      }
      map = better
      regather(map, matches, frame, target, tolerance: round < 2 ? 12 : round < 4 ? 6 : 4)
      guard members.count >= 3 else { return nil }
    }
    var weight: Float = 0
    for i in members { weight += matches[i].weight }
    return Hypothesis(frameFromReference: map, support: members.count, weight: weight)
  }

  private mutating func regather(
    _ map: Homography,
    _ matches: [Match],
    _ frame: [Feature],
    _ target: [Feature],
    tolerance: Double
  ) {
    members.removeAll(keepingCapacity: true)
    stamp += 1
    for i in order {
      let m = matches[i]
      guard usedFrame[m.frame] != stamp, usedTarget[m.target] != stamp else { continue }
      guard let p = map(Vector2(Double(target[m.target].x), Double(target[m.target].y))) else { continue }
      let f = frame[m.frame]
      let error = (p - Vector2(Double(f.x), Double(f.y))).length
      // A large feature is less exactly placed.
      guard error < tolerance * max(1, Double(f.scale) / 2.5) else { continue }
      usedFrame[m.frame] = stamp
      usedTarget[m.target] = stamp
      members.append(i)
    }
  }

  /// Turn, scale and shift that fit the members best.
  private func similarity(_ matches: [Match], _ frame: [Feature], _ target: [Feature]) -> Homography? {
    var (weight, f, t) = (0.0, Vector2.zero, Vector2.zero)
    for i in members {
      let w = Double(matches[i].weight)
      weight += w
      f = f + Vector2(Double(frame[matches[i].frame].x), Double(frame[matches[i].frame].y)) * w
      t = t + Vector2(Double(target[matches[i].target].x), Double(target[matches[i].target].y)) * w
    }
    guard weight > 0 else { return nil }
    (f, t) = (f * (1 / weight), t * (1 / weight))
    var (a, b, square) = (0.0, 0.0, 1e-9)
    for i in members {
      let w = Double(matches[i].weight)
      let p = Vector2(Double(frame[matches[i].frame].x), Double(frame[matches[i].frame].y)) - f
      let q = Vector2(Double(target[matches[i].target].x), Double(target[matches[i].target].y)) - t
      a += w * (q.x * p.x + q.y * p.y)
      b += w * (q.x * p.y - q.y * p.x)
      square += w * q.dot(q)
    }
    (a, b) = (a / square, b / square)
    guard a * a + b * b > 1e-6 else { return nil }
    return Homography(
      Matrix3(
        rows: Vector3(a, -b, f.x - a * t.x + b * t.y),
        Vector3(b, a, f.y - b * t.x - a * t.y),
        Vector3(0, 0, 1)
      )
    )
  }

  /// A Gauss-Newton step of the map towards the members, with what they do not fix held back.
  private func refined(
    _ map: Homography,
    _ matches: [Match],
    _ frame: [Feature],
    _ target: [Feature],
    shape: Double,
    perspective: Double
  ) -> Homography? {
    var (center, count) = (Vector2.zero, 0.0)
    for i in members {
      center = center + Vector2(Double(frame[matches[i].frame].x), Double(frame[matches[i].frame].y))
      count += 1
    }
    center = center * (1 / count)
    var size = 1.0
    for i in members {
      let f = frame[matches[i].frame]
      size += (Vector2(Double(f.x), Double(f.y)) - center).length / count
    }
    var equations = NormalEquations()
    for i in members {
      let (f, t) = (frame[matches[i].frame], target[matches[i].target])
      guard let p = map(Vector2(Double(t.x), Double(t.y))) else { continue }
      let e = Vector2(Double(f.x), Double(f.y)) - p
      // A large error counts less (Geman and McClure with 3 pixels).
      let scale = 3.0 * max(1, Double(f.scale) / 2.5)
      let robust = 1 / (1 + e.dot(e) / (scale * scale))
      let information = robust * robust * size * size / (scale * scale)
      equations.add(
        x: (p.x - center.x) / size,
        y: (p.y - center.y) / size,
        xx: information,
        xy: 0,
        yy: information,
        bx: information * e.x / size,
        by: information * e.y / size
      )
    }
    for i in 0..<8 where i != 2 && i != 5 {
      let deviation = i >= 6 ? perspective : shape
      equations.addPrior(i, value: 0, information: 1 / (deviation * deviation))
    }
    guard let d = equations.solve() else { return nil }
    let step = Homography(
      Matrix3(rows: Vector3(1 + d[0], d[1], d[2]), Vector3(d[3], 1 + d[4], d[5]), Vector3(d[6], d[7], 1))
    )
    let normal = Homography(
      Matrix3(rows: Vector3(1 / size, 0, -center.x / size), Vector3(0, 1 / size, -center.y / size), Vector3(0, 0, 1))
    )
    let back = Homography(Matrix3(rows: Vector3(size, 0, center.x), Vector3(0, size, center.y), Vector3(0, 0, 1)))
    let result = (back * (step * (normal * map))).scaled
    return result.isFinite ? result : nil
  }
}
