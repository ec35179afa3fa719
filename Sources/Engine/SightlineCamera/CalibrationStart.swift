import SightlineMath

/// Focal lengths and poses in closed form, good enough to start from.
struct CalibrationStart {
  var camera: Intrinsics
  var poses: [(rotation: Quaternion, translation: Vector3)] = []

  init?(_ views: [CalibrationView], width: Int, height: Int) {
    camera = Intrinsics(
      width: Double(width),
      height: Double(height),
      focalX: 0,
      focalY: 0,
      centerX: Double(width - 1) / 2,
      centerY: Double(height - 1) / 2
    )
    let center = Matrix3(
      rows: Vector3(1, 0, -camera.centerX),
      Vector3(0, 1, -camera.centerY),
      Vector3(0, 0, 1)
    )
    var maps: [Matrix3] = []
    for view in views {
      guard let map = Homography(from: view.points, to: view.pixels) else { return nil }
      maps.append((center * map.matrix).transposed)
    }
    guard let (fx, fy) = Self.focalLengths(maps, scale: Double(max(width, height))) else { return nil }
    (camera.focalX, camera.focalY) = (fx, fy)
    for map in maps {
      guard let pose = pose(map) else { return nil }
      poses.append(pose)
    }
  }

  /// The focal lengths from the images of the circular points: the columns h1, h2 of each map obey h1ᵀ ω h2 = 0 and
  /// h1ᵀ ω h1 = h2ᵀ ω h2 with ω = diag(1/fx², 1/fy², 1).
  private static func focalLengths(_ maps: [Matrix3], scale: Double) -> (Double, Double)? {
    var (aa, ab, bb, ar, br) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for map in maps {
      // In units of the picture's longer side, so that all terms are of one size.
      let a = Vector3(map.row0.x / scale, map.row0.y / scale, map.row0.z)
      let b = Vector3(map.row1.x / scale, map.row1.y / scale, map.row1.z)
      let k = 1 / (a.dot(a) + b.dot(b))
      let rows = [
        (k * a.x * b.x, k * a.y * b.y, -k * a.z * b.z),
        (k * (a.x * a.x - b.x * b.x), k * (a.y * a.y - b.y * b.y), -k * (a.z * a.z - b.z * b.z)),
      ]
      for (p, q, r) in rows {
        aa += p * p
        ab += p * q
        bb += q * q
        ar += p * r
        br += q * r
      }
    }
    let determinant = aa * bb - ab * ab
    if determinant > 1e-9 * aa * bb {
      let x = (bb * ar - ab * br) / determinant
      let y = (aa * br - ab * ar) / determinant
      // Between a very wide view and a very narrow one.
      if x > 0.003, y > 0.003, x < 30, y < 30, x / y < 4, y / x < 4 {
        return (scale / x.squareRoot(), scale / y.squareRoot())
      }
    }
    // Square pixels: one unknown.
    let sum = aa + 2 * ab + bb
    if sum > 0 {
      let x = (ar + br) / sum
      if x > 0.003, x < 30 { return (scale / x.squareRoot(), scale / x.squareRoot()) }
    }
    // The angle of an ordinary camera; what follows corrects it, or finds that nothing fixes it.
    return (scale, scale)
  }

  /// The pose that a map's columns stand for: K⁻¹ h1 and K⁻¹ h2 are two columns of the rotation.
  private func pose(_ map: Matrix3) -> (rotation: Quaternion, translation: Vector3)? {
    func unprojected(_ h: Vector3) -> Vector3 { Vector3(h.x / camera.focalX, h.y / camera.focalY, h.z) }
    let (a, b, c) = (unprojected(map.row0), unprojected(map.row1), unprojected(map.row2))
    let length = (a.length * b.length).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    // In front of the camera.
    let k = (c.z < 0 ? -1 : 1) / length
    guard let x = (a * k).normalized else { return nil }
    let across = b * k - x * x.dot(b * k)
    guard let y = across.normalized else { return nil }
    let rotation = Quaternion(Matrix3(rows: x, y, x.cross(y)).transposed)
    return (rotation, c * k)
  }
}
