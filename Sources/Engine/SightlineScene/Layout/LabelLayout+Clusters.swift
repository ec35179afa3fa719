import SightlineMath

extension [LabelGroup] {
  /// The live cluster a memory says it belongs to.
  ///
  /// Of the clusters, not of the layout: of what changes as it goes, a question gets a copy, in which every array is retained.
  func index(of memory: LabelMemory) -> Int? {
    guard memory.role == .member || memory.role == .fanned else { return nil }
    let index = Int(memory.group)
    guard index >= 0, index < count, self[index].id != 0, self[index].id == memory.cluster else { return nil }
    return index
  }
}

// Clusters: who belongs to them, when they form and dissolve.
extension LabelLayout {
  /// Finds the clusters of the last frame again: their lead, their anchor, how many members are in view.
  mutating func reviveGroups() {
    for index in groups.indices where groups[index].id != 0 {
      groups[index].leadEntry = -1
      groups[index].present = 0
      groups[index].count = 0
      groups[index].firstMember = -1
      groups[index].lastMember = -1
      groups[index].box = -1
      groups[index].tried = 0
      groups[index].hasReleased = false
      groups[index].waiting = -1
      groups[index].takesInAtOnce = false
    }
    if selectedEntry >= 0, isFanned(entries[Int(selectedEntry)]) { findLead(selectedEntry) }
    for index in order { findLead(index) }
    for index in groups.indices where groups[index].id != 0 { takeAnchor(index) }
    mergeGroups()
    for index in groups.indices where groups[index].id != 0 {
      groups[index].nearest = .infinity
      groups[index].hasFarMember = false
    }
    if selectedEntry >= 0, isFanned(entries[Int(selectedEntry)]) { count(selectedEntry) }
    for index in order { count(index) }
    for index in groups.indices { groups[index].isForced = groups[index].hasFarMember }
    for index in groups.indices where groups[index].id != 0 && groups[index].present == 0 {
      if groups[index].id == fan.cluster { closeFan() }
      groups[index].id = 0
    }
  }

  private mutating func findLead(_ index: Int32) {
    let memory = memories[entries[Int(index)].memory]
    guard let group = groups.index(of: memory) else { return }
    if memory.identity == groups[group].lead || groups[group].leadEntry < 0 { groups[group].leadEntry = index }
  }

  /// Lets the cluster's anchor follow its lead.
  ///
  /// When another had to take over the lead, the anchor stays where it was, relative to the new one, unless that is far
  /// away: then it moves there, and the offset is changed so that the box stays where it is.
  private mutating func takeAnchor(_ index: Int) {
    guard groups[index].leadEntry >= 0 else { return }
    let lead = entries[Int(groups[index].leadEntry)]
    let identity = memories[lead.memory].identity
    if identity != groups[index].lead {
      let change = groups[index].anchor - lead.anchor
      groups[index].lead = identity
      if change.length <= parameters.clusterRadius {
        groups[index].anchorFromLead = change
      } else {
        groups[index].anchorFromLead = .zero
        groups[index].offset = groups[index].offset + change
        groups[index].shownOffset = groups[index].shownOffset + change
      }
    }
    groups[index].anchor = lead.anchor + groups[index].anchorFromLead
  }

  /// Joins clusters that have come close; they part again only much further away, see ``count(_:)``.
  private mutating func mergeGroups() {
    var hasMerged = false
    let limit = parameters.clusterRadius * 0.6
    for a in groups.indices where isMergeable(a) {
      for b in groups.indices where b != a && isMergeable(b) && isMergeable(a) {
        let nearer = groups[a].nearest != groups[b].nearest ? groups[a].nearest < groups[b].nearest : a < b
        let offset = groups[a].anchor - groups[b].anchor
        guard nearer, offset.dot(offset) < limit * limit else { continue }
        for index in order {
          let memory = entries[Int(index)].memory
          guard groups.index(of: memories[memory]) == b else { continue }
          memories[memory].group = Int32(a)
          memories[memory].cluster = groups[a].id
        }
        groups[b].id = 0
        hasMerged = true
      }
    }
    if hasMerged { isSettled = false }
  }

