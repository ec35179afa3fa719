import SightlineMath

/// The two poses that explain four corners of a square, mirrored about the line of sight.
///
/// From far away both fit almost equally well: how much worse the second one's error is tells how far the first can be
/// trusted.
public struct SquarePoses: Equatable, Sendable {
  /// The pose with the smaller reprojection error.
  public var best: PlanarPose
  /// The other one; `nil` when it is the same or behind the camera.
  public var alternative: PlanarPose?

  /// Poses from elsewhere.
  public init(best: PlanarPose, alternative: PlanarPose?) {
    self.best = best
    self.alternative = alternative
  }
}

extension SquarePoses {
  /// Poses of a square from the picture of its corners.
  ///
  /// In the frame that everything flat has, see ``PlanarPose``.
  /// Both minima in closed form from the derivative of the homography at the centre, then each refined by Gauss and Newton
  /// to the least squares of the reprojection. `nil` when no square can look like that: not convex, counter-clockwise, or not finite.
  ///
  /// Source: Collins and Bartoli 2014, doi:10.1007/s11263-014-0725-5, sections 3 and 4.
  ///
  /// - Parameters:
  ///   - corners: pixels, clockwise as seen from the front: top left, top right, bottom right, bottom left of the square.
  ///   - side: length, metres.
  ///   - intrinsics: of the picture.
  ///   - distortion: of the lens.
  ///   - covariance: how surely the corners are known where the lens does not bend; `nil` when each of them equally and by itself.
  ///     The errors of the poses are then weighed by it.
  public init?(
    corners: Quadrilateral,
    side: Double,
    intrinsics: Intrinsics,
    distortion: LensDistortion = .none,
    covariance: CornerCovariance? = nil
  ) {
    guard side > 0, side.isFinite else { return nil }
    var seen = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      let p = Vector2(
        (corners[i].x - intrinsics.centerX) / intrinsics.focalX,
        (corners[i].y - intrinsics.centerY) / intrinsics.focalY
      )
      guard let straight = distortion.undistorted(p) else { return nil }
      seen[i] = straight
    }
    guard seen.signedArea > 0, let squareMap = Homography(unitSquareTo: seen) else { return nil }
    let h = (squareMap * Homography(unitSquareFromPlane: side, height: side)).matrix
    guard let (first, second) = Self.rotations(h) else { return nil }

    let focal = Vector2(intrinsics.focalX, intrinsics.focalY)
    let problem = SquareProblem(seen: seen, half: side / 2, focal: focal, covariance: covariance)
    let a = problem.refined(first)
    let b = problem.refined(second)
    switch (a, b) {
    case (nil, nil): return nil
    case (let pose?, nil), (nil, let pose?):
      best = pose
      alternative = nil
    case (let a?, let b?):
      let isFirst = a.reprojectionError <= b.reprojectionError
      best = isFirst ? a : b
      let other = isFirst ? b : a
      // Straight ahead there is only one minimum, and both starts end in it.
      alternative = best.cameraFromPlane.angle(to: other.cameraFromPlane).radians > 1e-4 ? other : nil
    }
  }

  /// The two rotations that agree with a homography and its derivative at the origin.
  private static func rotations(_ h: Matrix3) -> (Matrix3, Matrix3)? {
    let w = h.row2.z
    guard w > 0 else { return nil }
    let v = Vector2(h.row0.z / w, h.row1.z / w)
    let j00 = (h.row0.x - h.row2.x * v.x) / w
    let j01 = (h.row0.y - h.row2.y * v.x) / w
    let j10 = (h.row1.x - h.row2.x * v.y) / w
    let j11 = (h.row1.y - h.row2.y * v.y) / w

    // The rotation that takes the optical axis to the ray through the origin: about the axis across both.
    let length = (v.dot(v) + 1).squareRoot()
    let ray = Vector3(v.x / length, v.y / length, 1 / length)
    let k = 1 / (1 + ray.z)
    let toRay = Matrix3(
      rows: Vector3(1 - k * ray.x * ray.x, -k * ray.x * ray.y, ray.x),
      Vector3(-k * ray.x * ray.y, 1 - k * ray.y * ray.y, ray.y),
      Vector3(-ray.x, -ray.y, ray.z)
    )
    // How the picture moves with the first two columns of `toRay`, times the distance.
    let b00 = toRay.row0.x - v.x * toRay.row2.x
    let b01 = toRay.row0.y - v.x * toRay.row2.y
    let b10 = toRay.row1.x - v.y * toRay.row2.x
    let b11 = toRay.row1.y - v.y * toRay.row2.y
    let determinant = b00 * b11 - b01 * b10
    let a00 = (b11 * j00 - b01 * j10) / determinant
    let a01 = (b11 * j01 - b01 * j11) / determinant
    let a10 = (b00 * j10 - b10 * j00) / determinant
    let a11 = (b00 * j11 - b10 * j01) / determinant

    // The larger singular value is the inverse distance: nothing looks longer than it is.
    let (p, q, r) = (a00 * a00 + a01 * a01, a00 * a10 + a01 * a11, a10 * a10 + a11 * a11)
    let root = ((p - r) * (p - r) + 4 * q * q).squareRoot()
    let gamma = ((p + r + root) / 2).squareRoot()
    guard gamma > 0, gamma.isFinite else { return nil }
    let (r00, r01, r10, r11) = (a00 / gamma, a01 / gamma, a10 / gamma, a11 / gamma)
    // The third row follows from unit length, up to the sign that is the ambiguity.
    let x = max(0, 1 - r00 * r00 - r10 * r10).squareRoot()
    var y = max(0, 1 - r01 * r01 - r11 * r11).squareRoot()
    if r00 * r01 + r10 * r11 > 0 { y = -y }

    func rotation(_ x: Double, _ y: Double) -> Matrix3 {
      let first = Vector3(r00, r10, x)
      let second = Vector3(r01, r11, y)
      return toRay * Matrix3(rows: first, second, first.cross(second)).transposed
    }
    return (rotation(x, y), rotation(-x, -y))
  }
}

