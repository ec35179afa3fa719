import SightlineCamera
import SightlineGeodesy
import SightlineMath

extension SimulationScript {
  /// Longest script, seconds.
  static let longestDuration = 3600.0

  /// Reads a script.
  ///
  /// - Throws: the first problem, with its line.
  public init(_ text: String) throws(ScriptProblem) {
    var reader = ScriptReader()
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if let statement = try Statement(line, line: number) { try reader.read(statement) }
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

  /// Everything a line can start with, in the order of the documentation.
  static let settings: [String] = [
    "seed", "place", "date", "geoid", "phone", "display", "camera", "ticks", "start", "arm", "steel", "fixes",
    "heights",
    "street", "landmark", "picture", "board", "marker", "table",
  ]
  static let motions: [String] = [
    "hold", "turn", "tilt", "roll", "look", "pan", "walk", "ride", "climb", "shake", "tremor", "magnet", "attach",
    "disturb",
    "sky", "gap", "also",
  ]

  /// Motions that take no time of their own, and may also stand among the settings.
  private static let instants: Set = ["tremor", "magnet", "attach", "disturb", "sky"]

  mutating func read(_ statement: Statement) throws(ScriptProblem) {
    if Self.settings.contains(statement.verb) {
      if hasBegun {
        throw statement.fail("settings come before the first motion that takes time; move this line up.")
      }
      try readSetting(statement)
    } else if Self.motions.contains(statement.verb) {
      let takesTime = !Self.instants.contains(statement.verb)
      if takesTime { begin() }
      if statement.verb == "also" {
        let inner = try statement.unwrapped()
        guard Self.motions.contains(inner.verb), inner.verb != "also" else { throw unknown(inner) }
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
    script.duration = now
    return script
  }

  private func unknown(_ statement: Statement) -> ScriptProblem {
    let known = (Self.settings + Self.motions).joined(separator: ", ")
    return ScriptProblem(
      line: statement.line,
      message: "\"\(statement.verb)\" is not known; a line starts with one of \(known), or with # for a comment."
    )
  }

  private mutating func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    random = SeededGenerator(seed: script.seed, purpose: "trajectory")
    // Everybody's hand trembles, unless the script says otherwise.
    script.trajectory.groups.append(.hand(from: &random))
    script.trajectory.groups[0].setStrength(firstTremor, at: -1, within: 0.5)
    hand = 0
  }
}
