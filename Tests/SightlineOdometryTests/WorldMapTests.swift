import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// What was seen before is recognised, and nothing else.
@Suite struct WorldMapTests {
  // MARK: Poses

  /// Points around a view and where it sees them; some of the directions belong to none of them.
  private static func matches(
    _ pose: UprightTransform,
    right: Int,
    wrong: Int,
    noise: Double,
    seed: UInt64
  ) -> [UprightPose.Match] {
    var random = SplitMix64(seed: seed)
    func uniform(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }
    return (0..<(right + wrong)).map { index in
      let seen = Vector3(uniform(-1.5, 1.5), uniform(1.5, 5), uniform(-1.2, 1.2))
      let other = Vector3(uniform(-1.5, 1.5), uniform(1.5, 5), uniform(-1.2, 1.2))
      let blur = Vector3(uniform(-noise, noise), uniform(-noise, noise), uniform(-noise, noise))
      let ray = ((index < right ? seen : other).normalized ?? seen) + blur
      return UprightPose.Match(
        point: pose * seen,
        ray: ray.normalized ?? ray,
        origin: .zero,
        seenFrom: pose.translation + Vector3(0.3, 0, 0),
        rhoDeviation: 0.01,
        place: SIMD2(Float(index) / 200, 0.5)
      )
    }
  }

