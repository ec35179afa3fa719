import SightlineEngine
import SightlineFusion
import SightlineMath
import SightlineTestSupport
import Testing

/// Sensors whose own level is wrong, and what is said of it.
@Suite struct LevelTests {
  /// What the sensors take the device for: turned about its top edge and its right one, radians.
  private static let sensedFromDevice =
    Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 1.6))
    * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: -1.1))

  private func sensed(_ worldFromDevice: Quaternion) -> SessionEvent {
    .orientation(.quaternion(worldFromDevice: worldFromDevice * Self.sensedFromDevice.inverse, north: .trueNorth))
  }

  private func host() -> Host {
    var host = Host.showing(world([place(north: 300)]))
    host.tell(sensed(Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 40))))
    host.wait(1)
    return host
  }

  @Test(arguments: [(0.0, 0.0, 0.0), (70, 20, 0), (200, -35, 30), (310, 5, -80)])
  func `what was measured on a table corrects every direction`(heading: Double, pitch: Double, roll: Double) throws {
    var host = host()
    let up = try #require(host.session.sensedUp)
    #expect(up.z > 0.99 && hypot(up.x, up.y) > 0.02)
    host.tell(.setLevel(right: up.x, top: up.y))
    let held = upright(heading: heading, pitch: pitch, roll: roll)
    host.tell(sensed(held))
    host.wait(3)
    host.draw()
    let expected = host.session.frame
    #expect(isNear(expected.pitch.degrees, pitch, within: 0.02))
    #expect(isNear(abs(expected.roll.degrees), abs(roll), within: 0.02))
    // The table says nothing of turns about the vertical: what is left of the heading's error is of second order.
    #expect(abs((expected.bearing - Angle(degrees: heading)).wrapped.degrees) < 0.1)
    host.tell(.setLevel(right: 0, top: 0))
    host.wait(3)
    host.draw()
    #expect(abs(host.session.frame.pitch.degrees - pitch) + abs(abs(host.session.frame.roll.degrees) - abs(roll)) > 0.3)
  }

  @Test(arguments: [(0.3, 0.0), (.nan, 0), (0, .infinity), (-0.1, 0.11)] as [(Double, Double)])
  func `what is no level is not believed`(right: Double, top: Double) {
    var host = host()
    host.tell(sensed(upright(heading: 0)))
    host.wait(3)
    host.draw()
    let before = (host.session.frame.pitch, host.session.frame.roll, host.session.frame.bearing)
    host.tell(.setLevel(right: right, top: top))
    host.draw()
    #expect((host.session.frame.pitch, host.session.frame.roll, host.session.frame.bearing) == before)
  }

  @Test func `nothing is called up before the first orientation`() {
    #expect(Host().session.sensedUp == nil)
  }
}
