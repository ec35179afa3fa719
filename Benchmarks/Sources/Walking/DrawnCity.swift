import SightlineOpenStreetMap

/// A city that a seed draws: crooked streets in a grid of blocks with parks, a river with few bridges, dead ends and steps.
///
/// Blocks are 60 to 110 m wide. A tenth of the streets between two corners is missing. Nothing in it is quicker than anything else, as
/// for walkers, so a hierarchy has no motorways to find: harder than a road network for cars of the same size.
struct DrawnCity {
  let side: Int
  private var random: UInt64
  private var ids: [Int64] = []
  private var positions: [OSMPosition] = []
  private var ways: [OSMWay] = []
  private var isMissing: [Bool]
  private var corners: [OSMPosition] = []

  /// Units of 1e-7 degrees for a metre at the city's latitude of 50°.
  private static let north = 89.9
  private static let east = 139.5

  init(side: Int, seed: UInt64) {
    self.side = side
    random = seed
    isMissing = [Bool](repeating: false, count: side * side)
  }

  private mutating func next() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var z = random
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func chance(_ part: Double) -> Bool { Double(next() >> 11) / 9_007_199_254_740_992 < part }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / 9_007_199_254_740_992
  }

  /// The extract of the city.
  mutating func drawn() -> OSMExtract {
    drawCorners()
    for line in 0..<side {
      drawStreet(line, isRow: true)
      drawStreet(line, isRow: false)
    }
    return OSMExtract(positions: NodePositions(ids: ids, values: positions), ways: ways)
  }

  private mutating func drawCorners() {
    var (x, y) = ([0.0], [0.0])
    for _ in 1..<side {
      x.append(x[x.count - 1] + number(60...110))
      y.append(y[y.count - 1] + number(60...110))
    }
    for row in 0..<side {
      for column in 0..<side {
        let (east, north) = (x[column] + number(-15...15), y[row] + number(-15...15))
        let position = OSMPosition(
          latitude: 500_000_000 + Int32(north * Self.north),
          longitude: 80_000_000 + Int32(east * Self.east)
        )
        corners.append(position)
        ids.append(Int64(ids.count))
        positions.append(position)
      }
    }
    // Parks, in which no street is.
    for _ in 0..<side * side / 1500 {
      let (row, column) = (Int(next() % UInt64(side)), Int(next() % UInt64(side)))
      let (height, width) = (2 + Int(next() % 6), 2 + Int(next() % 6))
      for y in row..<min(row + height, side) {
        for x in column..<min(column + width, side) { isMissing[y * side + x] = true }
      }
    }
  }

  /// A street along a row or a column, in pieces where something is in between.
  private mutating func drawStreet(_ line: Int, isRow: Bool) {
    let name = "\(isRow ? "Row" : "Column") \(line)"
    var nodes: [Int64] = []
    func close(_ city: inout DrawnCity) {
      if nodes.count > 1 {
        let tags = OSMTags(["highway": "residential", "name": name])
        city.ways.append(OSMWay(id: Int64(city.ways.count), nodes: nodes, tags: tags))
      }
      nodes = []
    }
    for place in 0..<side {
      let corner = isRow ? line * side + place : place * side + line
      if isMissing[corner] {
        close(&self)
        continue
      }
      nodes.append(Int64(corner))
      guard place + 1 < side else { break }
      // A river along the middle, bridges every twelfth street; elsewhere a tenth of all pieces is missing.
      let isRiver = !isRow && place == side / 2 && line % 12 != 0
      if isRiver || chance(0.1) {
        close(&self)
        continue
      }
      let next = isRow ? corner + 1 : corner + side
      if chance(0.01), !isMissing[next] {
        close(&self)
        let tags = OSMTags(["highway": "steps", "incline": "up"])
        ways.append(OSMWay(id: Int64(ways.count), nodes: [Int64(corner), Int64(next)], tags: tags))
        continue
      }
      if chance(0.4) { nodes.append(bend(corners[corner], corners[next])) }
    }
    close(&self)
  }

  /// A point beside the middle of two corners.
  private mutating func bend(_ a: OSMPosition, _ b: OSMPosition) -> Int64 {
    let position = OSMPosition(
      latitude: (a.latitude + b.latitude) / 2 + Int32(number(-8...8) * Self.north),
      longitude: a.longitude + (b.longitude - a.longitude) / 2 + Int32(number(-8...8) * Self.east)
    )
    ids.append(Int64(ids.count))
    positions.append(position)
    return Int64(ids.count - 1)
  }
}
