import SightlineContent
import SightlineInput

/// Rings by where they are, so that the one around a point is found without looking at all of them.
///
/// A grid over the rings' boxes tells which may hold the point, and in a ring of many corners strips of equal latitude tell
/// which of its edges count. Rings that lie over one another everywhere, and edges that all go from top to bottom, defeat both:
/// the work is then that of looking at all, which `work` counts.
struct RingIndex {
  private struct Box {
    var south = Double.infinity
    var north = -Double.infinity
    var west = Double.infinity
    var east = -Double.infinity

    mutating func extend(to position: Position) {
      south = min(south, position.latitude)
      north = max(north, position.latitude)
      west = min(west, position.longitude)
      east = max(east, position.longitude)
    }

    func holds(_ point: Position) -> Bool {
      point.latitude >= south && point.latitude <= north && point.longitude >= west && point.longitude <= east
    }
  }

  private let rings: [[Position]]
  private var boxes: [Box] = []
  private var bounds = Box()
  /// Cells of the grid from south to north, and from west to east.
  private let rows: Int
  private let columns: Int
  /// Rings whose box touches a cell, in order.
  private var cells: [[Int]]
  /// Rings over so many cells that they are looked at for every point.
  private var wide: [Int] = []
  private static let mostCells = 16
  /// For rings of many corners: the corners at which the edges of each strip end.
  private var strips: [Int: [[Int]]] = [:]
  private static let fewestCorners = 64

  init(_ rings: [[Position]]) {
    self.rings = rings
    var (height, width) = (0.0, 0.0)
    for ring in rings {
      var box = Box()
      for corner in ring {
        box.extend(to: corner)
        bounds.extend(to: corner)
      }
      if !ring.isEmpty { (height, width) = (height + box.north - box.south, width + box.east - box.west) }
      boxes.append(box)
    }
    // Cells about as large as a ring is on average, so that a row of rings has columns only; not more cells than rings.
    func parts(_ whole: Double, _ sum: Double) -> Double {
      sum > 0 ? (whole * Double(rings.count) / sum).clamped(to: 1...Double(max(1, rings.count))) : 1
    }
    let (tall, broad) = (parts(bounds.north - bounds.south, height), parts(bounds.east - bounds.west, width))
    let excess = (tall * broad / Double(max(1, rings.count))).clamped(to: 1...Double.greatestFiniteMagnitude)
    // A side of one cell takes no share of the reduction.
    let share = tall > 1 && broad > 1 ? excess.squareRoot() : excess
    rows = Int(clamped: tall > 1 ? tall / share : 1).clamped(to: 1...max(1, rings.count))
    columns = Int(clamped: broad > 1 ? broad / share : 1).clamped(to: 1...max(1, rings.count / rows))
    cells = Array(repeating: [], count: rows * columns)
    for (index, box) in boxes.enumerated() where box.south <= box.north {
      let (low, high) = (row(box.south), row(box.north))
      let (left, right) = (column(box.west), column(box.east))
      if (high - low + 1) * (right - left + 1) > Self.mostCells {
        wide.append(index)
      } else {
        for row in low...high { for column in left...right { cells[row * columns + column].append(index) } }
      }
      if rings[index].count >= Self.fewestCorners { strips[index] = Self.strips(of: rings[index], box) }
    }
  }

  private func row(_ latitude: Double) -> Int { Self.part(latitude, bounds.south, bounds.north, of: rows) }
  private func column(_ longitude: Double) -> Int { Self.part(longitude, bounds.west, bounds.east, of: columns) }

  private static func part(_ value: Double, _ first: Double, _ last: Double, of count: Int) -> Int {
    last > first ? Int(clamped: (value - first) / (last - first) * Double(count)).clamped(to: 0...(count - 1)) : 0
  }

  /// The edges by strips; `nil` when most go through so many strips that the strips would not help.
  private static func strips(of ring: [Position], _ box: Box) -> [[Int]]? {
    let count = ring.count / 8
    var strips: [[Int]] = Array(repeating: [], count: count)
    var entries = 0
    for index in ring.indices {
      let ends = [ring[index].latitude, ring[index == 0 ? ring.count - 1 : index - 1].latitude].map {
        part($0, box.south, box.north, of: count)
      }
      let range = min(ends[0], ends[1])...max(ends[0], ends[1])
      entries += range.count
      guard entries <= ring.count * 8 else { return nil }
      for strip in range { strips[strip].append(index) }
    }
    return strips
  }

  /// The first ring that a point lies in; `nil` for none, or when `work` refuses the steps it is told.
  func first(around point: Position, work: (Int) -> Bool) -> Int? {
    guard bounds.holds(point) else { return nil }
    let near = cells[row(point.latitude) * columns + column(point.longitude)]
    guard work(1 + near.count + wide.count) else { return nil }
    // Both lists are in order; the first of both is asked first.
    var (next, nextWide) = (0, 0)
    while next < near.count || nextWide < wide.count {
      let ring: Int
      if nextWide >= wide.count || (next < near.count && near[next] < wide[nextWide]) {
        ring = near[next]
        next += 1
      } else {
        ring = wide[nextWide]
        nextWide += 1
      }
      guard boxes[ring].holds(point) else { continue }
      guard let isInside = contains(ring, point, work: work) else { return nil }
      if isInside { return ring }
    }
    return nil
  }

  /// Whether a point lies in a ring, on the plane of degrees: enough for holes, which lie well inside.
  private func contains(_ index: Int, _ point: Position, work: (Int) -> Bool) -> Bool? {
    let ring = rings[index]
    var isInside = false
    func pass(_ end: Int) {
      let corner = ring[end]
      let before = ring[end == 0 ? ring.count - 1 : end - 1]
      guard (corner.latitude > point.latitude) != (before.latitude > point.latitude) else { return }
      let part = (point.latitude - corner.latitude) / (before.latitude - corner.latitude)
      if point.longitude < corner.longitude + part * (before.longitude - corner.longitude) { isInside.toggle() }
    }
    if let strips = strips[index] {
      let strip = strips[Self.part(point.latitude, boxes[index].south, boxes[index].north, of: strips.count)]
      guard work(strip.count) else { return nil }
      for end in strip { pass(end) }
    } else {
      guard work(ring.count) else { return nil }
      for end in ring.indices { pass(end) }
    }
    return isInside
  }
}
