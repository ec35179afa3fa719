/// The nodes that are not contracted yet, with their arcs to each other, as it shrinks.
///
/// Lists in one piece of memory, for a million nodes with a list each are otherwise a million allocations. A list that is full moves to the end.
final class ContractionGraph {
  struct Arc {
    var head: UInt32
    var cost: UInt32
    /// As in ``Hierarchy/arcs``; nodes by their number before ranks are known.
    var via: UInt32
    /// Directions, ``Hierarchy/forward`` and ``Hierarchy/backward``.
    var directions: UInt16
    /// Number of edges it stands for, at most 65,535.
    var hops: UInt16
  }

  let nodeCount: Int
  private(set) var pool: UnsafeMutablePointer<Arc>
  private var capacity: Int
  private var used = 0
  let start: UnsafeMutablePointer<Int>
  let counts: UnsafeMutablePointer<Int32>
  private let room: UnsafeMutablePointer<Int32>

  init(_ graph: WalkingGraph, _ profile: WalkingProfile) {
    nodeCount = graph.nodeCount
    capacity = 4 * graph.edgeCount + 4 * nodeCount + 16
    pool = .allocate(capacity: capacity)
    start = .allocate(capacity: nodeCount + 1)
    counts = .allocate(capacity: nodeCount + 1)
    room = .allocate(capacity: nodeCount + 1)
    for node in 0..<nodeCount {
      let degree = graph.columns.adjacencyFirst[node + 1] &- graph.columns.adjacencyFirst[node]
      start[node] = used
      counts[node] = 0
      room[node] = Int32(clamping: degree) &+ 2
      used += Int(room[node])
      if used > capacity { enlarge(used) }
    }
    for edge in 0..<graph.edgeCount {
      let (from, to) = (Int(graph.columns.from[edge]), Int(graph.columns.to[edge]))
      guard from != to else { continue }
      for isBackward in [false, true] {
        guard let cost = graph.cost(edge, isBackward: isBackward, profile) else { continue }
        let (tail, head) = isBackward ? (to, from) : (from, to)
        add(tail: tail, head: head, cost: cost, via: UInt32(clamping: edge), hops: 1)
      }
    }
  }

  deinit {
    pool.deallocate()
    start.deallocate()
    counts.deallocate()
    room.deallocate()
  }

  /// The arcs of a node; valid until arcs are added.
  @inline(__always) func arcs(_ node: Int) -> UnsafeMutableBufferPointer<Arc> {
    UnsafeMutableBufferPointer(start: pool + start[node], count: Int(counts[node]))
  }

  /// An arc that both of its ends then have, unless there is one that is not dearer.
  func add(tail: Int, head: Int, cost: UInt32, via: UInt32, hops: UInt16) {
    let arc = Arc(head: UInt32(truncatingIfNeeded: head), cost: cost, via: via, directions: 1, hops: hops)
    put(tail, arc)
    put(head, Arc(head: UInt32(truncatingIfNeeded: tail), cost: cost, via: via, directions: 2, hops: hops))
  }

  private func put(_ node: Int, _ arc: Arc) {
    let list = pool + start[node]
    let count = Int(counts[node])
    var free: Int?
    var same: Int?
    for index in 0..<count where list[index].head == arc.head {
      if list[index].directions & arc.directions != 0 {
        if list[index].cost <= arc.cost { return }
        list[index].directions &= ~arc.directions
      }
      if list[index].directions == 0 {
        free = index
      } else if list[index].cost == arc.cost, list[index].via == arc.via {
        same = index
      }
    }
    if let same {
      list[same].directions |= arc.directions
      if let free { removeArc(free, of: node) }
    } else if let free {
      list[free] = arc
    } else {
      append(arc, to: node)
    }
  }

  private func append(_ arc: Arc, to node: Int) {
    if counts[node] == room[node] {
      let wanted = Int(room[node]) * 2 + 2
      if used + wanted > capacity { enlarge(used + wanted) }
      (pool + used).update(from: pool + start[node], count: Int(counts[node]))
      start[node] = used
      room[node] = Int32(clamping: wanted)
      used += wanted
    }
    pool[start[node] + Int(counts[node])] = arc
    counts[node] &+= 1
  }

  private func enlarge(_ least: Int) {
    let larger = max(least, capacity + capacity / 2)
    let memory = UnsafeMutablePointer<Arc>.allocate(capacity: larger)
    memory.update(from: pool, count: min(used, capacity))
    pool.deallocate()
    pool = memory
    capacity = larger
  }

  private func removeArc(_ index: Int, of node: Int) {
    let list = pool + start[node]
    counts[node] &-= 1
    list[index] = list[Int(counts[node])]
  }

  /// Takes a node out of the lists of its neighbours; its own stays as it is.
  func detach(_ node: Int) {
    for arc in arcs(node) {
      let neighbour = Int(arc.head)
      var index = Int(counts[neighbour]) - 1
      while index >= 0 {
        if Int((pool + start[neighbour])[index].head) == node { removeArc(index, of: neighbour) }
        index -= 1
      }
    }
  }
}
