import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport

/// Events by chance.
extension RandomRun {
  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &g) < probability }

  mutating func oddNumber() -> Double {
    [
      0, -1, 1e-300, 1e300, -1e300, .nan, .infinity, -.infinity, 90, 180, 360, .leastNonzeroMagnitude, time - 100,
      .greatestFiniteMagnitude,
    ].randomElement(using: &g) ?? 0
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    chance(0.03) ? oddNumber() : Double.random(in: range, using: &g)
  }

  private mutating func index() -> Int32 {
    chance(0.1) ? [-1, 1000, .max, .min].randomElement(using: &g) ?? 0 : Int32.random(in: 0...12, using: &g)
  }

  private mutating func angle() -> Int32 { [0, 90, 180, 270, 360, -90, 45].randomElement(using: &g) ?? 0 }

  private mutating func requestID() -> RequestID {
    chance(0.8) ? running ?? RequestID(lastID) : RequestID(Int32.random(in: -2...(lastID + 2), using: &g))
  }

  mutating func event() -> SessionEvent {
    switch Int.random(in: 0..<40, using: &g) {
    case 0...3: .orientation(reading())
    case 4...7:
      .fix(
        LocationFix(
          latitudeDegrees: number(48.3...48.5),
          longitudeDegrees: number(9.9...10.1),
          altitude: chance(0.3) ? nil : number(400...600),
          horizontalAccuracy: number(1...200),
          verticalAccuracy: chance(0.5) ? nil : number(-1...20),
          courseDegrees: chance(0.5) ? nil : number(0...360),
          speed: chance(0.5) ? nil : number(0...3)
        )
      )
    case 8: .display(Display(width: number(100...900), height: number(100...900), screenAngleDegrees: angle()))
    case 9:
      .camera(
        CameraPicture(
          intrinsics: Intrinsics(
            width: number(100...2000),
            height: number(100...2000),
            longSideFieldOfView: Angle(degrees: number(10...120))
          )
        )
      )
    case 10: .calendar(decimalYear: number(2024...2031))
    case 11: .open(AddressID(index()))
    case 12...14: .loaded(requestID(), world())
    case 15: .failed(requestID(), .status(500))
    case 16: .refreshByHand
    case 17: .labelSize(feature: index(), width: number(0...300), height: number(0...100))
    case 18 where chance(0.3): .occupied(occupied())
    case 18 where chance(0.3): .buildings(buildings())
    case 18 where chance(0.2): .setHiddenLabels([.dim, .roofLine, .leaveOut].randomElement(using: &g) ?? .dim)
    case 18: .touch(Vector2(number(0...900), number(0...900)))
    case 19: .press(feature: index())
    case 20: .pressOverlay(index())
    case 21: .select(chance(0.3) ? nil : index())
    case 22 where chance(0.3): .setEyeHeight(number(-1...120))
    case 22: chance(0.5) ? .setRadius(number(10...20_000)) : .setCategories(g.next())
    case 23: .setFrozen(chance(0.3))
    case 24: chance(0.5) ? .suspend : .resume
    case 25...28: .motion(motion())
    case 29, 30: alignment()
    case 31...36: .observations(observations())
    case 37: .survey(anchor(), chance(0.3) ? nil : survey())
    case 38: .modelBounds(feature: index(), ModelPlacement.Bounds(low: corner(), high: corner()))
    default: chance(0.5) ? .toggleCluster(index()) : .orientationUnavailable(.denied)
    }
  }

  private mutating func vector(_ range: ClosedRange<Double>) -> Vector3? {
    chance(0.2) ? nil : Vector3(number(range), number(range), number(range))
  }

  /// Houses around Ulm, some that make no sense.
  private mutating func buildings() -> [SceneBuilding] {
    (0..<Int.random(in: 0...20, using: &g)).map { _ in
      let middle = (number(48.396...48.401), number(9.988...9.995))
      let ring = [(0.0, 0.0), (0.0001, 0.0), (0.0001, 0.0002), (0.0, 0.0002)].map { corner in
        Geodetic(
          latitudeDegrees: chance(0.01) ? .nan : middle.0 + corner.0,
          longitudeDegrees: middle.1 + corner.1
        )
      }
      return SceneBuilding([SceneBuilding.Part(outer: ring, base: chance(0.1) ? 4 : 0, roof: number(-2...30))])
    }
  }

  private mutating func occupied() -> Occupied {
    let rectangles = (0..<Int.random(in: 0...6, using: &g)).map { _ in
      ScreenRectangle(x: number(-50...800), y: number(-50...800), width: number(-10...900), height: number(0...300))
    }
    return Occupied(rectangles: rectangles, arrowSizes: chance(0.3) ? [] : [Vector2(number(0...200), number(0...80))])
  }

  private mutating func motion() -> MotionSample {
    MotionSample(
      time: chance(0.05) ? oddNumber() : time,
      angularVelocity: vector(-5...5),
      specificForce: vector(-15...15),
      magneticField: vector(-60...60)
    )
  }

  private mutating func corner() -> Vector3 { Vector3(number(-2...2), number(-2...2), number(-2...2)) }

  /// One of few, so that those of worlds, surveys and observations meet.
  private mutating func anchor() -> AnchorID {
    let number = Int32.random(in: 0...2, using: &g)
    switch Int.random(in: 0..<4, using: &g) {
    case 0: return .marker(dictionary: 11, id: number)
    case 1: return .picture(number)
    case 2: return .code(UInt64(number))
    default: return .wall(number)
    }
  }

  private mutating func survey() -> AnchorSurvey {
    AnchorSurvey(
      place: Geodetic(
        latitudeDegrees: number(48.39...48.4),
        longitudeDegrees: number(9.99...10),
        altitude: chance(0.3) ? .nan : number(400...600)
      ),
      facing: Angle(degrees: number(0...360)),
      elevation: Angle(degrees: chance(0.7) ? 0 : number(-90...90)),
      roll: Angle(degrees: chance(0.7) ? 0 : number(-180...180)),
      width: number(0.05...1)
    )
  }

  private mutating func observations() -> Observations {
    let focal = number(200...1000)
    let lens = Intrinsics(
      width: number(200...1000),
      height: number(200...1000),
      focalX: focal,
      focalY: focal,
      centerX: number(100...500),
      centerY: number(100...500)
    )
    let bent = chance(0.7) ? .none : LensDistortion(k1: number(-0.3...0.3), k2: number(-0.1...0.1))
    var observations = Observations(
      time: time - number(0...0.3),
      camera: FrameCamera(intrinsics: lens, distortion: bent)
    )
    for _ in 0..<Int.random(in: 0...6, using: &g) {
      let (center, side) = (Vector2(number(0...600), number(0...600)), number(5...200))
      let (a, b) = (Vector2(side, number(-20...20)), Vector2(number(-20...20), side))
      let pose = PlanarPose(
        cameraFromPlane: Quaternion(w: number(-1...1), x: number(-1...1), y: number(-1...1), z: number(-1...1)),
        translation: Vector3(number(-2...2), number(-2...2), number(0.1...8)),
        reprojectionError: number(0...3)
      )
      observations.all.append(
        Observation(
          anchor(),
          state: ObservationState(rawValue: UInt8.random(in: 0...3, using: &g)) ?? .found,
          corners: Quadrilateral(center, center + a, center + a + b, center + b),
          pose: chance(0.8) ? pose : nil,
          cornerSigma: number(0...50),
          confidence: number(0...1),
          width: chance(0.5) ? 0 : number(0.05...2),
          track: index(),
          isResting: chance(0.5),
          unseen: number(0...1)
        )
      )
    }
    return observations
  }

  private mutating func worldAnchors() -> [WorldAnchor] {
    (0..<Int.random(in: 0...4, using: &g)).map { _ in
      var made = WorldAnchor(anchor(), width: number(0.05...1), survey: chance(0.5) ? survey() : nil)
      switch Int.random(in: 0..<4, using: &g) {
      case 0: made.reference = .user
      case 1: made.reference = .anchor(chance(0.2) ? index() : Int32.random(in: 0...4, using: &g))
      default: break
      }
      made.referenceFromAnchor = SimilarityTransform(translation: corner(), scale: number(0.1...3))
      return made
    }
  }

  private mutating func alignment() -> SessionEvent {
    let point = chance(0.3) ? nil : Vector2(number(0...900), number(0...900))
    let place = Geodetic(
      latitudeDegrees: number(48.3...48.5),
      longitudeDegrees: number(9.9...10.1),
      altitude: number(0...900)
    )
    switch Int.random(in: 0..<9, using: &g) {
    case 7, 8:
      return .path(
        PathReading(
          time: chance(0.5) ? time : number((time - 1)...(time + 1)),
          position: Vector3(number(-20...20), number(-20...20), number(-2...2)),
          worldFromCamera: Quaternion(w: number(-1...1), x: number(-1...1), y: number(-1...1), z: number(-1...1)),
          yawDeviation: number(0...1),
          state: PathState.allCases.randomElement(using: &g) ?? .lost
        )
      )
    case 0: return .dragWorld(from: Vector2(number(0...900), number(0...900)), to: point ?? .zero)
    case 1: return .pointAtPlace(place, at: point)
    case 2: return .pointAtFeature(index(), at: point)
    case 3: return .pointAtBody(chance(0.5) ? .sun : .moon, at: point)
    case 4: return .pictureAge(number(-1...1))
    case 5:
      // Also with numbers that are none.
      return place.altitude < 450
        ? .setLevel(right: place.latitudeDegrees - 48.4, top: place.longitudeDegrees - 10) : .forgetHeadingCorrections
    default:
      return .restoreHeadingCorrection(
        HeadingCorrection(
          angle: Angle(degrees: number(-180...180)),
          deviation: Angle(degrees: number(0...30)),
          place: place,
          decimalYear: chance(0.5) ? nil : number(2024...2031)
        )
      )
    }
  }

  private mutating func reading() -> OrientationReading {
    let north: NorthReference = [.trueNorth, .magnetic, .arbitrary].randomElement(using: &g) ?? .trueNorth
    switch Int.random(in: 0..<3, using: &g) {
    case 0:
      return .quaternion(
        worldFromDevice: Quaternion(w: number(-1...1), x: number(-1...1), y: number(-1...1), z: number(-1...1)),
        north: north
      )
    case 1:
      return .browserAngles(alpha: number(0...360), beta: number(-180...180), gamma: number(-90...90), north: north)
    default:
      return .browserAnglesWithCompass(
        alpha: number(0...360),
        beta: number(-180...180),
        gamma: number(-90...90),
        heading: number(0...360),
        accuracy: number(-1...40)
      )
    }
  }

  private mutating func world() -> WorldDescription {
    var world = WorldDescription()
    for _ in 0..<Int.random(in: 0...12, using: &g) {
      var feature = SceneFeature(latitudeDegrees: number(48.3...48.5), longitudeDegrees: number(9.9...10.1))
      feature.key = UInt64.random(in: 0...14, using: &g)
      feature.altitude = number(300...800)
      feature.altitudeDatum = HeightDatum.allCases.randomElement(using: &g) ?? .eye
      feature.offset = Vector3(number(-50...50), number(-50...50), number(-50...50))
      feature.width = number(0...200)
      feature.height = number(0...80)
      feature.sizeMode = chance(0.2) ? .trueSize : .constant
      feature.pivot = Vector2(number(0...1), number(0...1))
      feature.category = UInt8.random(in: 0...255, using: &g)
      feature.visibilityRadius = number(0...5000)
      feature.action = action()
      feature.focusOverlays = 0..<Int.random(in: 0...4, using: &g)
      feature.anchor = chance(0.6) ? Int32.random(in: -1...4, using: &g) : chance(0.1) ? index() : -1
      feature.kind = [.text, .image, .model].randomElement(using: &g) ?? .text
      if chance(0.3) {
        var model = ModelPlacement()
        model.yRotation = Angle(degrees: number(0...360))
        model.scale = chance(0.5) ? nil : number(0.01...3)
        feature.model = model
      }
      world.features.append(feature)
    }
    for _ in 0..<Int.random(in: 0...3, using: &g) {
      var overlay = SceneOverlay()
      overlay.hidden = chance(0.5)
      overlay.action = action()
      world.overlays.append(overlay)
    }
    for feature in world.features.indices where chance(0.2) {
      var rule = DisplayRule(feature: Int32(feature))
      rule.selection = chance(0.5) ? .selected : .unselected
      rule.group = chance(0.5) ? 0 : -1
      rule.scaling = DistanceScaling(near: number(1...50), far: number(60...900), factor: number(0.1...2))
      world.rules.append(rule)
    }
    world.focusOverlays = [0, 1, 2, 77, -1]
    world.anchors = worldAnchors()
    world.radarRange = number(100...20_000)
    world.refresh = RefreshRule(intervalSeconds: number(0...5), distance: number(0...500))
    world.refreshAddress = chance(0.3) ? nil : AddressID(index())
    return world
  }

  private mutating func action() -> SceneAction {
    [.none, .refresh, .webPage(AddressID(3)), .dimension(AddressID(4))].randomElement(using: &g) ?? .none
  }
}
