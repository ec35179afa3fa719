import SightlineInput
import SightlineOpenStreetMap

/// Puts the stretches of a way together to instructions: one where something has to be done.
struct InstructionAssembly {
  private(set) var instructions: [WalkingInstruction] = []
  private let route: RouteAssembly

  /// Metres before and behind a corner by which the direction is judged: shorter pieces are corners of the drawing.
  static let bearingMetres = 8.0
  /// Straight lines off the roads shorter than this are part of what is beside them.
  static let shortestOffRoad = 15.0
  /// A piece of a street shorter than this is the corner of two others, and not told.
  static let shortestStreet = 5.0
  /// Degrees from which a way that keeps its name has turned.
  static let noticedTurn = 55.0

  init(_ route: RouteAssembly) {
    self.route = route
    for (index, stretch) in route.stretches.enumerated() { add(stretch, isFirst: index == 0) }
    if instructions.isEmpty { append(.depart, kind: .offRoad, at: 0, turn: nil) }
    instructions[0].action = .depart
    instructions[0].turn = nil
    // Who sets out on steps has to be told both.
    if let first = route.stretches.first, Self.action(first.flags) != .walk {
      instructions.insert(instructions[0], at: 0)
      instructions[0].metres = 0
      instructions[0].seconds = 0
      instructions[0].stepCount = 0
      instructions[1].action = Self.action(first.flags)
    }
    append(.arrive, kind: route.stretches.last?.flags.kind ?? .offRoad, at: route.line.count - 1, turn: nil)
  }

  private mutating func append(
    _ action: WalkingInstruction.Action,
    kind: WalkingWayKind,
    name: String? = nil,
    at position: Int,
    turn: WalkingTurn?
  ) {
    instructions.append(
      WalkingInstruction(
        action: action,
        turn: turn,
        name: name,
        kind: kind,
        metres: 0,
        seconds: 0,
        stepCount: 0,
        bearingDegrees: bearing(after: position),
        position: position
      )
    )
  }

  private mutating func add(_ stretch: RouteAssembly.Stretch, isFirst: Bool) {
    var stretch = stretch
    let start = stretch.points.lowerBound
    if stretch.startsInElevator, !instructions.isEmpty {
      // Its time is in the edges on both sides, half in each.
      let half = WalkingSpeed.elevatorSeconds / 2
      let (before, behind) = (
        min(half, instructions[instructions.count - 1].seconds), min(half, stretch.seconds)
      )
      instructions[instructions.count - 1].seconds -= before
      stretch.seconds -= behind
      append(.elevator, kind: .elevator, at: start, turn: nil)
      instructions[instructions.count - 1].seconds = before + behind
    }
    let angle = angle(at: start)
    if isFirst || isNew(stretch, angle) {
      let name = stretch.part.flatMap { route.graph.name(ofEdge: $0.edge) }
      append(
        Self.action(stretch.flags),
        kind: stretch.flags.kind,
        name: name,
        at: start,
        turn: angle.map(Self.turn)
      )
    } else if instructions[instructions.count - 1].kind == .offRoad, stretch.flags.kind != .offRoad {
      // A short line to the first way takes that way's name.
      instructions[instructions.count - 1].kind = stretch.flags.kind
      instructions[instructions.count - 1].name = stretch.part.flatMap { route.graph.name(ofEdge: $0.edge) }
      instructions[instructions.count - 1].bearingDegrees = bearing(after: start)
    }
    instructions[instructions.count - 1].metres += stretch.metres
    instructions[instructions.count - 1].seconds += stretch.seconds
    if stretch.flags.isSteps {
      let last = instructions.count - 1
      instructions[last].stepCount = Int(clamped: (Double(instructions[last].stepCount) + stretch.steps).rounded())
    }
  }

  /// Whether a stretch has something to say that the instruction before does not.
  private func isNew(_ stretch: RouteAssembly.Stretch, _ angle: Double?) -> Bool {
    guard let last = instructions.last else { return true }
    let action = Self.action(stretch.flags)
    if last.kind == .offRoad {
      return last.metres >= Self.shortestOffRoad || action != .walk
    }
    if stretch.flags.kind == .offRoad { return stretch.metres >= Self.shortestOffRoad }
    if last.action == .elevator { return true }
    let lastAction = last.action == .depart ? Self.action(EdgeFlags(kind: last.kind)) : last.action
    if action != lastAction { return true }
    // One crossing behind the other is one crossing, and flights with a landing are steps.
    if action != .walk { return false }
    if stretch.metres < Self.shortestStreet, abs(angle ?? 0) < Self.noticedTurn { return false }
    let name = stretch.part.flatMap { route.graph.name(ofEdge: $0.edge) }
    return name != last.name || abs(angle ?? 0) >= Self.noticedTurn
  }

  static func action(_ flags: EdgeFlags) -> WalkingInstruction.Action {
    switch flags.kind {
    case .steps:
      flags.has(EdgeFlags.stepsUp) ? .stepsUp : flags.has(EdgeFlags.stepsDown) ? .stepsDown : .steps
    case .escalator: .escalator
    case .elevator: .elevator
    case .crossing: flags.has(EdgeFlags.signals) ? .crossWithSignals : .cross
    case .street, .path, .platform, .corridor, .square, .offRoad: .walk
    }
  }

  // MARK: Directions

  /// The turn of an angle, degrees, right positive.
  static func turn(_ angle: Double) -> WalkingTurn {
    switch abs(angle) {
    case ..<20: .straight
    case ..<55: angle > 0 ? .slightRight : .slightLeft
    case ..<125: angle > 0 ? .right : .left
    case ...165: angle > 0 ? .sharpRight : .sharpLeft
    default: .back
    }
  }

  /// The angle between the directions before and behind a point of the line, degrees, right positive, −180 … 180.
  private func angle(at point: Int) -> Double? {
    guard let before = bearing(before: point), let after = bearing(after: point) else { return nil }
    let difference = after - before
    return difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference
  }

  private func bearing(after point: Int) -> Double? {
    let line = route.line
    var (end, length) = (point, 0.0)
    while end + 1 < line.count, length < Self.bearingMetres {
      length += GroundMetric.distance(line[end], line[end + 1])
      end += 1
    }
    return GroundMetric.bearing(line[point], line[end])
  }

  private func bearing(before point: Int) -> Double? {
    let line = route.line
    var (start, length) = (point, 0.0)
    while start > 0, length < Self.bearingMetres {
      length += GroundMetric.distance(line[start], line[start - 1])
      start -= 1
    }
    return GroundMetric.bearing(line[start], line[point])
  }
}
