import SightlineCamera
import SightlineGeodesy
import SightlineMath

extension SimulationScript {
  /// Longest script, seconds.
  static let longestDuration = 3600.0

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: of the script.
  ///   - file: gives the text of a file that `follow` names; `nil` when it cannot be read.
  /// - Throws: the first problem, with its line.
  public init(_ text: String, file: (String) -> String? = { _ in nil }) throws(ScriptProblem) {
    var reader = ScriptReader()
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      guard let statement = try Statement(line, line: number) else { continue }
      if statement.verb == "follow" { try reader.readFollow(statement, file) } else { try reader.read(statement) }
    }
    self = try reader.finish(line: number)
  }
}

/// Builds a script statement by statement.
struct ScriptReader {
  var script = SimulationScript()
  /// When the next motion starts.
  var now = 0.0
  /// When the motion before started, for `also`.
  private var lastStart = 0.0
  /// Whether time has passed: settings come before.
  private var hasBegun = false
  /// How much the hand trembles at the beginning.
  var firstTremor = 1.0
  // What follows from the seed is made when the first motion asks for it.
  var random = SeededGenerator(seed: 1, purpose: "trajectory")
  var hand: Int?
  // State at the end of what was read, for what is given absolutely.
  var heading = 0.0
  var pitch = 0.0
  var roll = 0.0
  var position = Vector3(0, 0, 1.6)
  /// Where each `room` stands, for what is found wrong with it at the end.
  var roomLines: [Int] = []
  /// Line of the `watch` that is going on.
  var watchLine = 0

  /// Everything a line can start with, in the order of the documentation.
  static let settings: [String] = [
    "seed", "place", "date", "geoid", "phone", "display", "camera", "ticks", "start", "arm", "steel", "fixes",
    "heights", "rig",
    "street", "town", "room", "landmark", "picture", "board", "marker", "table",
  ]
  static let motions: [String] = [
    "hold", "turn", "tilt", "roll", "look", "pan", "walk", "ride", "climb", "shake", "tremor", "magnet", "attach",
    "disturb",
    "sky", "gap", "watch", "unwatch", "cover", "follow", "also",
  ]

  /// Motions that take no time of their own, and may also stand among the settings.
  private static let instants: Set = ["tremor", "magnet", "attach", "disturb", "sky", "watch", "unwatch"]
  /// What may go on while a recorded path is followed.
  private static let besidePath: Set = ["also", "cover", "gap", "magnet", "attach", "disturb", "sky"]

  mutating func read(_ statement: Statement) throws(ScriptProblem) {
    if Self.settings.contains(statement.verb) {
      if hasBegun {
        throw statement.fail("settings come before the first motion that takes time; move this line up.")
      }
      try readSetting(statement)
    } else if Self.motions.contains(statement.verb) {
      if script.trajectory.path != nil, !Self.besidePath.contains(statement.verb) {
        throw statement.fail("the phone follows a recorded path, and nothing else moves it; leave this line out.")
      }
      let takesTime = !Self.instants.contains(statement.verb)
      if takesTime { begin() }
      if statement.verb == "also" {
        let inner = try statement.unwrapped()
        guard Self.motions.contains(inner.verb), inner.verb != "also" else { throw unknown(inner) }
        if inner.verb == "follow" { throw inner.fail("it has to be the first motion, on a line of its own.") }
        if script.trajectory.path != nil, !Self.besidePath.contains(inner.verb) {
          throw inner.fail("the phone follows a recorded path, and nothing else moves it; leave this line out.")
        }
        try readMotion(inner, from: lastStart)
      } else {
        let start = now
        try readMotion(statement, from: start)
        lastStart = start
      }
      guard now <= SimulationScript.longestDuration else {
        throw statement.fail("the script gets longer than an hour; split it.")
      }
    } else {
      throw unknown(statement)
    }
  }

  mutating func finish(line: Int) throws(ScriptProblem) -> SimulationScript {
    guard now > 0 else {
      throw ScriptProblem(line: max(1, line), message: "nothing happens in this script; add a line such as \"hold 5\".")
    }
    if let path = script.trajectory.path, now > path.duration + 1e-9 {
      throw ScriptProblem(
        line: line,
        message: "the path that is followed ends before this; put \"also\" before the motion."
      )
    }
    script.duration = now
    try closeGaze(at: line)
    script.rests = script.rests.filter { rest in
      !script.trajectory.legs.contains { Self.overlaps(rest, $0.course) }
        && !script.trajectory.turns.contains { Self.overlaps(rest, $0.course) }
    }
    try checkRooms()
    return script
  }

  private func unknown(_ statement: Statement) -> ScriptProblem {
    let known = (Self.settings + Self.motions).joined(separator: ", ")
    return ScriptProblem(
      line: statement.line,
      message: "\"\(statement.verb)\" is not known; a line starts with one of \(known), or with # for a comment."
    )
  }

  private static func overlaps(_ range: ClosedRange<Double>, _ course: Course) -> Bool {
    course.start < range.upperBound - 1e-9 && course.start + course.duration > range.lowerBound + 1e-9
  }

  /// The way has to stay within the walls of the room in which it begins.
  private func checkRooms() throws(ScriptProblem) {
    for (room, line) in zip(script.scenery.rooms, roomLines) {
      func margin(_ time: Double) -> Double { room.margin(of: script.trajectory.state(at: time).position) }
      guard margin(0) >= 0 else { continue }
      for step in 0...Int(clamp(script.duration / 0.1, 0, 1e6)) {
        let time = Double(step) * 0.1
        guard margin(time) < 0.1 else { continue }
        let at = script.trajectory.state(at: time).position
        func metres(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        throw ScriptProblem(
          line: line,
          message:
            "room: after \(metres(time)) s the phone is at east \(metres(at.x)), north \(metres(at.y)), up \(metres(at.z)), "
            + "less than 0.1 m from a wall or outside; make the room larger or move it."
        )
      }
    }
  }

  mutating func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    random = SeededGenerator(seed: script.seed, purpose: "trajectory")
    // Everybody's hand trembles, unless the script says otherwise.
    script.trajectory.groups.append(.hand(from: &random))
    script.trajectory.groups[0].setStrength(firstTremor, at: -1, within: 0.5)
    hand = 0
  }
}
