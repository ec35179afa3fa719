import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// Derivatives of the filter's models against differences of the models themselves.
@Suite struct FilterModelTests {
  private func configuration() -> OdometryConfiguration {
    OdometryConfiguration(width: 480, height: 640, focal: 510, screenAngleDegrees: 0, readoutDirection: .left)
  }

  private func camera() -> CameraEstimate {
    var camera = CameraEstimate(configuration())
    (camera.k1, camera.k2) = (0.05, -0.02)
    camera.lever = Vector3(0.01, 0.05, -0.003)
    return camera
  }

  private func clone() -> Clone {
    Clone(
      slot: 0,
      start: 28,
      time: 3,
      attitude: Matrix3(Quaternion(rotationVector: Vector3(1.4, 0.2, -0.3))),
      position: Vector3(1.2, -0.7, 1.5),
      velocity: Vector3(0.6, -0.4, 0.1),
      acceleration: Vector3(0.5, 1, -0.3),
      rate: Vector3(0.8, -0.5, 0.3),
      rateSlope: Vector3(2, -3, 1)
    )
  }

  /// A point three metres ahead of the clone, a little aside.
  private func point(_ clone: Clone, _ camera: CameraEstimate) -> Vector3 {
    clone.position + clone.attitude * (camera.deviceFromCamera * Vector3(0.5, -0.8, 3))
  }

  @Test func `a pixel's derivatives by point and pose`() throws {
    let (camera, clone) = (camera(), clone())
    let f = point(clone, camera)
    let seen = try #require(PointView(of: f, from: clone, camera: camera, seen: Vector2(200, 300))).pixel
    let view = try #require(PointView(of: f, from: clone, camera: camera, seen: seen))
    let step = 1e-6
    for axis in 0..<3 {
      let unit = Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
      let moved = try #require(PointView(of: f + unit * step, from: clone, camera: camera, seen: seen)).pixel
      #expect(abs((moved.x - view.pixel.x) / step - view.byPointX[axis]) < 1e-3)
      #expect(abs((moved.y - view.pixel.y) / step - view.byPointY[axis]) < 1e-3)
      // The pose turned about the world's axes, with the way it goes while lines are read.
      var turned = clone
      let turn = Matrix3(Quaternion(rotationVector: unit * step))
      turned.attitude = turn * clone.attitude
      turned.position = turn * clone.position
      turned.velocity = turn * clone.velocity
      turned.acceleration = turn * clone.acceleration
      let after = try #require(PointView(of: f, from: turned, camera: camera, seen: seen)).pixel
      #expect(abs((after.x - view.pixel.x) / step - view.byPointX.cross(f)[axis]) < 2e-3)
      #expect(abs((after.y - view.pixel.y) / step - view.byPointY.cross(f)[axis]) < 2e-3)
    }
  }

  @Test func `a pixel's derivatives by the camera's components`() throws {
    let (camera, clone) = (camera(), clone())
    let f = point(clone, camera)
    let seen = try #require(PointView(of: f, from: clone, camera: camera, seen: Vector2(200, 300))).pixel
    let view = try #require(PointView(of: f, from: clone, camera: camera, seen: seen))
    for component in 1..<Component.cameraCount {
      var x = [Double](repeating: 0, count: Component.count)
      let step = component == 1 ? 1e-5 : 1e-6
      x[Component.timeOffset + component] = step
      var changed = camera
      x.withUnsafeBufferPointer { if let base = $0.baseAddress { changed.correct(base) } }
      let moved = try #require(PointView(of: f, from: clone, camera: changed, seen: seen)).pixel
      let (dx, dy) = ((moved.x - view.pixel.x) / step, (moved.y - view.pixel.y) / step)
      let scale = 1e-3 * max(1, abs(dx) + abs(dy))
      #expect(abs(dx - view.byCamera[component]) < scale, "component \(component)")
      #expect(abs(dy - view.byCamera[13 + component]) < scale, "component \(component)")
    }
  }

  @Test func `rays and pixels are inverse to each other`() throws {
    let camera = camera()
    for (x, y) in [(10.0, 20.0), (240, 320), (470, 600), (50, 610)] {
      let pixel = try #require(camera.pixel(of: camera.ray(through: Vector2(x, y))))
      #expect(abs(pixel.x - x) < 1e-3)
      #expect(abs(pixel.y - y) < 1e-3)
    }
  }

