import SightlineMath

/// Looks after the clusters' boxes and numbers: before the labels that are not selected, and once all have their places.
///
/// In: the arrangement. Out: each cluster that is left has a box and, if it can be, two members.
struct ClusterUpkeep: Sendable {
  private var eviction = LabelEviction()

  /// Keeps the clusters' boxes where they are, if they fit.
  ///
  /// They come before the labels that are not selected, because a cluster stands for several. One that has to move finds
  /// its new place after the labels, so as to disturb none of them, see ``run(_:)``.
  func keep(_ a: inout LabelArrangement) {
    for index in a.clusters.groups.indices where a.clusters.groups[index].id != 0 && a.clusters.groups[index].box < 0 {
      let box = a.frame.badge(at: a.clusters.groups[index].anchor, offset: a.clusters.groups[index].offset)
      if a.slots.isFree(box, clearance: a.frame.parameters.keepClearance) {
        a.slots.insertBadge(index, in: &a.clusters)
      }
    }
  }

  /// Mends clusters left with one member, moves those that could not stay, and brings others back towards their places.
  mutating func run(_ a: inout LabelArrangement) {
    mend(&a)
    move(&a)
    tidy(&a)
  }

  /// Clusters of nobody go; a cluster of one, which says less than its label would, is united with another or takes a
  /// label in: at once when it was founded by a newcomer, otherwise when it has been alone for a while.
  private func mend(_ a: inout LabelArrangement) {
    for index in a.clusters.groups.indices {
      let id = a.clusters.groups[index].id
      guard id != 0, id != a.clusters.fan.cluster else { continue }
      let waiting = a.clusters.groups[index].waiting
      if waiting >= 0, a.labels.entries[Int(waiting)].outcome == .undecided {
        // The other of the pair was selected in a fan that closed.
        a.clusters.join(waiting, index, in: &a.labels)
      }
      if a.clusters.groups[index].count == 0 {
        remove(index, &a)
      } else if a.clusters.groups[index].count > 1 {
        a.clusters.groups[index].singleSince = .infinity
      } else {
        let since = min(a.clusters.groups[index].singleSince, a.frame.now)
        a.clusters.groups[index].singleSince = since
        if a.clusters.groups[index].takesInAtOnce || a.frame.now - since >= a.frame.parameters.dwellSeconds {
          mendSingle(index, &a)
        } else {
          a.clusters.isSettled = false
        }
      }
    }
  }

  private func remove(_ group: Int, _ a: inout LabelArrangement) {
    a.slots.grid.setActive(a.clusters.groups[group].box, false)
    a.clusters.groups[group].id = 0
  }

  private func mendSingle(_ group: Int, _ a: inout LabelArrangement) {
    let radius = a.frame.parameters.clusterRadius
    let member = a.clusters.groups[group].firstMember
    let anchor = a.clusters.groups[group].anchor
    // Near enough to stay there: the limit is below that of isFar.
    let place = a.labels.entries[Int(member)].anchor
    if let other = a.clusters.nearest(to: place, within: radius * 1.2, except: group) {
      remove(group, &a)
      a.labels.entries[Int(member)].nextMember = -1
      a.clusters.join(member, other, in: &a.labels)
      return
    }
    // Of the labels around, the farthest from the user; if there is none, the one whose place is closest.
    var around: Int32 = -1
    var closest: Int32 = -1
    var closestDistance = radius * 4
    for index in a.labels.order {
      guard LabelEviction.isEvictable(index, a.labels) else { continue }
      let distance = (a.labels.entries[Int(index)].anchor - anchor).length
      if distance <= radius,
        around < 0 || a.labels.entries[Int(around)].isNearer(than: a.labels.entries[Int(index)])
      {
        around = index
      }
      if distance < closestDistance {
        closest = index
        closestDistance = distance
      }
    }
    let companion = around >= 0 ? around : closest
    if companion >= 0 { LabelEviction.evict(companion, into: group, &a) }
  }

  /// Finds new places for the clusters that could not stay; if there is no room at all, they are given up.
  private mutating func move(_ a: inout LabelArrangement) {
    for index in a.clusters.groups.indices {
      let group = a.clusters.groups[index]
      guard group.id != 0, group.box < 0, group.count > 0 else { continue }
      var offset = a.slots.findOffset(near: group.offset, from: group.anchor)
      if offset == nil { offset = a.slots.findOffset(group.anchor) }
      if let offset {
        a.clusters.groups[index].offset = offset
      } else if let offset = eviction.findOffset(group.anchor, &a) {
        a.clusters.groups[index].offset = offset
        eviction.evictAll(into: index, &a)
      } else {
        giveUp(index, &a)
        continue
      }
      a.slots.insertBadge(index, in: &a.clusters)
    }
  }

  /// Hands the members of a cluster for which the screen has no room to another one.
  private func giveUp(_ group: Int, _ a: inout LabelArrangement) {
    a.clusters.groups[group].id = 0
    let heir = a.clusters.nearest(to: a.clusters.groups[group].anchor, within: .infinity)
    var member = a.clusters.groups[group].firstMember
    while member >= 0 {
      let next = a.labels.entries[Int(member)].nextMember
      a.labels.entries[Int(member)].nextMember = -1
      if let heir {
        a.clusters.joinFromAnywhere(member, heir, a.frame, in: &a.labels)
      } else {
        a.labels.leaveOut(member, as: .hidden)
      }
      member = next
    }
  }

  /// Lets boxes of clusters come back towards their place once there has been room for a while.
  private func tidy(_ a: inout LabelArrangement) {
    let frame = a.frame
    for index in a.clusters.groups.indices {
      let group = a.clusters.groups[index]
      guard group.id != 0, group.id != a.clusters.fan.cluster else { continue }
      let limit = group.offset.length - frame.parameters.liftStep
      guard limit > 0 else { continue }
      a.slots.grid.setActive(group.box, false)
      let lift = a.slots.steadyLift(
        frame.badge(at: group.anchor, offset: .zero),
        below: limit,
        better: &a.clusters.groups[index].better
      )
      if let lift, frame.hasDwelt(a.clusters.groups[index].better) {
        a.clusters.groups[index].offset = Vector2(0, -lift)
        a.clusters.groups[index].better.since = .infinity
        a.slots.insertBadge(index, in: &a.clusters)
      } else {
        a.slots.grid.setActive(group.box, true)
      }
    }
  }
}
