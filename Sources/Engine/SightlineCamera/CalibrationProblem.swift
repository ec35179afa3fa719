import SightlineMath

/// The least squares behind ``CameraCalibration``.
struct CalibrationProblem {
  private(set) var camera: Intrinsics
  private(set) var lens = LensDistortion.none
  private let views: [CalibrationView]
  private var poses: [(rotation: Quaternion, translation: Vector3)]
  private var isUsed: [[Bool]]

  init(_ views: [CalibrationView], _ start: CalibrationStart) {
    self.views = views
    camera = start.camera
    poses = start.poses
    isUsed = views.map { [Bool](repeating: true, count: $0.points.count) }
  }

  /// A number for each of the camera's parameters.
  private typealias CameraVector = InlineArray<9, Double>
  /// Normal equations, the camera's part and each view's.
  private struct Equations {
    var camera = NormalEquations<9>()
    var own: [NormalEquations<6>] = []
    /// Of each view: rows are the pose's six, columns the camera's.
    var mixed: [InlineArray<6, CameraVector>] = []
  }

  private static let infinity = Double.infinity

  /// Sum of squares over the points that count; infinite when one is behind the camera.
  private func sum(
    _ camera: Intrinsics,
    _ lens: LensDistortion,
    _ poses: [(rotation: Quaternion, translation: Vector3)]
  ) -> Double {
    var sum = 0.0
    for (index, view) in views.enumerated() {
      for (i, point) in view.points.enumerated() where isUsed[index][i] {
        let p = poses[index].rotation * Vector3(point.x, point.y, 0) + poses[index].translation
        guard let seen = PixelDerivatives(p, camera, lens) else { return Self.infinity }
        let off = view.pixels[i] - seen.pixel
        sum += off.dot(off)
      }
    }
    return sum.isFinite ? sum : Self.infinity
  }

  /// A parameter that is not free has no share in any equation.
  private func equations(_ isFree: [Bool]) -> Equations {
    var result = Equations()
    for (index, view) in views.enumerated() {
      var own = NormalEquations<6>()
      var mixed = InlineArray<6, CameraVector>(repeating: .init(repeating: 0))
      for (i, point) in view.points.enumerated() where isUsed[index][i] {
        let turned = poses[index].rotation * Vector3(point.x, point.y, 0)
        guard let seen = PixelDerivatives(turned + poses[index].translation, camera, lens) else { continue }
        let off = view.pixels[i] - seen.pixel
        for axis in 0..<2 {
          let byPoint = axis == 0 ? seen.uByPoint : seen.vByPoint
          let byTurn = turned.cross(byPoint)
          let pose: InlineArray<6, Double> = [byTurn.x, byTurn.y, byTurn.z, byPoint.x, byPoint.y, byPoint.z]
          let value = axis == 0 ? off.x : off.y
          var byCamera = axis == 0 ? seen.uByCamera : seen.vByCamera
          for b in 0..<9 where !isFree[b] { byCamera[b] = 0 }
          result.camera.add(byCamera, value)
          own.add(pose, value)
          for a in 0..<6 {
            for b in 0..<9 { mixed[a][b] += pose[a] * byCamera[b] }
          }
        }
      }
      result.own.append(own)
      result.mixed.append(mixed)
    }
    // Nothing is said of what is not free: it stays where it is.
    for b in 0..<9 where !isFree[b] { result.camera.hold(b, weight: 1) }
    return result
  }

  /// The camera's equations after the poses are eliminated, each scaled by 1 + `damping` on its diagonal.
  private func reduced(_ e: Equations, damping: Double) -> (camera: NormalEquations<9>, own: [Cholesky<6>])? {
    var camera = e.camera
    for i in 0..<9 { camera.matrix[i][i] *= 1 + damping }
    var own: [Cholesky<6>] = []
    for index in e.own.indices {
      guard let triangle = Cholesky<6>(e.own[index].matrix, damping: damping) else { return nil }
      own.append(triangle)
      let mixed = e.mixed[index]
      let solvedRight = triangle.solve(e.own[index].right)
      for a in 0..<9 {
        var column = InlineArray<6, Double>(repeating: 0)
        for k in 0..<6 { column[k] = mixed[k][a] }
        let solved = triangle.solve(column)
        for b in 0...a {
          var product = 0.0
          for k in 0..<6 { product += solved[k] * mixed[k][b] }
          camera.matrix[a][b] -= product
        }
        for k in 0..<6 { camera.right[a] -= mixed[k][a] * solvedRight[k] }
      }
    }
    return (camera, own)
  }

