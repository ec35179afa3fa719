import SightlineGeodesy
import SightlineOpenStreetMap
import SightlineTestSupport
import Testing

@testable import SightlineWalking

@Suite struct HierarchyTests {
  /// What a way costs when its steps are added up, and whether each begins where the one before ends.
  func sum(_ path: FoundPath, _ graph: WalkingGraph, _ profile: WalkingProfile) -> (cost: UInt32, isConnected: Bool) {
    var (cost, node, isConnected): (UInt32, Int, Bool) = (0, path.firstNode, true)
    for step in path.steps {
      let (from, to) = (Int(graph.columns.from[step.edge]), Int(graph.columns.to[step.edge]))
      if (step.isBackward ? to : from) != node { isConnected = false }
      node = step.isBackward ? from : to
      guard let part = graph.cost(step.edge, isBackward: step.isBackward, profile) else { return (0, false) }
      cost += part
    }
    return (cost, isConnected && node == path.lastNode)
  }

  @Test(arguments: 0..<30)
  func `the fast search costs what Dijkstra's costs in towns by chance`(seed: Int) throws {
    let town = RandomTown(seed: UInt64(seed), side: 3 + seed % 12)
    let graph = try town.map.graph().prepared()
    #expect(graph.isPrepared)
    var random = SplitMix64(seed: UInt64(seed) &+ 1000)
    for profile in WalkingProfile.allCases {
      for _ in 0..<30 {
        func seeds() -> [SearchSeed] {
          (0..<2).map { _ in
            SearchSeed(
              node: Int.random(in: 0..<graph.nodeCount, using: &random),
              cost: UInt32.random(in: 0..<500, using: &random)
            )
          }
        }
        let (from, to) = (seeds(), seeds())
        var search = HierarchySearch(graph, graph.hierarchies[Int(profile.rawValue)], from: from)
        let fast = try search.path(to: to)
        let plain = PlainSearch(graph, profile: profile, from: from, to: to).path(to: to)
        #expect(fast?.cost == plain?.cost)
        for path in [fast, plain] {
          guard let path else { continue }
          let (cost, isConnected) = sum(path, graph, profile)
          let start = try #require(from.filter { $0.node == path.firstNode }.map(\.cost).min())
          let end = try #require(to.filter { $0.node == path.lastNode }.map(\.cost).min())
          #expect(isConnected && cost + start + end == path.cost)
        }
      }
    }
  }

  @Test(arguments: 0..<6)
  func `one search for many ends gives what single searches give`(seed: Int) throws {
    let town = RandomTown(seed: UInt64(seed) &+ 50, side: 9)
    let plain = try town.map.graph()
    let graph = plain.prepared()
    var random = SplitMix64(seed: UInt64(seed))
    let (east, north) = town.position(&random)
    let start = town.map.place(east, north).geodetic
    let ends = (0..<20).map { _ in
      let (east, north) = town.position(&random)
      return town.map.place(east, north).geodetic
    }
    for profile in WalkingProfile.allCases {
      let distances = try graph.distances(from: start, to: ends, profile: profile)
      let others = try plain.distances(from: start, to: ends, profile: profile)
      for (index, end) in ends.enumerated() {
        // Of ways that cost the same either may be given; roads beside sidewalks cost more than their time.
        let route = try? graph.route(from: start, to: end, profile: profile)
        #expect((route == nil) == (distances[index] == nil) && (others[index] == nil) == (route == nil))
        guard let route, let distance = distances[index], let other = others[index] else { continue }
        #expect(abs(distance.seconds - route.seconds) < 0.4 * route.seconds + 1)
        #expect(distance.hasSteps == route.hasSteps || profile == .quickest)
        #expect(other.hasSteps == route.hasSteps || profile == .quickest)
      }
    }
  }

  @Test func `a hierarchy with a core finds the same ways`() throws {
    for seed in 0..<8 {
      let graph = try RandomTown(seed: UInt64(seed), side: 9).map.graph()
      let order = Contraction(ContractionGraph(graph, .quickest)).order
      for share in [0, 0.3, 0.8] {
        let prepared = graph.prepared(order: order, contracted: Int(Double(order.count) * share))
        var random = SplitMix64(seed: UInt64(seed))
        for profile in WalkingProfile.allCases {
          for _ in 0..<20 {
            let from = [SearchSeed(node: Int.random(in: 0..<graph.nodeCount, using: &random), cost: 0)]
            let to = [SearchSeed(node: Int.random(in: 0..<graph.nodeCount, using: &random), cost: 0)]
            var search = HierarchySearch(prepared, prepared.hierarchies[Int(profile.rawValue)], from: from)
            let plain = PlainSearch(prepared, profile: profile, from: from, to: to).path(to: to)
            #expect(try search.path(to: to)?.cost == plain?.cost)
          }
          // One search that goes on for many targets.
          let from = [SearchSeed(node: Int.random(in: 0..<graph.nodeCount, using: &random), cost: 3)]
          var search = HierarchySearch(prepared, prepared.hierarchies[Int(profile.rawValue)], from: from)
          let plain = PlainSearch(prepared, profile: profile, from: from)
          for _ in 0..<30 {
            let to = (0..<2).map { _ in SearchSeed(node: Int.random(in: 0..<graph.nodeCount, using: &random), cost: 5) }
            let path = try search.path(to: to)
            #expect(path?.cost == plain.path(to: to)?.cost)
            if let path { #expect(sum(path, prepared, profile).cost + 8 == path.cost) }
          }
        }
      }
    }
  }

  @Test func `a hierarchy of one graph is the same each time`() throws {
    let graph = try RandomTown(seed: 5, side: 8).map.graph()
    #expect(graph.prepared().encode() == graph.prepared().encode())
  }

  @Test func `a search settles few nodes`() throws {
    let town = RandomTown(seed: 11, side: 40)
    let graph = try town.map.graph().prepared()
    let (from, to) = (town.map.place(100, 100).geodetic, town.map.place(2200, 2200).geodetic)
    let fast = try graph.route(from: from, to: to)
    let plain = try graph.route(from: from, to: to, search: .plain)
    #expect(5 * fast.settledNodes < plain.settledNodes)
    #expect(abs(fast.seconds - plain.seconds) < 0.4 * plain.seconds)
  }
}
