import SightlineMath

/// The clusters from frame to frame, and the fan of the one that is open.
struct LabelClusters: Sendable {
  /// In slots, by which labels know their cluster; a free one has the identifier 0.
  var groups: [LabelGroup] = []
  var fan = LabelFan()
  /// Whether no two were just united, and none waits to take a second member in.
  var isSettled = true
  private var lastID: Int32 = 0

  /// Members count as in view up to this far outside the screen, so that a trembling hand does not dissolve a cluster at
  /// its edge.
  static var memberSlack: Double { 32 }

  /// An identifier that no other cluster of this layout has.
  mutating func newID() -> Int32 {
    lastID = lastID == .max ? 1 : lastID + 1
    return lastID
  }

  /// Forgets all clusters, but not which identifiers were given.
  mutating func removeAll() {
    groups.removeAll(keepingCapacity: true)
    closeFan()
  }

  /// Opens a cluster, closes it when it is open, or turns to the fan's next page, see ``LabelLayout/toggle(cluster:)``.
  mutating func toggle(_ id: Int32) {
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
  mutating func closeFan() { fan = LabelFan() }

  /// The live cluster a memory says it belongs to.
  func index(of memory: LabelMemory) -> Int? {
    guard memory.role == .member || memory.role == .fanned else { return nil }
    let index = Int(memory.group)
    guard index >= 0, index < groups.count, groups[index].id != 0, groups[index].id == memory.cluster else {
      return nil
    }
    return index
  }

  /// Whether a label was fanned out of the cluster that is open.
  func isFanned(_ memory: LabelMemory) -> Bool {
    // Not by `&&`: what stands behind it is a closure, which would hold a copy of all clusters.
    guard memory.role == .fanned, memory.cluster == fan.cluster else { return false }
    return index(of: memory) != nil
  }

  /// The nearest closed cluster whose anchor is within a distance of a point.
  func nearest(to point: Vector2, within radius: Double, except: Int = -1) -> Int? {
    var best: Int?
    var limit = radius * radius
    for index in groups.indices where groups[index].id != 0 && index != except {
      guard groups[index].id != fan.cluster else { continue }
      let offset = groups[index].anchor - point
      let distance = offset.dot(offset)
      if distance <= limit, best == nil || distance < limit {
        best = index
        limit = distance
      }
    }
    return best
  }

  /// Whether a cluster may be united with another: closed, and one of whose members is in view.
  func isMergeable(_ index: Int) -> Bool {
    groups[index].id != 0 && groups[index].id != fan.cluster && groups[index].leadEntry >= 0
  }

  /// Puts a cluster into a free slot.
  mutating func add(_ group: LabelGroup) -> Int {
    let slot = groups.firstIndex { $0.id == 0 } ?? groups.count
    if slot == groups.count { groups.append(group) } else { groups[slot] = group }
    return slot
  }

  /// Makes an entry a member; the list stays sorted, nearest first.
  mutating func join(_ index: Int32, _ group: Int, in labels: inout LabelTable) {
    let memory = labels.entries[Int(index)].memory
    labels.entries[Int(index)].outcome = .member
    labels.memories[memory].role = .member
    labels.memories[memory].cluster = groups[group].id
    labels.memories[memory].group = Int32(group)
    groups[group].count += 1
    groups[group].nearest = min(groups[group].nearest, labels.entries[Int(index)].distance)

    let last = groups[group].lastMember
    if last < 0 {
      groups[group].firstMember = index
      groups[group].lastMember = index
    } else if !labels.entries[Int(index)].isNearer(than: labels.entries[Int(last)]) {
      labels.entries[Int(last)].nextMember = index
      groups[group].lastMember = index
    } else {
      var previous: Int32 = -1
      var next = groups[group].firstMember
      while next >= 0, !labels.entries[Int(index)].isNearer(than: labels.entries[Int(next)]) {
        previous = next
        next = labels.entries[Int(next)].nextMember
      }
      labels.entries[Int(index)].nextMember = next
      if previous < 0 {
        groups[group].firstMember = index
      } else {
        labels.entries[Int(previous)].nextMember = index
      }
    }
  }

  /// Makes an entry a member whatever its distance: shown nowhere else, it must not be let go for that.
  mutating func joinFromAnywhere(_ index: Int32, _ group: Int, _ frame: LabelFrame, in labels: inout LabelTable) {
    if frame.isFar(labels.entries[Int(index)].anchor, from: groups[group].anchor) { groups[group].isForced = true }
    join(index, group, in: &labels)
  }

  /// Centre of the box of those that found no room in the fan.
  var remainderCenter: Vector2 {
    let cluster = fan.cluster
    let group = groups.first { $0.id == cluster }
    return (group?.anchor ?? .zero) + fan.remainderOffset + fan.shift
  }
}
