import SightlineMath

/// Poses of key frames and what is known between them, solved a little in each frame.
///
/// Unknown are the yaw and the place of each key frame but the first; Gauss–Newton, the linear equations by conjugate gradients, some
/// iterations at a time.
/// Source: Qin, Li and Shen, VINS-Mono, IEEE TRO 34(4), 2018 (four degrees of freedom); Hestenes and Stiefel, Methods of Conjugate
/// Gradients for Solving Linear Systems, 1952.
struct PoseGraph {
  /// What is known of the pose of one key frame in the axes of another.
  struct Edge {
    /// Numbers of the key frames.
    var (from, to): (Int, Int)
    /// The first's axes from the second's.
    var pose: UprightTransform
    /// How uncertain that is.
    var variance: MapVariance
    /// Whether it was found by what both show, not by the way between them.
    var isLoop: Bool
  }

  /// Most of what is known; the oldest loops go then.
  private static let mostEdges = 400
  /// Rounds of Gauss–Newton.
  private static let rounds = 3
  /// By how much a loop may make all squared errors together larger, in their variances, before it is not believed any more.
  private static let mostError = 60.0

  private(set) var edges: [Edge] = []
  /// What is being solved: numbers of the nodes, their poses.
  private var numbers: [Int] = []
  private var poses: [UprightTransform] = []
  private var used: [(from: Int, to: Int, edge: Edge)] = []
  private var round = 0
  private var isLinear = false
  private var iteration = 0
  private var (x, r, z, p, a): ([Double], [Double], [Double], [Double], [Double]) = ([], [], [], [], [])
  private var diagonal: [Double] = []
  private var rz = 0.0
  /// Derivatives of each used edge: of its shift by the first's yaw, in the first's axes; and the first's turn back.
  private var byYaw: [Vector3] = []
  private var back: [UprightTransform] = []
  private var residuals: [(shift: Vector3, yaw: Double)] = []
  private(set) var isSolving = false
  /// All squared errors when it was last solved.
  private var settled = 0.0

  /// Adds what is known between two key frames.
  mutating func add(_ edge: Edge) {
    guard edge.pose.isFinite, edge.variance.position > 0, edge.variance.yaw > 0 else { return }
    insert(edge)
    isSolving = false
  }

  /// Of two that say the same kind of thing of the same key frames the surer one stays.
  private mutating func insert(_ edge: Edge) {
    let same = edges.firstIndex {
      $0.isLoop == edge.isLoop
        && ($0.from == edge.from && $0.to == edge.to || $0.from == edge.to && $0.to == edge.from)
    }
    if let same {
      if edge.variance.position < edges[same].variance.position { edges[same] = edge }
      return
    }
    if edges.count >= Self.mostEdges, let oldest = edges.firstIndex(where: { $0.isLoop }) { edges.remove(at: oldest) }
    edges.append(edge)
  }

  /// Takes a key frame out; what ties it to others ties these to its nearest neighbour on the way.
  mutating func remove(_ number: Int) {
    isSolving = false
    var own = edges.filter { $0.from == number || $0.to == number }
    guard !own.isEmpty else { return }
    edges.removeAll { $0.from == number || $0.to == number }
    // All are told from this key frame.
    for i in own.indices where own[i].to == number {
      own[i] = Edge(
        from: number,
        to: own[i].from,
        pose: own[i].pose.inverse,
        variance: own[i].variance,
        isLoop: own[i].isLoop
      )
    }
    guard
      let heir = own.min(by: { ($0.isLoop ? 1 : 0, $0.variance.position) < ($1.isLoop ? 1 : 0, $1.variance.position) })
    else { return }
    let toHeir = heir.pose.inverse
    for edge in own where edge.to != heir.to {
      let pose = toHeir * edge.pose
      // An error of yaw moves what is far away.
      let far = edge.pose.translation.dot(edge.pose.translation)
      var variance = heir.variance + edge.variance
      variance.position += heir.variance.yaw * far
      insert(Edge(from: heir.to, to: edge.to, pose: pose, variance: variance, isLoop: edge.isLoop || heir.isLoop))
    }
  }

  /// Begins to solve; the first of the key frames stays where it is.
  mutating func begin(_ keyFrames: [KeyFrame]) {
    numbers = keyFrames.map { $0.number }
    poses = keyFrames.map { $0.pose }
    used.removeAll(keepingCapacity: true)
    for edge in edges {
      guard let from = numbers.firstIndex(of: edge.from), let to = numbers.firstIndex(of: edge.to) else { continue }
      used.append((from, to, edge))
    }
    (round, isLinear, isSolving) = (0, false, numbers.count > 1 && !used.isEmpty)
  }

  /// Goes on with so many iterations; answers the poses when they are found.
  mutating func advance(iterations: Int) -> [UprightTransform]? {
    guard isSolving else { return nil }
    if !isLinear { linearize() }
    for _ in 0..<iterations {
      if iterate() { continue }
      apply()
      round += 1
      isLinear = false
      if round >= Self.rounds {
        isSolving = false
        return poses.allSatisfy { $0.isFinite } ? poses : nil
      }
      return nil
    }
    return nil
  }

