import SightlineMath

/// Places labels on the screen so that none overlaps another.
public struct LabelLayout: Sendable {
  /// The parameters in use.
  public let parameters: Parameters
  /// The boxes, in the order of the candidates.
  ///
  /// Valid until the next update.
  public private(set) var placements: [LabelPlacement] = []
  /// The clusters.
  ///
  /// Valid until the next update.
  public private(set) var clusters: [LabelCluster] = []
  /// Feature indices of the clusters' members, see ``LabelCluster/members``.
  public private(set) var clusterMembers: [Int32] = []
  /// Identifier of the open cluster.
  public private(set) var openCluster: Int32?

  /// An empty layout.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Opens a cluster, or closes it when it is open.
  ///
  /// Opening one closes another. An unknown identifier does nothing.
  public mutating func toggle(cluster id: Int32) {
    openCluster = openCluster == id ? nil : id
  }

  /// Closes the open cluster, if any.
  public mutating func closeFan() { openCluster = nil }

  /// Forgets all places and clusters: the next update lays out afresh, without movement.
  public mutating func reset() {
    placements.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    clusterMembers.removeAll(keepingCapacity: true)
    openCluster = nil
  }

  /// Lays out the candidates of one frame.
  ///
  /// - Parameters:
  ///   - candidates: all whose box or anchor may touch the screen, nearest first; others are ignored.
  ///   - bounds: the screen.
  ///   - time: seconds, not running backwards.
  public mutating func update(candidates: [LabelCandidate], bounds: LabelBounds, time: Double) {
    placements.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    clusterMembers.removeAll(keepingCapacity: true)
    for index in candidates.indices where candidates[index].isSelected { place(candidates, index, bounds) }
    for index in candidates.indices where !candidates[index].isSelected { place(candidates, index, bounds) }
  }

  private mutating func place(_ candidates: [LabelCandidate], _ index: Int, _ bounds: LabelBounds) {
    let c = candidates[index]
    guard c.anchor.x.isFinite, c.anchor.y.isFinite, c.width.isFinite, c.height.isFinite else { return }
    let natural = c.anchor + Vector2((0.5 - c.pivot.x) * c.width, (0.5 - c.pivot.y) * c.height)
    guard bounds.contains(c.anchor) || bounds.touches(center: natural, width: c.width, height: c.height) else { return }
    var placement = LabelPlacement()
    placement.candidate = Int32(index)
    placement.feature = c.feature
    var lift = 0.0
    while lift <= parameters.maximumLift {
      let center =
        c.canMove
        ? bounds.clamped(
          center: natural - Vector2(0, lift),
          width: c.width,
          height: c.height,
          anchor: c.anchor,
          margin: parameters.margin
        ) : natural
      if !c.canMove || !overlaps(center, c, candidates) {
        placement.center = center
        placement.target = center
        placement.hasLeader = lift > 0
        placements.append(placement)
        return
      }
      lift += parameters.liftStep
    }
    var cluster = LabelCluster()
    cluster.id = c.feature + 1
    cluster.anchor = c.anchor
    cluster.center = c.anchor
    cluster.target = c.anchor
    cluster.width = parameters.clusterWidth
    cluster.height = parameters.clusterHeight
    cluster.nearestDistance = c.distance
    cluster.members = clusterMembers.count..<(clusterMembers.count + 1)
    clusterMembers.append(c.feature)
    clusters.append(cluster)
  }

  private func overlaps(_ center: Vector2, _ c: LabelCandidate, _ candidates: [LabelCandidate]) -> Bool {
    for other in placements where candidates[Int(other.candidate)].canMove {
      let o = candidates[Int(other.candidate)]
      if abs(other.center.x - center.x) < (o.width + c.width) / 2 + parameters.clearance,
        abs(other.center.y - center.y) < (o.height + c.height) / 2 + parameters.clearance
      {
        return true
      }
    }
    return false
  }
}
