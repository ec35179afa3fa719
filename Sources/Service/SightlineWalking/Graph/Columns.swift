/// The columns of a graph; ``GraphTables`` says what is in them.
struct Columns: Sendable {
  /// Latitude and longitude of each node, 1e-7 degrees, one after the other.
  var nodePositions: Column<Int32>
  var nodeFlags: Column<UInt8>
  var components: Column<UInt32>
  var from: Column<UInt32>
  var to: Column<UInt32>
  var lengths: Column<UInt32>
  var forwardTimes: Column<UInt32>
  var backwardTimes: Column<UInt32>
  var flags: Column<UInt16>
  var names: Column<UInt32>
  var steps: Column<UInt16>
  var ascents: Column<UInt16>
  var descents: Column<UInt16>
  var shapeFirst: Column<UInt32>
  var shape: Column<Int32>
  var nameFirst: Column<UInt32>
  var nameBytes: Column<UInt8>
  /// Where the edges at a node begin in ``adjacency``; one more than there are nodes.
  var adjacencyFirst: Column<UInt32>
  /// Edges at nodes: twice the edge, and one more where the node is its last.
  var adjacency: Column<UInt32>

}

extension Columns {
  init(_ tables: GraphTables) {
    nodePositions = Column(tables.nodePositions)
    nodeFlags = Column(tables.nodeFlags)
    components = Column(tables.components)
    from = Column(tables.from)
    to = Column(tables.to)
    lengths = Column(tables.lengths)
    forwardTimes = Column(tables.forwardTimes)
    backwardTimes = Column(tables.backwardTimes)
    flags = Column(tables.flags)
    names = Column(tables.names)
    steps = Column(tables.steps)
    ascents = Column(tables.ascents)
    descents = Column(tables.descents)
    shapeFirst = Column(tables.shapeFirst)
    shape = Column(tables.shape)
    nameFirst = Column(tables.nameFirst)
    nameBytes = Column(tables.nameBytes)
    let adjacent = Self.adjacency(nodeCount: tables.nodeCount, from: tables.from, to: tables.to)
    adjacencyFirst = Column(adjacent.first)
    adjacency = Column(adjacent.entries)
  }

  /// Edges at each node.
  static func adjacency(nodeCount: Int, from: [UInt32], to: [UInt32]) -> (first: [UInt32], entries: [UInt32]) {
    var first = [UInt32](repeating: 0, count: nodeCount + 1)
    for edge in from.indices {
      first[Int(from[edge]) + 1] &+= 1
      first[Int(to[edge]) + 1] &+= 1
    }
    for node in 0..<nodeCount { first[node + 1] &+= first[node] }
    var next = first
    var entries = [UInt32](repeating: 0, count: 2 * from.count)
    for edge in from.indices {
      for (node, isLast) in [(Int(from[edge]), UInt32(0)), (Int(to[edge]), 1)] {
        entries[Int(next[node])] = UInt32(clamping: edge) << 1 | isLast
        next[node] &+= 1
      }
    }
    return (first, entries)
  }

  /// The same graph with its nodes in another order.
  ///
  /// - Parameter rank: the new number of each node.
  /// - Returns: columns of which those of nodes and the edges' ends are new.
  func renumbered(_ rank: [UInt32]) -> Columns {
    var other = self
    var positions = [Int32](repeating: 0, count: 2 * rank.count)
    var flags = [UInt8](repeating: 0, count: rank.count)
    var parts = [UInt32](repeating: 0, count: rank.count)
    for node in rank.indices {
      let new = Int(rank[node])
      positions[2 * new] = nodePositions[2 * node]
      positions[2 * new + 1] = nodePositions[2 * node + 1]
      flags[new] = nodeFlags[node]
      parts[new] = components[node]
    }
    other.nodePositions = Column(positions)
    other.nodeFlags = Column(flags)
    other.components = Column(parts)
    let first = (0..<from.count).map { rank[Int(from[$0])] }
    let last = (0..<to.count).map { rank[Int(to[$0])] }
    other.from = Column(first)
    other.to = Column(last)
    let adjacent = Self.adjacency(nodeCount: rank.count, from: first, to: last)
    other.adjacencyFirst = Column(adjacent.first)
    other.adjacency = Column(adjacent.entries)
    return other
  }
}
