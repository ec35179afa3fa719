import SightlineMath
import SightlineVision
import Testing

@Suite struct TurnIntegratorTests {
  @Test(arguments: [0, 90, 180, 270] as [Int32])
  func `turning about the device's axis turns the picture's camera about the same`(angle: Int32) throws {
    var integrator = TurnIntegrator()
    let rate = Vector3(0.3, -0.2, 0.5)
    _ = integrator.turn(at: 0)
    for step in 0...30 { integrator.take(rate, time: Double(step) / 60, screenAngleDegrees: angle) }
    // The first reading has nothing before it: from there on all is whole.
    expectTurn(&integrator, at: 0.5, false)
    for step in 31...60 { integrator.take(rate, time: Double(step) / 60, screenAngleDegrees: angle) }
    let last = integrator.turn(at: 1)
    let turn = try #require(last)
    let expected = rate * 0.5
    let axis = TurnIntegrator.inCamera(expected, screenAngleDegrees: angle)
    let truth = Quaternion(axis: axis * (1 / axis.length), angle: Angle(radians: axis.length))
    #expect(turn.angle(to: truth).radians < 1e-9)
  }

  private func expectTurn(_ integrator: inout TurnIntegrator, at time: Double, _ isKnown: Bool) {
    let turn = integrator.turn(at: time)
    #expect((turn != nil) == isKnown, "at \(time)")
  }

  @Test func `a portrait phone's right, top and screen are the picture's right, up and back`() {
    #expect(TurnIntegrator.inCamera(Vector3(1, 2, 3), screenAngleDegrees: 0) == Vector3(1, -2, -3))
  }

  @Test func `gaps, broken readings and silence are no turn`() {
    var integrator = TurnIntegrator()
    for step in 0..<10 { integrator.take(.zero, time: Double(step) / 60, screenAngleDegrees: 0) }
    _ = integrator.turn(at: 0.15)
    integrator.take(Vector3(.nan, 0, 0), time: 0.17, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.17, false)
    integrator.take(.zero, time: 0.18, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.18, true)
    integrator.take(.zero, time: 0.9, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.9, false)
    integrator.take(nil, time: 0.91, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.91, false)
    integrator.take(.zero, time: 0.92, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 3, false)
  }

  @Test func `a frame has the turn up to when it was taken, the next one the rest`() throws {
    var integrator = TurnIntegrator()
    integrator.take(Vector3(0, 1, 0), time: 0, screenAngleDegrees: 0)
    _ = integrator.turn(at: 0)
    var all = Quaternion.identity
    // Readings of 2 rad/s are there up to 80 ms after the frame; the frames lie between readings.
    var told = 0.0
    for frame in 1...10 {
      let taken = Double(frame) * 0.05 - 0.007
      while told < taken + 0.08 {
        told += 0.016
        integrator.take(Vector3(0, 2, 0), time: told, screenAngleDegrees: 0)
      }
      let found = integrator.turn(at: taken)
      let turn = try #require(found)
      let length = frame == 1 ? taken : 0.05
      #expect(abs(turn.angle(to: .identity).radians - 2 * length) < 1e-9, "frame \(frame)")
      all = all * turn
    }
    #expect(abs(all.angle(to: .identity).radians - 2 * (0.5 - 0.007)) < 1e-9)
  }

  @Test func `a gap after a frame was taken is a gap of the next frame`() {
    var integrator = TurnIntegrator()
    for step in 0...10 { integrator.take(.zero, time: Double(step) * 0.016, screenAngleDegrees: 0) }
    _ = integrator.turn(at: 0.05)
    integrator.take(nil, time: 0.176, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.1, true)
    expectTurn(&integrator, at: 0.18, false)
    integrator.take(.zero, time: 0.192, screenAngleDegrees: 0)
    expectTurn(&integrator, at: 0.19, true)
  }

  @Test func `readings that no frame asks for are bounded, and what was let go is a gap`() {
    var integrator = TurnIntegrator()
    for step in 0...1000 { integrator.take(.zero, time: Double(step) * 0.016, screenAngleDegrees: 0) }
    _ = integrator.turn(at: 0.1)
    expectTurn(&integrator, at: 16, true)
    for step in 1001...2000 { integrator.take(.zero, time: Double(step) * 0.016, screenAngleDegrees: 0) }
    expectTurn(&integrator, at: 32, false)
  }
}
