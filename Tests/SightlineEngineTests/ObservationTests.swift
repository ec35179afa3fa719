import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// What vision saw, handed to a session: anchors in its frames, and position and north from those that are surveyed.
@Suite struct ObservationTests {
  static let camera = FrameCamera(
    intrinsics: Intrinsics(width: 480, height: 640, focalX: 500, focalY: 500, centerX: 239.5, centerY: 319.5)
  )
  static let marker = AnchorID.marker(dictionary: 11, id: 7)
  static let picture = AnchorID.picture(31)
  static let code = AnchorID.code(AnchorID.hash(ofCode: "https://sightline.example/w".utf8))

  /// How something that hangs somewhere is seen by an upright camera.
  struct Sight {
    /// Metres east, north and up of what hangs there.
    var from = Vector3(0.4, -2.2, -0.1)
    /// Degrees clockwise from north.
    var heading = -12.0

    var cameraFromEastNorthUp: Quaternion {
      let (s, c) = (sin(heading * pi / 180), cos(heading * pi / 180))
      return Quaternion(Matrix3(rows: Vector3(c, -s, 0), Vector3(0, 0, -1), Vector3(s, c, 0)))
    }

    func observation(
      _ anchor: AnchorID,
      _ survey: AnchorSurvey,
      _ state: ObservationState = .tracked,
      scale: Double = 1
    ) -> Observation {
      let turn = cameraFromEastNorthUp * survey.eastNorthUpFromAnchor
      let translation = cameraFromEastNorthUp * -from
      let half = survey.width / 2
      var corners = Quadrilateral(repeating: .zero)
      let plane = [Vector3(-half, half, 0), Vector3(half, half, 0), Vector3(half, -half, 0), Vector3(-half, -half, 0)]
      for k in 0..<4 {
        corners[k] = camera.intrinsics.pixel(ofPointInCamera: turn * plane[k] + translation) ?? .zero
      }
      // The width that vision was told may be another than the surveyed one: the pose scales with it.
      let pose = PlanarPose(cameraFromPlane: turn, translation: translation * scale, reprojectionError: 0.05)
      return Observation(
        anchor,
        state: state,
        corners: corners,
        pose: pose,
        cornerSigma: 0.2,
        width: survey.width * scale
      )
    }

    func place(_ survey: AnchorSurvey) -> Geodetic { EastNorthUpFrame(origin: survey.place).geodetic(from) }
  }

  private let survey = AnchorSurvey(
    place: Geodetic(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees, altitude: 482),
    facing: Angle(degrees: 180),
    width: 0.24
  )

  private func anchored(_ anchors: [WorldAnchor]) -> WorldDescription {
    var world = WorldDescription()
    world.anchors = anchors
    for index in anchors.indices {
      var feature = SceneFeature(latitudeDegrees: .nan, longitudeDegrees: .nan)
      (feature.anchor, feature.key, feature.width, feature.height) = (Int32(index), UInt64(index + 1), 80, 30)
      world.features.append(feature)
    }
    return world
  }

  private func tell(_ host: inout Host, _ all: [Observation]) {
    host.tell(.observations(Observations(time: host.time - 0.04, camera: Self.camera, all)))
  }

