import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct OrientationFusionTests {
  /// Which sensors a platform delivers.
  struct Platform: CustomStringConvertible {
    var gyroscope = true
    var force = true
    var field = false
    var fused: NorthReference?
    var compass = false
    /// −1 as on iOS.
    var sign = 1.0
    var expected: OrientationFusion.Source
    var north: NorthReference
    var description: String {
      "gyroscope \(gyroscope), force \(force)·\(sign), field \(field), fused \(fused.map { "\($0)" } ?? "none"), compass \(compass)"
    }
  }

  /// Plays a wandering phone; answers the fusion and the largest errors after some seconds: of the whole turn, and of tilt.
  private func play(
    _ platform: Platform,
    seconds: Double = 40,
    after start: Double = 20,
    into fusion: inout OrientationFusion
  ) -> (total: Double, tilt: Double) {
    let motion = SyntheticMotion(
      rate: 60,
      gyroscopeBias: Vector3(0.002, -0.001, 0.002),
      gyroscopeNoise: 0.002,
      forceNoise: 0.05,
      fieldNoise: 0.6,
      seed: 21
    )
    // A yaw that starts anywhere, where the platform's north is arbitrary.
    let origin = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 70))
    var worst = (total: 0.0, tilt: 0.0)
    for (sample, truth) in motion.samples(seconds: seconds, attitude: Self.reading) {
      if platform.gyroscope || platform.force || platform.field {
        fusion.take(
          MotionSample(
            time: sample.time,
            angularVelocity: platform.gyroscope ? sample.angularVelocity : nil,
            specificForce: platform.force ? sample.specificForce.map { $0 * platform.sign } : nil,
            magneticField: platform.field ? sample.magneticField : nil
          )
        )
      }
      if let north = platform.fused {
        let rotation = north == .arbitrary ? origin * truth : truth
        let top = truth * Vector3(0, 1, 0)
        let heading = Angle(radians: atan2(top.x, top.y))
        let compass = CompassReading(heading: heading, accuracy: Angle(degrees: 10))
        fusion.take(
          FusedOrientation(levelFromDevice: rotation, north: north, compass: platform.compass ? compass : nil),
          at: sample.time
        )
      }
      guard sample.time > start, let estimate = fusion.estimate else { continue }
      worst.total = max(worst.total, estimate.levelFromDevice.angle(to: truth).degrees)
      let up = estimate.levelFromDevice * truth.inverse * Vector3(0, 0, 1)
      worst.tilt = max(worst.tilt, Angle(radians: acos(up.z)).degrees)
    }
    return worst
  }

  /// A phone that is read and looked about with: its top edge never vertical.
  private static func reading(_ t: Double) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: 0.9 * sin(0.7 * t)))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: 0.7 + 0.3 * sin(1.1 * t)))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(radians: 0.4 * sin(0.53 * t + 1)))
  }

  @Test(arguments: [
    Platform(field: true, expected: .magnetometer, north: .magnetic),
    Platform(field: true, fused: .magnetic, expected: .magnetometer, north: .magnetic),
    Platform(field: true, fused: .arbitrary, sign: -1, expected: .magnetometer, north: .magnetic),
    Platform(fused: .magnetic, expected: .platformNorth, north: .magnetic),
    Platform(fused: .magnetic, sign: -1, expected: .platformNorth, north: .magnetic),
    Platform(fused: .trueNorth, expected: .platformNorth, north: .trueNorth),
    Platform(fused: .arbitrary, compass: true, sign: -1, expected: .platformNorth, north: .magnetic),
    Platform(gyroscope: false, field: true, expected: .gyroless, north: .magnetic),
    Platform(gyroscope: false, fused: .magnetic, expected: .platform, north: .magnetic),
    Platform(gyroscope: false, force: false, fused: .magnetic, expected: .platform, north: .magnetic),
    Platform(gyroscope: false, force: false, fused: .trueNorth, expected: .platform, north: .trueNorth),
    Platform(gyroscope: false, force: false, fused: .arbitrary, compass: true, expected: .platform, north: .magnetic),
    Platform(force: false, fused: .magnetic, expected: .platform, north: .magnetic),
  ])
  func `the estimator follows from what arrives, and finds north`(platform: Platform) {
    var fusion = OrientationFusion()
    let worst = play(platform, into: &fusion)
    #expect(fusion.source == platform.expected)
    #expect(fusion.estimate?.north == platform.north)
    #expect(
      worst.total < (platform.expected == .gyroless ? 8 : 5) && worst.tilt < (platform.gyroscope ? 1.5 : 3),
      "\(worst)"
    )
  }

  @Test(arguments: [
    Platform(expected: .platformNorth, north: .arbitrary),
    Platform(fused: .arbitrary, sign: -1, expected: .platformNorth, north: .arbitrary),
    Platform(gyroscope: false, force: false, fused: .arbitrary, expected: .platform, north: .arbitrary),
  ])
  func `without any north the horizon is right and the heading says that it is arbitrary`(platform: Platform) {
    var fusion = OrientationFusion()
    let worst = play(platform, into: &fusion)
    #expect(fusion.source == platform.expected)
    #expect(fusion.estimate?.north == .arbitrary)
    #expect(worst.tilt < 1.5, "\(worst)")
  }

  @Test(arguments: [
    Platform(gyroscope: false, field: false, expected: .nothing, north: .arbitrary),
    Platform(force: false, expected: .nothing, north: .arbitrary),
    Platform(gyroscope: false, force: false, field: true, expected: .nothing, north: .arbitrary),
    Platform(force: false, field: true, expected: .nothing, north: .arbitrary),
  ])
  func `too few sensors give no estimate`(platform: Platform) {
    var fusion = OrientationFusion()
    _ = play(platform, into: &fusion)
    #expect(fusion.source == .nothing && fusion.estimate == nil)
  }

  @Test func `a gyroscope that falls silent hands over to the platform and comes back`() {
    var fusion = OrientationFusion()
    let samples = SyntheticMotion(rate: 60).samples(seconds: 30, attitude: Self.reading)
    var sources: [OrientationFusion.Source] = []
    for (sample, truth) in samples {
      let isSilent = sample.time > 10 && sample.time < 20
      fusion.take(
        MotionSample(
          time: sample.time,
          angularVelocity: isSilent ? nil : sample.angularVelocity,
          specificForce: sample.specificForce,
          magneticField: nil
        )
      )
      fusion.take(FusedOrientation(levelFromDevice: truth, north: .magnetic), at: sample.time)
      if sources.last != fusion.source { sources.append(fusion.source) }
      if sample.time > 3, let estimate = fusion.estimate {
        #expect(estimate.levelFromDevice.angle(to: truth).degrees < 4, "\(sample.time) s, \(fusion.source)")
      }
    }
    #expect(sources == [.platform, .platformNorth, .platform, .platformNorth], "\(sources)")
  }

  @Test func `a gyroscope that is stuck is left out`() {
    var fusion = OrientationFusion()
    for (sample, truth) in SyntheticMotion(rate: 60).samples(seconds: 20, attitude: Self.reading) {
      var sample = sample
      if sample.time > 8 { sample.angularVelocity = Vector3(0.1, 0, 0) }
      fusion.take(sample)
      fusion.take(FusedOrientation(levelFromDevice: truth, north: .magnetic), at: sample.time)
    }
    #expect(fusion.source == .gyroless)
  }

  @Test func `rest with equal readings is not a stuck sensor`() {
    var fusion = OrientationFusion()
    for k in 0..<1200 {
      let sample = MotionSample(
        time: Double(k) / 60,
        angularVelocity: .zero,
        specificForce: Vector3(0, 5, 8.4),
        magneticField: nil
      )
      fusion.take(sample)
      fusion.take(
        FusedOrientation(
          levelFromDevice: Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 30.8)),
          north: .magnetic
        ),
        at: sample.time
      )
    }
    #expect(fusion.source == .platformNorth)
  }

  @Test func `times that run backwards and values that are not finite are ignored`() {
    var fusion = OrientationFusion()
    let platform = Platform(field: true, expected: .magnetometer, north: .magnetic)
    _ = play(platform, seconds: 10, into: &fusion)
    let before = fusion.estimate
    let late = MotionSample(
      time: 5,
      angularVelocity: Vector3(1, 1, 1),
      specificForce: Vector3(0, 0, 9.8),
      magneticField: Vector3(1, 2, 3)
    )
    var wasUsed = fusion.take(late)
    #expect(!wasUsed)
    wasUsed = fusion.take(
      MotionSample(time: .nan, angularVelocity: .zero, specificForce: Vector3(0, 0, 9.8), magneticField: nil)
    )
    #expect(!wasUsed)
    let nothing = FusedOrientation(levelFromDevice: Quaternion(w: .nan, x: 0, y: 0, z: 0), north: .magnetic)
    wasUsed = fusion.take(nothing, at: 11)
    #expect(!wasUsed && fusion.estimate == before)
  }

  @Test func `a platform that finds a better north is followed`() throws {
    var fusion = OrientationFusion()
    for (sample, truth) in SyntheticMotion(rate: 60).samples(seconds: 60, attitude: Self.reading) {
      fusion.take(
        MotionSample(
          time: sample.time,
          angularVelocity: sample.angularVelocity,
          specificForce: sample.specificForce,
          magneticField: nil
        )
      )
      let error = Angle(degrees: sample.time < 20 ? 50 : 0)
      let said = Quaternion(axis: Vector3(0, 0, 1), angle: error) * truth
      fusion.take(FusedOrientation(levelFromDevice: said, north: .magnetic), at: sample.time)
      if sample.time > 35 {
        #expect(try #require(fusion.estimate).levelFromDevice.angle(to: truth).degrees < 5, "\(sample.time) s")
      }
    }
  }
}