  /// Levenberg's and Marquardt's method over the free parameters of the camera and all poses.
  mutating func solve(_ isFree: [Bool]) {
    var sum = sum(camera, lens, poses)
    var damping = 1e-3
    for _ in 0..<100 {
      let e = equations(isFree)
      var hasImproved = false
      var gain = 0.0
      while damping < 1e9 {
        guard let (reduced, own) = reduced(e, damping: damping), let step = reduced.solution() else {
          damping *= 10
          continue
        }
        var nextPoses = poses
        for index in poses.indices {
          var side = e.own[index].right
          for a in 0..<6 {
            for b in 0..<9 { side[a] -= e.mixed[index][a][b] * step[b] }
          }
          let s = own[index].solve(side)
          nextPoses[index].rotation = poses[index].rotation.turned(by: Vector3(s[0], s[1], s[2]))
          nextPoses[index].translation = poses[index].translation + Vector3(s[3], s[4], s[5])
        }
        let (nextCamera, nextLens) = moved(step)
        let next = self.sum(nextCamera, nextLens, nextPoses)
        if next <= sum {
          gain = sum - next
          (camera, lens, poses, sum) = (nextCamera, nextLens, nextPoses, next)
          damping = max(1e-12, damping / 10)
          hasImproved = true
          break
        }
        damping *= 10
      }
      if !hasImproved || gain <= 1e-13 * sum { break }
    }
  }

  private func moved(_ step: CameraVector) -> (Intrinsics, LensDistortion) {
    var (camera, lens) = (camera, lens)
    (camera.focalX, camera.focalY) = (camera.focalX + step[0], camera.focalY + step[1])
    (camera.centerX, camera.centerY) = (camera.centerX + step[2], camera.centerY + step[3])
    (lens.k1, lens.k2) = (lens.k1 + step[4], lens.k2 + step[5])
    (lens.p1, lens.p2) = (lens.p1 + step[6], lens.p2 + step[7])
    lens.k3 += step[8]
    return (camera, lens)
  }

  /// Distance of every point of a view between where it is seen and where it is expected, pixels.
  private func distances(_ index: Int) -> [Double] {
    views[index].points.indices.map { i in
      let point = views[index].points[i]
      let p = poses[index].rotation * Vector3(point.x, point.y, 0) + poses[index].translation
      guard let seen = PixelDerivatives(p, camera, lens) else { return Self.infinity }
      return (views[index].pixels[i] - seen.pixel).length
    }
  }

  /// Decides anew which points belong to the rest: one that was left out for the error of others comes back.
  /// - Returns: whether anything changed.
  mutating func chooseInliers() -> Bool {
    var all: [Double] = []
    for index in views.indices { all += distances(index) }
    all.sort()
    // Half of the lengths of a round normal distribution are below 1.177 of its deviation. No
    // corner is seen better than to a fiftieth of a pixel: below that what "does not fit" is the lens' own last wave.
    let deviation = max(0.02, all[all.count / 2] / 1.177)
    let before = isUsed
    for index in views.indices {
      let isNear = distances(index).map { $0 <= 5 * deviation }
      // A view that is bad as a whole keeps its points: leaving it out is for who sees its error.
      let good = isNear.filter { $0 }.count
      isUsed[index] = good >= CameraCalibration.leastPoints ? isNear : isNear.map { _ in true }
    }
    return isUsed != before
  }

  private var usedCount: Int {
    var count = 0
    for view in isUsed { for isPointUsed in view where isPointUsed { count += 1 } }
    return count
  }

  var rootMeanSquare: Double { (sum(camera, lens, poses) / Double(max(1, usedCount))).squareRoot() }

  /// Standard deviations from the curvature at the minimum, the noise taken from what is left over.
  func deviations(_ isFree: [Bool]) -> InlineArray<9, Double>? {
    let freeCount = isFree.filter { $0 }.count
    guard let (reduced, _) = reduced(equations(isFree), damping: 0), let covariance = reduced.covariance() else {
      return nil
    }
    let surplus = 2 * usedCount - freeCount - 6 * views.count
    guard surplus > 0 else { return nil }
    let variance = sum(camera, lens, poses) / Double(surplus)
    var result = InlineArray<9, Double>(repeating: 0)
    for parameter in 0..<9 where isFree[parameter] {
      let deviation = (covariance[parameter][parameter] * variance).squareRoot()
      guard deviation.isFinite else { return nil }
      result[parameter] = deviation
    }
    return result
  }

  /// Whether this is a camera at all.
  var isPlausible: Bool {
    let size = max(camera.width, camera.height)
    let isNearMiddle =
      camera.centerX > -camera.width && camera.centerX < 2 * camera.width && camera.centerY > -camera.height
      && camera.centerY < 2 * camera.height
    return isNearMiddle && camera.focalX > 0.05 * size && camera.focalX < 100 * size && camera.focalY > 0.05 * size
      && camera.focalY < 100 * size
  }

  func result(_ index: Int) -> CalibratedView {
    let far = distances(index)
    var (sum, count, largest) = (0.0, 0.0, 0.0)
    for i in far.indices {
      largest = max(largest, far[i])
      guard isUsed[index][i] else { continue }
      sum += far[i] * far[i]
      count += 1
    }
    let q = poses[index].rotation
    let rotation = q.w < 0 ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q
    return CalibratedView(
      cameraFromBoard: PlanarPose(
        cameraFromPlane: rotation,
        translation: poses[index].translation,
        reprojectionError: (sum / max(1, count)).squareRoot()
      ),
      isUsed: isUsed[index],
      largestError: largest
    )
  }
}
