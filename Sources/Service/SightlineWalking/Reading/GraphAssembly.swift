import SightlineInput
import SightlineOpenStreetMap

/// The fourth stage: edges with lengths, times and shapes, without what is too small to lead anywhere.
struct GraphAssembly {
  private(set) var tables = GraphTables()
  private let extract: OSMExtract
  private let ways: WalkableWays
  private let pieces: Pieces
  private let heights: WalkingGraph.Heights?

  /// Connected parts with less than so many metres of ways are left out, except the longest of all.
  static let shortestComponent = 200.0
  /// Metres between places where heights are asked: data of the ground have errors that make slopes of shorter parts meaningless.
  static let heightInterval = 30.0

  init(_ extract: OSMExtract, heights: WalkingGraph.Heights?) throws(WalkingProblem) {
    self.extract = extract
    self.heights = heights
    var ways = try WalkableWays(extract)
    let lines = SquareLines.lines(&ways, positions: extract.positions.values)
    self.ways = ways
    pieces = try Pieces(ways, lines: lines, positions: extract.positions.values)
    guard !pieces.chains.isEmpty else { throw .empty }
    let component = components()
    addNodes(component)
    for chain in pieces.chains {
      let vertex = Int(start(of: pieces.links[chain.lowerBound]))
      if component.number[vertex] != nil { addEdge(chain, component) }
    }
    for name in ways.names.dropFirst() {
      tables.nameBytes += name.utf8
      guard tables.nameBytes.count < 1 << 31 else { throw .tooLarge }
      tables.nameFirst.append(UInt32(clamping: tables.nameBytes.count))
    }
    guard tables.nodeCount < 1 << 30, tables.edgeCount < 1 << 30, tables.shape.count < 1 << 31 else { throw .tooLarge }
  }

  private func start(of link: Pieces.Link) -> Int32 {
    let piece = pieces.pieces[Int(link.piece)]
    return link.isReversed ? piece.to : piece.from
  }

  private func end(of link: Pieces.Link) -> Int32 {
    let piece = pieces.pieces[Int(link.piece)]
    return link.isReversed ? piece.from : piece.to
  }

  private func position(_ row: Int32) -> OSMPosition { extract.positions.values[Int(row)] }

  // MARK: Connected parts

  /// Numbers of the parts that stay, by vertex, and of nodes.
  private struct Components {
    var number: [UInt32?]
    var node: [UInt32]
  }

  private func components() -> Components {
    let count = pieces.rowOfVertex.count
    var parent = Array(0..<count)
    func root(_ vertex: Int) -> Int {
      var vertex = vertex
      while parent[vertex] != vertex {
        parent[vertex] = parent[parent[vertex]]
        vertex = parent[vertex]
      }
      return vertex
    }
    var size = [Int](repeating: 1, count: count)
    for piece in pieces.pieces {
      let (a, b) = (root(Int(piece.from)), root(Int(piece.to)))
      guard a != b else { continue }
      let (small, large) = size[a] < size[b] ? (a, b) : (b, a)
      parent[small] = large
      size[large] += size[small]
    }
    var lengths = [Double](repeating: 0, count: count)
    for chain in pieces.chains {
      let rows = rows(of: chain)
      var length = 0.0
      for (a, b) in zip(rows, rows.dropFirst()) { length += GroundMetric.distance(position(a), position(b)) }
      lengths[root(Int(start(of: pieces.links[chain.lowerBound])))] += length
    }
    var isNode = [Bool](repeating: false, count: count)
    for chain in pieces.chains {
      isNode[Int(start(of: pieces.links[chain.lowerBound]))] = true
      isNode[Int(end(of: pieces.links[chain.upperBound - 1]))] = true
    }
    // Longest first; of equal ones that of the lower vertex, so that one extract gives one graph.
    var roots = Array(0..<count)
    roots.removeAll { parent[$0] != $0 }
    roots.sort { (a: Int, b: Int) -> Bool in
      if lengths[a] != lengths[b] { return lengths[a] > lengths[b] }
      return a < b
    }
    var numberOfRoot = [UInt32?](repeating: nil, count: count)
    for (index, root) in roots.enumerated() where index == 0 || lengths[root] >= Self.shortestComponent {
      numberOfRoot[root] = UInt32(clamping: index)
    }
    var components = Components(number: [], node: [])
    var next: UInt32 = 0
    for vertex in 0..<count {
      // Vertices inside an edge are no nodes.
      components.number.append(isNode[vertex] ? numberOfRoot[root(vertex)] : nil)
      components.node.append(next)
      if components.number[vertex] != nil { next &+= 1 }
    }
    return components
  }