/// The least squares behind ``SquarePoses``: corners on the plane at distance 1, weighed by the focal lengths.
private struct SquareProblem {
  let seen: Quadrilateral
  let half: Double
  let focal: Vector2
  let covariance: CornerCovariance?

  /// A corner in the square's frame.
  func corner(_ i: Int) -> Vector3 {
    Vector3(i == 1 || i == 2 ? half : -half, i < 2 ? half : -half, 0)
  }

  /// The translation that suits a rotation best, by linear least squares.
  func translation(_ rotation: Quaternion) -> Vector3? {
    var normal = NormalEquations<3>()
    for i in 0..<4 {
      let p = rotation * corner(i)
      let u = seen[i]
      // (p + t).xy = u (p + t).z, each in pixels.
      normal.add([focal.x, 0, -focal.x * u.x], focal.x * (u.x * p.z - p.x))
      normal.add([0, focal.y, -focal.y * u.y], focal.y * (u.y * p.z - p.y))
    }
    guard let t = normal.solution() else { return nil }
    return Vector3(t[0], t[1], t[2])
  }

  /// Squared error in pixels of a pose, or `nil` when a corner is not in front of the camera.
  @_optimize(speed)
  func error(_ rotation: Quaternion, _ translation: Vector3) -> Double? {
    var rest = InlineArray<8, Double>(repeating: 0)
    for i in 0..<4 {
      let p = rotation * corner(i) + translation
      guard p.z > 0 else { return nil }
      rest[2 * i] = focal.x * (p.x / p.z - seen[i].x)
      rest[2 * i + 1] = focal.y * (p.y / p.z - seen[i].y)
    }
    if let covariance { covariance.whiten(&rest) }
    var sum = 0.0
    for i in 0..<8 { sum += rest[i] * rest[i] }
    return sum.isFinite ? sum : nil
  }

  /// Normal equations of a small turn of a pose, then of its translation.
  @_optimize(speed)
  private func equations(_ rotation: Quaternion, _ t: Vector3) -> NormalEquations<6> {
    var rows = InlineArray<8, SIMD8<Double>>(repeating: .zero)
    for i in 0..<4 {
      let turned = rotation * corner(i)
      let p = turned + t
      let (x, y, k) = (p.x / p.z, p.y / p.z, 1 / p.z)
      // Derivatives by a small rotation ω (ω × turned) and by the translation.
      let gx = Vector3(focal.x * k, 0, -focal.x * k * x)
      let gy = Vector3(0, focal.y * k, -focal.y * k * y)
      let (wx, wy) = (turned.cross(gx), turned.cross(gy))
      rows[2 * i] = SIMD8(wx.x, wx.y, wx.z, gx.x, gx.y, gx.z, 0, focal.x * (seen[i].x - x))
      rows[2 * i + 1] = SIMD8(wy.x, wy.y, wy.z, gy.x, gy.y, gy.z, 0, focal.y * (seen[i].y - y))
    }
    if let covariance { covariance.whiten(&rows) }
    var normal = NormalEquations<6>()
    for i in 0..<8 {
      let row = rows[i]
      normal.add([row[0], row[1], row[2], row[3], row[4], row[5]], row[7])
    }
    return normal
  }

  @_optimize(speed)
  func refined(_ start: Matrix3) -> PlanarPose? {
    var rotation = Quaternion(start)
    guard var t = translation(rotation), var sum = error(rotation, t) else { return nil }
    var damping = 1e-9
    for _ in 0..<30 {
      let normal = equations(rotation, t)
      guard let step = normal.solution(damping: damping) else { break }
      let w = Vector3(step[0], step[1], step[2])
      let turn = Quaternion(w: 1, x: w.x / 2, y: w.y / 2, z: w.z / 2)
      guard let next = (turn * rotation).normalized else { break }
      let moved = t + Vector3(step[3], step[4], step[5])
      guard let error = error(next, moved), error <= sum else {
        damping = max(damping, 1e-6) * 10
        if damping > 1e3 { break }
        continue
      }
      let isDone = sum - error <= 1e-14 * sum || w.length < 1e-14
      (rotation, t, sum) = (next, moved, error)
      damping /= 10
      if isDone { break }
    }
    if rotation.w < 0 { rotation = Quaternion(w: -rotation.w, x: -rotation.x, y: -rotation.y, z: -rotation.z) }
    return PlanarPose(cameraFromPlane: rotation, translation: t, reprojectionError: (sum / 4).squareRoot())
  }
}
