import SightlineMath

// New clusters, and what becomes of those left with one member.
extension LabelLayout {
  /// Puts an entry that found no place into a cluster: one near its place, else a new one, else any.
  ///
  /// Unless its place is outside the screen, and only its box would reach in: that is not worth a cluster at the edge,
  /// which would come and go with every tremble of the hand.
  mutating func joinAnyGroup(_ index: Int32) {
    let anchor = entries[Int(index)].anchor
    if !bounds.contains(anchor) {
      entries[Int(index)].outcome = .outside
      memories[entries[Int(index)].memory].role = .none
    } else if let group = nearestGroup(to: anchor, within: parameters.clusterRadius) {
      join(index, group)
    } else if let group = found(index) {
      join(index, group)
    } else if let group = nearestGroup(to: anchor, within: .infinity) {
      // Far from its place, but shown nowhere else: it must not be let go for its distance.
      if isFar(index, from: group) { groups[group].isForced = true }
      join(index, group)
    } else {
      entries[Int(index)].outcome = .hidden
      memories[entries[Int(index)].memory].role = .none
    }
  }

  /// Starts a cluster at an entry's place; if there is no room for its box, labels that stand make room and join it.
  private mutating func found(_ index: Int32) -> Int? {
    let entry = entries[Int(index)]
    let evicts: Bool
    let offset: Vector2
    if let free = findGroupOffset(entry.anchor) {
      (offset, evicts) = (free, false)
    } else if let taken = findEvictableOffset(entry.anchor) {
      (offset, evicts) = (taken, true)
    } else {
      return nil
    }
    lastID = lastID == .max ? 1 : lastID + 1
    var group = LabelGroup(
      id: lastID,
      lead: memories[entry.memory].identity,
      anchor: entry.anchor,
      offset: offset,
      nearest: entry.distance
    )
    // A label shaken off its place may soon get it back: no other has to join it at once.
    group.takesInAtOnce = memories[entry.memory].role != .standing
    let slot = groups.firstIndex { $0.id == 0 } ?? groups.count
    if slot == groups.count { groups.append(group) } else { groups[slot] = group }
    if evicts { evictAll(into: slot) }
    insertGroup(slot)
    return slot
  }

  /// Finds new places for the clusters that could not stay; if there is no room at all, they are given up.
  mutating func moveGroups() {
    for index in groups.indices where groups[index].id != 0 && groups[index].box < 0 && groups[index].count > 0 {
      let anchor = groups[index].anchor
      if let offset = findNearbyOffset(index) ?? findGroupOffset(anchor) {
        groups[index].offset = offset
        insertGroup(index)
      } else if let offset = findEvictableOffset(anchor) {
        groups[index].offset = offset
        evictAll(into: index)
        insertGroup(index)
      } else {
        giveUp(index)
      }
    }
  }

  /// Puts the labels in the way of a cluster's box into the cluster.
  private mutating func evictAll(into group: Int) {
    collectOwners(groupCenter(groups[group].anchor, offset: groups[group].offset))
    for owner in owners where entries[Int(owner)].outcome == .standing { evict(owner, into: group) }
  }

  /// Hands the members of a cluster for which the screen has no room to another one.
  private mutating func giveUp(_ group: Int) {
    groups[group].id = 0
    let heir = nearestGroup(to: groups[group].anchor, within: .infinity)
    var member = groups[group].firstMember
    while member >= 0 {
      let next = entries[Int(member)].nextMember
      entries[Int(member)].nextMember = -1
      if let heir {
        if isFar(member, from: heir) { groups[heir].isForced = true }
        join(member, heir)
      } else {
        entries[Int(member)].outcome = .hidden
        memories[entries[Int(member)].memory].role = .none
      }
      member = next
    }
  }

  private mutating func collectOwners(_ center: Vector2) {
    owners.removeAll(keepingCapacity: true)
    resting.owners(
      center: center,
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      clearance: parameters.clearance,
      into: &owners
    )
  }

  /// The place nearest to an anchor, on the screen, where only labels that may be put into a cluster are in the way.
  private mutating func findEvictableOffset(_ anchor: Vector2) -> Vector2? {
    let step = parameters.clusterHeight / 2
    let reach = max(bounds.width, bounds.height) + parameters.clusterHeight
    guard step > 0 else { return nil }
    var shift = 0.0
    while shift <= reach {
      for direction in 0..<2 {
        let offset = Vector2(0, direction == 0 ? -shift : shift)
        let center = groupCenter(anchor, offset: offset)
        // A place the edge pushes far back belongs to a smaller shift, which was tried before.
        guard shift == 0 || (center - anchor - offset).length <= step + parameters.clusterWidth else { continue }
        collectOwners(center)
        if owners.allSatisfy({ isEvictable($0) }) { return offset }
      }
      shift += step
    }
    return nil
  }