  private mutating func addNodes(_ components: Components) {
    for (vertex, number) in components.number.enumerated() {
      guard let number else { continue }
      let row = pieces.rowOfVertex[vertex]
      let position = position(row)
      tables.nodePositions.append(position.latitude)
      tables.nodePositions.append(position.longitude)
      tables.nodeFlags.append(ways.nodes[row]?.contains(.elevator) ?? false ? GraphTables.elevatorNode : 0)
      tables.components.append(number)
    }
  }

  // MARK: Edges

  /// The rows of a chain from its first vertex to its last.
  private func rows(of chain: Range<Int>) -> [Int32] {
    var rows = [pieces.rowOfVertex[Int(start(of: pieces.links[chain.lowerBound]))]]
    for link in pieces.links[chain] {
      let inner = ways.rows[pieces.pieces[Int(link.piece)].inner]
      if link.isReversed { rows += inner.reversed() } else { rows += inner }
      rows.append(pieces.rowOfVertex[Int(end(of: link))])
    }
    return rows
  }

  private mutating func addEdge(_ chain: Range<Int>, _ components: Components) {
    let first = pieces.links[chain.lowerBound]
    let piece = pieces.pieces[Int(first.piece)]
    var flags = first.isReversed ? piece.flags.reversed : piece.flags
    let points = rows(of: chain).map(position)
    var along = [0.0]
    for (a, b) in zip(points, points.dropFirst()) { along.append(along[along.count - 1] + GroundMetric.distance(a, b)) }
    var (steps, share) = (0.0, 0.0)
    for link in pieces.links[chain] {
      steps += Double(pieces.pieces[Int(link.piece)].steps)
      share += Double(pieces.pieces[Int(link.piece)].share)
    }
    let length = along[along.count - 1]
    let climb = ClimbProfile(points, along: along, spans: flags.has(EdgeFlags.spans), heights: heights)
    flags.set(EdgeFlags.heights, climb != nil)
    if flags.isSteps, !flags.has(EdgeFlags.stepsKnown) { steps = max(1, length / WalkingSpeed.tread) }
    var times = WalkingSpeed.seconds(length: length, flags: flags, steps: steps, climb: climb)
    let from = components.node[Int(start(of: first))]
    let to = components.node[Int(end(of: pieces.links[chain.upperBound - 1]))]
    var delay = flags.has(EdgeFlags.signals) ? WalkingSpeed.signalSeconds * share : 0
    // A lift is passed by two edges, half of its time with each.
    for node in [from, to] where tables.nodeFlags[Int(node)] & GraphTables.elevatorNode != 0 {
      delay += WalkingSpeed.elevatorSeconds / 2
    }
    times.forward += delay
    times.backward += delay
    tables.from.append(from)
    tables.to.append(to)
    tables.lengths.append(UInt32(clamped: (length * 10).rounded()))
    tables.forwardTimes.append(min(UInt32(clamped: (times.forward * 10).rounded()), WalkingGraph.longestTime))
    tables.backwardTimes.append(min(UInt32(clamped: (times.backward * 10).rounded()), WalkingGraph.longestTime))
    tables.flags.append(flags.rawValue)
    tables.names.append(piece.name)
    tables.steps.append(flags.isSteps ? UInt16(clamped: max(1, steps.rounded())) : 0)
    tables.ascents.append(UInt16(clamped: ((climb?.ascent ?? 0) * 10).rounded()))
    tables.descents.append(UInt16(clamped: ((climb?.descent ?? 0) * 10).rounded()))
    for point in points.dropFirst().dropLast() {
      tables.shape.append(point.latitude)
      tables.shape.append(point.longitude)
    }
    tables.shapeFirst.append(UInt32(clamping: tables.shape.count / 2))
  }
}
