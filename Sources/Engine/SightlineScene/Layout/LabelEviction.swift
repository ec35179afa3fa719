import SightlineMath

/// Makes room for a cluster's box where only labels are in the way: they become its members.
struct LabelEviction: Sendable {
  /// Reused.
  private var owners: [Int32] = []

  /// The offset nearest to an anchor, on the screen, where only labels that may be put into a cluster are in the way.
  mutating func findOffset(_ anchor: Vector2, _ a: inout LabelArrangement) -> Vector2? {
    let frame = a.frame
    let step = frame.parameters.clusterHeight / 2
    let reach = max(frame.bounds.width, frame.bounds.height) + frame.parameters.clusterHeight
    guard step > 0 else { return nil }
    var shift = 0.0
    while shift <= reach {
      for direction in 0..<2 {
        let offset = Vector2(0, direction == 0 ? -shift : shift)
        let box = frame.badge(at: anchor, offset: offset)
        let center = frame.clamped(box)
        // A place the edge pushes far back belongs to a smaller shift, which was tried before.
        guard shift == 0 || (center - anchor - offset).length <= step + box.width else { continue }
        if areEvictable(in: box, &a) { return offset }
      }
      shift += step
    }
    return nil
  }

  /// Puts the labels in the way of a cluster's box into the cluster.
  mutating func evictAll(into group: Int, _ a: inout LabelArrangement) {
    collectOwners(
      a.frame.badge(at: a.clusters.groups[group].anchor, offset: a.clusters.groups[group].offset),
      a.slots
    )
    for owner in owners where a.labels.entries[Int(owner)].outcome == .standing {
      Self.evict(owner, into: group, &a)
    }
  }

  /// Takes a label's place away and makes it a member.
  static func evict(_ index: Int32, into group: Int, _ a: inout LabelArrangement) {
    a.slots.grid.setActive(a.labels.entries[Int(index)].box, false)
    a.labels.entries[Int(index)].box = -1
    a.clusters.joinFromAnywhere(index, group, a.frame, in: &a.labels)
  }

  /// Whether the owner of a box is a label that may be put into a cluster.
  static func isEvictable(_ owner: Int32, _ labels: borrowing LabelTable) -> Bool {
    guard owner >= 0, owner != labels.selected else { return false }
    return labels.entries[Int(owner)].outcome == .standing
  }

  private mutating func areEvictable(in box: LabelBox, _ a: inout LabelArrangement) -> Bool {
    collectOwners(box, a.slots)
    for owner in owners {
      guard Self.isEvictable(owner, a.labels) else { return false }
    }
    return true
  }

  private mutating func collectOwners(_ box: LabelBox, _ slots: borrowing LabelSlots) {
    owners.removeAll(keepingCapacity: true)
    slots.grid.owners(
      center: slots.frame.clamped(box),
      width: box.width,
      height: box.height,
      clearance: slots.frame.parameters.clearance,
      into: &owners
    )
  }
}
