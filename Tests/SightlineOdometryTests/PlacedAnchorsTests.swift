import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// What is set down: where it goes, how it lies before the camera, how fingers move it.
@Suite(.serialized) struct PlacedAnchorsTests {
  /// A tracker after a walk of some seconds in a drawn room, its last estimate, and the lens in truth.
  private struct Walk {
    let room: DrawnRoom
    let tracker: WorldTracker
    var estimate: OdometryEstimate
    var stamp = 0.0
    private var (frame, sample) = (0, 1)
    /// Columns that the camera's pictures lack at either side.
    private var cut = 0

    init(seconds: Double, motion: DrawnRoom.Motion = .walk) throws {
      room = DrawnRoom(motion)
      let configuration = DrawnRoom.configuration()
      tracker = WorldTracker(configuration)
      // A picture of another size is none.
      let tracker = tracker
      estimate = try [0].withUnsafeBufferPointer {
        tracker.take(try GrayView($0, width: 1, height: 1, stride: 1), stamp: 0)
      }
      try go(seconds: seconds)
    }

    /// Time goes by without frames and readings.
    mutating func skip(seconds: Double) {
      frame += Int(seconds * 30)
      sample += Int(seconds * 60)
    }

    /// Where something is in the room in truth, by how it is seen in the last frame.
    func position(of seen: Observation) -> Vector3 {
      guard let pose = seen.pose else { return .zero }
      let time = stamp - room.timeOffset
      let (lens, axes, p) = (room.lens(time), room.attitude(time), pose.translation)
      // Camera axes of an upright phone: x right, y down, z forward.
      let place = lens + axes.x * p.x - axes.y * p.y - axes.z * p.z
      return Vector3(place.x, place.y, place.z)
    }

    mutating func go(seconds: Double, covered: Bool = false) throws {
      for _ in 0..<Int(seconds * 30) {
        let time = 0.6 + Double(frame) / 30
        frame += 1
        stamp = time + room.timeOffset
        room.giveReadings(to: tracker, until: stamp, sample: &sample)
        let pixels =
          covered
          ? [UInt8](repeating: 20, count: DrawnRoom.width * DrawnRoom.height) : room.picture(at: time)
        estimate = try pixels.withUnsafeBufferPointer { buffer in
          let view = try GrayView(buffer, width: DrawnRoom.width, height: DrawnRoom.height, stride: DrawnRoom.width)
          let shown = view.cropped(x: cut, y: 0, width: DrawnRoom.width - 2 * cut, height: DrawnRoom.height)
          return tracker.take(shown, stamp: stamp)
        }
      }
    }

    /// From now on the camera gives other pictures.
    mutating func cut(_ columns: Int) {
      cut = columns
      var configuration = DrawnRoom.configuration()
      configuration.width -= 2 * columns
      tracker.goOn(with: configuration)
    }
  }

  private let low = Vector2(119.5, 300)

