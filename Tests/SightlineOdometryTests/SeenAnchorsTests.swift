import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// What vision has seen: where it is when it is seen no more.
@Suite(.serialized) struct SeenAnchorsTests {
  private static let marker = AnchorID.marker(dictionary: 11, id: 7)
  private static let wall = AnchorID.wall(0)
  private static let side = 0.3

  /// A walk in a drawn room with a marker on its northern wall, of which vision sees what the truth says.
  private struct Walk {
    let room = DrawnRoom(.walk)
    let tracker: WorldTracker
    let anchors = SeenAnchors()
    /// What vision takes the camera to be.
    var camera: FrameCamera
    /// The middle of the marker, and what is said of its size.
    var place = SIMD3(-0.3, 2.5, 1.5)
    var width = SeenAnchorsTests.side
    /// Whether it hangs on a wall of which vision sees other things too.
    var isOnWall = false
    private(set) var (stamp, frame, sample) = (0.0, 0, 1)
    /// Of the last frame.
    private(set) var carried: [Observation] = []
    private(set) var estimate: OdometryEstimate?

    init(focal: Double = 258) {
      let configuration = DrawnRoom.configuration()
      tracker = WorldTracker(configuration)
      camera = tracker.camera
      (camera.intrinsics.focalX, camera.intrinsics.focalY) = (focal, focal)
    }

    /// Goes on; `false` where nothing is seen of the marker, or of anything.
    mutating func go(seconds: Double, isShown: Bool = true, isCovered: Bool = false) throws {
      for _ in 0..<Int(seconds * 30) {
        let time = 0.6 + Double(frame) / 30
        frame += 1
        stamp = time + room.timeOffset
        room.giveReadings(to: tracker, until: stamp, sample: &sample)
        anchors.take(isShown && !isCovered ? seen(at: time) : [], by: camera, in: tracker)
        let pixels =
          isCovered ? [UInt8](repeating: 20, count: DrawnRoom.width * DrawnRoom.height) : room.picture(at: time)
        let estimate = try pixels.withUnsafeBufferPointer { buffer in
          let view = try GrayView(buffer, width: DrawnRoom.width, height: DrawnRoom.height, stride: DrawnRoom.width)
          return tracker.take(view, stamp: stamp, rectangles: anchors.rectangles)
        }
        carried = anchors.follow(in: tracker, estimate, time: stamp)
        self.estimate = estimate
      }
    }

    /// What vision sees of the marker, if all of it is in the picture.
    private func seen(at time: Double) -> [Observation] {
      let h = SeenAnchorsTests.side / 2
      var corners = Quadrilateral(repeating: .zero)
      for (k, (x, z)) in [(-h, h), (h, h), (h, -h), (-h, -h)].enumerated() {
        guard let pixel = room.pixel(of: place + SIMD3(x, 0, z), at: time),
          (0..<Double(DrawnRoom.width)).contains(pixel.x), (0..<Double(DrawnRoom.height)).contains(pixel.y)
        else { return [] }
        corners[k] = Vector2(pixel.x, pixel.y)
      }
      guard
        let rectangle = KnownRectangle(
          SeenAnchorsTests.marker,
          width: width,
          height: width,
          corners: corners,
          by: camera
        )
      else { return [] }
      let marker = Observation(
        SeenAnchorsTests.marker,
        state: .tracked,
        corners: corners,
        pose: rectangle.pose,
        cornerSigma: 0.1,
        width: width
      )
      guard isOnWall else { return [marker] }
      var wall = marker
      wall.anchor = SeenAnchorsTests.wall
      // As wide as what its pose was taken from, which changes.
      if frame % 2 == 0 { wall.width = 0.6 }
      return [marker, wall]
    }

