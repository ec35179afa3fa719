import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

/// World tracking beside compass and fixes.
@Suite struct PathTests {
  /// A phone that is turned and carried, with a compass that may be wrong, and a camera that is followed in a world of its own.
  private struct Walker {
    var host = Host()
    /// Degrees clockwise from true north, and metres to the east and north of Ulm.
    var heading = 0.0, east = 0.0, north = 0.0
    /// By how much the compass is wrong, degrees.
    var compassError = 0.0
    /// The path's world: degrees from east, north, up, counter-clockwise, and metres.
    var worldTurn = 63.0, worldOrigin = Vector3(4, -2, 1), unit = 1.0
    var isFollowed = true, isMetric = true, hasPath = true
    /// By how much pictures are told too early, seconds.
    var timeError = 0.0
    /// Whether there is a gyroscope too: then the compass only pulls.
    var hasGyroscope = false
    private var count = 0

    init() {
      host.tell(.calendar(decimalYear: 2026.5))
      host.tell(.display(Display(width: 390, height: 844)))
      host.tell(
        .camera(
          CameraPicture(intrinsics: Intrinsics(width: 720, height: 1280, longSideFieldOfView: Angle(degrees: 65)))
        )
      )
    }

    /// Lets time pass, in which the phone turns and goes evenly; `fixError` is added to each second's fix, metres.
    mutating func go(
      _ seconds: Double,
      turning: Double = 0,
      east eastward: Double = 0,
      north northward: Double = 0,
      fixError: (Double) -> Vector2? = { _ in .zero }
    ) {
      let steps = Int(seconds * 60)
      for _ in 0..<steps {
        host.wait(1.0 / 60)
        heading += turning / Double(steps)
        east += eastward / Double(steps)
        north += northward / Double(steps)
        let attitude = upright(heading: heading)
        if hasGyroscope {
          let rate = attitude.inverse * Vector3(0, 0, -turning / seconds * pi / 180)
          // Errors of a gyroscope and a trembling hand: values that repeat to the last bit are no new readings.
          let noise = Vector3(sin(Double(count)), cos(Double(count) * 0.7), sin(Double(count) * 1.3)) * 0.003
          host.tell(
            .motion(
              MotionSample(
                time: host.time,
                angularVelocity: rate + noise,
                specificForce: attitude.inverse * Vector3(0, 0, 9.80665) + noise,
                magneticField: nil
              )
            )
          )
        }
        host.tell(
          .orientation(.quaternion(worldFromDevice: upright(heading: heading + compassError), north: .trueNorth))
        )
        if count % 60 == 0, let error = fixError(host.time) {
          host.tell(.fix(fix(north: north + error.y, east: east + error.x)))
        }
        if count % 2 == 0 { host.draw() }
        if hasPath, count % 3 == 0 { host.tell(.path(reading)) }
        count += 1
      }
      host.draw()
    }