  @Test func `something set down is seen where it was set, and stays there`() throws {
    var walk = try Walk(seconds: 5)
    var placed = PlacedAnchors()
    let set = placed.place(7, at: low, posture: .standing, height: 0.4, in: walk.tracker)
    let hit = try #require(set)
    let all1 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let seen = try #require(all1.first)
    #expect(seen.anchor == .placed(7) && seen.state == .found && seen.width == 1 && seen.isFinite)
    let pose = try #require(seen.pose)
    // The origin of its plane is under the pixel.
    let view = try #require(walk.tracker.view)
    let pixel = try #require(
      view.camera.intrinsics.pixel(ofPointInCamera: pose.translation, through: view.camera.distortion)
    )
    #expect((pixel - low).length < 0.01)
    #expect(abs(pose.translation.length - (hit.point - view.position).length) < 1e-9)
    // It stands upright: its z axis is the world's, and what the camera sees of "up" lies along it.
    let up = view.worldFromCamera * (pose.cameraFromPlane * Vector3(0, 0, 1))
    #expect(up.z > 0.9999)
    // Its front looks to who set it down, along the ground.
    let front = view.worldFromCamera * (pose.cameraFromPlane * Vector3(0, -1, 0))
    let back = view.position - hit.point
    #expect(front.dot(Vector3(back.x, back.y, 0).normalized ?? .zero) > 0.999)
    let before = placed.all[0].position
    try walk.go(seconds: 2)
    let all2 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let later = try #require(all2.first)
    #expect(later.state == .tracked && later.unseen == 0)
    #expect((placed.all[0].position - before).length < 1e-12 || placed.all[0].kind != .guessedFloor)
  }

  @Test func `corners of the square agree with its pose`() throws {
    let walk = try Walk(seconds: 4)
    var placed = PlacedAnchors()
    placed.place(1, at: Vector2(119.5, 160), posture: .flat, height: 0, in: walk.tracker)
    let all3 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let seen = try #require(all3.first)
    let (pose, view) = (try #require(seen.pose), try #require(walk.tracker.view))
    for (k, corner) in [Vector3(-0.5, 0.5, 0), Vector3(0.5, 0.5, 0), Vector3(0.5, -0.5, 0), Vector3(-0.5, -0.5, 0)]
      .enumerated()
    {
      let point = pose.translation + pose.cameraFromPlane * corner
      guard point.z > 0.1,
        let pixel = view.camera.intrinsics.pixel(ofPointInCamera: point, through: view.camera.distortion)
      else { continue }
      #expect((seen.corners[k] - pixel).length < 1e-9)
    }
  }

  @Test func `a finger takes, drags and turns it`() throws {
    let walk = try Walk(seconds: 5)
    var placed = PlacedAnchors()
    placed.place(1, at: low, posture: .standing, height: 0.2, in: walk.tracker)
    #expect(placed.nearest(to: low + Vector2(3, -4), in: walk.tracker) == 1)
    #expect(placed.nearest(to: Vector2(10, 10), in: walk.tracker) == nil)
    // Its foot keeps its distance from the finger.
    placed.hold(1, at: low + Vector2(6, -8), in: walk.tracker)
    let moved = low + Vector2(-30, -10)
    let dragged = placed.drag(to: moved + Vector2(6, -8), in: walk.tracker)
    #expect(dragged != nil)
    let view = try #require(walk.tracker.view)
    let foot = try #require(view.pixel(of: placed.all[0].position))
    #expect((foot - moved).length < 0.01)
    let front = placed.all[0].worldFromAnchor * Vector3(1, 0, 0)
    // A quarter turn clockwise on the display is one clockwise from above.
    placed.twist(1, from: (Vector2(0, 0), Vector2(100, 0)), to: (Vector2(0, 0), Vector2(0, 100)))
    let turned = placed.all[0].worldFromAnchor * Vector3(1, 0, 0)
    #expect(abs(front.dot(turned)) < 1e-9 && front.cross(turned).z < -0.999)
    placed.turn(1, by: Angle(degrees: 90))
    #expect((placed.all[0].worldFromAnchor * Vector3(1, 0, 0) - front).length < 1e-9)
    placed.remove(1, in: walk.tracker)
    let nowhere = placed.drag(to: moved, in: walk.tracker)
    #expect(placed.all.isEmpty && nowhere == nil)
  }

  @Test func `a covered lens carries it on, a pause loses it once, and where it is recognised it is back`() throws {
    var walk = try Walk(seconds: 4)
    var placed = PlacedAnchors()
    placed.place(1, at: low, posture: .flat, height: 0, in: walk.tracker)
    let now = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    #expect(now.first?.state == .found)
    try walk.go(seconds: 0.5, covered: true)
    let all4 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let carried = try #require(all4.first)
    #expect(carried.state == .carried && carried.unseen > 0.3 && carried.pose != nil)
    try walk.go(seconds: 3)
    let all5 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let before = try #require(all5.first)
    #expect(before.state == .tracked)
    let place = walk.position(of: before)
    // Some seconds without frames or readings: nobody knows what happened.
    walk.skip(seconds: 2)
    try walk.go(seconds: 0.2)
    let lost = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    #expect(lost.count == 1 && lost[0].state == .lost && lost[0].pose == nil)
    let silent = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    #expect(silent.isEmpty)
    // Until the surroundings are recognised.
    try walk.go(seconds: 5)
    let all6 = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let again = try #require(all6.first)
    #expect(again.state == .found)
    #expect((walk.position(of: again) - place).length < 0.08)
  }

  @Test func `other pictures of the camera lose it once, and where it is recognised it is back`() throws {
    var walk = try Walk(seconds: 7)
    var placed = PlacedAnchors()
    placed.place(1, at: low, posture: .flat, height: 0, in: walk.tracker)
    let place = walk.position(of: try #require(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first))
    walk.cut(20)
    try walk.go(seconds: 0.1)
    #expect(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).map(\.state) == [.lost])
    try walk.go(seconds: 4)
    let again = try #require(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first)
    #expect(again.state == .found)
    let away = (walk.position(of: again) - place).length
    print("after other pictures: \(away) m off")
    #expect(away < 0.08)
  }

  /// Whenever the pause begins, also before there is anything to recognise, nothing comes back in a wrong place; what is set down after it
  /// is where it was set.
  @Test(arguments: [1.6, 2.4, 3.2]) func `after an early pause things are where they were, or lost`(
    seconds: Double
  ) throws {
    var walk = try Walk(seconds: seconds)
    var placed = PlacedAnchors()
    placed.place(1, at: low, posture: .flat, height: 0, in: walk.tracker)
    let all = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    let place = walk.position(of: try #require(all.first))
    walk.skip(seconds: 2)
    try walk.go(seconds: 0.1)
    let lost = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp)
    #expect(lost.map(\.state) == [.lost])
    for _ in 0..<10 {
      try walk.go(seconds: 0.5)
      for seen in placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp) where seen.state != .lost {
        #expect((walk.position(of: seen) - place).length < 0.12)
      }
    }
    let set = placed.place(2, at: low, posture: .flat, height: 0, in: walk.tracker)
    #expect(set != nil)
    let seen = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first { $0.anchor == .placed(2) }
    let new = walk.position(of: try #require(seen))
    try walk.go(seconds: 0.5)
    let later = placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first { $0.anchor == .placed(2) }
    #expect((walk.position(of: try #require(later)) - new).length < 0.05)
  }

  /// Held still before and after a pause it goes on at once, without anything to recognise; moved meanwhile it does not.
  @Test(arguments: [false, true]) func `a pause of a phone that is held still changes nothing, unless it was moved`(
    isMoved: Bool
  ) throws {
    let motion = DrawnRoom.Motion.walkThenRest(from: 3.6, movedAt: isMoved ? 8 : .infinity)
    var walk = try Walk(seconds: 6, motion: motion)
    #expect(walk.estimate.state == .metric)
    var placed = PlacedAnchors()
    placed.place(1, at: low, posture: .flat, height: 0, in: walk.tracker)
    let place = walk.position(of: try #require(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first))
    let before = walk.estimate
    walk.skip(seconds: 60)
    try walk.go(seconds: 0.1)
    #expect(walk.estimate.isLost && walk.estimate.positionDeviation > 1)
    #expect(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).map(\.state) == [.lost])
    guard !isMoved else {
      // A new filter has begun: what is seen again was recognised by the map, in the right place.
      try walk.go(seconds: 1.5)
      #expect(walk.estimate.state != .metric)
      for seen in placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp) where seen.state != .lost {
        #expect((walk.position(of: seen) - place).length < 0.12)
      }
      return
    }
    try walk.go(seconds: 0.5)
    let later = try #require(placed.observe(in: walk.tracker, walk.estimate, time: walk.stamp).first)
    #expect(later.state != .lost && !walk.estimate.isLost && walk.estimate.state == .metric)
    #expect((walk.position(of: later) - place).length < 0.02)
    #expect((walk.estimate.position - before.position).length < 0.01)
    #expect(walk.estimate.positionDeviation < 2 * before.positionDeviation + 0.01)
  }

  @Test func `on a wall a picture hangs upright and a thing stands with its back to it`() throws {
    let hit = SurfaceHit(point: Vector3(0, 3, 1), normal: Vector3(0, -1, 0), kind: .upright, plane: 4, deviation: 0.01)
    let walk = try Walk(seconds: 4)
    // By the public way the pose comes from the surface alone: here its pieces.
    let picture = PlacedAnchors.worldFromPlane(hit, seenAlong: Vector3(0.3, 0.9, -0.2), .flat)
    #expect((picture * Vector3(0, 0, 1) - Vector3(0, -1, 0)).length < 1e-9)
    #expect((picture * Vector3(0, 1, 0) - Vector3(0, 0, 1)).length < 1e-9)
    let thing = PlacedAnchors.worldFromPlane(hit, seenAlong: Vector3(0.3, 0.9, -0.2), .standing)
    #expect((thing * Vector3(0, 0, 1) - Vector3(0, 0, 1)).length < 1e-9)
    #expect((thing * Vector3(0, 1, 0) - Vector3(0, 1, 0)).length < 1e-9)
    // Nothing that is no number moves anything, and there is an end of things.
    var placed = PlacedAnchors()
    let none = placed.place(1, at: Vector2(.nan, 3), posture: .flat, height: .nan, in: walk.tracker)
    #expect(none == nil)
    for number in 0..<Int32(PlacedAnchors.most) {
      placed.place(number, at: low, posture: .flat, height: 0, in: walk.tracker)
    }
    #expect(placed.all.count == PlacedAnchors.most)
    let oneMore = placed.place(1000, at: low, posture: .flat, height: 0, in: walk.tracker)
    #expect(oneMore == nil)
  }
}

/// Larger pictures are halved, and places in them come back.
@Suite struct SmallerPictureTests {
  @Test(arguments: [(640, 480, 1), (641, 480, 2), (1280, 720, 2), (1920, 1080, 4), (480, 640, 1), (1080, 1920, 4)])
  func `sizes`(width: Int, height: Int, factor: Int) throws {
    var smaller = SmallerPicture(width: width, height: height)
    #expect(smaller.factor == factor && smaller.width == width / factor && smaller.height == height / factor)
    let pixels = (0..<(width * height)).map { UInt8(clamping: ($0 % width) / 8) }
    try pixels.withUnsafeBufferPointer { buffer in
      let view = try GrayView(buffer, width: width, height: height, stride: width)
      smaller.with(view) { view in
        #expect(view.width == width / factor && view.height == height / factor)
        let x = min(view.width - 1, 60)
        #expect(abs(Int(view.row(0)[x]) - (x * factor + factor / 2) / 8) <= 1)
      }
    }
    let place = Vector2(17.25, 33.5)
    #expect((smaller.whole(smaller.smaller(place)) - place).length < 1e-12)
    // The middle stays the middle where nothing is left over.
    if width % factor == 0, height % factor == 0 {
      let middle = Vector2(Double(smaller.width - 1) / 2, Double(smaller.height - 1) / 2)
      #expect((smaller.whole(middle) - Vector2(Double(width - 1) / 2, Double(height - 1) / 2)).length < 1e-9)
    }
  }
}

/// What is advised.
@Suite struct TrackingAdvisorTests {
  private func estimate(_ state: OdometryState, tracks: Int = 60, scale: Double = 0.02) -> OdometryEstimate {
    OdometryEstimate(
      state: state,
      position: .zero,
      worldFromCamera: .identity,
      velocity: .zero,
      positionDeviation: 0.01,
      yawDeviation: 0,
      localDeviation: 0.01,
      scaleDeviation: scale,
      focal: 500,
      timeOffset: 0.03,
      rowTime: 3e-5,
      focalDeviation: 0.01,
      trackCount: tracks
    )
  }

  @Test func `the first thing that helps is said, and long enough to be read`() {
    var advisor = TrackingAdvisor()
    func judge(
      _ estimate: OdometryEstimate,
      level: Double = 120,
      rate: Double = 0.2,
      surface: Bool = true,
      at time: Double
    )
      -> TrackingAdvice
    {
      advisor.judge(estimate, level: level, turnRate: rate, hasSurface: surface, time: time)
      return advisor.advice
    }
    #expect(judge(estimate(.none, tracks: 0), at: 0) == .noMotion)
    #expect(judge(estimate(.metric), at: 0.5) == .noMotion, "it stands for a second")
    #expect(judge(estimate(.metric), at: 2) == .none)
    #expect(judge(estimate(.metric, tracks: 9), level: 12, at: 4) == .moreLight)
    #expect(judge(estimate(.metric, tracks: 9), at: 6) == .morePattern)
    #expect(judge(estimate(.metric), rate: 4, at: 8) == .tooFast)
    #expect(judge(estimate(.uncertainScale, scale: 0.6), at: 10) == .moveSideways)
    #expect(judge(estimate(.metric), surface: false, at: 12) == .lookAtFloor)
  }
}
