import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineRecording
import SightlineScene
import SightlineTestSupport

/// Random events of every kind, with the values that are hard to carry: NaN, infinities, −0, the largest numbers.
struct RandomEvents<Generator: RandomNumberGenerator> {
  var generator: Generator

  mutating func number() -> Double {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: -0.0
    case 1: .infinity
    case 2: .leastNonzeroMagnitude
    case 3: .greatestFiniteMagnitude
    default: Double.random(in: -1000...1000, using: &generator)
    }
  }
  mutating func positive() -> Double { Double.random(in: 1...4000, using: &generator) }
  mutating func index() -> Int32 { Int32.random(in: 0...Int32.max, using: &generator) }
  mutating func vector() -> Vector3 { Vector3(number(), number(), number()) }
  mutating func point() -> Vector2 { Vector2(number(), number()) }
  mutating func maybe<T>(_ value: T) -> T? { Bool.random(using: &generator) ? value : nil }
  mutating func choice<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }
  mutating func text() -> String {
    choice(["", "Ulm", "Münster – 161 m", "駅 🚉\n\0", String(repeating: "x", count: 300)])
  }
  mutating func bytes() -> [UInt8] {
    (0..<Int.random(in: 0...50, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
  mutating func quaternion() -> Quaternion { Quaternion(w: number(), x: number(), y: number(), z: number()) }

  /// How many kinds ``event(_:)`` knows.
  static var kinds: Int { 63 }

  /// An event of a kind, 0 …< `kinds`.
  mutating func event(_ kind: Int) -> RecordingEvent {
    let north = choice([NorthReference.trueNorth, .magnetic, .arbitrary])
    let reason = choice([UnavailableReason.denied, .missing, .timedOut])
    switch kind {
    case 0: return .session(.orientation(.quaternion(worldFromDevice: quaternion(), north: north)))
    case 1:
      return .session(.orientation(.browserAngles(alpha: number(), beta: number(), gamma: number(), north: north)))
    case 2:
      return .session(
        .orientation(
          .browserAnglesWithCompass(alpha: number(), beta: number(), gamma: number(), heading: .nan, accuracy: -1)
        )
      )
    case 3: return .session(.orientationUnavailable(reason))
    case 4:
      return .session(
        .fix(
          LocationFix(
            latitudeDegrees: number(),
            longitudeDegrees: number(),
            altitude: maybe(number()),
            altitudeDatum: choice(HeightDatum.allCases),
            horizontalAccuracy: number(),
            verticalAccuracy: maybe(number()),
            courseDegrees: maybe(number()),
            speed: maybe(number())
          )
        )
      )
    case 5: return .session(.locationUnavailable(reason))
    case 6: return .session(.display(Display(width: number(), height: number(), screenAngleDegrees: index())))
    case 7:
      let lens = Intrinsics(
        width: number(),
        height: number(),
        focalX: number(),
        focalY: number(),
        centerX: number(),
        centerY: number()
      )
      return .session(.camera(CameraPicture(intrinsics: lens, rotationDegrees: choice([0, 90, 180, 270]))))
    case 8: return .session(.calendar(decimalYear: number()))
    case 9: return .session(.open(AddressID(index())))
    case 10:
      let reasons: [FailureReason] = [
        .network, .timedOut, .status(index()), .malformed, .notAWorld, .refused,
      ]
      return .session(.failed(RequestID(index()), choice(reasons)))
    case 11: return .session(.refreshByHand)
    case 12: return .session(.labelSize(feature: index(), width: number(), height: number()))
    default: return lateEvent(kind)
    }
  }

  private mutating func alignmentEvent(_ kind: Int) -> RecordingEvent {
    switch kind {
    case 32: return .session(.pictureAge(number()))
    case 53:
      return .session(
        .path(
          PathReading(
            time: number(),
            position: Vector3(number(), number(), number()),
            worldFromCamera: Quaternion(w: number(), x: number(), y: number(), z: number()),
            yawDeviation: number(),
            state: choice(PathState.allCases)
          )
        )
      )
    case 52: return .session(.setLevel(right: number(), top: number()))
    case 33: return .session(.dragWorld(from: point(), to: point()))
    case 34:
      let place = Geodetic(latitudeDegrees: number(), longitudeDegrees: number(), altitude: number())
      return .session(.pointAtPlace(place, at: maybe(point())))
    case 35: return .session(.pointAtFeature(index(), at: maybe(point())))
    case 36: return .session(.pointAtBody(choice([.sun, .moon]), at: maybe(point())))
    case 39: return .session(.openBeside(AddressID(index()), world: index()))
    case 40: return .session(.closeWorld(index()))
    case 41: return .session(.hideWorld(index(), Bool.random(using: &generator)))
    case 42: return .session(.observations(observations()))
    case 46: return .session(.survey(anchor(), Bool.random(using: &generator) ? survey() : nil))
    case 49:
      guard let geoid = try? Geoid(emptyGeoidFile()) else { preconditionFailure("the shortest file is one") }
      return .session(.geoid(geoid))
    case 50:
      return .session(.ground(Geodetic(latitudeDegrees: number(), longitudeDegrees: number(), altitude: number())))
    case 51: return .session(.featureGround(feature: index(), height: number()))
    case 61: return .session(.cornerGround(corner: index(), height: number()))
    case 48: return .session(.modelTriangles(feature: index(), index()))
    case 47: return .session(.modelBounds(feature: index(), ModelPlacement.Bounds(low: vector(), high: vector())))
    case 37:
      return .session(
        .restoreHeadingCorrection(
          HeadingCorrection(
            angle: Angle(radians: number()),
            deviation: Angle(radians: number()),
            place: Geodetic(latitudeDegrees: number(), longitudeDegrees: number()),
            decimalYear: maybe(number())
          )
        )
      )
    default: return .session(.forgetHeadingCorrections)
    }
  }

  private mutating func anchor() -> AnchorID {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .marker(dictionary: UInt8.random(in: 0...21, using: &generator), id: index())
    case 1: .picture(index())
    case 2: .code(UInt64.random(in: 0...UInt64.max, using: &generator))
    default: .wall(index())
    }
  }

  private mutating func survey() -> AnchorSurvey {
    AnchorSurvey(
      place: Geodetic(latitudeDegrees: number(), longitudeDegrees: number(), altitude: number()),
      altitudeDatum: choice(HeightDatum.allCases),
      facing: Angle(radians: number()),
      elevation: Angle(radians: number()),
      roll: Angle(radians: number()),
      width: number()
    )
  }

  private mutating func observations() -> Observations {
    let lens = Intrinsics(
      width: number(),
      height: number(),
      focalX: number(),
      focalY: number(),
      centerX: number(),
      centerY: number()
    )
    let bent = LensDistortion(k1: number(), k2: number(), p1: number(), p2: number(), k3: number())
    var observations = Observations(time: number(), camera: FrameCamera(intrinsics: lens, distortion: bent))
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      let pose = PlanarPose(
        cameraFromPlane: Quaternion(w: number(), x: number(), y: number(), z: number()),
        translation: vector(),
        reprojectionError: number()
      )
      observations.all.append(
        Observation(
          anchor(),
          state: ObservationState(rawValue: UInt8.random(in: 0...3, using: &generator)) ?? .found,
          corners: Quadrilateral(point(), point(), point(), point()),
          pose: Bool.random(using: &generator) ? pose : nil,
          cornerSigma: number(),
          confidence: number(),
          width: number(),
          track: index(),
          isResting: Bool.random(using: &generator),
          unseen: number()
        )
      )
    }
    return observations
  }

  private mutating func lateEvent(_ kind: Int) -> RecordingEvent {
    switch kind {
    case 13: return .session(.touch(point()))
    case 14: return .session(.press(feature: index()))
    case 15: return .session(.pressOverlay(index()))
    case 16: return .session(.select(maybe(index())))
    case 17: return .session(.toggleCluster(index()))
    case 18: return .session(.setRadius(number()))
    case 62: return .session(.setEyeHeight(number()))
    case 19: return .session(.setCategories(UInt64.random(in: 0...UInt64.max, using: &generator)))
    case 20: return .session(.setFrozen(Bool.random(using: &generator)))
    case 21: return .session(.suspend)
    case 22: return .session(.resume)
    case 23, 24:
      return .motion(
        MotionSample(
          time: 0,
          angularVelocity: maybe(vector()),
          specificForce: maybe(vector()),
          magneticField: maybe(vector())
        )
      )
    case 25, 26: return .world(request: RequestID(index()), world())
    case 27: return .document(RecordedDocument(mediaType: text(), address: text(), bytes: bytes()))
    case 28:
      let source = RecordedPicture.Source.embedded(choice(PictureFormat.allCases), bytes: bytes())
      return .picture(RecordedPicture(width: index(), height: index(), source: source))
    case 29:
      return .picture(RecordedPicture(width: index(), height: index(), source: .video(file: text(), frame: 7)))
    case 30:
      let landmarks = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        GroundTruth.Landmark(feature: index(), pixel: point(), isVisible: Bool.random(using: &generator))
      }
      let position = Geodetic(latitudeDegrees: number(), longitudeDegrees: number(), altitude: number())
      return .truth(GroundTruth(eastNorthUpFromDevice: quaternion(), position: position, landmarks: landmarks))
    case 31: return .note(text())
    case 32...42, 46...53, 61: return alignmentEvent(kind)
    case 43: return .tick
    case 44: return .session(.occupied(occupied()))
    case 59: return .session(.buildings(buildings()))
    case 60: return .session(.setHiddenLabels(.roofLine))
    case 54...58: return .tracking(trackingEvent(kind - 54))
    default: return .advance
    }
  }

  private mutating func trackingEvent(_ kind: Int) -> TrackingEvent {
    switch kind {
    case 0: .began(.init(width: index(), height: index(), focal: number(), screenAngle: index(), readout: -1))
    case 1: .reading(.init(rate: vector(), force: Vector3(.nan, number(), .nan), heard: number()))
    case 2: .tilt(.init(beta: number(), gamma: number()))
    case 3: .frame(.init(heard: number(), lost: 7, isLimited: Bool.random(using: &generator)))
    default:
      TrackingEvent.Answer((0..<TrackingEvent.Answer.length).map { _ in number() }).map(TrackingEvent.answer)
        ?? .tilt(.init(beta: 0, gamma: 0))
    }
  }

  private mutating func buildings() -> [SceneBuilding] {
    func ring(_ count: Int) -> [Geodetic] {
      (0..<count).map { _ in Geodetic(latitudeDegrees: number(), longitudeDegrees: number()) }
    }
    let count = Int.random(in: 0...3, using: &generator)
    return (0..<count).map { k in
      SceneBuilding([
        SceneBuilding.Part(outer: ring(k + 3), holes: k == 1 ? [ring(3)] : [], base: number(), roof: number()),
        SceneBuilding.Part(outer: ring(3), roof: number()),
      ])
    }
  }

  private mutating func occupied() -> Occupied {
    let rectangles = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      ScreenRectangle(x: number(), y: number(), width: number(), height: number())
    }
    return Occupied(rectangles: rectangles, arrowSizes: Bool.random(using: &generator) ? [] : [point(), point()])
  }

  mutating func world() -> RecordedWorld {
    var description = WorldDescription()
    description.radarRange = positive()
    description.radarAvailable = Bool.random(using: &generator)
    description.refresh = RefreshRule(intervalSeconds: number(), distance: number())
    description.refreshAddress = maybe(AddressID(index()))
    description.namesWhatStandsOnAnchors = Bool.random(using: &generator)
    description.focusOverlays = (0..<Int.random(in: 0...3, using: &generator)).map { _ in index() }
    var texts: [String] = []
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      description.features.append(feature(description.focusOverlays.count))
      texts.append(text())
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      var overlay = SceneOverlay()
      overlay.key = UInt64.random(in: 0...UInt64.max, using: &generator)
      overlay.hidden = Bool.random(using: &generator)
      overlay.action = action()
      description.overlays.append(overlay)
    }
    for _ in 0..<Int.random(in: 0...3, using: &generator) { description.anchors.append(worldAnchor()) }
    for _ in 0..<Int.random(in: 0...3, using: &generator) { description.things.append(sceneThing()) }
    for _ in 0..<Int.random(in: 0...3, using: &generator) { description.rules.append(displayRule()) }
    var world = RecordedWorld(
      description: description,
      title: text(),
      texts: texts,
      addresses: [3: text(), index(): "a"]
    )
    addPaths(to: &world)
    return world
  }

  private mutating func addPaths(to world: inout RecordedWorld) {
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let first = world.description.pathVertices.count
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        world.description.pathVertices.append(
          PathVertex(latitudeDegrees: number(), longitudeDegrees: number(), altitude: maybe(number()) ?? .nan)
        )
      }
      let datum = choice(HeightDatum.allCases)
      let isRing = Bool.random(using: &generator)
      let path = ScenePath(
        feature: index(),
        shape: index(),
        isRing: isRing,
        vertices: first..<world.description.pathVertices.count,
        altitudeDatum: datum
      )
      world.description.paths.append(path)
      world.pathStyles[index()] = maybe(
        RecordedPathStyle(
          stroke: maybe(UInt32.random(in: 0...0xFFFFFF, using: &generator)),
          strokeOpacity: maybe(number()),
          fill: maybe(0xFF00FF),
          width: maybe(number())
        )
      )
    }
  }

  private mutating func worldAnchor() -> WorldAnchor {
    var made = WorldAnchor(anchor(), width: number(), survey: Bool.random(using: &generator) ? survey() : nil)
    made.reference = choice([.none, .user, .anchor(index()), .anchor(0)])
    made.referenceFromAnchor = SimilarityTransform(rotation: quaternion(), translation: vector(), scale: number())
    return made
  }

  private mutating func modelPlacement() -> ModelPlacement {
    var model = ModelPlacement()
    model.xRotation = Angle(radians: number())
    model.yRotation = Angle(radians: number())
    model.zRotation = Angle(radians: number())
    model.scale = maybe(number())
    return model
  }

  private mutating func action() -> SceneAction {
    let all: [SceneAction] = [.none, .refresh, .webPage(AddressID(index())), .dimension(AddressID(index()))]
    return choice(all)
  }

  private mutating func feature(_ focusCount: Int) -> SceneFeature {
    var feature = SceneFeature(latitudeDegrees: number(), longitudeDegrees: number())
    feature.key = UInt64.random(in: 0...UInt64.max, using: &generator)
    feature.altitude = number()
    feature.altitudeDatum = choice(HeightDatum.allCases)
    feature.offset = vector()
    feature.kind = choice([.text, .image, .model])
    feature.sizeMode = choice([.constant, .trueSize])
    feature.width = number()
    feature.height = number()
    feature.pivot = point()
    (feature.compactWidth, feature.compactHeight) = (number(), number())
    feature.category = UInt8.random(in: 0...63, using: &generator)
    feature.showInRadar = Bool.random(using: &generator)
    feature.visibilityRadius = number()
    feature.action = action()
    feature.anchor = choice([-1, -1, 0, 1, index()])
    if Bool.random(using: &generator) { feature.model = modelPlacement() }
    let start = Int.random(in: 0...focusCount, using: &generator)
    feature.focusOverlays = start..<Int.random(in: start...focusCount, using: &generator)
    return feature
  }

  private mutating func displayRule() -> DisplayRule {
    var rule = DisplayRule(feature: index())
    rule.nearest = number()
    rule.scaling = DistanceScaling(near: abs(number()), far: choice([.infinity, number()]), factor: 0.5)
    rule.selection = choice([.any, .selected, .unselected])
    rule.group = index()
    return rule
  }

  private mutating func sceneThing() -> SceneThing {
    var thing = SceneThing(feature: index())
    thing.isModel = Bool.random(using: &generator)
    (thing.width, thing.height) = (number(), number())
    thing.model.scale = number()
    if Bool.random(using: &generator) {
      thing.attitude = SceneThing.Attitude(
        heading: Angle(radians: number()),
        pitch: Angle(radians: number()),
        roll: Angle(radians: number())
      )
    }
    return thing
  }
}
