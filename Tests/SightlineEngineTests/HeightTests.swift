import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// Heights over the sea, over the ellipsoid, over the ground and from the eye, of positions and of documents, in one scene.
@Suite struct HeightTests {
  private let geoid: Geoid
  /// Metres from the ellipsoid up to the sea in Ulm.
  private let rise: Double

  init() throws {
    var geoid = try Geoid(geoidFile())
    let height = geoid.height(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees)
    rise = try #require(height)
    self.geoid = geoid
  }

  /// A place 300 m north at a height.
  private func place(_ altitude: Double, above datum: HeightDatum, up: Double = 0) -> SceneFeature {
    let there = EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, 300, 0))
    var feature = SceneFeature(
      latitudeDegrees: there.latitudeDegrees,
      longitudeDegrees: there.longitudeDegrees
    )
    (feature.altitude, feature.altitudeDatum, feature.offset.z) = (altitude, datum, up)
    return feature
  }

  private func position(_ altitude: Double?, above datum: HeightDatum, accuracy: Double = 3) -> LocationFix {
    var position = fix(altitude: altitude)
    position.altitudeDatum = datum
    position.verticalAccuracy = altitude == nil ? nil : accuracy
    return position
  }

  /// A host with places, that has no position yet.
  private func host(_ features: [SceneFeature]) -> Host {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)))
    var world = WorldDescription()
    world.features = features
    host.tell(.open(AddressID(1)))
    host.wait(20)
    host.answer(world)
    return host
  }

  /// How much higher than the eye a feature is drawn, metres; what the Earth's curve takes off in 300 m (7 mm) is added.
  private func above(_ feature: Int32, _ host: inout Host) -> Double {
    host.draw()
    guard let point = host.session.pointInWorld(feature: feature) else { return .nan }
    return point.z - host.session.frame.eyeInWorld.z + 300 * 300 / (2 * 6_371_000)
  }

  @Test func `a phone over the ellipsoid and a document over the sea agree by the geoid`() throws {
    var host = host([place(480, above: .seaLevel), place(480 + rise, above: .ellipsoid), place(10, above: .eye)])
    host.tell(.geoid(geoid))
    host.tell(.fix(position(470 + rise, above: .ellipsoid)))
    #expect(abs(above(0, &host) - 10) < 0.02 && abs(above(1, &host) - 10) < 0.02)
    #expect(abs(above(2, &host) - 10) < 0.02)
    #expect(host.session.altitudeDatum == .seaLevel && abs(host.session.position!.altitude - 470) < 1e-9)
    let height = host.session.geoidHeight
    #expect(abs(height! - rise) < 1e-9)
  }

  @Test func `a phone over the sea needs the geoid for documents over the ellipsoid alone`() throws {
    var host = host([place(480, above: .seaLevel), place(480 + rise, above: .ellipsoid, up: 2)])
    host.tell(.fix(position(470, above: .seaLevel)))
    #expect(abs(above(0, &host) - 10) < 0.02)
    // At eye level, with its own offset, as long as nobody knows better.
    #expect(abs(above(1, &host) - 2) < 0.02)
    host.tell(.geoid(geoid))
    #expect(abs(above(0, &host) - 10) < 0.02 && abs(above(1, &host) - 12) < 0.02)
  }

  @Test func `without the geoid heights over the ellipsoid agree, and those over the sea are at eye level`() throws {
    var host = host([place(480, above: .seaLevel), place(480, above: .ellipsoid)])
    host.tell(.fix(position(470, above: .ellipsoid)))
    #expect(abs(above(0, &host)) < 0.02 && abs(above(1, &host) - 10) < 0.02)
    #expect(host.session.altitudeDatum == .ellipsoid && host.session.position?.altitude == 470)
  }

  @Test func `when the geoid comes late nothing moves that was right, and the smoothing goes on`() throws {
    var host = host([place(480, above: .ellipsoid)])
    for step in 0..<6 {
      host.tell(.fix(position(470 + Double(step % 2), above: .ellipsoid)))
      host.wait(1)
    }
    let before = above(0, &host)
    let standpoint = try #require(host.session.standpoint).altitude
    host.tell(.geoid(geoid))
    #expect(abs(above(0, &host) - before) < 1e-6)
    #expect(abs(try #require(host.session.standpoint).altitude - (standpoint - rise)) < 1e-6)
    host.wait(1)
    host.tell(.fix(position(470, above: .ellipsoid)))
    #expect(abs(above(0, &host) - before) < 0.5, "the next fix is no leap of 47 m")
  }

  @Test func `the ground stands in for an altitude that the phone does not tell`() throws {
    var host = host([place(480, above: .seaLevel)])
    host.tell(.fix(position(nil, above: .ellipsoid)))
    #expect(abs(above(0, &host)) < 0.02 && host.session.height == nil)
    host.tell(
      .ground(Geodetic(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees, altitude: 470))
    )
    #expect(host.session.height == Height(471.5, above: .seaLevel))
    #expect(abs(above(0, &host) - 8.5) < 0.02)
    // What is known of a place 200 m away says nothing of here.
    let away = EastNorthUpFrame(origin: ulm).geodetic(Vector3(200, 0, -30))
    host.tell(.ground(away))
    #expect(host.session.groundHeight == nil && host.session.height == nil)
    host.tell(
      .ground(Geodetic(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees, altitude: .nan))
    )
    #expect(host.session.groundHeight == nil)
  }

  @Test func `the ground is as far below as the host says`() throws {
    var host = host([place(480, above: .seaLevel)])
    host.tell(.fix(position(nil, above: .ellipsoid)))
    let ground = Geodetic(
      latitudeDegrees: ulm.latitudeDegrees,
      longitudeDegrees: ulm.longitudeDegrees,
      altitude: 470
    )
    host.tell(.ground(ground))
    host.tell(.setEyeHeight(0.9))
    #expect(host.session.height == Height(470.9, above: .seaLevel))
    #expect(abs(above(0, &host) - 9.1) < 0.02)
    for none in [0, -1, 1000, .nan, .infinity] as [Double] { host.tell(.setEyeHeight(none)) }
    #expect(host.session.height == Height(470.9, above: .seaLevel))
    // Of a phone that tells its altitude the ground is that far below it: what stands 5 m higher is seen so much higher.
    var other = self.host([place(0, above: .ground)])
    other.tell(.setEyeHeight(3))
    other.tell(.fix(position(480, above: .seaLevel)))
    other.tell(.featureGround(feature: 0, height: 482))
    #expect(abs(above(0, &other) - 5) < 0.02, "the ground here is at 477")
  }

  @Test(arguments: [true, false])
  func `what stands over the ground follows its rise`(isGroundKnownHere: Bool) throws {
    var host = host([place(0, above: .ground), place(5, above: .ground), place(0, above: .eye)])
    host.tell(.fix(position(481.5, above: .seaLevel)))
    if isGroundKnownHere {
      // The phone's own altitude is 7 m off: the ground here and there is what counts.
      host.tell(
        .ground(Geodetic(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees, altitude: 473))
      )
    }
    let here = isGroundKnownHere ? 473.0 : 480
    #expect(abs(above(0, &host)) < 0.02 && abs(above(1, &host) - 5) < 0.02)
    for feature in 0..<3 as Range<Int32> { host.tell(.featureGround(feature: feature, height: here + 20)) }
    #expect(abs(above(0, &host) - 20) < 0.02 && abs(above(1, &host) - 25) < 0.02)
    #expect(abs(above(2, &host)) < 0.02, "what is measured from the eye does not care")
    host.tell(.featureGround(feature: 0, height: .nan))
    host.tell(.featureGround(feature: 9, height: 1))
    #expect(abs(above(0, &host)) < 0.02)
  }

  @Test func `heights of the ground stay with their places when a world is fetched again`() throws {
    var one = place(0, above: .ground)
    one.key = 7
    var host = host([one])
    host.tell(.fix(position(471.5, above: .seaLevel)))
    host.tell(.featureGround(feature: 0, height: 490))
    #expect(abs(above(0, &host) - 20) < 0.02)
    var other = place(0, above: .ground)
    other.key = 8
    var world = WorldDescription()
    world.features = [other, one]
    host.tell(.refreshByHand)
    host.answer(world)
    #expect(abs(above(0, &host)) < 0.02 && abs(above(1, &host) - 20) < 0.02)
  }

  @Test func `an altitude from the ground or the eye is none`() {
    for datum in [HeightDatum.ground, .eye] {
      var host = Host()
      host.tell(.fix(position(470, above: datum)))
      #expect(host.session.altitudeDatum == nil && host.session.height == nil)
    }
  }

  @Test func `a place pointed at is looked for at its own height`() {
    for (datum, altitude) in [(HeightDatum.seaLevel, 480.0), (.ellipsoid, 480 + rise)] {
      var host = host([place(altitude, above: datum)])
      host.tell(.geoid(geoid))
      host.tell(.fix(position(480 + rise, above: .ellipsoid)))
      // 47 m at 300 m would be 9°: one of the two would be more than 10° off.
      for pitch in [4.0, -4] {
        host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 3, pitch: pitch), north: .trueNorth)))
        host.tell(.pointAtFeature(0, at: nil))
      }
      let outcomes = host.taken().compactMap { if case .aligned(let outcome, _) = $0 { outcome } else { nil } }
      #expect(outcomes == [.done, .done])
    }
  }
}
