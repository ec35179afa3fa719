/// Lines with fewer corners (the method of Douglas and Peucker, 1973).
enum LineSimplification {
  /// The corners that are needed so that the line stays within a tolerance; first and last among them.
  static func simplified(_ line: [TilePoint], tolerance: Double) -> [TilePoint] {
    guard line.count > 2 else { return line }
    var isKept = [Bool](repeating: false, count: line.count)
    isKept[0] = true
    isKept[line.count - 1] = true
    // Stretches still to be looked at: a stack of its own, as a line may have a hundred thousand corners.
    var stretches = [(0, line.count - 1)]
    while let (first, last) = stretches.popLast() {
      guard last - first > 1 else { continue }
      var farthest = first
      var most = tolerance * tolerance
      for index in (first + 1)..<last {
        let distance = squaredDistance(line[index], line[first], line[last])
        if distance > most {
          most = distance
          farthest = index
        }
      }
      guard farthest != first else { continue }
      isKept[farthest] = true
      stretches.append((first, farthest))
      stretches.append((farthest, last))
    }
    return zip(line, isKept).filter(\.1).map(\.0)
  }

  /// A ring, without its first corner repeated; empty where nothing of it would be seen.
  static func simplified(ring: [TilePoint], tolerance: Double) -> [TilePoint] {
    var ring = ring
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    guard ring.count > 2 else { return [] }
    // Cut at the corner that is farthest from the first: both of them stay.
    var farthest = 0
    var most = 0.0
    for (index, point) in ring.enumerated() {
      let (dx, dy) = (Double(point.x) - Double(ring[0].x), Double(point.y) - Double(ring[0].y))
      if dx * dx + dy * dy > most {
        most = dx * dx + dy * dy
        farthest = index
      }
    }
    guard farthest > 0 else { return [] }
    let one = simplified(Array(ring[...farthest]), tolerance: tolerance)
    let other = simplified(Array(ring[farthest...]) + [ring[0]], tolerance: tolerance)
    let result = one.dropLast() + other.dropLast()
    return result.count > 2 ? Array(result) : []
  }

  /// Squared distance of a point from a stretch.
  private static func squaredDistance(_ point: TilePoint, _ from: TilePoint, _ to: TilePoint) -> Double {
    let (x, y) = (Double(point.x) - Double(from.x), Double(point.y) - Double(from.y))
    let (dx, dy) = (Double(to.x) - Double(from.x), Double(to.y) - Double(from.y))
    let length = dx * dx + dy * dy
    let share = length == 0 ? 0 : min(1, max(0, (x * dx + y * dy) / length))
    let (ex, ey) = (x - share * dx, y - share * dy)
    return ex * ex + ey * ey
  }
}
