import SightlineInput

/// One direction of a search in a hierarchy: what it has reached, and from where.
///
/// A table by hashing with open addresses: a search reaches some hundred nodes of a million, so it takes a few kilobytes.
struct SearchLabels {
  struct Label {
    /// The node plus one; 0 in an empty place.
    var key: UInt32
    var cost: UInt32
    /// The arc by which it was reached, and the node that has it; the largest number at a start.
    var arc: UInt32
    var parent: UInt32
  }

  private var table: [Label]
  private var count = 0
  /// Nodes below the core that are to be settled.
  var below = BinaryHeap()
  /// Nodes of the core that are to be settled.
  var core = BinaryHeap()
  /// Nodes settled.
  var settled = 0

  init() { table = [Label](repeating: Label(key: 0, cost: 0, arc: 0, parent: 0), count: 1024) }

  @inline(__always) private static func place(_ node: UInt32, _ mask: Int) -> Int {
    Int((node &* 0x9E37_79B1) >> 7) & mask
  }

  /// The label of a node.
  @inline(__always) func label(_ node: UInt32) -> Label? {
    let mask = table.count - 1
    return table.withUnsafeBufferPointer { table in
      var place = Self.place(node, mask)
      while table[place].key != 0 {
        if table[place].key == node &+ 1 { return table[place] }
        place = (place + 1) & mask
      }
      return nil
    }
  }

  /// What it costs to a node; the largest number when it is not reached.
  @inline(__always) func cost(_ node: UInt32) -> UInt32 { label(node)?.cost ?? .max }

  /// Notes a way to a node; false when one that is not dearer is known.
  @inline(__always) mutating func reach(_ node: UInt32, cost: UInt32, arc: UInt32, parent: UInt32) -> Bool {
    if 2 * count > table.count { grow() }
    let mask = table.count - 1
    return table.withUnsafeMutableBufferPointer { table in
      var place = Self.place(node, mask)
      while table[place].key != 0 {
        if table[place].key == node &+ 1 {
          if table[place].cost <= cost { return false }
          table[place] = Label(key: node &+ 1, cost: cost, arc: arc, parent: parent)
          return true
        }
        place = (place + 1) & mask
      }
      table[place] = Label(key: node &+ 1, cost: cost, arc: arc, parent: parent)
      count += 1
      return true
    }
  }

  private mutating func grow() {
    let old = table
    table = [Label](repeating: Label(key: 0, cost: 0, arc: 0, parent: 0), count: 4 * old.count)
    let mask = table.count - 1
    for label in old where label.key != 0 {
      var place = Self.place(label.key &- 1, mask)
      while table[place].key != 0 { place = (place + 1) & mask }
      table[place] = label
    }
  }
}

/// A search from both ends: upwards below the core, then towards each other in it.
///
/// Below the core a direction goes on until nothing there is cheaper than the best way. In the core, where each node has its arcs to
/// all others, both directions together are a bidirectional Dijkstra search, which ends when the least costs ahead and
/// behind add up to the best way (Pohl 1971). A meeting is looked for whenever a label gets better, so that the forward search of
/// one target can go on for the next.
struct HierarchySearch {
  private let graph: WalkingGraph
  private let hierarchy: Hierarchy
  private var forward = SearchLabels()
  /// Nodes settled so far, for all targets together.
  private(set) var settled = 0

  /// The best way known and where its directions meet.
  private struct Meeting {
    var cost = UInt32.max
    var node: UInt32?
  }

  /// A search from seeds, which looks upwards at once; for many targets after it the rest goes on where it stood.
  init(_ graph: WalkingGraph, _ hierarchy: Hierarchy, from seeds: [SearchSeed]) {
    self.graph = graph
    self.hierarchy = hierarchy
    var meeting = Meeting()
    let nothing = SearchLabels()
    for seed in seeds {
      reach(&forward, UInt32(clamping: seed.node), seed.cost, .max, .max, nothing, &meeting)
    }
    climb(&forward, Hierarchy.forward, nothing, &meeting)
    settled = forward.settled
  }

  /// The cheapest way to one of the targets.
  ///
  /// - Throws: ``WalkingProblem/damaged(_:)`` when the hierarchy contradicts itself.
  mutating func path(to targets: [SearchSeed]) throws(WalkingProblem) -> FoundPath? {
    var backward = SearchLabels()
    // Taken out and put back: a copy of the labels would be made otherwise.
    var forward = SearchLabels()
    swap(&forward, &self.forward)
    let before = forward.settled
    var meeting = Meeting()
    for seed in targets {
      reach(&backward, UInt32(clamping: seed.node), seed.cost, .max, .max, forward, &meeting)
    }
    climb(&backward, Hierarchy.backward, forward, &meeting)
    while true {
      let (ahead, behind) = (forward.core.least, backward.core.least)
      if ahead.saturatingAdd(behind) >= meeting.cost { break }
      if ahead <= behind {
        guard let (cost, node) = forward.core.pop() else { break }
        settle(&forward, node, cost, Hierarchy.forward, backward, &meeting)
      } else {
        guard let (cost, node) = backward.core.pop() else { break }
        settle(&backward, node, cost, Hierarchy.backward, forward, &meeting)
      }
    }
    settled += forward.settled - before + backward.settled
    swap(&forward, &self.forward)
    guard let node = meeting.node else { return nil }
    return try unpacked(backward, node, cost: meeting.cost)
  }

