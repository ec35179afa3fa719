import SightlineMath

/// From the places at rest to what is drawn now: moves boxes towards their places and fades new ones in, without ever
/// drawing two over each other.
///
/// In: the arrangement at rest. Out: where each label and cluster is shown, and how opaque.
///
/// While something moves, places are given out in this order: the selected label, all that is at rest, what moves, what
/// is yet to appear. A box that finds its place taken is not drawn until it is free; it then fades in at rest.
struct LabelMotion: Sendable {
  /// Boxes as drawn, while something moves.
  private var drawn = OccupancyGrid()
  /// Whether nothing moves or fades.
  private(set) var isSettled = true

  /// Moves all on to the frame's time.
  mutating func run(_ a: inout LabelArrangement, obstacles: [ScreenRectangle]) {
    let frame = a.frame
    isSettled = true
    let left = frame.isFirst ? 0 : exp(-frame.elapsed / max(frame.parameters.glideSeconds, 1e-9))
    var isMoving = false
    for index in a.labels.entries.indices where a.labels.entries[index].hasPlace {
      if advance(entry: index, left: left, frame, &a.labels) { isMoving = true }
    }
    let open = a.clusters.fan.cluster
    for index in a.clusters.groups.indices where a.clusters.groups[index].id != 0 {
      if advance(&a.clusters.groups[index], left: left, frame, open: open) { isMoving = true }
    }
    if frame.isFirst { a.clusters.fan.opacity = 1 }
    if isMoving {
      isSettled = false
      drawn.reset(bounds: frame.bounds)
      drawn.setObstacles(obstacles)
      giveWay(&a)
    }
    let fade = frame.isFirst ? 1 : frame.elapsed / max(frame.parameters.fadeSeconds, 1e-9)
    fadeIn(fade, canOverlap: isMoving, &a)
  }

  /// Moves one label on; true when it is not at rest yet.
  private func advance(entry index: Int, left: Double, _ frame: LabelFrame, _ labels: inout LabelTable) -> Bool {
    let entry = labels.entries[index]
    var memory = labels.memories[entry.memory]
    let rest = entry.outcome == .standing ? Vector2(0, -entry.lift) : entry.target - entry.natural
    if frame.isFirst || memory.shownFrame != frame.number &- 1 {
      memory.shownOffset = rest
      memory.opacity = frame.isFirst || entry.isSelected ? 1 : 0
    } else if entry.outcome == .fanned || memory.opacity == 0 {
      memory.shownOffset = rest
    } else {
      memory.shownOffset = Self.approach(memory.shownOffset, rest, left)
    }
    if entry.isSelected { memory.opacity = 1 }
    memory.shownFrame = frame.number
    labels.memories[entry.memory] = memory
    return entry.outcome == .standing && memory.shownOffset != rest
  }

  private func advance(_ group: inout LabelGroup, left: Double, _ frame: LabelFrame, open: Int32) -> Bool {
    let rest = group.offset
    if frame.isFirst || group.shownFrame != frame.number &- 1 {
      group.shownOffset = rest
      group.opacity = frame.isFirst ? 1 : 0
    } else if group.id == open || group.opacity == 0 {
      group.shownOffset = rest
    } else {
      group.shownOffset = Self.approach(group.shownOffset, rest, left)
    }
    group.shownFrame = frame.number
    return group.shownOffset != rest
  }

  private static func approach(_ value: Vector2, _ goal: Vector2, _ left: Double) -> Vector2 {
    let offset = value - goal
    let next = offset * left
    // Half a point is no visible step.
    return next.length < 0.5 ? goal : goal + next
  }

