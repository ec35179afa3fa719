import SightlineMath

/// Finds what a filter begins with: velocity, tilt, lens and clock, from the first second of readings and frames.
///
/// Poses of all frames follow from the state at the first moment and the readings; points are placed by them. What is left between
/// predicted and seen pixels is made small over the state at the first moment, together with what was believed before
/// (maximum a posteriori, Gauss–Newton). Its start is linear: rays of two frames to one point and the way between them lie in a plane,
/// which holds for velocity and gravity in proportion.
/// Source of the linear part: Dong-Si and Mourikis, Estimator Initialization in Vision-aided Inertial Navigation, IROS 2012.
struct FilterStart {
  /// A frame of the start.
  struct Frame {
    /// Place of its observations in the table of tracks.
    var slot: Int
    /// As the platform has it, seconds.
    var stamp: Double
  }

  /// What was found.
  struct Solution {
    var inertial: InertialState
    var camera: CameraEstimate
    var covariance: CovarianceMatrix
    /// Root of the mean square of what is left, pixels.
    var residual: Double
    /// Points that were used.
    var pointCount: Int
    /// Tracks that were seen often enough to be one of them.
    var trackCount: Int
  }

  let configuration: OdometryConfiguration
  let history: MotionHistory
  let frames: [Frame]
  let tracker: FeatureTracker
  /// The moment the state is told of, seconds.
  let origin: Double
  /// World from device at the origin, by gravity alone.
  let attitude: Matrix3
  /// Deviation of that, radians.
  let tiltDeviation: Double
  /// Deviation of the velocity from none, m/s.
  let velocityDeviation: Double

  private static let size = Component.count

  /// Solves; `nil` when nothing fits.
  func solve() -> Solution? {
    let tracks = usableTracks()
    guard tracks.count >= 12 else { return nil }
    var best: (cost: Double, inertial: InertialState, camera: CameraEstimate)?
    for offset in [0.0, 0.02, 0.04, 0.06, 0.08] {
      for logFocal in [-0.1, -0.05, 0.0, 0.05, 0.1] {
        var camera = CameraEstimate(configuration)
        camera.timeOffset = offset
        camera.focal *= SightlineMath.exp(logFocal)
        guard let linear = linearStart(tracks, camera) else { continue }
        let believed = (offset - configuration.timeOffset) / configuration.timeOffsetDeviation
        let focal = logFocal / configuration.focalDeviation
        let cost = linear.cost + believed * believed + focal * focal
        if best.map({ cost < $0.cost }) ?? true { best = (cost, linear.inertial, camera) }
      }
    }
    guard let best else { return nil }
    return refine(tracks, best.inertial, best.camera)
  }

  // MARK: Linear start

  private func usableTracks() -> [Int] {
    let slots = frames.reduce(UInt32(0)) { $0 | 1 << UInt32($1.slot) }
    return tracker.tracks.indices.filter {
      tracker.tracks[$0].identifier != 0 && tracker.tracks[$0].observationCount(in: slots) >= 3
    }
  }

  private func state(_ velocity: Vector3 = .zero, _ turn: Matrix3 = .identity) -> InertialState {
    InertialState(time: origin, attitude: turn * attitude, velocity: velocity, position: .zero)
  }

  /// Poses of all frames when the state at the origin is as given.
  private func clones(_ start: InertialState, _ camera: CameraEstimate) -> [Clone] {
    var result: [Clone] = []
    var state = start
    for (index, frame) in frames.enumerated() {
      state.propagate(to: frame.stamp - camera.timeOffset, history: history, configuration: configuration)
      result.append(clone(state, frame, index))
    }
    return result
  }

  private func clone(_ state: InertialState, _ frame: Frame, _ index: Int) -> Clone {
    let motion = history.motion(at: state.time)
    return Clone(
      slot: frame.slot,
      start: Self.size + 6 * index,
      time: state.time,
      attitude: state.attitude,
      position: state.position,
      velocity: state.velocity,
      acceleration: state.attitude * (motion.force - state.forceBias) + Vector3(0, 0, -configuration.gravity),
      rate: motion.rate - state.gyroBias,
      rateSlope: motion.rateSlope
    )
  }

