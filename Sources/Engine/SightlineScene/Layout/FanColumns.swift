import SightlineMath

/// Arranges the members of a fan: in columns above, below and beside the cluster's box.
///
/// In: the members, in the order in which they get places, and the arrangement. Out: the fan's members with their places.
struct FanColumns: Sendable {
  /// Entries in the order in which they get places; reused.
  private var queue: [Int32] = []
  /// Where labels and the other clusters stood in the last frame: what is avoided if it can be.
  private var standing = OccupancyGrid()

  /// Brings a cluster's members into the order in which they get places: the selected one, those shown already when they
  /// are to stay, then the others from the page's start.
  mutating func order(_ candidates: [Int32], _ clusters: inout LabelClusters, _ labels: borrowing LabelTable) {
    queue.removeAll(keepingCapacity: true)
    if clusters.fan.start >= candidates.count { clusters.fan.start = 0 }
    for index in candidates where index == labels.selected { queue.append(index) }
    if clusters.fan.keepsMembers {
      for index in candidates where index != labels.selected {
        if clusters.isFanned(labels.memory(of: index)) { queue.append(index) }
      }
    }
    for position in candidates.indices where position >= clusters.fan.start {
      let index = candidates[position]
      guard index != labels.selected else { continue }
      if clusters.fan.keepsMembers, clusters.isFanned(labels.memory(of: index)) { continue }
      queue.append(index)
    }
  }

  /// Places the first of the queue, if there is room beside everything that stands; otherwise the labels around have to
  /// give way.
  mutating func arrange(around badge: Vector2, _ a: inout LabelArrangement, _ obstacles: [ScreenRectangle]) {
    let wanted = min(queue.count, Int(a.frame.parameters.fanMaximum))
    let before = a.slots.grid.count
    collectStanding(a.labels, a.clusters, a.frame, obstacles)
    fill(around: badge, wanted: wanted, avoidsLabels: true, &a)
    guard a.clusters.fan.members.count < wanted else { return }
    a.slots.grid.rollBack(to: before)
    for index in a.clusters.fan.members { a.labels.entries[Int(index)].outcome = .undecided }
    a.clusters.fan.members.removeAll(keepingCapacity: true)
    fill(around: badge, wanted: wanted, avoidsLabels: false, &a)
  }

  private mutating func collectStanding(
    _ labels: borrowing LabelTable,
    _ clusters: borrowing LabelClusters,
    _ frame: LabelFrame,
    _ obstacles: [ScreenRectangle]
  ) {
    standing.reset(bounds: frame.bounds)
    standing.setObstacles(obstacles)
    for index in labels.order {
      let entry = labels.entries[Int(index)]
      let memory = labels.memories[entry.memory]
      guard memory.role == .standing else { continue }
      insertStanding(entry.wantedBox.lifted(by: memory.lift), frame)
    }
    for index in clusters.groups.indices {
      let id = clusters.groups[index].id
      guard id != 0, id != clusters.fan.cluster else { continue }
      insertStanding(frame.badge(at: clusters.groups[index].anchor, offset: clusters.groups[index].offset), frame)
    }
  }

  private mutating func insertStanding(_ box: LabelBox, _ frame: LabelFrame) {
    standing.insert(center: frame.clamped(box), width: box.width, height: box.height, owner: -1)
  }

  /// Fills the column of the box, then those to its right and left in turn.
  private func fill(around badge: Vector2, wanted: Int, avoidsLabels: Bool, _ a: inout LabelArrangement) {
    let clearance = a.frame.parameters.clearance
    let height = a.frame.parameters.clusterHeight
    var width = a.frame.parameters.clusterWidth
    for position in 0..<wanted { width = max(width, a.labels.entries[Int(queue[position])].width) }
    let middle = onScreen(badge, width, height, a.frame).x
    var next = 0
    for column in 0..<9 where next < wanted {
      let x = middle + LabelSlots.side(of: column) * (width + clearance)
      // Where the box is in the way, both directions start behind it; beside it, the first row stands next to it.
      let half = height / 2
      let top = badge.y + (column == 0 ? -half - clearance : half)
      let bottom = badge.y + half + clearance
      let first = a.labels.entries[Int(queue[next])]
      let above = Column(x: x, start: top, upwards: true, avoidsLabels: avoidsLabels)
      let below = Column(x: x, start: bottom, upwards: false, avoidsLabels: avoidsLabels)
      // Up, unless something stands there and down is nearer.
      var startsAbove = true
      let down = place(first.width, first.height, in: below, a.slots)
      if let down {
        startsAbove = false
        if let up = place(first.width, first.height, in: above, a.slots) {
          startsAbove = badge.y - up.y <= down.y - badge.y + first.height
        }
      }
      fill(startsAbove ? above : below, &next, wanted, &a)
      fill(startsAbove ? below : above, &next, wanted, &a)
    }
  }

