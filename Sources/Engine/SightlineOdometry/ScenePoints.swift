import SightlineMath

/// A point of the scene whose place is known.
struct ScenePoint {
  /// Of the track it was seen by; two tracks may see the same point.
  var identifier: UInt32
  /// In the tracker's world, metres.
  var position: Vector3
  /// From the lens that saw it, of length 1.
  var direction: Vector3
  /// Standard deviation along the line of sight, metres.
  var deviation: Double
}

/// The points that were seen last, as many as there is room for.
struct ScenePoints {
  /// Most points.
  static let capacity = 1024
  /// Of the distance: points whose deviation is more say nothing of a surface.
  private static let mostDeviation = 0.12

  private(set) var all: [ScenePoint] = []
  /// Where the next one goes when there is no room left.
  private var oldest = 0

  /// Takes a point, in place of what its track said of it before if that is among the latest.
  ///
  /// - Parameters:
  ///   - point: the point.
  ///   - distance: from the lens that saw it, metres.
  mutating func note(_ point: ScenePoint, distance: Double) {
    guard point.position.isFinite, point.deviation < Self.mostDeviation * distance else { return }
    if let place = all.firstIndex(where: { $0.identifier == point.identifier }) {
      all[place] = point
    } else if all.count < Self.capacity {
      all.append(point)
    } else {
      all[oldest] = point
      oldest = (oldest + 1) % Self.capacity
    }
  }

  /// Forgets all.
  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    oldest = 0
  }
}
