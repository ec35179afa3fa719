import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// Poses, surfaces and anchors that a platform gives, as WebXR does: y up, matrices by columns, the camera looking along −z.
@Suite struct PlatformTrackerTests {
  private static let (width, height) = (1080.0, 2160.0)
  /// 60° from left to right, square pixels, nothing off its middle but for a hair.
  private static let projection: [Double] = {
    var p = [Double](repeating: 0, count: 16)
    (p[0], p[5], p[8], p[9], p[10], p[11], p[14]) = (1.732, 0.866, 0.02, -0.03, -1, -1, -0.1)
    return p
  }()

  /// A pose by its place and its turn about the platform's y (up), then about its own x.
  private static func matrix(_ x: Double, _ y: Double, _ z: Double, yaw: Double = 0, pitch: Double = 0) -> [Double] {
    let (a, b, c, s) = (cos(yaw), sin(yaw), cos(pitch), sin(pitch))
    return [a, 0, -b, 0, b * s, c, a * s, 0, b * c, -s, a * c, 0, x, y, z, 1]
  }

  private func take(
    _ tracker: PlatformTracker,
    _ pose: [Double],
    emulated: Bool = false,
    at time: Double
  ) -> OdometryEstimate {
    tracker.take(
      worldFromViewer: pose,
      clipFromViewer: Self.projection,
      width: Self.width,
      height: Self.height,
      isEmulated: emulated,
      time: time
    )
  }

  /// Where WebXR itself draws a point of its world: through the inverse pose and the projection.
  private func drawn(_ point: Vector3, _ m: [Double]) -> Vector2 {
    let d = Vector3(point.x - m[12], point.y - m[13], point.z - m[14])
    let v = (0..<3).map { m[4 * $0] * d.x + m[4 * $0 + 1] * d.y + m[4 * $0 + 2] * d.z }
    let p = Self.projection
    let (x, y) = ((p[0] * v[0] + p[8] * v[2]) / -v[2], (p[5] * v[1] + p[9] * v[2]) / -v[2])
    return Vector2((x + 1) / 2 * Self.width - 0.5, (1 - y) / 2 * Self.height - 0.5)
  }