  private func linearStart(_ tracks: [Int], _ camera: CameraEstimate) -> (cost: Double, inertial: InertialState)? {
    let poses = clones(state(), camera)
    struct Pair {
      var normal: Vector3
      var (a, b): (Vector3, Vector3)
      var way: Vector3
      var (time, half): (Double, Double)
    }
    var pairs: [Pair] = []
    for track in tracks {
      var seen: [Int] = []
      for (index, frame) in frames.enumerated() where tracker.tracks[track].seen & (1 << UInt32(frame.slot)) != 0 {
        seen.append(index)
      }
      guard let first = seen.first, let last = seen.last, last > first else { continue }
      let middle = seen[seen.count / 2]
      func ray(_ index: Int) -> (direction: Vector3, place: Vector3) {
        let pose = poses[index]
        let o = tracker.observation(track, slot: pose.slot)
        let pixel = Vector2(Double(o.x), Double(o.y))
        let delay = camera.readout * camera.line(of: pixel)
        let turned = pose.attitude * Matrix3(Quaternion(rotationVector: pose.rate * delay))
        let direction = turned * (camera.deviceFromCamera * camera.ray(through: pixel))
        return (direction * (1 / direction.length), pose.position + turned * camera.lever)
      }
      for (i, j) in [(first, last), (first, middle), (middle, last)] where j > i {
        let (a, b) = (ray(i), ray(j))
        let (s, t) = (poses[i].time - origin, poses[j].time - origin)
        pairs.append(
          Pair(
            normal: a.direction.cross(b.direction),
            a: a.direction,
            b: b.direction,
            way: b.place - a.place,
            time: t - s,
            half: 0.5 * (t * t - s * s)
          )
        )
      }
    }
    guard pairs.count >= 12 else { return nil }
    var (velocity, gravity) = (Vector3.zero, Vector3.zero)
    var cost = Double.infinity
    for round in 0..<6 {
      var equations = NormalEquations<6>()
      var sum = 0.0
      for pair in pairs {
        let way = pair.way + velocity * pair.time + gravity * pair.half
        let across = way - pair.a * way.dot(pair.a)
        // What an error of a ray's direction does grows with the way across it; a pixel and a half is expected.
        let scale = 0.004 * (across.length + (round == 0 ? 0.3 : 0.02))
        let n = pair.normal * (1 / scale)
        let residual = n.dot(way)
        let weight = abs(residual) > 2 ? 2 / abs(residual) : 1
        sum += weight * residual * residual
        let value = -n.dot(pair.way)
        equations.add(
          [
            n.x * pair.time, n.y * pair.time, n.z * pair.time, n.x * pair.half, n.y * pair.half, n.z * pair.half,
          ],
          value,
          weight: weight
        )
      }
      cost = sum
      for i in 0..<3 { equations.hold(i, weight: 1 / (velocityDeviation * velocityDeviation)) }
      let tilt = 1 / (tiltDeviation * configuration.gravity)
      equations.hold(3, weight: tilt * tilt)
      equations.hold(4, weight: tilt * tilt)
      equations.hold(5, weight: 1e4)
      guard let x = equations.solution() else { return nil }
      velocity = Vector3(x[0], x[1], x[2])
      gravity = Vector3(x[3], x[4], x[5])
    }
    guard velocity.length < 8 else { return nil }
    // The world is turned so that gravity points down in it again.
    let down = Vector3(0, 0, -configuration.gravity) + gravity
    guard let unit = down.normalized else { return nil }
    let axis = unit.cross(Vector3(0, 0, -1))
    let turn = Matrix3(Quaternion(rotationVector: axis * (asin(axis.length) / max(1e-9, axis.length))))
    return (cost, state(turn * velocity, turn))
  }

  // MARK: Refinement

