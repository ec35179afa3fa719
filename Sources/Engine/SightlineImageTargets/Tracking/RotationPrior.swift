import SightlineCamera
import SightlineMath

/// How a camera turned from one frame to the next, as its gyroscope says.
struct RotationPrior {
  /// From directions in the camera's axes to pixels.
  let camera: Matrix3
  /// From pixels to directions.
  let directions: Matrix3
  /// From the camera's axes at the last frame to those now.
  let rotation: Matrix3
  /// What the turn does to the pixels of what is far away.
  let shift: Homography

  /// - Parameters:
  ///   - turn: from the camera's axes now to those at the last frame (x right, y down, z forward).
  ///   - k: the camera's intrinsics.
  init?(_ turn: Quaternion, _ k: Intrinsics) {
    camera = Matrix3(
      rows: Vector3(k.focalX, 0, k.centerX),
      Vector3(0, k.focalY, k.centerY),
      Vector3(0, 0, 1)
    )
    guard let back = Homography(camera).inverse else { return nil }
    directions = back.matrix
    rotation = Matrix3(turn).transposed
    shift = (Homography(camera * rotation) * Homography(directions)).scaled
  }

  /// The rotation and the place of a flat thing in the camera's axes, in one matrix: what takes its homogeneous
  /// coordinates there,
  /// in the thing's own unit of length; `nil` for one that no camera sees.
  func place(of map: Homography) -> Matrix3? {
    let m = (directions * map.matrix).transposed
    let size = (m.row0.length * m.row1.length).squareRoot()
    guard size > 0, size.isFinite else { return nil }
    let scale = (m.row2.z < 0 ? -1 : 1) / size
    return Matrix3(rows: m.row0 * scale, m.row1 * scale, m.row2 * scale).transposed
  }

  /// Where a flat thing is after the turn when the camera also went a way: `way` is what that adds to the thing's place
  /// in the
  /// camera's axes now, in the thing's own unit of length.
  func carried(_ map: Homography, way: Vector3) -> Homography? {
    guard let before = place(of: map) else { return nil }
    var m = (rotation * before).transposed
    m = Matrix3(rows: m.row0, m.row1, m.row2 + way)
    return Homography(camera * m.transposed).scaled
  }
}
