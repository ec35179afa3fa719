import SightlineMath

// Where a label can stand.
extension LabelLayout {
  /// Centre of an entry's box at a lift, clamped to the screen.
  @inline(__always)
  func position(_ entry: LabelEntry, lift: Double) -> Vector2 {
    bounds.clamped(
      center: Vector2(entry.natural.x, entry.natural.y - lift),
      width: entry.width,
      height: entry.height,
      anchor: entry.anchor,
      margin: parameters.margin
    )
  }

  /// Room that something better must have.
  var returnClearance: Double { parameters.clearance + parameters.tremble }

  /// How much a box moves against the others as the hand trembles: not at all, unless the screen's edge holds it back.
  func tremble(of natural: Vector2, width: Double, height: Double, anchor: Vector2) -> Double {
    let held = bounds.clamped(
      center: natural,
      width: width,
      height: height,
      anchor: anchor,
      margin: parameters.margin + parameters.tremble
    )
    return held == natural ? 0 : parameters.tremble
  }

  /// The smallest lift, below `limit`, at which an entry overlaps nothing.
  func findLift(_ entry: LabelEntry, below limit: Double, clearance: Double) -> Double? {
    findLift(
      natural: entry.natural,
      anchor: entry.anchor,
      width: entry.width,
      height: entry.height,
      upwards: true,
      below: limit,
      clearance: clearance
    )
  }

  /// A lift below `limit` with room to spare: that of the frames before as long as it has room, else one found anew.
  ///
  /// Only a place that has itself been free for ``Parameters/dwellSeconds`` is worth a change, see ``hasDwelt(_:)``.
  mutating func steadyLift(_ index: Int32, below limit: Double) -> Double? {
    let entry = entries[Int(index)]
    let memory = memories[entry.memory]
    if memory.betterSince <= now, memory.betterLift < limit,
      resting.isFree(
        center: position(entry, lift: memory.betterLift),
        width: entry.width,
        height: entry.height,
        clearance: returnClearance,
        tremble: tremble(of: entry.natural, width: entry.width, height: entry.height, anchor: entry.anchor)
      )
    {
      isSettled = false
      return memory.betterLift
    }
    let lift = findLift(entry, below: limit, clearance: returnClearance)
    memories[entry.memory].betterLift = lift ?? 0
    memories[entry.memory].betterSince = lift == nil ? .infinity : now
    if lift != nil { isSettled = false }
    return lift
  }

  /// Whether the lift that ``steadyLift(_:below:)`` names has had room for long enough.
  func hasDwelt(_ index: Int32) -> Bool {
    now - memories[entries[Int(index)].memory].betterSince >= parameters.dwellSeconds
  }

  /// The smallest shift up (or down) in steps, below `limit`, at which a box overlaps nothing; `nil` when there is none
  /// or the screen ends before.
  func findLift(
    natural: Vector2,
    anchor: Vector2,
    width: Double,
    height: Double,
    upwards: Bool,
    below limit: Double,
    clearance: Double
  ) -> Double? {
    let sign = upwards ? -1.0 : 1.0
    var lift = 0.0
    var firstPush = 0.0
    let tremble = tremble(of: natural, width: width, height: height, anchor: anchor)
    while lift < limit {
      let wanted = Vector2(natural.x, natural.y + sign * lift)
      let center = bounds.clamped(
        center: wanted,
        width: width,
        height: height,
        anchor: anchor,
        margin: parameters.margin
      )
      // How far the screen's edge pushes back: when lifting on only presses harder against it, the screen has ended.
      let push = sign * (wanted.y - center.y)
      if lift == 0 { firstPush = push }
      if push - firstPush > parameters.liftStep { return nil }
      guard
        let edge = resting.edgeToPass(
          center: center,
          width: width,
          height: height,
          clearance: clearance,
          tremble: tremble,
          upwards: upwards
        )
      else { return lift }
      let missing = sign * (edge - center.y) + height / 2 + clearance
      // A hair less before rounding up, or exact multiples would go one step too far.
      let steps = (missing / parameters.liftStep - 1e-9).rounded(.up)
      lift += max(1, steps) * parameters.liftStep
    }
    return nil
  }

  /// How far a label may be lifted; a dot belongs to its place.
  func liftLimit(_ index: Int32) -> Double {
    (entries[Int(index)].level == .dot ? parameters.dotLift : parameters.maximumLift) + 1e-9
  }

