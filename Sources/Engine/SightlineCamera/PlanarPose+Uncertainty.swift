import SightlineMath

/// How far a pose of a square can be trusted.
public struct PoseUncertainty: Equatable, Sendable {
  /// Standard deviation of the camera's position in the square's frame, metres, all directions together.
  public var position: Double
  /// Standard deviation of the camera's orientation in the square's frame, all axes together.
  public var orientation: Angle
}

extension PlanarPose {
  /// What the noise of the corners does to the camera's place as seen from the square.
  ///
  /// From the curvature of the least squares at this pose. The place is far less certain than the square's place in the
  /// camera frame: an error of its orientation moves the camera by as much times the distance.
  ///
  /// - Parameters:
  ///   - side: of the square, metres.
  ///   - intrinsics: of the picture.
  ///   - noise: standard deviation of a corner's coordinate, pixels.
  /// - Returns: `nil` when the corners do not fix the pose.
  public func uncertainty(side: Double, intrinsics: Intrinsics, noise: Double) -> PoseUncertainty? {
    var normal = SymmetricMatrix(6)
    for i in 0..<4 {
      let corner = Vector3(i == 1 || i == 2 ? side / 2 : -side / 2, i < 2 ? side / 2 : -side / 2, 0)
      let turned = cameraFromPlane * corner
      guard let seen = PixelDerivatives(turned + translation, intrinsics, .none) else { return nil }
      for byPoint in [seen.uByPoint, seen.vByPoint] {
        let byTurn = turned.cross(byPoint)
        let row: InlineArray<6, Double> = [byTurn.x, byTurn.y, byTurn.z, byPoint.x, byPoint.y, byPoint.z]
        for a in 0..<6 {
          for b in 0...a { normal[a, b] += row[a] * row[b] }
        }
      }
    }
    guard let triangle = normal.cholesky() else { return nil }
    let turn = triangle.inverseDiagonal()
    // The camera in the square's frame is −Rᵀ t; a small turn ω and step d change it by −Rᵀ (d + t × ω).
    var position = 0.0
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      let byTurn = axis.cross(translation)
      let row = [byTurn.x, byTurn.y, byTurn.z, axis.x, axis.y, axis.z]
      let solved = triangle.solve(row)
      for k in 0..<6 { position += row[k] * solved[k] }
    }
    let result = PoseUncertainty(
      position: noise * position.squareRoot(),
      orientation: Angle(radians: noise * (turn[0] + turn[1] + turn[2]).squareRoot())
    )
    return result.position.isFinite && result.orientation.radians.isFinite ? result : nil
  }
}
