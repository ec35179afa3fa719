import SightlineMath

/// Occupancy map: where markers have been found: whatever begins there, in a larger copy of the frame, is a part of them.
struct OccupancyMap: Sendable {
  /// A side's line: positive on the marker's side.
  private struct Place {
    var (left, right, top, bottom) = (0, 0, 0, 0)
    var sides = InlineArray<4, Vector3>(repeating: .zero)
  }
  private var places: [Place] = []
  /// How much farther from its centre than the border a marker reaches: past a blurred edge, not past half a cell of margin.
  private static let reach = 1.06

  init() {}

  mutating func removeAll() { places.removeAll(keepingCapacity: true) }

  /// Takes the markers found so far.
  ///
  /// - Parameters:
  ///   - markers: in pixels of the frame.
  ///   - scale: pixels of the frame beside each other in one of the copy.
  mutating func set(_ markers: [DetectedMarker], scale: Int) {
    removeAll()
    for marker in markers {
      let corners = marker.corners
      let center = corners.center
      var place = Place()
      (place.left, place.top) = (Int.max, Int.max)
      var quad = corners
      for i in 0..<4 {
        // The corner of the first pixel of the copy is (0, 0).
        let p = center + (corners[i] - center) * Self.reach + Vector2(0.5, 0.5)
        quad[i] = p * (1 / Double(scale))
        guard abs(quad[i].x) < 1e6, abs(quad[i].y) < 1e6 else { return }
        place.left = min(place.left, Int(quad[i].x) - 1)
        place.right = max(place.right, Int(quad[i].x) + 1)
        place.top = min(place.top, Int(quad[i].y) - 1)
        place.bottom = max(place.bottom, Int(quad[i].y) + 1)
      }
      let middle = (center + Vector2(0.5, 0.5)) * (1 / Double(scale))
      for i in 0..<4 {
        let (a, b) = (quad[i], quad[(i + 1) & 3])
        let normal = Vector2(a.y - b.y, b.x - a.x)
        let sign: Double = normal.dot(middle - a) < 0 ? -1 : 1
        place.sides[i] = Vector3(sign * normal.x, sign * normal.y, -sign * normal.dot(a))
      }
      places.append(place)
    }
  }

  /// Whether the upper left corner of a pixel lies in a marker.
  @inline(__always)
  func contain(_ column: Int, _ row: Int) -> Bool {
    for place in places
    where column >= place.left && column <= place.right && row >= place.top && row <= place.bottom {
      let p = Vector3(Double(column), Double(row), 1)
      if place.sides[0].dot(p) >= 0, place.sides[1].dot(p) >= 0, place.sides[2].dot(p) >= 0, place.sides[3].dot(p) >= 0
      {
        return true
      }
    }
    return false
  }
}

private func abs(_ value: Double) -> Double { value < 0 ? -value : value }