  private func isMergeable(_ index: Int) -> Bool {
    groups[index].id != 0 && groups[index].id != fan.cluster && groups[index].leadEntry >= 0
  }

  /// Whether an entry is so far from a cluster that it does not stay its member.
  func isFar(_ index: Int32, from group: Int) -> Bool {
    (entries[Int(index)].anchor - groups[group].anchor).length > parameters.clusterRadius * 1.5
  }

  /// Counts a member as present, or lets it go when it has drifted too far from the cluster's anchor.
  private mutating func count(_ index: Int32) {
    let entry = entries[Int(index)]
    guard let group = groups.index(of: memories[entry.memory]) else { return }
    if isFar(index, from: group) {
      guard groups[group].isForced || groups[group].id == fan.cluster else {
        memories[entry.memory].role = .none
        return
      }
      if groups[group].isForced { groups[group].hasFarMember = true }
    }
    groups[group].present += 1
    groups[group].nearest = min(groups[group].nearest, entry.distance)
  }

  /// Centre of a cluster's box at an offset from its anchor, clamped to the screen.
  func groupCenter(_ anchor: Vector2, offset: Vector2) -> Vector2 {
    bounds.clamped(
      center: anchor + offset,
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      anchor: anchor,
      margin: parameters.margin
    )
  }

  /// The free place for a cluster's box nearest to an anchor: above, below or beside it.
  func findGroupOffset(_ anchor: Vector2) -> Vector2? {
    var best: Vector2?
    var limit = parameters.maximumLift + 2 * parameters.clusterHeight
    let pitch = parameters.clusterWidth + parameters.clearance
    for column in 0..<7 {
      let side = Double(column % 2 == 1 ? (column + 1) / 2 : -column / 2) * pitch
      guard abs(side) < limit else { break }
      for direction in 0..<2 {
        let upwards = direction == 0
        let vertical = (limit * limit - side * side).squareRoot()
        guard
          let lift = findLift(
            natural: Vector2(anchor.x + side, anchor.y),
            anchor: anchor,
            width: parameters.clusterWidth,
            height: parameters.clusterHeight,
            upwards: upwards,
            below: vertical,
            clearance: parameters.clearance
          )
        else { continue }
        best = Vector2(side, upwards ? -lift : lift)
        limit = (side * side + lift * lift).squareRoot()
      }
    }
    return best
  }

  /// A place, with room to spare, little above or below the one a cluster's box has to leave.
  func findNearbyOffset(_ index: Int) -> Vector2? {
    let offset = groups[index].offset
    var best: Vector2?
    var limit = parameters.clusterHeight
    for direction in 0..<2 {
      let upwards = direction == 0
      let lift = findLift(
        natural: groups[index].anchor + offset,
        anchor: groups[index].anchor,
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        upwards: upwards,
        below: limit,
        clearance: returnClearance
      )
      if let lift {
        best = Vector2(offset.x, offset.y + (upwards ? -lift : lift))
        limit = lift
      }
    }
    return best
  }

  /// Keeps the clusters' boxes where they are, if they fit.
  ///
  /// They come before the labels that are not selected, because a cluster stands for several. One that has to move finds
  /// its new place after the labels, so as to disturb none of them, see ``moveGroups()``.
  mutating func keepGroups() {
    for index in groups.indices where groups[index].id != 0 && groups[index].box < 0 {
      let kept = groupCenter(groups[index].anchor, offset: groups[index].offset)
      if resting.isFree(
        center: kept,
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        clearance: parameters.keepClearance
      ) {
        insertGroup(index)
      }
    }
  }

  /// Puts a cluster's box where its offset says.
  ///
  /// The owner of a cluster's box in the grid is negative.
  mutating func insertGroup(_ index: Int) {
    let center = groupCenter(groups[index].anchor, offset: groups[index].offset)
    groups[index].target = center
    groups[index].box = resting.insert(
      center: center,
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      owner: Int32(-1 - index),
      tremble: tremble(
        of: groups[index].anchor + groups[index].offset,
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        anchor: groups[index].anchor
      )
    )
  }