  /// Takes out the last loop when the rest agrees much less since it is there.
  ///
  /// - Parameter keyFrames: with the poses that were found.
  /// - Returns: whether it was taken out; then it is to be solved again.
  mutating func dropContradiction(_ keyFrames: [KeyFrame]) -> Bool {
    var total = 0.0
    for edge in edges {
      guard let a = keyFrames.first(where: { $0.number == edge.from })?.pose,
        let b = keyFrames.first(where: { $0.number == edge.to })?.pose
      else { continue }
      let relative = a.inverse * b
      let shift = relative.translation - edge.pose.translation
      let yaw = wrapToPi(relative.yaw - edge.pose.yaw)
      total += shift.dot(shift) / edge.variance.position + yaw * yaw / edge.variance.yaw
    }
    guard total > settled + Self.mostError, let last = edges.lastIndex(where: { $0.isLoop }) else {
      settled = total
      return false
    }
    edges.remove(at: last)
    return true
  }

  private mutating func linearize() {
    let n = 4 * poses.count
    x = [Double](repeating: 0, count: n)
    r = x
    diagonal = x
    byYaw.removeAll(keepingCapacity: true)
    back.removeAll(keepingCapacity: true)
    residuals.removeAll(keepingCapacity: true)
    for (from, to, edge) in used {
      let way = poses[from].inverse * poses[to]
      byYaw.append(Vector3(way.translation.y, -way.translation.x, 0))
      back.append(UprightTransform(yaw: poses[from].yaw, translation: .zero))
      residuals.append((edge.pose.translation - way.translation, wrapToPi(edge.pose.yaw - way.yaw)))
    }
    for index in used.indices {
      let (shift, yaw) = residuals[index]
      addTransposed(index, shift, yaw, to: &r)
      let (from, to, edge) = used[index]
      let (w, v) = (1 / edge.variance.position, 1 / edge.variance.yaw)
      diagonal[4 * from] += w * byYaw[index].dot(byYaw[index]) + v
      diagonal[4 * to] += v
      for i in 1...3 {
        diagonal[4 * from + i] += w
        diagonal[4 * to + i] += w
      }
    }
    for i in 0..<4 { r[i] = 0 }
    z = r
    for i in 4..<n { z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0 }
    p = z
    rz = zip(r, z).reduce(0) { $0 + $1.0 * $1.1 }
    (iteration, isLinear) = (0, true)
  }

  /// Jᵀ W of an edge's residual.
  private func addTransposed(_ index: Int, _ shift: Vector3, _ yaw: Double, to sum: inout [Double]) {
    let (from, to, edge) = used[index]
    let (w, v) = (1 / edge.variance.position, yaw / edge.variance.yaw)
    let turned = back[index].turned(shift) * w
    sum[4 * from] += w * byYaw[index].dot(shift) - v
    sum[4 * to] += v
    for i in 0..<3 {
      sum[4 * from + 1 + i] -= turned[i]
      sum[4 * to + 1 + i] += turned[i]
    }
  }

  /// One step of conjugate gradients; answers whether more are wanted.
  private mutating func iterate() -> Bool {
    let n = 4 * poses.count
    guard iteration < 2 * n, rz > 1e-12 else { return false }
    a = [Double](repeating: 0, count: n)
    for index in used.indices {
      let (from, to, _) = used[index]
      let difference = Vector3(
        p[4 * to + 1] - p[4 * from + 1],
        p[4 * to + 2] - p[4 * from + 2],
        p[4 * to + 3] - p[4 * from + 3]
      )
      let turnBack = UprightTransform(yaw: -back[index].yaw, translation: .zero)
      let shift = turnBack.turned(difference) + byYaw[index] * p[4 * from]
      addTransposed(index, shift, p[4 * to] - p[4 * from], to: &a)
    }
    for i in 0..<4 { a[i] = 0 }
    let bend = zip(p, a).reduce(0) { $0 + $1.0 * $1.1 }
    guard bend > 1e-18, bend.isFinite else { return false }
    let alpha = rz / bend
    for i in 4..<n {
      x[i] += alpha * p[i]
      r[i] -= alpha * a[i]
      z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0
    }
    let next = zip(r, z).reduce(0) { $0 + $1.0 * $1.1 }
    let beta = next / rz
    rz = next
    for i in 4..<n { p[i] = z[i] + beta * p[i] }
    iteration += 1
    return true
  }

  private mutating func apply() {
    for i in poses.indices {
      poses[i].yaw = wrapToPi(poses[i].yaw + x[4 * i])
      poses[i].translation = poses[i].translation + Vector3(x[4 * i + 1], x[4 * i + 2], x[4 * i + 3])
    }
  }
}
