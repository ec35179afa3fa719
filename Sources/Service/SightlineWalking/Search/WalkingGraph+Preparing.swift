extension WalkingGraph {
  /// The same graph with hierarchies for the fast search, its nodes numbered by their rank.
  ///
  /// Takes about a minute and some hundred megabytes for a million nodes (Benchmarks/walking); the result is stored with the
  /// graph. Both profiles share one order of nodes, made for the quickest ways.
  public func prepared() -> WalkingGraph {
    guard !isPrepared else { return self }
    let contraction = Contraction(ContractionGraph(self, .quickest))
    return prepared(order: contraction.order, contracted: contraction.contracted, first: contraction.graph)
  }

  /// Hierarchies by an order of nodes that is known.
  ///
  /// - Parameters:
  ///   - order: all nodes, by rising rank.
  ///   - contracted: how many of them are contracted; the rest is the core.
  ///   - first: the quickest ways' graph, when it is contracted already.
  func prepared(order: [UInt32], contracted: Int, first: ContractionGraph? = nil) -> WalkingGraph {
    var rank = [UInt32](repeating: 0, count: nodeCount)
    for (index, node) in order.enumerated() { rank[Int(node)] = UInt32(clamping: index) }
    var known = first
    var hierarchies: [Hierarchy] = []
    for profile in WalkingProfile.allCases {
      let graph = known ?? Contraction(ContractionGraph(self, profile), order: order, contracted: contracted).graph
      known = nil
      hierarchies.append(Self.hierarchy(graph, order: order, rank: rank, contracted: contracted))
    }
    return WalkingGraph(columns: columns.renumbered(rank), index: index, hierarchies: hierarchies)
  }

  private static func hierarchy(
    _ graph: ContractionGraph,
    order: [UInt32],
    rank: [UInt32],
    contracted: Int
  ) -> Hierarchy {
    var first: [UInt32] = [0]
    var arcs: [UInt32] = []
    first.reserveCapacity(order.count + 1)
    for node in order {
      let list = graph.arcs(Int(node)).sorted { rank[Int($0.head)] < rank[Int($1.head)] }
      for arc in list {
        arcs.append(rank[Int(arc.head)] << 2 | UInt32(arc.directions))
        arcs.append(arc.cost)
        let isShortcut = arc.via & Hierarchy.shortcut != 0
        arcs.append(isShortcut ? Hierarchy.shortcut | rank[Int(arc.via & ~Hierarchy.shortcut)] : arc.via)
      }
      first.append(UInt32(clamping: arcs.count / 3))
    }
    return Hierarchy(coreStart: contracted, first: Column(first), arcs: Column(arcs))
  }
}
