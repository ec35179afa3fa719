import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct HeadingAlignmentTests {
  /// A host whose compass is wrong by some degrees: it says north is where the phone looks.
  private func host(looking heading: Double, wrongBy error: Double, north: NorthReference = .magnetic) -> Host {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.fix(fix()))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: heading + error), north: north)))
    return host
  }

  private func declination() throws -> Double {
    try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5).declination.degrees
  }

  /// Outcome of the last attempt.
  private func outcome(_ host: inout Host) -> Alignment? {
    host.taken().compactMap { if case .aligned(let outcome, _) = $0 { outcome } else { nil } }.last
  }

  private func bearing(_ host: inout Host) -> Double {
    host.draw()
    return host.session.frame.bearing.degrees
  }

  @Test func `what is dragged follows the finger`() {
    var host = host(looking: 10, wrongBy: 0, north: .trueNorth)
    let before = bearing(&host)
    // The place under the first point has to be under the second afterwards: in pictures of the same ray.
    let lens = Intrinsics(
      width: 390,
      height: 844,
      longSideFieldOfView: host.session.parameters.fieldOfViewWithoutCamera
    )
    let projection = DisplayProjection(
      display: Display(width: 390, height: 844),
      picture: CameraPicture(intrinsics: lens)
    )
    let (start, end) = (Vector2(100, 420), Vector2(260, 425))
    func turn(_ point: Vector2) -> Double {
      let ray = projection.ray(through: point)
      return atan2(ray.x, -ray.z)
    }
    for k in 0..<16 {
      let (a, b) = (Double(k) / 16, Double(k + 1) / 16)
      host.tell(.dragWorld(from: start + (end - start) * a, to: start + (end - start) * b))
    }
    let expected = before + (turn(start) - turn(end)) * 180 / pi
    #expect(isNear(bearing(&host), expected, within: 0.05))
    #expect(host.session.headingCorrections.count == 1)
    #expect(isNear(host.session.headingCorrections[0].angle.degrees, expected - before, within: 0.05))
  }

  @Test func `pointing at a landmark corrects the heading to its bearing`() throws {
    var host = host(looking: 30, wrongBy: -25)
    let landmark = EastNorthUpFrame(origin: ulm).geodetic(Vector3(500, 866, 0))
    host.tell(.pointAtPlace(landmark, at: nil))
    #expect(outcome(&host) == .done)
    #expect(isNear(bearing(&host), 30, within: 0.3))
    #expect(host.session.status.heading == .aligned && host.session.status.headingBound.degrees < 4)
  }

  @Test func `pointing at a feature is pointing at its place`() {
    var host = Host.showing(world([place(north: 0, east: 900, key: 4)]))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 70), north: .magnetic)))
    host.tell(.pointAtFeature(0, at: nil))
    #expect(outcome(&host) == .done)
    #expect(isNear(bearing(&host), 90, within: 0.2))
    host.tell(.pointAtFeature(7, at: nil))
    #expect(outcome(&host) == .notThere)
  }

  @Test func `pointing at the sun corrects the heading to its azimuth`() throws {
    // 2 July 2026, 15:00 UT over Ulm.
    let year = 2026 + 182.625 / 365
    let sun = Ephemeris.direction(of: .sun, from: ulm, julianDate: Ephemeris.julianDate(decimalYear: year))
    #expect(sun.elevation.degrees > 30 && sun.elevation.degrees < 60)
    var host = Host()
    host.tell(.calendar(decimalYear: year))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.fix(fix()))
    let elevation = sun.apparentElevation.degrees
    let wrong = upright(heading: sun.azimuth.degrees + 40, pitch: elevation)
    host.tell(.orientation(.quaternion(worldFromDevice: wrong, north: .magnetic)))
    host.tell(.pointAtBody(.sun, at: nil))
    #expect(outcome(&host) == .done)
    #expect(isNear(wrapToPi((bearing(&host) - sun.azimuth.degrees) * pi / 180), 0, within: 0.01))
    // Elsewhere in the sky it was not the sun.
    let other = upright(heading: sun.azimuth.degrees, pitch: elevation - 25)
    host.tell(.orientation(.quaternion(worldFromDevice: other, north: .magnetic)))
    host.tell(.pointAtBody(.sun, at: nil))
    #expect(outcome(&host) == .notThere)
  }

  @Test func `what cannot be is refused with its reason`() {
    var host = Host()
    host.tell(.pointAtBody(.sun, at: nil))
    #expect(outcome(&host) == .noPosition)
    host.tell(.fix(fix(accuracy: 50)))
    host.tell(.pointAtBody(.sun, at: nil))
    #expect(outcome(&host) == .noDate)
    host.tell(.calendar(decimalYear: 2026.0))
    host.tell(.pointAtBody(.sun, at: nil))
    #expect(outcome(&host) == .notInSky)
    let near = EastNorthUpFrame(origin: ulm).geodetic(Vector3(100, 0, 0))
    host.tell(.pointAtPlace(near, at: nil))
    #expect(outcome(&host) == .tooClose)
    let far = EastNorthUpFrame(origin: ulm).geodetic(Vector3(3000, 0, 0))
    host.tell(.pointAtPlace(far, at: nil))
    #expect(outcome(&host) == .noOrientation)
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0, pitch: 80), north: .magnetic)))
    host.tell(.pointAtPlace(far, at: nil))
    #expect(outcome(&host) == .tooSteep)
    host.tell(.pointAtPlace(Geodetic(latitudeDegrees: .nan, longitudeDegrees: 0), at: nil))
    #expect(outcome(&host) == .notThere)
    #expect(host.session.headingCorrections.isEmpty)
  }

  @Test func `a correction fades with time and distance and comes back at its place`() throws {
    var host = host(looking: 0, wrongBy: 0)
    let base = bearing(&host)
    host.tell(
      .restoreHeadingCorrection(
        HeadingCorrection(angle: Angle(degrees: 20), deviation: Angle(degrees: 1), place: ulm, decimalYear: 2026.5)
      )
    )
    // It glides in.
    host.wait(1)
    host.wait(1)
    #expect(bearing(&host) - base < 8)
    for _ in 0..<20 { host.wait(1) }
    #expect(isNear(bearing(&host) - base, 20, within: 0.5))
    #expect(host.session.status.heading == .stale)
    for k in 0..<30 {
      host.wait(1)
      host.tell(.fix(fix(north: 20 * Double(k))))
    }
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .magnetic)))
    #expect(abs(bearing(&host) - base) < 1)
    #expect(host.session.status.heading == .good)
    for k in 0..<60 {
      host.wait(1)
      host.tell(.fix(fix(north: 20 * Double(max(0, 29 - k)))))
    }
    #expect(bearing(&host) - base > 18)
    // A day later the iron is still there, but the phone's calibration is another.
    host.tell(.calendar(decimalYear: 2026.5 + 1.0 / 365))
    for _ in 0..<30 { host.wait(1) }
    #expect(abs(bearing(&host) - base) < 0.5)
  }

  @Test func `a heading without north keeps its correction until the orientation breaks off`() {
    var host = host(looking: 0, wrongBy: 77, north: .arbitrary)
    #expect(host.session.status.heading == .noNorth)
    host.tell(.pointAtPlace(EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, 2000, 0)), at: nil))
    #expect(isNear(bearing(&host), 0, within: 0.2))
    #expect(host.session.status.heading == .aligned && host.session.headingCorrections.isEmpty)
    host.wait(1)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 87), north: .arbitrary)))
    #expect(isNear(bearing(&host), 10, within: 0.2))
    host.tell(.suspend)
    host.wait(10)
    host.tell(.resume)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 87), north: .arbitrary)))
    #expect(host.session.status.heading == .noNorth)
  }

  @Test func `stored corrections are handed back whole`() {
    var first = host(looking: 0, wrongBy: 0)
    first.tell(.dragWorld(from: Vector2(100, 400), to: Vector2(150, 400)))
    let stored = first.session.headingCorrections
    #expect(stored.count == 1)
    var second = host(looking: 0, wrongBy: 0)
    for correction in stored { second.tell(.restoreHeadingCorrection(correction)) }
    for _ in 0..<20 { second.wait(1) }
    #expect(isNear(bearing(&second), bearing(&first), within: 0.1))
    #expect(second.session.headingCorrections == stored)
    second.tell(.forgetHeadingCorrections)
    #expect(second.session.headingCorrections.isEmpty)
  }

  @Test func `numbers that are not finite correct nothing`() {
    var host = host(looking: 0, wrongBy: 0, north: .trueNorth)
    host.tell(.dragWorld(from: Vector2(.nan, 0), to: Vector2(10, 10)))
    for bad in [Double.nan, .infinity] {
      host.tell(
        .restoreHeadingCorrection(
          HeadingCorrection(angle: Angle(degrees: bad), deviation: .zero, place: ulm, decimalYear: 2026.5)
        )
      )
    }
    #expect(host.session.headingCorrections.isEmpty)
    #expect(isNear(bearing(&host), 0, within: 1e-9))
  }

  @Test func `walking straight ahead tells where north is, when nothing else does`() {
    var host = host(looking: 0, wrongBy: 130, north: .arbitrary)
    var g = SplitMix64(seed: 41)
    for k in 0..<40 {
      host.wait(1)
      var fix = fix(east: 1.3 * Double(k))
      fix.courseDegrees = 90 + .random(in: -8...8, using: &g)
      fix.speed = 1.3
      // The phone is held ahead: east, which it calls 220°.
      let said = upright(heading: 220 + .random(in: -6...6, using: &g))
      host.tell(.orientation(.quaternion(worldFromDevice: said, north: .arbitrary)))
      host.tell(.fix(fix))
      if host.session.status.heading == .good { break }
    }
    #expect(outcome(&host) == .fromCourse)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 220), north: .arbitrary)))
    #expect(isNear(bearing(&host), 90, within: 8))
  }

  @Test func `somebody who looks about while walking tells nothing`() {
    var host = host(looking: 0, wrongBy: 0, north: .arbitrary)
    var g = SplitMix64(seed: 42)
    for k in 0..<60 {
      host.wait(1)
      var fix = fix(east: 1.3 * Double(k))
      fix.courseDegrees = 90
      fix.speed = 1.3
      let anywhere = upright(heading: .random(in: -60...60, using: &g))
      host.tell(.orientation(.quaternion(worldFromDevice: anywhere, north: .arbitrary)))
      host.tell(.fix(fix))
    }
    #expect(outcome(&host) == nil)
  }
}
