import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// Where the camera goes while it turns.
@Suite struct PivotMotionModelTests {
  private let k = Intrinsics(width: 640, height: 480, longSideFieldOfView: Angle(degrees: 62))

  /// The turn of a frame, from the camera's axes after it to those before.
  private func turn(_ step: Int) -> Quaternion {
    let angle = 0.02 + 0.015 * sineCosine(degrees: 17 * Double(step)).sine
    return Quaternion(axis: Vector3(0.2, 0.95, 0.1), angle: Angle(radians: angle))
  }

  /// Walks a thing through frames of a camera that is swung about a point; answers how far off it is after half a second unseen,
  /// in units of its distance, carried by what was learned and by the turns alone.
  private func lost(about pivot: Vector3, seen: Int = 12) throws -> (swung: Double, turned: Double) {
    var model = PivotMotionModel()
    var place = Vector3(0.1, -0.2, 2)
    for step in 0..<seen {
      let rotation = try #require(RotationPrior(turn(step), k)).rotation
      let next = rotation * (place - pivot) + pivot
      model.observe(from: place, to: next, rotation: rotation, since: 1 / 30)
      place = next
    }
    var (carried, turned) = (place, place)
    for step in seen..<seen + 15 {
      let rotation = try #require(RotationPrior(turn(step), k)).rotation
      place = rotation * (place - pivot) + pivot
      carried = rotation * carried + model.way(rotation)
      turned = rotation * turned
      model.slow(rotation, since: 1 / 30)
    }
    return ((carried - place).length / place.length, (turned - place).length / place.length)
  }

  @Test(arguments: [
    // Around the thing itself, about a shoulder behind the lens, about a point beside it.
    Vector3(0.1, -0.2, 2), Vector3(0.1, 0.2, -0.5), Vector3(0.6, 0, 0.4),
  ])
  func `a camera swung about a point is followed when nothing is seen`(pivot: Vector3) throws {
    let (swung, turned) = try lost(about: pivot)
    #expect(swung < 0.15 * turned, "\(swung) of the distance, \(turned) by the turns alone")
  }

  @Test func `a camera that turns about its lens goes nowhere`() throws {
    let (swung, _) = try lost(about: Vector3(0, 0, 0))
    #expect(swung < 1e-9)
  }

  @Test func `a camera that goes without turning slows down`() throws {
    var model = PivotMotionModel()
    let still = try #require(RotationPrior(Quaternion.identity, k)).rotation
    for step in 0..<10 {
      let x = 0.01 * Double(step)
      model.observe(from: Vector3(x, 0, 2), to: Vector3(x + 0.01, 0, 2), rotation: still, since: 1 / 30)
    }
    #expect(abs(model.way(still).x - 0.01) < 1e-4)
    var way = 0.0
    for _ in 0..<60 {
      way += model.way(still).x
      model.slow(still, since: 1 / 30)
    }
    #expect(way > 0.03 && way < 0.08)
    model.rest()
    #expect(model.way(still) == Vector3(0, 0, 0))
  }

  @Test func `a turn alone moves a plane as it moves what is far away`() throws {
    let quad = Posters.quad(Vector2(200, 150), 180, 120)
    let map = try #require(Homography(unitSquareTo: quad))
    let step = try #require(RotationPrior(turn(3), k))
    let carried = try #require(step.carried(map, way: Vector3(0, 0, 0))?.corners(width: 1, height: 1))
    let shifted = try #require((step.shift * map).corners(width: 1, height: 1))
    for i in 0..<4 { #expect((carried[i] - shifted[i]).length < 1e-9) }
  }

  @Test func `a poster that is walked around stays where it is while it is not seen`() throws {
    // The camera goes around the poster: it stays in the middle of the picture although the camera turns by 43 degrees.
    let poster = Posters.rich(width: 200, height: 150, seed: 61)
    let target = poster.withView { TargetBuilder().build($0, name: Array("a".utf8), printedWidth: 0.3) }
    let small = Intrinsics(width: 320, height: 240, longSideFieldOfView: Angle(degrees: 62))
    func quad(_ degrees: Double) -> InlineArray<4, Vector2> {
      let (s, c) = sineCosine(degrees: degrees)
      func corner(_ x: Double, _ y: Double) -> Vector2 {
        let depth = 2 - x * s
        return Vector2(small.centerX + small.focalX * x * c / depth, small.centerY + small.focalY * y / depth)
      }
      return [corner(-0.5, -0.375), corner(0.5, -0.375), corner(0.5, 0.375), corner(-0.5, 0.375)]
    }
    // Going around it by an angle turns the camera by the same about its vertical axis, the other way than the poster seems to.
    let going = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: -1.2))
    let tracker = TargetTracker(targets: [target], intrinsics: small)
    let grey = Posters.frame([], width: 320, height: 240)
    var found: [TargetSighting] = []
    for step in 0..<36 {
      let frame =
        step < 20
        ? Posters.frame([(poster, quad(Double(step) * 1.2 - 20))], width: 320, height: 240, seed: UInt64(step)) : grey
      frame.withView { tracker.process($0, time: Double(step) / 30, turn: step == 0 ? nil : going, into: &found) }
    }
    let last = try #require(found.first)
    #expect(last.state == .extrapolated)
    let error = Posters.error(last.corners(width: 200, height: 150), quad(35 * 1.2 - 20))
    // By the turns alone it would be 120 pixels beside.
    #expect(error < 12, "\(error) px")
    #expect(error < 2 * last.cornerSigma)
  }
}
