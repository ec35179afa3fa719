import SightlineGeodesy
import SightlineInput
import SightlineOpenStreetMap

/// A part of a way: an edge, or a part of one, in the direction in which it is walked.
struct RoutePart: Equatable {
  var edge: Int
  var isBackward: Bool
  /// Parts of the edge's length from its first node: where walking begins and ends.
  ///
  /// Backward the first is the larger.
  var start: Double
  var end: Double

  var share: Double { abs(end - start) }
}

extension WalkingGraph {
  /// The way from a position to another, between the nearest places on ways.
  ///
  /// - Parameters:
  ///   - start: where it begins; its altitude is not looked at.
  ///   - destination: where it ends.
  ///   - profile: what to avoid.
  ///   - search: fast, or plainly for comparison.
  /// - Returns: the way of least cost; of several that cost the same, one.
  /// - Throws: ``WalkingProblem/position(_:)``, ``WalkingProblem/farFromWays(_:limitMetres:)``, ``WalkingProblem/unconnected``,
  ///   and ``WalkingProblem/damaged(_:)`` for a stored graph that contradicts itself.
  public func route(
    from start: Geodetic,
    to destination: Geodetic,
    profile: WalkingProfile = .quickest,
    search: WalkingSearch = .fast
  ) throws(WalkingProblem) -> WalkingRoute {
    let ends = try snapped(start, destination, profile)
    let (parts, settled) = try parts(from: ends.start, to: ends.destination, profile, search)
    return RouteAssembly(self, ends, parts, profile: profile, settled: settled).route
  }

  /// The quickest way, then the way that avoids steps where the quickest has some and there is another with fewer.
  ///
  /// - Throws: as ``route(from:to:profile:search:)``.
  public func alternatives(
    from start: Geodetic,
    to destination: Geodetic
  ) throws(WalkingProblem) -> [WalkingRoute] {
    let quickest = try route(from: start, to: destination)
    guard quickest.hasSteps else { return [quickest] }
    // Around steps there need not be a way.
    guard let avoiding = try? route(from: start, to: destination, profile: .avoidingSteps),
      avoiding.positions != quickest.positions, avoiding.stepsMetres < quickest.stepsMetres
    else { return [quickest] }
    return [quickest, avoiding]
  }

  /// Lengths and times from one position to many, by one search from it and a short one from each of them.
  ///
  /// - Returns: one for each destination, in their order; `nil` for one that is no position, far from ways or not connected.
  /// - Throws: what is wrong with the start, as ``route(from:to:profile:search:)``.
  public func distances(
    from start: Geodetic,
    to destinations: [Geodetic],
    profile: WalkingProfile = .quickest
  ) throws(WalkingProblem) -> [WalkingDistance?] {
    guard let from = OSMPosition(start) else { throw .position(.start) }
    let near = SnapCandidates(self, from, within: Self.snappingLimitMetres, profile: profile)
    guard !near.byComponent.isEmpty else {
      throw .farFromWays(.start, limitMetres: Self.snappingLimitMetres)
    }
    // One search from each part of the graph that is needed, by its edge.
    var searches: [Int: StartedSearch] = [:]
    var answers: [WalkingDistance?] = []
    for destination in destinations {
      guard let to = OSMPosition(destination), let pair = pair(near, from: to, profile) else {
        answers.append(nil)
        continue
      }
      var search = searches[pair.0.edge] ?? StartedSearch(self, from: startSeeds(pair.0, profile), profile)
      let path = try search.path(to: endSeeds(pair.1, profile))
      searches[pair.0.edge] = search
      let parts = self.parts(path, from: pair.0, to: pair.1, profile)
      answers.append(parts.map { distance($0, offRoad: pair.0.distance + pair.1.distance) })
    }
    return answers
  }

  private func pair(_ near: SnapCandidates, from to: OSMPosition, _ profile: WalkingProfile) -> (Snap, Snap)? {
    for metres in [Self.snappingFirstMetres, Self.snappingLimitMetres] {
      let candidates = SnapCandidates(self, to, within: metres, profile: profile)
      if let pair = SnapCandidates.pair(near, candidates) { return pair }
    }
    return nil
  }

  private func distance(_ parts: [RoutePart], offRoad: Double) -> WalkingDistance {
    var distance = WalkingDistance(metres: offRoad, seconds: offRoad / WalkingSpeed.flat, hasSteps: false)
    for part in parts {
      distance.metres += Double(columns.lengths[part.edge]) / 10 * part.share
      distance.seconds += seconds(part)
      if flags(part.edge).isSteps, part.share > 0 { distance.hasSteps = true }
    }
    return distance
  }

  /// Seconds that a part takes.
  func seconds(_ part: RoutePart) -> Double {
    Double(part.isBackward ? columns.backwardTimes[part.edge] : columns.forwardTimes[part.edge]) / 10 * part.share
  }

  // MARK: Ends

