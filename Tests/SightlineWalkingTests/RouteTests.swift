import Foundation
import SightlineGeodesy
import SightlineOpenStreetMap
import SightlineTestSupport
import Testing

@testable import SightlineWalking

@Suite struct RouteTests {
  let street = OSMTags(["highway": "residential", "name": "Long Street"])
  let side = OSMTags(["highway": "residential", "name": "Side Street"])
  let footway = OSMTags(["highway": "footway"])

  @Test func `round a corner it tells the turn, the names, the length and the time`() throws {
    var map = DrawnMap()
    let (a, b, c) = (map.node(0, 0), map.node(0, 300), map.node(200, 300))
    map.way([a, b], street)
    map.way([b, c], side)
    let graph = try map.graph().prepared()
    let route = try graph.route(from: map.place(5, 0).geodetic, to: map.place(200, 306).geodetic)
    #expect(abs(route.metres - 511) < 0.5)
    #expect(abs(route.seconds - 511 / 1.34) < 0.5)
    #expect(route.instructions.map(\.action) == [.depart, .walk, .arrive])
    #expect(route.instructions.map(\.name) == ["Long Street", "Side Street", nil])
    #expect(route.instructions[1].turn == .right)
    let bearings = route.instructions.map { $0.bearingDegrees ?? -1 }
    #expect(abs(bearings[0]) < 1 && abs(bearings[1] - 90) < 1)
    #expect(abs(route.instructions[0].metres - 305) < 0.5 && abs(route.instructions[1].metres - 206) < 0.5)
    #expect(!route.hasSteps && route.ascentMetres == nil)
    // The other way round it is the other way.
    let back = try graph.route(from: map.place(200, 306).geodetic, to: map.place(5, 0).geodetic)
    #expect(back.instructions[1].turn == .left && abs(back.metres - route.metres) < 0.01)
  }

  @Test func `a way follows the curve of its street`() throws {
    var map = DrawnMap()
    let nodes = (0...18).map { step in
      let angle = Double(step) * .pi / 18
      return map.node(100 * cos(angle), 100 * sin(angle))
    }
    map.way(nodes, street)
    let graph = try map.graph()
    #expect(graph.nodeCount == 2 && graph.edgeCount == 1)
    let route = try graph.route(from: map.place(100, 0).geodetic, to: map.place(-100, 0).geodetic)
    #expect(route.positions.count == 19 && abs(route.metres - 313.8) < 0.5)
  }

  @Test func `on one edge it goes straight from place to place, in both directions`() throws {
    var map = DrawnMap()
    map.way([map.node(0, 0), map.node(1000, 0)], street)
    for graph in [try map.graph(), try map.graph().prepared()] {
      for (from, to) in [(200.0, 700.0), (700, 200), (300, 300)] {
        let route = try graph.route(from: map.place(from, 10).geodetic, to: map.place(to, -10).geodetic)
        #expect(abs(route.metres - abs(from - to) - 20) < 0.5)
        #expect(route.instructions.first?.action == .depart && route.instructions.last?.action == .arrive)
      }
    }
  }

  @Test func `against a one-way path along one edge one has to go round`() throws {
    var map = DrawnMap()
    let (a, b) = (map.node(0, 0), map.node(200, 0))
    map.way([a, b], OSMTags(["highway": "path", "oneway:foot": "yes"]))
    map.way([b, map.node(200, 100), map.node(0, 100), a], footway)
    let graph = try map.graph().prepared()
    let along = try graph.route(from: map.place(50, 0).geodetic, to: map.place(150, 0).geodetic)
    let against = try graph.route(from: map.place(150, 0).geodetic, to: map.place(50, 0).geodetic)
    #expect(abs(along.metres - 100) < 0.5 && abs(against.metres - 500) < 0.5)
  }

