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
  var heap = BinaryHeap()
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

  /// Notes a way to a node when it is cheaper than those known.
  @inline(__always) mutating func reach(_ node: UInt32, cost: UInt32, arc: UInt32, parent: UInt32) {
    if 2 * count > table.count { grow() }
    let mask = table.count - 1
    let isBetter = table.withUnsafeMutableBufferPointer { table in
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
    if isBetter { heap.push(cost: cost, node: node) }
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

/// A search upwards from both ends.
struct HierarchySearch {
  private let graph: WalkingGraph
  private let hierarchy: Hierarchy
  private var forward = SearchLabels()
  /// Nodes settled so far.
  private(set) var settled = 0

  /// A search from seeds; with `isComplete` all that can be reached upwards is reached now, for many targets after it.
  init(_ graph: WalkingGraph, _ hierarchy: Hierarchy, from seeds: [SearchSeed], isComplete: Bool = false) {
    self.graph = graph
    self.hierarchy = hierarchy
    for seed in seeds {
      forward.reach(UInt32(clamping: seed.node), cost: seed.cost, arc: .max, parent: .max)
    }
    guard isComplete else { return }
    while Self.settle(&forward, hierarchy, Hierarchy.forward) != nil {}
    settled = forward.settled
  }

  /// Settles the next node of one direction and returns it with its cost; `nil` when there is none.
  ///
  /// A node that is reached more cheaply from above is not on a quickest way, and is not followed.
  @inline(__always)
  private static func settle(
    _ labels: inout SearchLabels,
    _ hierarchy: Hierarchy,
    _ direction: UInt32
  ) -> (node: UInt32, cost: UInt32)? {
    while let (cost, node) = labels.heap.pop() {
      if cost > labels.cost(node) { continue }
      labels.settled += 1
      let first = hierarchy.first.pointer
      let arcs = hierarchy.arcs.pointer
      let range = Int(first[Int(node)])..<Int(first[Int(node) + 1])
      let opposite = direction ^ 3
      if Int(node) < hierarchy.coreStart {
        var isStalled = false
        for arc in range where arcs[3 * arc] & opposite != 0 {
          let above = labels.cost(arcs[3 * arc] >> 2)
          if above.saturatingAdd(arcs[3 * arc + 1]) < cost {
            isStalled = true
            break
          }
        }
        if isStalled { continue }
      }
      for arc in range where arcs[3 * arc] & direction != 0 {
        let sum = cost.saturatingAdd(arcs[3 * arc + 1])
        guard sum < .max else { continue }
        labels.reach(arcs[3 * arc] >> 2, cost: sum, arc: UInt32(truncatingIfNeeded: arc), parent: node)
      }
      return (node, cost)
    }
    return nil
  }

  /// The cheapest way to one of the targets.
  ///
  /// - Throws: ``WalkingProblem/damaged(_:)`` when the hierarchy contradicts itself.
  mutating func path(to targets: [SearchSeed]) throws(WalkingProblem) -> FoundPath? {
    var backward = SearchLabels()
    for seed in targets {
      backward.reach(UInt32(clamping: seed.node), cost: seed.cost, arc: .max, parent: .max)
    }
    var best = UInt32.max
    var meeting: UInt32?
    while true {
      let (ahead, behind) = (forward.heap.least, backward.heap.least)
      if ahead >= best, behind >= best { break }
      let isForward = ahead <= behind
      let next =
        isForward
        ? Self.settle(&forward, hierarchy, Hierarchy.forward) : Self.settle(&backward, hierarchy, Hierarchy.backward)
      guard let (node, cost) = next else { continue }
      let sum = cost.saturatingAdd(isForward ? backward.cost(node) : forward.cost(node))
      if sum < best { (best, meeting) = (sum, node) }
    }
    settled = forward.settled + backward.settled
    guard let meeting else { return nil }
    return try unpacked(backward, meeting, cost: best)
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
