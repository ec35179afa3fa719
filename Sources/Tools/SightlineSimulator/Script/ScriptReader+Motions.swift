import SightlineGeodesy
import SightlineMath

extension ScriptReader {
  private static let seconds = 0.01...3600.0
  private static let degrees = -3600.0...3600.0

  /// Reads a motion that starts at a time; ``now`` becomes its end, if that is later.
  mutating func readMotion(_ given: Statement, from start: Double) throws(ScriptProblem) {
    var statement = given
    var end = start
    switch statement.verb {
    case "hold": end += try statement.number("the seconds", in: Self.seconds)
    case "turn", "tilt", "roll":
      let angle = Angle(degrees: try statement.number("the angle", in: Self.degrees)).radians
      let seconds = try statement.option("in", default: 1, in: Self.seconds)
      let axis: MotionAxis = statement.verb == "turn" ? .heading : statement.verb == "tilt" ? .pitch : .roll
      try add(axis, by: angle, .reach(start: start, duration: seconds), statement)
      end += seconds
    case "look": end += try readLook(&statement, from: start)
    case "pan":
      let angle = Angle(degrees: try statement.number("the angle", in: Self.degrees)).radians
      let rate = Angle(degrees: try statement.option("at", default: 30, in: 0.1...1000)).radians
      let ramp = 0.25
      let seconds = abs(angle) / rate + ramp
      guard seconds >= 2 * ramp else { throw statement.fail("the angle is too small for this rate; use turn.") }
      try add(.heading, by: angle, .cruise(start: start, duration: seconds, ramp: ramp), statement)
      end += seconds
    case "walk", "ride": end += try readLeg(&statement, from: start)
    case "climb":
      let height = try statement.number("the height", in: -500...500)
      let seconds = try statement.option("in", default: max(1, abs(height) * 2), in: Self.seconds)
      let course = Course.cruise(start: start, duration: seconds, ramp: seconds / 4)
      script.trajectory.legs.append(.init(course: course, length: 0, bearing: heading, curve: 0, climb: height))
      position.z += height
      end += seconds
    case "shake":
      let seconds = try statement.number("the seconds", in: 0.5...3600)
      var group = OscillationGroup.shake(
        amplitude: Angle(degrees: try statement.option("by", default: 15, in: 0.1...90)).radians,
        frequency: try statement.option("frequency", default: 3, in: 0.2...8),
        from: &random
      )
      group.setStrength(1, at: start, within: min(0.3, seconds / 2))
      group.setStrength(0, at: start + seconds - min(0.3, seconds / 2), within: min(0.3, seconds / 2))
      script.trajectory.groups.append(group)
      end += seconds
    case "tremor":
      let strength = try statement.number("the strength", in: 0...20)
      if let hand {
        script.trajectory.groups[hand].setStrength(strength, at: start, within: 0.5)
      } else {
        firstTremor = strength
      }
    case "magnet", "attach", "disturb": try readMagnetic(&statement, from: start)
    case "sky":
      let view = try statement.choice("the view", of: SkyView.allCases.map { ($0.rawValue, $0) })
      script.skyViews.append((start, view))
    default:
      let seconds = try statement.number("the seconds", in: Self.seconds)
      script.gaps.append(start...(start + seconds))
      end += seconds
    }
    try statement.end()
    now = max(now, end)
  }

  private mutating func add(
    _ axis: MotionAxis,
    by angle: Double,
    _ course: Course,
    _ statement: Statement
  ) throws(ScriptProblem) {
    script.trajectory.turns.append(.init(axis: axis, by: angle, course: course))
    switch axis {
    case .heading: heading += angle
    case .pitch:
      pitch += angle
      guard abs(pitch) <= pi / 2 + 1e-9 else {
        throw statement.fail(
          "this tilts beyond straight up or down; the tilt is \(Angle(radians: pitch).degrees)° by now."
        )
      }
    default: roll += angle
    }
  }

