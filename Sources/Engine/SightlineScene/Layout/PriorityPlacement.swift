import SightlineMath

/// Finds places for the labels in the order of priority: each at its place, lifted above what stands there already, or in
/// a cluster.
///
/// In: the arrangement with the fan and the clusters that stay. Out: an outcome for every entry, but for one that waits for the
/// other of its pair.
struct PriorityPlacement: Sendable {
  private var founding = ClusterFounding()

  /// Puts the selected label first: it always stands.
  func placeSelected(_ a: inout LabelArrangement) {
    let selected = a.labels.selected
    guard selected >= 0 else { return }
    let entry = a.labels.entries[Int(selected)]
    let memory = a.labels.memories[entry.memory]
    guard entry.outcome == .undecided else { return }
    // Touched in the fan, it stays there.
    guard !a.clusters.isFanned(memory) else { return }
    let lift = memory.role == .standing ? memory.lift : 0
    let isFree = a.slots.grid.isClear(
      center: a.frame.clamped(entry.wantedBox.lifted(by: lift)),
      width: entry.width,
      height: entry.height,
      clearance: a.frame.parameters.keepClearance
    )
    let settled = isFree ? settledLift(selected, lift, &a) : liftOffObstacles(entry.wantedBox, a.slots)
    a.slots.stand(selected, lift: settled, in: &a.labels)
  }

  /// Places all others.
  mutating func run(_ a: inout LabelArrangement) {
    for index in a.labels.order { decide(index, &a) }
  }

  private mutating func decide(_ index: Int32, _ a: inout LabelArrangement) {
    let entry = a.labels.entries[Int(index)]
    guard entry.outcome == .undecided else { return }
    let memory = a.labels.memories[entry.memory]
    if memory.role == .standing {
      if entry.level > entry.wanted, grow(index, &a) { return }
      if a.slots.isFree(entry.wantedBox.lifted(by: memory.lift), clearance: a.frame.parameters.keepClearance) {
        let lift = entry.level > entry.wanted ? memory.lift : settledLift(index, memory.lift, &a)
        a.slots.stand(index, lift: lift, in: &a.labels)
      } else {
        // Having to move, it goes where it will not soon have to move again, if there is such a place.
        standOrJoin(index, clearance: a.frame.returnClearance, &a)
      }
    } else if let group = a.clusters.index(of: memory) {
      MemberRelease.decide(index, of: group, &a)
    } else if let group = a.clusters.nearest(to: entry.anchor, within: a.frame.parameters.clusterRadius / 2),
      a.clusters.groups[group].nearest <= entry.distance
    {
      a.clusters.join(index, group, in: &a.labels)
    } else {
      standOrJoin(index, clearance: a.frame.parameters.clearance, &a)
    }
  }

  private mutating func standOrJoin(_ index: Int32, clearance: Double, _ a: inout LabelArrangement) {
    while true {
      let entry = a.labels.entries[Int(index)]
      var lift = findPlace(entry, clearance: clearance, a.slots)
      if lift == nil { lift = findPlace(entry, clearance: a.frame.parameters.clearance, a.slots) }
      if let lift { return a.slots.stand(index, lift: lift, in: &a.labels) }
      // Less of it may fit.
      guard entry.hasLevels, let less = LabelLevel(rawValue: entry.level.rawValue + 1) else { break }
      a.labels.entries[Int(index)].show(at: less, dotSide: a.frame.parameters.dotSide)
    }
    founding.joinAny(index, &a)
  }

  /// Shows more of a label that stands, once there has been room for it for long enough; false when there is not.
  private func grow(_ index: Int32, _ a: inout LabelArrangement) -> Bool {
    let frame = a.frame
    let entry = a.labels.entries[Int(index)]
    guard let more = LabelLevel(rawValue: entry.level.rawValue &- 1),
      frame.now - a.labels.memories[entry.memory].wantedSince >= frame.parameters.growSeconds
    else { return false }
    a.labels.entries[Int(index)].show(at: more, dotSide: frame.parameters.dotSide)
    if let lift = a.slots.steadyLift(of: index, in: &a.labels),
      frame.now - a.labels.memories[entry.memory].better.since >= frame.parameters.growSeconds
    {
      a.slots.stand(index, lift: lift, in: &a.labels)
      return true
    }
    a.labels.entries[Int(index)].show(at: entry.level, dotSide: frame.parameters.dotSide)
    return false
  }

  /// A lift at which a label overlaps nothing, or where it must not reach beyond the free area, a drop below its place.
  private func findPlace(_ entry: LabelEntry, clearance: Double, _ slots: borrowing LabelSlots) -> Double? {
    let box = entry.wantedBox
    let limit = slots.frame.liftLimit(entry.level)
    if let lift = slots.findLift(box, upwards: true, below: limit, clearance: clearance) { return lift }
    guard slots.frame.bounds.isStrict else { return nil }
    let lowest = min(limit, slots.frame.parameters.maximumDrop)
    guard let drop = slots.findLift(box, upwards: false, below: lowest, clearance: clearance) else { return nil }
    return -drop
  }

  /// The shortest way for the selected label off what lies over the screen; 0 when there is none.
  private func liftOffObstacles(_ box: LabelBox, _ slots: borrowing LabelSlots) -> Double {
    let limit = slots.frame.bounds.height
    let clearance = slots.frame.parameters.clearance
    let up = slots.findLift(box, upwards: true, below: limit, clearance: clearance)
    if let down = slots.findLift(box, upwards: false, below: up ?? limit, clearance: clearance) { return -down }
    return up ?? 0
  }

  /// The lift to use for one that can stay as it is: a lower one once that has been free for long enough.
  private func settledLift(_ index: Int32, _ lift: Double, _ a: inout LabelArrangement) -> Double {
    guard lift != 0 else { return lift }
    let entry = a.labels.entries[Int(index)]
    let lower = a.slots.steadyLift(
      entry.wantedBox,
      below: abs(lift),
      better: &a.labels.memories[entry.memory].better
    )
    guard let lower, a.frame.hasDwelt(a.labels.memories[entry.memory].better) else { return lift }
    return lower
  }
}