  private func refine(_ tracks: [Int], _ start: InertialState, _ begin: CameraEstimate) -> Solution? {
    var (inertial, camera) = (start, begin)
    let prior = Self.believed(configuration, tilt: tiltDeviation, velocity: velocityDeviation)
    let believed = CameraEstimate(configuration)
    var equations = NormalEquations<28>()
    var residual = Double.infinity
    var used = 0
    var depths = [Double](repeating: 0.5, count: tracks.count)
    var lastCost = Double.infinity
    for round in 0..<10 {
      let (poses, jacobians) = posesWithDerivatives(inertial, camera)
      equations = NormalEquations<28>()
      var (squares, rowCount) = (0.0, 0)
      used = 0
      for (number, track) in tracks.enumerated() {
        var sightings: [Sighting] = []
        for (index, frame) in frames.enumerated() where tracker.tracks[track].seen & (1 << UInt32(frame.slot)) != 0 {
          let o = tracker.observation(track, slot: frame.slot)
          sightings.append(Sighting(clone: index, pixel: Vector2(Double(o.x), Double(o.y))))
        }
        let anchor = sightings[sightings.count / 2].clone
        guard
          let t = Triangulation(
            sightings,
            anchor: anchor,
            clones: poses,
            camera: camera,
            axes: configuration.deviceFromCamera,
            prior: (0.5, 3),
            start: round == 0 ? nil : depths[number]
          )
        else { continue }
        depths[number] = t.rho
        let limit: Double = round < 3 ? 25 : 5
        guard t.residual < limit else { continue }
        let point = InverseDepthPoint(
          x: t.x,
          y: t.y,
          rho: t.rho,
          clone: poses[anchor],
          axes: configuration.deviceFromCamera
        )
        guard
          var rows = FeatureRows(
            sightings,
            point: point,
            anchor: nil,
            clones: poses,
            camera: camera,
            deviation: 1.6 * max(1, t.residual / 1.5)
          )
        else { continue }
        rows.addDepth(expected: 0.5, rho: t.rho, deviation: 3)
        guard rows.separatePoint() else { continue }
        used += 1
        let width = rows.width
        for i in 3..<max(3, rows.count) {
          var row = InlineArray<28, Double>(repeating: 0)
          for (j, column) in rows.columns.enumerated() {
            let value = rows.values[i * width + j]
            if value == 0 { continue }
            if column < Self.size {
              row[column] += value
            } else {
              let (clone, component) = ((column - Self.size) / 6, (column - Self.size) % 6)
              let from = (clone * 6 + component) * Self.size
              for k in 0..<Self.size { row[k] += value * jacobians[from + k] }
            }
          }
          equations.add(row, rows.values[i * width + width - 1])
        }
        squares += 2 * t.residual * t.residual * Double(sightings.count)
        rowCount += 2 * sightings.count
      }
      guard used >= 10 else { return nil }
      residual = (squares / Double(rowCount)).squareRoot()
      // What was believed before.
      let difference = differences(inertial, camera, believed)
      for i in 0..<Self.size {
        let weight = 1 / (prior[i] * prior[i])
        equations.matrix[i][i] += weight
        equations.right[i] -= weight * difference[i]
      }
      guard let step = equations.solution(damping: round < 3 ? 0.05 : 1e-9) else { return nil }
      withUnsafePointer(to: step) { pointer in
        let x = UnsafeRawPointer(pointer).assumingMemoryBound(to: Double.self)
        inertial.correct(x)
        camera.correct(x)
      }
      let cost = squares
      if round > 4, abs(lastCost - cost) < 1e-3 * cost { break }
      lastCost = cost
    }
    guard let inverse = equations.covariance() else { return nil }
    let covariance = CovarianceMatrix(count: Self.size)
    for i in 0..<Self.size { for j in 0..<Self.size { covariance[i, j] = inverse[i][j] } }
    covariance.symmetrize()
    return Solution(
      inertial: inertial,
      camera: camera,
      covariance: covariance,
      residual: residual,
      pointCount: used,
      trackCount: tracks.count
    )
  }

