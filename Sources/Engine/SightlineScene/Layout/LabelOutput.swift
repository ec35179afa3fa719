import SightlineMath

/// What the layout answers: last stage.
///
/// In: the arrangement after its motion. Out: placements and clusters, until the next frame.
struct LabelOutput: Sendable {
  private(set) var placements: [LabelPlacement] = []
  private(set) var clusters: [LabelCluster] = []
  /// Feature indices of the clusters' members, see ``LabelCluster/members``.
  private(set) var members: [Int32] = []
  private(set) var outside: [Int32] = []
  private(set) var hiddenCount = 0

  /// Empties all.
  mutating func removeAll() {
    placements.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    outside.removeAll(keepingCapacity: true)
    hiddenCount = 0
  }

  /// Writes down how a frame is to be drawn.
  mutating func publish(_ frame: LabelFrame, _ labels: borrowing LabelTable, _ table: borrowing LabelClusters) {
    removeAll()
    for entry in labels.entries {
      switch entry.outcome {
      case .undecided, .member: break
      case .outside: outside.append(entry.candidate)
      case .hidden: hiddenCount += 1
      case .exempt: placements.append(placement(of: entry))
      case .standing, .fanned:
        placements.append(placement(of: entry, labels.memories[entry.memory], frame))
      }
    }
    for index in table.groups.indices where table.groups[index].id != 0 {
      let group = table.groups[index]
      let isOpen = group.id == table.fan.cluster
      publish(group, frame, labels, fan: isOpen ? table.fan.members : nil)
      if isOpen, table.fan.remainder != 0 { publishRemainder(of: group, frame, labels, table.fan) }
    }
  }

  /// An exempt box stands at its place by definition, even when its pivot lies outside the box.
  private func placement(of entry: LabelEntry) -> LabelPlacement {
    var placement = LabelPlacement()
    placement.candidate = entry.candidate
    placement.feature = entry.feature
    placement.level = entry.level
    placement.width = entry.width
    placement.height = entry.height
    placement.target = entry.target
    placement.center = entry.target
    return placement
  }

  private func placement(of entry: LabelEntry, _ memory: LabelMemory, _ frame: LabelFrame) -> LabelPlacement {
    var placement = placement(of: entry)
    placement.center = frame.shownCenter(of: entry, memory)
    placement.opacity = memory.opacity
    placement.isFannedOut = entry.outcome == .fanned
    placement.hasLeader = hasLeader(from: entry.anchor, toBoxAt: placement.center, entry.width, entry.height, frame)
    return placement
  }

  private mutating func publish(
    _ group: LabelGroup,
    _ frame: LabelFrame,
    _ labels: borrowing LabelTable,
    fan: [Int32]?
  ) {
    var cluster = LabelCluster()
    cluster.id = group.id
    cluster.anchor = group.anchor
    cluster.target = group.target
    cluster.center = frame.shownCenter(of: group)
    cluster.width = frame.parameters.clusterWidth
    cluster.height = frame.parameters.clusterHeight
    cluster.isOpen = fan != nil
    cluster.opacity = group.opacity * rimOpacity(group.anchor, frame.bounds)
    cluster.hasLeader = hasLeader(from: group.anchor, toBoxAt: cluster.center, cluster.width, cluster.height, frame)
    if let fan {
      let start = members.count
      for index in fan { members.append(labels.entries[Int(index)].feature) }
      cluster.members = start..<members.count
    } else {
      cluster.members = appendMembers(of: group, labels)
    }
    cluster.nearestDistance = group.nearest
    clusters.append(cluster)
  }

  private mutating func publishRemainder(
    of group: LabelGroup,
    _ frame: LabelFrame,
    _ labels: borrowing LabelTable,
    _ fan: LabelFan
  ) {
    var cluster = LabelCluster()
    cluster.id = fan.remainder
    cluster.anchor = group.anchor
    cluster.target = group.anchor + fan.remainderOffset + fan.shift
    cluster.center = cluster.target
    cluster.width = frame.parameters.clusterWidth
    cluster.height = frame.parameters.clusterHeight
    cluster.opacity = fan.opacity
    cluster.members = appendMembers(of: group, labels)
    cluster.nearestDistance = group.firstMember >= 0 ? labels.entries[Int(group.firstMember)].distance : group.nearest
    clusters.append(cluster)
  }

  private mutating func appendMembers(of group: LabelGroup, _ labels: borrowing LabelTable) -> Range<Int> {
    let start = members.count
    var member = group.firstMember
    while member >= 0 {
      members.append(labels.entries[Int(member)].feature)
      member = labels.entries[Int(member)].nextMember
    }
    return start..<members.count
  }

  /// A cluster whose place leaves the free area fades until it is gone.
  private func rimOpacity(_ anchor: Vector2, _ bounds: LabelBounds) -> Double {
    guard bounds.isStrict else { return 1 }
    return clamp((bounds.depth(of: anchor) + LabelClusters.memberSlack) / LabelClusters.memberSlack, 0, 1)
  }

  private func hasLeader(
    from point: Vector2,
    toBoxAt center: Vector2,
    _ width: Double,
    _ height: Double,
    _ frame: LabelFrame
  ) -> Bool {
    let x = max(0, abs(point.x - center.x) - width / 2)
    let y = max(0, abs(point.y - center.y) - height / 2)
    return (x * x + y * y).squareRoot() > frame.parameters.leaderMinimum
  }
}
