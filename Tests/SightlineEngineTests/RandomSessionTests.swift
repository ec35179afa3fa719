import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// Any events in any order, with numbers that make sense and numbers that do not: nothing traps, and what must always
/// hold does.
@Suite struct RandomSessionTests {
  @Test(arguments: 0..<40)
  func `what must always hold holds for any events`(seed: Int) {
    var run = RandomRun(seed: UInt64(seed))
    for step in 0..<1500 {
      if let broken = run.step() {
        Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
    #expect(run.requests > 5, "seed \(seed) hardly tested anything")
  }

  @Test func `equal events give equal effects and frames`() {
    var a = RandomRun(seed: 99)
    var b = RandomRun(seed: 99)
    for _ in 0..<1500 {
      #expect(a.step() == nil && b.step() == nil)
      #expect(a.session.frame.items == b.session.frame.items)
      #expect(a.session.status == b.session.status)
      #expect(a.running == b.running)
    }
  }
}

/// One long random session and the bookkeeping of a strict host.
private struct RandomRun {
  var session = Session()
  var running: RequestID?
  var requests = 0
  private var g: SplitMix64
  private var time = 0.0
  private var lastID: Int32 = 0
  private var lastRequestTime = -Double.infinity
  /// Whether automatic refreshing may happen at all.
  private var mayRefresh = false
  private var isSuspended = false
  /// Whether the event at hand answers the running request with a world.
  private var isAnswer = false
  /// The latest time the session was given.
  private var clock = -Double.infinity

  init(seed: UInt64) { g = SplitMix64(seed: seed) }

  /// One event, frame and check; answers what is wrong.
  mutating func step() -> String? {
    time += Double.random(in: 0...0.5, using: &g)
    let event = self.event()
    switch event {
    case .suspend: isSuspended = true
    case .resume: isSuspended = false
    case .loaded(let id, let world) where id == running:
      running = nil
      isAnswer = true
      mayRefresh = world.refreshAddress != nil
    case .failed(let id, _) where id == running:
      running = nil
      mayRefresh = false
    default: break
    }
    let given = chance(0.05) ? oddNumber() : time
    if given.isFinite { clock = max(clock, given) }
    session.handle(event, at: given)
    if let broken = checkEffects() { return broken }
    isAnswer = false
    clock = max(clock, time)
    session.makeFrame(at: time)
    if let broken = checkEffects() { return broken }
    return checkFrame()
  }

  private mutating func checkEffects() -> String? {
    var cancelled: RequestID?
    while let effect = session.nextEffect() {
      switch effect {
      case .cancel(let id):
        if id != running { return "cancelled \(id), which does not run" }
        cancelled = id
        running = nil
      case .request(let request):
        requests += 1
        if running != nil { return "two requests run" }
        if request.id.rawValue <= lastID { return "an identifier came back" }
        let isAutomatic = request.event == .refreshOnTime || request.event == .refreshOnDistance
        if isAutomatic {
          if cancelled != nil { return "an automatic request replaced a running one" }
          if !mayRefresh { return "automatic refreshing after a failure or without an address" }
          if isSuspended { return "automatic refreshing while suspended" }
          if clock - lastRequestTime < 1 { return "automatic refreshing after \(clock - lastRequestTime) s" }
        }
        if (request.source != .none) != (request.event == .refreshOnPress) { return "a source without a press" }
        let numbers = [
          request.latitudeDegrees, request.longitudeDegrees, request.altitude, request.bearingDegrees,
          request.pitchDegrees, request.rollDegrees,
        ]
        if !numbers.allSatisfy(\.isFinite) { return "a field of the request is not a number" }
        if abs(request.latitudeDegrees) > 90 || abs(request.longitudeDegrees) > 180 { return "a field is out of range" }
        if request.width < 0 || request.height < 0 { return "a negative size" }
        lastID = request.id.rawValue
        lastRequestTime = clock
        running = request.id
      case .selectionChanged(let feature):
        if let feature, !(0..<Int32(session.world.features.count)).contains(feature) { return "selected \(feature)" }
      case .worldChanged: if !isAnswer { return "the world changed without an answer to the running request" }
      case .aligned(_, let angle): if !angle.radians.isFinite { return "aligned by no number" }
      case .openWebPage, .remember, .loadFailed: break
      }
    }
    return nil
  }

  private func checkFrame() -> String? {
    let frame = session.frame
    if let selected = session.selected, !session.world.features.indices.contains(Int(selected)) {
      return "\(selected) is selected of \(session.world.features.count)"
    }
    guard frame.isValid else {
      return frame.items.isEmpty && frame.arrows.isEmpty ? nil : "a frame that is none shows items"
    }
    for item in frame.items {
      let numbers = [
        item.anchor.x, item.anchor.y, item.center.x, item.center.y, item.width, item.height, item.depth, item.distance,
        item.opacity,
      ]
      if !numbers.allSatisfy(\.isFinite) { return "an item of the frame is not a number" }
      if !session.world.features.indices.contains(Int(item.feature)) { return "an item of no feature" }
    }
    for arrow in frame.arrows where !(arrow.position.x.isFinite && arrow.position.y.isFinite) {
      return "an arrow is nowhere"
    }
    for blip in frame.radar.blips where !(blip.position.length <= 1.000001) { return "a blip outside the radar" }
    if !frame.clipFromWorld.allSatisfy(\.isFinite) { return "the matrix is not a number" }
    if frame.overlayVisible.count != session.world.overlays.count { return "overlays are missing" }
    return nil
  }

  // MARK: Chance

  private mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &g) < probability }

