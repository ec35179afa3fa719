import SightlineMath

/// The pixel of a point in the camera frame through a lens with distortion, and how it changes with everything.
///
/// Formulas: ``LensDistortion``, differentiated by hand; `CameraCalibrationTests` holds them against differences.
struct PixelDerivatives {
  /// Number of a camera's parameters: fx, fy, cx, cy, k1, k2, p1, p2, k3.
  static let cameraCount = 9

  /// The pixel.
  let pixel: Vector2
  /// Derivatives of u by the point in the camera frame.
  let uByPoint: Vector3
  /// Derivatives of v by the point in the camera frame.
  let vByPoint: Vector3
  /// Derivatives of u by the camera's parameters.
  let uByCamera: InlineArray<9, Double>
  /// Derivatives of v by the camera's parameters.
  let vByCamera: InlineArray<9, Double>

  /// `nil` for a point beside or behind the lens.
  init?(_ p: Vector3, _ camera: Intrinsics, _ lens: LensDistortion) {
    guard p.z > 1e-9 else { return nil }
    let k = 1 / p.z
    let (x, y) = (p.x * k, p.y * k)
    let r2 = x * x + y * y
    let f = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))
    let slope = 2 * (lens.k1 + r2 * (2 * lens.k2 + r2 * 3 * lens.k3))
    let xd = x * f + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x)
    let yd = y * f + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y
    pixel = Vector2(camera.focalX * xd + camera.centerX, camera.focalY * yd + camera.centerY)
    let xx = f + x * x * slope + 2 * lens.p1 * y + 6 * lens.p2 * x
    let xy = x * y * slope + 2 * lens.p1 * x + 2 * lens.p2 * y
    let yy = f + y * y * slope + 6 * lens.p1 * y + 2 * lens.p2 * x
    let (fx, fy) = (camera.focalX, camera.focalY)
    uByPoint = Vector3(xx * k, xy * k, -(xx * x + xy * y) * k) * fx
    vByPoint = Vector3(xy * k, yy * k, -(xy * x + yy * y) * k) * fy
    uByCamera = [
      xd, 0, 1, 0, fx * x * r2, fx * x * r2 * r2, 2 * fx * x * y, fx * (r2 + 2 * x * x), fx * x * r2 * r2 * r2,
    ]
    vByCamera = [
      0, yd, 0, 1, fy * y * r2, fy * y * r2 * r2, fy * (r2 + 2 * y * y), 2 * fy * x * y, fy * y * r2 * r2 * r2,
    ]
  }
}

extension Quaternion {
  /// This rotation after a small one, given by its vector (axis times radians), left of it.
  func turned(by w: Vector3) -> Quaternion {
    (Quaternion(w: 1, x: w.x / 2, y: w.y / 2, z: w.z / 2) * self).normalized ?? self
  }
}