  private func fill(_ column: Column, _ next: inout Int, _ wanted: Int, _ a: inout LabelArrangement) {
    var column = column
    while next < wanted {
      let index = queue[next]
      let entry = a.labels.entries[Int(index)]
      guard let center = place(entry.width, entry.height, in: column, a.slots),
        a.slots.grid.insertIfFree(center: center, width: entry.width, height: entry.height)
      else { return }
      a.labels.entries[Int(index)].target = center
      a.labels.entries[Int(index)].outcome = .fanned
      a.clusters.fan.members.append(index)
      column.start = center.y + column.sign * (entry.height / 2 + a.frame.parameters.clearance)
      next += 1
    }
  }

  /// A place for the remainder's box: where nothing stands, else where only labels have to give way.
  func findRemainder(around badge: Vector2, _ slots: borrowing LabelSlots) -> Vector2? {
    let width = slots.frame.parameters.clusterWidth
    let height = slots.frame.parameters.clusterHeight
    let clearance = slots.frame.parameters.clearance
    for column in 0..<9 {
      let x = badge.x + LabelSlots.side(of: column) * (width + clearance)
      let behind = column == 0 ? height / 2 + clearance : -height / 2
      for direction in 0..<2 {
        let upwards = direction == 0
        let start = badge.y + (upwards ? -behind : behind)
        let column = Column(x: x, start: start, upwards: upwards, avoidsLabels: true)
        if let center = place(width, height, in: column, slots) { return center }
      }
    }
    guard let offset = slots.findOffset(badge) else { return nil }
    return slots.frame.clamped(slots.frame.badge(at: badge, offset: offset))
  }

  /// The first free place in a column from its start on; `nil` when the screen ends before.
  ///
  /// Other members end the search, labels that stand are passed over if they are to be avoided.
  private func place(_ width: Double, _ height: Double, in column: Column, _ slots: borrowing LabelSlots) -> Vector2? {
    let sign = column.sign
    let clearance = slots.frame.parameters.clearance
    // A hair less than the clearance, so that neighbours placed at exactly that distance are not in the way.
    let gap = clearance - 1e-6
    var y = column.start + sign * height / 2
    for _ in 0..<24 {
      let center = onScreen(Vector2(column.x, y), width, height, slots.frame)
      guard
        slots.grid.isFree(center: center, width: width, height: height, clearance: gap, obstaclesCount: false)
      else { return nil }
      let edge = standing.edgeToPass(
        center: center,
        width: width,
        height: height,
        clearance: gap,
        tremble: nil,
        upwards: column.upwards,
        boxesCount: column.avoidsLabels
      )
      guard let edge else { return center }
      let further = edge + sign * (height / 2 + clearance)
      guard sign * (further - y) > 0.5 else { return nil }
      y = further
    }
    return nil
  }

  private func onScreen(_ center: Vector2, _ width: Double, _ height: Double, _ frame: LabelFrame) -> Vector2 {
    frame.clamped(LabelBox(natural: center, width: width, height: height, anchor: frame.bounds.center))
  }
}

/// Where a column of a fan begins, and which way it grows.
private struct Column {
  var x: Double
  var start: Double
  var upwards: Bool
  /// Whether it passes over labels that stand.
  var avoidsLabels: Bool

  var sign: Double { upwards ? -1 : 1 }
}