    /// How far from its true place something is seen in the last frame, metres, when its size is right; `nil` without a pose.
    func error(_ observation: Observation) -> Double? {
      guard var p = observation.pose?.translation else { return nil }
      p.z *= room.focal / camera.intrinsics.focalX
      let time = stamp - room.timeOffset
      // As the line is read that it is seen on.
      let column = clamp(observation.corners.center.x, 0, Double(DrawnRoom.width - 1))
      let moment = time + room.readout * (0.5 - column / Double(DrawnRoom.width - 1))
      let (lens, axes) = (room.lens(moment), room.attitude(moment))
      let place = lens + axes.x * p.x - axes.y * p.y - axes.z * p.z
      let apart = place - self.place
      return (apart * apart).sum().squareRoot()
    }

    /// The largest error over some seconds in which it is not seen.
    mutating func largestError(seconds: Double) throws -> Double {
      var largest = 0.0
      for _ in 0..<Int(seconds * 6) {
        try go(seconds: 1.0 / 6 + 1e-9, isShown: false)
        let one = try #require(carried.first)
        #expect(one.anchor == SeenAnchorsTests.marker && one.state == .carried && one.width == width && one.isFinite)
        #expect(one.unseen > 0 && one.cornerSigma > 0)
        largest = max(largest, try #require(error(one)))
      }
      return largest
    }
  }

  @Test func `a wall stays where it is, whatever of it was seen last`() throws {
    var walk = Walk()
    walk.isOnWall = true
    try walk.go(seconds: 3)
    try walk.go(seconds: 4, isShown: false)
    let wall = try #require(walk.carried.first { $0.anchor == Self.wall })
    #expect(wall.state == .carried)
    let error = try #require(walk.error(wall))
    #expect(error < 0.05, "\(error)")
  }

  @Test func `a marker that is covered stays where it is`() throws {
    var walk = Walk()
    try walk.go(seconds: 3)
    #expect(walk.carried.isEmpty, "as long as it is seen there is nothing to carry on")
    #expect(walk.estimate?.state == .metric)
    let largest = try walk.largestError(seconds: 8)
    #expect(largest < 0.05, "\(largest)")
    // Its corners are where it is seen.
    let one = try #require(walk.carried.first)
    let truth = try #require(walk.room.pixel(of: walk.place, at: walk.stamp - walk.room.timeOffset))
    #expect((one.corners.center - Vector2(truth.x, truth.y)).length < 8)
    #expect(one.unseen > 7.9)
  }

  @Test func `what vision takes the lens to be does not move it on the picture`() throws {
    var walk = Walk(focal: 280)
    try walk.go(seconds: 4)
    let largest = try walk.largestError(seconds: 3)
    #expect(largest < 0.06, "\(largest)")
    let one = try #require(walk.carried.first)
    let pose = try #require(one.pose)
    let pixel = try #require(walk.camera.intrinsics.pixel(ofPointInCamera: pose.translation))
    #expect((pixel - one.corners.center).length < 3)
  }

  @Test func `a marker that was moved is where it was seen last`() throws {
    var walk = Walk()
    try walk.go(seconds: 4)
    _ = try walk.largestError(seconds: 0.5)
    walk.place = SIMD3(0.25, 2.5, 1.3)
    try walk.go(seconds: 4)
    let largest = try walk.largestError(seconds: 2)
    #expect(largest < 0.06, "\(largest)")
  }

  @Test func `a covered lens loses it once, and where it is recognised it is back`() throws {
    var walk = Walk()
    try walk.go(seconds: 9)
    var states: [ObservationState?] = []
    for _ in 0..<240 {
      try walk.go(seconds: 1.0 / 30 + 1e-9, isCovered: true)
      #expect(walk.carried.count <= 1)
      states.append(walk.carried.first?.state)
    }
    #expect(states.first == .carried && states.count { $0 == .lost } == 1 && states.last == .some(nil))
    try walk.go(seconds: 6, isShown: false)
    let one = try #require(walk.carried.first)
    let error = try #require(walk.error(one))
    #expect(one.state == .carried && error < 0.15, "\(error)")
  }

