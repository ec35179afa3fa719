import SightlineMath

/// Places labels on the screen so that none overlaps another, calmly from frame to frame.
///
/// In order of priority (the selected one, then nearest first) a label stands at its place; if something of higher
/// priority is there, it is lifted in steps above it, with a leader line; if that is further than
/// ``Parameters/maximumLift`` it joins a cluster. A cluster fans out when it is opened.
///
/// *Calm:* a label keeps its lift while it fits, a lower one must have been free for ``Parameters/dwellSeconds``;
/// those that stand count as nearer than they are by up to a fifth, so that places do not change hands over a metre of
/// difference; clusters let members go only after the same time. Labels and clusters are known again by
/// ``LabelCandidate/key``, also after the content was refreshed. A box follows its anchor without lag; only a change
/// of its lift is drawn out over time, and depends on the times given, not on their number.
///
/// *Promised in every frame:* boxes drawn with an opacity above 0, clusters included, do not overlap; neither do the
/// places at rest. Every candidate whose place is in view is either placed or in exactly one cluster, unless the screen has no room
/// for a single cluster (``hiddenCount``). The selected label is placed and visible. Equal input gives equal output,
/// in whatever order candidates of equal distance come.
/// *Not promised:* boxes larger than the screen are centred and reach beyond it; candidates that may not move
/// (``LabelCandidate/canMove``) are exempt; boxes whose anchor has left the screen follow it out.
///
/// ```swift
/// var layout = LabelLayout()
/// layout.update(candidates: candidates, bounds: LabelBounds(width: 390, height: 844, roll: roll), time: now)
/// for placement in layout.placements { … }
/// ```
///
/// - Complexity: O(*n*) for *n* candidates already in clusters, plus a constant number of grid look-ups for each label
///   that stands. No allocation once the arrays have grown to the scene's size.
public struct LabelLayout: Sendable {
  /// The parameters in use.
  public let parameters: Parameters
  /// The boxes, in the order of the candidates.
  ///
  /// Valid until the next update.
  public private(set) var placements: [LabelPlacement] = []
  /// The clusters.
  ///
  /// Valid until the next update.
  public private(set) var clusters: [LabelCluster] = []
  /// Feature indices of the clusters' members, see ``LabelCluster/members``.
  public private(set) var clusterMembers: [Int32] = []
  /// Candidates, as indices, whose place is outside the screen and for whose box there was no room either.
  ///
  /// Count them with what lies outside the view.
  public private(set) var outside: [Int32] = []
  /// Candidates in view that could neither be placed nor clustered, because the screen is too small.
  public private(set) var hiddenCount = 0
  /// Whether nothing moves, fades or waits: the same input a moment later gives the same output.
  public internal(set) var isSettled = true

  var bounds = LabelBounds(width: 0, height: 0)
  /// What lies over the screen.
  var obstacles: [ScreenRectangle] = []
  var now = 0.0
  /// Seconds since the last update, infinite in the first.
  var elapsed = Double.infinity
  var frame: UInt32 = 0
  var hasStarted = false

  var memories = LabelMemoryTable()
  var entries: [LabelEntry] = []
  /// Indices of the entries to lay out, by rank, but for the selected one and those that are exempt.
  var order: [Int32] = []
  var streams = LabelStreams()
  var selectedEntry: Int32 = -1
  var groups: [LabelGroup] = []
  var lastID: Int32 = 0
  var fan = LabelFan()
  /// Boxes at rest, and boxes as drawn while something moves.
  var resting = OccupancyGrid()
  var drawn = OccupancyGrid()
  /// Scratch.
  var owners: [Int32] = []
  var fanCandidates: [Int32] = []

  /// An empty layout.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Identifier of the open cluster.
  public var openCluster: Int32? { fan.cluster == 0 ? nil : fan.cluster }

  /// Opens a cluster, or closes it when it is open.
  ///
  /// Opening one closes another. The remainder of an open cluster is a cluster of its own: toggling it turns to the next
  /// members, after the last ones back to the first. An unknown identifier does nothing.
  public mutating func toggle(cluster id: Int32) {
    guard id > 0 else { return }
    if id == fan.cluster {
      closeFan()
    } else if id == fan.remainder {
      fan.turnPage()
    } else if groups.contains(where: { $0.id == id }) {
      fan = LabelFan()
      fan.cluster = id
    }
  }

  /// Closes the open cluster, if any.
  public mutating func closeFan() { fan = LabelFan() }

  /// Forgets all places and clusters: the next update lays out afresh, without movement.
  public mutating func reset() {
    memories.removeAll()
    groups.removeAll(keepingCapacity: true)
    fan = LabelFan()
    hasStarted = false
    isSettled = true
    beginOutput()
  }

