/// Whether every number of a stored graph is one that the graph's code may meet: after this no index can be out of range.
struct GraphCheck {
  let nodeCount: Int
  let edgeCount: Int

  private func require(_ condition: Bool, _ what: String) throws(WalkingProblem) {
    guard condition else { throw .damaged(what) }
  }

  /// A column of beginnings: from 0, never falling, to a count.
  private func requireFirst(_ first: Column<UInt32>, count: Int, to last: Int, _ what: String) throws(WalkingProblem) {
    try require(first.count == count + 1 && first[0] == 0 && Int(first[count]) == last, what)
    for index in 0..<count where first[index] > first[index + 1] { throw .damaged(what) }
  }

  private func requirePositions(_ positions: Column<Int32>, _ what: String) throws(WalkingProblem) {
    for index in 0..<positions.count / 2 {
      let (latitude, longitude) = (positions[2 * index], positions[2 * index + 1])
      guard -900_000_000...900_000_000 ~= latitude, -1_800_000_000...1_800_000_000 ~= longitude else {
        throw .damaged(what)
      }
    }
  }

  func check(_ columns: Columns) throws(WalkingProblem) {
    let (n, m) = (nodeCount, edgeCount)
    try require(
      columns.nodePositions.count == 2 * n && columns.nodeFlags.count == n && columns.components.count == n,
      "nodes"
    )
    try requirePositions(columns.nodePositions, "positions of nodes")
    let counts = [
      columns.from.count, columns.to.count, columns.lengths.count, columns.forwardTimes.count,
      columns.backwardTimes.count, columns.flags.count, columns.names.count, columns.steps.count,
      columns.ascents.count, columns.descents.count,
    ]
    try require(counts.allSatisfy { $0 == m }, "edges")
    try require(columns.shape.count % 2 == 0 && columns.shape.count < 1 << 32, "shapes")
    try requireFirst(columns.shapeFirst, count: m, to: columns.shape.count / 2, "shapes")
    try requirePositions(columns.shape, "shapes")
    try require(columns.nameFirst.count >= 2 && columns.nameFirst[1] == 0, "names")
    let nameCount = columns.nameFirst.count - 1
    try requireFirst(columns.nameFirst, count: nameCount, to: columns.nameBytes.count, "names")
    for edge in 0..<m {
      guard Int(columns.from[edge]) < n, Int(columns.to[edge]) < n, Int(columns.names[edge]) < nameCount,
        columns.forwardTimes[edge] <= WalkingGraph.longestTime,
        columns.backwardTimes[edge] <= WalkingGraph.longestTime,
        EdgeFlags(rawValue: columns.flags[edge]).isValid
      else { throw .damaged("edge \(edge)") }
    }
    try require(columns.adjacency.count == 2 * m, "edges at nodes")
    try requireFirst(columns.adjacencyFirst, count: n, to: 2 * m, "edges at nodes")
    for node in 0..<n {
      for entry in Int(columns.adjacencyFirst[node])..<Int(columns.adjacencyFirst[node + 1]) {
        let word = columns.adjacency[entry]
        let edge = Int(word >> 1)
        guard edge < m, Int(word & 1 == 0 ? columns.from[edge] : columns.to[edge]) == node else {
          throw .damaged("edges at node \(node)")
        }
      }
    }
  }

  func check(_ index: EdgeIndex) throws(WalkingProblem) {
    try requireFirst(index.first, count: index.cells.count, to: index.edges.count, "cells")
    for cell in 0..<max(index.cells.count, 1) - 1 where index.cells[cell] >= index.cells[cell + 1] {
      throw .damaged("cells")
    }
    for entry in 0..<index.edges.count where Int(index.edges[entry]) >= edgeCount { throw .damaged("cells") }
  }

  /// Arcs lead upwards or within the core, and a shortcut goes through a node below both its ends: so every one ends in edges.
  func check(_ hierarchy: Hierarchy, _ columns: Columns) throws(WalkingProblem) {
    try require(hierarchy.arcs.count % 3 == 0, "hierarchy")
    try requireFirst(hierarchy.first, count: nodeCount, to: hierarchy.arcs.count / 3, "hierarchy")
    let core = hierarchy.coreStart
    for node in 0..<nodeCount {
      for arc in Int(hierarchy.first[node])..<Int(hierarchy.first[node + 1]) {
        let word = hierarchy.arcs[3 * arc]
        let head = Int(word >> 2)
        guard head < nodeCount, head != node, node < core ? head > node : head >= core, word & 3 != 0 else {
          throw .damaged("arcs of node \(node)")
        }
        let via = hierarchy.arcs[3 * arc + 2]
        if via & Hierarchy.shortcut != 0 {
          let middle = Int(via & ~Hierarchy.shortcut)
          guard middle < min(node, head), middle < core else { throw .damaged("shortcuts of node \(node)") }
        } else {
          let edge = Int(via)
          guard edge < edgeCount else { throw .damaged("arcs of node \(node)") }
          let ends = (Int(columns.from[edge]), Int(columns.to[edge]))
          guard ends == (node, head) || ends == (head, node) else { throw .damaged("arcs of node \(node)") }
        }
      }
    }
  }
}
