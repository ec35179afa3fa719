import SightlineBaselines
import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct GyrolessFilterTests {
  private static let north = Vector3(0, 20, -44)

  private func look(_ time: Double, _ attitude: Quaternion) -> MotionSample {
    MotionSample(
      time: time,
      angularVelocity: nil,
      specificForce: attitude.inverse * Vector3(0, 0, 9.81),
      magneticField: attitude.inverse * Self.north
    )
  }

  @Test func `two vectors give the attitude they come from`() throws {
    var g = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let q = try #require(
        Quaternion(
          w: .random(in: -1...1, using: &g),
          x: .random(in: -1...1, using: &g),
          y: .random(in: -1...1, using: &g),
          z: .random(in: -1...1, using: &g)
        ).normalized
      )
      let sample = look(0, q)
      let force = try #require(sample.specificForce)
      let field = try #require(sample.magneticField)
      let found = try #require(TwoVectorAttitude.eastNorthUpFromDevice(specificForce: force, magneticField: field))
      #expect(found.angle(to: q).radians < 1e-9)
    }
    #expect(TwoVectorAttitude.eastNorthUpFromDevice(specificForce: .zero, magneticField: Self.north) == nil)
    #expect(
      TwoVectorAttitude.eastNorthUpFromDevice(specificForce: Vector3(0, 0, 1), magneticField: Vector3(0, 0, 5)) == nil
    )
  }

  @Test func `the published check values of bearing come out`() throws {
    // Up and field in the device frame: level, looking north and east (portrait, upright).
    let rows: [(Vector3, Vector3, Double)] = [
      (Vector3(0, 1, 0), Vector3(0, -0.9, -0.4), 0), (Vector3(0, 1, 0), Vector3(-0.4, -0.9, 0), 90),
      (Vector3(1, 0, 0), Vector3(-0.9, 0, -0.4), 0),
    ]
    for (up, field, bearing) in rows {
      let q = try #require(TwoVectorAttitude.eastNorthUpFromDevice(specificForce: up, magneticField: field))
      let forward = q * Vector3(0, 0, -1)
      #expect(isNear(Angle(radians: atan2(forward.x, forward.y)).degrees, bearing, within: 1e-9))
    }
  }

  @Test func `a steady pan has no lag`() {
    var filter = GyrolessFilter()
    var worst = 0.0
    for k in 0..<300 {
      let t = Double(k) / 30
      let truth = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 30 * t))
      filter.take(look(t, truth))
      if t > 3, let q = filter.state.eastNorthUpFromDevice { worst = max(worst, q.angle(to: truth).degrees) }
    }
    #expect(worst < 0.2)
  }

  @Test func `without both sensors nothing is used`() {
    var filter = GyrolessFilter()
    let samples = [
      MotionSample(time: 0, angularVelocity: .zero, specificForce: Vector3(0, 0, 9), magneticField: nil),
      look(1, .identity), look(1, .identity), look(0.5, .identity),
    ]
    let used = samples.map { filter.take($0) }
    #expect(used == [false, true, false, false])
  }

  @Test func `the derivative-smoothing filter runs as its published reference run`() {
    // Rotation about one axis, 60 samples a second: 30 samples at 0°, 60°/s until 90° (sample 120), then constant.
    let expected = [
      35: 0.142, 40: 1.759, 50: 12.516, 60: 25.648, 90: 56.595, 120: 86.596, 130: 91.604, 140: 92.014, 160: 91.228,
      199: 90.374,
    ]
    var filter = DerivativeSmoothingFilter()
    for k in 0..<200 {
      let angle = Angle(degrees: Double(min(max(k - 30, 0), 90)))
      let q = filter.take(look(Double(k) / 60, Quaternion(axis: Vector3(0, 0, 1), angle: angle)))
      if let value = expected[k] {
        let got = q.map { 2 * atan2($0.z, $0.w) * 180 / pi } ?? .nan
        #expect(isNear(abs(got), value, within: 0.01), "sample \(k): \(got)")
      }
    }
  }
}
