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

  /// Normal equations, the camera's part and each view's.
  private struct Equations {
    var camera: SymmetricMatrix
    var cameraRight: [Double]
    /// 6 × 6 of each view.
    var own: [SymmetricMatrix] = []
    var ownRight: [[Double]] = []
    /// Of each view: rows are the pose's six, columns the camera's.
    var mixed: [[Double]] = []
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

  private func equations(_ free: [Int]) -> Equations {
    let n = free.count
    var result = Equations(camera: SymmetricMatrix(n), cameraRight: [Double](repeating: 0, count: n))
    for (index, view) in views.enumerated() {
      var own = SymmetricMatrix(6)
      var right = [Double](repeating: 0, count: 6)
      var mixed = [Double](repeating: 0, count: 6 * n)
      for (i, point) in view.points.enumerated() where isUsed[index][i] {
        let turned = poses[index].rotation * Vector3(point.x, point.y, 0)
        guard let seen = PixelDerivatives(turned + poses[index].translation, camera, lens) else { continue }
        let off = view.pixels[i] - seen.pixel
        for axis in 0..<2 {
          let byPoint = axis == 0 ? seen.uByPoint : seen.vByPoint
          let byTurn = turned.cross(byPoint)
          let pose = [byTurn.x, byTurn.y, byTurn.z, byPoint.x, byPoint.y, byPoint.z]
          let value = axis == 0 ? off.x : off.y
          let byCamera = free.map { axis == 0 ? seen.uByCamera[$0] : seen.vByCamera[$0] }
          for a in 0..<n {
            result.cameraRight[a] += byCamera[a] * value
            for b in 0...a { result.camera[a, b] += byCamera[a] * byCamera[b] }
          }
          for a in 0..<6 {
            right[a] += pose[a] * value
            for b in 0...a { own[a, b] += pose[a] * pose[b] }
            for b in 0..<n { mixed[a * n + b] += pose[a] * byCamera[b] }
          }
        }
      }
      result.own.append(own)
      result.ownRight.append(right)
      result.mixed.append(mixed)
    }
    return result
  }

  /// The camera's equations after the poses are eliminated, each scaled by 1 + `damping` on its diagonal.
  private func reduced(
    _ e: Equations,
    _ n: Int,
    damping: Double
  ) -> (matrix: SymmetricMatrix, right: [Double], own: [LowerTriangle])? {
    var matrix = e.camera
    for i in 0..<n { matrix[i, i] *= 1 + damping }
    var right = e.cameraRight
    var own: [LowerTriangle] = []
    for index in e.own.indices {
      var block = e.own[index]
      for i in 0..<6 { block[i, i] *= 1 + damping }
      guard let triangle = block.cholesky() else { return nil }
      own.append(triangle)
      let mixed = e.mixed[index]
      let solvedRight = triangle.solve(e.ownRight[index])
      for a in 0..<n {
        let column = (0..<6).map { mixed[$0 * n + a] }
        let solved = triangle.solve(column)
        for b in 0...a {
          var product = 0.0
          for k in 0..<6 { product += solved[k] * mixed[k * n + b] }
          matrix[a, b] -= product
        }
        for k in 0..<6 { right[a] -= mixed[k * n + a] * solvedRight[k] }
      }
    }
    return (matrix, right, own)
  }

  /// Levenberg's and Marquardt's method over the free parameters of the camera and all poses.
  mutating func solve(_ isFree: [Bool]) {
    let free = isFree.indices.filter { isFree[$0] }
    let n = free.count
    var sum = sum(camera, lens, poses)
    var damping = 1e-3
    for _ in 0..<100 {
      let e = equations(free)
      var hasImproved = false
      var gain = 0.0
      while damping < 1e9 {
        guard let (matrix, right, own) = reduced(e, n, damping: damping), let triangle = matrix.cholesky() else {
          damping *= 10
          continue
        }
        let step = triangle.solve(right)
        var nextPoses = poses
        for index in poses.indices {
          var side = e.ownRight[index]
          for a in 0..<6 {
            for b in 0..<n { side[a] -= e.mixed[index][a * n + b] * step[b] }
          }
          let s = own[index].solve(side)
          nextPoses[index].rotation = poses[index].rotation.turned(by: Vector3(s[0], s[1], s[2]))
          nextPoses[index].translation = poses[index].translation + Vector3(s[3], s[4], s[5])
        }
        let (nextCamera, nextLens) = moved(free, step)
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

  private func moved(_ free: [Int], _ step: [Double]) -> (Intrinsics, LensDistortion) {
    var (camera, lens) = (camera, lens)
    for (i, parameter) in free.enumerated() {
      switch parameter {
      case 0: camera.focalX += step[i]
      case 1: camera.focalY += step[i]
      case 2: camera.centerX += step[i]
      case 3: camera.centerY += step[i]
      case 4: lens.k1 += step[i]
      case 5: lens.k2 += step[i]
      case 6: lens.p1 += step[i]
      case 7: lens.p2 += step[i]
      default: lens.k3 += step[i]
      }
    }
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
    let free = isFree.indices.filter { isFree[$0] }
    let e = equations(free)
    guard let (matrix, _, _) = reduced(e, free.count, damping: 0), let triangle = matrix.cholesky() else { return nil }
    let surplus = 2 * usedCount - free.count - 6 * views.count
    guard surplus > 0 else { return nil }
    let variance = sum(camera, lens, poses) / Double(surplus)
    let diagonal = triangle.inverseDiagonal()
    var result = InlineArray<9, Double>(repeating: 0)
    for (i, parameter) in free.enumerated() {
      let deviation = (diagonal[i] * variance).squareRoot()
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
