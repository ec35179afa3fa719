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
/// Each frame runs through stages, each a type of its own that says what it takes and what it leaves: ``LabelClock``,
/// ``LabelCollector``, ``LabelRanking``, ``LevelChoice``, ``ClusterTracking``, ``FanPlacement``, ``PriorityPlacement``,
/// ``ClusterUpkeep``, ``LabelMotion``, ``LabelOutput``.
///
/// - Complexity: O(*n*) for *n* candidates already in clusters, plus a constant number of grid look-ups for each label
///   that stands. No allocation once the arrays have grown to the scene's size.
public struct LabelLayout: Sendable {
  /// The parameters in use.
  public let parameters: Parameters
  /// The boxes, in the order of the candidates.
  ///
  /// Valid until the next update.
  public var placements: [LabelPlacement] { output.placements }
  /// The clusters.
  ///
  /// Valid until the next update.
  public var clusters: [LabelCluster] { output.clusters }
  /// Feature indices of the clusters' members, see ``LabelCluster/members``.
  public var clusterMembers: [Int32] { output.members }
  /// Candidates, as indices, whose place is outside the screen and for whose box there was no room either.
  ///
  /// Count them with what lies outside the view.
  public var outside: [Int32] { output.outside }
  /// Candidates in view that could neither be placed nor clustered, because the screen is too small.
  public var hiddenCount: Int { output.hiddenCount }
  /// Whether nothing moves, fades or waits: the same input a moment later gives the same output.
  public private(set) var isSettled = true

  private(set) var arrangement = LabelArrangement()

  private var clock = LabelClock()
  private var ranking = LabelRanking()
  private var levels = LevelChoice()
  private var fan = FanPlacement()
  private var placement = PriorityPlacement()
  private var upkeep = ClusterUpkeep()
  private var motion = LabelMotion()
  private var output = LabelOutput()

  /// An empty layout.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Identifier of the open cluster.
  public var openCluster: Int32? { arrangement.clusters.fan.cluster == 0 ? nil : arrangement.clusters.fan.cluster }

  /// Opens a cluster, or closes it when it is open.
  ///
  /// Opening one closes another. The remainder of an open cluster is a cluster of its own: toggling it turns to the next
  /// members, after the last ones back to the first. An unknown identifier does nothing.
  public mutating func toggle(cluster id: Int32) { arrangement.clusters.toggle(id) }

  /// Closes the open cluster, if any.
  public mutating func closeFan() { arrangement.clusters.closeFan() }

  /// Forgets all places and clusters: the next update lays out afresh, without movement.
  public mutating func reset() {
    forget()
    clock.stop()
    output.removeAll()
    isSettled = true
  }

  private mutating func forget() {
    arrangement.labels.memories.removeAll()
    arrangement.clusters.removeAll()
  }

  /// Whether a candidate just outside of what is free is in view all the same, because it is a cluster's member.
  func keeps(key: UInt64, feature: Int32) -> Bool {
    arrangement.labels.memories.isInCluster(key: key, feature: feature)
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
    let frame = clock.begin(time, bounds: bounds, parameters)
    if frame.isFirst { forget() }
    arrangement.labels.begin(frame)
    arrangement.slots.begin(frame, obstacles: obstacles)

    LabelCollector(frame: frame).run(candidates, into: &arrangement.labels)
    ranking.run(&arrangement.labels)
    levels.run(candidates, frame, arrangement.clusters, &arrangement.labels)
    ClusterTracking(frame: frame).run(&arrangement.labels, &arrangement.clusters)
    placement.placeSelected(&arrangement)
    fan.run(&arrangement, obstacles: obstacles)
    // Again, because it may have stood in a fan that had to close.
    placement.placeSelected(&arrangement)
    upkeep.keep(&arrangement)
    placement.run(&arrangement)
    upkeep.run(&arrangement)
    motion.run(&arrangement, obstacles: obstacles)
    output.publish(frame, arrangement.labels, arrangement.clusters)

    isSettled = levels.isSettled
    if !arrangement.clusters.isSettled { isSettled = false }
    if !arrangement.slots.isSettled { isSettled = false }
    if !motion.isSettled { isSettled = false }
  }
}