  /// Puts the selected label first: it always stands.
  mutating func placeSelected() {
    guard selectedEntry >= 0 else { return }
    let entry = entries[Int(selectedEntry)]
    // Touched in the fan, it stays there.
    if entry.outcome == .undecided, !isFanned(entry) {
      let memory = memories[entry.memory]
      let lift = memory.role == .standing ? memory.lift : 0
      let isFree = resting.isClear(
        center: position(entry, lift: lift),
        width: entry.width,
        height: entry.height,
        clearance: parameters.keepClearance
      )
      stand(selectedEntry, lift: isFree ? settledLift(selectedEntry, lift) : liftOffObstacles(selectedEntry))
    }
  }

  /// Finds a place for one entry, in the order of priority.
  mutating func decide(_ index: Int32) {
    let entry = entries[Int(index)]
    guard entry.outcome == .undecided else { return }
    let memory = memories[entry.memory]
    if memory.role == .standing {
      if entry.level > entry.wanted, grow(index) { return }
      let kept = position(entry, lift: memory.lift)
      if resting.isFree(
        center: kept,
        width: entry.width,
        height: entry.height,
        clearance: parameters.keepClearance
      ) {
        stand(index, lift: entry.level > entry.wanted ? memory.lift : settledLift(index, memory.lift))
      } else {
        // Having to move, it goes where it will not soon have to move again, if there is such a place.
        standOrJoin(index, clearance: returnClearance)
      }
    } else if let group = groups.index(of: memory) {
      decideMember(index, of: group)
    } else if let group = nearestGroup(to: entry.anchor, within: parameters.clusterRadius / 2),
      groups[group].nearest <= entry.distance
    {
      join(index, group)
    } else {
      standOrJoin(index, clearance: parameters.clearance)
    }
  }

  private mutating func standOrJoin(_ index: Int32, clearance: Double) {
    while true {
      if let lift = findPlace(index, clearance: clearance) ?? findPlace(index, clearance: parameters.clearance) {
        return stand(index, lift: lift)
      }
      // Less of it may fit.
      guard let less = LabelLevel(rawValue: entries[Int(index)].level.rawValue + 1), entries[Int(index)].hasLevels
      else { break }
      setLevel(index, less)
    }
    joinAnyGroup(index)
  }

  /// A lift at which a label overlaps nothing, or where it must not reach beyond the free area, a drop below its place.
  private func findPlace(_ index: Int32, clearance: Double) -> Double? {
    let entry = entries[Int(index)]
    if let lift = findLift(entry, below: liftLimit(index), clearance: clearance) { return lift }
    guard bounds.isStrict else { return nil }
    return findDrop(entry, below: min(liftLimit(index), parameters.maximumDrop), clearance: clearance)
  }

  private func findDrop(_ entry: LabelEntry, below limit: Double, clearance: Double) -> Double? {
    findLift(
      natural: entry.natural,
      anchor: entry.anchor,
      width: entry.width,
      height: entry.height,
      upwards: false,
      below: limit,
      clearance: clearance
    ).map { -$0 }
  }

  /// The shortest way for the selected label off what lies over the screen; 0 when there is none.
  private func liftOffObstacles(_ index: Int32) -> Double {
    let entry = entries[Int(index)]
    let limit = bounds.height
    let up = findLift(entry, below: limit, clearance: parameters.clearance)
    let down = findDrop(entry, below: up ?? limit, clearance: parameters.clearance)
    return down ?? up ?? 0
  }

  /// The lift to use for one that can stay as it is: a lower one once that has been free for long enough.
  private mutating func settledLift(_ index: Int32, _ lift: Double) -> Double {
    guard lift != 0, let lower = steadyLift(index, below: abs(lift)) else { return lift }
    return hasDwelt(index) ? lower : lift
  }

  /// Puts an entry's box at a lift.
  mutating func stand(_ index: Int32, lift: Double) {
    var entry = entries[Int(index)]
    entry.outcome = .standing
    entry.lift = lift
    entry.target = position(entry, lift: lift)
    entry.box = resting.insert(
      center: entry.target,
      width: entry.width,
      height: entry.height,
      owner: index,
      tremble: tremble(
        of: Vector2(entry.natural.x, entry.natural.y - lift),
        width: entry.width,
        height: entry.height,
        anchor: entry.anchor
      )
    )
    entries[Int(index)] = entry
    if memories[entry.memory].role != .standing || memories[entry.memory].lift != lift {
      memories[entry.memory].betterSince = .infinity
    }
    memories[entry.memory].role = .standing
    memories[entry.memory].lift = lift
    memories[entry.memory].level = entry.level
  }
}