  @Test func `the transition of errors is that of two states that go the same way`() throws {
    let configuration = configuration()
    var history = MotionHistory()
    for i in 0...30 {
      let t = Double(i) / 60
      history.append(
        InertialReading(
          time: t,
          angularRate: Vector3(0.5 * sin(3 * t), 0.7, -0.4 * t),
          specificForce: Vector3(1 + t, 9.5, 2 * sin(5 * t))
        )
      )
    }
    let start = InertialState(
      time: 0.02,
      attitude: Matrix3(Quaternion(rotationVector: Vector3(1.3, -0.2, 0.5))),
      velocity: Vector3(0.7, -0.3, 0.2),
      position: Vector3(2, 1, -0.5)
    )
    var transition = [Double](repeating: 0, count: 225)
    for i in 0..<15 { transition[i * 16] = 1 }
    var noise = [Double](repeating: 0, count: 225)
    var state = start
    transition.withUnsafeMutableBufferPointer { t in
      noise.withUnsafeMutableBufferPointer { q in
        state.propagate(
          to: 0.42,
          history: history,
          configuration: configuration,
          transition: t.baseAddress,
          noise: q.baseAddress
        )
      }
    }
    for component in 0..<15 {
      let step = 1e-5
      var x = [Double](repeating: 0, count: 15)
      x[component] = step
      var other = start
      x.withUnsafeBufferPointer { if let base = $0.baseAddress { other.correct(base) } }
      other.propagate(to: 0.42, history: history, configuration: configuration)
      let difference = Self.error(of: state, against: other)
      for i in 0..<15 {
        let expected = transition[i * 15 + component]
        #expect(abs(difference[i] / step - expected) < 0.01 * max(0.3, abs(expected)), "\(i) by \(component)")
      }
    }
    // What is added to the covariance is symmetric and grows with time.
    for i in 0..<15 {
      #expect(noise[i * 16] > 0)
      for j in 0..<15 { #expect(abs(noise[i * 15 + j] - noise[j * 15 + i]) < 1e-12) }
    }
  }

  /// The invariant error by which one state becomes another.
  private static func error(of estimate: InertialState, against truth: InertialState) -> [Double] {
    let turn = truth.attitude * estimate.attitude.transposed
    let angle = Quaternion(turn).rotationVector
    let v = truth.velocity - turn * estimate.velocity
    let p = truth.position - turn * estimate.position
    let (g, a) = (truth.gyroBias - estimate.gyroBias, truth.forceBias - estimate.forceBias)
    return [angle, v, p, g, a].flatMap { [$0.x, $0.y, $0.z] }
  }

  /// Tying the world to a pose takes its yaw and place out of what is unknown, and leaves what is known of ways and turns.
  @Test func `a world that is tied to a pose knows it, and ways between poses as before`() {
    var history = MotionHistory()
    for i in 1...120 {
      history.append(
        InertialReading(
          time: Double(i) / 60,
          angularRate: Vector3(0.3, -0.6, 0.4),
          specificForce: Vector3(1, 9.5, 0.4)
        )
      )
    }
    let start = InertialState(
      time: 0.1,
      attitude: clone().attitude,
      velocity: Vector3(0.5, 0.2, 0),
      position: Vector3(2, -1, 1)
    )
    let covariance = CovarianceMatrix(count: Component.count)
    let deviations = FilterStart.believed(configuration(), tilt: 0.02, velocity: 0.3)
    for i in 0..<Component.count { covariance[i, i] = deviations[i] * deviations[i] }
    let filter = VisualInertialFilter(configuration(), inertial: start, camera: camera(), covariance: covariance)
    for (slot, time) in [0.5, 1, 1.5].enumerated() {
      filter.propagate(to: time, history: history)
      filter.addClone(slot: slot, history: history)
    }
    func between(_ a: Int, _ b: Int) -> Double { covariance[a, a] + covariance[b, b] - 2 * covariance[a, b] }
    func known() -> [Double] {
      let (a, b) = (filter.clones[0].start, filter.clones[2].start)
      return [2, 3, 4, 5].map { between(a + $0, b + $0) } + [0, 1, 3, 4, 9].map { covariance[$0, $0] }
    }
    let before = known()
    #expect(filter.poseVariance.position > 0.001 && filter.poseVariance.yaw > 1e-6)
    filter.tieWorld()
    #expect(filter.poseVariance.position < 1e-12 && filter.poseVariance.yaw < 1e-12)
    for (old, new) in zip(before, known()) { #expect(abs(old - new) < 1e-9 * max(1, old)) }
    for i in 0..<covariance.count {
      for j in 0..<i { #expect(abs(covariance[i, j] - covariance[j, i]) < 1e-12) }
    }
    filter.propagate(to: 1.9, history: history)
    filter.addClone(slot: 3, history: history)
    #expect(filter.poseVariance.position > 1e-4)
  }

  @Test func `an update is the textbook's, and components that are held keep their variance`() throws {
    let n = 6
    var random = SplitMix64(seed: 4)
    func uniform() -> Double { Double.random(in: -1...1, using: &random) }
    let root: [[Double]] = (0..<n).map { _ in (0..<n).map { _ in uniform() } }
    let covariance = CovarianceMatrix(count: n)
    for i in 0..<n {
      for j in 0..<n { covariance[i, j] = (0..<n).reduce(i == j ? 0.1 : 0) { $0 + root[i][$1] * root[j][$1] } }
    }
    let before: [[Double]] = (0..<n).map { i in (0..<n).map { covariance[i, $0] } }
    let h: [Double] = (0..<n).map { _ in uniform() }
    let r = 0.7
    let hp: [Double] = (0..<n).map { j in (0..<n).reduce(0.0) { (sum: Double, k: Int) in sum + h[k] * before[k][j] } }
    let s: Double = (0..<n).reduce(1.0) { (sum: Double, k: Int) in sum + hp[k] * h[k] }
    for held in [0..<0, 2..<4] {
      for i in 0..<n { for j in 0..<n { covariance[i, j] = before[i][j] } }
      let stack = MeasurementStack()
      // Outside of the expectation, which would keep the pointer longer than the array.
      let isTaken = stack.add(
        rows: [r],
        count: 1,
        jacobian: h,
        columns: Array(0..<n),
        covariance: covariance,
        gate: nil
      )
      #expect(isTaken)
      #expect(stack.update(covariance, holding: held))
      let x = withExtendedLifetime(stack) { (0..<n).map { stack.correction[$0] } }
      for i in 0..<n {
        #expect(abs(x[i] - (held.contains(i) ? 0 : hp[i] / s * r)) < 1e-12)
        for j in 0..<n {
          let isKept = held.contains(i) && held.contains(j)
          let expected = before[i][j] - (isKept ? 0 : hp[i] * hp[j] / s)
          #expect(abs(covariance[i, j] - expected) < 1e-12)
        }
      }
    }
  }

  @Test func `a row that cannot be believed is refused and leaves no trace`() {
    let covariance = CovarianceMatrix(count: 2)
    (covariance[0, 0], covariance[1, 1]) = (1, 1)
    let stack = MeasurementStack()
    let isTaken = stack.add(rows: [30], count: 1, jacobian: [1, 0], columns: [0, 1], covariance: covariance, gate: 9)
    #expect(!isTaken)
    #expect(stack.count == 0)
  }

  @Test func `a point is found again from four poses`() throws {
    let camera = camera()
    var clones: [Clone] = []
    let f = point(clone(), camera)
    var sightings: [Sighting] = []
    for i in 0..<4 {
      var pose = clone()
      pose.position = pose.position + Vector3(0.12, 0.05, 0.02) * Double(i)
      clones.append(pose)
      var seen = Vector2(240, 320)
      for _ in 0..<5 { seen = try #require(PointView(of: f, from: pose, camera: camera, seen: seen)).pixel }
      sightings.append(Sighting(clone: i, pixel: seen))
    }
    let axes = configuration().deviceFromCamera
    let found = try #require(
      Triangulation(sightings, anchor: 3, clones: clones, camera: camera, axes: axes, prior: (0.5, 3))
    )
    let p = InverseDepthPoint(x: found.x, y: found.y, rho: found.rho, clone: clones[3], axes: axes).point
    #expect((p - f).length < 1e-3)
    #expect(found.residual < 0.01)
  }
}
