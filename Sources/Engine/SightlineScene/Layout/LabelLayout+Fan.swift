import SightlineMath

// The fan: members of the open cluster in columns above, below and beside it.
extension LabelLayout {
  /// Whether an entry was fanned out of the cluster that is open.
  func isFanned(_ entry: LabelEntry) -> Bool {
    guard entry.memory >= 0 else { return false }
    let memory = memories[entry.memory]
    // Not by `&&`: what stands behind it is a closure, which would hold a copy of the whole layout.
    guard memory.role == .fanned, memory.cluster == fan.cluster else { return false }
    return groups.index(of: memory) != nil
  }

  /// Places the open cluster and its members; only the selected label comes before them.
  ///
  /// The fan moves with the cluster's anchor as one piece and is pushed back as one piece at the screen's edge, so that
  /// nothing in it hops; it is arranged anew only when it no longer fits.
  mutating func placeFan() {
    guard fan.cluster != 0 else { return }
    guard let group = groups.firstIndex(where: { $0.id == fan.cluster }) else {
      closeFan()
      return
    }
    collectFanCandidates(group)
    if fan.isLaidOut, !keepFan(group) {
      fan.isLaidOut = false
      fan.keepsMembers = true
    }
    if fan.cluster != 0, !fan.isLaidOut { layOutFan(group) }
    // When the fan had to close, its members are decided upon like those of any cluster.
    guard fan.cluster != 0 else { return }
    for index in fanCandidates where entries[Int(index)].outcome == .undecided { join(index, group) }
  }

  /// Gathers the members in view in `fanCandidates`, nearest first.
  private mutating func collectFanCandidates(_ group: Int) {
    fanCandidates.removeAll(keepingCapacity: true)
    fan.members.removeAll(keepingCapacity: true)
    var selected = selectedEntry >= 0 && isFanned(entries[Int(selectedEntry)]) ? selectedEntry : -1
    for index in order where groups.index(of: memories[entries[Int(index)].memory]) == group {
      if selected >= 0, entries[Int(selected)].isNearer(than: entries[Int(index)]) {
        fanCandidates.append(selected)
        selected = -1
      }
      fanCandidates.append(index)
    }
    if selected >= 0 { fanCandidates.append(selected) }
  }

  /// Puts the fan where it was, relative to its anchor; false when it no longer fits.
  private mutating func keepFan(_ group: Int) -> Bool {
    let before = resting.count
    let anchor = groups[group].anchor
    for index in fanCandidates where memories[entries[Int(index)].memory].role == .fanned { fan.members.append(index) }
    if fan.members.isEmpty {
      closeFan()
      return true
    }
    if fan.members.count == fanCandidates.count {
      fan.remainder = 0
    } else if fan.remainder == 0 {
      // One that was out of view has come back, and there is no box for it to be in.
      return giveUpFan(before)
    }
    let half = bounds.halfExtent(width: parameters.clusterWidth, height: parameters.clusterHeight)
    let badge = bounds.screen(fromLevelled: anchor + groups[group].offset)
    var low = badge - half
    var high = badge + half
    func include(_ center: Vector2, _ half: Vector2) {
      let p = bounds.screen(fromLevelled: center)
      low = Vector2(min(low.x, p.x - half.x), min(low.y, p.y - half.y))
      high = Vector2(max(high.x, p.x + half.x), max(high.y, p.y + half.y))
    }
    if fan.remainder != 0 { include(anchor + fan.remainderOffset, half) }
    for index in fan.members {
      let entry = entries[Int(index)]
      include(
        anchor + memories[entry.memory].fanOffset,
        bounds.halfExtent(width: entry.width, height: entry.height)
      )
    }
    // Half a margin more than there is: the arrangement used the margin fully, and a turning phone changes the extent.
    let slack = parameters.margin / 2
    let free = bounds.free
    let room = Vector2(free.width - 2 * slack, free.height - 2 * slack)
    guard high.x - low.x <= room.x, high.y - low.y <= room.y else { return giveUpFan(before) }
    let push = Vector2(
      clamp(low.x, free.x + slack, free.x + slack + room.x - (high.x - low.x)) - low.x,
      clamp(low.y, free.y + slack, free.y + slack + room.y - (high.y - low.y)) - low.y
    )
    fan.shift = push == .zero ? .zero : push.rotated(cosine: bounds.cosine, sine: -bounds.sine)

    groups[group].target = anchor + groups[group].offset + fan.shift
    guard insertGroupOfFan(group) else { return giveUpFan(before) }
    if fan.remainder != 0 {
      guard insertFanBox(anchor + fan.remainderOffset + fan.shift, parameters.clusterWidth, parameters.clusterHeight, 0)
      else { return giveUpFan(before) }
    }
    for index in fan.members {
      let entry = entries[Int(index)]
      let center = anchor + memories[entry.memory].fanOffset + fan.shift
      guard insertFanBox(center, entry.width, entry.height, 0) else { return giveUpFan(before) }
      entries[Int(index)].target = center
    }
    for index in fan.members { entries[Int(index)].outcome = .fanned }
    return true
  }

