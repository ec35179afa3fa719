import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// A phone that is led by hand.
@Suite struct SessionHandTests {
  @Test func `what is under the finger stays under it`() throws {
    var host = Host.showing(world([place(north: 700)]))
    host.draw()
    let before = try #require(host.session.frame.items.first).anchor
    let way = Vector2(4, -6)
    let turn = try #require(host.session.turn(draggedBy: way, pitch: .zero))
    let held = upright(heading: turn.heading.degrees, pitch: turn.pitch.degrees)
    host.tell(.orientation(.quaternion(worldFromDevice: held, north: .trueNorth)))
    host.wait(2)
    host.draw()
    let after = try #require(host.session.frame.items.first).anchor
    #expect(isNear((after - before - way).length, 0, within: 0.05), "\(after - before)")
  }

  @Test func `near the vertical the heading does not whirl`() throws {
    let host = Host.showing(world())
    let level = try #require(host.session.turn(draggedBy: Vector2(10, 0), pitch: .zero)).heading
    let steep = try #require(host.session.turn(draggedBy: Vector2(10, 0), pitch: Angle(degrees: 89))).heading
    #expect(isNear(steep.radians, level.radians / 0.35, within: 1e-12))
    #expect(Host().session.turn(draggedBy: Vector2(10, 0), pitch: .zero) == nil, "without a display")
    #expect(host.session.turn(draggedBy: Vector2(.nan, 0), pitch: .zero) == nil)
  }

  @Test(arguments: [0.0, 30, -60]) func `a drag to the point beside the middle turns the world by the angle`(
    roll: Double
  ) throws {
    var host = Host.showing(world())
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0, roll: roll), north: .trueNorth)))
    host.wait(2)
    host.draw()
    let middle = Vector2(host.session.frame.width / 2, host.session.frame.height / 2)
    let beside = try #require(host.session.point(besideMiddleBy: Angle(degrees: 10)))
    host.tell(.dragWorld(from: middle, to: beside))
    host.draw()
    #expect(isNear(host.session.headingCorrections.last?.angle.degrees ?? 0, -10, within: 0.1))
    #expect(host.session.point(besideMiddleBy: Angle(degrees: 90)) == nil)
    #expect(Host().session.point(besideMiddleBy: Angle(degrees: 10)) == nil, "without a display")
  }

  @Test func `a phone begins where the picture shows most`() throws {
    var host = Host()
    host.tell(.display(Display(width: 390, height: 844)))
    #expect(host.session.viewpoint(near: ulm) == nil, "without a world")
    host = Host.showing(world((0..<9).map { place(north: -500 - 20 * Double($0), east: 8 * Double($0)) }))
    let found = try #require(host.session.viewpoint(near: ulm))
    #expect(abs((found.heading - Angle(degrees: 180)).wrapped.degrees) < 15)
  }
}
