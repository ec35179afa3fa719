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
  /// Next member of the same cluster.
  var nextMember: Int32 = -1
  var isSelected = false

  /// Whether it has a box of its own on the screen that the layout has chosen.
  var hasPlace: Bool { outcome == .standing || outcome == .fanned }

  /// Its box, as it would stand if nothing were in the way.
  @inline(__always)
  var wantedBox: LabelBox { LabelBox(natural: natural, width: width, height: height, anchor: anchor) }

  /// Gives it the box of a level.
  mutating func show(at level: LabelLevel, dotSide: Double) {
    self.level = level
    let box = level == .card ? full : (level == .pill ? compact : Vector2(dotSide, dotSide))
    let pivot = level == .dot ? Vector2(0.5, 0.5) : self.pivot
    width = box.x
    height = box.y
    natural = anchor + Vector2((0.5 - pivot.x) * width, (0.5 - pivot.y) * height)
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
