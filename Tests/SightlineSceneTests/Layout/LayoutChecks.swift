import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// A frame's input and output, checked against everything the layout promises.
struct LayoutCheck {
  struct Box: CustomStringConvertible {
    var name: String
    var center: Vector2
    var target: Vector2
    var width: Double
    var height: Double
    var isDrawn: Bool

    var description: String {
      "\(name) at \(center.x.rounded()), \(center.y.rounded()), rests at \(target.x.rounded()), "
        + "\(target.y.rounded()), \(width) × \(height)\(isDrawn ? "" : ", not drawn")"
    }
  }

  var candidates: [LabelCandidate]
  var bounds: LabelBounds
  var layout: LabelLayout

  var boxes: [Box] {
    let labels = layout.placements.filter { candidates[Int($0.candidate)].canMove }.map { placement in
      let candidate = candidates[Int(placement.candidate)]
      return Box(
        name: "label \(placement.feature)",
        center: placement.center,
        target: placement.target,
        width: max(0, candidate.width),
        height: max(0, candidate.height),
        isDrawn: placement.opacity > 0
      )
    }
    let clusters = layout.clusters.map {
      Box(
        name: "cluster \($0.id)",
        center: $0.center,
        target: $0.target,
        width: $0.width,
        height: $0.height,
        isDrawn: $0.opacity > 0
      )
    }
    return labels + clusters
  }

  /// The first promise that is broken, in words.
  func failure() -> String? {
    overlap() ?? membership() ?? selection() ?? outside()
  }

  private func overlap() -> String? {
    let boxes = self.boxes
    for a in boxes.indices {
      for b in boxes.indices where b > a {
        if overlaps(boxes[a].target, boxes[a], boxes[b].target, boxes[b]) {
          return "\(boxes[a]) and \(boxes[b]) overlap at rest"
        }
        if boxes[a].isDrawn, boxes[b].isDrawn, overlaps(boxes[a].center, boxes[a], boxes[b].center, boxes[b]) {
          return "\(boxes[a]) and \(boxes[b]) overlap as drawn"
        }
      }
    }
    return nil
  }

  private func overlaps(_ p: Vector2, _ a: Box, _ q: Vector2, _ b: Box) -> Bool {
    abs(p.x - q.x) < (a.width + b.width) / 2 - 1e-6 && abs(p.y - q.y) < (a.height + b.height) / 2 - 1e-6
  }

  static func isInView(_ candidate: LabelCandidate, _ bounds: LabelBounds) -> Bool {
    guard candidate.anchor.x.isFinite, candidate.anchor.y.isFinite, candidate.width.isFinite,
      candidate.height.isFinite
    else { return false }
    let p = bounds.screen(fromLevelled: candidate.anchor)
    return p.x >= 0 && p.y >= 0 && p.x <= bounds.width && p.y <= bounds.height
  }

  private func membership() -> String? {
    var placed: [Int32: Int] = [:]
    var fanned: Set<Int32> = []
    for placement in layout.placements {
      placed[placement.feature, default: 0] += 1
      if placement.isFannedOut { fanned.insert(placement.feature) }
    }
    var clustered: [Int32: Int] = [:]
    for cluster in layout.clusters {
      let members = layout.clusterMembers[cluster.members].map { $0 }
      if cluster.isOpen {
        if Set(members) != fanned { return "open cluster lists \(members), fanned out are \(fanned)" }
      } else {
        if members.isEmpty { return "cluster \(cluster.id) is empty" }
        for member in members { clustered[member, default: 0] += 1 }
      }
      let distances = members.map { member in candidates.first { $0.feature == member }?.distance ?? .nan }
      if zip(distances, distances.dropFirst()).contains(where: { $0 > $1 }) {
        return "cluster \(cluster.id) is not sorted: \(distances)"
      }
    }
    for index in layout.outside {
      let candidate = candidates[Int(index)]
      if Self.isInView(candidate, bounds) || placed[candidate.feature] != nil || clustered[candidate.feature] != nil {
        return "feature \(candidate.feature) is called outside"
      }
    }
    var missing = 0
    for candidate in candidates where Self.isInView(candidate, bounds) {
      let times = placed[candidate.feature, default: 0] + clustered[candidate.feature, default: 0]
      if times > 1 { return "feature \(candidate.feature) appears \(times) times" }
      if times == 0 { missing += 1 }
    }
    // Those hidden may also be such whose box is in view and whose place is not.
    return missing <= layout.hiddenCount ? nil : "\(missing) in view are nowhere, \(layout.hiddenCount) stated"
  }

