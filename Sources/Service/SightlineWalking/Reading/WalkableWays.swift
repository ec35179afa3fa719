import SightlineOpenStreetMap

/// The first stage: the ways of an extract that can be walked, as runs of rows of its node table.
struct WalkableWays {
  /// Consecutive nodes of a way that are all in the extract and less than ``longestSegment`` apart.
  struct Run {
    /// Where its rows are in ``WalkableWays/rows``.
    var rows: Range<Int>
    var access: FootAccess
    /// Index into ``WalkableWays/names``; 0 for none.
    var name: UInt32
    /// Part of the way's length, 0 … 1: what of the way's steps falls to it.
    var share: Double
  }

  private(set) var runs: [Run] = []
  private(set) var rows: [Int32] = []
  private(set) var names: [String] = [""]
  /// How many runs need a row as a node: 2 and more make it one.
  private(set) var uses: [UInt8]
  /// What tagged nodes do to walkers, by row.
  private(set) var nodes: [Int32: FootNode] = [:]
  /// Areas that are crossed straight: rings of rows, an area after the other.
  private(set) var squares: [Square] = []

  /// An area with its holes: closed rings without the repeated last row; none where a relation has taken it over.
  struct Square {
    var rings: [[Int32]]
    var name: UInt32
    var flags: EdgeFlags
  }

  /// Metres between two nodes of a way beyond which it is taken for an error.
  static let longestSegment = 20_000.0

  /// The square whose outline begins at a row.
  private var squareAt: [Int32: Int] = [:]
  private var numberOfName: [String: UInt32] = [:]

  init(_ extract: OSMExtract) throws(WalkingProblem) {
    guard extract.positions.count < 1 << 31 else { throw .tooLarge }
    uses = [UInt8](repeating: 0, count: extract.positions.count)
    for node in extract.nodes {
      let kind = FootNode.of(node.tags)
      guard !kind.isEmpty, let row = extract.positions.index(of: node.id) else { continue }
      nodes[Int32(row)] = kind  // In range: fewer than 2³¹ positions.
    }
    for way in extract.ways {
      guard let access = FootAccess(way.tags) else { continue }
      add(way.nodes, of: extract, access: access, tags: way.tags, isArea: access.isArea && way.isClosed)
    }
    for relation in extract.relations where relation.tags["type"] == "multipolygon" {
      add(relation, of: extract)
    }
    guard rows.count < 1 << 31 else { throw .tooLarge }
  }

  private mutating func name(of tags: OSMTags) -> UInt32 {
    // Longer than any street's name is no name; the bound is that of the stored column.
    // The number of a road or a platform is a name; that of a path is one for its keepers.
    let isNumbered = tags["railway"] != nil || tags["public_transport"] != nil || FootAccess.isRoad(tags)
    guard let name = tags["name"] ?? (isNumbered ? tags["ref"] : nil), !name.isEmpty, name.utf8.count <= 1000 else {
      return 0
    }
    if let known = numberOfName[name] { return known }
    let number = UInt32(clamping: names.count)
    names.append(name)
    numberOfName[name] = number
    return number
  }

  private mutating func add(_ ids: [Int64], of extract: OSMExtract, access: FootAccess, tags: OSMTags, isArea: Bool) {
    var access = access
    let first = runs.count
    let name = name(of: tags)
    var start = rows.count
    var lengths: [Double] = []
    var length = 0.0
    func close(_ ways: inout WalkableWays) {
      if ways.rows.count - start > 1 {
        ways.runs.append(Run(rows: start..<ways.rows.count, access: access, name: name, share: 1))
        lengths.append(length)
      } else {
        ways.rows.removeSubrange(start...)
      }
      start = ways.rows.count
      length = 0
    }
    for id in ids {
      guard let row = extract.positions.index(of: id) else {
        close(&self)
        continue
      }
      let next = Int32(row)  // In range: fewer than 2³¹ positions.
      if rows.count > start {
        let last = rows[rows.count - 1]
        if last == next { continue }
        let step = GroundMetric.distance(extract.positions.values[Int(last)], extract.positions.values[row])
        if step > Self.longestSegment { close(&self) } else { length += step }
      }
      rows.append(next)
    }
    close(&self)
    let sum = lengths.reduce(0, +)
    for (index, length) in zip(first..<runs.count, lengths) {
      runs[index].share = sum > 0 ? length / sum : 1
      let range = runs[index].rows
      if access.flags.kind == .crossing, range.contains(where: { nodes[rows[$0]]?.contains(.signals) ?? false }) {
        access.flags.set(EdgeFlags.signals)
        runs[index].access = access
      }
      use(range, isRing: isArea && rows[range.lowerBound] == rows[range.upperBound - 1])
    }
    if isArea, runs.count == first + 1, let run = runs.last, rows[run.rows.lowerBound] == rows[run.rows.upperBound - 1]
    {
      squareAt[rows[run.rows.lowerBound]] = squares.count
      squares.append(Square(rings: [Array(rows[run.rows].dropLast())], name: name, flags: access.flags))
    }
  }

