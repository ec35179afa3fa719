import SightlineMath

/// Puts a label that found no place into a cluster: one near its place, else a new one, else any.
///
/// Unless its place is outside the screen, and only its box would reach in: that is not worth a cluster at the edge,
/// which would come and go with every tremble of the hand.
struct ClusterFounding: Sendable {
  private var eviction = LabelEviction()

  /// Decides on one entry.
  mutating func joinAny(_ index: Int32, _ a: inout LabelArrangement) {
    let anchor = a.labels.entries[Int(index)].anchor
    if !a.frame.bounds.contains(anchor) {
      a.labels.leaveOut(index, as: .outside)
    } else if let group = a.clusters.nearest(to: anchor, within: a.frame.parameters.clusterRadius) {
      a.clusters.join(index, group, in: &a.labels)
    } else if let group = found(index, &a) {
      a.clusters.join(index, group, in: &a.labels)
    } else if let group = a.clusters.nearest(to: anchor, within: .infinity) {
      a.clusters.joinFromAnywhere(index, group, a.frame, in: &a.labels)
    } else {
      a.labels.leaveOut(index, as: .hidden)
    }
  }

  /// Starts a cluster at an entry's place; if there is no room for its box, labels that stand make room and join it.
  private mutating func found(_ index: Int32, _ a: inout LabelArrangement) -> Int? {
    let entry = a.labels.entries[Int(index)]
    var evicts = false
    var offset = a.slots.findOffset(entry.anchor)
    if offset == nil {
      offset = eviction.findOffset(entry.anchor, &a)
      evicts = true
    }
    guard let offset else { return nil }
    let memory = a.labels.memories[entry.memory]
    var group = LabelGroup(
      id: a.clusters.newID(),
      lead: memory.identity,
      anchor: entry.anchor,
      offset: offset,
      nearest: entry.distance
    )
    // A label shaken off its place may soon get it back: no other has to join it at once.
    group.takesInAtOnce = memory.role != .standing
    let slot = a.clusters.add(group)
    if evicts { eviction.evictAll(into: slot, &a) }
    a.slots.insertBadge(slot, in: &a.clusters)
    return slot
  }
}