  /// A phone in the world's neighbourhood, whose compass is wrong by 20 degrees and whose fix is 15 m beside.
  private func host(_ sight: Sight, _ world: WorldDescription? = nil) -> Host {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.camera(CameraPicture(intrinsics: Self.camera.intrinsics)))
    host.tell(
      .orientation(.quaternion(worldFromDevice: upright(heading: sight.heading + 20), north: .trueNorth))
    )
    host.tell(.fix(fix(north: 15, accuracy: 20)))
    if let world {
      host.tell(.open(AddressID(1)))
      host.answer(world)
    }
    host.wait(0.5)
    host.effects = []
    return host
  }

  private func offset(_ host: Host, _ sight: Sight, _ survey: AnchorSurvey) -> Double {
    guard let position = host.session.position else { return .infinity }
    return EastNorthUpFrame(origin: sight.place(survey)).point(position).length
  }

  @Test func `a marker world is shown without any position`() throws {
    var host = Host()
    host.tell(.display(Display(width: 390, height: 844)))
    host.tell(.orientationUnavailable(.denied))
    host.tell(.locationUnavailable(.denied))
    host.tell(.open(AddressID(1)))
    host.answer(anchored([WorldAnchor(Self.marker, width: 0.24), WorldAnchor(Self.picture, width: 1)]))
    #expect(host.session.world.anchors.count == 2)
    host.wait(0.1)
    tell(&host, [Sight().observation(Self.marker, survey, .found)])
    // At once, not only with the next frame.
    #expect(host.session.frame.anchors.map { $0.state } == [.found])
    #expect(isNear(host.session.frame.pictureTime, host.time - 0.04, within: 1e-12))
    let item = try #require(host.session.frame.anchored.first)
    #expect(item.feature == 0 && item.label != nil && item.opacity == 1)
    host.wait(0.05)
    host.draw()
    #expect(host.session.frame.anchored.map { $0.feature } == [0] && host.session.frame.anchors.count == 1)
    tell(&host, [Observation(Self.marker, state: .lost, corners: item.isOnScreenCorners)])
    host.draw()
    #expect(host.session.frame.anchored.isEmpty && host.session.frame.anchors.map { $0.state } == [.lost])
    #expect(host.session.position == nil && host.session.surveyedCount == 0)
  }

  @Test(arguments: [marker, picture, code])
  func `what hangs where a world says sets position and north`(anchor: AnchorID) {
    for scale in anchor == Self.picture ? [1, 0.5] : [1.0] {
      let sight = Sight()
      var host = host(sight, anchored([WorldAnchor(anchor, width: 0.24, survey: survey)]))
      tell(&host, [sight.observation(anchor, survey, scale: scale)])
      #expect(host.session.surveyedCount == 1)
      #expect(offset(host, sight, survey) < 0.03, "\(offset(host, sight, survey)) m")
      host.wait(0.1)
      host.draw()
      let bearing = host.session.frame.bearing.degrees
      #expect(abs(Angle(degrees: bearing - sight.heading).wrapped.degrees) < 1, "\(bearing)")
      #expect(host.session.standpointAccuracy < 0.5)
      let told = host.taken().compactMap { if case .aligned(let outcome, _) = $0 { outcome } else { nil } }
      #expect(told == [.done])
    }
  }

  @Test func `what the host was told of goes before what a world says, until it is taken back`() {
    let sight = Sight()
    var other = survey
    other.place.latitudeDegrees += 0.001
    var host = host(sight, anchored([WorldAnchor(Self.code, width: 0.24, survey: survey)]))
    host.tell(.survey(Self.code, other))
    tell(&host, [sight.observation(Self.code, other)])
    #expect(host.session.surveyedCount == 1 && offset(host, sight, other) < 0.03)
    host.tell(.survey(Self.code, nil))
    host.wait(0.3)
    tell(&host, [sight.observation(Self.code, survey)])
    #expect(host.session.surveyedCount == 2 && offset(host, sight, survey) < 0.03)
  }

  @Test func `an anchor that hangs in two places tells nothing`() {
    let sight = Sight()
    var other = survey
    other.place.latitudeDegrees += 0.001
    let twice = [
      WorldAnchor(Self.marker, width: 0.24, survey: survey), WorldAnchor(Self.marker, width: 0.24, survey: other),
    ]
    var host = host(sight, anchored(twice))
    tell(&host, [sight.observation(Self.marker, survey)])
    #expect(host.session.surveyedCount == 0)
    // The same said twice is the same.
    host.tell(.refreshByHand)
    host.answer(anchored([twice[0], twice[0]]))
    tell(&host, [sight.observation(Self.marker, survey)])
    #expect(host.session.surveyedCount == 1)
  }

  @Test func `sightings that follow close on another are not taken`() {
    let sight = Sight()
    var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: survey)]))
    var counts: [Int] = []
    for _ in 0..<11 {
      tell(&host, [sight.observation(Self.marker, survey)])
      counts.append(host.session.surveyedCount)
      host.wait(0.06)
    }
    #expect(counts == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3])
  }

  @Test func `what is seen small or only carried on is not taken, and of several the largest is`() {
    var sight = Sight()
    sight.from = Vector3(0, -5.2, 0)
    var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: survey)]))
    // 0.24 m at 5.2 m are 23 pixels.
    tell(&host, [sight.observation(Self.marker, survey)])
    #expect(host.session.surveyedCount == 0)
    sight.from = Vector3(0, -3, 0)
    tell(&host, [sight.observation(Self.marker, survey, .carried), sight.observation(Self.marker, survey, .lost)])
    #expect(host.session.surveyedCount == 0)
    tell(&host, [sight.observation(Self.marker, survey, .found)])
    #expect(host.session.surveyedCount == 1)
    // Two that contradict each other: the nearer one counts.
    var other = survey
    other.place.latitudeDegrees += 0.0005
    host.tell(.survey(Self.code, other))
    host.wait(0.3)
    var near = sight
    near.from = Vector3(0, -1.5, 0)
    tell(&host, [sight.observation(Self.marker, survey), near.observation(Self.code, other)])
    #expect(offset(host, near, other) < 0.03)
  }

  @Test func `an anchor whose horizon is another than the phone's hangs elsewhere than it says`() {
    let sight = Sight()
    var leaning = survey
    leaning.elevation = Angle(degrees: 25)
    var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: leaning)]))
    tell(&host, [sight.observation(Self.marker, survey)])
    #expect(host.session.surveyedCount == 0)
    let told = host.taken().compactMap { if case .aligned(let outcome, _) = $0 { outcome } else { nil } }
    #expect(told == [.notThere])
  }

  @Test func `a survey without a height leaves the height as it was`() {
    let sight = Sight()
    var flat = survey
    flat.place.altitude = .nan
    var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: flat)]))
    let before = host.session.position?.altitude
    tell(&host, [sight.observation(Self.marker, survey)])
    #expect(host.session.surveyedCount == 1 && host.session.position?.altitude == before)
  }

  @Test func `surveys that are none tell nothing`() {
    let sight = Sight()
    var host = host(sight)
    for odd in [Double.nan, .infinity, 1e300] {
      var broken = [survey, survey, survey, survey]
      broken[0].place.latitudeDegrees = odd
      broken[1].facing = Angle(radians: odd == 1e300 ? .nan : odd)
      broken[2].width = odd
      broken[3].roll = Angle(radians: odd == 1e300 ? .nan : odd)
      for survey in broken {
        host.tell(.survey(Self.marker, survey))
        tell(&host, [sight.observation(Self.marker, self.survey)])
        host.wait(0.3)
      }
    }
    #expect(host.session.surveyedCount == 0)
  }

  @Test func `observations with numbers that are none are not taken`() {
    let sight = Sight()
    var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: survey)]))
    for odd in [Double.nan, .infinity, -.infinity] {
      var broken = [Observation](repeating: sight.observation(Self.marker, survey), count: 4)
      broken[0].corners[1].x = odd
      broken[1].pose?.translation.z = odd
      broken[2].pose?.cameraFromPlane.w = odd
      broken[3].cornerSigma = odd
      tell(&host, broken)
      host.draw()
      #expect(host.session.frame.anchored.isEmpty && host.session.surveyedCount == 0)
      // A time that is none is that of the event.
      host.tell(.observations(Observations(time: odd, camera: Self.camera, [])))
      #expect(host.session.frame.pictureTime == host.time)
      var lens = Self.camera
      lens.intrinsics.focalX = odd
      host.tell(.observations(Observations(time: 1, camera: lens, [sight.observation(Self.marker, survey)])))
      #expect(host.session.frame.pictureTime == host.time)
    }
  }

  @Test func `anchors that are related to the user turn with the phone`() throws {
    var before = WorldAnchor(.wall(1), width: 1)
    before.reference = .user
    before.referenceFromAnchor = SimilarityTransform(translation: Vector3(0, 3, 0))
    var host = Host.showing(anchored([before]))
    tell(&host, [])
    let ahead = try #require(host.session.frame.anchored.first)
    #expect((ahead.place - Vector2(195, 422)).length < 2, "\(ahead.place)")
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 10), north: .trueNorth)))
    host.wait(0.5)
    tell(&host, [])
    // The phone turned to the right: what is in the north goes to the left.
    let left = try #require(host.session.frame.anchored.first)
    #expect(left.place.x < 140 && abs(left.place.y - 422) < 2, "\(left.place)")
  }

  @Test func `equal observations give equal frames`() {
    func run() -> [String] {
      let sight = Sight()
      var host = host(sight, anchored([WorldAnchor(Self.marker, width: 0.24, survey: survey)]))
      return (0..<40).map { step in
        var moving = sight
        moving.from.x += 0.01 * Double(step)
        tell(&host, step % 7 == 3 ? [] : [moving.observation(Self.marker, survey)])
        host.wait(0.03)
        host.draw()
        return "\(host.session.frame.anchors) \(host.session.frame.anchored) \(host.session.frame.worldFromDevice)"
      }
    }
    #expect(run() == run())
  }
}

extension AnchoredItem {
  /// Some corners, for what is lost.
  fileprivate var isOnScreenCorners: Quadrilateral { Quadrilateral(repeating: place) }
}
