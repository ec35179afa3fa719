import SightlineMath

/// Finds the clusters of the last frame again: their lead, their anchor, how many members are in view.
///
/// In: the ranked entries. Out: the clusters as the frame begins with them, united where they have come close, without those
/// nobody of whom is in view.
struct ClusterTracking {
  let frame: LabelFrame

  /// Tracks the clusters into the frame.
  func run(_ labels: inout LabelTable, _ clusters: inout LabelClusters) {
    clusters.isSettled = true
    for index in clusters.groups.indices where clusters.groups[index].id != 0 { clusters.groups[index].begin() }
    let selected = labels.selected
    let isFanned = selected >= 0 ? clusters.isFanned(labels.memory(of: selected)) : false
    if isFanned { findLead(selected, labels, &clusters) }
    for index in labels.order { findLead(index, labels, &clusters) }
    for index in clusters.groups.indices where clusters.groups[index].id != 0 { takeAnchor(index, labels, &clusters) }
    merge(&labels, &clusters)
    for index in clusters.groups.indices where clusters.groups[index].id != 0 {
      clusters.groups[index].nearest = .infinity
      clusters.groups[index].hasFarMember = false
    }
    if isFanned { count(selected, &labels, &clusters) }
    for index in labels.order { count(index, &labels, &clusters) }
    for index in clusters.groups.indices { clusters.groups[index].isForced = clusters.groups[index].hasFarMember }
    for index in clusters.groups.indices where clusters.groups[index].id != 0 && clusters.groups[index].present == 0 {
      if clusters.groups[index].id == clusters.fan.cluster { clusters.closeFan() }
      clusters.groups[index].id = 0
    }
  }

  private func findLead(_ index: Int32, _ labels: borrowing LabelTable, _ clusters: inout LabelClusters) {
    let memory = labels.memory(of: index)
    guard let group = clusters.index(of: memory) else { return }
    if memory.identity == clusters.groups[group].lead || clusters.groups[group].leadEntry < 0 {
      clusters.groups[group].leadEntry = index
    }
  }

  /// Lets a cluster's anchor follow its lead.
  ///
  /// When another had to take over the lead, the anchor stays where it was, relative to the new one, unless that is far
  /// away: then it moves there, and the offset is changed so that the box stays where it is.
  private func takeAnchor(_ index: Int, _ labels: borrowing LabelTable, _ clusters: inout LabelClusters) {
    var group = clusters.groups[index]
    guard group.leadEntry >= 0 else { return }
    let lead = labels.entries[Int(group.leadEntry)]
    let identity = labels.memories[lead.memory].identity
    if identity != group.lead {
      let change = group.anchor - lead.anchor
      group.lead = identity
      if change.length <= frame.parameters.clusterRadius {
        group.anchorFromLead = change
      } else {
        group.anchorFromLead = .zero
        group.offset = group.offset + change
        group.shownOffset = group.shownOffset + change
      }
    }
    group.anchor = lead.anchor + group.anchorFromLead
    clusters.groups[index] = group
  }

  /// Unites clusters that have come close; they part again only much further away, see ``LabelFrame/isFar(_:from:)``.
  private func merge(_ labels: inout LabelTable, _ clusters: inout LabelClusters) {
    let limit = frame.parameters.clusterRadius * 0.6
    for a in clusters.groups.indices where clusters.isMergeable(a) {
      for b in clusters.groups.indices where b != a {
        guard clusters.isMergeable(b), clusters.isMergeable(a) else { continue }
        let first = clusters.groups[a]
        let second = clusters.groups[b]
        let nearer = first.nearest != second.nearest ? first.nearest < second.nearest : a < b
        let offset = first.anchor - second.anchor
        guard nearer, offset.dot(offset) < limit * limit else { continue }
        for index in labels.order {
          let memory = labels.entries[Int(index)].memory
          guard clusters.index(of: labels.memories[memory]) == b else { continue }
          labels.memories[memory].group = Int32(a)
          labels.memories[memory].cluster = first.id
        }
        clusters.groups[b].id = 0
        clusters.isSettled = false
      }
    }
  }

  /// Counts a member as present, or lets it go when it has drifted too far from the cluster's anchor.
  private func count(_ index: Int32, _ labels: inout LabelTable, _ clusters: inout LabelClusters) {
    let entry = labels.entries[Int(index)]
    guard let group = clusters.index(of: labels.memories[entry.memory]) else { return }
    if frame.isFar(entry.anchor, from: clusters.groups[group].anchor) {
      guard clusters.groups[group].isForced || clusters.groups[group].id == clusters.fan.cluster else {
        labels.memories[entry.memory].role = .none
        return
      }
      if clusters.groups[group].isForced { clusters.groups[group].hasFarMember = true }
    }
    clusters.groups[group].present += 1
    clusters.groups[group].nearest = min(clusters.groups[group].nearest, entry.distance)
  }
}
