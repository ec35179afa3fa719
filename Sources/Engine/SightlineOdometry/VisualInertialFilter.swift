import SightlineMath

/// Pose, motion, camera, clones and landmarks with their common covariance: an extended Kalman filter over a sliding window.
///
/// Frames become clones of the pose; points that were followed through several of them constrain these after their own place has
/// been projected out of the equations; some points are part of the state as long as they are seen.
/// Sources: Mourikis and Roumeliotis, A Multi-State Constraint Kalman Filter for Vision-aided Inertial Navigation, ICRA 2007; Li and Mourikis,
/// Optimization-based Estimator Design for Vision-aided Inertial Navigation, RSS 2012 (points in the state).
final class VisualInertialFilter {
  /// Most clones.
  static let mostClones = 12
  /// Most of a sighting's squared Mahalanobis distance at rest: its deviation is set larger there than its error is, so that what slides
  /// over the picture would pass the usual bound.
  private static let restGate = 3.0
  /// Most landmarks.
  static let mostLandmarks = 30

  let configuration: OdometryConfiguration
  /// Camera axes in the device's as they are built: the axes landmarks are told in.
  let axes: Matrix3
  var inertial: InertialState
  var camera: CameraEstimate
  let covariance: CovarianceMatrix
  var clones: [Clone] = []
  private(set) var landmarks: [Landmark]
  /// Rectangles of known size.
  var shapes: [KnownShape] = []
  let stack = MeasurementStack()
  /// Whether the camera's components are left as they are: nothing can be learned of them at rest.
  ///
  /// Points are then seen through nearly the same part of the lens from frame to frame, so that what is wrong about it cancels, and the rows
  /// of sightings leave these components out: with them, the directions of all landmarks shrank together on a development sequence (3 to 4 % in
  /// five seconds), although the points were followed rightly. Not where a rectangle of known size is in the state: by its size lengths are
  /// known as surely as the lens is.
  var isCameraHeld = false
  /// Whether the device is where it was in the oldest clone.
  var isResting = false
  /// Deviation of a sighting now, pixels.
  private var pixelDeviation: Double {
    // At rest the errors of one frame are those of the next.
    configuration.pixelDeviation * (isCameraHeld ? 4 : 1)
  }

  /// A filter that begins with what is believed.
  init(
    _ configuration: OdometryConfiguration,
    inertial: InertialState,
    camera: CameraEstimate,
    covariance: CovarianceMatrix
  ) {
    self.configuration = configuration
    self.inertial = inertial
    self.camera = camera
    self.covariance = covariance
    axes = configuration.deviceFromCamera
    landmarks = [Landmark](
      repeating: Landmark(track: -1, anchor: 0, start: 0, x: 0, y: 0, rho: 1),
      count: Self.mostLandmarks
    )
  }

  /// Slots of all clones, a bit for each.
  var slots: UInt32 { clones.reduce(0) { $0 | 1 << UInt32($1.slot) } }

  /// Moves the world's origin, before there are clones and landmarks.
  func shift(by offset: Vector3) {
    precondition(clones.isEmpty)
    inertial.position = inertial.position + offset
    // The same error of the place, told about the new origin.
    var matrix = [Double](repeating: 0, count: 18)
    let turn = Matrix3.skew(offset)
    for i in 0..<3 {
      for j in 0..<3 { matrix[i * 6 + j] = turn[row: i][j] }
      matrix[i * 6 + 3 + i] = 1
    }
    let p = Component.position
    covariance.set(p, 3, from: [0, 1, 2, p, p + 1, p + 2], matrix, noise: [Double](repeating: 0, count: 9))
  }

  /// Whether the last update could be solved, and left numbers.
  private(set) var isSound = true

  /// Landmarks in use.
  var landmarkCount: Int {
    var count = 0
    for landmark in landmarks where landmark.track >= 0 { count += 1 }
    return count
  }

