import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct OrientationTrackerTests {
  /// Bearing, pitch and roll as a request states them.
  private func attitude(_ reading: OrientationReading, year: Double = 2026.5) throws -> DimensionRequest {
    var host = Host()
    host.tell(.calendar(decimalYear: year))
    host.tell(.fix(fix()))
    host.tell(.orientation(reading))
    host.tell(.open(AddressID(1)))
    return try #require(host.request)
  }

  private func attitude(_ q: Quaternion) throws -> DimensionRequest {
    try attitude(.quaternion(worldFromDevice: q, north: .trueNorth))
  }

  /// The orientation of a phone from its up vector and a magnetic field vector without declination, both as it measures
  /// them: the published check values of the original browser.
  private func rotation(up: Vector3, field: Vector3) throws -> Quaternion {
    let u = try #require(up.normalized)
    let east = try #require(field.cross(u).normalized)
    let north = u.cross(east)
    return Quaternion(Matrix3(rows: east, north, u))
  }

  @Test(arguments: [
    (Vector3(0, 1, 0), Vector3(0, -0.9, -0.4), 0.0, 0.0, 0.0),
    (Vector3(0, 1, 0), Vector3(-0.4, -0.9, 0), 90, 0, 0),
    (Vector3(1, 0, 0), Vector3(-0.9, 0, -0.4), 0, 0, 90),
    (Vector3(0, 0, 1), Vector3(-0.4, 0, -0.9), 90, -90, 0),
  ])
  func `bearing, pitch and roll of the check values`(
    up: Vector3,
    field: Vector3,
    bearing: Double,
    pitch: Double,
    roll: Double
  ) throws {
    let request = try attitude(rotation(up: up, field: field))
    #expect(isNear(request.bearingDegrees, bearing, within: 1e-9))
    #expect(isNear(request.pitchDegrees, pitch, within: 1e-6))
    #expect(isNear(request.rollDegrees, roll, within: 1e-9))
  }

  @Test func `heading, pitch and roll come back from an orientation`() throws {
    var g = SplitMix64(seed: 31)
    for _ in 0..<300 {
      let heading = Double.random(in: -179.9...179.9, using: &g)
      let pitch = Double.random(in: -87...87, using: &g)
      let roll = Double.random(in: -179.9...179.9, using: &g)
      let request = try attitude(upright(heading: heading, pitch: pitch, roll: roll))
      #expect(isNear(request.bearingDegrees, heading, within: 1e-9), "heading \(heading), pitch \(pitch), roll \(roll)")
      #expect(isNear(request.pitchDegrees, pitch, within: 1e-9))
      #expect(isNear(request.rollDegrees, roll, within: 1e-9))
    }
  }

  @Test func `flat, the roll is part of the bearing`() throws {
    // Bearing 0.2 rad, looking straight up, roll 0.3 rad reads as bearing 0.5 rad.
    let q = upright(heading: 0.2 * 180 / pi, pitch: 90, roll: 0.3 * 180 / pi)
    let request = try attitude(q)
    #expect(isNear(request.bearingDegrees, 0.5 * 180 / pi, within: 1e-6))
    #expect(isNear(request.pitchDegrees, 90, within: 1e-6))
    #expect(request.rollDegrees == 0)
  }

  @Test(arguments: [-88.0, 88])
  func `flat begins 2.6 degrees from the vertical`(pitch: Double) throws {
    let flat = try attitude(upright(heading: 20, pitch: pitch, roll: 30))
    #expect(flat.rollDegrees == 0)
    // The turn of a flat phone about its own axis turns its top edge: clockwise seen from above when it faces down.
    #expect(isNear(flat.bearingDegrees, pitch > 0 ? 50 : -10, within: 0.1))
    let nearly = try attitude(upright(heading: 20, pitch: pitch * 87 / 88, roll: 30))
    #expect(isNear(nearly.rollDegrees, 30, within: 1e-9) && isNear(nearly.bearingDegrees, 20, within: 1e-9))
  }

  @Test(arguments: [
    // Flat on the table, top edge to the north; then turned to the west (alpha runs against the compass).
    (0.0, 0.0, 0.0, 0.0, -90.0, 0.0), (90, 0, 0, -90, -90, 0),
    // Upright: looks north; upright and turned to the east.
    (0, 90, 0, 0, 0, 0), (270, 90, 0, 90, 0, 0),
    // Upright in landscape, turned counter-clockwise: alpha 180, beta 0, gamma −90 looks east… with its top to the left.
    (0, 0, -90, 90, 0, 90),
    // Tilted back by 30° to look up.
    (0, 120, 0, 0, 30, 0),
  ])
  func `the browser's angles`(
    alpha: Double,
    beta: Double,
    gamma: Double,
    bearing: Double,
    pitch: Double,
    roll: Double
  ) throws {
    let request = try attitude(.browserAngles(alpha: alpha, beta: beta, gamma: gamma, north: .trueNorth))
    #expect(isNear(request.bearingDegrees, bearing, within: 1e-9))
    #expect(isNear(request.pitchDegrees, pitch, within: 1e-6))
    #expect(isNear(request.rollDegrees, roll, within: 1e-9))
  }

  @Test func `the browser's angles agree with the rotation matrix of the specification`() throws {
    // W3C, worked out by hand: the device's axes in the world for R = Rz(α) Rx(β) Ry(γ).
    var g = SplitMix64(seed: 32)
    for _ in 0..<200 {
      let (a, b, c) = (
        Double.random(in: 0..<360, using: &g), Double.random(in: -180..<180, using: &g),
        Double.random(in: -90..<90, using: &g)
      )
      let (cA, sA) = (cos(a * pi / 180), sin(a * pi / 180))
      let (cB, sB) = (cos(b * pi / 180), sin(b * pi / 180))
      let (cC, sC) = (cos(c * pi / 180), sin(c * pi / 180))
      let look = Vector3(-(cA * sC + cC * sA * sB), -(sA * sC - cA * cC * sB), -(cB * cC))
      guard abs(look.z) < 0.99 else { continue }
      let request = try attitude(.browserAngles(alpha: a, beta: b, gamma: c, north: .trueNorth))
      #expect(isNear(request.bearingDegrees, atan2(look.x, look.y) * 180 / pi, within: 1e-7))
      #expect(isNear(request.pitchDegrees, asin(look.z) * 180 / pi, within: 1e-7))
    }
  }

  @Test func `a magnetic heading gets the declination of place and date`() throws {
    let field = try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5)
    #expect(field.declination.degrees > 2)
    let request = try attitude(.quaternion(worldFromDevice: upright(heading: 40), north: .magnetic))
    #expect(isNear(request.bearingDegrees, 40 + field.declination.degrees, within: 1e-6))
  }

  @Test func `the declination comes later when position or date do`() {
    var host = Host()
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 40), north: .magnetic)))
    #expect(host.session.status.heading == .noDeclination)
    host.tell(.fix(fix()))
    #expect(host.session.status.heading == .noDeclination)
    host.draw()
    let before = host.session.frame.bearing.degrees
    host.tell(.calendar(decimalYear: 2026.5))
    #expect(host.session.status.heading == .good)
    host.draw()
    #expect(host.session.frame.bearing.degrees - before > 2)
  }

  @Test(arguments: [2024.9, 2030.1, .nan])
  func `outside the model's years a compass is used as it is, and the status says so`(year: Double) throws {
    let request = try attitude(.quaternion(worldFromDevice: upright(heading: 40), north: .magnetic), year: year)
    #expect(isNear(request.bearingDegrees, 40, within: 1e-9))
    var host = Host()
    host.tell(.calendar(decimalYear: year))
    host.tell(.fix(fix()))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 40), north: .magnetic)))
    #expect(host.session.status.heading == .noDeclination)
    #expect(host.session.status.heading.quality == .poor)
  }

  @Test func `close to a magnetic pole a compass tells nothing`() {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.fix(LocationFix(latitudeDegrees: 86, longitudeDegrees: 140, horizontalAccuracy: 5)))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 40), north: .magnetic)))
    #expect(host.session.status.heading == .noMagneticNorth)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 40), north: .trueNorth)))
    #expect(host.session.status.heading == .good)
  }

  @Test(arguments: [
    OrientationReading.browserAngles(alpha: .nan, beta: 0, gamma: 0, north: .magnetic),
    .browserAngles(alpha: 0, beta: .infinity, gamma: 0, north: .magnetic),
    .browserAnglesWithCompass(alpha: 0, beta: 0, gamma: .nan, heading: 0, accuracy: 1),
    .quaternion(worldFromDevice: Quaternion(w: 0, x: 0, y: 0, z: 0), north: .trueNorth),
    .quaternion(worldFromDevice: Quaternion(w: .nan, x: 0, y: 0, z: 1), north: .trueNorth),
  ])
  func `an invalid reading is ignored`(reading: OrientationReading) {
    var host = Host()
    host.tell(.orientation(reading))
    #expect(host.session.status.heading == .waiting)
  }

  @Test func `status names the reason`() {
    var host = Host()
    for (reason, status) in [
      (UnavailableReason.denied, HeadingStatus.denied), (.missing, .missing), (.timedOut, .missing),
    ] {
      host.tell(.orientationUnavailable(reason))
      #expect(host.session.status.heading == status)
    }
    host.tell(.orientation(.browserAngles(alpha: 0, beta: 90, gamma: 0, north: .arbitrary)))
    #expect(host.session.status.heading == .noNorth)
    host.wait(3.1)
    #expect(host.session.status.heading == .stale)
  }

  // MARK: A compass beside the angles

  /// Ten seconds of a phone whose yaw starts anywhere, with a compass of its own; answers the bearing and the status.
  private func run(
    beta: Double,
    yawOrigin: Double,
    compass: (Int) -> (heading: Double, accuracy: Double)
  ) -> (host: Host, bearing: Double) {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.fix(fix()))
    for k in 0..<600 {
      host.wait(1.0 / 60)
      let c = compass(k)
      host.tell(
        .orientation(
          .browserAnglesWithCompass(
            alpha: yawOrigin,
            beta: beta,
            gamma: 0,
            heading: c.heading,
            accuracy: c.accuracy
          )
        )
      )
    }
    host.draw()
    return (host, host.session.frame.bearing.degrees)
  }

  /// The declination in Ulm in the middle of 2026.
  private func declination() throws -> Double {
    try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5).declination.degrees
  }

  @Test func `the compass turns a yaw of any origin to north`() throws {
    // The top edge points to magnetic 70°, whatever alpha says.
    let (host, bearing) = run(beta: 30, yawOrigin: 123) { _ in (70, 10) }
    #expect(isNear(bearing - 70, try declination(), within: 1e-6))
    #expect(host.session.status.heading == .good)
  }

  @Test func `zero is a heading like any other`() throws {
    let (_, bearing) = run(beta: 30, yawOrigin: 200) { _ in (0, 10) }
    #expect(isNear(bearing, try declination(), within: 1e-6))
  }

  @Test func `noise of the compass is averaged`() throws {
    var g = SplitMix64(seed: 5)
    var last = 0.0
    var worst = 0.0
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.fix(fix()))
    for k in 0..<1200 {
      host.wait(1.0 / 60)
      host.tell(
        .orientation(
          .browserAnglesWithCompass(
            alpha: 10,
            beta: 40,
            gamma: 0,
            heading: 300 + Double.random(in: -20...20, using: &g),
            accuracy: 15
          )
        )
      )
      host.draw()
      let bearing = host.session.frame.bearing.degrees
      if k > 600 { worst = max(worst, abs(wrapToPi((bearing - last) * pi / 180)) * 180 / pi) }
      last = bearing
    }
    #expect(worst < 0.2, "steps of \(worst)°")
    #expect(isNear(last + 60, try declination(), within: 2))
  }

  @Test func `upright, the compass is not believed, the yaw is`() {
    var (host, before) = run(beta: 60, yawOrigin: 0) { _ in (90, 10) }
    // Now upright, where the reported heading flips about: the bearing stays.
    for k in 0..<300 {
      host.wait(1.0 / 60)
      host.tell(
        .orientation(
          .browserAnglesWithCompass(
            alpha: 0,
            beta: 88,
            gamma: 0,
            heading: k % 2 == 0 ? 270 : 10,
            accuracy: 10
          )
        )
      )
    }
    host.draw()
    #expect(isNear(host.session.frame.bearing.degrees, before, within: 0.01))
  }

  @Test func `above the horizon, where headings flip to the opposite, they do not count`() {
    var (host, before) = run(beta: 60, yawOrigin: 0) { _ in (90, 10) }
    for _ in 0..<300 {
      host.wait(1.0 / 60)
      host.tell(
        .orientation(.browserAnglesWithCompass(alpha: 0, beta: 130, gamma: 0, heading: 90, accuracy: 10))
      )
    }
    host.draw()
    #expect(isNear(host.session.frame.bearing.degrees, before, within: 0.01))
  }

  @Test func `until a heading counts, north is not known`() {
    let (host, _) = run(beta: 90, yawOrigin: 0) { _ in (90, 10) }
    #expect(host.session.status.heading == .noNorth)
  }

  @Test func `a compass that states a large error, or none, is called inaccurate`() {
    #expect(run(beta: 30, yawOrigin: 0) { _ in (90, 40) }.host.session.status.heading == .inaccurate)
    #expect(
      run(beta: 30, yawOrigin: 0) { k in k < 500 ? (90, 10) : (-1, -1) }.host.session.status.heading == .inaccurate
    )
  }

  @Test func `after a pause a new origin of the yaw is found within two seconds`() {
    var (host, before) = run(beta: 45, yawOrigin: 0) { _ in (90, 10) }
    host.tell(.suspend)
    host.wait(60)
    host.tell(.resume)
    for _ in 0..<120 {
      host.wait(1.0 / 60)
      host.tell(
        .orientation(.browserAnglesWithCompass(alpha: 77, beta: 45, gamma: 0, heading: 90, accuracy: 10))
      )
    }
    host.draw()
    #expect(isNear(host.session.frame.bearing.degrees, before, within: 10))
  }
}
