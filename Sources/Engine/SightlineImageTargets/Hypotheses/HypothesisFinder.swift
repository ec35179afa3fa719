import SightlineCamera
import SightlineImaging
import SightlineMath

/// A hypothesis where a target is, from matches that agree about it.
struct Hypothesis {
  /// From the reference's pixels to the frame's.
  var frameFromReference: Homography
  /// Matches that agree with it, each feature counted once.
  var matchInliers: Int
  /// The sum of their weights.
  var weight: Float
}

/// Finds the hypotheses that the most matches agree on.
///
/// Each match alone says where the target is, how large and which way it is turned. Matches that say about the same
/// are gathered around the best ones, and a homography is fitted to them as far as they fix one.
struct HypothesisFinder {
  /// A match with all that comparing it with others needs.
  private struct Item {
    var frame: SIMD2<Float>
    var target: SIMD2<Float>
    /// Sizes and directions in the frame over and less those in the target.
    var ratio: Float
    var turn: Float
    var size: Float
    var weight: Float
    var consensus: Float
    var frameIndex: Int32
    var targetIndex: Int32
  }

  /// Where a match comes in the order of all; all matches are believed more than nothing, so that their weights' bits
  /// are in order.
  private struct Rank {
    var number: UInt64
    var index: Int
  }

  private var items: [Item] = []
  private var order: [Rank] = []
  private var members: [Int] = []
  private var usedFrame: [Int32] = []
  private var usedTarget: [Int32] = []
  private var stamp: Int32 = 0
  private var chosen: [Int] = []
  private var consensuses: [Float] = []
  /// The items' numbers once more, by kind.
  private var columns = MatchColumns(room: 256)
  /// How many matches were compared with one that hypotheses are made around, and how many were fitted to, for the last
  /// call.
  private(set) var compared = 0
  private(set) var fittedTo = 0

  init() {}

  /// The best hypotheses, best first, at most `limit`.
  ///
  /// Places of the frame's features and of the target's are those that the matches' indices mean; `extent` is the size
  /// of
  /// the target's reference, pixels.
  mutating func find(
    _ matches: [Match],
    frame: UnsafePointer<Keypoint>,
    frameCount: Int,
    target: UnsafePointer<Keypoint>,
    targetCount: Int,
    extent: SIMD2<Float>,
    limit: Int,
    into result: inout [Hypothesis]
  ) {
    result.removeAll(keepingCapacity: true)
    (compared, fittedTo) = (0, 0)
    guard matches.count >= 3 else { return }
    load(matches, frame, target)
    if usedFrame.count < frameCount { usedFrame = [Int32](repeating: 0, count: frameCount) }
    if usedTarget.count < targetCount { usedTarget = [Int32](repeating: 0, count: targetCount) }
    var seeds: [(weight: Float, seed: Int)] = []
    // The clearest matches, and those in the best consensus however unclear.
    chosen.removeAll(keepingCapacity: true)
    chosen.append(contentsOf: 0..<min(Self.clearest, items.count))
    let least = consensus(rank: Self.clearest)
    for i in items.indices.dropFirst(Self.clearest) where items[i].consensus > least && chosen.count < 2 * Self.clearest
    {
      chosen.append(i)
    }
    for seed in chosen {
      let weight = gather(seed: seed)
      if members.count >= 3 { seeds.append((weight, seed)) }
    }
    seeds.sortStably { ($0.weight, $1.seed) > ($1.weight, $0.seed) }
    for (_, seed) in seeds.prefix(4 * limit) {
      guard result.count < limit else { break }
      _ = gather(seed: seed)
      guard let hypothesis = fitted() else { continue }
      let isNew = result.allSatisfy { !isNear($0.frameFromReference, hypothesis.frameFromReference, extent) }
      if isNew { result.append(hypothesis) }
    }
    result.sortStably { $0.weight > $1.weight }
  }

  /// How many of the clearest matches are tried.
  private static let clearest = 30

  private mutating func load(
    _ matches: [Match],
    _ frame: UnsafePointer<Keypoint>,
    _ target: UnsafePointer<Keypoint>
  ) {
    items.removeAll(keepingCapacity: true)
    // The clearest first, of those that are as clear the one whose feature of the frame, then of the target, comes
    // first: as one number.
    order.removeAll(keepingCapacity: true)
    for (i, match) in matches.enumerated() {
      let pair = UInt32(truncatingIfNeeded: match.frame &<< 16 | match.target)
      order.append(Rank(number: UInt64(match.weight.bitPattern) << 32 | UInt64(~pair), index: i))
    }
    order.sortStably { $0.number > $1.number || $0.number == $1.number && $0.index < $1.index }
    for rank in order {
      let match = matches[rank.index]
      let (f, t) = (frame[match.frame], target[match.target])
      items.append(
        Item(
          frame: f.position,
          target: t.position,
          ratio: f.size / t.size,
          turn: Self.wrapped(f.direction - t.direction),
          size: f.size,
          weight: match.weight,
          consensus: match.consensus,
          frameIndex: Int32(truncatingIfNeeded: match.frame),
          targetIndex: Int32(truncatingIfNeeded: match.target)
        )
      )
    }
    if columns.room < items.count { columns = MatchColumns(room: 2 * items.count) }
    columns.count = items.count
    for (i, item) in items.enumerated() {
      columns.set(i, frame: item.frame, target: item.target, ratio: item.ratio, turn: item.turn, size: item.size)
    }
  }

