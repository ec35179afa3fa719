import SightlineMath

/// Places the open cluster and its members; only the selected label comes before them.
///
/// In: the arrangement with the selected label, and the fan as it was. Out: the members fanned out, and the rest of them in the
/// cluster; or the fan closed, where the screen has no room.
///
/// The fan moves with the cluster's anchor as one piece and is pushed back as one piece at the screen's edge, so that
/// nothing in it hops; it is arranged anew only when it no longer fits.
struct FanPlacement: Sendable {
  private var columns = FanColumns()
  /// The members in view, nearest first; reused.
  private var candidates: [Int32] = []

  /// Keeps the fan, or arranges it anew.
  mutating func run(_ a: inout LabelArrangement, obstacles: [ScreenRectangle]) {
    let id = a.clusters.fan.cluster
    guard id != 0 else { return }
    guard let group = a.clusters.groups.firstIndex(where: { $0.id == id }) else {
      a.clusters.closeFan()
      return
    }
    collect(group, &a)
    if a.clusters.fan.isLaidOut, !keep(group, &a) {
      a.clusters.fan.isLaidOut = false
      a.clusters.fan.keepsMembers = true
    }
    if a.clusters.fan.cluster != 0, !a.clusters.fan.isLaidOut { layOut(group, &a, obstacles) }
    // When the fan had to close, its members are decided upon like those of any cluster.
    guard a.clusters.fan.cluster != 0 else { return }
    for index in candidates where a.labels.entries[Int(index)].outcome == .undecided {
      a.clusters.join(index, group, in: &a.labels)
    }
  }

  private mutating func collect(_ group: Int, _ a: inout LabelArrangement) {
    candidates.removeAll(keepingCapacity: true)
    a.clusters.fan.members.removeAll(keepingCapacity: true)
    var selected = a.labels.selected
    if selected >= 0, !a.clusters.isFanned(a.labels.memory(of: selected)) { selected = -1 }
    for index in a.labels.order {
      guard a.clusters.index(of: a.labels.memory(of: index)) == group else { continue }
      if selected >= 0, a.labels.entries[Int(selected)].isNearer(than: a.labels.entries[Int(index)]) {
        candidates.append(selected)
        selected = -1
      }
      candidates.append(index)
    }
    if selected >= 0 { candidates.append(selected) }
  }

  /// Puts the fan where it was, relative to its anchor; false when it no longer fits.
  private func keep(_ group: Int, _ a: inout LabelArrangement) -> Bool {
    for index in candidates where a.labels.memory(of: index).role == .fanned { a.clusters.fan.members.append(index) }
    if a.clusters.fan.members.isEmpty {
      a.clusters.closeFan()
      return true
    }
    let before = a.slots.grid.count
    guard keepRemainder(a.clusters.fan.members.count, &a.clusters.fan), shift(group, &a), insert(group, &a) else {
      a.slots.grid.rollBack(to: before)
      a.clusters.groups[group].box = -1
      a.clusters.fan.members.removeAll(keepingCapacity: true)
      return false
    }
    for index in a.clusters.fan.members { a.labels.entries[Int(index)].outcome = .fanned }
    return true
  }

  /// False when one that was out of view has come back, and there is no box for it to be in.
  private func keepRemainder(_ members: Int, _ fan: inout LabelFan) -> Bool {
    if members == candidates.count {
      fan.remainder = 0
      return true
    }
    return fan.remainder != 0
  }

  /// Pushes the fan, as one piece, back onto the screen; false when it is larger than that.
  private func shift(_ group: Int, _ a: inout LabelArrangement) -> Bool {
    let parameters = a.frame.parameters
    let bounds = a.frame.bounds
    let anchor = a.clusters.groups[group].anchor
    let badge = bounds.halfExtent(width: parameters.clusterWidth, height: parameters.clusterHeight)
    var extent = ScreenExtent(
      around: bounds.screen(fromLevelled: anchor + a.clusters.groups[group].offset),
      half: badge
    )
    if a.clusters.fan.remainder != 0 {
      extent.include(bounds.screen(fromLevelled: anchor + a.clusters.fan.remainderOffset), half: badge)
    }
    for index in a.clusters.fan.members {
      let entry = a.labels.entries[Int(index)]
      extent.include(
        bounds.screen(fromLevelled: anchor + a.labels.memories[entry.memory].fanOffset),
        half: bounds.halfExtent(width: entry.width, height: entry.height)
      )
    }
    // Half a margin more than there is: the arrangement used the margin fully, and a turning phone changes the extent.
    guard let push = extent.push(into: bounds.free, slack: parameters.margin / 2) else { return false }
    a.clusters.fan.shift = push == .zero ? .zero : push.rotated(cosine: bounds.cosine, sine: -bounds.sine)
    return true
  }

