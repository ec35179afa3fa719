import SightlineMath

extension Homography {
  /// The map that takes points of a plane to points of a picture, by least squares.
  ///
  /// Both sets are first moved to their centre and scaled to a mean distance of √2: without that, products of coordinates
  /// of very different size spoil the equations.
  ///
  /// Source: Hartley and Zisserman 2004, Multiple View Geometry, algorithm 4.2.
  ///
  /// - Parameters:
  ///   - plane: four points or more, not all but one on a line.
  ///   - image: where they are seen, in the same order.
  public init?(from plane: [Vector2], to image: [Vector2]) {
    guard plane.count == image.count, plane.count >= 4 else { return nil }
    guard let (planeScale, planeCenter) = Self.normalization(plane),
      let (imageScale, imageCenter) = Self.normalization(image)
    else { return nil }
    // Eight unknowns; the ninth is 1, which suits points that lie around the origin.
    var normal = NormalEquations<8>()
    for (p, q) in zip(plane, image) {
      let (x, y) = ((p.x - planeCenter.x) * planeScale, (p.y - planeCenter.y) * planeScale)
      let (u, v) = ((q.x - imageCenter.x) * imageScale, (q.y - imageCenter.y) * imageScale)
      normal.add([x, y, 1, 0, 0, 0, -u * x, -u * y], u)
      normal.add([0, 0, 0, x, y, 1, -v * x, -v * y], v)
    }
    var largest = 0.0
    for i in 0..<8 { largest = max(largest, normal.matrix[i][i]) }
    for i in 0..<8 { normal.hold(i, weight: 1e-14 * largest) }
    guard let h = normal.solution() else { return nil }
    let normalized = Matrix3(
      rows: Vector3(h[0], h[1], h[2]),
      Vector3(h[3], h[4], h[5]),
      Vector3(h[6], h[7], 1)
    )
    let toNormal = Matrix3(
      rows: Vector3(planeScale, 0, -planeScale * planeCenter.x),
      Vector3(0, planeScale, -planeScale * planeCenter.y),
      Vector3(0, 0, 1)
    )
    let fromNormal = Matrix3(
      rows: Vector3(1 / imageScale, 0, imageCenter.x),
      Vector3(0, 1 / imageScale, imageCenter.y),
      Vector3(0, 0, 1)
    )
    self.init(fromNormal * normalized * toNormal)
  }

  private static func normalization(_ points: [Vector2]) -> (scale: Double, center: Vector2)? {
    var center = Vector2.zero
    for point in points { center = center + point }
    center = center * (1 / Double(points.count))
    var distance = 0.0
    for point in points { distance += (point - center).length }
    distance /= Double(points.count)
    guard distance > 0, distance.isFinite else { return nil }
    return (2.0.squareRoot() / distance, center)
  }
}