  /// Goes on to a moment with the readings of the sensors.
  func propagate(to time: Double, history: MotionHistory) {
    guard time > inertial.time else { return }
    let n = InertialState.size
    var transition = InlineArray<225, Double>(repeating: 0)
    for i in 0..<n { transition[i * (n + 1)] = 1 }
    var noise = InlineArray<225, Double>(repeating: 0)
    withUnsafeMutablePointer(to: &transition) { t in
      withUnsafeMutablePointer(to: &noise) { q in
        let phi = UnsafeMutableRawPointer(t).assumingMemoryBound(to: Double.self)
        let added = UnsafeMutableRawPointer(q).assumingMemoryBound(to: Double.self)
        inertial.propagate(
          to: time,
          history: history,
          configuration: configuration,
          transition: phi,
          noise: added
        )
        covariance.propagate(phi, size: n, noise: added)
      }
    }
  }

  /// Remembers the pose of now as that of a frame.
  func addClone(slot: Int, history: MotionHistory) {
    let motion = history.motion(at: inertial.time)
    let rate = motion.rate - inertial.gyroBias
    let acceleration =
      inertial.attitude * (motion.force - inertial.forceBias) + Vector3(0, 0, -configuration.gravity)
    let start = covariance.append(6)
    // A stamp that is later than believed belongs to an earlier pose.
    let turn = -(inertial.attitude * rate)
    let shift = -inertial.velocity - turn.cross(inertial.position)
    var matrix = [Double](repeating: 0, count: 6 * 7)
    var noise = [Double](repeating: 0, count: 36)
    let variance = configuration.stampDeviation * configuration.stampDeviation
    for i in 0..<3 {
      matrix[i * 7 + i] = 1
      matrix[(3 + i) * 7 + 3 + i] = 1
      matrix[i * 7 + 6] = turn[i]
      matrix[(3 + i) * 7 + 6] = shift[i]
    }
    for i in 0..<6 {
      for j in 0..<6 { noise[i * 6 + j] = matrix[i * 7 + 6] * matrix[j * 7 + 6] * variance }
    }
    covariance.set(start, 6, from: [0, 1, 2, 6, 7, 8, Component.timeOffset], matrix, noise: noise)
    clones.append(
      Clone(
        slot: slot,
        start: start,
        time: inertial.time,
        attitude: inertial.attitude,
        position: inertial.position,
        velocity: inertial.velocity,
        acceleration: acceleration,
        rate: rate,
        rateSlope: motion.rateSlope
      )
    )
  }

  /// Forgets a clone; landmarks told from it are told from the newest instead.
  func removeClone(_ index: Int, tracker: FeatureTracker) {
    let clone = clones[index]
    guard let newest = clones.last, clones.count > 1 else { return }
    let heir = index == clones.count - 1 ? clones[clones.count - 2] : newest
    for place in landmarks.indices where landmarks[place].track >= 0 && landmarks[place].anchor == clone.slot {
      if !reanchor(place, from: clone, to: heir) { removeLandmark(place, tracker: tracker) }
    }
    tracker.forget(slot: clone.slot)
    let start = clones[index].start
    clones.remove(at: index)
    remove(start, 6)
  }

  func remove(_ start: Int, _ components: Int) {
    covariance.remove(start, components)
    for i in clones.indices where clones[i].start > start { clones[i].start -= components }
    for i in landmarks.indices where landmarks[i].track >= 0 && landmarks[i].start > start {
      landmarks[i].start -= components
    }
    for i in shapes.indices where shapes[i].start > start { shapes[i].start -= components }
  }

  /// Place of a clone in the list by its slot.
  func clone(slot: Int) -> Int? { clones.firstIndex { $0.slot == slot } }

  // MARK: Landmarks

