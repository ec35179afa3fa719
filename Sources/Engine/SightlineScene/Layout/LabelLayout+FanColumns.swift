import SightlineMath

// How the members of a fan are arranged: in columns above, below and beside the cluster's box.
extension LabelLayout {
  /// Places the first `wanted` of the entries in `owners`, if there is room beside everything that stands; otherwise the
  /// labels around have to give way.
  mutating func arrangeFan(around badge: Vector2, wanted: Int) {
    let before = resting.count
    drawn.reset(bounds: bounds)
    drawn.setObstacles(obstacles)
    for index in order where memories[entries[Int(index)].memory].role == .standing {
      let entry = entries[Int(index)]
      drawn.insert(
        center: position(entry, lift: memories[entry.memory].lift),
        width: entry.width,
        height: entry.height,
        owner: index
      )
    }
    for index in groups.indices where groups[index].id != 0 && groups[index].id != fan.cluster {
      drawn.insert(
        center: groupCenter(groups[index].anchor, offset: groups[index].offset),
        width: parameters.clusterWidth,
        height: parameters.clusterHeight,
        owner: -1
      )
    }
    fillColumns(around: badge, wanted: wanted, avoidsLabels: true)
    guard fan.members.count < wanted else { return }
    resting.rollBack(to: before)
    for index in fan.members { entries[Int(index)].outcome = .undecided }
    fan.members.removeAll(keepingCapacity: true)
    fillColumns(around: badge, wanted: wanted, avoidsLabels: false)
  }

  /// Fills the column of the box, then those to its right and left in turn.
  private mutating func fillColumns(around badge: Vector2, wanted: Int, avoidsLabels: Bool) {
    var columnWidth = parameters.clusterWidth
    for position in 0..<wanted { columnWidth = max(columnWidth, entries[Int(owners[position])].width) }
    let middle = onScreen(badge, columnWidth, parameters.clusterHeight).x
    var next = 0
    for column in 0..<9 where next < wanted {
      let side = Double(column % 2 == 1 ? (column + 1) / 2 : -column / 2) * (columnWidth + parameters.clearance)
      let x = middle + side
      // Where the box is in the way, both directions start behind it; beside it, the first row stands next to it.
      let half = parameters.clusterHeight / 2
      let top = badge.y + (column == 0 ? -half - parameters.clearance : half)
      let bottom = badge.y + half + parameters.clearance
      let first = entries[Int(owners[next])]
      let above = fanPlace(
        width: first.width,
        height: first.height,
        x: x,
        from: top,
        upwards: true,
        avoidsLabels: avoidsLabels
      )
      let below = fanPlace(
        width: first.width,
        height: first.height,
        x: x,
        from: bottom,
        upwards: false,
        avoidsLabels: avoidsLabels
      )
      // Up, unless something stands there and down is nearer.
      let startsAbove = below.map { down in above.map { badge.y - $0.y <= down.y - badge.y + first.height } ?? false }
      for direction in 0..<2 {
        let upwards = (direction == 0) == (startsAbove ?? true)
        fillColumn(x: x, from: upwards ? top : bottom, upwards: upwards, avoidsLabels, &next, wanted)
      }
    }
  }

  private mutating func fillColumn(
    x: Double,
    from start: Double,
    upwards: Bool,
    _ avoidsLabels: Bool,
    _ next: inout Int,
    _ wanted: Int
  ) {
    let sign = upwards ? -1.0 : 1.0
    var cursor = start
    while next < wanted {
      let index = owners[next]
      let entry = entries[Int(index)]
      guard
        let center = fanPlace(
          width: entry.width,
          height: entry.height,
          x: x,
          from: cursor,
          upwards: upwards,
          avoidsLabels: avoidsLabels
        ),
        insertFanBox(center, entry.width, entry.height, 0)
      else { return }
      entries[Int(index)].target = center
      entries[Int(index)].outcome = .fanned
      fan.members.append(index)
      cursor = center.y + sign * (entry.height / 2 + parameters.clearance)
      next += 1
    }
  }

  /// A place for the remainder's box: where nothing stands, else where only labels have to give way.
  func remainderPlace(around badge: Vector2) -> Vector2? {
    let width = parameters.clusterWidth
    let height = parameters.clusterHeight
    for column in 0..<9 {
      let x = badge.x + Double(column % 2 == 1 ? (column + 1) / 2 : -column / 2) * (width + parameters.clearance)
      let behind = column == 0 ? height / 2 + parameters.clearance : -height / 2
      for direction in 0..<2 {
        let upwards = direction == 0
        let start = badge.y + (upwards ? -behind : behind)
        if let center = fanPlace(width: width, height: height, x: x, from: start, upwards: upwards, avoidsLabels: true)
        {
          return center
        }
      }
    }
    return findGroupOffset(badge).map { groupCenter(badge, offset: $0) }
  }

  /// The first free place in a column from a height on, up or down; `nil` when the screen ends before.
  ///
  /// Other members end the search, labels that stand are passed over if they are to be avoided.
  private func fanPlace(
    width: Double,
    height: Double,
    x: Double,
    from start: Double,
    upwards: Bool,
    avoidsLabels: Bool
  ) -> Vector2? {
    let sign = upwards ? -1.0 : 1.0
    // A hair less than the clearance, so that neighbours placed at exactly that distance are not in the way.
    let gap = parameters.clearance - 1e-6
    var y = start + sign * height / 2
    for _ in 0..<24 {
      let center = onScreen(Vector2(x, y), width, height)
      guard resting.isFree(center: center, width: width, height: height, clearance: gap, obstaclesCount: false) else {
        return nil
      }
      let edge = drawn.edgeToPass(
        center: center,
        width: width,
        height: height,
        clearance: gap,
        tremble: nil,
        upwards: upwards,
        boxesCount: avoidsLabels
      )
      guard let edge else { return center }
      let further = edge + sign * (height / 2 + parameters.clearance)
      guard sign * (further - y) > 0.5 else { return nil }
      y = further
    }
    return nil
  }

  private func onScreen(_ center: Vector2, _ width: Double, _ height: Double) -> Vector2 {
    bounds.clamped(center: center, width: width, height: height, anchor: bounds.center, margin: parameters.margin)
  }
}
