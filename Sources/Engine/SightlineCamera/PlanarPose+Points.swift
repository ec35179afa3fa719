import SightlineMath

extension PlanarPose {
  /// The pose near a start that suits many points best, with points that do not belong to the rest counting little.
  ///
  /// Levenberg's and Marquardt's method with weights 1 / (1 + (d / scale)²)² for a distance of d pixels (Geman and McClure's
  /// estimator). The start has to be good enough for more than half of the points.
  ///
  /// - Parameters:
  ///   - points: of the target, in its frame, metres; not all on a line.
  ///   - pixels: where they are seen, in the same order.
  ///   - start: a pose to begin with.
  ///   - intrinsics: of the picture.
  ///   - distortion: of the lens.
  ///   - scale: distance from which a point counts for little, pixels.
  /// - Returns: the pose, its error being the root mean square over the points nearer than three times the scale; `nil`
  ///   when fewer than four are, or when the points do not fix a pose.
  public static func refined(
    points: [Vector3],
    pixels: [Vector2],
    start: PlanarPose,
    intrinsics: Intrinsics,
    distortion: LensDistortion = .none,
    scale: Double = 1
  ) -> PlanarPose? {
    precondition(points.count == pixels.count)
    let problem = PointProblem(points: points, pixels: pixels, camera: intrinsics, lens: distortion, scale: scale)
    var (rotation, translation) = (start.cameraFromPlane, start.translation)
    guard var cost = problem.cost(rotation, translation) else { return nil }
    var damping = 1e-6
    search: for _ in 0..<40 {
      let normal = problem.equations(rotation, translation)
      while true {
        if let step = normal.solution(damping: damping) {
          let turned = rotation.turned(by: Vector3(step[0], step[1], step[2]))
          let moved = translation + Vector3(step[3], step[4], step[5])
          if let next = problem.cost(turned, moved), next <= cost {
            let gain = cost - next
            (rotation, translation, cost) = (turned, moved, next)
            damping = max(1e-12, damping / 10)
            if gain <= 1e-12 * cost { break search }
            break
          }
        }
        damping *= 10
        if damping > 1e6 { break search }
      }
    }
    var (sum, count) = (0.0, 0.0)
    for distance in problem.distances(rotation, translation) where distance < 3 * scale {
      sum += distance * distance
      count += 1
    }
    guard count >= 4 else { return nil }
    if rotation.w < 0 { rotation = Quaternion(w: -rotation.w, x: -rotation.x, y: -rotation.y, z: -rotation.z) }
    return PlanarPose(
      cameraFromPlane: rotation,
      translation: translation,
      reprojectionError: (sum / count).squareRoot()
    )
  }
}

/// Robust least squares of one pose.
private struct PointProblem {
  let points: [Vector3]
  let pixels: [Vector2]
  let camera: Intrinsics
  let lens: LensDistortion
  let scale: Double

  func distances(_ rotation: Quaternion, _ translation: Vector3) -> [Double] {
    points.indices.map { i in
      guard let seen = PixelDerivatives(rotation * points[i] + translation, camera, lens) else { return .infinity }
      return (pixels[i] - seen.pixel).length
    }
  }

  /// Each point costs between 0 and 1; `nil` when all are behind the camera or far off.
  func cost(_ rotation: Quaternion, _ translation: Vector3) -> Double? {
    var sum = 0.0
    var isAnyNear = false
    for distance in distances(rotation, translation) {
      guard distance.isFinite else {
        sum += 1
        continue
      }
      isAnyNear = true
      let d = distance / scale
      sum += d * d / (1 + d * d)
    }
    return isAnyNear && sum.isFinite ? sum : nil
  }

  func equations(_ rotation: Quaternion, _ translation: Vector3) -> NormalEquations<6> {
    var normal = NormalEquations<6>()
    for i in points.indices {
      let turned = rotation * points[i]
      guard let seen = PixelDerivatives(turned + translation, camera, lens) else { continue }
      let off = pixels[i] - seen.pixel
      let d2 = off.dot(off) / (scale * scale)
      let weight = 1 / ((1 + d2) * (1 + d2))
      for axis in 0..<2 {
        let byPoint = axis == 0 ? seen.uByPoint : seen.vByPoint
        let byTurn = turned.cross(byPoint)
        normal.add(
          [byTurn.x, byTurn.y, byTurn.z, byPoint.x, byPoint.y, byPoint.z],
          axis == 0 ? off.x : off.y,
          weight: weight
        )
      }
    }
    return normal
  }
}