  private func reanchor(_ place: Int, from old: Clone, to new: Clone) -> Bool {
    let landmark = landmarks[place]
    let here = InverseDepthPoint(x: landmark.x, y: landmark.y, rho: landmark.rho, clone: old, axes: axes)
    guard let p = InverseDepthPoint.parameters(of: here.point, clone: new, axes: axes),
      p.rho > Triangulation.leastRho / 4, abs(p.x) < 3, abs(p.y) < 3
    else { return false }
    let there = InverseDepthPoint(x: p.x, y: p.y, rho: p.rho, clone: new, axes: axes)
    guard let inverse = Matrix3(rows: there.byX, there.byY, there.byRho).transposed.inverted() else { return false }
    // D' η' = (θ − θ') × f + ξ − ξ' + D η
    let turn = inverse * (Matrix3.skew(here.point) * -1)
    let own = inverse * Matrix3(rows: here.byX, here.byY, here.byRho).transposed
    var matrix = [Double](repeating: 0, count: 3 * 15)
    var sources: [Int] = []
    for i in 0..<6 { sources.append(old.start + i) }
    for i in 0..<6 { sources.append(new.start + i) }
    for i in 0..<3 { sources.append(landmark.start + i) }
    for i in 0..<3 {
      for j in 0..<3 {
        matrix[i * 15 + j] = turn[row: i][j]
        matrix[i * 15 + 3 + j] = inverse[row: i][j]
        matrix[i * 15 + 6 + j] = -turn[row: i][j]
        matrix[i * 15 + 9 + j] = -inverse[row: i][j]
        matrix[i * 15 + 12 + j] = own[row: i][j]
      }
    }
    covariance.set(landmark.start, 3, from: sources, matrix, noise: [Double](repeating: 0, count: 9))
    landmarks[place].anchor = new.slot
    (landmarks[place].x, landmarks[place].y, landmarks[place].rho) = (p.x, p.y, p.rho)
    return true
  }

  /// Takes a landmark out of the state; its track goes on as one of the others.
  func removeLandmark(_ place: Int, tracker: FeatureTracker) {
    let landmark = landmarks[place]
    guard landmark.track >= 0 else { return }
    if tracker.tracks[landmark.track].landmark == place {
      tracker.setLandmark(landmark.track, -1)
      tracker.clearObservations(landmark.track, in: slots)
    }
    landmarks[place].track = -1
    remove(landmark.start, 3)
  }

  /// The point a landmark stands for.
  func point(_ landmark: Landmark) -> InverseDepthPoint? {
    guard let anchor = clone(slot: landmark.anchor) else { return nil }
    return InverseDepthPoint(x: landmark.x, y: landmark.y, rho: landmark.rho, clone: clones[anchor], axes: axes)
  }

  /// Inverse depth that is usual among the landmarks, 1/m.
  var usualRho: Double {
    var values: [Double] = []
    for landmark in landmarks where landmark.track >= 0 {
      let variance = covariance[landmark.start + 2, landmark.start + 2]
      if variance < 0.1 * landmark.rho * landmark.rho { values.append(landmark.rho) }
    }
    guard values.count >= 5 else { return 0.5 }
    return quantile(values, 0.5)
  }

  // MARK: Updates

  /// Begins an update.
  func beginUpdate() { stack.removeAll() }

  /// Rows left in this update.
  var room: Int { stack.room }

  /// Adds what the newest clone sees of a landmark.
  ///
  /// - Returns: whether it fits.
  func addSighting(of place: Int, pixel: Vector2) -> Bool {
    let landmark = landmarks[place]
    guard let anchor = clone(slot: landmark.anchor) else { return false }
    let point = InverseDepthPoint(
      x: landmark.x,
      y: landmark.y,
      rho: landmark.rho,
      clone: clones[anchor],
      axes: axes
    )
    let newest = clones.count - 1
    guard
      let rows = FeatureRows(
        [Sighting(clone: newest, pixel: pixel)],
        point: point,
        anchor: anchor,
        clones: clones,
        camera: camera,
        deviation: pixelDeviation,
        dependsOnCamera: !isCameraHeld || !shapes.isEmpty
      )
    else { return false }
    var columns = rows.columns
    for i in 0..<3 { columns.append(landmark.start + i) }
    let width = rows.width
    var jacobian = [Double](repeating: 0, count: 2 * columns.count)
    var residual = [0.0, 0.0]
    for i in 0..<2 {
      for j in 0..<columns.count { jacobian[i * columns.count + j] = rows.values[i * width + j] }
      residual[i] = rows.values[i * width + width - 1]
    }
    return stack.add(
      rows: residual,
      count: 2,
      jacobian: jacobian,
      columns: columns,
      covariance: covariance,
      gate: isResting ? Self.restGate : 9.2
    )
  }

