import SightlineMath

// From the places at rest to what is drawn now.
extension LabelLayout {
  /// Centre of a box as it is drawn now.
  @inline(__always)
  func shownCenter(of entry: LabelEntry, _ memory: LabelMemory) -> Vector2 {
    guard entry.outcome == .standing, memory.shownOffset != Vector2(0, -entry.lift) else { return entry.target }
    return bounds.clamped(
      center: entry.natural + memory.shownOffset,
      width: entry.width,
      height: entry.height,
      anchor: entry.anchor,
      margin: parameters.margin
    )
  }

  /// Centre of a cluster's box as it is drawn now.
  func shownCenter(of group: LabelGroup) -> Vector2 {
    let center = group.target + (group.shownOffset - group.offset)
    guard bounds.isStrict, group.shownOffset != group.offset else { return center }
    return bounds.clamped(
      center: center,
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      anchor: group.anchor,
      margin: 0
    )
  }

  /// Moves boxes towards their places at rest and fades new ones in, without ever drawing two over each other.
  ///
  /// While something moves, places are given out in this order: the selected label, all that is at rest, what moves,
  /// what is yet to appear. A box that finds its place taken is not drawn until it is free; it then fades in at rest.
  mutating func animate() {
    let isStart = elapsed == .infinity
    let left = isStart ? 0 : exp(-elapsed / max(parameters.glideSeconds, 1e-9))
    var isMoving = false
    for index in entries.indices where entries[index].outcome == .standing || entries[index].outcome == .fanned {
      if advance(entry: index, left: left, isStart: isStart) { isMoving = true }
    }
    for index in groups.indices where groups[index].id != 0 {
      if advance(group: index, left: left, isStart: isStart) { isMoving = true }
    }
    if isStart { fan.opacity = 1 }
    if isMoving { giveWay() }
    let fade = isStart ? 1 : elapsed / max(parameters.fadeSeconds, 1e-9)
    fadeIn(fade, canOverlap: isMoving)
    if isMoving { isSettled = false }
  }

  /// Moves one label on; true when it is not at rest yet.
  private mutating func advance(entry index: Int, left: Double, isStart: Bool) -> Bool {
    let entry = entries[index]
    var memory = memories[entry.memory]
    let rest = entry.outcome == .standing ? Vector2(0, -entry.lift) : entry.target - entry.natural
    if isStart || memory.shownFrame != frame &- 1 {
      memory.shownOffset = rest
      memory.opacity = isStart || entry.isSelected ? 1 : 0
    } else if entry.outcome == .fanned || memory.opacity == 0 {
      memory.shownOffset = rest
    } else {
      memory.shownOffset = Self.approach(memory.shownOffset, rest, left)
    }
    if entry.isSelected { memory.opacity = 1 }
    memory.shownFrame = frame
    memories[entry.memory] = memory
    return entry.outcome == .standing && memory.shownOffset != rest
  }

  private mutating func advance(group index: Int, left: Double, isStart: Bool) -> Bool {
    let rest = groups[index].offset
    if isStart || groups[index].shownFrame != frame &- 1 {
      groups[index].shownOffset = rest
      groups[index].opacity = isStart ? 1 : 0
    } else if groups[index].id == fan.cluster || groups[index].opacity == 0 {
      groups[index].shownOffset = rest
    } else {
      groups[index].shownOffset = Self.approach(groups[index].shownOffset, rest, left)
    }
    groups[index].shownFrame = frame
    return groups[index].shownOffset != rest
  }

  private static func approach(_ value: Vector2, _ goal: Vector2, _ left: Double) -> Vector2 {
    let offset = value - goal
    let next = offset * left
    // Half a point is no visible step.
    return next.length < 0.5 ? goal : goal + next
  }

  /// Decides which boxes may be drawn while some are on their way.
  private mutating func giveWay() {
    drawn.reset(bounds: bounds)
    drawn.setObstacles(obstacles)
    if selectedEntry >= 0, entries[Int(selectedEntry)].box >= 0 || entries[Int(selectedEntry)].outcome == .fanned {
      let entry = entries[Int(selectedEntry)]
      drawn.insert(
        center: shownCenter(of: entry, memories[entry.memory]),
        width: entry.width,
        height: entry.height,
        owner: 0
      )
    }
    for pass in 0..<2 {
      let moves = pass == 1
      for index in groups.indices where groups[index].id != 0 && groups[index].opacity > 0 {
        let group = groups[index]
        guard (group.shownOffset != group.offset) == moves else { continue }
        if !draw(shownCenter(of: group), parameters.clusterWidth, parameters.clusterHeight) {
          groups[index].shownOffset = group.offset
          groups[index].opacity = 0
        }
      }
      if !moves, fan.remainder != 0, fan.opacity > 0 {
        if !draw(remainderCenter, parameters.clusterWidth, parameters.clusterHeight) { fan.opacity = 0 }
      }
      for index in order { giveWay(index, moves: moves) }
    }
  }

  private mutating func giveWay(_ index: Int32, moves: Bool) {
    let entry = entries[Int(index)]
    guard entry.outcome == .standing || entry.outcome == .fanned, !entry.isSelected else { return }
    let memory = memories[entry.memory]
    let isAway = entry.outcome == .standing && memory.shownOffset != Vector2(0, -entry.lift)
    guard memory.opacity > 0, isAway == moves else { return }
    if !draw(shownCenter(of: entry, memory), entry.width, entry.height) {
      memories[entry.memory].shownOffset = Vector2(0, -entry.lift)
      memories[entry.memory].opacity = 0
    }
  }

  private var remainderCenter: Vector2 {
    let cluster = fan.cluster
    let group = groups.first { $0.id == cluster }
    return (group?.anchor ?? .zero) + fan.remainderOffset + fan.shift
  }

  private mutating func draw(_ center: Vector2, _ width: Double, _ height: Double) -> Bool {
    guard drawn.isFree(center: center, width: width, height: height, clearance: 0) else { return false }
    drawn.insert(center: center, width: width, height: height, owner: 0)
    return true
  }

  /// Raises opacities; what is not visible yet begins only where nothing on its way is in the way.
  private mutating func fadeIn(_ step: Double, canOverlap: Bool) {
    for index in groups.indices where groups[index].id != 0 && groups[index].opacity < 1 {
      isSettled = false
      if canOverlap, groups[index].opacity == 0, step > 0,
        !draw(shownCenter(of: groups[index]), parameters.clusterWidth, parameters.clusterHeight)
      {
        continue
      }
      groups[index].opacity = min(1, groups[index].opacity + step)
    }
    if fan.remainder != 0, fan.opacity < 1 {
      isSettled = false
      if !canOverlap || fan.opacity > 0 || step == 0
        || draw(remainderCenter, parameters.clusterWidth, parameters.clusterHeight)
      {
        fan.opacity = min(1, fan.opacity + step)
      }
    }
    for index in order {
      let entry = entries[Int(index)]
      guard entry.outcome == .standing || entry.outcome == .fanned, memories[entry.memory].opacity < 1 else {
        continue
      }
      isSettled = false
      if canOverlap, memories[entry.memory].opacity == 0, step > 0,
        !draw(entry.target, entry.width, entry.height)
      {
        continue
      }
      memories[entry.memory].opacity = min(1, memories[entry.memory].opacity + step)
    }
  }
}