  /// Puts the boxes of the fan in; false when something is in their way.
  private func insert(_ group: Int, _ a: inout LabelArrangement) -> Bool {
    let width = a.frame.parameters.clusterWidth
    let height = a.frame.parameters.clusterHeight
    let anchor = a.clusters.groups[group].anchor
    let shift = a.clusters.fan.shift
    let target = anchor + a.clusters.groups[group].offset + shift
    a.clusters.groups[group].target = target
    a.clusters.groups[group].box = a.slots.grid.count
    guard a.slots.grid.insertIfFree(center: target, width: width, height: height) else { return false }
    if a.clusters.fan.remainder != 0 {
      let center = anchor + a.clusters.fan.remainderOffset + shift
      guard a.slots.grid.insertIfFree(center: center, width: width, height: height) else { return false }
    }
    for index in a.clusters.fan.members {
      let entry = a.labels.entries[Int(index)]
      let center = anchor + a.labels.memories[entry.memory].fanOffset + shift
      guard a.slots.grid.insertIfFree(center: center, width: entry.width, height: entry.height) else { return false }
      a.labels.entries[Int(index)].target = center
    }
    return true
  }

  /// Gives the members new places.
  private mutating func layOut(_ group: Int, _ a: inout LabelArrangement, _ obstacles: [ScreenRectangle]) {
    let before = a.slots.grid.count
    let anchor = a.clusters.groups[group].anchor
    a.clusters.fan.members.removeAll(keepingCapacity: true)
    a.clusters.fan.shift = .zero
    let kept = a.frame.badge(at: anchor, offset: a.clusters.groups[group].offset)
    if !a.slots.isFree(kept, clearance: a.frame.parameters.keepClearance) {
      guard let offset = a.slots.findOffset(anchor) else {
        a.clusters.closeFan()
        return
      }
      a.clusters.groups[group].offset = offset
    }
    a.slots.insertBadge(group, in: &a.clusters)
    let badge = a.clusters.groups[group].target
    columns.order(candidates, &a.clusters, a.labels)
    columns.arrange(around: badge, &a, obstacles)
    placeRemainder(around: badge, anchor, &a)
    if a.clusters.fan.members.isEmpty {
      // Not one member fits beside the cluster on this screen: it stays closed.
      a.clusters.closeFan()
      a.slots.grid.rollBack(to: before)
      a.clusters.groups[group].box = -1
      return
    }
    // Relative to the box as it stands, which the screen's edge may have moved.
    a.clusters.groups[group].offset = badge - anchor
    a.clusters.groups[group].shownOffset = a.clusters.groups[group].offset
    for index in a.clusters.fan.members {
      let memory = a.labels.entries[Int(index)].memory
      a.labels.memories[memory].role = .fanned
      a.labels.memories[memory].fanOffset = a.labels.entries[Int(index)].target - anchor
      a.labels.memories[memory].shownFrame = 0
    }
    a.clusters.fan.sortMembers(a.labels.entries)
    a.clusters.fan.isLaidOut = true
  }

  /// Gives those that found no room in the fan a box of their own, if need be at the place of the last members.
  private func placeRemainder(around badge: Vector2, _ anchor: Vector2, _ a: inout LabelArrangement) {
    let lastRemainder = a.clusters.fan.remainder
    a.clusters.fan.remainder = 0
    while a.clusters.fan.members.count < candidates.count, let last = a.clusters.fan.members.last {
      if let center = columns.findRemainder(around: badge, a.slots) {
        a.slots.grid.insert(
          center: center,
          width: a.frame.parameters.clusterWidth,
          height: a.frame.parameters.clusterHeight,
          owner: -1
        )
        if lastRemainder == 0 { a.clusters.fan.opacity = 0 }
        a.clusters.fan.remainder = lastRemainder == 0 ? a.clusters.newID() : lastRemainder
        a.clusters.fan.remainderOffset = center - anchor
        return
      }
      a.slots.grid.rollBack(to: a.slots.grid.count - 1)
      a.labels.entries[Int(last)].outcome = .undecided
      a.clusters.fan.members.removeLast()
    }
  }
}

/// The smallest rectangle of the screen, along its own axes, around several boxes.
private struct ScreenExtent {
  var low: Vector2
  var high: Vector2

  init(around center: Vector2, half: Vector2) {
    low = center - half
    high = center + half
  }

  mutating func include(_ p: Vector2, half: Vector2) {
    low = Vector2(min(low.x, p.x - half.x), min(low.y, p.y - half.y))
    high = Vector2(max(high.x, p.x + half.x), max(high.y, p.y + half.y))
  }

  /// The shortest way into a rectangle, `slack` points from its edges; `nil` when it is too small.
  func push(into free: ScreenRectangle, slack: Double) -> Vector2? {
    let room = Vector2(free.width - 2 * slack, free.height - 2 * slack)
    guard high.x - low.x <= room.x, high.y - low.y <= room.y else { return nil }
    return Vector2(
      clamp(low.x, free.x + slack, free.x + slack + room.x - (high.x - low.x)) - low.x,
      clamp(low.y, free.y + slack, free.y + slack + room.y - (high.y - low.y)) - low.y
    )
  }
}
