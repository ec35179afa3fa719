import SightlineCamera
import SightlineMath

extension TargetSighting {
  /// How the target lies to the camera: `pointInCamera = cameraFromTarget * pointInTarget + translation`.
  ///
  /// Target frame: x right and y down in the picture, z away from the viewer into the paper, origin in the picture's
  /// middle. Both columns of the homography that a rotation has are made orthogonal by the same small turn of each.
  ///
  /// - Parameters:
  ///   - intrinsics: of the frame, pixels.
  ///   - width: of the picture the target was made from, pixels.
  ///   - height: of the same picture, pixels.
  ///   - printedWidth: width of the whole print, metres, more than 0; the translation is in the same unit.
  /// - Returns: `nil` when the homography is none that a camera could have made.
  public func pose(
    intrinsics: Intrinsics,
    width: Int,
    height: Int,
    printedWidth: Double
  ) -> (cameraFromTarget: Quaternion, translation: Vector3)? {
    let metre = Double(width) / printedWidth
    let pictureFromTarget = Matrix3(
      rows: Vector3(metre, 0, Double(width - 1) / 2),
      Vector3(0, metre, Double(height - 1) / 2),
      Vector3(0, 0, 1)
    )
    let camera = Homography(
      Matrix3(
        rows: Vector3(intrinsics.focalX, 0, intrinsics.centerX),
        Vector3(0, intrinsics.focalY, intrinsics.centerY),
        Vector3(0, 0, 1)
      )
    )
    guard let back = camera.inverse else { return nil }
    let columns = (back * (frameFromPicture * Homography(pictureFromTarget))).matrix.transposed
    var (a, b, t) = (columns.row0, columns.row1, columns.row2)
    let scale = 2 / (a.length + b.length)
    guard scale.isFinite, scale > 0 else { return nil }
    (a, b, t) = (a * scale, b * scale, t * scale)
    if t.z < 0 { (a, b, t) = (-a, -b, -t) }
    guard let sum = (a + b).normalized, let difference = (a - b).normalized else { return nil }
    let half = 0.5.squareRoot()
    let x = (sum + difference) * half
    let y = (sum - difference) * half
    guard let right = x.normalized, let normal = right.cross(y).normalized else { return nil }
    let rotation = Matrix3(rows: right, normal.cross(right), normal).transposed
    return (Quaternion(rotation), t)
  }
}