  /// Lays out the candidates of one frame.
  ///
  /// - Parameters:
  ///   - candidates: all whose anchor or box may touch the screen; others are ignored. Nearest first is fastest, any
  ///     order gives the same result.
  ///   - bounds: the screen.
  ///   - obstacles: what lies over it: nothing is placed there, but for the selected label when it fits nowhere else.
  ///   - time: seconds, the session's clock. Time standing still moves nothing; a step back or ahead by more than
  ///     ``Parameters/memorySeconds`` starts afresh.
  public mutating func update(
    candidates: [LabelCandidate],
    bounds: LabelBounds,
    obstacles: [ScreenRectangle] = [],
    time: Double
  ) {
    self.obstacles = obstacles
    begin(bounds: bounds, time: time)
    collect(candidates)
    sortEntries()
    chooseLevels(candidates)
    reviveGroups()
    placeSelected()
    placeFan()
    // Again, because it may have stood in a fan that had to close.
    placeSelected()
    keepGroups()
    for index in order { decide(index) }
    mendSingles()
    moveGroups()
    tidyGroups()
    animate()
    publish()
  }

  private mutating func begin(bounds: LabelBounds, time: Double) {
    self.bounds = bounds
    let next = time.isFinite ? time : now
    if hasStarted, abs(next - now) > parameters.memorySeconds { reset() }
    elapsed = hasStarted ? max(0, next - now) : .infinity
    now = hasStarted ? max(now, next) : next
    hasStarted = true
    frame &+= 1
    isSettled = true
    memories.dropUnseen(since: now - parameters.memorySeconds)
    resting.reset(bounds: bounds)
    resting.setObstacles(obstacles)
    entries.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    selectedEntry = -1
  }

  private mutating func beginOutput() {
    placements.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    clusterMembers.removeAll(keepingCapacity: true)
    outside.removeAll(keepingCapacity: true)
    hiddenCount = 0
  }

  private mutating func publish() {
    beginOutput()
    for entry in entries {
      switch entry.outcome {
      case .undecided, .member: break
      case .outside: outside.append(entry.candidate)
      case .hidden: hiddenCount += 1
      case .exempt, .standing, .fanned: placements.append(placement(of: entry))
      }
    }
    for index in groups.indices where groups[index].id != 0 {
      let isOpen = groups[index].id == fan.cluster
      publish(groups[index], isOpen: isOpen)
      if isOpen, fan.remainder != 0 { publishRemainder(of: groups[index]) }
    }
  }

  private func placement(of entry: LabelEntry) -> LabelPlacement {
    var placement = LabelPlacement()
    placement.candidate = entry.candidate
    placement.feature = entry.feature
    placement.level = entry.level
    placement.width = entry.width
    placement.height = entry.height
    placement.target = entry.target
    placement.center = entry.target
    if entry.outcome != .exempt {
      let memory = memories[entry.memory]
      placement.center = shownCenter(of: entry, memory)
      placement.opacity = memory.opacity
      placement.isFannedOut = entry.outcome == .fanned
    }
    let away = distance(from: entry.anchor, toBoxAt: placement.center, width: entry.width, height: entry.height)
    // An exempt box stands at its place by definition, even when its pivot lies outside the box.
    placement.hasLeader = entry.outcome != .exempt && away > parameters.leaderMinimum
    return placement
  }

  private mutating func publish(_ group: LabelGroup, isOpen: Bool) {
    var cluster = LabelCluster()
    cluster.id = group.id
    cluster.anchor = group.anchor
    cluster.target = group.target
    cluster.center = shownCenter(of: group)
    cluster.width = parameters.clusterWidth
    cluster.height = parameters.clusterHeight
    cluster.isOpen = isOpen
    cluster.opacity = group.opacity * rimOpacity(group.anchor)
    let away = distance(
      from: group.anchor,
      toBoxAt: cluster.center,
      width: cluster.width,
      height: cluster.height
    )
    cluster.hasLeader = away > parameters.leaderMinimum
    cluster.members = isOpen ? appendFanned() : appendMembers(of: group)
    cluster.nearestDistance = group.nearest
    clusters.append(cluster)
  }

  private mutating func publishRemainder(of group: LabelGroup) {
    var cluster = LabelCluster()
    cluster.id = fan.remainder
    cluster.anchor = group.anchor
    cluster.target = group.anchor + fan.remainderOffset + fan.shift
    cluster.center = cluster.target
    cluster.width = parameters.clusterWidth
    cluster.height = parameters.clusterHeight
    cluster.opacity = fan.opacity
    cluster.members = appendMembers(of: group)
    cluster.nearestDistance = group.firstMember >= 0 ? entries[Int(group.firstMember)].distance : group.nearest
    clusters.append(cluster)
  }

  private mutating func appendFanned() -> Range<Int> {
    let start = clusterMembers.count
    for index in fan.members { clusterMembers.append(entries[Int(index)].feature) }
    return start..<clusterMembers.count
  }

  private mutating func appendMembers(of group: LabelGroup) -> Range<Int> {
    let start = clusterMembers.count
    var member = group.firstMember
    while member >= 0 {
      clusterMembers.append(entries[Int(member)].feature)
      member = entries[Int(member)].nextMember
    }
    return start..<clusterMembers.count
  }

  private func distance(from point: Vector2, toBoxAt center: Vector2, width: Double, height: Double) -> Double {
    let x = max(0, abs(point.x - center.x) - width / 2)
    let y = max(0, abs(point.y - center.y) - height / 2)
    return (x * x + y * y).squareRoot()
  }
}
