/// Makes hierarchies: takes nodes out one after the other, the least important first, and puts shortcuts where quickest ways went through.
///
/// A shortcut is left out where a witness is found: a way around the node that is not dearer. Witnesses are searched for with
/// a bound on settled nodes; a shortcut too many costs time, never correctness. Importance is level + shortcuts/arcs + edges of
/// shortcuts/edges of arcs, as in the fast implementations (Dibbelt, Strasser, Wagner 2016, doi:10.1145/2886843, section 7.1).
struct Contraction {
  /// Nodes by rising rank.
  private(set) var order: [UInt32] = []
  /// Number of nodes that are contracted; those after them in the order are the core.
  private(set) var contracted = 0
  let graph: ContractionGraph

  /// Arcs that a search for a witness looks at, at most, where importance is estimated.
  static let estimateLimit = 150
  /// Arcs that a search for a witness looks at, at most, where a node is contracted.
  static let witnessLimit = 1500
  /// A node with more arcs is not contracted, nor any after it: they are the core.
  ///
  /// Walkers have no motorways, so the last nodes would each get arcs to most others: in a drawn city of 87,000 nodes 400 instead
  /// of 32 made preparing three times as long and the file two thirds larger.
  static let mostArcs = 32

  private var witness: WitnessSearch
  private var shortcuts: [Shortcut] = []

  private struct Shortcut {
    var tail: UInt32
    var head: UInt32
    var cost: UInt32
    var hops: UInt16
  }

  /// Contracts by importance.
  init(_ graph: ContractionGraph) {
    self.graph = graph
    witness = WitnessSearch(graph)
    contractByImportance()
  }

  /// Contracts in an order that is known.
  init(_ graph: ContractionGraph, order: [UInt32], contracted: Int) {
    self.graph = graph
    witness = WitnessSearch(graph)
    self.order = order
    for node in order.prefix(contracted) { contract(Int(node)) }
    self.contracted = contracted
  }

  private mutating func contractByImportance() {
    let count = graph.nodeCount
    order.reserveCapacity(count)
    var level = [Int32](repeating: 1, count: count)
    var queue = ImportanceQueue(count)
    for node in 0..<count { queue.set(node, importance(node, level: 1)) }
    var isContracted = [Bool](repeating: false, count: count)
    // Neighbours of what was contracted are judged anew only when it is their turn: most are so many times before.
    var isStale = [Bool](repeating: false, count: count)
    while let node = queue.first {
      if isStale[node] {
        isStale[node] = false
        queue.set(node, importance(node, level: level[node]))
        continue
      }
      if graph.arcs(node).count > Self.mostArcs { break }
      queue.removeFirst()
      contract(node)
      order.append(UInt32(truncatingIfNeeded: node))
      isContracted[node] = true
      for arc in graph.arcs(node) {
        let neighbour = Int(arc.head)
        level[neighbour] = max(level[neighbour], level[node] &+ 1)
        isStale[neighbour] = true
      }
    }
    contracted = order.count
    for node in 0..<count where !isContracted[node] { order.append(UInt32(truncatingIfNeeded: node)) }
  }

  private mutating func importance(_ node: Int, level: Int32) -> Float {
    findShortcuts(node, limit: Self.estimateLimit)
    var (removed, removedHops) = (0, 0)
    for arc in graph.arcs(node) {
      let directions = arc.directions == 3 ? 2 : 1
      removed += directions
      removedHops += directions * Int(arc.hops)
    }
    guard removed > 0 else { return Float(level) }
    let hops = shortcuts.reduce(0) { $0 + Int($1.hops) }
    return Float(level) + Float(shortcuts.count) / Float(removed) + Float(hops) / Float(removedHops)
  }

  private mutating func contract(_ node: Int) {
    findShortcuts(node, limit: Self.witnessLimit)
    graph.detach(node)
    let via = Hierarchy.shortcut | UInt32(truncatingIfNeeded: node)
    for shortcut in shortcuts {
      graph.add(
        tail: Int(shortcut.tail),
        head: Int(shortcut.head),
        cost: shortcut.cost,
        via: via,
        hops: shortcut.hops
      )
    }
  }

