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
    var normal = NormalEquations<6>()
    for i in 0..<4 {
      let corner = Vector3(i == 1 || i == 2 ? side / 2 : -side / 2, i < 2 ? side / 2 : -side / 2, 0)
      let turned = cameraFromPlane * corner
      guard let seen = PixelDerivatives(turned + translation, intrinsics, .none) else { return nil }
      for byPoint in [seen.uByPoint, seen.vByPoint] {
        let byTurn = turned.cross(byPoint)
        normal.add([byTurn.x, byTurn.y, byTurn.z, byPoint.x, byPoint.y, byPoint.z], 0)
      }
    }
    guard let covariance = normal.covariance() else { return nil }
    // The camera in the square's frame is −Rᵀ t; a small turn ω and step d change it by −Rᵀ (d + t × ω).
    var position = 0.0
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      let byTurn = axis.cross(translation)
      let row: InlineArray<6, Double> = [byTurn.x, byTurn.y, byTurn.z, axis.x, axis.y, axis.z]
      for i in 0..<6 {
        for j in 0..<6 { position += row[i] * covariance[i][j] * row[j] }
      }
    }
    let result = PoseUncertainty(
      position: noise * position.squareRoot(),
      orientation: Angle(radians: noise * (covariance[0][0] + covariance[1][1] + covariance[2][2]).squareRoot())
    )
    return result.position.isFinite && result.orientation.radians.isFinite ? result : nil
  }
}
