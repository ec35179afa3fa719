import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

@Suite struct RecordedPathTests {
  /// A hand that moves by formulas, as a file with 100 rows a second and nothing between 2 and 2.3 s.
  private func file(scatter: Double = 0) -> String {
    var random = SplitMix64(seed: 4)
    func noise() -> Double { scatter * Double.random(in: -1...1, using: &random) }
    var text = "# a credit\nt,px,py,pz,qw,qx,qy,qz\n"
    for k in 0..<600 where !(200...230).contains(k) {
      let t = Double(k) / 100
      let p = place(t)
      let q = turn(t)
      text += "\(50 + t),\(p.x + noise()),\(p.y + noise()),\(p.z + noise()),\(q.w),\(q.x),\(q.y),\(q.z)\n"
    }
    return text
  }

  private func place(_ t: Double) -> Vector3 {
    Vector3(0.4 * sin(1.9 * t), 0.3 * cos(2.7 * t), 1.4 + 0.1 * sin(3.3 * t))
  }

  private func turn(_ t: Double) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: 1.2 * sin(1.1 * t)))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: 1.4 + 0.2 * sin(2.3 * t)))
  }

  private func script(_ line: String, _ text: String, before: String = "") throws -> SimulationScript {
    try SimulationScript(before + line) { $0 == "hand.csv" ? text : nil }
  }

  @Test func `the phone goes where the file says`() throws {
    let script = try script("follow hand.csv", file(scatter: 0.0005))
    #expect(isNear(script.duration, 5.99, within: 1e-9))
    for k in 0..<590 {
      let t = Double(k) / 100
      let state = script.trajectory.state(at: t)
      let isGap = t > 1.95 && t < 2.35
      #expect((state.position - place(t)).length < (isGap ? 0.01 : 0.002), "\(t)")
      #expect(state.worldFromDevice.angle(to: turn(t)).radians < (isGap ? 0.01 : 0.001), "\(t)")
    }
  }

  @Test func `sensors and poses of a path agree`() throws {
    let trajectory = try script("follow hand.csv pace 1.3 turn 40 east 2", file(scatter: 0.0005)).trajectory
    let h = 1e-5
    for k in 1..<200 {
      let time = Double(k) * 0.02
      let (a, b, c) = (trajectory.state(at: time - h), trajectory.state(at: time), trajectory.state(at: time + h))
      #expect(((c.position - a.position) * (0.5 / h) - b.velocity).length < 1e-5)
      #expect(((c.velocity - a.velocity) * (0.5 / h) - b.acceleration).length < 1e-3)
      let turned = (a.worldFromDevice.inverse * c.worldFromDevice).turn * (0.5 / h)
      #expect((turned - b.angularVelocity).length < 1e-5)
    }
  }

  @Test func `pace, part, place and direction of a path can be chosen`() throws {
    let text = file()
    let script = try script("follow hand.csv pace 2 from 1 for 1.5 turn 90 east 10 north 20 up 3", text)
    #expect(isNear(script.duration, 1.5, within: 1e-9))
    let (state, p) = (script.trajectory.state(at: 0.5), place(2))
    #expect((state.position - Vector3(10 - p.y, 20 + p.x, 3 + p.z)).length < 0.01)
  }

  @Test(arguments: [
    ("t,x\n", 1, "header has to begin with t,px"), ("1,2,3\n", 1, "eight numbers"),
    ("0,0,0,0,1,0,0,0\n0,0,0,0,1,0,0,0\n", 2, "times have to rise"), ("0,0,0,0,2,0,0,0\n", 1, "length is not 1"),
    ("0,0,nan,0,1,0,0,0\n", 1, "eight numbers"), ("0,1e300,0,0,1,0,0,0\n", 1, "eight numbers"),
    ("0,30000,0,0,1,0,0,0\n", 1, "20 km"), ("", 1, "at least 8 rows"),
    ("0,0,0,0,1,0,0,0\n9e8,0,0,0,1,0,0,0\n", 2, "at least 8 rows"), ("0,0,0,0,0,0,0,0\n", 1, "length is not 1"),
  ])
  func `a bad file is named with its line`(text: String, line: Int, part: String) {
    let problem = #expect(throws: ScriptProblem.self) { try script("follow hand.csv", text) }
    #expect(problem?.line == 1)
    #expect(
      problem?.message.contains("hand.csv:\(line): ") == true && problem?.message.contains(part) == true,
      "\(String(describing: problem))"
    )
  }

  @Test func `a path of huge times is refused, not computed`() {
    let rows = (0..<9).map { "\($0)e8,0,0,0,1,0,0,0" }.joined(separator: "\n")
    let problem = #expect(throws: ScriptProblem.self) { try script("follow hand.csv", rows) }
    #expect(problem?.message.contains("ten hours") == true)
  }

  @Test(arguments: [
    ("hold 1\nfollow hand.csv", 2, "first motion"), ("follow hand.csv\nwalk 2", 2, "nothing else moves it"),
    ("follow hand.csv\nalso turn 20", 2, "nothing else moves it"), ("follow other.csv", 1, "cannot be read"),
    ("follow hand.csv from 5.5", 1, "less than a second"), ("follow hand.csv\ncover 2", 2, "ends before this"),
    ("also follow hand.csv", 1, "first motion"), ("follow", 1, "path of the file is missing"),
    ("follow hand.csv quickly", 1, "what can stand here: pace, from, for"),
  ])
  func `a path beside other motions is refused`(text: String, line: Int, part: String) {
    let problem = #expect(throws: ScriptProblem.self) { try script(text, file()) }
    #expect(problem?.line == line && problem?.message.contains(part) == true, "\(String(describing: problem))")
  }

  @Test func `the lens can be covered while a path is followed`() throws {
    let script = try script("follow hand.csv\nalso cover 1 after 2", file())
    #expect(script.covers == [2...3] && isNear(script.duration, 5.99, within: 1e-9))
  }
}