  @inline(__always)
  private static func wrapped(_ angle: Float) -> Float {
    angle > .pi ? angle - 2 * .pi : angle < -.pi ? angle + 2 * .pi : angle
  }

  /// The consensus of the match that has so many in better consensus.
  private mutating func consensus(rank: Int) -> Float {
    consensuses.removeAll(keepingCapacity: true)
    for item in items { consensuses.append(item.consensus) }
    consensuses.sortStably(by: >)
    return consensuses.count > rank ? consensuses[rank] : 0
  }

  private func isNear(_ a: Homography, _ b: Homography, _ extent: SIMD2<Float>) -> Bool {
    let (w, h) = (Double(extent.x), Double(extent.y))
    for p in [Vector2(0.25 * w, 0.25 * h), Vector2(0.75 * w, 0.5 * h), Vector2(0.4 * w, 0.8 * h)] {
      guard let u = a(p), let v = b(p), (u - v).length < 6 else { return false }
    }
    return true
  }

  /// Gathers what agrees with a match; answers its weight.
  private mutating func gather(seed: Int) -> Float {
    members.removeAll(keepingCapacity: true)
    stamp += 1
    compared += items.count
    let s0 = items[seed]
    let near = columns.agreeing(frame: s0.frame, target: s0.target, ratio: s0.ratio, turn: s0.turn)
    var weight: Float = 0
    items.withUnsafeBufferPointer { items in
      for k in 0..<near {
        let i = Int(columns.found.base[k])
        let (f, t) = (Int(items[i].frameIndex), Int(items[i].targetIndex))
        guard usedFrame[f] != stamp, usedTarget[t] != stamp else { continue }
        usedFrame[f] = stamp
        usedTarget[t] = stamp
        members.append(i)
        weight += items[i].weight
      }
    }
    return weight
  }

  /// Fits a map to the gathered matches, gathering again as it becomes surer.
  private mutating func fitted() -> Hypothesis? {
    guard var map = similarity() else { return nil }
    for round in 0..<5 {
      // An affine map from five, a homography from nine; until then a similarity that may lean a little.
      let shape = members.count >= 5 ? 10.0 : 0.08
      let perspective = members.count >= 9 && round >= 2 ? 0.5 : 0.01
      guard let better = refined(map, shape: shape, perspective: perspective) else {
        return nil
      }
      map = better
      regather(map, tolerance: round < 2 ? 12 : round < 4 ? 6 : 4)
      guard members.count >= 3 else { return nil }
    }
    var weight: Float = 0
    for i in members { weight += items[i].weight }
    return Hypothesis(frameFromReference: map, matchInliers: members.count, weight: weight)
  }

  private mutating func regather(_ map: Homography, tolerance: Double) {
    members.removeAll(keepingCapacity: true)
    stamp += 1
    compared += items.count
    let near = columns.near(map, tolerance: tolerance)
    for k in 0..<near {
      let i = Int(columns.found.base[k])
      let m = items[i]
      let (f, t) = (Int(m.frameIndex), Int(m.targetIndex))
      guard usedFrame[f] != stamp, usedTarget[t] != stamp else { continue }
      guard let p = map(Vector2(m.target)) else { continue }
      // A large feature is less exactly placed.
      guard (p - Vector2(m.frame)).length < tolerance * max(1, Double(m.size) / 2.5) else { continue }
      usedFrame[f] = stamp
      usedTarget[t] = stamp
      members.append(i)
    }
  }

  /// Turn, scale and shift that fit the members best.
  private func similarity() -> Homography? {
    var (weight, f, t) = (0.0, Vector2.zero, Vector2.zero)
    for i in members {
      let w = Double(items[i].weight)
      weight += w
      f = f + Vector2(items[i].frame) * w
      t = t + Vector2(items[i].target) * w
    }
    guard weight > 0 else { return nil }
    (f, t) = (f * (1 / weight), t * (1 / weight))
    var (a, b, square) = (0.0, 0.0, 1e-9)
    for i in members {
      let w = Double(items[i].weight)
      let p = Vector2(items[i].frame) - f
      let q = Vector2(items[i].target) - t
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
  private mutating func refined(
    _ map: Homography,
    shape: Double,
    perspective: Double
  ) -> Homography? {
    fittedTo += members.count
    var (center, count) = (Vector2.zero, 0.0)
    for i in members {
      center = center + Vector2(items[i].frame)
      count += 1
    }
    center = center * (1 / count)
    var size = 1.0
    for i in members {
      size += (Vector2(items[i].frame) - center).length / count
    }
    var equations = NormalEquations()
    for i in members {
      guard let p = map(Vector2(items[i].target)) else { continue }
      let e = Vector2(items[i].frame) - p
      // A large error counts less (Geman and McClure with 3 pixels).
      let scale = 3.0 * max(1, Double(items[i].size) / 2.5)
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

extension Vector2 {
  fileprivate init(_ v: SIMD2<Float>) { self.init(Double(v.x), Double(v.y)) }
}
