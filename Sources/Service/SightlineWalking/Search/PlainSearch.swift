import SightlineInput

/// Dijkstra's algorithm over the whole graph.
struct PlainSearch {
  private let graph: WalkingGraph
  private let profile: WalkingProfile
  private var costs: [UInt32]
  /// The entry of ``WalkingGraph/adjacency`` by which a node was reached; the largest number at a start.
  private var reachedBy: [UInt32]
  private(set) var settled = 0

  /// Searches from seeds until all of the targets' nodes are settled or cannot be reached more cheaply; without targets, everywhere.
  init(_ graph: WalkingGraph, profile: WalkingProfile, from seeds: [SearchSeed], to targets: [SearchSeed]? = nil) {
    self.graph = graph
    self.profile = profile
    costs = [UInt32](repeating: .max, count: graph.nodeCount)
    reachedBy = [UInt32](repeating: .max, count: graph.nodeCount)
    var heap = BinaryHeap()
    for seed in seeds where seed.cost < costs[seed.node] {
      costs[seed.node] = seed.cost
      heap.push(cost: seed.cost, node: UInt32(clamping: seed.node))
    }
    var best = UInt32.max
    costs.withUnsafeMutableBufferPointer { costs in
      reachedBy.withUnsafeMutableBufferPointer { reachedBy in
        while heap.least < best, let (cost, number) = heap.pop() {
          let node = Int(number)
          if cost > costs[node] { continue }
          settled += 1
          if let targets {
            for target in targets where target.node == node { best = min(best, cost.saturatingAdd(target.cost)) }
          }
          let columns = graph.columns
          for entry in Int(columns.adjacencyFirst[node])..<Int(columns.adjacencyFirst[node + 1]) {
            let word = columns.adjacency[entry]
            let edge = Int(word >> 1)
            let isBackward = word & 1 == 1
            guard let step = graph.cost(edge, isBackward: isBackward, profile) else { continue }
            let next = Int(isBackward ? columns.from[edge] : columns.to[edge])
            let sum = cost.saturatingAdd(step)
            if sum < costs[next] {
              costs[next] = sum
              reachedBy[next] = word
              heap.push(cost: sum, node: UInt32(truncatingIfNeeded: next))
            }
          }
        }
      }
    }
  }

  /// The cheapest way to one of the targets.
  func path(to targets: [SearchSeed]) -> FoundPath? {
    var best = UInt32.max
    var end: Int?
    for target in targets {
      let sum = costs[target.node].saturatingAdd(target.cost)
      if sum < best { (best, end) = (sum, target.node) }
    }
    guard let end else { return nil }
    var steps: [FoundPath.Step] = []
    var node = end
    while reachedBy[node] != .max {
      let word = reachedBy[node]
      let edge = Int(word >> 1)
      let isBackward = word & 1 == 1
      steps.append(FoundPath.Step(edge: edge, isBackward: isBackward))
      node = Int(isBackward ? graph.columns.to[edge] : graph.columns.from[edge])
    }
    return FoundPath(cost: best, firstNode: node, lastNode: end, steps: steps.reversed())
  }
}