  /// Settles what is below the core and cheaper than the best way.
  private func climb(
    _ labels: inout SearchLabels,
    _ direction: UInt32,
    _ other: borrowing SearchLabels,
    _ meeting: inout Meeting
  ) {
    while labels.below.least < meeting.cost, let (cost, node) = labels.below.pop() {
      settle(&labels, node, cost, direction, other, &meeting)
    }
  }

  /// Follows the arcs of a node, unless it has been reached more cheaply meanwhile.
  ///
  /// Below the core, a node that is reached more cheaply from above is not on a quickest way, and is not followed.
  @inline(__always)
  private func settle(
    _ labels: inout SearchLabels,
    _ node: UInt32,
    _ cost: UInt32,
    _ direction: UInt32,
    _ other: borrowing SearchLabels,
    _ meeting: inout Meeting
  ) {
    if cost > labels.cost(node) { return }
    labels.settled += 1
    let first = hierarchy.first.pointer
    let arcs = hierarchy.arcs.pointer
    let range = Int(first[Int(node)])..<Int(first[Int(node) + 1])
    let opposite = direction ^ 3
    if Int(node) < hierarchy.coreStart {
      for arc in range where arcs[3 * arc] & opposite != 0 {
        let above = labels.cost(arcs[3 * arc] >> 2)
        if above.saturatingAdd(arcs[3 * arc + 1]) < cost { return }
      }
    }
    for arc in range where arcs[3 * arc] & direction != 0 {
      let sum = cost.saturatingAdd(arcs[3 * arc + 1])
      guard sum < .max else { continue }
      reach(&labels, arcs[3 * arc] >> 2, sum, UInt32(truncatingIfNeeded: arc), node, other, &meeting)
    }
  }

  /// Notes a way to a node, and whether it makes a better way with what the other direction knows.
  @inline(__always)
  private func reach(
    _ labels: inout SearchLabels,
    _ node: UInt32,
    _ cost: UInt32,
    _ arc: UInt32,
    _ parent: UInt32,
    _ other: borrowing SearchLabels,
    _ meeting: inout Meeting
  ) {
    guard labels.reach(node, cost: cost, arc: arc, parent: parent) else { return }
    if Int(node) < hierarchy.coreStart {
      labels.below.push(cost: cost, node: node)
    } else {
      labels.core.push(cost: cost, node: node)
    }
    let sum = cost.saturatingAdd(other.cost(node))
    if sum < meeting.cost { meeting = Meeting(cost: sum, node: node) }
  }

  // MARK: From arcs to edges

  /// An arc at a node and whether it is walked towards that node.
  private struct Pending {
    var node: Int
    var arc: Int
    var isTowards: Bool
  }

  private func unpacked(
    _ backward: SearchLabels,
    _ meeting: UInt32,
    cost: UInt32
  ) throws(WalkingProblem) -> FoundPath {
    var pending: [Pending] = []
    var node = meeting
    var behind: [Pending] = []
    while let label = backward.label(node), label.arc != .max {
      behind.append(Pending(node: Int(label.parent), arc: Int(label.arc), isTowards: true))
      node = label.parent
    }
    let last = Int(node)
    pending = behind.reversed()
    node = meeting
    while let label = forward.label(node), label.arc != .max {
      pending.append(Pending(node: Int(label.parent), arc: Int(label.arc), isTowards: false))
      node = label.parent
    }
    return FoundPath(cost: cost, firstNode: Int(node), lastNode: last, steps: try edges(&pending))
  }

  /// The edges that arcs stand for; the last of `pending` is walked first.
  private func edges(_ pending: inout [Pending]) throws(WalkingProblem) -> [FoundPath.Step] {
    var steps: [FoundPath.Step] = []
    while let next = pending.popLast() {
      let head = Int(hierarchy.arcs[3 * next.arc] >> 2)
      let via = hierarchy.arcs[3 * next.arc + 2]
      let (start, end) = next.isTowards ? (head, next.node) : (next.node, head)
      guard via & Hierarchy.shortcut != 0 else {
        let edge = Int(via)
        steps.append(FoundPath.Step(edge: edge, isBackward: Int(graph.columns.from[edge]) != start))
        // A quickest way has a node twice at most where edges have no length. Damaged data could unfold without end.
        guard steps.count <= 4 * graph.nodeCount else { throw .damaged("a shortcut unfolds into a loop") }
        continue
      }
      let middle = Int(via & ~Hierarchy.shortcut)
      guard let into = hierarchy.arc(at: middle, to: start, Hierarchy.backward),
        let out = hierarchy.arc(at: middle, to: end, Hierarchy.forward)
      else { throw .damaged("a shortcut goes through a node without its arcs") }
      pending.append(Pending(node: middle, arc: out, isTowards: false))
      pending.append(Pending(node: middle, arc: into, isTowards: true))
    }
    return steps
  }
}
