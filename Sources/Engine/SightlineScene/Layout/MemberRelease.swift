import SightlineMath

/// Decides on a label that was a member in the last frame: it stays, or is let go when it, and what is left behind, could
/// have stood for long enough.
///
/// In: a member's entry and its cluster. Out: the entry stands, is a member, or waits for the other of its pair.
enum MemberRelease {
  /// Decides on one entry.
  static func decide(_ index: Int32, of group: Int, _ a: inout LabelArrangement) {
    let cluster = a.clusters.groups[group]
    if cluster.present <= 2, cluster.count > 0 {
      // Others have joined in this frame: no question of dissolving it now.
      a.clusters.join(index, group, in: &a.labels)
      return
    }
    switch cluster.present {
    case 1: decideSingle(index, of: group, &a)
    case 2 where cluster.waiting < 0: a.clusters.groups[group].waiting = index
    case 2: decidePair(cluster.waiting, index, of: group, &a)
    default:
      if !cluster.hasReleased, cluster.tried < (cluster.isForced ? 16 : 3) {
        a.clusters.groups[group].tried += 1
        if let lift = dweltLift(index, &a) {
          a.clusters.groups[group].hasReleased = true
          a.slots.stand(index, lift: lift, in: &a.labels)
          return
        }
      }
      a.clusters.join(index, group, in: &a.labels)
    }
  }

  /// A place that has been free for long enough.
  private static func dweltLift(_ index: Int32, _ a: inout LabelArrangement) -> Double? {
    guard let lift = a.slots.steadyLift(of: index, in: &a.labels), hasDwelt(index, &a) else { return nil }
    return lift
  }

  private static func hasDwelt(_ index: Int32, _ a: inout LabelArrangement) -> Bool {
    a.frame.hasDwelt(a.labels.memory(of: index).better)
  }

  private static func decideSingle(_ index: Int32, of group: Int, _ a: inout LabelArrangement) {
    let cluster = a.clusters.groups[group]
    a.slots.grid.setActive(cluster.box, false)
    // The others may only have been shaken out of the picture, and are remembered for as long.
    if let lift = dweltLift(index, &a), a.frame.now - cluster.singleSince >= a.frame.parameters.memorySeconds {
      a.clusters.groups[group].id = 0
      a.slots.stand(index, lift: lift, in: &a.labels)
    } else {
      a.slots.grid.setActive(cluster.box, true)
      a.clusters.join(index, group, in: &a.labels)
    }
  }

  /// A cluster of two dissolves only when both find a place at the same time: if one went alone, the other would have to
  /// pull it back in.
  private static func decidePair(_ first: Int32, _ second: Int32, of group: Int, _ a: inout LabelArrangement) {
    let badge = a.clusters.groups[group].box
    a.slots.grid.setActive(badge, false)
    let before = a.slots.grid.count
    let entry = a.labels.entries[Int(first)]
    var lifts: (Double, Double)?
    if let firstLift = a.slots.steadyLift(of: first, in: &a.labels) {
      a.slots.grid.insert(
        center: a.frame.clamped(entry.wantedBox.lifted(by: firstLift)),
        width: entry.width,
        height: entry.height,
        owner: first
      )
      if let secondLift = a.slots.steadyLift(of: second, in: &a.labels) { lifts = (firstLift, secondLift) }
      a.slots.grid.rollBack(to: before)
    }
    if let lifts, hasDwelt(first, &a), hasDwelt(second, &a) {
      a.clusters.groups[group].id = 0
      a.slots.stand(first, lift: lifts.0, in: &a.labels)
      a.slots.stand(second, lift: lifts.1, in: &a.labels)
      return
    }
    a.slots.grid.setActive(badge, true)
    a.clusters.join(first, group, in: &a.labels)
    a.clusters.join(second, group, in: &a.labels)
  }
}
