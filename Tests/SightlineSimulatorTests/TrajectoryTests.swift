import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

/// A script with every kind of motion.
let everyMotion = """
  seed 11
  start 3 -2 1.5 heading 40 pitch -5 roll 3
  hold 0.5
  turn 60 in 0.3
  walk 6 at 1.4
  also tilt 20 in 2
  walk 8 at 1.2 curve -70
  pan -120 at 60
  ride 60 at 9 curve 30
  shake 2 by 20 frequency 3
  climb 3 in 4
  also roll -80 in 2
  look heading -170 pitch -60 roll 10 in 1.5
  tremor 0
  hold 1
  """

@Suite struct TrajectoryTests {
  let trajectory: Trajectory
  let duration: Double

  init() throws {
    let script = try SimulationScript(everyMotion)
    (trajectory, duration) = (script.trajectory, script.duration)
  }

  @Test func `velocity and acceleration are the derivatives of the position`() {
    let h = 1e-5
    var worst = (0.0, 0.0)
    for k in 0..<2000 {
      let time = duration * Double(k) / 2000
      let (a, b, c) = (trajectory.state(at: time - h), trajectory.state(at: time), trajectory.state(at: time + h))
      let velocity = (c.position - a.position) * (1 / (2 * h))
      let acceleration = (c.velocity - a.velocity) * (1 / (2 * h))
      worst.0 = max(worst.0, (velocity - b.velocity).length)
      worst.1 = max(worst.1, (acceleration - b.acceleration).length)
    }
    #expect(worst.0 < 1e-5)
    // A third derivative of 20 Hz rattle times h².
    #expect(worst.1 < 1e-4)
  }

  @Test func `integrating the angular velocity gives the attitude`() {
    let h = 0.0005
    var q = trajectory.state(at: 0).worldFromDevice
    var worst = 0.0
    for k in 0..<Int(duration / h) {
      // The midpoint rule; its error is of second order in h.
      q = q * Quaternion(turn: trajectory.state(at: (Double(k) + 0.5) * h).angularVelocity * h)
      worst = max(worst, q.angle(to: trajectory.state(at: Double(k + 1) * h).worldFromDevice).degrees)
    }
    #expect(worst < 0.001)
  }

  @Test func `a turn ends where it was told to`() throws {
    let script = try SimulationScript("start 0 0 heading 350\ntremor 0\nhold 1\nturn 60 in 0.3\nhold 1\n")
    let start = script.trajectory.state(at: 0.9)
    let end = script.trajectory.state(at: 1.31)
    #expect(isNear(start.heading.degrees, -10, within: 1e-9))
    #expect(isNear(end.heading.degrees, 50, within: 1e-9))
    #expect(end.angularVelocity.length < 1e-12)
    // Least jerk: the speed in the middle is 15/8 of the mean.
    let middle = script.trajectory.state(at: 1.15).angularVelocity.length
    #expect(isNear(Angle(radians: middle).degrees, 60 / 0.3 * 15 / 8, within: 1e-6))
  }

  @Test func `a walk goes its length in its direction`() throws {
    let script = try SimulationScript("arm 0\ntremor 0\nwalk 30 at 1.5 bearing 90\nhold 1\n")
    let end = script.trajectory.state(at: script.duration).position
    #expect((end - Vector3(30, 0, 1.6)).length < 1e-9)
    let arc = try SimulationScript("arm 0\ntremor 0\nwalk 31.415926535897932 curve 180\nhold 1\n")
    let state = arc.trajectory.state(at: arc.duration)
    // Half a circle of 10 m radius to the right, looking back at the end.
    #expect((state.position - Vector3(20, 0, 1.6)).length < 1e-9)
    #expect(isNear(abs(state.heading.degrees), 180, within: 1e-9))
  }

  @Test func `the camera looks where heading and pitch say`() throws {
    let script = try SimulationScript("start 0 0 heading 30 pitch 20 roll 50\ntremor 0\nhold 1\n")
    let state = script.trajectory.state(at: 0.5)
    let view = state.worldFromDevice * Vector3(0, 0, -1)
    let expected = Vector3(
      sin(Angle(degrees: 30).radians) * cos(Angle(degrees: 20).radians),
      cos(Angle(degrees: 30).radians) * cos(Angle(degrees: 20).radians),
      sin(Angle(degrees: 20).radians)
    )
    #expect((view - expected).length < 1e-12)
    // Counter-clockwise for the user: the right edge has gone up.
    #expect((state.worldFromDevice * Vector3(1, 0, 0)).z > 0)
  }

  @Test func `a hand trembles as much as it is said to`() throws {
    let script = try SimulationScript("seed 3\nhold 60\n")
    var (sum, square) = (0.0, 0.0)
    for k in 0..<6000 {
      let heading = script.trajectory.state(at: Double(k) * 0.01).heading.degrees
      sum += heading
      square += heading * heading
    }
    let deviation = (square / 6000 - sum * sum / 36_000_000).squareRoot()
    #expect(deviation > 0.2 && deviation < 0.5)
  }

  /// Once and a half around a place that is looked at from a second on; then on, looking ahead again.
  private static let around = """
    seed 3
    start 0 -2 1.5 heading 30 pitch 5
    hold 1
    watch 0 0 0.4
    walk 12 at 1.2 bearing 90 curve -343.77
    walk 6 at 1.2 bearing 106 curve -171.9
    unwatch in 0.8
    walk 3 at 1 bearing 290
    hold 0.5
    """

  @Test func `a place is watched while one goes around it`() throws {
    let script = try SimulationScript(Self.around)
    let trajectory = script.trajectory
    let h = 1e-5
    var (worst, turned, last) = (0.0, 0.0, trajectory.state(at: 0).heading.radians)
    for k in 1..<Int(script.duration * 100) {
      let time = Double(k) / 100
      let state = trajectory.state(at: time)
      let (a, c) = (trajectory.state(at: time - h), trajectory.state(at: time + h))
      #expect(((c.position - a.position) * (0.5 / h) - state.velocity).length < 1e-5)
      #expect(((c.velocity - a.velocity) * (0.5 / h) - state.acceleration).length < 1e-3)
      let rate = (a.worldFromDevice.inverse * c.worldFromDevice).turn * (0.5 / h)
      #expect((rate - state.angularVelocity).length < 1e-5, "\(time)")
      // Nothing leaps, not even where the compass goes from 360 to 0.
      #expect(state.angularVelocity.length < 3, "\(time): \(state.angularVelocity)")
      turned += wrapToPi(state.heading.radians - last)
      last = state.heading.radians
      guard time > 2, time < 18 else { continue }
      let look = (Vector3(0, 0, 0.4) - state.position).normalized ?? .zero
      worst = max(worst, 1 - look.dot(state.worldFromDevice * Vector3(0, 0, -1)))
    }
    // But for hand and gait, 4° at most.
    #expect(worst < 0.0025, "\(worst)")
    // Walking to the right around something turns one to the left: by a turn and a half, less what the start was off.
    #expect(turned < -1.2 * 2 * pi, "\(turned)")
  }
}
