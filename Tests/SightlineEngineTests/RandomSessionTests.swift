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
    #expect(run.requests > 5 && run.anchored > 0, "seed \(seed) hardly tested anything")
  }

  @Test func `equal events give equal effects and frames`() {
    var a = RandomRun(seed: 99)
    var b = RandomRun(seed: 99)
    for _ in 0..<1500 {
      #expect(a.step() == nil && b.step() == nil)
      #expect(a.session.frame.items == b.session.frame.items)
      #expect(a.session.frame.anchors == b.session.frame.anchors)
      #expect("\(a.session.frame.anchored)" == "\(b.session.frame.anchored)")
      #expect(a.session.surveyedCount == b.session.surveyedCount)
      #expect(a.session.status == b.session.status)
      #expect(a.running == b.running)
    }
  }
}

/// One long random session and the bookkeeping of a strict host.
struct RandomRun {
  var session = Session()
  var running: RequestID?
  var requests = 0
  /// Items on anchors that were drawn.
  var anchored = 0
  var g: SplitMix64
  private(set) var time = 0.0
  private(set) var lastID: Int32 = 0
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
    anchored += session.frame.anchored.count
    return checkFrame() ?? checkAnchors()
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

  private func checkAnchors() -> String? {
    let frame = session.frame
    for anchor in frame.anchors {
      let numbers = [anchor.deviation, anchor.opacity, anchor.age]
      if !numbers.allSatisfy(\.isFinite) { return "an anchor is not a number" }
      if !(0...1 ~= anchor.opacity) || anchor.age < 0 { return "an anchor's opacity or age is none" }
      if anchor.state == .lost, anchor.isInPicture { return "an anchor is lost and in the picture" }
      if let corners = anchor.corners, !(0..<4).allSatisfy({ corners[$0].x.isFinite && corners[$0].y.isFinite }) {
        return "a corner of an anchor is nowhere"
      }
    }
    for item in frame.anchored {
      if !frame.anchors.contains(where: { $0.anchor == item.anchor && $0.state != .lost }) {
        return "an item on no anchor"
      }
      if !session.world.features.indices.contains(Int(item.feature)) { return "an anchored item of no feature" }
      if !(0...1 ~= item.opacity) || !(item.age >= 0) { return "an item's opacity or age is none" }
      if let label = item.label {
        let numbers = [label.x, label.y, label.width, label.height]
        if !numbers.allSatisfy(\.isFinite) { return "a label is nowhere" }
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
}
