import SightlineMath

/// A cluster from frame to frame.
struct LabelGroup: Sendable {
  /// 0 when the slot is free.
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
  /// A lift of the box that is nearer to the anchor.
  var better = BetterLift()

  init(id: Int32, lead: UInt64, anchor: Vector2, offset: Vector2, nearest: Double) {
    self.id = id
    self.lead = lead
    self.anchor = anchor
    self.offset = offset
    self.nearest = nearest
    shownOffset = offset
  }

  /// Forgets what was found out in the last frame.
  mutating func begin() {
    leadEntry = -1
    present = 0
    count = 0
    firstMember = -1
    lastMember = -1
    box = -1
    tried = 0
    hasReleased = false
    waiting = -1
    takesInAtOnce = false
  }
}
