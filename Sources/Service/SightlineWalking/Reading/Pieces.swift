import SightlineOpenStreetMap

/// The third stage: ways cut where they meet, and joined again where only two of a kind meet.
struct Pieces {
  /// A part of a way between two vertices.
  struct Piece {
    var from: Int32
    var to: Int32
    /// Its rows between the vertices, in ``WalkableWays/rows``; empty for a line across a square.
    var inner: Range<Int>
    var flags: EdgeFlags
    var name: UInt32
    /// Steps as tagged, a part of those of the way.
    var steps: Float
    /// Part of the way's length, 0 … 1, for traffic lights.
    var share: Float
  }

  /// A piece of a chain and whether it is walked from its end to its start.
  struct Link {
    var piece: Int32
    var isReversed: Bool
  }

  private(set) var pieces: [Piece] = []
  /// Row of each vertex.
  ///
  /// A row where a way is cut by a barrier has a vertex for each side.
  private(set) var rowOfVertex: [Int32] = []
  /// Chains of pieces that make an edge each, one after the other in ``links``.
  private(set) var chains: [Range<Int>] = []
  private(set) var links: [Link] = []

  init(_ ways: WalkableWays, lines: [SquareLines.Line], positions: [OSMPosition]) throws(WalkingProblem) {
    cut(ways, lines: lines, positions: positions)
    guard pieces.count < 1 << 30 else { throw .tooLarge }
    join(ways)
  }

  // MARK: Cutting

  private mutating func cut(_ ways: WalkableWays, lines: [SquareLines.Line], positions: [OSMPosition]) {
    var vertexOfRow = [Int32](repeating: -1, count: ways.uses.count)
    func vertex(_ pieces: inout Pieces, _ row: Int32) -> Int32 {
      let isBlocked = ways.nodes[row]?.contains(.blocked) ?? false
      if !isBlocked, vertexOfRow[Int(row)] >= 0 { return vertexOfRow[Int(row)] }
      let number = Int32(clamping: pieces.rowOfVertex.count)
      pieces.rowOfVertex.append(row)
      vertexOfRow[Int(row)] = number
      return number
    }
    for run in ways.runs {
      let first = pieces.count
      var start = run.rows.lowerBound
      var from = vertex(&self, ways.rows[start])
      var lengths: [Double] = []
      var length = 0.0
      for index in run.rows.dropFirst() {
        let row = ways.rows[index]
        length += GroundMetric.distance(positions[Int(ways.rows[index - 1])], positions[Int(row)])
        let special = ways.nodes[row] ?? []
        let isLast = index == run.rows.upperBound - 1
        guard isLast || ways.uses[Int(row)] > 1 || special.contains(.blocked) || special.contains(.elevator) else {
          continue
        }
        let to = vertex(&self, row)
        pieces.append(
          Piece(
            from: from,
            to: to,
            inner: start + 1..<index,
            flags: run.access.flags,
            name: run.name,
            steps: 0,
            share: 0
          )
        )
        lengths.append(length)
        length = 0
        start = index
        // Behind a barrier another vertex begins.
        from = special.contains(.blocked) && !isLast ? vertex(&self, row) : to
      }
      let sum = lengths.reduce(0, +)
      for (index, length) in zip(first..<pieces.count, lengths) {
        let share = sum > 0 ? length / sum : 1 / Double(lengths.count)
        pieces[index].share = Float(share * run.share)
        pieces[index].steps = Float(Double(run.access.stepCount) * share * run.share)
      }
    }
    for line in lines {
      let square = ways.squares[line.square]
      var flags = EdgeFlags(kind: square.flags.kind == .platform ? .platform : .square)
      flags.set(EdgeFlags.forward)
      flags.set(EdgeFlags.backward)
      flags.set(EdgeFlags.covered, square.flags.has(EdgeFlags.covered))
      let (from, to) = (vertex(&self, line.from), vertex(&self, line.to))
      pieces.append(
        Piece(
          from: from,
          to: to,
          inner: 0..<0,
          flags: flags,
          name: square.name,
          steps: 0,
          share: 0
        )
      )
    }
  }

  // MARK: Joining

  private mutating func join(_ ways: WalkableWays) {
    let (pieces, rowOfVertex) = (pieces, rowOfVertex)
    var chains: [Range<Int>] = []
    var links: [Link] = []
    // Ends of pieces at each vertex: twice the piece, and one more for its end.
    var first = [Int32](repeating: 0, count: rowOfVertex.count + 1)
    for piece in pieces {
      first[Int(piece.from) + 1] &+= 1
      first[Int(piece.to) + 1] &+= 1
    }
    for index in 1..<first.count { first[index] &+= first[index - 1] }
    var next = first
    var ends = [Int32](repeating: 0, count: 2 * pieces.count)
    for (index, piece) in pieces.enumerated() {
      for (vertex, isEnd) in [(Int(piece.from), 0), (Int(piece.to), 1)] {
        ends[Int(next[vertex])] = Int32(2 * index + isEnd)  // In range: fewer than 2³⁰ pieces.
        next[vertex] &+= 1
      }
    }
    /// The two ends at a vertex where one edge goes on, if it does.
    func through(_ vertex: Int32) -> (Int32, Int32)? {
      let start = Int(first[Int(vertex)])
      guard Int(first[Int(vertex) + 1]) == start + 2 else { return nil }
      let (a, b) = (ends[start], ends[start + 1])
      guard a >> 1 != b >> 1 else { return nil }
      if ways.nodes[rowOfVertex[Int(vertex)]]?.contains(.elevator) ?? false { return nil }
      let (one, two) = (pieces[Int(a >> 1)], pieces[Int(b >> 1)])
      guard one.name == two.name else { return nil }
      // As walked: in by the one, out by the other.
      let into = a & 1 == 1 ? one.flags : one.flags.reversed
      let out = b & 1 == 0 ? two.flags : two.flags.reversed
      return into == out ? (a, b) : nil
    }
    var isUsed = [Bool](repeating: false, count: pieces.count)
    func follow(from end: Int32) {
      let start = links.count
      var end = end
      while true {
        let piece = end >> 1
        if isUsed[Int(piece)] { break }
        isUsed[Int(piece)] = true
        let isReversed = end & 1 == 1
        links.append(Link(piece: piece, isReversed: isReversed))
        let vertex = isReversed ? pieces[Int(piece)].from : pieces[Int(piece)].to
        guard let (a, b) = through(vertex) else { break }
        end = a == end ^ 1 ? b : a
      }
      if links.count > start { chains.append(start..<links.count) }
    }
    for vertex in rowOfVertex.indices where through(Int32(vertex)) == nil {  // In range: at most twice the pieces.
      for index in Int(first[vertex])..<Int(first[vertex + 1]) { follow(from: ends[index]) }
    }
    // What is left are rings that nothing else meets.
    for piece in pieces.indices where !isUsed[piece] { follow(from: Int32(2 * piece)) }  // In range: as above.
    self.chains = chains
    self.links = links
  }
}