  /// Decides on an entry that was a member in the last frame: it stays, or is let go when it, and what is left behind,
  /// could have stood for long enough.
  mutating func decideMember(_ index: Int32, of group: Int) {
    if groups[group].present <= 2, groups[group].count > 0 {
      // Others have joined in this frame: no question of dissolving it now.
      join(index, group)
      return
    }
    switch groups[group].present {
    case 1:
      // The others may only have been shaken out of the picture, and are remembered for as long.
      resting.setActive(groups[group].box, false)
      if let lift = steadyLift(index, below: liftLimit(index)), hasDwelt(index),
        now - groups[group].singleSince >= parameters.memorySeconds
      {
        groups[group].id = 0
        stand(index, lift: lift)
      } else {
        resting.setActive(groups[group].box, true)
        join(index, group)
      }
    case 2 where groups[group].waiting < 0:
      groups[group].waiting = index
    case 2:
      decidePair(groups[group].waiting, index, of: group)
    default:
      if !groups[group].hasReleased, groups[group].tried < (groups[group].isForced ? 16 : 3) {
        groups[group].tried += 1
        if let lift = steadyLift(index, below: liftLimit(index)), hasDwelt(index) {
          groups[group].hasReleased = true
          stand(index, lift: lift)
          return
        }
      }
      join(index, group)
    }
  }

  /// A cluster of two dissolves only when both find a place at the same time: if one went alone, the other would have to
  /// pull it back in.
  private mutating func decidePair(_ first: Int32, _ second: Int32, of group: Int) {
    resting.setActive(groups[group].box, false)
    let before = resting.count
    let a = entries[Int(first)]
    var lifts: (Double, Double)?
    if let firstLift = steadyLift(first, below: liftLimit(first)) {
      resting.insert(center: position(a, lift: firstLift), width: a.width, height: a.height, owner: first)
      if let secondLift = steadyLift(second, below: liftLimit(second)) { lifts = (firstLift, secondLift) }
      resting.rollBack(to: before)
    }
    if let lifts, hasDwelt(first), hasDwelt(second) {
      groups[group].id = 0
      stand(first, lift: lifts.0)
      stand(second, lift: lifts.1)
      return
    }
    resting.setActive(groups[group].box, true)
    join(first, group)
    join(second, group)
  }

  /// The nearest closed cluster whose anchor is within a distance of a point.
  func nearestGroup(to point: Vector2, within radius: Double, except: Int = -1) -> Int? {
    var best: Int?
    var limit = radius * radius
    for index in groups.indices where groups[index].id != 0 && index != except {
      guard groups[index].id != fan.cluster else { continue }
      let offset = groups[index].anchor - point
      let distance = offset.dot(offset)
      if distance <= limit, best == nil || distance < limit {
        best = index
        limit = distance
      }
    }
    return best
  }

  /// Makes an entry a member; the list stays sorted, nearest first.
  mutating func join(_ index: Int32, _ group: Int) {
    let memory = entries[Int(index)].memory
    entries[Int(index)].outcome = .member
    entries[Int(index)].group = Int32(group)
    memories[memory].role = .member
    memories[memory].cluster = groups[group].id
    memories[memory].group = Int32(group)
    groups[group].count += 1
    groups[group].nearest = min(groups[group].nearest, entries[Int(index)].distance)

    let last = groups[group].lastMember
    if last < 0 {
      groups[group].firstMember = index
      groups[group].lastMember = index
    } else if !entries[Int(index)].isNearer(than: entries[Int(last)]) {
      entries[Int(last)].nextMember = index
      groups[group].lastMember = index
    } else {
      var previous: Int32 = -1
      var next = groups[group].firstMember
      while next >= 0, !entries[Int(index)].isNearer(than: entries[Int(next)]) {
        previous = next
        next = entries[Int(next)].nextMember
      }
      entries[Int(index)].nextMember = next
      if previous < 0 { groups[group].firstMember = index } else { entries[Int(previous)].nextMember = index }
    }
  }
}
