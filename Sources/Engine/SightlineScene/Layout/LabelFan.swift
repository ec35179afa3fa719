import SightlineMath

/// The open cluster, if any.
struct LabelFan: Sendable {
  /// Identifier of the open cluster; 0 is none.
  var cluster: Int32 = 0
  /// Identifier of the cluster of those that found no room; 0 when all did.
  var remainder: Int32 = 0
  /// Place of the remainder's box relative to the cluster's anchor.
  var remainderOffset = Vector2.zero
  /// Whether the members have their places; these are kept until they no longer fit.
  var isLaidOut = false
  /// Whether those fanned out now come first when they get new places.
  var keepsMembers = false
  /// How many of the nearest members are skipped, because pages were turned.
  var start = 0
  /// How the whole fan is moved in this frame to stay on the screen.
  var shift = Vector2.zero
  /// Of the remainder's box.
  var opacity = 0.0
  /// Entries fanned out in this frame, nearest first.
  var members: [Int32] = []

  /// Shows the members after those shown now.
  mutating func turnPage() {
    start += members.count
    isLaidOut = false
    keepsMembers = false
  }

  /// Brings the members into their order, by insertion: there are few, nearly in order.
  mutating func sortMembers(_ entries: [LabelEntry]) {
    for end in members.indices.dropFirst() {
      var place = end
      while place > 0, entries[Int(members[place])].isNearer(than: entries[Int(members[place - 1])]) {
        members.swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}
