import SightlineCamera
import SightlineMath

extension TargetDetector {
  /// Whether a hypothesis at about the same place, with as many features behind it, was aligned in vain.
  func isRefused(_ target: Int, _ hypothesis: Hypothesis) -> Bool {
    let extent = models[target].extent
    let (width, height) = (Double(extent.x), Double(extent.y))
    return refused.contains { other in
      guard other.target == target, hypothesis.matchInliers <= other.hypothesis.matchInliers + 4,
        hypothesis.matchInliers == 0 || other.hypothesis.matchInliers > 0,
        let p = hypothesis.frameFromReference.corners(width: width, height: height),
        let q = other.hypothesis.frameFromReference.corners(width: width, height: height)
      else { return false }
      var apart = 0.0
      for i in 0..<4 { apart = max(apart, (p[i] - q[i]).length) }
      return apart < 2
    }
  }

  /// Whether a hypothesis need not be aligned beside what was found: not where that lies, if its small picture fits clearly worse, and
  /// not elsewhere, if that fits badly.
  func isHopeless(_ target: Int, _ hypothesis: Hypothesis, _ fit: Double) -> Bool {
    guard !found.isEmpty else { return false }
    if fit < 0.5 { return true }
    let other = Detection(target: target, hypothesis: hypothesis)
    return found.contains {
      fit < $0.fit - ($0.alignment.score > Self.clear ? 0.08 : 0.25) && isRival($0, other)
    }
  }

  /// Adds a detection; of two in the same place only the one that more speaks for stays, of one target only the better.
  ///
  /// Places are the same when a third of the smaller one lies inside the other: posters share pictures, and what is shown
  /// agrees with all of the right one and with a part of the other.
  func keep(_ detection: Detection, _ detections: inout [Detection]) {
    let isBeaten = detections.contains {
      isRival($0, detection) && !isBetter(detection, $0)
    }
    guard !isBeaten else { return }
    detections.removeAll { isRival($0, detection) }
    detections.append(detection)
  }

  /// Whether more of the frame speaks for one detection than for another in its place.
  ///
  /// A poster that shows a part of what another shows agrees wholly there; the right one agrees wholly on more.
  private func isBetter(_ a: Detection, _ b: Detection) -> Bool {
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

  func isRival(_ a: Detection, _ b: Detection) -> Bool {
    if a.target == b.target { return true }
    return share(of: a, in: b) > 0.33 || share(of: b, in: a) > 0.33
  }

  /// How much of one detection lies inside another, 0 … 1.
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

  /// Whether something that can be nothing else was found at a place.
  func isTaken(_ p: SIMD2<Float>) -> Bool {
    for detection in found where detection.alignment.score > Self.clear {
      let extent = models[detection.target].extent
      guard let back = detection.alignment.frameFromReference.inverse,
        let q = back(Vector2(Double(p.x), Double(p.y)))
      else { continue }
      if q.x > 0, q.y > 0, q.x < Double(extent.x), q.y < Double(extent.y) { return true }
    }
    return false
  }

  /// Whether something was found where a hypothesis says a target is.
  func isTaken(_ hypothesis: CandidateFinder.Candidate) -> Bool {
    let other = Detection(target: hypothesis.target, hypothesis: hypothesis.hypothesis)
    return found.contains { isRival($0, other) }
  }

  /// Puts those first that fit best; of twins the small pictures fit alike, and their matches say more.
  func rankCandidates() {
    var most: Float = 1e-6
    for candidate in candidates { most = max(most, candidate.hypothesis.weight) }
    let share = 0.3 / most
    func worth(_ candidate: CandidateFinder.Candidate) -> Float {
      Float(candidate.fit) + share * candidate.hypothesis.weight
    }
    candidates.sort { (worth($0), $1.target) > (worth($1), $0.target) }
  }
}