  private mutating func readLook(_ statement: inout Statement, from start: Double) throws(ScriptProblem) -> Double {
    let seconds = try statement.option("in", default: 1, in: Self.seconds)
    let course = Course.reach(start: start, duration: seconds)
    var isAny = false
    if let wanted = try statement.optionIfAny("heading", in: -360...360) {
      try add(.heading, by: wrapToPi(Angle(degrees: wanted).radians - heading), course, statement)
      isAny = true
    }
    if let wanted = try statement.optionIfAny("pitch", in: -90...90) {
      try add(.pitch, by: Angle(degrees: wanted).radians - pitch, course, statement)
      isAny = true
    }
    if let wanted = try statement.optionIfAny("roll", in: -180...180) {
      try add(.roll, by: wrapToPi(Angle(degrees: wanted).radians - roll), course, statement)
      isAny = true
    }
    guard isAny else { throw statement.fail("say where to: heading, pitch or roll, each with its degrees.") }
    return seconds
  }

  private mutating func readLeg(_ statement: inout Statement, from start: Double) throws(ScriptProblem) -> Double {
    let isRide = statement.verb == "ride"
    let length = try statement.number("the metres", in: 0.2...20_000)
    let speed = try statement.option("at", default: isRide ? 10 : 1.4, in: 0.1...100)
    let bearing = Angle(
      degrees: try statement.option("bearing", default: Angle(radians: heading).degrees, in: Self.degrees)
    ).radians
    let curve = Angle(degrees: try statement.option("curve", default: 0, in: -720...720)).radians
    let ramp = min(isRide ? max(2, speed) : 1.2, length / speed)
    let seconds = length / speed + ramp
    let course = Course.cruise(start: start, duration: seconds, ramp: ramp)
    let leg = Trajectory.Leg(course: course, length: length, bearing: bearing, curve: curve, climb: 0)
    script.trajectory.legs.append(leg)
    position = position + leg.displacement
    // Who walks or rides round a corner turns with it.
    if curve != 0 { try add(.heading, by: curve, course, statement) }
    var group = isRide ? OscillationGroup.rails(from: &random) : .gait(speed: speed, from: &random)
    group.setStrength(1, at: start, within: ramp)
    group.setStrength(0, at: start + seconds - ramp, within: ramp)
    script.trajectory.groups.append(group)
    if isRide {
      script.tractionChanges.append((1, .reach(start: start, duration: 1)))
      script.tractionChanges.append((-1, .reach(start: start + seconds - 1, duration: 1)))
    }
    return seconds
  }

  private mutating func readMagnetic(_ statement: inout Statement, from start: Double) throws(ScriptProblem) {
    func three(_ names: [String], _ range: ClosedRange<Double>) throws(ScriptProblem) -> Vector3 {
      Vector3(
        try statement.number(names[0], in: range),
        try statement.number(names[1], in: range),
        try statement.number(names[2], in: range)
      )
    }
    if statement.verb == "magnet" {
      let position = try three(["east", "north", "up"], -20_000...20_000)
      let moment = try statement.option("moment", default: 1, in: 0.001...10_000)
      let bearing = Angle(degrees: try statement.option("bearing", default: 90, in: -360...360)).radians
      script.magnets.append(
        .init(position: position, moment: Vector3(sin(bearing), cos(bearing), 0) * moment)
      )
      return
    }
    let isOnDevice = statement.verb == "attach"
    let field = try three(isOnDevice ? ["x", "y", "z"] : ["east", "north", "up"], -2000...2000)
    let seconds = try statement.optionIfAny("for", in: Self.seconds)
    let edge = min(0.5, (seconds ?? 1) / 2)
    script.disturbances.append(
      .init(
        field: field,
        isOnDevice: isOnDevice,
        rise: .reach(start: start, duration: edge),
        fall: seconds.map { .reach(start: start + $0 - edge, duration: edge) }
      )
    )
  }
}