    /// Where the path has the camera: the display's axes turned half about x, in the path's world.
    private var reading: PathReading {
      let turn = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -worldTurn))
      return PathReading(
        time: host.time - timeError,
        position: turn * (Vector3(east, north, 0) * unit) + worldOrigin,
        worldFromCamera: turn * upright(heading: heading) * Quaternion(w: 0, x: 1, y: 0, z: 0),
        yawDeviation: 0.001,
        state: !isFollowed ? .lost : isMetric ? .metric : .uncertainScale
      )
    }

    /// By how much the drawn heading is wrong, degrees.
    var headingError: Double { wrapToPi(host.session.frame.bearing.radians - heading * pi / 180) * 180 / pi }
    /// By how much the drawn standpoint is wrong, metres.
    var placeError: Double {
      guard let shown = host.session.standpoint else { return .infinity }
      let truth = EastNorthUpFrame(
        origin: Geodetic(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees)
      )
      .geodetic(Vector3(east, north, 0))
      return greatCircleDistance(from: shown, to: truth)
    }
  }

  @Test(arguments: [true, false])
  func `a compass that is disturbed for seconds turns nothing while the camera is followed`(isFollowed: Bool) {
    var walker = Walker()
    walker.isFollowed = isFollowed
    walker.go(20)
    #expect(abs(walker.headingError) < 0.5)
    walker.compassError = 40
    walker.go(6)
    // Without the camera the drawn heading follows the compass.
    #expect((abs(walker.headingError) < 1) == isFollowed, "\(walker.headingError)")
    walker.compassError = 0
    walker.go(3)
    #expect(abs(walker.headingError) < 1)
  }

  @Test(arguments: [4.0, 9, 30], [true, false])
  func `a disturbed compass that pulls a gyroscope's heading turns nothing`(before: Double, hasPath: Bool) {
    var walker = Walker()
    walker.hasGyroscope = true
    walker.hasPath = hasPath
    walker.go(before)
    #expect(abs(walker.headingError) < 1)
    walker.compassError = 40
    var worst = 0.0
    for _ in 0..<8 {
      walker.go(1)
      worst = max(worst, abs(walker.headingError))
    }
    #expect((worst < 2.6) == hasPath, "\(worst)")
  }

  @Test func `a quick turn is not shaken by a picture's moment that is known to a hundredth of a second`() {
    var walker = Walker()
    walker.go(20)
    walker.timeError = 0.01
    var worst = 0.0
    for _ in 0..<6 {
      walker.go(0.05, turning: 15)
      worst = max(worst, abs(walker.headingError))
    }
    #expect(worst < 0.5, "\(worst)")
    walker.go(1)
    #expect(abs(walker.headingError) < 0.3)
  }

  @Test func `errors that come and go with the direction average out over a turn`() {
    var walker = Walker()
    walker.go(15)
    var worst = 0.0
    for quarter in 0..<16 {
      walker.compassError = 12 * sin(Double(quarter) * pi / 2)
      walker.go(4, turning: 90)
      worst = max(worst, abs(walker.headingError))
    }
    #expect(worst < 4.5, "\(worst)")
  }

  @Test func `a compass that was wrong from the start is believed in the end`() {
    var walker = Walker()
    walker.compassError = 35
    walker.go(10)
    #expect(walker.headingError > 30)
    walker.compassError = 0
    walker.go(45)
    #expect(abs(walker.headingError) < 3, "\(walker.headingError)")
  }

  @Test(arguments: [1, 0.37]) func `a long way with fixes tells north without a compass`(unit: Double) {
    var walker = Walker()
    (walker.unit, walker.isMetric) = (unit, unit == 1)
    walker.compassError = 50
    // Errors of fixes that wander by some metres.
    walker.go(70, east: 20, north: 90) { Vector2(2 * sin($0 / 9), 2 * cos($0 / 13)) }
    #expect(abs(walker.headingError) < 12, "\(walker.headingError)")
    #expect(walker.host.session.status.headingBound.degrees < 25)
  }

  @Test(arguments: [true, false]) func `the place moves from fix to fix as the camera does`(hasPath: Bool) {
    var walker = Walker()
    walker.hasPath = hasPath
    walker.go(10)
    // Nothing is heard of satellites while the user goes on.
    walker.go(8, north: 10) { _ in nil }
    #expect((walker.placeError < 0.6) == hasPath, "\(walker.placeError)")
  }

  @Test(arguments: [true, false]) func `fixes that scatter do not move what is drawn while the camera is followed`(
    hasPath: Bool
  ) {
    var walker = Walker()
    walker.hasPath = hasPath
    walker.go(20)
    var before = walker.host.session.standpoint
    var moved = 0.0
    for second in 0..<20 {
      walker.go(1) { _ in Vector2(second % 2 == 0 ? 5 : -5, 0) }
      if let before, let now = walker.host.session.standpoint {
        moved = max(moved, greatCircleDistance(from: before, to: now))
      }
      before = walker.host.session.standpoint
    }
    #expect((moved < 0.7) == hasPath, "\(moved) m within a second")
  }

  @Test func `lengths that are a guess move nobody`() {
    var walker = Walker()
    walker.isMetric = false
    walker.go(10)
    walker.go(8, north: 10) { _ in nil }
    #expect(walker.placeError > 5)
  }

  @Test func `a leap of the map moves nobody`() {
    var walker = Walker()
    walker.go(10)
    walker.worldOrigin = walker.worldOrigin + Vector3(6, 0, 0)
    walker.go(0.5)
    #expect(walker.placeError < 0.5)
  }

  @Test func `tracking that begins anew in another world keeps the heading`() {
    var walker = Walker()
    walker.go(30)
    walker.compassError = 20
    walker.go(4)
    walker.isFollowed = false
    walker.go(0.4)
    (walker.worldTurn, walker.worldOrigin, walker.isFollowed) = (-140, .zero, true)
    walker.go(0.3)
    #expect(abs(walker.headingError) < 2, "\(walker.headingError)")
  }

  @Test func `what the path added goes away slowly when it ends`() {
    var walker = Walker()
    walker.go(30)
    walker.compassError = 20
    walker.go(5)
    walker.hasPath = false
    walker.go(3)
    #expect(abs(walker.headingError) < 4, "\(walker.headingError)")
    walker.go(30)
    #expect(isNear(walker.headingError, 20, within: 1))
  }

  @Test func `who shows where north is is right at once, with and without the camera`() {
    var walker = Walker()
    walker.compassError = 30
    walker.go(20)
    #expect(walker.headingError > 25)
    // A landmark in the north is seen in the middle of the display.
    walker.heading = 0
    var landmark = ulm
    landmark.latitudeDegrees += 0.01
    walker.host.tell(.pointAtPlace(landmark, at: nil))
    walker.go(2)
    #expect(abs(walker.headingError) < 1.5, "\(walker.headingError)")
    walker.compassError = 55
    walker.go(4)
    #expect(abs(walker.headingError) < 1.5, "\(walker.headingError)")
    walker.compassError = 30
    walker.hasPath = false
    walker.go(30)
    #expect(abs(walker.headingError) < 1.5, "\(walker.headingError)")
  }

  @Test func `corrections that are forgotten are forgotten at once, with the camera too`() {
    var walker = Walker()
    walker.compassError = 30
    walker.go(20)
    var landmark = ulm
    landmark.latitudeDegrees += 0.01
    walker.host.tell(.pointAtPlace(landmark, at: nil))
    walker.go(3)
    #expect(abs(walker.headingError) < 1.5, "\(walker.headingError)")
    walker.host.tell(.forgetHeadingCorrections)
    walker.go(1)
    #expect(isNear(walker.headingError, 30, within: 1), "\(walker.headingError)")
  }

  @Test func `who goes on while the picture is held is where he is when it moves again`() {
    var walker = Walker()
    walker.go(10)
    walker.host.tell(.setFrozen(true))
    walker.go(8, north: 10) { _ in nil }
    walker.host.tell(.setFrozen(false))
    walker.go(0.2) { _ in nil }
    #expect(walker.placeError < 0.6, "\(walker.placeError)")
  }

  @Test func `a reading of the future does not keep out those of the present`() {
    var walker = Walker()
    walker.go(20)
    walker.host.tell(
      .path(
        PathReading(
          time: walker.host.time + 1e6,
          position: .zero,
          worldFromCamera: .identity,
          yawDeviation: 0,
          state: .metric
        )
      )
    )
    walker.compassError = 40
    walker.go(4)
    #expect(abs(walker.headingError) < 1, "\(walker.headingError)")
  }

  @Test func `readings that say nothing change nothing`() {
    var walker = Walker()
    walker.go(20)
    let good = PathReading(
      time: walker.host.time,
      position: .zero,
      worldFromCamera: .identity,
      yawDeviation: 0,
      state: .metric
    )
    let before = walker.host.session.frame.bearing
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
      var (a, b, c, d) = (good, good, good, good)
      (a.time, b.position.x, c.worldFromCamera.w, d.yawDeviation) = (value, value, value, -abs(value))
      for bad in [a, b, c, d] { walker.host.tell(.path(bad)) }
    }
    var zero = good
    zero.worldFromCamera = Quaternion(w: 0, x: 0, y: 0, z: 0)
    walker.host.tell(.path(zero))
    walker.host.draw()
    #expect(walker.host.session.frame.bearing == before)
  }
}