  @Test func `what is set down stays where it was, as the platform draws it`() throws {
    let tracker = PlatformTracker()
    var placed = PlacedAnchors()
    _ = take(tracker, Self.matrix(0, 1.5, 0, pitch: -0.5), at: 1)
    tracker.takeHit(worldFromHit: Self.matrix(0.3, 0, -2))
    let hit = placed.place(3, at: Vector2(600, 900), posture: .standing, height: 0.5, in: tracker)
    #expect(hit?.kind == .floor && hit?.normal == Vector3(0, 0, 1) && tracker.hasSurface)
    for k in 0..<20 {
      let (t, from) = (
        Double(k) / 20, Self.matrix(2 * Double(k) / 20, 1.5, -Double(k) / 40, yaw: 0.5 * Double(k) / 20, pitch: -0.5)
      )
      let estimate = take(tracker, from, at: 1 + t)
      let seen = try #require(placed.observe(in: tracker, estimate, time: 1 + t).first)
      #expect(seen.state == (k == 0 ? .found : .tracked) && seen.isFinite)
      let pose = try #require(seen.pose)
      let camera = try #require(tracker.view?.camera)
      let pixel = try #require(camera.intrinsics.pixel(ofPointInCamera: pose.translation, through: camera.distortion))
      #expect((pixel - drawn(Vector3(0.3, 0, -2), from)).length < 1e-6)
      // Upright, and its front to who set it down.
      #expect(
        (tracker.view!.worldFromCamera * pose.cameraFromPlane * Vector3(0, 0, 1) - Vector3(0, 0, 1)).length < 1e-9
      )
    }
  }

  @Test func `a pixel's ray is the platform's, and meets what it draws there`() throws {
    let tracker = PlatformTracker()
    let pose = Self.matrix(0, 1.5, 0, yaw: 0.4, pitch: -0.3)
    _ = take(tracker, pose, at: 0)
    let ray = try #require(tracker.ray(through: Vector2(700, 1500)))
    let point = Vector3(
      pose[0] * ray.x + pose[4] * ray.y + pose[8] * ray.z,
      pose[1] * ray.x + pose[5] * ray.y + pose[9] * ray.z,
      pose[2] * ray.x + pose[6] * ray.y + pose[10] * ray.z
    )
    #expect((drawn(Vector3(3 * point.x, 1.5 + 3 * point.y, 3 * point.z), pose) - Vector2(700, 1500)).length < 1e-6)
  }

  @Test func `surfaces are told by their normals and heights`() {
    let tracker = PlatformTracker()
    let kinds: [([Double], SurfaceKind)] = [
      (Self.matrix(0, -0.1, -1), .floor), (Self.matrix(0, 0.75, -1), .level),
      (Self.matrix(0, 1.2, -2, pitch: .pi / 2), .upright),
      (Self.matrix(0, 2.4, -1, pitch: .pi), .ceiling), (Self.matrix(0, 0.3, -1, pitch: 0.8), .points),
    ]
    for (matrix, kind) in kinds {
      _ = take(tracker, Self.matrix(0, 1.5, 0), at: 0)
      #expect(tracker.hitTest(.zero) == nil, "a hit is of one frame")
      tracker.takeHit(worldFromHit: matrix)
      #expect(tracker.hitTest(.zero)?.kind == kind)
    }
  }

  @Test func `a place that is only guessed is carried on for a while, then lost, and found again`() throws {
    let tracker = PlatformTracker()
    var placed = PlacedAnchors()
    let pose = Self.matrix(0, 1.5, 0, pitch: -0.5)
    func states(_ estimate: OdometryEstimate, _ time: Double) -> [ObservationState] {
      placed.observe(in: tracker, estimate, time: time).map(\.state)
    }
    _ = take(tracker, pose, at: 0)
    tracker.takeHit(worldFromHit: Self.matrix(0, 0, -2))
    placed.place(1, at: .zero, posture: .flat, height: 0, in: tracker)
    #expect(states(take(tracker, pose, at: 0), 0) == [.found])
    #expect(states(take(tracker, pose, emulated: true, at: 1), 1) == [.carried])
    let unsure = take(tracker, pose, emulated: true, at: 3)
    #expect(unsure.isLost && unsure.positionDeviation > 0.5)
    #expect(states(unsure, 3) == [.lost])
    #expect(states(take(tracker, [], at: 4), 4) == [], "a loss is told once")
    #expect(states(take(tracker, pose, at: 5), 5) == [.found])
    let gone = take(tracker, [], at: 6)
    #expect(gone.state == .none && gone.isLost && tracker.view == nil)
    #expect(states(gone, 6) == [.lost])
  }

  @Test func `anchors move what is tied to them, a new world loses what has none`() throws {
    let tracker = PlatformTracker()
    var placed = PlacedAnchors()
    let pose = Self.matrix(0, 1.5, 0, pitch: -0.5)
    for number: Int32 in [1, 2] {
      _ = take(tracker, pose, at: 1)
      tracker.takeHit(worldFromHit: Self.matrix(0, 0, -2))
      placed.place(number, at: .zero, posture: .standing, height: 0.4, in: tracker)
    }
    let handle = try #require(placed.handle(of: 1))
    tracker.takeAnchor(handle, worldFromAnchor: Self.matrix(0, 0, -2, yaw: 1))
    let before = placed.observe(in: tracker, take(tracker, pose, at: 1), time: 1)
    tracker.takeAnchor(handle, worldFromAnchor: Self.matrix(0.5, 0.1, -3, yaw: 1.3))
    let after = placed.observe(in: tracker, take(tracker, pose, at: 2), time: 2)
    #expect(before.map(\.state) == [.found, .found] && after.map(\.state) == [.tracked, .tracked])
    // z-up: x, −z, y of the platform.
    #expect((placed.all[0].position - Vector3(0.5, 3, 0.1)).length < 1e-9)
    #expect((placed.all[1].position - Vector3(0, 2, 0)).length < 1e-9)
    let turned = try #require(before[0].pose).cameraFromPlane.inverse * (try #require(after[0].pose)).cameraFromPlane
    #expect(abs(2 * atan2(turned.z, turned.w) - 0.3) < 1e-9)
    tracker.takeReset()
    let reset = placed.observe(in: tracker, take(tracker, pose, at: 3), time: 3)
    #expect(reset.map(\.state) == [.tracked, .lost])
    tracker.takeAnchor(handle, worldFromAnchor: [])
    #expect(placed.observe(in: tracker, take(tracker, pose, at: 4), time: 4).map(\.state) == [.lost])
  }

  @Test func `what is no pose and no camera is not taken`() {
    var broken = Self.matrix(0, 1, 0)
    broken[0] = 2
    var mirrored = Self.matrix(0, 1, 0)
    for k in 8..<11 { mirrored[k] = -mirrored[k] }
    var nowhere = Self.matrix(0, 1, 0)
    nowhere[13] = .nan
    let tracker = PlatformTracker()
    for pose in [broken, mirrored, nowhere, [Double](repeating: .infinity, count: 16), [1]] {
      #expect(take(tracker, pose, at: 0).state == .none)
      #expect(tracker.view == nil && tracker.ray(through: .zero) == nil)
    }
    let flat = tracker.take(
      worldFromViewer: Self.matrix(0, 1, 0),
      clipFromViewer: [Double](repeating: 0, count: 16),
      width: 100,
      height: 100,
      isEmulated: false,
      time: 0
    )
    #expect(flat.state == .none)
    _ = take(tracker, Self.matrix(0, 1, 0), at: 0)
    tracker.takeHit(worldFromHit: broken)
    #expect(tracker.hitTest(.zero) == nil && !tracker.hasSurface)
  }
}
