import SightlineCamera
import SightlineMath

/// A target that was found in a frame.
struct Detection {
  var target: Int
  var alignment: Alignment
  /// Correlation of its thumbnail; −1 when that was not asked.
  var fit = -1.0

  init(target: Int, alignment: Alignment, fit: Double) {
    (self.target, self.alignment, self.fit) = (target, alignment, fit)
  }

  /// What a hypothesis says, not looked at yet.
  init(_ candidate: Candidate) {
    (target, alignment) = (
      candidate.target, Alignment(frameFromReference: candidate.hypothesis.frameFromReference)
    )
  }
}

/// What a search found in a frame, with non-maximum suppression: of competing detections, those in one place, the one
/// that explains more of the frame
/// stays; and what it nearly found.
struct DetectionSet {
  /// When detections compete, and when one settles a place.
  struct Parameters {
    /// Share of the smaller one inside the other from which on two are in one place.
    var overlap = 0.33
    /// Score from which on others in the place of a detection need not be looked at.
    var clearScore = 3.8
    /// By how much less than a detection's a thumbnail may correlate in its place to be aligned still: where that is
    /// clear, and where it is not; and
    /// least correlation anywhere beside one.
    var thumbnailSlack = (clear: 0.08, unclear: 0.25)
    var leastFitBeside = 0.5
    /// Inlier ratio from which on a target that was found is not looked for again.
    var sureRatio = 0.85
    /// Least inlier ratio of a deferred detection that casts a doubt on what lies in the same place.
    var competingRatio = 0.45
    /// By how much the score of a deferred detection may fall short when nothing competes with it: when more than
    /// `wholeRatio` of it agrees, and when
    /// less does.
    var slack = (whole: 0.8, part: 0.4)
    var wholeRatio = 0.9
    /// A rejected hypothesis is not aligned again within so many pixels of its corners and with so many more match
    /// inliers.
    var rejectedReach = 2.0
    var rejectedInliers = 4
  }

  let parameters: Parameters
  private let models: [TargetModel]
  private let hasMany: Bool
  /// What was found.
  private(set) var found: [Detection] = []
  /// Candidates that the frame did not agree with.
  private var rejected: [Candidate] = []
  /// What was aligned and not believed, with what it lacks.
  private var deferred: [(detection: Detection, margin: Double)] = []

  init(models: [TargetModel], hasMany: Bool, parameters: Parameters = Parameters()) {
    (self.models, self.hasMany, self.parameters) = (models, hasMany, parameters)
  }

  /// Forgets all.
  mutating func removeAll() {
    found.removeAll(keepingCapacity: true)
    rejected.removeAll(keepingCapacity: true)
    deferred.removeAll(keepingCapacity: true)
  }

  var isEmpty: Bool { found.isEmpty }
  /// Whether something was found beyond doubt.
  var isClear: Bool { found.contains { $0.alignment.score > parameters.clearScore } }

  /// Adds a detection; of competing ones only that which more speaks for stays, of one target only the better.
  ///
  /// Posters share pictures, and what is shown agrees with all of the right one and with a part of the other.
  mutating func insert(_ detection: Detection) {
    let isBeaten = found.contains { competes($0, detection) && !isBetter(detection, than: $0) }
    guard !isBeaten else { return }
    found = found.filter { !competes($0, detection) }
    found.append(detection)
  }

  /// Notes a candidate that was not believed, with what a ``Verifier`` said of its alignment.
  mutating func reject(_ candidate: Candidate, _ alignment: Alignment?, _ result: VerificationResult) {
    if models.count > 1 { rejected.append(candidate) }
    guard hasMany, case .deferred(let score, let margin) = result, var alignment,
      alignment.inlierRatio > parameters.competingRatio
    else { return }
    alignment.score = score
    deferred.append((Detection(target: candidate.target, alignment: alignment, fit: candidate.fit), margin))
  }

  /// Among many targets, when nothing was found: believes the near miss that lacks the least, if no other target
  /// competes with it.
  ///
  /// Most of what is wanted among many stands for pictures that share a part. Where a photograph is shared, others that
  /// have it agree there
  /// too, and were looked at; where none does, chance is all there is to fear.
  mutating func acceptDeferred() {
    guard found.isEmpty, hasMany else { return }
    var best: (detection: Detection, margin: Double)?
    for near in deferred where near.detection.alignment.matchInliers > 0 && near.margin > (best?.margin ?? -.infinity) {
      let isWhole = near.detection.alignment.inlierRatio > parameters.wholeRatio
      guard near.margin > -(isWhole ? parameters.slack.whole : parameters.slack.part) else { continue }
      let isAlone = !deferred.contains {
        $0.detection.target != near.detection.target && competes($0.detection, near.detection)
      }
      if isAlone { best = near }
    }
    if let best { found.append(best.detection) }
  }

