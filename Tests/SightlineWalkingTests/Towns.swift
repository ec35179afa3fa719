import SightlineOpenStreetMap
import SightlineTestSupport

@testable import SightlineWalking

/// A map drawn by hand: metres east and north of one place, ways through points.
struct DrawnMap {
  private var ids: [Int64] = []
  private var positions: [OSMPosition] = []
  private var nodes: [OSMNode] = []
  private var ways: [OSMWay] = []
  var relations: [OSMRelation] = []

  static let latitude = 60.0
  static let longitude = 24.0
  private let metric = GroundMetric(latitude: 600_000_000)

  func place(_ east: Double, _ north: Double) -> OSMPosition {
    OSMPosition(
      latitude: 600_000_000 + Int32((north / metric.metresNorth).rounded()),
      longitude: 240_000_000 + Int32((east / metric.metresEast).rounded())
    )
  }

  @discardableResult mutating func node(_ east: Double, _ north: Double, _ tags: OSMTags = OSMTags()) -> Int64 {
    let id = Int64(ids.count + 1)
    ids.append(id)
    positions.append(place(east, north))
    if !tags.isEmpty { nodes.append(OSMNode(id: id, position: place(east, north), tags: tags)) }
    return id
  }

  @discardableResult mutating func way(_ through: [Int64], _ tags: OSMTags) -> Int64 {
    let id = Int64(ways.count + 1)
    ways.append(OSMWay(id: id, nodes: through, tags: tags))
    return id
  }

  var extract: OSMExtract {
    OSMExtract(
      positions: NodePositions(ids: ids, values: positions),
      nodes: nodes,
      ways: ways,
      relations: relations
    )
  }

  func graph(heights: WalkingGraph.Heights? = nil) throws -> WalkingGraph {
    try WalkingGraph(extract, heights: heights)
  }
}

/// Towns by chance: a grid with streets missing, double streets, pieces without length, steps, one-way stairs, islands.
struct RandomTown {
  var map = DrawnMap()
  var extent: Double

  init(seed: UInt64, side: Int) {
    var random = SplitMix64(seed: seed)
    extent = Double(side) * 60
    var corners: [Int64] = []
    for row in 0..<side {
      for column in 0..<side {
        // Some corners lie on one another.
        let spread = Bool.random(using: &random) ? 25.0 : 0
        corners.append(
          map.node(
            Double(column) * 60 + Double.random(in: -spread...spread, using: &random),
            Double(row) * 60 + Double.random(in: -spread...spread, using: &random)
          )
        )
      }
    }
    let kinds: [OSMTags] = [
      OSMTags(["highway": "residential", "name": "Street"]), OSMTags(["highway": "footway"]),
      OSMTags(["highway": "steps"]), OSMTags(["highway": "steps", "incline": "up", "step_count": "30"]),
      OSMTags(["highway": "steps", "conveying": "forward"]), OSMTags(["highway": "path", "oneway:foot": "yes"]),
      OSMTags(["highway": "primary", "sidewalk": "separate"]),
      OSMTags(["highway": "footway", "footway": "crossing", "crossing": "traffic_signals"]),
    ]
    let missing = Double.random(in: 0.05...0.4, using: &random)
    func add(_ map: inout DrawnMap, _ a: Int64, _ b: Int64) {
      let kind = Int.random(in: 0..<24, using: &random)
      map.way([a, b], kinds[kind < kinds.count ? kind : kind % 2])
    }
    for row in 0..<side {
      for column in 0..<side {
        let here = corners[row * side + column]
        for next in [column + 1 < side ? row * side + column + 1 : -1, row + 1 < side ? (row + 1) * side + column : -1]
        where next >= 0 {
          if Double.random(in: 0..<1, using: &random) < missing { continue }
          add(&map, here, corners[next])
          if Int.random(in: 0..<12, using: &random) == 0 { add(&map, here, corners[next]) }
        }
        // A place twice: a way without length.
        if Int.random(in: 0..<15, using: &random) == 0 {
          let twin = map.node(Double(column) * 60, Double(row) * 60)
          let other = map.node(Double(column) * 60, Double(row) * 60)
          map.way([here, twin], kinds[1])
          map.way([twin, other], kinds[0])
          map.way([other, here], kinds[1])
        }
        // A far way from anywhere to anywhere.
        if Int.random(in: 0..<20, using: &random) == 0, let far = corners.randomElement(using: &random), far != here {
          add(&map, here, far)
        }
      }
    }
    // An island, large enough to stay.
    let island = (0..<6).map { (index: Int) in
      let (east, north) = (Double(index) * 70, Double(index % 2) * 50)
      return map.node(extent + 300 + east, north)
    }
    map.way(island, kinds[1])
    map.way([island[0], island[5]], kinds[0])
  }

  func position(_ random: inout SplitMix64) -> (Double, Double) {
    (Double.random(in: -50...extent + 50, using: &random), Double.random(in: -50...extent + 50, using: &random))
  }
}
