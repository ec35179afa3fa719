/// A contraction hierarchy for one profile.
///
/// Nodes are numbered by their rank. At each node below the core stand the arcs to higher nodes: those of the graph, and
/// shortcuts for the quickest ways through lower nodes. A search goes only upwards, from both ends, and meets at the highest node of
/// the way (Geisberger, Sanders, Schultes and Vetter 2012, doi:10.1287/trsc.1110.0401). Nodes of the core were not contracted and
/// have their arcs to all others of the core.
struct Hierarchy: Sendable {
  /// The lowest node of the core; the number of nodes when there is none.
  let coreStart: Int
  /// Where the arcs of a node begin; one more than there are nodes.
  let first: Column<UInt32>
  /// Three numbers for each arc: head and direction, cost, what it stands for.
  ///
  /// The first is four times the node it leads to, plus 1 when it can be walked there, plus 2 when it can be walked back. The
  /// third is an edge, or, with the highest bit, the node that a shortcut goes through.
  let arcs: Column<UInt32>

  static let forward: UInt32 = 1
  static let backward: UInt32 = 2
  static let shortcut: UInt32 = 1 << 31

  /// The cheapest arc that a node has to another in a direction; `nil` in damaged data.
  func arc(at node: Int, to head: Int, _ direction: UInt32) -> Int? {
    var best: Int?
    for arc in Int(first[node])..<Int(first[node + 1]) {
      let word = arcs[3 * arc]
      guard Int(word >> 2) == head, word & direction != 0 else { continue }
      if best.map({ arcs[3 * arc + 1] < arcs[3 * $0 + 1] }) ?? true { best = arc }
    }
    return best
  }
}

/// A way through the graph.
struct FoundPath: Equatable {
  /// An edge and whether it is walked from its last node to its first.
  struct Step: Equatable {
    var edge: Int
    var isBackward: Bool
  }

  /// Tenths of a second, with the costs of the seeds at both ends.
  var cost: UInt32
  var firstNode: Int
  var lastNode: Int
  var steps: [Step]
}

/// Where a search begins or ends: a node and what it costs to get there from the position itself.
struct SearchSeed: Equatable {
  var node: Int
  var cost: UInt32
  /// Whether the edge of the position is walked from its last node to its first.
  var isBackward = false
}