  @Test func `steps are counted, named by their direction, and avoided where there is another way`() throws {
    var map = DrawnMap()
    let (a, b, c, d) = (map.node(0, 0), map.node(100, 0), map.node(120, 0), map.node(220, 0))
    map.way([a, b], street)
    map.way([b, c], OSMTags(["highway": "steps", "step_count": "60", "incline": "up"]))
    map.way([c, d], street)
    map.way([b, map.node(100, 200), map.node(120, 200), c], footway)
    let graph = try map.graph().prepared()
    let routes = try graph.alternatives(from: map.place(0, 0).geodetic, to: map.place(220, 0).geodetic)
    #expect(routes.count == 2)
    #expect(routes[0].stepCount == 60 && routes[0].isStepCountKnown && abs(routes[0].stepsMetres - 20) < 0.2)
    #expect(routes[0].instructions.map(\.action) == [.depart, .stepsUp, .walk, .arrive])
    #expect(routes[0].instructions[1].stepCount == 60)
    #expect(abs(routes[0].seconds - 200 / 1.34 - 60 * 0.3 / 0.61) < 0.5)
    #expect(!routes[1].hasSteps && routes[1].profile == .avoidingSteps && abs(routes[1].metres - 620) < 1)
    let down = try graph.route(from: map.place(220, 0).geodetic, to: map.place(0, 0).geodetic)
    #expect(down.instructions[1].action == .stepsDown && down.seconds < routes[0].seconds)
  }

  @Test func `where only steps lead, who avoids them is told so`() throws {
    var map = DrawnMap()
    let (a, b, c, d) = (map.node(0, 0), map.node(100, 0), map.node(120, 0), map.node(220, 0))
    map.way([a, b], street)
    map.way([b, c], OSMTags(["highway": "steps"]))
    map.way([c, d], street)
    let graph = try map.graph().prepared()
    let route = try graph.route(
      from: map.place(0, 0).geodetic,
      to: map.place(220, 0).geodetic,
      profile: .avoidingSteps
    )
    #expect(route.hasSteps && route.stepCount == 67 && !route.isStepCountKnown)
    #expect(try graph.alternatives(from: map.place(0, 0).geodetic, to: map.place(220, 0).geodetic).count == 1)
  }