  @Test func `two points fix a turn and a place`() throws {
    let pose = UprightTransform(yaw: 2.3, translation: Vector3(1, -2, 0.4))
    let list = Self.matches(pose, right: 2, wrong: 0, noise: 0, seed: 5)
    let found = UprightPose.minimal(list[0], list[1])
    #expect(
      found.contains { abs(wrapToPi($0.yaw - pose.yaw)) < 1e-9 && ($0.translation - pose.translation).length < 1e-9 }
    )
  }

  @Test(arguments: 1...5) func `a pose is found among as many wrong matches as right ones`(seed: UInt64) throws {
    let pose = UprightTransform(yaw: -1.1 + Double(seed), translation: Vector3(0.7, 3, -0.2))
    let list = Self.matches(pose, right: 50, wrong: 50, noise: 0.003, seed: seed)
    let sample = try #require(UprightPose.sample(list, tries: 400, seed: 7, prior: nil))
    let found = try #require(UprightPose(list, start: sample.pose, tiltDeviation: 0.01))
    #expect((found.mapFromView.translation - pose.translation).length < 0.01)
    #expect(abs(wrapToPi(found.mapFromView.yaw - pose.yaw)) < 0.004)
    #expect(found.inliers.count >= 45)
    #expect(found.inliers.filter { $0 >= 50 }.count < 5)
  }

  @Test func `a prior that excludes the pose finds nothing there`() {
    let pose = UprightTransform(yaw: 1, translation: .zero)
    let list = Self.matches(pose, right: 40, wrong: 0, noise: 0.002, seed: 9)
    let away = UprightTransform(yaw: -2, translation: Vector3(9, 9, 0))
    let found = UprightPose.sample(list, tries: 300, seed: 3, prior: (away, 0.2, 1))
    #expect(found == nil)
  }

  @Test func `points that are no numbers, or all the same, give no pose`() {
    var list = Self.matches(.identity, right: 20, wrong: 0, noise: 0, seed: 2)
    for i in list.indices { list[i].point = Vector3(.nan, 1, 2) }
    #expect(UprightPose(list, start: .identity, tiltDeviation: 0.01) == nil)
    _ = UprightPose.sample(list, tries: 50, seed: 1, prior: nil)
    for i in list.indices { list[i].point = Vector3(0, 2, 0) }
    #expect(UprightPose.sample(list, tries: 50, seed: 1, prior: nil) == nil)
    #expect(UprightPose.sample([], tries: 50, seed: 1, prior: nil) == nil)
  }

  // MARK: Pose graph

  private static func view(_ lens: Vector3, time: Double = 0) -> MapView {
    MapView(
      lens: lens,
      worldFromCamera: .identity,
      lever: .zero,
      time: time,
      epoch: 0,
      variance: MapVariance(position: 1e-4, yaw: 1e-6),
      features: [],
      numbers: []
    )
  }

  /// A way round in a circle, as it is and as it was measured.
  private static func circle(
    count: Int,
    yawDrift: Double
  ) -> (true: [UprightTransform], keyFrames: [KeyFrame], graph: PoseGraph) {
    let truth = (0..<count).map { index -> UprightTransform in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      return UprightTransform(
        yaw: wrapToPi(angle),
        translation: Vector3(3 * sin(angle), 3 - 3 * cos(angle), 0.1 * sin(3 * angle))
      )
    }
    var graph = PoseGraph()
    var keyFrames: [KeyFrame] = []
    var pose = truth[0]
    for index in 0..<count {
      if index > 0 {
        var way = truth[index - 1].inverse * truth[index]
        way.yaw += yawDrift
        way.translation = way.translation * 1.02
        pose = pose * way
        graph.add(
          .init(from: index - 1, to: index, pose: way, variance: MapVariance(position: 1e-3, yaw: 4e-4), isLoop: false)
        )
      }
      keyFrames.append(
        KeyFrame(
          number: index,
          view: view(.zero),
          pose: pose,
          shown: pose,
          variance: MapVariance(position: 1e-4, yaw: 1e-6),
          isWaypoint: false
        )
      )
    }
    return (truth, keyFrames, graph)
  }

  private static func solve(_ graph: inout PoseGraph, _ keyFrames: [KeyFrame], iterations: Int) throws {
    graph.begin(keyFrames)
    var slices = 0
    while graph.isSolving {
      slices += 1
      try #require(slices < 5000)
      guard let poses = graph.advance(iterations: iterations) else { continue }
      for (keyFrame, pose) in zip(keyFrames, poses) { keyFrame.pose = pose }
    }
  }

  @Test func `a loop takes the drift out of the way round, whatever the slices are`() throws {
    for iterations in [1, 12, 500] {
      let (truth, keyFrames, begun) = Self.circle(count: 40, yawDrift: 0.01)
      var graph = begun
      let before = (keyFrames[39].pose.translation - truth[39].translation).length
      #expect(before > 0.3)
      let back = truth[39].inverse * truth[0]
      graph.add(.init(from: 39, to: 0, pose: back, variance: MapVariance(position: 1e-5, yaw: 1e-5), isLoop: true))
      try Self.solve(&graph, keyFrames, iterations: iterations)
      for (keyFrame, pose) in zip(keyFrames, truth) {
        #expect((keyFrame.pose.translation - pose.translation).length < 0.15)
        #expect(abs(wrapToPi(keyFrame.pose.yaw - pose.yaw)) < 0.03)
      }
      #expect((keyFrames[39].pose.translation - truth[39].translation).length < 0.02)
      #expect(keyFrames[0].pose == truth[0])
    }
  }

  @Test func `a key frame that is left out hands on what tied it`() throws {
    let (truth, all, begun) = Self.circle(count: 40, yawDrift: 0.01)
    var (keyFrames, graph) = (all, begun)
    let back = truth[20].inverse * truth[0]
    graph.add(.init(from: 20, to: 0, pose: back, variance: MapVariance(position: 1e-5, yaw: 1e-5), isLoop: true))
    for number in [20, 11, 12, 13, 39] {
      graph.remove(number)
      keyFrames.removeAll { $0.number == number }
    }
    try Self.solve(&graph, keyFrames, iterations: 50)
    let near = try #require(keyFrames.first { $0.number == 19 })
    #expect((near.pose.translation - truth[19].translation).length < 0.1)
    #expect(
      graph.edges.allSatisfy { ![20, 11, 12, 13, 39].contains($0.from) && ![20, 11, 12, 13, 39].contains($0.to) }
    )
  }

  @Test func `a loop that contradicts everything is dropped`() throws {
    let (truth, keyFrames, begun) = Self.circle(count: 30, yawDrift: 0)
    var graph = begun
    for other in [0, 1, 2] {
      let way = truth[29].inverse * truth[other]
      graph.add(.init(from: 29, to: other, pose: way, variance: MapVariance(position: 1e-4, yaw: 1e-4), isLoop: true))
    }
    try Self.solve(&graph, keyFrames, iterations: 100)
    let isDroppedEarly = graph.dropContradiction(keyFrames)
    #expect(!isDroppedEarly)
    var wrong = truth[15].inverse * truth[3]
    wrong.translation = wrong.translation + Vector3(2, 1, 0)
    graph.add(.init(from: 15, to: 3, pose: wrong, variance: MapVariance(position: 1e-4, yaw: 1e-4), isLoop: true))
    try Self.solve(&graph, keyFrames, iterations: 100)
    let isDropped = graph.dropContradiction(keyFrames)
    #expect(isDropped)
    #expect(!graph.edges.contains { $0.from == 15 && $0.isLoop })
    try Self.solve(&graph, keyFrames, iterations: 100)
    #expect((keyFrames[15].pose.translation - truth[15].translation).length < 0.2)
  }

  @Test func `key frames and what is known of them stay bounded, and attached places stay where they are`() throws {
    let map = WorldMap()
    let place = UprightTransform(yaw: 0.3, translation: Vector3(2, 0, 0))
    let handle = map.attach(place)
    for index in 0..<300 {
      let angle = Double(index) * 0.7
      map.add(
        Self.view(Vector3(Double(index) * 0.1 * cos(angle), Double(index) * 0.1 * sin(angle), 1), time: Double(index))
      )
    }
    #expect(map.keyFrameCount == WorldMap.mostKeyFrames)
    #expect(map.graph.edges.count <= 400)
    let found = try #require(map.pose(of: handle))
    #expect((found.translation - place.translation).length < 1e-6)
    #expect(abs(found.yaw - place.yaw) < 1e-6)
    map.detach(handle)
    #expect(map.pose(of: handle) == nil)
  }

  // MARK: The whole

  /// What a tracker says of a phone that is carried through rooms.
  private struct Journey {
    /// Frames whose lens is covered.
    var covered = 0..<0
    /// Frames and readings that never come, seconds.
    var away: ClosedRange<Double>?
    /// Which room's walls are seen at a moment.
    var pattern: (Double) -> Int = { _ in 0 }

    func run(seconds: Double, each: (Double, OdometryEstimate, Vector3, WorldTracker) -> Void) throws {
      let room = DrawnRoom(.walk)
      let tracker = WorldTracker(
        DrawnRoom.configuration()
      )
      var sample = 1
      for frame in 0..<Int(seconds * 30) {
        let time = 0.6 + Double(frame) / 30
        let stamp = time + room.timeOffset
        room.giveReadings(to: tracker, until: stamp, sample: &sample, away: away)
        if let away, away.contains(stamp) { continue }
        let pixels =
          covered.contains(frame)
          ? [UInt8](repeating: 20, count: DrawnRoom.width * DrawnRoom.height)
          : DrawnRoom(.walk, pattern: pattern(time)).picture(at: time)
        let estimate = try pixels.withUnsafeBufferPointer { buffer in
          let view = try GrayView(buffer, width: DrawnRoom.width, height: DrawnRoom.height, stride: DrawnRoom.width)
          return tracker.take(view, stamp: stamp)
        }
        let p = room.lens(time)
        each(time, estimate, Vector3(p.x, p.y, p.z), tracker)
      }
    }
  }

  /// How far the world of later estimates is from that of earlier ones: metres, when the earlier ones are brought to the truth by a
  /// turn about the vertical and a shift.
  private static func shift(
    _ rows: [(time: Double, told: Vector3, truth: Vector3)],
    before: Double,
    after: Double
  ) -> Double {
    let first = rows.filter { $0.time < before }
    let last = rows.filter { $0.time > after }
    guard !first.isEmpty, !last.isEmpty else { return .infinity }
    func mean(_ list: [Vector3]) -> Vector3 { list.reduce(Vector3.zero, +) * (1 / Double(list.count)) }
    let (a, b) = (mean(first.map { $0.told }), mean(first.map { $0.truth }))
    var (dot, cross) = (0.0, 0.0)
    for row in first {
      let (p, q) = (row.told - a, row.truth - b)
      dot += p.x * q.x + p.y * q.y
      cross += p.x * q.y - p.y * q.x
    }
    let turn = UprightTransform(yaw: atan2(cross, dot), translation: .zero)
    return mean(last.map { turn * ($0.told - a) - ($0.truth - b) }).length
  }

  @Test func `after a covered lens the place is found again, and what is attached stays`() throws {
    var rows: [(time: Double, told: Vector3, truth: Vector3)] = []
    var handle = 0
    var found = 0
    var (attachedBefore, attachedAfter): (Vector3?, Vector3?) = (nil, nil)
    try Journey(covered: 210..<270).run(seconds: 10.5) { time, estimate, truth, tracker in
      if time > 3 { rows.append((time, estimate.position, truth)) }
      if abs(time - 7) < 0.01 {
        #expect(tracker.map.keyFrameCount > 0)
        handle = tracker.map.attach(UprightTransform(yaw: 0, translation: estimate.position + Vector3(0, 1, 0)))
        attachedBefore = tracker.map.pose(of: handle)?.translation
      }
      if time > 8.5, time < 9.5 { #expect(estimate.isLost) }
      if time > 10.5 { #expect(!estimate.isLost) }
      attachedAfter = tracker.map.pose(of: handle)?.translation
      found = tracker.map.relocalisationCount
    }
    #expect(found == 1)
    #expect(Self.shift(rows, before: 7.3, after: 10.5) < 0.08)
    let (a, b) = (try #require(attachedBefore), try #require(attachedAfter))
    #expect((a - b).length < 0.05)
  }

  @Test func `after a pause the world is the same again`() throws {
    var rows: [(time: Double, told: Vector3, truth: Vector3)] = []
    var found = 0
    try Journey(away: 7.4...9.2).run(seconds: 13) { time, estimate, truth, tracker in
      if time > 3 { rows.append((time, estimate.position, truth)) }
      found = tracker.map.relocalisationCount
    }
    #expect(found >= 1)
    #expect(Self.shift(rows, before: 7.3, after: 12.5) < 0.12)
  }

  /// Two parts of the map, of which one is seen after a pause in another room, are one when the first room is recognised.
  @Test func `parts of the map are joined by what is recognised, and what is tied to either goes with it`() throws {
    var (old, new) = (0, 0)
    var (isOldKnown, isNewKnown) = ([Bool](), [Bool]())
    var (before, after): (Vector3, Vector3) = (.zero, .zero)
    var deviations: [Double] = []
    try Journey(away: 7.4...9.2, pattern: { $0 > 8 && $0 < 16 ? 1 : 0 }).run(seconds: 20) {
      time,
      estimate,
      truth,
      tracker in
      let map = tracker.map
      if abs(time - 7) < 0.01 {
        old = map.attach(UprightTransform(yaw: 0, translation: estimate.position - truth))
        before = map.pose(of: old)?.translation ?? .zero
      }
      if abs(time - 15) < 0.01 { new = map.attach(UprightTransform(yaw: 0, translation: estimate.position)) }
      guard time > 9.3 else { return }
      if time < 15 || time > 19 { isOldKnown.append(map.pose(of: old) != nil) }
      if time < 15 { deviations.append(estimate.positionDeviation) }
      if time > 15.1 { isNewKnown.append(map.pose(of: new) != nil) }
      after = map.pose(of: old)?.translation ?? .zero
    }
    #expect(!isOldKnown.isEmpty && isOldKnown.last == true && isOldKnown.first == false)
    #expect(isNewKnown.allSatisfy { $0 })
    #expect((before - after).length < 0.05)
    #expect((deviations.min() ?? 0) > 1, "nobody knows what happened during the pause")
  }

  @Test func `another room is not taken for the one that was seen`() throws {
    var found = 0
    var keyFrames = 0
    try Journey(away: 7.4...9.2, pattern: { $0 < 8 ? 0 : 1 }).run(seconds: 12.5) { time, estimate, _, tracker in
      if time < 7.4 { keyFrames = tracker.map.keyFrameCount }
      found = tracker.map.relocalisationCount + tracker.map.loopCount
      #expect(estimate.position.length.isFinite)
    }
    #expect(keyFrames > 0)
    #expect(found == 0)
  }

  @Test func `views without features and frames that are too small are survived`() throws {
    let empty = Self.view(.zero)
    var search = MapSearch(empty, in: [])
    search.compare(keyFrames: 3)
    #expect(search.isCompared)
    #expect(search.solve(prior: nil, tiltDeviation: 0.01, demand: .nearby) == nil)
    var depths = MapDepths(empty, others: [empty, Self.view(Vector3(1, 0, 0))])
    let isDone = depths.advance(features: 10)
    #expect(isDone)
    let builder = MapViewBuilder()
    let pixels = [UInt8](repeating: 9, count: 64 * 20)
    let configuration = OdometryConfiguration(
      width: 64,
      height: 20,
      focal: 60,
      screenAngleDegrees: 0,
      readoutDirection: .down
    )
    let clone = Clone(
      slot: 0,
      start: 0,
      time: 0,
      attitude: .identity,
      position: .zero,
      velocity: .zero,
      acceleration: .zero,
      rate: .zero,
      rateSlope: .zero
    )
    try pixels.withUnsafeBufferPointer { buffer in
      let view = try GrayView(buffer, width: 64, height: 20, stride: 64)
      builder.begin(
        view,
        clone: clone,
        camera: CameraEstimate(configuration),
        epoch: 0,
        variance: MapVariance(position: 1, yaw: 1)
      )
    }
    #expect(!builder.isBusy)
    #expect(builder.advance(budget: 100) == nil)
  }
}