  /// Counts the uses of nodes: those at the ends of a way become nodes of the graph anyway; a ring has no ends.
  private mutating func use(_ range: Range<Int>, isRing: Bool) {
    for index in isRing ? range.dropLast() : range {
      let isEnd = !isRing && (index == range.lowerBound || index == range.upperBound - 1)
      mark(rows[index], isEnd ? 2 : 1)
    }
  }

  private mutating func mark(_ row: Int32, _ count: UInt8) {
    uses[Int(row)] = min(uses[Int(row)], 200) &+ count
  }

  /// Makes a row a node of the graph.
  mutating func keep(_ row: Int32) { mark(row, 2) }

  /// An area of several rings: its outlines are walked, too, unless they are ways of their own.
  private mutating func add(_ relation: OSMRelation, of extract: OSMExtract) {
    guard let access = FootAccess(relation.tags) else { return }
    var lines: [[Int32]] = []
    for member in relation.members where member.kind == .way {
      guard let way = extract.way(member.id) else { return }
      var line: [Int32] = []
      for id in way.nodes {
        // With a part missing it is not known where the area is.
        guard let row = extract.positions.index(of: id) else { return }
        line.append(Int32(row))  // In range: fewer than 2³¹ positions.
      }
      guard line.count > 1 else { return }
      lines.append(line)
      if FootAccess(way.tags) == nil {
        add(way.nodes, of: extract, access: access, tags: relation.tags, isArea: way.isClosed)
        // One of its rings is no square for itself.
        if way.isClosed, squareAt[line[0]] == squares.count - 1 { squares[squares.count - 1].rings = [] }
      } else if way.isClosed, let index = squareAt[line[0]] {
        squares[index].rings = []
      }
    }
    let rings = Self.rings(of: lines)
    guard !rings.isEmpty else { return }
    squares.append(Square(rings: rings, name: name(of: relation.tags), flags: access.flags))
  }

  /// Joins lines at their ends into rings; empty when something stays open.
  static func rings(of lines: [[Int32]]) -> [[Int32]] {
    var rings: [[Int32]] = []
    var linesAt: [Int32: [Int]] = [:]
    for (index, line) in lines.enumerated() where line.first != line.last {
      linesAt[line[0], default: []].append(index)
      linesAt[line[line.count - 1], default: []].append(index)
    }
    var isUsed = [Bool](repeating: false, count: lines.count)
    for (index, line) in lines.enumerated() where !isUsed[index] {
      isUsed[index] = true
      var ring = line
      while let end = ring.last, end != ring[0] {
        guard let next = linesAt[end]?.first(where: { !isUsed[$0] }) else { return [] }
        // An end where many lines meet would be searched again and again.
        if linesAt[end, default: []].count > 8 { return [] }
        isUsed[next] = true
        if lines[next][0] == end {
          ring += lines[next].dropFirst()
        } else {
          ring += lines[next].dropLast().reversed()
        }
      }
      ring.removeLast()
      if ring.count > 2 { rings.append(ring) }
    }
    return rings
  }
}

extension OSMExtract {
  /// The way of an identifier; ways are in their order.
  func way(_ id: Int64) -> OSMWay? {
    var low = 0
    var high = ways.count
    while low < high {
      let middle = (low + high) / 2
      if ways[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < ways.count && ways[low].id == id ? ways[low] : nil
  }
}