  /// Adds what several clones saw of a point that is not part of the state.
  ///
  /// - Parameters:
  ///   - sightings: two or more.
  ///   - identifier: of the track.
  /// - Returns: the point, when it fits.
  func add(_ sightings: [Sighting], identifier: UInt32) -> ScenePoint? {
    guard sightings.count >= 2, let middle = sightings.last else { return nil }
    guard
      let triangulation = Triangulation(
        sightings,
        anchor: middle.clone,
        clones: clones,
        camera: camera,
        axes: axes,
        prior: (usualRho, 1.0)
      ), triangulation.residual < 4
    else { return nil }
    let point = InverseDepthPoint(
      x: triangulation.x,
      y: triangulation.y,
      rho: triangulation.rho,
      clone: clones[middle.clone],
      axes: axes
    )
    guard
      var rows = FeatureRows(
        sightings,
        point: point,
        anchor: nil,
        clones: clones,
        camera: camera,
        deviation: pixelDeviation
      ), rows.separatePoint(), add(rows, skipping: 3)
    else { return nil }
    return ScenePoint(
      identifier: identifier,
      position: point.point,
      direction: (point.point - clones[middle.clone].position).normalized ?? .zero,
      deviation: triangulation.rhoDeviation / (triangulation.rho * triangulation.rho)
    )
  }

  /// Where a point is that is not part of the state, by what the clones saw of it; the state takes nothing from that.
  func triangulated(_ sightings: [Sighting], identifier: UInt32) -> ScenePoint? {
    guard sightings.count >= 3, let last = sightings.last,
      let place = Triangulation(
        sightings,
        anchor: last.clone,
        clones: clones,
        camera: camera,
        axes: axes,
        prior: (usualRho, 1.0)
      ), place.residual < 2
    else { return nil }
    let clone = clones[last.clone]
    let point = InverseDepthPoint(x: place.x, y: place.y, rho: place.rho, clone: clone, axes: axes).point
    return ScenePoint(
      identifier: identifier,
      position: point,
      direction: (point - clone.position).normalized ?? .zero,
      deviation: place.rhoDeviation / (place.rho * place.rho)
    )
  }

  /// What is known of a landmark's place.
  func scenePoint(_ landmark: Landmark, identifier: UInt32) -> ScenePoint? {
    guard let anchor = clone(slot: landmark.anchor), let point = point(landmark) else { return nil }
    let variance = covariance[landmark.start + 2, landmark.start + 2]
    return ScenePoint(
      identifier: identifier,
      position: point.point,
      direction: (point.point - clones[anchor].position).normalized ?? .zero,
      deviation: max(0, variance).squareRoot() / (landmark.rho * landmark.rho)
    )
  }

  private func add(_ rows: FeatureRows, skipping first: Int) -> Bool {
    let count = rows.count - first
    guard count > 0 else { return false }
    let (n, width) = (rows.columns.count, rows.width)
    var jacobian = [Double](repeating: 0, count: count * n)
    var residual = [Double](repeating: 0, count: count)
    for i in 0..<count {
      let row = (first + i) * width
      for j in 0..<n { jacobian[i * n + j] = rows.values[row + j] }
      residual[i] = rows.values[row + width - 1]
    }
    return stack.add(
      rows: residual,
      count: count,
      jacobian: jacobian,
      columns: rows.columns,
      covariance: covariance,
      gate: ChiSquare.bound95(count) * 1.3
    )
  }