  private func selection() -> String? {
    guard let selected = candidates.first(where: { $0.isSelected && Self.isInView($0, bounds) }) else { return nil }
    guard let placement = layout.placements.first(where: { $0.feature == selected.feature }) else {
      return "the selected feature \(selected.feature) is not placed"
    }
    return placement.opacity == 1 ? nil : "the selected feature has opacity \(placement.opacity)"
  }

  private func outside() -> String? {
    for placement in layout.placements {
      let candidate = candidates[Int(placement.candidate)]
      guard candidate.canMove, Self.isInView(candidate, bounds) else { continue }
      let half = bounds.halfExtent(width: candidate.width, height: candidate.height)
      guard half.x * 2 <= bounds.width, half.y * 2 <= bounds.height else { continue }
      for center in [placement.center, placement.target] {
        let p = bounds.screen(fromLevelled: center)
        if p.x - half.x < -1e-6 || p.y - half.y < -1e-6 || p.x + half.x > bounds.width + 1e-6
          || p.y + half.y > bounds.height + 1e-6
        {
          return "label \(placement.feature) at \(p) reaches beyond the screen"
        }
      }
    }
    return nil
  }
}

extension LabelLayout {
  /// Lays out and checks all promises.
  mutating func checkedUpdate(
    _ candidates: [LabelCandidate],
    _ bounds: LabelBounds,
    _ time: Double,
    _ comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    update(candidates: candidates, bounds: bounds, time: time)
    let failure = LayoutCheck(candidates: candidates, bounds: bounds, layout: self).failure()
    if let failure { Issue.record("\(comment()) at \(time) s: \(failure)", sourceLocation: sourceLocation) }
  }

  /// What a hop would change: who stands where, and who is in which cluster.
  var slots: [Int32: String] {
    var result: [Int32: String] = [:]
    for placement in placements { result[placement.feature] = placement.isFannedOut ? "fan" : "stands" }
    for cluster in clusters where !cluster.isOpen {
      for member in clusterMembers[cluster.members] { result[member] = "cluster \(cluster.id)" }
    }
    return result
  }

  func placement(_ feature: Int32) -> LabelPlacement? { placements.first { $0.feature == feature } }
}

/// A candidate of common size.
func label(
  _ feature: Int32,
  _ x: Double,
  _ y: Double,
  distance: Double? = nil,
  width: Double = 120,
  height: Double = 32
) -> LabelCandidate {
  var candidate = LabelCandidate()
  candidate.feature = feature
  candidate.key = UInt64(feature) + 1000
  candidate.anchor = Vector2(x, y)
  candidate.width = width
  candidate.height = height
  candidate.distance = distance ?? Double(feature) * 10 + 10
  return candidate
}

/// A random scene: `count` candidates over the screen and a little around it, some in bunches.
func randomScene(count: Int, bounds: LabelBounds, using generator: inout SplitMix64) -> [LabelCandidate] {
  var result: [LabelCandidate] = []
  var center = Vector2.zero
  for index in 0..<count {
    if index % 5 == 0 || Bool.random(using: &generator) {
      center = bounds.levelled(
        fromScreen: Vector2(
          .random(in: -60...(bounds.width + 60), using: &generator),
          .random(in: -60...(bounds.height + 60), using: &generator)
        )
      )
    }
    var candidate = label(
      Int32(index),
      center.x + .random(in: -20...20, using: &generator),
      center.y + .random(in: -20...20, using: &generator),
      distance: .random(in: 10...5000, using: &generator),
      width: .random(in: 20...220, using: &generator).rounded(),
      height: .random(in: 16...60, using: &generator)
    )
    candidate.pivot = [Vector2(0.5, 1), Vector2(0.5, 0.5), Vector2(0, 0), Vector2(1, 0.3)][index % 4]
    candidate.canMove = index % 17 != 16
    result.append(candidate)
  }
  return result.sorted { $0.distance < $1.distance }
}
