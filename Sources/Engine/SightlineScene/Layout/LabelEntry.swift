import SightlineMath

/// One candidate in view, while a frame is laid out.
struct LabelEntry: Sendable {
  enum Outcome: UInt8, Sendable {
    case undecided
    /// May not move: stands at its place, obstacle to none.
    case exempt
    case standing
    /// In a cluster.
    case member
    case fanned
    /// Its place is outside the screen, and there is no room for its box.
    case outside
    /// No room for it and none for a cluster either.
    case hidden
  }

  var candidate: Int32
  var feature: Int32
  var key: UInt64
  /// Index of its memory, −1 when exempt.
  var memory: Int32 = -1
  var anchor: Vector2
  /// Centre of the box when it is neither lifted nor clamped.
  var natural: Vector2
  var width: Double
  var height: Double
  /// How much of it is shown, and how much is to be as soon as there is room.
  var level = LabelLevel.card
  var wanted = LabelLevel.card
  /// Whether there is less of it than all.
  var hasLevels = false
  /// Its sizes as a card and as a pill, and the point of these boxes that is put on the anchor.
  var full = Vector2.zero
  var compact = Vector2.zero
  var pivot = Vector2.zero
  var distance: Double
  /// Distance with the bonus of those that already stand: order of the layout.
  var rank = 0.0
  var outcome = Outcome.undecided
  var lift = 0.0
  /// Centre of the box at rest.
  var target = Vector2.zero
  /// Number of its box in the grid.
  var box: Int32 = -1
  /// Index of its cluster in the layout's groups.
  var group: Int32 = -1
  /// Next member of the same cluster.
  var nextMember: Int32 = -1
  var isSelected = false

  /// Width, height and pivot of its box at a level.
  func box(at level: LabelLevel, dotSide: Double) -> (Double, Double, Vector2) {
    switch level {
    case .card: (full.x, full.y, pivot)
    case .pill: (compact.x, compact.y, pivot)
    case .dot: (dotSide, dotSide, Vector2(0.5, 0.5))
    }
  }

  /// Whether this comes before another: by rank, then by what does not depend on the order of the input.
  @inline(__always)
  func precedes(_ other: LabelEntry) -> Bool {
    if rank != other.rank { return rank < other.rank }
    return isNearer(than: other)
  }

  /// Whether this is nearer than another; ties are broken by what does not depend on the order of the input.
  @inline(__always)
  func isNearer(than other: LabelEntry) -> Bool {
    if distance != other.distance { return distance < other.distance }
    if key != other.key { return key < other.key }
    if feature != other.feature { return feature < other.feature }
    return candidate < other.candidate
  }
}

/// A cluster from frame to frame.
///
/// Lives in a slot of an array; a free slot has the identifier 0.
struct LabelGroup: Sendable {
  var id: Int32
  /// Identity of the member that the cluster's anchor follows.
  var lead: UInt64
  var leadEntry: Int32 = -1
  /// The cluster's anchor relative to its lead's; not null when the lead has changed.
  var anchorFromLead = Vector2.zero
  var anchor: Vector2
  /// Place of the box relative to the anchor, at rest.
  var offset: Vector2
  /// Centre of the box at rest, in this frame.
  var target = Vector2.zero
  var shownOffset: Vector2
  var opacity = 0.0
  /// Number of the frame that last drew it.
  var shownFrame: UInt32 = 0
  /// Whether it took members in from far away, because the screen has no room for another cluster; it then lets none go
  /// for its distance.
  var isForced = false
  var hasFarMember = false
  /// Whether it was founded in this frame by one that had no place before.
  var takesInAtOnce = false
  /// Distance of the nearest member.
  var nearest: Double
  /// Members of the last frame that are in view in this one.
  var present: Int32 = 0
  /// Members given to it in this frame, and their list through ``LabelEntry/nextMember``.
  var count: Int32 = 0
  var firstMember: Int32 = -1
  var lastMember: Int32 = -1
  /// Number of its box in the grid.
  var box: Int32 = -1
  /// How many members were tried for a place of their own in this frame, and whether one got it.
  var tried: Int32 = 0
  var hasReleased = false
  /// Of a cluster with two members: the one whose turn came first.
  var waiting: Int32 = -1
  /// Since when it has had only one member; infinite when it has more.
  var singleSince = Double.infinity
  /// A lift of the box that is nearer to the anchor, and since when it has had room; infinite when there is none.
  var betterLift = 0.0
  var betterSince = Double.infinity

  init(id: Int32, lead: UInt64, anchor: Vector2, offset: Vector2, nearest: Double) {
    self.id = id
    self.lead = lead
    self.anchor = anchor
    self.offset = offset
    self.nearest = nearest
    shownOffset = offset
  }
}
