extension Contour {
  /// Corners of a polygon that stays within a distance of every pixel of the border.
  ///
  /// The border is cut at the two pixels far from each other, and each part at its farthest pixel, until all are near. The
  /// corners are pixels of the border, in its order.
  ///
  /// Source: Douglas and Peucker 1973, doi:10.3138/FM57-6770-U75U-7727.
  ///
  /// - Parameter tolerance: pixels; a larger one gives fewer corners.
  /// - Returns: the corners; one for a dot, two for a straight line.
  public func polygon(tolerance: Double) -> [PixelPosition] {
    guard points.count > 2 else { return points }
    // The farthest pixel from any one is a good end of a long diagonal; the farthest from that is its other end.
    let first = farthest(from: points[0])
    let second = farthest(from: points[first])
    guard first != second else { return [points[first]] }
    var kept = [Bool](repeating: false, count: points.count)
    kept[first] = true
    kept[second] = true
    var open = [(first, second), (second, first)]
    while let (from, to) = open.popLast() {
      guard let middle = farthest(between: from, and: to, beyond: tolerance) else { continue }
      kept[middle] = true
      open.append((from, middle))
      open.append((middle, to))
    }
    return points.indices.filter { kept[$0] }.map { points[$0] }
  }

  private func farthest(from origin: PixelPosition) -> Int {
    var best = 0
    var largest = -1
    for (index, point) in points.enumerated() {
      let dx = Int(point.x - origin.x)
      let dy = Int(point.y - origin.y)
      let distance = dx * dx + dy * dy
      if distance > largest {
        largest = distance
        best = index
      }
    }
    return best
  }

  /// The pixel after `from` and before `to`, around the border, that is farthest from the line segment between both.
  private func farthest(between from: Int, and to: Int, beyond tolerance: Double) -> Int? {
    let a = points[from]
    let (dx, dy) = (Double(points[to].x - a.x), Double(points[to].y - a.y))
    let length = dx * dx + dy * dy
    var best: Int?
    var largest = tolerance * tolerance
    var index = (from + 1) % points.count
    while index != to {
      let (x, y) = (Double(points[index].x - a.x), Double(points[index].y - a.y))
      let along = length > 0 ? min(1, max(0, (x * dx + y * dy) / length)) : 0
      let (offX, offY) = (x - along * dx, y - along * dy)
      let distance = offX * offX + offY * offY
      if distance > largest {
        largest = distance
        best = index
      }
      index = (index + 1) % points.count
    }
    return best
  }
}