  private mutating func giveUpFan(_ count: Int32) -> Bool {
    resting.rollBack(to: count)
    fan.members.removeAll(keepingCapacity: true)
    return false
  }

  private mutating func insertGroupOfFan(_ group: Int) -> Bool {
    groups[group].box = resting.count
    return insertFanBox(groups[group].target, parameters.clusterWidth, parameters.clusterHeight, 0)
  }

  mutating func insertFanBox(_ center: Vector2, _ width: Double, _ height: Double, _ clearance: Double) -> Bool {
    guard resting.isFree(center: center, width: width, height: height, clearance: clearance) else { return false }
    resting.insert(center: center, width: width, height: height, owner: -1)
    return true
  }

  /// Gives the members new places.
  private mutating func layOutFan(_ group: Int) {
    let before = resting.count
    let anchor = groups[group].anchor
    fan.members.removeAll(keepingCapacity: true)
    fan.shift = .zero
    if !resting.isFree(
      center: groupCenter(anchor, offset: groups[group].offset),
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      clearance: parameters.keepClearance
    ) {
      guard let offset = findGroupOffset(anchor) else {
        closeFan()
        return
      }
      groups[group].offset = offset
    }
    insertGroup(group)
    orderFanCandidates()
    let wanted = min(owners.count, Int(parameters.fanMaximum))
    arrangeFan(around: groups[group].target, wanted: wanted)
    let lastRemainder = fan.remainder
    fan.remainder = 0
    while fan.members.count < fanCandidates.count, let last = fan.members.last {
      // The remainder needs a place of its own, if need be that of the last member.
      if let center = remainderPlace(around: groups[group].target) {
        resting.insert(
          center: center,
          width: parameters.clusterWidth,
          height: parameters.clusterHeight,
          owner: -1
        )
        if lastRemainder == 0 {
          lastID = lastID == .max ? 1 : lastID + 1
          fan.opacity = 0
        }
        fan.remainder = lastRemainder == 0 ? lastID : lastRemainder
        fan.remainderOffset = center - anchor
        break
      }
      resting.rollBack(to: resting.count - 1)
      entries[Int(last)].outcome = .undecided
      fan.members.removeLast()
    }
    if fan.members.isEmpty {
      // Not one member fits beside the cluster on this screen: it stays closed.
      closeFan()
      resting.rollBack(to: before)
      groups[group].box = -1
      return
    }
    // Relative to the box as it stands, which the screen's edge may have moved.
    groups[group].offset = groups[group].target - anchor
    groups[group].shownOffset = groups[group].offset
    for index in fan.members {
      let memory = entries[Int(index)].memory
      memories[memory].role = .fanned
      memories[memory].fanOffset = entries[Int(index)].target - anchor
      memories[memory].shownFrame = 0
    }
    sortFanMembers()
    fan.isLaidOut = true
  }

  /// Brings the candidates into the order in which they get places, in `owners`: the selected one, those shown already
  /// when they are to stay, then the others from the page's start.
  private mutating func orderFanCandidates() {
    owners.removeAll(keepingCapacity: true)
    if fan.start >= fanCandidates.count { fan.start = 0 }
    for index in fanCandidates where index == selectedEntry { owners.append(index) }
    if fan.keepsMembers {
      for index in fanCandidates where index != selectedEntry && isFanned(entries[Int(index)]) { owners.append(index) }
    }
    for position in fanCandidates.indices where position >= fan.start && fanCandidates[position] != selectedEntry {
      if fan.keepsMembers, isFanned(entries[Int(fanCandidates[position])]) { continue }
      owners.append(fanCandidates[position])
    }
  }

  /// Nearest first, by insertion: there are few, nearly in order.
  private mutating func sortFanMembers() {
    for end in fan.members.indices.dropFirst() {
      var place = end
      while place > 0,
        entries[Int(fan.members[place])].isNearer(than: entries[Int(fan.members[place - 1])])
      {
        fan.members.swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}
