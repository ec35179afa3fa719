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
    case "hold":
      end += try statement.number("the seconds", in: Self.seconds)
      if end - start >= 1 { script.rests.append(start...end) }
    case "watch", "unwatch": try readWatch(&statement, from: start)
    case "cover":
      let seconds = try statement.number("the seconds", in: Self.seconds)
      let begin = start + (try statement.option("after", default: 0, in: 0...3600))
      end = begin + seconds
      script.covers.append(begin...end)
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

  /// Keeps the phone directed at a place from here on, or gives that up.
  private mutating func readWatch(_ statement: inout Statement, from start: Double) throws(ScriptProblem) {
    let isWatch = statement.verb == "watch"
    let point =
      isWatch
      ? Vector3(
        try statement.number("east", in: -20_000...20_000),
        try statement.number("north", in: -20_000...20_000),
        try statement.number("up", in: -20_000...20_000)
      ) : .zero
    let seconds = try statement.option("in", default: 1, in: Self.seconds)
    let isWatching = script.trajectory.gazes.last.map { $0.fall == nil } ?? false
    if isWatch {
      guard !isWatching else {
        throw statement.fail("another place is watched already; put \"unwatch\" before this line.")
      }
      // Among the settings it is so from the first moment on.
      let begin = now == 0 ? -seconds - 1 : start
      script.trajectory.gazes.append(.init(point: point, rise: .reach(start: begin, duration: seconds)))
      watchLine = statement.line
    } else {
      guard isWatching else { throw statement.fail("nothing is watched; leave this line out.") }
      try closeGaze(at: statement.line, from: start, within: seconds)
    }
  }

  /// Ends the gaze that is going on: what was looked at last is where the phone's own angles are then.
  mutating func closeGaze(at line: Int, from start: Double? = nil, within seconds: Double = 1) throws(ScriptProblem) {
    let index = script.trajectory.gazes.count - 1
    guard index >= 0, script.trajectory.gazes[index].fall == nil else { return }
    var gaze = script.trajectory.gazes[index]
    let end = start ?? max(now, gaze.rise.start + gaze.rise.duration)
    guard end >= gaze.rise.start + gaze.rise.duration + (start == nil ? 0 : 0.05) else {
      throw ScriptProblem(
        line: line,
        message: "unwatch: the phone is still being turned there; let more time pass after \"watch\"."
      )
    }
    // Headings without leaps, from the own one at the start by the shorter way.
    var last = script.trajectory.turns.filter { $0.axis == .heading }.reduce(script.trajectory.startHeading) {
      $0 + $1.by * $1.course.share(at: gaze.rise.start).value
    }
    let arm = script.trajectory.armLength
    let steps = Int(clamp(((end + seconds + 1 - gaze.rise.start) / Trajectory.Gaze.step).rounded(.up), 1, 1e6))
    for step in 0...steps {
      let time = gaze.rise.start + Double(step) * Trajectory.Gaze.step
      let body = script.trajectory.body(at: time)
      let away = hypot(gaze.point.x - body.east.value, gaze.point.y - body.north.value)
      guard away > arm + 0.15 else {
        throw ScriptProblem(
          line: watchLine,
          message:
            "watch: after \((max(0, time) * 10).rounded() / 10) s the way comes nearer than \(arm + 0.15) m to what is watched; "
            + "keep farther away."
        )
      }
      let heading = atan2(gaze.point.x - body.east.value, gaze.point.y - body.north.value)
      last += wrapToPi(heading - last)
      gaze.headings.append(last)
    }
    if let start {
      gaze.fall = .reach(start: start, duration: seconds)
      script.trajectory.gazes[index] = gaze
      let body = script.trajectory.body(at: start)
      let angles = gaze.angles(from: (body.east, body.north, body.up), arm: arm, at: start)
      // Unseen, as the gaze has its whole weight until now.
      let course = Course.reach(start: gaze.rise.start + gaze.rise.duration, duration: 0.04)
      script.trajectory.turns.append(.init(axis: .heading, by: angles.heading.value - heading, course: course))
      script.trajectory.turns.append(.init(axis: .pitch, by: angles.pitch.value - pitch, course: course))
      (heading, pitch) = (angles.heading.value, angles.pitch.value)
    } else {
      script.trajectory.gazes[index] = gaze
    }
  }

  /// Reads a path from a file and lets the phone follow it.
  mutating func readFollow(_ given: Statement, _ file: (String) -> String?) throws(ScriptProblem) {
    var statement = given
    let name = try statement.text("the path of the file")
    let pace = try statement.option("pace", default: 1, in: 0.1...4)
    let from = try statement.option("from", default: 0, in: 0...36_000)
    let seconds = try statement.optionIfAny("for", in: 1...3600)
    let shift = Vector3(
      try statement.option("east", default: 0, in: -20_000...20_000),
      try statement.option("north", default: 0, in: -20_000...20_000),
      try statement.option("up", default: 0, in: -20_000...20_000)
    )
    let turn = Angle(degrees: try statement.option("turn", default: 0, in: Self.degrees))
    try statement.end()
    let moves = !script.trajectory.legs.isEmpty || !script.trajectory.turns.isEmpty || !script.trajectory.gazes.isEmpty
    guard now == 0, !moves, script.trajectory.path == nil else {
      throw statement.fail("it has to be the first motion, and the only one that moves the phone.")
    }
    guard let text = file(name) else { throw statement.fail("\(name) cannot be read as text; check the path.") }
    let rows: [RecordedPath.Row]
    do { rows = try RecordedPath.rows(text) } catch {
      throw statement.fail("\(name):\(error.line): \(error.message)")
    }
    guard let path = RecordedPath(rows, pace: pace, from: from, seconds: seconds, shift: shift, turn: turn) else {
      throw statement.fail("less than a second of \(name) is left; take less away with \"from\".")
    }
    begin()
    script.trajectory.path = path
    script.trajectory.start = path.state(at: 0).position
    now = path.duration
    guard now <= SimulationScript.longestDuration else {
      throw statement.fail("the path is longer than an hour; use \"for\".")
    }
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