  private func isEvictable(_ owner: Int32) -> Bool {
    owner >= 0 && owner != selectedEntry && entries[Int(owner)].outcome == .standing
  }

  private mutating func evict(_ index: Int32, into group: Int) {
    resting.setActive(entries[Int(index)].box, false)
    entries[Int(index)].box = -1
    // Taken from far away, it must not be let go for its distance at once.
    if isFar(index, from: group) { groups[group].isForced = true }
    join(index, group)
  }

  /// Clusters of nobody go; a cluster of one, which says less than its label would, is united with another or takes a
  /// label in: at once when it was founded by a newcomer, otherwise when it has been alone for a while.
  mutating func mendSingles() {
    for index in groups.indices where groups[index].id != 0 && groups[index].id != fan.cluster {
      let waiting = groups[index].waiting
      if waiting >= 0, entries[Int(waiting)].outcome == .undecided {
        // The other of the pair was selected in a fan that closed.
        join(waiting, index)
      }
      if groups[index].count == 0 {
        resting.setActive(groups[index].box, false)
        groups[index].id = 0
      } else if groups[index].count > 1 {
        groups[index].singleSince = .infinity
      } else {
        groups[index].singleSince = min(groups[index].singleSince, now)
        if groups[index].takesInAtOnce || now - groups[index].singleSince >= parameters.dwellSeconds {
          mendSingle(index)
        } else {
          isSettled = false
        }
      }
    }
  }

  private mutating func mendSingle(_ group: Int) {
    let member = groups[group].firstMember
    let anchor = groups[group].anchor
    // Near enough to stay there: the limit is below that of isFar.
    if let other = nearestGroup(to: entries[Int(member)].anchor, within: parameters.clusterRadius * 1.2, except: group)
    {
      resting.setActive(groups[group].box, false)
      groups[group].id = 0
      entries[Int(member)].nextMember = -1
      join(member, other)
      return
    }
    // Of the labels around, the farthest from the user; if there is none, the one whose place is closest.
    var around: Int32 = -1
    var closest: Int32 = -1
    var closestDistance = parameters.clusterRadius * 4
    for index in order where isEvictable(index) {
      let distance = (entries[Int(index)].anchor - anchor).length
      if distance <= parameters.clusterRadius,
        around < 0 || entries[Int(around)].isNearer(than: entries[Int(index)])
      {
        around = index
      }
      if distance < closestDistance {
        closest = index
        closestDistance = distance
      }
    }
    let companion = around >= 0 ? around : closest
    guard companion >= 0 else { return }

    evict(companion, into: group)
  }

  /// Lets boxes of clusters come back towards their place once there has been room for a while.
  mutating func tidyGroups() {
    for index in groups.indices where groups[index].id != 0 && groups[index].id != fan.cluster {
      let limit = groups[index].offset.length - parameters.liftStep
      guard limit > 0 else { continue }
      resting.setActive(groups[index].box, false)
      if let lift = steadyLift(ofGroup: index, below: limit),
        now - groups[index].betterSince >= parameters.dwellSeconds
      {
        groups[index].offset = Vector2(0, -lift)
        groups[index].betterSince = .infinity
        insertGroup(index)
      } else {
        resting.setActive(groups[index].box, true)
      }
    }
  }

  /// What ``steadyLift(_:below:)`` is to labels.
  private mutating func steadyLift(ofGroup index: Int, below limit: Double) -> Double? {
    let group = groups[index]
    var lift: Double?
    if group.betterSince <= now, group.betterLift < limit,
      resting.isFree(
        center: groupCenter(group.anchor, offset: Vector2(0, -group.betterLift)),
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        clearance: returnClearance,
        tremble: tremble(
          of: group.anchor,
          width: parameters.clusterWidth,
          height: parameters.clusterHeight,
          anchor: group.anchor
        )
      )
    {
      lift = group.betterLift
    } else {
      lift = findLift(
        natural: group.anchor,
        anchor: group.anchor,
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        upwards: true,
        below: limit,
        clearance: returnClearance
      )
      groups[index].betterLift = lift ?? 0
      groups[index].betterSince = lift == nil ? .infinity : now
    }
    if lift != nil { isSettled = false }
    return lift
  }
}
