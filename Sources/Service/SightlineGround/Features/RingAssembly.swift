import SightlineOpenStreetMap

/// Rings out of the ways of a multipolygon, and which hole lies in which ring
/// (wiki.openstreetmap.org/wiki/Relation:multipolygon/Algorithm).
enum RingAssembly {
  /// Lines of nodes, put together to rings.
  ///
  /// Ways are joined at their ends. Where more than two meet, the first that is free is taken; a ring that touches itself at a
  /// node is then two. What does not close is left out.
  ///
  /// - Returns: rings without their first node repeated, and how many ways were left over.
  static func rings(of ways: [[Int64]]) -> (rings: [[Int64]], left: Int) {
    var rings: [[Int64]] = []
    var open: [[Int64]] = []
    for way in ways where way.count > 1 {
      if way.first == way.last {
        if way.count > 3 { rings.append(Array(way.dropLast())) }
      } else {
        open.append(way)
      }
    }
    // Ways that begin or end at a node.
    var ends: [Int64: [Int]] = [:]
    for (index, way) in open.enumerated() {
      ends[way[0], default: []].append(index)
      ends[way[way.count - 1], default: []].append(index)
    }
    var isUsed = [Bool](repeating: false, count: open.count)
    var left = 0
    for start in open.indices where !isUsed[start] {
      isUsed[start] = true
      var line = open[start]
      var used = 1
      while line[0] != line[line.count - 1] {
        let end = line[line.count - 1]
        // Each look takes one from the list: all of them together are as many as there are ends.
        var next: Int?
        while next == nil, let candidate = ends[end]?.popLast() {
          if !isUsed[candidate] { next = candidate }
        }
        guard let next else { break }
        isUsed[next] = true
        used += 1
        let way = open[next]
        line += way[0] == end ? way.dropFirst() : way.reversed().dropFirst()
      }
      if line[0] == line[line.count - 1], line.count > 3 { rings.append(Array(line.dropLast())) } else { left += used }
    }
    return (rings, left)
  }

  /// Rings as polygons: those within an odd number of others are holes of the smallest ring around them.
  ///
  /// Roles of members are often wrong and are not asked.
  static func polygons(of rings: [PositionLine]) -> [PositionPolygon] {
    guard rings.count > 1 else { return rings.map { PositionPolygon(outer: $0) } }
    // From large to small: what encloses comes before what is enclosed.
    let sized = rings.map { (ring: $0, area: abs(area(of: $0)), box: OSMBounds(around: $0)) }
      .sorted { $0.area > $1.area }
    var polygons: [PositionPolygon] = []
    // For each ring its polygon, where it is an outer one.
    var polygonOf = [Int?](repeating: nil, count: sized.count)
    var steps = mostSteps
    for (index, one) in sized.enumerated() {
      var enclosing = 0
      var nearest: Int?
      // Ten thousand rings in each other would take a square of steps: boxes first, and no more steps than these in all. What is
      // not looked at any more is an area of its own.
      if index < mostNested {
        for other in 0..<index where steps > 0 && contains(sized[other].box, one.box) {
          steps -= 2 * sized[other].ring.count + 32
          guard contains(sized[other].ring, one.ring) else { continue }
          enclosing += 1
          nearest = other
        }
      }
      if enclosing % 2 == 1, let nearest, let polygon = polygonOf[nearest] {
        polygons[polygon].holes.append(one.ring)
      } else {
        polygonOf[index] = polygons.count
        polygons.append(PositionPolygon(outer: one.ring))
      }
    }
    return polygons
  }

  private static let mostNested = 4096
  /// Corners that are looked at for one relation, with something for each look.
  private static let mostSteps = 40_000_000

  private static func contains(_ outer: OSMBounds?, _ inner: OSMBounds?) -> Bool {
    guard let outer, let inner else { return false }
    return outer.south <= inner.south && outer.north >= inner.north && outer.west <= inner.west
      && outer.east >= inner.east
  }

  /// Whether a ring lies in another that it does not cross: told by its first position that is not on the other's corners.
  private static func contains(_ outer: PositionLine, _ inner: PositionLine) -> Bool {
    // Rings that touch share few corners; one that shares more is taken to lie outside.
    for position in inner.prefix(mostShared) where !outer.contains(position) { return contains(outer, position) }
    return false
  }

  private static let mostShared = 64

  /// Whether a position is within a ring, by the number of sides to its east (even-odd rule).
  static func contains(_ ring: PositionLine, _ position: OSMPosition) -> Bool {
    var isInside = false
    guard var previous = ring.last else { return false }
    let (x, y) = (Double(position.longitude), Double(position.latitude))
    for corner in ring {
      let (x1, y1) = (Double(previous.longitude), Double(previous.latitude))
      let (x2, y2) = (Double(corner.longitude), Double(corner.latitude))
      if (y1 > y) != (y2 > y), x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) { isInside.toggle() }
      previous = corner
    }
    return isInside
  }

  /// Twice the area of a ring, in squares of 1e-7 degrees; positive where it goes anticlockwise.
  static func area(of ring: PositionLine) -> Double {
    guard var previous = ring.last, let first = ring.first else { return 0 }
    var sum = 0.0
    for corner in ring {
      let (x1, y1) = (
        Double(previous.longitude) - Double(first.longitude), Double(previous.latitude) - Double(first.latitude)
      )
      let (x2, y2) = (
        Double(corner.longitude) - Double(first.longitude), Double(corner.latitude) - Double(first.latitude)
      )
      sum += x1 * y2 - x2 * y1
      previous = corner
    }
    return sum
  }
}
