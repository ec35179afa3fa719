import SightlineInput
import SightlineOpenStreetMap

/// The sea out of pieces of coast: water lies to the right of a coastline (wiki.openstreetmap.org/wiki/Tag:natural=coastline).
enum Coastline {
  /// The sea within bounds.
  ///
  /// Pieces are joined, cut at the bounds, and closed along them, clockwise, from where one leaves to where the next enters.
  ///
  /// - Returns: polygons of water with islands as holes, and how many pieces end within the bounds and are not used.
  static func sea(
    lines: [PositionLine],
    in bounds: OSMBounds
  ) -> (polygons: [PositionPolygon], openCoasts: Int) {
    var (islands, pieces, open) = ([PositionLine](), [PositionLine](), 0)
    for line in joined(lines) {
      if line.count > 3, line[0] == line[line.count - 1], line.allSatisfy({ contains(bounds, $0) }) {
        islands.append(Array(line.dropLast()))
        continue
      }
      for piece in cut(line, bounds) {
        if let whole = continued(piece, bounds) { pieces.append(whole) } else { open += 1 }
      }
    }
    guard !islands.isEmpty || !pieces.isEmpty else { return ([], open) }
    // Without a coast that goes through, the bounds are all sea round islands, or all land round a lake.
    var rings = closed(pieces, bounds)
    if pieces.isEmpty, open == 0, islands.contains(where: { RingAssembly.area(of: $0) > 0 }) {
      rings = [corners(bounds)]
    }
    return (RingAssembly.polygons(of: rings + islands), open)
  }

  /// Lines joined where one ends and another begins; their direction is kept.
  private static func joined(_ lines: [PositionLine]) -> [PositionLine] {
    let lines = lines.filter { $0.count > 1 }
    var beginning: [OSMPosition: [Int]] = [:]
    for (index, line) in lines.enumerated() { beginning[line[0], default: []].append(index) }
    let ends = Set(lines.map { $0[$0.count - 1] })
    var isUsed = [Bool](repeating: false, count: lines.count)
    var result: [PositionLine] = []
    // First those that nothing leads to, so that no line is begun in its middle; what is left are rings.
    let order =
      lines.indices.filter { !ends.contains(lines[$0][0]) } + lines.indices.filter { ends.contains(lines[$0][0]) }
    for start in order where !isUsed[start] {
      isUsed[start] = true
      var line = lines[start]
      while line[0] != line[line.count - 1] {
        var next: Int?
        while next == nil, let candidate = beginning[line[line.count - 1]]?.popLast() {
          if !isUsed[candidate] { next = candidate }
        }
        guard let next else { break }
        isUsed[next] = true
        line += lines[next].dropFirst()
      }
      result.append(line)
    }
    return result
  }

  private static func contains(_ bounds: OSMBounds, _ position: OSMPosition) -> Bool {
    (bounds.south...bounds.north).contains(position.latitude)
      && (bounds.west...bounds.east).contains(position.longitude)
  }

  private static func isOnEdge(_ bounds: OSMBounds, _ position: OSMPosition) -> Bool {
    position.latitude == bounds.south || position.latitude == bounds.north || position.longitude == bounds.west
      || position.longitude == bounds.east
  }

  /// A piece that reaches the edge at both ends; `nil` where one ends far from it.
  ///
  /// Extracts often end with the last node within the bounds: the side that crosses the edge is not in them. An end that is nearer
  /// to the edge than a twentieth of the bounds goes on straight to it.
  private static func continued(_ piece: PositionLine, _ bounds: OSMBounds) -> PositionLine? {
    var piece = piece
    for _ in 0..<2 {
      let end = piece[piece.count - 1]
      if !isOnEdge(bounds, end) {
        let (x, y) = (Int(end.longitude), Int(end.latitude))
        let ways = [
          (x - Int(bounds.west), OSMPosition(latitude: end.latitude, longitude: bounds.west)),
          (Int(bounds.east) - x, OSMPosition(latitude: end.latitude, longitude: bounds.east)),
          (y - Int(bounds.south), OSMPosition(latitude: bounds.south, longitude: end.longitude)),
          (Int(bounds.north) - y, OSMPosition(latitude: bounds.north, longitude: end.longitude)),
        ]
        let size = min(Int(bounds.east) - Int(bounds.west), Int(bounds.north) - Int(bounds.south))
        guard let (distance, edge) = ways.min(by: { $0.0 < $1.0 }), distance * 20 <= size else { return nil }
        piece.append(edge)
      }
      piece.reverse()
    }
    return piece
  }

  /// The pieces of a line within bounds, which end on the edge where the line leaves them.
  static func cut(_ line: PositionLine, _ bounds: OSMBounds) -> [PositionLine] {
    var pieces: [PositionLine] = []
    var piece: PositionLine = []
    func finish() {
      if piece.count > 1 { pieces.append(piece) }
      piece = []
    }
    for (from, to) in zip(line, line.dropFirst()) {
      guard let (first, last) = cut(from, to, bounds) else {
        finish()
        continue
      }
      if piece.last != first {
        finish()
        piece = [first]
      }
      if piece.last != last { piece.append(last) }
      if last != to { finish() }
    }
    finish()
    // A ring that was begun within the bounds goes on with its beginning.
    if pieces.count > 1, line.first == line.last, let first = pieces.first?.first, pieces.last?.last == first {
      pieces[0] = pieces.removeLast() + pieces[0].dropFirst()
    }
    return pieces
  }