  /// Makes a track a landmark by what the clones saw of it, an update of its own.
  func addLandmark(track: Int, _ sightings: [Sighting]) -> Bool {
    guard let place = landmarks.firstIndex(where: { $0.track < 0 }), let last = sightings.last,
      covariance.count + 3 <= CovarianceMatrix.capacity
    else { return false }
    let usual = usualRho
    let spread = max(1, 3 * usual)
    guard
      let triangulation = Triangulation(
        sightings,
        anchor: last.clone,
        clones: clones,
        camera: camera,
        axes: axes,
        prior: (usual, spread)
      ), triangulation.residual < 3
    else { return false }
    let anchor = clones[last.clone]
    let point = InverseDepthPoint(
      x: triangulation.x,
      y: triangulation.y,
      rho: triangulation.rho,
      clone: anchor,
      axes: axes
    )
    guard
      var rows = FeatureRows(
        sightings,
        point: point,
        anchor: last.clone,
        clones: clones,
        camera: camera,
        deviation: pixelDeviation
      )
    else { return false }
    rows.addDepth(expected: usual, rho: triangulation.rho, deviation: spread)
    guard rows.separatePoint() else { return false }
    // R η = r − H x − n: the point's components by those of the state.
    let (n, width) = (rows.columns.count, rows.width)
    func entry(_ i: Int, _ j: Int) -> Double { rows.values[i * width + n + j] }
    let triangle = Matrix3(
      rows: Vector3(entry(0, 0), entry(0, 1), entry(0, 2)),
      Vector3(entry(1, 0), entry(1, 1), entry(1, 2)),
      Vector3(entry(2, 0), entry(2, 1), entry(2, 2))
    )
    guard let inverse = triangle.inverted() else { return false }
    var matrix = [Double](repeating: 0, count: 3 * n)
    for i in 0..<3 {
      for j in 0..<n {
        var sum = 0.0
        for k in 0..<3 { sum += inverse[row: i][k] * rows.values[k * width + j] }
        matrix[i * n + j] = -sum
      }
    }
    let own = inverse * inverse.transposed
    var noise = [Double](repeating: 0, count: 9)
    for i in 0..<3 { for j in 0..<3 { noise[i * 3 + j] = own[row: i][j] } }
    let start = covariance.append(3)
    covariance.set(start, 3, from: rows.columns, matrix, noise: noise)
    let offset = inverse * Vector3(rows.values[width - 1], rows.values[2 * width - 1], rows.values[3 * width - 1])
    landmarks[place] = Landmark(
      track: track,
      anchor: anchor.slot,
      start: start,
      x: triangulation.x + offset.x,
      y: triangulation.y + offset.y,
      rho: clamp(triangulation.rho + offset.z, Triangulation.leastRho, Triangulation.mostRho)
    )
    guard rows.count > 3 else { return true }
    // What is left must fit, or the point is not believed.
    stack.removeAll()
    if add(rows, skipping: 3), endUpdate() { return true }
    landmarks[place].track = -1
    remove(start, 3)
    return false
  }

  /// Index of the landmark a track is, if any.
  func landmark(track: Int) -> Int? { landmarks.firstIndex { $0.track == track } }

  /// Notes how a landmark fared in this frame.
  func note(_ place: Int, unseen: Int? = nil, misfits: Int? = nil) {
    if let unseen { landmarks[place].unseen = unseen }
    if let misfits { landmarks[place].misfits = misfits }
  }

  /// Adds that the device is where it was in the oldest clone.
  ///
  /// - Parameter deviation: of the place of a hand that is held still, metres; as it is said again with every frame, larger than the hand's.
  func addRest(deviation: Double) {
    guard let oldest = clones.first, clones.count > 1 else { return }
    let weight = 1 / deviation
    let (now, then) = (Matrix3.skew(inertial.position) * -1, Matrix3.skew(oldest.position))
    var jacobian = [Double](repeating: 0, count: 3 * 12)
    var residual = [0.0, 0.0, 0.0]
    for i in 0..<3 {
      for j in 0..<3 {
        jacobian[i * 12 + j] = weight * now[row: i][j]
        jacobian[i * 12 + 6 + j] = weight * then[row: i][j]
      }
      jacobian[i * 12 + 3 + i] = weight
      jacobian[i * 12 + 9 + i] = -weight
      residual[i] = weight * (oldest.position[i] - inertial.position[i])
    }
    var columns = [0, 1, 2, Component.position, Component.position + 1, Component.position + 2]
    for i in 0..<6 { columns.append(oldest.start + i) }
    stack.add(rows: residual, count: 3, jacobian: jacobian, columns: columns, covariance: covariance, gate: nil)
  }

