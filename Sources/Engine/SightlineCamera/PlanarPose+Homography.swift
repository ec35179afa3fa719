import SightlineMath

extension PlanarPose {
  /// The pose that a map from a plane to its picture speaks of.
  ///
  /// A camera makes the two columns of the map that a rotation has orthogonal and equally long; where a measured map does not
  /// obey, both are made orthogonal by the same small turn of each, and the length is their mean. The error says by how much
  /// it did not: root mean square distance of the rectangle's corners between the map and the pose. `nil` when the map is none
  /// that a camera could have made.
  ///
  /// - Parameters:
  ///   - pictureFromPlane: from the plane's frame (y to the top) to pixels; an unknown factor does not matter.
  ///   - width: of a rectangle around the plane's origin, in its unit.
  ///   - height: of the same rectangle.
  ///   - intrinsics: of the picture, pixels.
  public init?(pictureFromPlane: Homography, width: Double, height: Double, intrinsics: Intrinsics) {
    let camera = Homography(
      Matrix3(
        rows: Vector3(intrinsics.focalX, 0, intrinsics.centerX),
        Vector3(0, intrinsics.focalY, intrinsics.centerY),
        Vector3(0, 0, 1)
      )
    )
    guard let back = camera.inverse else { return nil }
    let columns = (back * pictureFromPlane).matrix.transposed
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
    let up = normal.cross(right)
    let q = Quaternion(Matrix3(rows: right, up, normal).transposed)
    cameraFromPlane = q.w < 0 ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q
    translation = t

    var (squares, count) = (0.0, 0.0)
    for i in 0..<4 {
      let u = i == 1 || i == 2 ? width / 2 : -width / 2
      let v = i < 2 ? height / 2 : -height / 2
      // Of something large that leans far some corners are behind the camera.
      guard let seen = intrinsics.pixel(ofPointInCamera: a * u + b * v + t),
        let put = intrinsics.pixel(ofPointInCamera: right * u + up * v + t)
      else { continue }
      squares += (seen - put).dot(seen - put)
      count += 1
    }
    guard count > 0, t.x.isFinite, t.y.isFinite, t.z.isFinite else { return nil }
    reprojectionError = (squares / count).squareRoot()
  }
}