  /// What is believed before anything was seen, of a device at rest or not.
  static func believed(
    _ configuration: OdometryConfiguration,
    tilt: Double,
    velocity: Double
  ) -> InlineArray<28, Double> {
    var d = InlineArray<28, Double>(repeating: 0)
    for i in 0..<3 {
      d[Component.attitude + i] = i == 2 ? 1e-4 : tilt
      d[Component.velocity + i] = velocity
      d[Component.position + i] = 1e-4
      d[Component.gyroBias + i] = configuration.gyroBiasDeviation
      d[Component.forceBias + i] = configuration.forceBiasDeviation
      d[Component.mounting + i] = configuration.mountingDeviation
      d[Component.lever + i] = configuration.leverDeviation
    }
    d[Component.timeOffset] = configuration.timeOffsetDeviation
    d[Component.readout] = max(1e-6, configuration.readoutDeviation)
    d[Component.logFocal] = configuration.focalDeviation
    d[Component.k1] = configuration.k1Deviation
    d[Component.k2] = configuration.k2Deviation
    d[Component.centerX] = configuration.centerDeviation
    d[Component.centerY] = configuration.centerDeviation
    return d
  }

  /// How far the state is from what was believed.
  private func differences(
    _ inertial: InertialState,
    _ camera: CameraEstimate,
    _ believed: CameraEstimate
  ) -> InlineArray<28, Double> {
    var d = InlineArray<28, Double>(repeating: 0)
    let turn = Quaternion(inertial.attitude * attitude.transposed).rotationVector
    let mounting = Quaternion(camera.deviceFromCamera * believed.deviceFromCamera.transposed).rotationVector
    let lever = camera.lever - believed.lever
    for i in 0..<3 {
      d[Component.attitude + i] = turn[i]
      d[Component.velocity + i] = inertial.velocity[i]
      d[Component.position + i] = inertial.position[i]
      d[Component.gyroBias + i] = inertial.gyroBias[i]
      d[Component.forceBias + i] = inertial.forceBias[i]
      d[Component.mounting + i] = mounting[i]
      d[Component.lever + i] = lever[i]
    }
    d[Component.timeOffset] = camera.timeOffset - believed.timeOffset
    d[Component.readout] = camera.readout - believed.readout
    d[Component.logFocal] = SightlineMath.log(camera.focal / believed.focal)
    d[Component.k1] = camera.k1 - believed.k1
    d[Component.k2] = camera.k2 - believed.k2
    d[Component.centerX] = camera.center.x - believed.center.x
    d[Component.centerY] = camera.center.y - believed.center.y
    return d
  }

  /// Poses of all frames, and their errors (six each) by those of the state at the origin.
  private func posesWithDerivatives(_ start: InertialState, _ camera: CameraEstimate) -> ([Clone], [Double]) {
    var poses: [Clone] = []
    var jacobians = [Double](repeating: 0, count: frames.count * 6 * Self.size)
    var state = start
    var transition = InlineArray<225, Double>(repeating: 0)
    for i in 0..<15 { transition[i * 16] = 1 }
    var noise = InlineArray<225, Double>(repeating: 0)
    for (index, frame) in frames.enumerated() {
      withUnsafeMutablePointer(to: &transition) { t in
        withUnsafeMutablePointer(to: &noise) { q in
          state.propagate(
            to: frame.stamp - camera.timeOffset,
            history: history,
            configuration: configuration,
            transition: UnsafeMutableRawPointer(t).assumingMemoryBound(to: Double.self),
            noise: UnsafeMutableRawPointer(q).assumingMemoryBound(to: Double.self)
          )
        }
      }
      let pose = clone(state, frame, index)
      poses.append(pose)
      let turn = -(pose.attitude * pose.rate)
      let shift = -pose.velocity - turn.cross(pose.position)
      for i in 0..<3 {
        let (up, down) = ((index * 6 + i) * Self.size, (index * 6 + 3 + i) * Self.size)
        for k in 0..<15 {
          jacobians[up + k] = transition[(Component.attitude + i) * 15 + k]
          jacobians[down + k] = transition[(Component.position + i) * 15 + k]
        }
        jacobians[up + Component.timeOffset] = turn[i]
        jacobians[down + Component.timeOffset] = shift[i]
      }
    }
    return (poses, jacobians)
  }
}