  @Test func `in another world it is lost, once`() throws {
    var walk = Walk()
    try walk.go(seconds: 4)
    try walk.go(seconds: 0.2, isShown: false)
    #expect(walk.carried.first?.state == .carried)
    walk.anchors.loseAll()
    try walk.go(seconds: 1.0 / 30 + 1e-9, isShown: false)
    #expect(walk.carried.map(\.state) == [.lost] && walk.carried[0].pose == nil)
    try walk.go(seconds: 1.0 / 30 + 1e-9, isShown: false)
    #expect(walk.carried.isEmpty)
  }

  @Test func `two of the same, and others of another size, begin anew`() throws {
    let walk = Walk()
    let square = Quadrilateral(Vector2(90, 130), Vector2(150, 130), Vector2(150, 190), Vector2(90, 190))
    let pose = PlanarPose(
      cameraFromPlane: Quaternion(w: 0, x: 1, y: 0, z: 0),
      translation: Vector3(0, 0, 1),
      reprojectionError: 0
    )
    var one = Observation(Self.marker, state: .found, corners: square, pose: pose, cornerSigma: 0.2, width: 0.25)
    walk.anchors.take([one], by: walk.camera, in: walk.tracker)
    #expect(walk.anchors.rectangles.count == 1 && walk.anchors.rectangles[0].height == 0.25)
    walk.anchors.take([one, one], by: walk.camera, in: walk.tracker)
    #expect(walk.anchors.rectangles.isEmpty && walk.anchors.count == 1)
    one.width = 0.5
    walk.anchors.take([one], by: walk.camera, in: walk.tracker)
    #expect(walk.anchors.rectangles.count == 1 && walk.anchors.count == 1)
    // A picture is as high as it is seen; a wall has no size of its own.
    one.anchor = .picture(3)
    one.corners = Quadrilateral(Vector2(90, 130), Vector2(150, 130), Vector2(150, 160), Vector2(90, 160))
    walk.anchors.take([one], by: walk.camera, in: walk.tracker)
    #expect(abs(walk.anchors.rectangles[0].height - 0.25) < 1e-9)
    one.anchor = .wall(3)
    walk.anchors.take([one], by: walk.camera, in: walk.tracker)
    #expect(walk.anchors.rectangles.isEmpty)
  }

  @Test func `whatever comes, nothing traps`() throws {
    var walk = Walk()
    try walk.go(seconds: 2)
    let odd: [Double] = [.nan, .infinity, -.infinity, 0, -1, 1e-300, 1e9, 1e300, 0.3, 1]
    var random = SplitMix64(seed: 5)
    func any() -> Double { odd[Int(random.next() % UInt64(odd.count))] }
    let estimate = try #require(walk.estimate)
    for round in 0..<3000 {
      let id = Int32(truncatingIfNeeded: random.next() % 200)
      let anchors: [AnchorID] = [
        .marker(dictionary: 1, id: id), .picture(id), .code(UInt64(id)), .wall(id), .placed(id),
      ]
      var corners = Quadrilateral(repeating: .zero)
      for k in 0..<4 { corners[k] = Vector2(any() * 100, any() * 100) }
      var seen = Observation(anchors[round % 5], state: round % 3 == 0 ? .found : .tracked, corners: corners)
      seen.pose = PlanarPose(
        cameraFromPlane: Quaternion(w: any(), x: any(), y: any(), z: any()),
        translation: Vector3(any(), any(), any()),
        reprojectionError: any()
      )
      (seen.width, seen.cornerSigma, seen.confidence) = (any(), any(), any())
      var camera = walk.camera
      if round % 4 == 0 {
        (camera.intrinsics.focalX, camera.distortion.k1, camera.distortion.k3) = (any(), any(), any())
      }
      walk.anchors.take([seen, seen], by: camera, in: walk.tracker)
      let told = walk.anchors.follow(in: walk.tracker, estimate, time: any())
      #expect(told.count <= SeenAnchors.most && walk.anchors.count <= SeenAnchors.most)
    }
  }
}