  /// Adds where the device was in a clone, by something that knows the place and the turn about the vertical: an update of its own.
  ///
  /// - Parameters:
  ///   - place: of the device, metres.
  ///   - yaw: by how much the clone has to be turned about the vertical, radians.
  ///   - index: place of the clone in the list.
  ///   - deviation: of the place, metres, and of the yaw, radians.
  func take(place: Vector3, yaw: Double, clone index: Int, deviation: (place: Double, yaw: Double)) {
    stack.removeAll()
    let clone = clones[index]
    let (weight, turnWeight) = (1 / deviation.place, 1 / deviation.yaw)
    let turn = Matrix3.skew(clone.position) * -weight
    var jacobian = [Double](repeating: 0, count: 4 * 6)
    for i in 0..<3 {
      for j in 0..<3 { jacobian[i * 6 + j] = turn[row: i][j] }
      jacobian[i * 6 + 3 + i] = weight
    }
    jacobian[3 * 6 + 2] = turnWeight
    let error = place - clone.position
    let residual = [weight * error.x, weight * error.y, weight * error.z, turnWeight * yaw]
    var columns: [Int] = []
    for i in 0..<6 { columns.append(clone.start + i) }
    stack.add(rows: residual, count: 4, jacobian: jacobian, columns: columns, covariance: covariance, gate: nil)
    endUpdate()
  }

  /// Does the update with all rows that were added.
  ///
  /// - Returns: whether the state took it.
  @discardableResult
  func endUpdate() -> Bool {
    guard stack.count > 0 else { return true }
    let held = isCameraHeld ? Component.timeOffset..<Component.count : 0..<0
    guard stack.update(covariance, holding: held) else {
      isSound = false
      return false
    }
    let x = stack.correction
    inertial.correct(x)
    camera.correct(x)
    for i in clones.indices {
      let at = x + clones[i].start
      let turn = Matrix3(Quaternion(rotationVector: Vector3(at[0], at[1], at[2])))
      clones[i].attitude = Matrix3(Quaternion(turn * clones[i].attitude).normalized ?? .identity)
      clones[i].position = turn * clones[i].position + Vector3(at[3], at[4], at[5])
      clones[i].velocity = turn * clones[i].velocity
      clones[i].acceleration = turn * clones[i].acceleration
    }
    for i in shapes.indices {
      let at = x + shapes[i].start
      let turn = Matrix3(Quaternion(rotationVector: Vector3(at[0], at[1], at[2])))
      shapes[i].attitude = Matrix3(Quaternion(turn * shapes[i].attitude).normalized ?? .identity)
      shapes[i].position = turn * shapes[i].position + Vector3(at[3], at[4], at[5])
    }
    if let newest = clones.indices.last, clones[newest].time == inertial.time {
      clones[newest].velocity = inertial.velocity
    }
    for i in landmarks.indices where landmarks[i].track >= 0 {
      let at = x + landmarks[i].start
      landmarks[i].x += at[0]
      landmarks[i].y += at[1]
      landmarks[i].rho = clamp(landmarks[i].rho + at[2], Triangulation.leastRho, Triangulation.mostRho)
    }
    return true
  }
}

/// Bounds of the chi-square distribution.
enum ChiSquare {
  /// What 95 % of the values lie below.
  ///
  /// Source: Wilson and Hilferty, The Distribution of Chi-square, PNAS 17, 1931.
  static func bound95(_ degrees: Int) -> Double {
    let k = Double(max(1, degrees))
    let a = 2 / (9 * k)
    let root = 1 - a + 1.6449 * a.squareRoot()
    return k * root * root * root
  }
}
