import SightlineGeodesy
import SightlineInput
import SightlineOpenStreetMap

/// Makes the answer of the parts of a way: its line, its sums, and what to do.
struct RouteAssembly {
  /// A stretch of the line: an edge's part, or a straight line off the roads.
  struct Stretch {
    var part: RoutePart?
    var flags: EdgeFlags
    var name: UInt32
    /// First and last index of its points.
    var points: ClosedRange<Int>
    var metres: Double
    var seconds: Double
    var steps: Double
    /// A lift at its start.
    var startsInElevator = false
  }

  let graph: WalkingGraph
  private(set) var line: [OSMPosition] = []
  private(set) var stretches: [Stretch] = []
  private let profile: WalkingProfile
  private let settled: Int

  init(
    _ graph: WalkingGraph,
    _ ends: WalkingGraph.Ends,
    _ parts: [RoutePart],
    profile: WalkingProfile,
    settled: Int
  ) {
    self.graph = graph
    self.profile = profile
    self.settled = settled
    line = [ends.asked.start]
    addOffRoad(to: ends.start.point, metres: ends.start.distance)
    // A start at the very end of an edge is one of the next; who stands still has one edge all the same.
    let walked = parts.filter { $0.share > 0 }
    for part in walked.isEmpty ? Array(parts.prefix(1)) : walked { add(part) }
    addOffRoad(to: ends.destination.point, metres: 0)
    addOffRoad(to: ends.asked.destination, metres: ends.destination.distance)
  }

  private mutating func addOffRoad(to point: OSMPosition, metres: Double) {
    let first = line.count - 1
    if line[first] != point { line.append(point) }
    guard metres > 0, line.count - 1 > first else { return }
    stretches.append(
      Stretch(
        flags: EdgeFlags(kind: .offRoad),
        name: 0,
        points: first...line.count - 1,
        metres: metres,
        seconds: metres / WalkingSpeed.flat,
        steps: 0
      )
    )
  }

  private mutating func add(_ part: RoutePart) {
    let first = line.count - 1
    for point in graph.points(of: part) where line[line.count - 1] != point { line.append(point) }
    let flags = graph.flags(part.edge)
    var stretch = Stretch(
      part: part,
      flags: part.isBackward ? flags.reversed : flags,
      name: graph.columns.names[part.edge],
      points: first...line.count - 1,
      metres: Double(graph.columns.lengths[part.edge]) / 10 * part.share,
      seconds: graph.seconds(part),
      steps: Double(graph.columns.steps[part.edge]) * part.share
    )
    let node = Int(part.isBackward ? graph.columns.to[part.edge] : graph.columns.from[part.edge])
    let isAtNode = part.start == (part.isBackward ? 1 : 0)
    let isElevator = graph.columns.nodeFlags[node] & GraphTables.elevatorNode != 0
    // Who only starts at a lift, or ends there, does not take it.
    stretch.startsInElevator = isAtNode && isElevator && stretches.last?.part != nil
    stretches.append(stretch)
  }

  /// The whole answer.
  var route: WalkingRoute {
    var route = WalkingRoute(
      positions: line.map(\.geodetic),
      metres: 0,
      seconds: 0,
      stepsMetres: 0,
      stepCount: 0,
      isStepCountKnown: true,
      ascentMetres: 0,
      descentMetres: 0,
      profile: profile,
      instructions: InstructionAssembly(self).instructions,
      settledNodes: settled
    )
    var steps = 0.0
    for stretch in stretches {
      route.metres += stretch.metres
      route.seconds += stretch.seconds
      guard let part = stretch.part else { continue }
      if stretch.flags.isSteps, part.share > 0 {
        route.stepsMetres += stretch.metres
        steps += stretch.steps
        if !stretch.flags.has(EdgeFlags.stepsKnown) { route.isStepCountKnown = false }
      }
      addClimb(of: part, stretch.flags, to: &route)
    }
    route.stepCount = Int(clamped: steps.rounded())
    return route
  }

  private func addClimb(of part: RoutePart, _ flags: EdgeFlags, to route: inout WalkingRoute) {
    guard flags.has(EdgeFlags.heights) else {
      route.ascentMetres = nil
      route.descentMetres = nil
      return
    }
    let up = Double(graph.columns.ascents[part.edge]) / 10 * part.share
    let down = Double(graph.columns.descents[part.edge]) / 10 * part.share
    route.ascentMetres = route.ascentMetres.map { $0 + (part.isBackward ? down : up) }
    route.descentMetres = route.descentMetres.map { $0 + (part.isBackward ? up : down) }
  }
}

extension WalkingGraph {
  /// The line of a part in the direction in which it is walked.
  func points(of part: RoutePart) -> [OSMPosition] {
    let all = points(ofEdge: part.edge)
    if part.share == 1 { return part.isBackward ? all.reversed() : all }
    var along = [0.0]
    for (a, b) in zip(all, all.dropFirst()) { along.append(along[along.count - 1] + GroundMetric.distance(a, b)) }
    let length = along[along.count - 1]
    func place(_ share: Double) -> OSMPosition {
      let metres = share * length
      guard let next = along.firstIndex(where: { $0 >= metres }) else { return all[all.count - 1] }
      guard next > 0, along[next] > along[next - 1] else { return all[next] }
      return OSMPosition.between(all[next - 1], all[next], (metres - along[next - 1]) / (along[next] - along[next - 1]))
    }
    let (low, high) = (min(part.start, part.end), max(part.start, part.end))
    var points = [place(low)]
    for (index, point) in all.enumerated() where along[index] > low * length && along[index] < high * length {
      points.append(point)
    }
    points.append(place(high))
    return part.isBackward ? points.reversed() : points
  }
}