  /// Whether a target was found so surely that it need not be looked for again.
  func isSure(_ target: Int) -> Bool {
    guard let known = found.first(where: { $0.target == target }) else { return false }
    return known.alignment.inlierRatio > parameters.sureRatio
  }

  /// Whether a hypothesis at about the same place, with as many matches behind it, was aligned in vain.
  func isRejected(_ candidate: Candidate) -> Bool {
    let extent = models[candidate.target].extent
    let (width, height) = (Double(extent.x), Double(extent.y))
    let hypothesis = candidate.hypothesis
    return rejected.contains { other in
      guard other.target == candidate.target,
        hypothesis.matchInliers <= other.hypothesis.matchInliers + parameters.rejectedInliers,
        hypothesis.matchInliers == 0 || other.hypothesis.matchInliers > 0,
        let p = hypothesis.frameFromReference.corners(width: width, height: height),
        let q = other.hypothesis.frameFromReference.corners(width: width, height: height)
      else { return false }
      var apart = 0.0
      for i in 0..<4 { apart = max(apart, (p[i] - q[i]).length) }
      return apart < parameters.rejectedReach
    }
  }

  /// Whether a candidate need not be aligned beside what was found: not where that lies, if its thumbnail fits clearly
  /// worse, and not elsewhere, if
  /// that fits badly.
  func isHopeless(_ candidate: Candidate) -> Bool {
    guard !found.isEmpty else { return false }
    if candidate.fit < parameters.leastFitBeside { return true }
    let other = Detection(candidate)
    return found.contains {
      let isClear = $0.alignment.score > parameters.clearScore
      let slack = isClear ? parameters.thumbnailSlack.clear : parameters.thumbnailSlack.unclear
      return candidate.fit < $0.fit - slack && competes($0, other)
    }
  }

  /// Whether something that can be nothing else was found at a place.
  func isTaken(_ p: SIMD2<Float>) -> Bool {
    for detection in found where detection.alignment.score > parameters.clearScore {
      let extent = models[detection.target].extent
      guard let back = detection.alignment.frameFromReference.inverse,
        let q = back(Vector2(Double(p.x), Double(p.y)))
      else { continue }
      if q.x > 0, q.y > 0, q.x < Double(extent.x), q.y < Double(extent.y) { return true }
    }
    return false
  }

  /// Whether something was found where a candidate is.
  func isTaken(_ candidate: Candidate) -> Bool {
    let other = Detection(candidate)
    return found.contains { competes($0, other) }
  }

  /// Whether two detections are of one target, or in one place.
  private func competes(_ a: Detection, _ b: Detection) -> Bool {
    if a.target == b.target { return true }
    return share(of: a, in: b) > parameters.overlap || share(of: b, in: a) > parameters.overlap
  }

  /// Whether more of the frame speaks for one detection than for another in its place.
  ///
  /// A poster that shows a part of what another shows agrees wholly there; the right one agrees wholly on more.
  private func isBetter(_ a: Detection, than b: Detection) -> Bool {
    if a.target == b.target {
      return (a.alignment.score, a.alignment.inlierRatio) > (b.alignment.score, b.alignment.inlierRatio)
    }
    return (explained(a), a.alignment.score) > (explained(b), b.alignment.score)
  }

  /// How many pixels of the frame agree with a detection, less those that do not.
  private func explained(_ detection: Detection) -> Double {
    let extent = models[detection.target].extent
    let map = detection.alignment.frameFromReference
    guard let corners = map.corners(width: Double(extent.x), height: Double(extent.y)) else { return 0 }
    return doubleArea(corners) * (detection.alignment.inlierRatio - 0.5)
  }

  /// How much of one detection lies inside another, 0 … 1, by 8 × 8 places.
  private func share(of a: Detection, in b: Detection) -> Double {
    let (from, into) = (models[a.target].extent, models[b.target].extent)
    guard let back = b.alignment.frameFromReference.inverse else { return 0 }
    let map = back * a.alignment.frameFromReference
    var inside = 0
    for i in 0..<64 {
      let p = Vector2(Double(from.x) * (Double(i & 7) + 0.5) / 8, Double(from.y) * (Double(i >> 3) + 0.5) / 8)
      guard let q = map(p) else { continue }
      if q.x > 0, q.y > 0, q.x < Double(into.x), q.y < Double(into.y) { inside += 1 }
    }
    return Double(inside) / 64
  }
}