  /// The part of a side within bounds (the method of Liang and Barsky).
  private static func cut(_ from: OSMPosition, _ to: OSMPosition, _ bounds: OSMBounds) -> (OSMPosition, OSMPosition)? {
    let (x, y) = (Double(from.longitude), Double(from.latitude))
    let (dx, dy) = (Double(to.longitude) - x, Double(to.latitude) - y)
    var (enter, leave) = (0.0, 1.0)
    for (direction, room) in [
      (-dx, x - Double(bounds.west)), (dx, Double(bounds.east) - x), (-dy, y - Double(bounds.south)),
      (dy, Double(bounds.north) - y),
    ] {
      if direction == 0 {
        if room < 0 { return nil }
      } else if direction < 0 {
        enter = max(enter, room / direction)
      } else {
        leave = min(leave, room / direction)
      }
    }
    guard enter < leave || enter == 0 && leave == 0 else { return nil }
    func at(_ share: Double) -> OSMPosition {
      var position = OSMPosition(
        latitude: min(bounds.north, max(bounds.south, Int32(clamped: (y + share * dy).rounded()))),
        longitude: min(bounds.east, max(bounds.west, Int32(clamped: (x + share * dx).rounded())))
      )
      // Rounding must not take it off the edge that it was cut at.
      if share > 0 && share == enter || share < 1 && share == leave { position = ontoEdge(position, bounds) }
      return position
    }
    return (enter == 0 ? from : at(enter), leave == 1 ? to : at(leave))
  }

  private static func ontoEdge(_ position: OSMPosition, _ bounds: OSMBounds) -> OSMPosition {
    var position = position
    for edge in [bounds.west, bounds.east] where abs(Int(position.longitude) - Int(edge)) <= 1 {
      position.longitude = edge
    }
    for edge in [bounds.south, bounds.north] where abs(Int(position.latitude) - Int(edge)) <= 1 {
      position.latitude = edge
    }
    return position
  }

  private static func corners(_ bounds: OSMBounds) -> PositionLine {
    [
      OSMPosition(latitude: bounds.north, longitude: bounds.west),
      OSMPosition(latitude: bounds.north, longitude: bounds.east),
      OSMPosition(latitude: bounds.south, longitude: bounds.east),
      OSMPosition(latitude: bounds.south, longitude: bounds.west),
    ]
  }

  /// How far a position on the edge is along it, clockwise from the north-west corner, 0..<4.
  private static func place(_ position: OSMPosition, _ bounds: OSMBounds) -> Double {
    let east = (Double(position.longitude) - Double(bounds.west)) / (Double(bounds.east) - Double(bounds.west))
    let south = (Double(bounds.north) - Double(position.latitude)) / (Double(bounds.north) - Double(bounds.south))
    if position.latitude == bounds.north { return east < 1 ? east : 1 }
    if position.longitude == bounds.east { return 1 + (south < 1 ? south : 1) }
    if position.latitude == bounds.south { return 2 + (1 - east) }
    return 3 + (1 - south)
  }

  /// Rings of water out of pieces that go from edge to edge.
  private static func closed(_ pieces: [PositionLine], _ bounds: OSMBounds) -> [PositionLine] {
    // Where pieces enter, in their order along the edge.
    let entries = pieces.indices.map { (place: place(pieces[$0][0], bounds), piece: $0) }.sorted { $0.place < $1.place }
    var free = FreeRows(count: entries.count)
    let corners = corners(bounds)
    var rings: [PositionLine] = []
    for start in entries.indices where free.next(from: start) == start {
      var ring: PositionLine = []
      var row = start
      repeat {
        let piece = pieces[entries[row].piece]
        // The ring's own first entry stays free: it is where the ring comes back to.
        if row != start { free.take(row) }
        ring += piece
        let leave = place(piece[piece.count - 1], bounds)
        // The next entry clockwise.
        let after = partition(entries, leave)
        let next = free.next(from: after) ?? free.next(from: 0) ?? start
        let target = next >= after ? entries[next].place : entries[next].place + 4
        var corner = leave.rounded(.down) + 1
        while corner < target {
          ring.append(corners[Int(clamped: corner.truncatingRemainder(dividingBy: 4))])
          corner += 1
        }
        row = next
      } while row != start
      free.take(start)
      if ring.count > 2 { rings.append(ring) }
    }
    return rings
  }

  /// The first entry that is not before a place.
  private static func partition(_ entries: [(place: Double, piece: Int)], _ place: Double) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Rows that are not taken yet; asked for the next one in almost constant time.
private struct FreeRows {
  /// For each row itself while it is free, else one further on.
  private var following: [Int]

  init(count: Int) { following = Array(0...count) }

  mutating func take(_ row: Int) { following[row] = row + 1 }

  mutating func next(from row: Int) -> Int? {
    var free = row
    while following[free] != free { free = following[free] }
    // What was passed is led there at once the next time.
    var passed = row
    while following[passed] != passed { (passed, following[passed]) = (following[passed], free) }
    return free < following.count - 1 ? free : nil
  }
}
