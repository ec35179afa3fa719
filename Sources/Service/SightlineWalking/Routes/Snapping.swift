import SightlineGeodesy
import SightlineInput
import SightlineOpenStreetMap

/// The place on an edge that is nearest to a position.
struct Snap: Equatable {
  var edge: Int
  /// Part of the edge's length from its first node, 0 … 1.
  var along: Double
  var point: OSMPosition
  /// Metres from the position, straight.
  var distance: Double
  /// Metres by which it is judged: those and a disadvantage for what satellites do not reach.
  var rank: Double
}

/// The nearest places to a position, one in each connected part of the graph.
struct SnapCandidates {
  private(set) var byComponent: [UInt32: Snap] = [:]

  /// What a way inside a building or a tunnel counts more than one under the sky, metres.
  static let coveredDisadvantage = 15.0

  init(_ graph: WalkingGraph, _ position: OSMPosition, within metres: Double, profile: WalkingProfile) {
    let metric = GroundMetric(latitude: position.latitude)
    var seen: Set<Int> = []
    graph.index.visit(around: position, metres: metres) { edge in
      guard seen.insert(edge).inserted else { return }
      let flags = graph.flags(edge)
      // Who avoids steps does not stand on them.
      if profile == .avoidingSteps, flags.isSteps { return }
      guard flags.has(EdgeFlags.forward) || flags.has(EdgeFlags.backward) else { return }
      let component = graph.columns.components[Int(graph.columns.from[edge])]
      let disadvantage = flags.has(EdgeFlags.covered) ? Self.coveredDisadvantage : 0
      let most = min(metres, (byComponent[component]?.rank ?? .infinity) - disadvantage)
      guard let found = graph.nearestPlace(onEdge: edge, to: position, metric, within: most) else { return }
      let rank = found.distance + disadvantage
      if let best = byComponent[component], (best.rank, best.edge) < (rank, edge) { return }
      byComponent[component] = Snap(
        edge: edge,
        along: found.along,
        point: found.point,
        distance: found.distance,
        rank: rank
      )
    }
  }

  /// The pair in the same part with the least way to it.
  static func pair(_ a: SnapCandidates, _ b: SnapCandidates) -> (Snap, Snap)? {
    var best: (component: UInt32, sum: Double, pair: (Snap, Snap))?
    for (component, one) in a.byComponent {
      guard let two = b.byComponent[component] else { continue }
      let sum = one.rank + two.rank
      if best.map({ (sum, component) < ($0.sum, $0.component) }) ?? true { best = (component, sum, (one, two)) }
    }
    return best?.pair
  }
}

extension WalkingGraph {
  /// How far from a way a position may be, metres.
  public static let snappingLimitMetres = 500.0
  /// Where ways are looked for first: nearly always there is one.
  static let snappingFirstMetres = 75.0

  /// The place on an edge nearest to a position; `nil` when it is farther than `most`.
  func nearestPlace(
    onEdge edge: Int,
    to position: OSMPosition,
    _ metric: GroundMetric,
    within most: Double
  ) -> (along: Double, point: OSMPosition, distance: Double)? {
    var best = most * most
    var found: (segment: Int, t: Double)?
    let points = points(ofEdge: edge)
    for segment in 0..<points.count - 1 {
      let a = metric.vector(position, points[segment])
      let b = metric.vector(points[segment], points[segment + 1])
      let square = b.east * b.east + b.north * b.north
      let t = square > 0 ? min(max(-(a.east * b.east + a.north * b.north) / square, 0), 1) : 0
      let (east, north) = (a.east + t * b.east, a.north + t * b.north)
      let distance = east * east + north * north
      if distance < best || (found == nil && distance <= best) { (best, found) = (distance, (segment, t)) }
    }
    guard let found else { return nil }
    var (before, length) = (0.0, 0.0)
    for segment in 0..<points.count - 1 {
      let step = GroundMetric.distance(points[segment], points[segment + 1])
      if segment < found.segment { before += step } else if segment == found.segment { before += step * found.t }
      length += step
    }
    let (a, b) = (points[found.segment], points[found.segment + 1])
    let point = OSMPosition.between(a, b, found.t)
    return (length > 0 ? min(before / length, 1) : 0, point, best.squareRoot())
  }

  /// Where a search begins from a place on an edge.
  func startSeeds(_ snap: Snap, _ profile: WalkingProfile) -> [SearchSeed] {
    seeds(snap.edge, profile) { isBackward in
      isBackward ? (columns.from[snap.edge], snap.along) : (columns.to[snap.edge], 1 - snap.along)
    }
  }

  /// Where a search ends for a place on an edge.
  func endSeeds(_ snap: Snap, _ profile: WalkingProfile) -> [SearchSeed] {
    seeds(snap.edge, profile) { isBackward in
      isBackward ? (columns.to[snap.edge], 1 - snap.along) : (columns.from[snap.edge], snap.along)
    }
  }

  private func seeds(
    _ edge: Int,
    _ profile: WalkingProfile,
    _ end: (_ isBackward: Bool) -> (node: UInt32, share: Double)
  ) -> [SearchSeed] {
    [false, true].compactMap { isBackward in
      guard let cost = cost(edge, isBackward: isBackward, profile) else { return nil }
      let (node, share) = end(isBackward)
      return SearchSeed(node: Int(node), cost: Self.part(cost, share), isBackward: isBackward)
    }
  }

  /// What a part of an edge costs.
  static func part(_ cost: UInt32, _ share: Double) -> UInt32 {
    UInt32(clamped: (Double(cost) * max(share, 0)).rounded())
  }
}

extension OSMPosition {
  /// A position between two, the shorter way round.
  static func between(_ a: OSMPosition, _ b: OSMPosition, _ t: Double) -> OSMPosition {
    let latitude = Double(a.latitude) + t * Double(Int(b.latitude) - Int(a.latitude))
    var longitude = Double(a.longitude) + t * Double(GroundMetric.eastUnits(a.longitude, b.longitude))
    if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
    if longitude < -1_800_000_000 { longitude += 3_600_000_000 }
    return OSMPosition(latitude: Int32(clamped: latitude.rounded()), longitude: Int32(clamped: longitude.rounded()))
  }
}