  @Test func `what is no way, far away or elsewhere is said`() throws {
    var map = DrawnMap()
    map.way([map.node(0, 0), map.node(400, 0)], street)
    map.way([map.node(0, 5000), map.node(400, 5000)], street)
    let graph = try map.graph().prepared()
    let here = map.place(0, 0).geodetic
    #expect(throws: WalkingProblem.farFromWays(.destination, limitMetres: 500)) {
      try graph.route(from: here, to: map.place(0, 600).geodetic)
    }
    #expect(throws: WalkingProblem.farFromWays(.start, limitMetres: 500)) {
      try graph.route(from: Geodetic(latitudeDegrees: -90, longitudeDegrees: 180), to: here)
    }
    #expect(throws: WalkingProblem.unconnected) { try graph.route(from: here, to: map.place(0, 5000).geodetic) }
    for odd in [Double.nan, .infinity, 91, -1e300] {
      #expect(throws: WalkingProblem.position(.start)) {
        try graph.route(from: Geodetic(latitudeDegrees: odd, longitudeDegrees: 0), to: here)
      }
      #expect(throws: WalkingProblem.position(.destination)) {
        try graph.route(from: here, to: Geodetic(latitudeDegrees: 0, longitudeDegrees: odd * 4))
      }
    }
    #expect(throws: WalkingProblem.empty) { try WalkingGraph(OSMExtract()) }
  }

  @Test func `a piece that leads nowhere is not where a way begins, an island is reached from itself`() throws {
    var map = DrawnMap()
    map.way([map.node(0, 0), map.node(400, 0)], street)
    map.way([map.node(50, 10), map.node(80, 10)], footway)
    map.way([map.node(0, 200), map.node(400, 200)], footway)
    let graph = try map.graph()
    #expect(graph.edgeCount == 2)
    let route = try graph.route(from: map.place(60, 12).geodetic, to: map.place(390, 2).geodetic)
    #expect(abs(route.metres - 12 - 330 - 2) < 0.5)
    // Nearer to the one at its start, to the other at its end: both ends on one that is connected.
    let across = try graph.route(from: map.place(10, 90).geodetic, to: map.place(390, 150).geodetic)
    #expect(abs(across.metres - 110 - 50 - 380) < 1)
  }

  @Test func `a gate that is closed lets nobody through, a bollard does`() throws {
    for (tags, isOpen) in [
      (OSMTags(["barrier": "gate", "access": "private"]), false), (OSMTags(["barrier": "bollard"]), true),
    ] {
      var map = DrawnMap()
      let (a, gate, b) = (map.node(0, 0), map.node(100, 0, tags), map.node(200, 0))
      map.way([a, gate, b], footway)
      map.way([a, map.node(0, 200), map.node(200, 200), b], street)
      let route = try map.graph().prepared().route(from: map.place(10, 0).geodetic, to: map.place(190, 0).geodetic)
      #expect(abs(route.metres - (isOpen ? 180 : 620)) < 1)
    }
  }

  @Test func `a square is crossed straight, not through a hole in it`() throws {
    for hasHole in [false, true] {
      var map = DrawnMap()
      let ring = [map.node(0, 0), map.node(100, 0), map.node(100, 100), map.node(0, 100)]
      let tags = OSMTags(["highway": "pedestrian", "area": "yes", "name": "Market"])
      if hasHole {
        let hole = [map.node(30, 30), map.node(70, 30), map.node(70, 70), map.node(30, 70)]
        let outer = map.way(ring + [ring[0]], OSMTags())
        let inner = map.way(hole + [hole[0]], OSMTags())
        map.relations = [
          OSMRelation(
            id: 1,
            members: [.init(kind: .way, id: outer, role: "outer"), .init(kind: .way, id: inner, role: "inner")],
            tags: OSMTags(["type": "multipolygon", "highway": "pedestrian", "name": "Market"])
          )
        ]
      } else {
        map.way(ring + [ring[0]], tags)
      }
      map.way([map.node(-200, 0), ring[0]], street)
      map.way([map.node(300, 100), ring[2]], street)
      let graph = try map.graph().prepared()
      let route = try graph.route(from: map.place(-200, 0).geodetic, to: map.place(300, 100).geodetic)
      // Around the hole by one of its corners: 2 · √(30² + 70²).
      #expect(abs(route.metres - 400 - (hasHole ? 152.3 : 141.4)) < 1)
      #expect(route.instructions.contains { $0.kind == .square && $0.name == "Market" })
    }
  }

  @Test func `lifts and lights take time and are told`() throws {
    var map = DrawnMap()
    let (a, lift, b, c) = (
      map.node(0, 0), map.node(100, 0, OSMTags(["highway": "elevator"])), map.node(200, 0), map.node(215, 0)
    )
    map.way([a, lift], footway)
    map.way([lift, b], footway)
    map.way([b, c], OSMTags(["highway": "footway", "footway": "crossing", "crossing": "traffic_signals"]))
    map.way([c, map.node(300, 0)], street)
    let graph = try map.graph().prepared()
    let route = try graph.route(from: map.place(0, 0).geodetic, to: map.place(300, 0).geodetic)
    #expect(route.instructions.map(\.action) == [.depart, .elevator, .walk, .crossWithSignals, .walk, .arrive])
    #expect(abs(route.seconds - 300 / 1.34 - 30 - 14) < 0.5)
    #expect(abs(route.instructions[1].seconds - 30) < 0.2)
    #expect(abs(route.instructions.reduce(0) { $0 + $1.seconds } - route.seconds) < 1e-6)
    #expect(abs(route.instructions.reduce(0) { $0 + $1.metres } - route.metres) < 1e-6)
  }

  @Test func `a start at a junction is told by the street that is walked, a short piece between two not at all`() throws
  {
    var map = DrawnMap()
    let (a, b, c, d) = (map.node(0, 0), map.node(200, 0), map.node(203, 0), map.node(400, 0))
    map.way([a, b], street)
    map.way([b, c], side)
    map.way([c, d], street)
    map.way([b, map.node(200, 200)], side)
    let graph = try map.graph().prepared()
    let along = try graph.route(from: map.place(0, 0).geodetic, to: map.place(400, 0).geodetic)
    #expect(along.instructions.map(\.action) == [.depart, .arrive] && along.instructions[0].name == "Long Street")
    let side = try graph.route(from: map.place(200, 0).geodetic, to: map.place(200, 200).geodetic)
    #expect(side.instructions.map(\.name) == ["Side Street", nil])
  }

  @Test func `slopes take time by Tobler's function, up and down are summed`() throws {
    var map = DrawnMap()
    map.way([map.node(0, 0), map.node(0, 1000)], street)
    // A tenth up to the north.
    let graph = try map.graph { latitude, _ in (latitude - DrawnMap.latitude) * 111_412 * 0.1 }
    let up = try graph.route(from: map.place(0, 0).geodetic, to: map.place(0, 1000).geodetic)
    let down = try graph.route(from: map.place(0, 1000).geodetic, to: map.place(0, 0).geodetic)
    #expect(abs(up.seconds - 1000 / 1.34 * exp(0.35)) < 2 && abs(down.seconds - 1000 / 1.34) < 2)
    #expect(abs((up.ascentMetres ?? 0) - 100) < 0.5 && up.descentMetres == 0)
    #expect(abs((down.descentMetres ?? 0) - 100) < 0.5 && down.ascentMetres == 0)
    #expect(
      try map.graph { _, _ in nil }.route(from: map.place(0, 0).geodetic, to: map.place(0, 900).geodetic).ascentMetres
        == nil
    )
  }

  @Test func `a road beside its sidewalk is left to those who cannot take the sidewalk`() throws {
    var map = DrawnMap()
    let (a, b) = (map.node(0, 0), map.node(500, 0))
    map.way([a, b], OSMTags(["highway": "primary", "sidewalk": "separate", "name": "Main Street"]))
    map.way([a, map.node(10, 8), map.node(490, 8), b], OSMTags(["highway": "footway", "footway": "sidewalk"]))
    map.way([map.node(-100, 0), a], street)
    map.way([b, map.node(600, 0)], street)
    let graph = try map.graph().prepared()
    let route = try graph.route(from: map.place(-100, 0).geodetic, to: map.place(600, 0).geodetic)
    #expect(!route.instructions.contains { $0.name == "Main Street" })
  }

  @Test func `across the date line and at a pole nothing is different`() throws {
    for (latitude, longitude) in [(Int32(-168_000_000), Int32(1_799_990_000)), (899_995_000, 0)] {
      func position(_ step: Int32) -> OSMPosition {
        var east = Int(longitude) + Int(step) * 10_000
        if east > 1_800_000_000 { east -= 3_600_000_000 }
        return OSMPosition(latitude: latitude, longitude: Int32(east))
      }
      let positions = (0..<6).map { position(Int32($0)) }
      let extract = OSMExtract(
        positions: NodePositions(ids: [1, 2, 3, 4, 5, 6], values: positions),
        ways: [OSMWay(id: 1, nodes: [1, 2, 3, 4, 5, 6], tags: footway)]
      )
      let graph = try WalkingGraph(extract).prepared()
      let route = try graph.route(from: positions[0].geodetic, to: positions[5].geodetic)
      let expected = 50_000 * GroundMetric(latitude: latitude).metresEast
      #expect(abs(route.metres - expected) < 0.2)
    }
  }

  @Test(arguments: 0..<8)
  func `the fast and the plain way cost the same from anywhere in towns by chance`(seed: Int) throws {
    let town = RandomTown(seed: UInt64(seed) &+ 300, side: 8)
    let graph = try town.map.graph().prepared()
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<40 {
      let ((a, b), (c, d)) = (town.position(&random), town.position(&random))
      let (from, to) = (town.map.place(a, b).geodetic, town.map.place(c, d).geodetic)
      for profile in WalkingProfile.allCases {
        let fast = try? graph.route(from: from, to: to, profile: profile)
        let plain = try? graph.route(from: from, to: to, profile: profile, search: .plain)
        #expect((fast == nil) == (plain == nil))
        guard let fast, let plain else { continue }
        #expect(fast.positions.first == from && fast.positions.last == to)
        #expect(fast.instructions.last?.action == .arrive)
        #expect(abs(fast.instructions.reduce(0) { $0 + $1.metres } - fast.metres) < 1e-6)
        #expect(profile == .quickest || fast.hasSteps == plain.hasSteps)
        // The line is as long as it says, but for the rounding of edges to decimetres.
        var length = 0.0
        for (one, two) in zip(fast.positions, fast.positions.dropFirst()) {
          length += greatCircleDistance(from: one, to: two)
        }
        #expect(abs(length - fast.metres) < 0.006 * length + 0.1 * Double(fast.positions.count))
      }
    }
  }
}
