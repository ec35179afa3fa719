extension Contour {
  /// Corners of a polygon that stays within a distance of every pixel of the border, see ``PolygonApproximation``.
  ///
  /// The corners are pixels of the border, in its order.
  ///
  /// - Parameter tolerance: pixels; a larger one gives fewer corners.
  /// - Returns: the corners; one for a dot, two for a straight line.
  public func polygon(tolerance: Double) -> [PixelPosition] {
    guard points.count > 2 else { return points }
    var polygon = PolygonApproximation()
    let count = points.withUnsafeBufferPointer { polygon.mark($0, tolerance: tolerance, from: .segment) }
    return count == 0 ? [points[0]] : points.indices.filter { polygon.isCorner[$0] }.map { points[$0] }
  }
}
