extension WalkingGraph {
  /// The same graph with hierarchies for the fast search, its nodes numbered by their rank.
  ///
  /// Takes minutes and 0.8 GB for a million nodes (Benchmarks/README.md), so the result is stored with the graph. Both profiles share one order of nodes, made for the quickest ways.
  public func prepared() -> WalkingGraph {
    guard !isPrepared else { return self }
    let (order, contracted, first) = contracted()
    return prepared(order: order, contracted: contracted, first: first)
  }

  /// The order of nodes and the hierarchy of the quickest ways.
  ///
  /// What it was made with is gone when this returns.
  private func contracted() -> ([UInt32], Int, Hierarchy) {
    let contraction = Contraction(ContractionGraph(self, .quickest))
    let (order, contracted) = (contraction.order, contraction.contracted)
    return (order, contracted, Self.hierarchy(contraction.graph, order: order, contracted: contracted))
  }

  /// Hierarchies by an order of nodes that is known.
  ///
  /// - Parameters:
  ///   - order: all nodes, by rising rank.
  ///   - contracted: how many of them are contracted; the rest is the core.
  ///   - first: that of the quickest ways, when there is one already.
  /// - Returns: the graph with its nodes numbered by their rank.
  func prepared(order: [UInt32], contracted: Int, first: Hierarchy? = nil) -> WalkingGraph {
    let hierarchies = WalkingProfile.allCases.map { profile in
      if profile == .quickest, let first { return first }
      let contraction = Contraction(ContractionGraph(self, profile), order: order, contracted: contracted)
      return Self.hierarchy(contraction.graph, order: order, contracted: contracted)
    }
    return WalkingGraph(columns: columns.renumbered(Self.rank(order)), index: index, hierarchies: hierarchies)
  }

  private static func rank(_ order: [UInt32]) -> [UInt32] {
    var rank = [UInt32](repeating: 0, count: order.count)
    for (index, node) in order.enumerated() { rank[Int(node)] = UInt32(clamping: index) }
    return rank
  }

  private static func hierarchy(
    _ graph: ContractionGraph,
    order: [UInt32],
    contracted: Int
  ) -> Hierarchy {
    let rank = rank(order)
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
