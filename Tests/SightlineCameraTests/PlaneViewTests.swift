import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct PlaneViewTests {
  private let view = Intrinsics(width: 960, height: 540, focalX: 750, focalY: 750, centerX: 479.5, centerY: 269.5)

  /// A plane that faces the camera upright, then turned in the camera's axes.
  private func plane(
    _ axis: Vector3 = Vector3(1, 0, 0),
    degrees: Double = 0,
    at translation: Vector3 = Vector3(0, 0, 1)
  ) -> PlaneView {
    let turned = Quaternion(axis: axis, angle: Angle(degrees: degrees)) * Quaternion(w: 0, x: 1, y: 0, z: 0)
    return PlaneView(
      pose: PlanarPose(cameraFromPlane: turned, translation: translation, reprojectionError: 0),
      intrinsics: view
    )
  }

  private func expectNear(_ a: Vector2?, _ b: Vector2, within tolerance: Double = 1e-9) {
    #expect(a.map { ($0 - b).length < tolerance } == true, "\(String(describing: a)) is not \(b)")
  }

  @Test func `a wall seen from the front: right is right, up is up, a metre is a metre`() {
    let wall = plane(at: Vector3(0, 0, 1.5))
    expectNear(wall.pixel(of: .zero), Vector2(479.5, 269.5))
    expectNear(wall.pixel(of: Vector2(0.3, 0)), Vector2(479.5 + 150, 269.5))
    expectNear(wall.pixel(of: Vector2(0, 0.3)), Vector2(479.5, 269.5 - 150))
  }

  @Test func `what is seen at a pixel is the point that is drawn there`() {
    var g = SplitMix64(seed: 5)
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &g) }
    for _ in 0..<300 {
      let axis = Vector3(any(-1...1), any(-1...1), any(-1...1)).normalized ?? Vector3(0, 1, 0)
      let wall = plane(axis, degrees: any(-50...50), at: Vector3(any(-0.4...0.4), any(-0.4...0.4), any(1...5)))
      let point = Vector2(any(-0.5...0.5), any(-0.5...0.5))
      guard let pixel = wall.pixel(of: point) else { continue }
      expectNear(wall.point(at: pixel), point)
    }
  }

  @Test func `behind the camera, and beyond the horizon of the plane, there is nothing`() {
    let wall = plane(Vector3(0, 1, 0), degrees: 80)
    let seen = (0...10).map { wall.point(at: Vector2(96 * Double($0), 270)) }
    #expect(seen.contains { $0 == nil } && seen.contains { $0 != nil })
    #expect((wall.pixel(of: Vector2(60, 0)) == nil) != (wall.pixel(of: Vector2(-60, 0)) == nil))
  }

  @Test(arguments: [-170.0, -30, 0, 30, 100])
  func `a marker that was stuck on askew is found out by what is up`(askew: Double) throws {
    // Turned clockwise as seen: upright is counter-clockwise in its frame.
    let wall = plane(Vector3(0, 0, 1), degrees: askew)
    let turn = try #require(wall.uprightTurn(up: Vector3(0, -1, 0)))
    #expect(isNear(turn.degrees, askew, within: 1e-9))
  }

  @Test func `on a table nothing is upright`() {
    #expect(plane().uprightTurn(up: Vector3(0, 0, -1)) == nil)
    // More than 60 degrees from the vertical is a table, less a wall.
    for (degrees, isWall) in [(58.0, true), (62, false)] {
      let up = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: degrees)) * Vector3(0, -1, 0)
      #expect((plane().uprightTurn(up: up) != nil) == isWall, "\(degrees)")
    }
  }

  private let hung = HungRectangle(center: Vector2(1, 2), turn: Angle(degrees: 90), width: 0.4, height: 0.2)

  @Test func `corners turn counter-clockwise, from the own top left clockwise`() {
    let expected = [Vector2(0.9, 1.8), Vector2(0.9, 2.2), Vector2(1.1, 2.2), Vector2(1.1, 1.8)]
    for k in 0..<4 { expectNear(hung.corners[k], expected[k], within: 1e-12) }
  }

  @Test func `a point is on what covers it`() {
    #expect(hung.contains(Vector2(1.05, 2.15)) && !hung.contains(Vector2(1.15, 2.05)))
    var g = SplitMix64(seed: 6)
    for _ in 0..<500 {
      let rectangle = HungRectangle(
        center: Vector2(.random(in: -1...1, using: &g), .random(in: -1...1, using: &g)),
        turn: Angle(degrees: .random(in: -400...400, using: &g)),
        width: .random(in: 0.1...2, using: &g),
        height: .random(in: 0.1...2, using: &g)
      )
      let point = Vector2(.random(in: -2...2, using: &g), .random(in: -2...2, using: &g))
      // Inside is on the same side of all four edges.
      let corners = rectangle.corners
      let sides = (0..<4).map { k -> Bool in
        let (edge, to) = (corners[(k + 1) % 4] - corners[k], point - corners[k])
        return edge.x * to.y - edge.y * to.x <= 0
      }
      #expect(rectangle.contains(point) == sides.allSatisfy { $0 })
    }
  }

  @Test func `what is drawn a unit wide falls on the rectangle's corners`() {
    let place = hung.planeFromPicture(lift: 0.01)
    for (k, (x, y)) in [(-0.5, 0.25), (0.5, 0.25), (0.5, -0.25), (-0.5, -0.25)].enumerated() {
      let p = place * Vector3(x, y, 0)
      expectNear(Vector2(p.x, p.y), hung.corners[k], within: 1e-12)
      #expect(isNear(p.z, 0.01, within: 1e-12))
    }
  }
}