  private mutating func oddNumber() -> Double {
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

  private mutating func event() -> SessionEvent {
    switch Int.random(in: 0..<32, using: &g) {
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
    case 18: .touch(Vector2(number(0...900), number(0...900)))
    case 19: .press(feature: index())
    case 20: .pressOverlay(index())
    case 21: .select(chance(0.3) ? nil : index())
    case 22: chance(0.5) ? .setRadius(number(10...20_000)) : .setCategories(g.next())
    case 23: .setFrozen(chance(0.3))
    case 24: chance(0.5) ? .suspend : .resume
    case 25...28: .motion(motion())
    case 29, 30: alignment()
    default: chance(0.5) ? .toggleCluster(index()) : .orientationUnavailable(.denied)
    }
  }

  private mutating func vector(_ range: ClosedRange<Double>) -> Vector3? {
    chance(0.2) ? nil : Vector3(number(range), number(range), number(range))
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

  private mutating func alignment() -> SessionEvent {
    let point = chance(0.3) ? nil : Vector2(number(0...900), number(0...900))
    let place = Geodetic(
      latitudeDegrees: number(48.3...48.5),
      longitudeDegrees: number(9.9...10.1),
      altitude: number(0...900)
    )
    switch Int.random(in: 0..<7, using: &g) {
    case 0: return .dragWorld(from: Vector2(number(0...900), number(0...900)), to: point ?? .zero)
    case 1: return .pointAtPlace(place, at: point)
    case 2: return .pointAtFeature(index(), at: point)
    case 3: return .pointAtBody(chance(0.5) ? .sun : .moon, at: point)
    case 4: return .pictureAge(number(-1...1))
    case 5: return .forgetHeadingCorrections
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
      feature.altitudeMode = chance(0.5) ? .eye : .absolute
      feature.offset = Vector3(number(-50...50), number(-50...50), number(-50...50))
      feature.width = number(0...200)
      feature.height = number(0...80)
      feature.sizeMode = chance(0.2) ? .trueSize : .constant
      feature.pivot = Vector2(number(0...1), number(0...1))
      feature.category = UInt8.random(in: 0...255, using: &g)
      feature.visibilityRadius = number(0...5000)
      feature.action = action()
      feature.focusOverlays = 0..<Int.random(in: 0...4, using: &g)
      world.features.append(feature)
    }
    for _ in 0..<Int.random(in: 0...3, using: &g) {
      var overlay = SceneOverlay()
      overlay.hidden = chance(0.5)
      overlay.action = action()
      world.overlays.append(overlay)
    }
    world.focusOverlays = [0, 1, 2, 77, -1]
    world.radarRange = number(100...20_000)
    world.refresh = RefreshRule(intervalSeconds: number(0...5), distance: number(0...500))
    world.refreshAddress = chance(0.3) ? nil : AddressID(index())
    return world
  }

  private mutating func action() -> SceneAction {
    [.none, .refresh, .webPage(AddressID(3)), .dimension(AddressID(4))].randomElement(using: &g) ?? .none
  }
}
