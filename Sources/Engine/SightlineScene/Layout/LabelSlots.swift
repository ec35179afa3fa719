import SightlineMath

/// Where boxes stand at rest, and where another one can: the search for free slots above, below and beside a place.
///
/// In: the boxes put in so far and what lies over the screen. Out: lifts and offsets at which a box overlaps nothing.
struct LabelSlots: Sendable {
  private(set) var frame = LabelFrame(
    parameters: LabelLayout.Parameters(),
    bounds: LabelBounds(width: 0, height: 0),
    now: 0,
    elapsed: .infinity,
    number: 0
  )
  /// The boxes at rest; the owner of a label's is its entry, that of a cluster's or of a fan's is negative.
  var grid = OccupancyGrid()
  /// Whether nothing has a better slot in sight.
  private(set) var isSettled = true

  /// Empties the screen for a frame.
  mutating func begin(_ frame: LabelFrame, obstacles: [ScreenRectangle]) {
    self.frame = frame
    grid.reset(bounds: frame.bounds)
    grid.setObstacles(obstacles)
    isSettled = true
  }

  /// Whether a box at its natural place, clamped to the screen, overlaps nothing; without `tremble`, trembling plays no
  /// part.
  func isFree(_ box: LabelBox, clearance: Double, tremble: Double? = nil) -> Bool {
    grid.isFree(
      center: frame.clamped(box),
      width: box.width,
      height: box.height,
      clearance: clearance,
      tremble: tremble
    )
  }

  /// The smallest lift (or drop) in steps, below `limit`, at which a box overlaps nothing; `nil` when there is none or
  /// the screen ends before.
  func findLift(_ box: LabelBox, upwards: Bool, below limit: Double, clearance: Double) -> Double? {
    let sign = upwards ? -1.0 : 1.0
    var lift = 0.0
    var firstPush = 0.0
    let tremble = frame.tremble(of: box)
    let step = frame.parameters.liftStep
    while lift < limit {
      var lifted = box
      lifted.natural.y = box.natural.y + sign * lift
      let center = frame.clamped(lifted)
      // How far the screen's edge pushes back: when lifting on only presses harder against it, the screen has ended.
      let push = sign * (lifted.natural.y - center.y)
      if lift == 0 { firstPush = push }
      if push - firstPush > step { return nil }
      guard
        let edge = grid.edgeToPass(
          center: center,
          width: box.width,
          height: box.height,
          clearance: clearance,
          tremble: tremble,
          upwards: upwards
        )
      else { return lift }
      let missing = sign * (edge - center.y) + box.height / 2 + clearance
      // A hair less before rounding up, or exact multiples would go one step too far.
      let steps = (missing / step - 1e-9).rounded(.up)
      lift += max(1, steps) * step
    }
    return nil
  }

  /// A lift below `limit` with room to spare: that of the frames before as long as it has room, else one found anew.
  ///
  /// Only a slot that has itself been free for a while is worth a change, see ``LabelFrame/hasDwelt(_:)``.
  mutating func steadyLift(_ box: LabelBox, below limit: Double, better: inout BetterLift) -> Double? {
    let clearance = frame.returnClearance
    var lift: Double?
    if better.since <= frame.now, better.lift < limit,
      isFree(box.lifted(by: better.lift), clearance: clearance, tremble: frame.tremble(of: box))
    {
      lift = better.lift
    } else {
      lift = findLift(box, upwards: true, below: limit, clearance: clearance)
      better.lift = lift ?? 0
      better.since = lift == nil ? .infinity : frame.now
    }
    if lift != nil { isSettled = false }
    return lift
  }

  /// What ``steadyLift(_:below:better:)`` says of a label, as far as it may be lifted.
  mutating func steadyLift(of index: Int32, in labels: inout LabelTable) -> Double? {
    let entry = labels.entries[Int(index)]
    return steadyLift(
      entry.wantedBox,
      below: frame.liftLimit(entry.level),
      better: &labels.memories[entry.memory].better
    )
  }

  /// The free slot for a cluster's box nearest to an anchor, as an offset: above, below or beside it.
  func findOffset(_ anchor: Vector2) -> Vector2? {
    let parameters = frame.parameters
    var best: Vector2?
    var limit = parameters.maximumLift + 2 * parameters.clusterHeight
    let pitch = parameters.clusterWidth + parameters.clearance
    for column in 0..<7 {
      let side = Self.side(of: column) * pitch
      guard abs(side) < limit else { break }
      let box = frame.badge(at: anchor, offset: Vector2(side, 0))
      for direction in 0..<2 {
        let upwards = direction == 0
        let vertical = (limit * limit - side * side).squareRoot()
        guard let lift = findLift(box, upwards: upwards, below: vertical, clearance: parameters.clearance) else {
          continue
        }
        best = Vector2(side, upwards ? -lift : lift)
        limit = (side * side + lift * lift).squareRoot()
      }
    }
    return best
  }

  /// A slot, with room to spare, little above or below the one a cluster's box has to leave.
  func findOffset(near offset: Vector2, from anchor: Vector2) -> Vector2? {
    let box = frame.badge(at: anchor, offset: offset)
    var best: Vector2?
    var limit = frame.parameters.clusterHeight
    for direction in 0..<2 {
      let upwards = direction == 0
      if let lift = findLift(box, upwards: upwards, below: limit, clearance: frame.returnClearance) {
        best = Vector2(offset.x, offset.y + (upwards ? -lift : lift))
        limit = lift
      }
    }
    return best
  }

  /// Columns go to the right and to the left in turn: how many widths one lies from the middle.
  static func side(of column: Int) -> Double { Double(column % 2 == 1 ? (column + 1) / 2 : -column / 2) }

  /// Puts a label's box at a lift.
  mutating func stand(_ index: Int32, lift: Double, in labels: inout LabelTable) {
    var entry = labels.entries[Int(index)]
    let box = entry.wantedBox.lifted(by: lift)
    entry.outcome = .standing
    entry.lift = lift
    entry.target = frame.clamped(box)
    entry.box = insert(box, at: entry.target, owner: index)
    labels.entries[Int(index)] = entry
    var memory = labels.memories[entry.memory]
    if memory.role != .standing || memory.lift != lift { memory.better.since = .infinity }
    memory.role = .standing
    memory.lift = lift
    memory.level = entry.level
    labels.memories[entry.memory] = memory
  }

  /// Puts a cluster's box where its offset says.
  mutating func insertBadge(_ index: Int, in clusters: inout LabelClusters) {
    let box = frame.badge(at: clusters.groups[index].anchor, offset: clusters.groups[index].offset)
    let center = frame.clamped(box)
    clusters.groups[index].target = center
    clusters.groups[index].box = insert(box, at: center, owner: Int32(-1 - index))
  }

  private mutating func insert(_ box: LabelBox, at center: Vector2, owner: Int32) -> Int32 {
    grid.insert(
      center: center,
      width: box.width,
      height: box.height,
      owner: owner,
      tremble: frame.tremble(of: box)
    )
  }
}