  /// Decides which boxes may be drawn while some are on their way.
  private mutating func giveWay(_ a: inout LabelArrangement) {
    let frame = a.frame
    let selected = a.labels.selected
    if selected >= 0 {
      let entry = a.labels.entries[Int(selected)]
      if entry.box >= 0 || entry.outcome == .fanned {
        drawn.insert(
          center: frame.shownCenter(of: entry, a.labels.memories[entry.memory]),
          width: entry.width,
          height: entry.height,
          owner: -1
        )
      }
    }
    for pass in 0..<2 {
      let moves = pass == 1
      for index in a.clusters.groups.indices {
        let group = a.clusters.groups[index]
        guard group.id != 0, group.opacity > 0, (group.shownOffset != group.offset) == moves else { continue }
        if !drawBadge(frame.shownCenter(of: group), frame) {
          a.clusters.groups[index].shownOffset = group.offset
          a.clusters.groups[index].opacity = 0
        }
      }
      if !moves, a.clusters.fan.remainder != 0, a.clusters.fan.opacity > 0 {
        if !drawBadge(a.clusters.remainderCenter, frame) { a.clusters.fan.opacity = 0 }
      }
      for index in a.labels.order { giveWay(index, moves: moves, frame, &a.labels) }
    }
  }

  private mutating func giveWay(_ index: Int32, moves: Bool, _ frame: LabelFrame, _ labels: inout LabelTable) {
    let entry = labels.entries[Int(index)]
    guard entry.hasPlace, !entry.isSelected else { return }
    let memory = labels.memories[entry.memory]
    let isAway = entry.outcome == .standing && memory.shownOffset != Vector2(0, -entry.lift)
    guard memory.opacity > 0, isAway == moves else { return }
    if !drawn.insertIfFree(center: frame.shownCenter(of: entry, memory), width: entry.width, height: entry.height) {
      labels.memories[entry.memory].shownOffset = Vector2(0, -entry.lift)
      labels.memories[entry.memory].opacity = 0
    }
  }

  private mutating func drawBadge(_ center: Vector2, _ frame: LabelFrame) -> Bool {
    drawn.insertIfFree(
      center: center,
      width: frame.parameters.clusterWidth,
      height: frame.parameters.clusterHeight
    )
  }

  /// Raises opacities; what is not visible yet begins only where nothing on its way is in the way.
  private mutating func fadeIn(_ step: Double, canOverlap: Bool, _ a: inout LabelArrangement) {
    let frame = a.frame
    let asks = canOverlap && step > 0
    for index in a.clusters.groups.indices {
      let group = a.clusters.groups[index]
      guard group.id != 0, group.opacity < 1 else { continue }
      isSettled = false
      if asks, group.opacity == 0, !drawBadge(frame.shownCenter(of: group), frame) { continue }
      a.clusters.groups[index].opacity = min(1, group.opacity + step)
    }
    if a.clusters.fan.remainder != 0, a.clusters.fan.opacity < 1 {
      isSettled = false
      var appears = true
      if asks, a.clusters.fan.opacity <= 0 { appears = drawBadge(a.clusters.remainderCenter, frame) }
      if appears { a.clusters.fan.opacity = min(1, a.clusters.fan.opacity + step) }
    }
    for index in a.labels.order {
      let entry = a.labels.entries[Int(index)]
      guard entry.hasPlace else { continue }
      let opacity = a.labels.memories[entry.memory].opacity
      guard opacity < 1 else { continue }
      isSettled = false
      if asks, opacity == 0,
        !drawn.insertIfFree(center: entry.target, width: entry.width, height: entry.height)
      {
        continue
      }
      a.labels.memories[entry.memory].opacity = min(1, opacity + step)
    }
  }
}

extension LabelFrame {
  /// Centre of a label's box as it is drawn now.
  @inline(__always)
  func shownCenter(of entry: LabelEntry, _ memory: LabelMemory) -> Vector2 {
    guard entry.outcome == .standing, memory.shownOffset != Vector2(0, -entry.lift) else { return entry.target }
    var box = entry.wantedBox
    box.natural = entry.natural + memory.shownOffset
    return clamped(box)
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
}