  /// The shortcuts that are needed without a node.
  private mutating func findShortcuts(_ node: Int, limit: Int) {
    shortcuts.removeAll(keepingCapacity: true)
    let arcs = UnsafeBufferPointer(graph.arcs(node))
    for into in arcs where into.directions & 2 != 0 {
      var farthest: UInt32 = 0
      var targets = 0
      for out in arcs where out.directions & 1 != 0 && out.head != into.head {
        let (sum, overflows) = into.cost.addingReportingOverflow(out.cost)
        // What costs more than can be counted is no way; the plain search has the same rule.
        if overflows || sum == .max { continue }
        farthest = max(farthest, sum)
        targets += 1
      }
      guard targets > 0 else { continue }
      witness.run(from: into.head, avoiding: UInt32(truncatingIfNeeded: node), upTo: farthest, limit: limit)
      for out in arcs where out.directions & 1 != 0 && out.head != into.head {
        let (sum, overflows) = into.cost.addingReportingOverflow(out.cost)
        if overflows || sum == .max || witness.cost(out.head) <= sum { continue }
        shortcuts.append(
          Shortcut(
            tail: into.head,
            head: out.head,
            cost: sum,
            hops: UInt16(clamping: Int(into.hops) + Int(out.hops))
          )
        )
      }
      witness.reset()
    }
  }
}

/// A bounded search for ways around a node.
struct WitnessSearch {
  private let graph: ContractionGraph
  private let costs: Costs
  private var reached: [UInt32] = []
  private var heap = BinaryHeap()

  private final class Costs {
    let values: UnsafeMutablePointer<UInt32>

    init(_ count: Int) {
      values = .allocate(capacity: count + 1)
      values.initialize(repeating: .max, count: count + 1)
    }

    deinit { values.deallocate() }
  }

  init(_ graph: ContractionGraph) {
    self.graph = graph
    costs = Costs(graph.nodeCount)
  }

  /// What it costs to a node, at least as much as the cheapest way; the largest number when it was not reached.
  @inline(__always) func cost(_ node: UInt32) -> UInt32 { costs.values[Int(node)] }

  /// Searches from a node and looks at so many arcs at most; what it reached stays until ``reset()``.
  mutating func run(from start: UInt32, avoiding node: UInt32, upTo most: UInt32, limit: Int) {
    let values = costs.values
    let (pool, starts, counts) = (graph.pool, graph.start, graph.counts)
    values[Int(start)] = 0
    reached.append(start)
    heap.push(cost: 0, node: start)
    var left = limit
    while left > 0, let (cost, next) = heap.pop() {
      if cost > values[Int(next)] { continue }
      if cost > most { break }
      let arcs = pool + starts[Int(next)]
      let count = Int(counts[Int(next)])
      left -= count
      for index in 0..<count where arcs[index].directions & 1 != 0 && arcs[index].head != node {
        let head = arcs[index].head
        let (sum, overflows) = cost.addingReportingOverflow(arcs[index].cost)
        let old = values[Int(head)]
        if overflows || sum > most || sum >= old { continue }
        if old == .max { reached.append(head) }
        values[Int(head)] = sum
        heap.push(cost: sum, node: head)
      }
    }
  }

  /// Forgets what was reached.
  mutating func reset() {
    for node in reached { costs.values[Int(node)] = .max }
    reached.removeAll(keepingCapacity: true)
    heap.removeAll()
  }
}

/// Nodes with the least important first, whose importance may change.
struct ImportanceQueue {
  private var heap: [Int32] = []
  private var place: [Int32]
  private var importance: [Float]

  init(_ count: Int) {
    place = [Int32](repeating: -1, count: count)
    importance = [Float](repeating: 0, count: count)
    heap.reserveCapacity(count)
  }

  /// The least important node.
  var first: Int? { heap.first.map { Int($0) } }

  /// Puts a node in, or elsewhere.
  mutating func set(_ node: Int, _ value: Float) {
    importance[node] = value
    if place[node] < 0 {
      place[node] = Int32(clamping: heap.count)
      heap.append(Int32(clamping: node))
    }
    rise(Int(place[node]))
    sink(Int(place[node]))
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), let first = heap.first else {
      heap.removeAll()
      return
    }
    place[Int(first)] = -1
    heap[0] = last
    place[Int(last)] = 0
    sink(0)
  }

  /// Of equally important nodes the lower comes first, so that one graph gives one hierarchy.
  private func isBefore(_ a: Int32, _ b: Int32) -> Bool {
    let (x, y) = (importance[Int(a)], importance[Int(b)])
    return x == y ? a < b : x < y
  }

  private mutating func rise(_ index: Int) {
    var index = index
    let node = heap[index]
    while index > 0, isBefore(node, heap[(index - 1) / 2]) {
      move(heap[(index - 1) / 2], to: index)
      index = (index - 1) / 2
    }
    move(node, to: index)
  }

  private mutating func sink(_ index: Int) {
    var index = index
    let node = heap[index]
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
      guard isBefore(heap[child], node) else { break }
      move(heap[child], to: index)
      index = child
    }
    move(node, to: index)
  }

  private mutating func move(_ node: Int32, to index: Int) {
    heap[index] = node
    place[Int(node)] = Int32(truncatingIfNeeded: index)
  }
}
