/// Which positions of a closed outline are the corners of a polygon near all others.
///
/// The outline is cut at two positions far from each other, and each part at its farthest position, until all are near.
/// Keeps its memory from outline to outline.
///
/// Source: Douglas and Peucker 1973, doi:10.3138/FM57-6770-U75U-7727.
public struct PolygonApproximation: Sendable {
  /// What the distance of a position is measured from.
  public enum Reference: Sendable {
    /// The straight line through the ends of its part.
    case line
    /// The line segment between them: also what goes out beyond an end counts.
    case segment
  }

  /// For each position of the last outline whether it is a corner; more of them are of earlier outlines.
  public private(set) var isCorner: [Bool] = []
  private var open: [(from: Int, to: Int)] = []

  /// An approximation of nothing.
  public init() { open.reserveCapacity(64) }

  /// Marks the corners of an outline in ``isCorner``.
  ///
  /// - Parameters:
  ///   - points: the outline; the last position is beside the first. Sides of the box around it shorter than 32768.
  ///   - tolerance: pixels; a larger one gives fewer corners.
  ///   - most: the search ends when there are more corners than this.
  ///   - reference: what distances are measured from.
  /// - Returns: their number; 0 when all positions are one, more than `most` when the search has ended early.
  public mutating func mark(
    _ points: UnsafeBufferPointer<PixelPosition>,
    tolerance: Double,
    most: Int = .max,
    from reference: Reference = .line
  ) -> Int {
    let n = points.count
    guard n > 0 else { return 0 }
    if isCorner.count < n { isCorner = [Bool](repeating: false, count: n) }
    for i in 0..<n { isCorner[i] = false }
    // The farthest position from any one is a good end of a long diagonal; the farthest from that is its other end.
    let first = Self.farthest(points, from: 0)
    let second = Self.farthest(points, from: first)
    guard first != second else { return 0 }
    isCorner[first] = true
    isCorner[second] = true
    var count = 2
    open.removeAll(keepingCapacity: true)
    open.append((first, second))
    open.append((second, first))
    while let (from, to) = open.popLast() {
      let middle =
        switch reference {
        case .line: Self.farthestFromLine(points, from, to, beyond: tolerance)
        case .segment: Self.farthestFromSegment(points, from, to, beyond: tolerance)
        }
      guard let middle else { continue }
      isCorner[middle] = true
      count += 1
      guard count <= most else { return count }
      open.append((from, middle))
      open.append((middle, to))
    }
    return count
  }

  private static func farthest(_ points: UnsafeBufferPointer<PixelPosition>, from origin: Int) -> Int {
    let origin = points[origin]
    var best = 0
    var largest: Int32 = -1
    for i in 0..<points.count {
      let (dx, dy) = (points[i].x &- origin.x, points[i].y &- origin.y)
      let distance = dx &* dx &+ dy &* dy
      if distance > largest {
        largest = distance
        best = i
      }
    }
    return best
  }

  /// By the area of the triangle with both ends, in whole numbers.
  private static func farthestFromLine(
    _ points: UnsafeBufferPointer<PixelPosition>,
    _ from: Int,
    _ to: Int,
    beyond tolerance: Double
  ) -> Int? {
    let n = points.count
    let (ax, ay) = (points[from].x, points[from].y)
    let (dx, dy) = (points[to].x &- ax, points[to].y &- ay)
    var best = -1
    var largest: Int32 = 0
    var index = from + 1 == n ? 0 : from + 1
    while index != to {
      let area = abs((points[index].x &- ax) &* dy &- (points[index].y &- ay) &* dx)
      if area > largest {
        largest = area
        best = index
      }
      index = index + 1 == n ? 0 : index + 1
    }
    let length = (Double(dx) * Double(dx) + Double(dy) * Double(dy)).squareRoot()
    return best >= 0 && Double(largest) > tolerance * length ? best : nil
  }

  private static func farthestFromSegment(
    _ points: UnsafeBufferPointer<PixelPosition>,
    _ from: Int,
    _ to: Int,
    beyond tolerance: Double
  ) -> Int? {
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
