import SightlineMath

/// What the layout remembers of one label from frame to frame: the base of its hysteresis.
struct LabelMemory: Sendable {
  enum Role: UInt8, Sendable {
    /// Has no place: new, or could not be shown at all.
    case none
    /// Stands at its place or lifted above it.
    case standing
    /// Is a member of a closed cluster, or of the remainder of an open one.
    case member
    /// Is fanned out of the open cluster.
    case fanned
  }

  var identity: UInt64
  /// When it was last in view, seconds.
  var lastSeen: Double
  var role = Role.none
  /// How far it was lifted, points, when ``role`` is standing.
  var lift = 0.0
  /// Identifier of its cluster and the cluster's slot in ``LabelClusters/groups``, when it has one.
  var cluster: Int32 = 0
  var group: Int32 = -1
  /// Place in the fan relative to the cluster's anchor, when ``role`` is fanned.
  var fanOffset = Vector2.zero
  var better = BetterLift()
  /// How much of it was shown, and since when more of it is wanted; infinite when it is not.
  var level = LabelLevel.card
  var wantedSince = Double.infinity
  /// Where it was drawn, relative to its natural centre.
  var shownOffset = Vector2.zero
  var opacity = 0.0
  /// Number of the frame that last drew it: a movement goes on only from the frame before.
  var shownFrame: UInt32 = 0
  /// Number of the frame that last used this record, and the entry that did.
  var frame: UInt32 = 0
  var entry: Int32 = -1

  init(identity: UInt64, time: Double) {
    self.identity = identity
    lastSeen = time
  }
}

/// The memories by identity: an open-addressing hash table over one array, both reused.
///
/// Not a `Dictionary`, because the table is asked for every label in every frame: a multiplicative hash is an order of
/// magnitude cheaper than the standard one, and nothing is allocated as labels come and go.
struct LabelMemoryTable: Sendable {
  private(set) var records: [LabelMemory] = []
  private var slots: [Int32] = []
  /// 64 − log2(slots.count).
  private var shift: UInt64 = 60

  subscript(index: Int32) -> LabelMemory {
    get { records[Int(index)] }
    _modify { yield &records[Int(index)] }
  }

  /// What a label is known by: its key, or without one the index of its feature; the top bit keeps the two apart.
  static func identity(key: UInt64, feature: Int32) -> UInt64 {
    key != 0 ? key & ~indexBit : identity(feature: feature)
  }

  /// What a label is known by that shares its key with another.
  static func identity(feature: Int32) -> UInt64 { UInt64(UInt32(bitPattern: feature)) | indexBit }

  private static var indexBit: UInt64 { 1 << 63 }

  /// Whether a label was a cluster's member when it was last in view.
  func isInCluster(key: UInt64, feature: Int32) -> Bool {
    guard let index = find(Self.identity(key: key, feature: feature)) else { return false }
    let role = records[Int(index)].role
    return role == .member || role == .fanned
  }

  /// The index of an identity's record.
  func find(_ identity: UInt64) -> Int32? {
    guard !slots.isEmpty else { return nil }
    var slot = Self.hash(identity, shift)
    while slots[slot] >= 0 {
      if records[Int(slots[slot])].identity == identity { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a record for an identity that has none.
  mutating func add(_ identity: UInt64, time: Double) -> Int32 {
    records.append(LabelMemory(identity: identity, time: time))
    if records.count * 2 > slots.count {
      rebuild()
    } else {
      link(Int32(records.count - 1))
    }
    return Int32(records.count - 1)
  }

  /// Drops the records not seen since a time; indices change.
  mutating func dropUnseen(since time: Double) {
    var kept = 0
    for index in records.indices where records[index].lastSeen >= time {
      if kept != index { records[kept] = records[index] }
      kept += 1
    }
    guard kept < records.count else { return }
    records.removeLast(records.count - kept)
    rebuild()
  }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    rebuild()
  }

  private mutating func rebuild() {
    var capacity = max(16, slots.count)
    while capacity < records.count * 2 { capacity *= 2 }
    if capacity == slots.count {
      for index in slots.indices { slots[index] = -1 }
    } else {
      slots = [Int32](repeating: -1, count: capacity)
      shift = UInt64(64 - capacity.trailingZeroBitCount)
    }
    for index in records.indices { link(Int32(index)) }
  }

  private mutating func link(_ index: Int32) {
    var slot = Self.hash(records[Int(index)].identity, shift)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = index
  }

  @inline(__always)
  private static func hash(_ identity: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
