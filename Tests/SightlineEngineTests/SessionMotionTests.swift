import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct SessionMotionTests {
  /// East-North-Up, microtesla, magnetic north.
  private static let field = Vector3(0, 20, -43)

  /// What a phone measures that is turned so and turns so.
  private func sample(_ time: Double, _ q: Quaternion, rate: Vector3 = .zero, field: Bool = true) -> MotionSample {
    MotionSample(
      time: time,
      angularVelocity: rate,
      specificForce: q.inverse * Vector3(0, 0, 9.80665),
      magneticField: field ? q.inverse * Self.field : nil
    )
  }

  private func host() -> Host {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.fix(fix()))
    return host
  }

  /// The declination in Ulm in the middle of 2026.
  private func declination() throws -> Double {
    try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5).declination.degrees
  }

  @Test func `raw sensors make a frame with true north`() throws {
    var host = host()
    for k in 0..<180 {
      host.wait(1.0 / 60)
      var sample = sample(host.time, upright(heading: 40))
      // A value that repeats to the last bit is no new look at the field.
      sample.magneticField = sample.magneticField.map { $0 * (1 + 1e-6 * Double(k)) }
      host.tell(.motion(sample))
    }
    host.draw()
    #expect(host.session.frame.isValid)
    #expect(host.session.status.heading == .good)
    #expect(isNear(host.session.frame.bearing.degrees, 40 + (try declination()), within: 0.1))
  }

  @Test func `of accelerations with the opposite sign the right one is found`() {
    var host = host()
    let q = upright(heading: 90, pitch: -40)
    for k in 0..<240 {
      host.wait(1.0 / 60)
      var sample = sample(host.time, q, field: false)
      sample.specificForce = sample.specificForce.map { $0 * -1 }
      host.tell(.motion(sample))
      host.tell(.orientation(.quaternion(worldFromDevice: q, north: .trueNorth)))
      host.draw()
      if k > 0 { #expect(isNear(host.session.frame.pitch.degrees, -40, within: 0.5), "frame \(k)") }
    }
    #expect(isNear(host.session.frame.bearing.degrees, 90, within: 0.5))
  }

  @Test func `between two samples a pan is carried on`() {
    var host = host()
    let rate = 0.5
    for k in 0..<300 {
      host.wait(1.0 / 60)
      // Clockwise is against the right-hand rule about "up", which is the device's y here.
      let q = upright(heading: Angle(radians: rate * Double(k) / 60).degrees)
      host.tell(.motion(sample(host.time, q, rate: Vector3(0, -rate, 0))))
    }
    host.draw()
    let before = host.session.frame.bearing
    host.time += 0.012
    host.draw()
    #expect(isNear(wrapToPi((host.session.frame.bearing - before).radians), rate * 0.012, within: 2e-4))
  }

  @Test func `without a north the session says so, and when samples stop`() {
    var host = host()
    for _ in 0..<120 {
      host.wait(1.0 / 60)
      host.tell(.motion(sample(host.time, upright(heading: 40), field: false)))
    }
    #expect(host.session.status.heading == .noNorth)
    host.wait(3.1)
    #expect(host.session.status.heading == .stale)
  }

  @Test func `motion alone makes the sensors ready`() {
    var host = Host()
    host.tell(.open(AddressID(1)))
    host.tell(.fix(fix()))
    #expect(host.request == nil)
    host.tell(.motion(sample(host.time, upright(heading: 40))))
    #expect(host.request?.hasOrientation == true)
  }

  @Test func `near a magnetic pole there is no north here, though the field has a direction`() {
    var host = host()
    host.tell(.fix(LocationFix(latitudeDegrees: 86, longitudeDegrees: 140, horizontalAccuracy: 5)))
    for _ in 0..<120 {
      host.wait(1.0 / 60)
      var sample = sample(host.time, upright(heading: 40))
      sample.magneticField = upright(heading: 40).inverse * Vector3(0, 1.2, -56)
      host.tell(.motion(sample))
    }
    #expect(host.session.status.heading == .noMagneticNorth)
    #expect(host.session.status.heading.quality == .poor)
  }

  @Test(arguments: [(89.9, 0.0), (-89.9, 0), (0, 180), (60, 90), (-60, -90)])
  func `straight up, straight down and on its head a phone knows its turn`(pitch: Double, roll: Double) throws {
    var host = host()
    let q = upright(heading: 70, pitch: pitch, roll: roll)
    for _ in 0..<240 {
      host.wait(1.0 / 60)
      host.tell(.motion(sample(host.time, q)))
    }
    host.draw()
    let shown = host.session.frame.worldFromDevice
    let expected = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -(try declination()))) * q
    #expect(shown.angle(to: expected).degrees < 0.2)
  }

  @Test func `what is known of the errors is in the status`() {
    var host = host()
    #expect(host.session.status.headingBound.degrees == 180 && host.session.status.tiltBound.degrees == 180)
    for k in 0..<600 {
      host.wait(1.0 / 60)
      var sample = sample(host.time, upright(heading: 40))
      // A value that repeats to the last bit is no new look at the field.
      sample.magneticField = sample.magneticField.map { $0 * (1 + 1e-6 * Double(k)) }
      host.tell(.motion(sample))
    }
    #expect(host.session.status.headingBound.degrees < 15 && host.session.status.tiltBound.degrees < 4)
  }

  @Test func `a field that is not the Earth's is called disturbed`() {
    var host = host()
    for _ in 0..<600 {
      host.wait(1.0 / 60)
      var sample = sample(host.time, upright(heading: 40))
      sample.magneticField = sample.magneticField.map { $0 * 2 }
      host.tell(.motion(sample))
    }
    #expect(host.session.status.heading == .disturbed)
    // The user shows where north is: that counts more.
    host.tell(.pointAtPlace(EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, 2000, 0)), at: nil))
    #expect(host.session.status.heading == .aligned)
  }
}