  /// Both ends and their places on ways.
  struct Ends {
    var asked: (start: OSMPosition, destination: OSMPosition)
    var start: Snap
    var destination: Snap
  }

  /// The nearest places on ways from which one leads to the other.
  private func snapped(
    _ start: Geodetic,
    _ destination: Geodetic,
    _ profile: WalkingProfile
  ) throws(WalkingProblem) -> Ends {
    guard let from = OSMPosition(start) else { throw .position(.start) }
    guard let to = OSMPosition(destination) else { throw .position(.destination) }
    let limit = Self.snappingLimitMetres
    var (one, two) = (near(from, profile), near(to, profile))
    if one.byComponent.isEmpty { throw .farFromWays(.start, limitMetres: limit) }
    if two.byComponent.isEmpty { throw .farFromWays(.destination, limitMetres: limit) }
    if SnapCandidates.pair(one, two) == nil {
      // The nearest ways are not connected; others a little farther may be.
      one = SnapCandidates(self, from, within: limit, profile: profile)
      two = SnapCandidates(self, to, within: limit, profile: profile)
    }
    guard let pair = SnapCandidates.pair(one, two) else { throw .unconnected }
    return Ends(asked: (from, to), start: pair.0, destination: pair.1)
  }

  private func near(_ position: OSMPosition, _ profile: WalkingProfile) -> SnapCandidates {
    let candidates = SnapCandidates(self, position, within: Self.snappingFirstMetres, profile: profile)
    guard candidates.byComponent.isEmpty else { return candidates }
    return SnapCandidates(self, position, within: Self.snappingLimitMetres, profile: profile)
  }

  // MARK: Searching

  private func parts(
    from start: Snap,
    to end: Snap,
    _ profile: WalkingProfile,
    _ search: WalkingSearch
  ) throws(WalkingProblem) -> ([RoutePart], settled: Int) {
    let (sources, targets) = (startSeeds(start, profile), endSeeds(end, profile))
    let path: FoundPath?
    let settled: Int
    if search == .fast, isPrepared {
      var search = HierarchySearch(self, hierarchies[Int(profile.rawValue)], from: sources)
      path = try search.path(to: targets)
      settled = search.settled
    } else {
      let search = PlainSearch(self, profile: profile, from: sources, to: targets)
      path = search.path(to: targets)
      settled = search.settled
    }
    guard let parts = parts(path, from: start, to: end, profile) else { throw .unconnected }
    return (parts, settled)
  }

  /// The parts of a way with those of the edges at its ends; straight along one edge where that is not dearer.
  private func parts(_ path: FoundPath?, from start: Snap, to end: Snap, _ profile: WalkingProfile) -> [RoutePart]? {
    if start.edge == end.edge {
      let isBackward = end.along < start.along
      let (low, high) = (min(start.along, end.along), max(start.along, end.along))
      let isStanding = low == high
      for isBackward in isStanding ? [false, true] : [isBackward] {
        guard let cost = cost(start.edge, isBackward: isBackward, profile) else { continue }
        if path.map({ Self.part(cost, high - low) <= $0.cost }) ?? true {
          return [RoutePart(edge: start.edge, isBackward: isBackward, start: start.along, end: end.along)]
        }
      }
    }
    guard let path else { return nil }
    var parts: [RoutePart] = []
    // Of two directions that lead to the same node, on a loop, the cheaper one was taken.
    let first = Self.isBackward(startSeeds(start, profile), at: path.firstNode)
    parts.append(RoutePart(edge: start.edge, isBackward: first, start: start.along, end: first ? 0 : 1))
    for step in path.steps {
      let (start, end) = step.isBackward ? (1.0, 0.0) : (0, 1)
      parts.append(RoutePart(edge: step.edge, isBackward: step.isBackward, start: start, end: end))
    }
    let last = Self.isBackward(endSeeds(end, profile), at: path.lastNode)
    parts.append(RoutePart(edge: end.edge, isBackward: last, start: last ? 1 : 0, end: end.along))
    return parts
  }

  private static func isBackward(_ seeds: [SearchSeed], at node: Int) -> Bool {
    seeds.filter { $0.node == node }.min { $0.cost < $1.cost }?.isBackward ?? false
  }
}

/// A search from one position that many ends are asked of.
struct StartedSearch {
  private var plain: PlainSearch?
  private var fast: HierarchySearch?

  init(_ graph: WalkingGraph, from seeds: [SearchSeed], _ profile: WalkingProfile) {
    if graph.isPrepared {
      fast = HierarchySearch(graph, graph.hierarchies[Int(profile.rawValue)], from: seeds)
    } else {
      plain = PlainSearch(graph, profile: profile, from: seeds)
    }
  }

  /// The cheapest way to one of the targets.
  mutating func path(to targets: [SearchSeed]) throws(WalkingProblem) -> FoundPath? {
    if let plain { return plain.path(to: targets) }
    return try fast?.path(to: targets)
  }
}
