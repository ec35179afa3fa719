import SightlineMath
import SightlineOcclusion

/// Writes the labels of a frame, and the groups of those that have no room.
struct LabelPass: Sendable {
  /// For each label in view its place in the layout, −1 for none; reused.
  private var placementOfLabel: [Int32] = []

  /// Fills `items`, `clusters` and `clusterMembers` of a frame.
  ///
  /// - Parameters:
  ///   - layout: of this frame.
  ///   - pass: what is in view.
  ///   - details: of the candidates.
  ///   - bounds: the screen.
  ///   - frame: what is filled.
  mutating func run(
    _ layout: borrowing LabelLayout,
    pass: borrowing ViewPass,
    details: borrowing [CandidateDetail],
    bounds: LabelBounds,
    into frame: inout SceneFrame
  ) {
    // The layout gives places by priority; the frame's order is by distance alone, so that drawing order never changes
    // because of a selection or a lift.
    let count = layout.placements.count
    placementOfLabel.removeAll(keepingCapacity: true)
    for _ in 0..<pass.labels.count { placementOfLabel.append(-1) }
    for i in 0..<count { placementOfLabel[Int(layout.placements[i].candidate)] = Int32(i) }
    for index in 0..<pass.labels.count where placementOfLabel[index] >= 0 {
      let placement = layout.placements[Int(placementOfLabel[index])]
      let label = pass.labels[index]
      var item = SceneItem()
      item.feature = placement.feature
      item.anchor = pass.drawn[index].anchor
      item.center = bounds.screen(fromLevelled: placement.center)
      item.width = placement.width
      item.height = placement.height
      item.level = placement.level
      if item.level != .dot { item.scale = details[Int(pass.drawn[index].candidate)].scale }
      item.depth = pass.drawn[index].depth
      item.distance = label.distance
      item.opacity = placement.opacity * pass.drawn[index].opacity
      item.hasLeader = placement.hasLeader
      item.isSelected = label.isSelected
      item.isFannedOut = placement.isFannedOut
      item.visibility = details[Int(pass.drawn[index].candidate)].visibility
      frame.items.append(item)
    }
    for cluster in layout.clusters {
      var copy = SceneCluster()
      copy.id = cluster.id
      copy.anchor = bounds.screen(fromLevelled: cluster.anchor)
      copy.center = bounds.screen(fromLevelled: cluster.center)
      copy.width = cluster.width
      copy.height = cluster.height
      copy.nearestDistance = cluster.nearestDistance
      copy.members = cluster.members
      copy.isOpen = cluster.isOpen
      copy.opacity = cluster.opacity
      copy.hasLeader = cluster.hasLeader
      frame.clusters.append(copy)
    }
    frame.clusterMembers.append(contentsOf: layout.clusterMembers)
  }
}
