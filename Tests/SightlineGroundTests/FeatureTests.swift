import SightlineOpenStreetMap
import SightlineTestSupport
import Testing

@testable import SightlineGround

private func at(_ x: Int32, _ y: Int32) -> OSMPosition { OSMPosition(latitude: y, longitude: x) }

private func square(_ x: Int32, _ y: Int32, _ side: Int32) -> [OSMPosition] {
  [at(x, y), at(x + side, y), at(x + side, y + side), at(x, y + side)]
}

@Suite struct BuildingHeightTests {
  @Test(arguments: [
    ("12", 12.0), ("12.5 m", 12.5), ("12,5", 12.5), ("40'", 12.192), ("5'6\"", 1.6764), ("30 ft", 9.144), (" 7m ", 7),
  ]) func `heights are read as people write them`(text: String, metres: Double) throws {
    #expect(abs(try #require(BuildingHeight.metres(text)) - metres) < 1e-9)
  }

  @Test(arguments: [
    "", "high", "-3", "nan", "inf", "1e999", "12 storeys", String(repeating: "9", count: 400), "'", "1'x",
  ])
  func `what is no height is none`(text: String) { #expect(BuildingHeight.metres(text) == nil) }

  @Test func `height, storeys, roof and guess come in this order`() {
    #expect(BuildingHeight(["building": "yes", "height": "20", "building:levels": "3"]).top == 200)
    #expect(BuildingHeight(["building": "yes", "building:levels": "3"]).top == 90)
    #expect(BuildingHeight(["building": "yes", "building:levels": "3", "roof:levels": "1"]).top == 120)
    #expect(BuildingHeight(["building": "garage"]).top == 30)
    let guessed = BuildingHeight(["building": "yes", "height": "unknown"])
    #expect(guessed.top == 80 && !guessed.isKnown)
    #expect(BuildingHeight(["building": "yes", "height": "1e9"]).top == 10_000)
  }

  @Test func `what stands on posts begins above the head`() {
    let bridge = BuildingHeight(["building:part": "yes", "height": "20", "min_height": "12"])
    #expect(bridge.bottom == 120 && bridge.top == 200)
    #expect(BuildingHeight(["building": "yes", "height": "5", "min_height": "9"]).bottom == 50)
    #expect(BuildingHeight(["building": "roof", "height": "4"]).bottom == 35)
  }
}

@Suite struct RingAssemblyTests {
  @Test func `ways in any order and direction close to rings`() {
    let (rings, left) = RingAssembly.rings(of: [[3, 4, 5], [1, 2, 3], [1, 6, 5], [10, 11, 12, 10], [20, 21]])
    #expect(rings.count == 2)
    #expect(left == 1)
    #expect(rings.contains { Set($0) == [1, 2, 3, 4, 5, 6] && $0.count == 6 })
    #expect(rings.contains { $0 == [10, 11, 12] })
  }

  @Test func `rings within rings are holes, and islands in them areas again`() throws {
    let polygons = RingAssembly.polygons(of: [square(4, 4, 2), square(0, 0, 100), square(2, 2, 10), square(200, 0, 5)])
    #expect(polygons.count == 3)
    let large = try #require(polygons.first { $0.outer == square(0, 0, 100) })
    #expect(large.holes == [square(2, 2, 10)])
    #expect(polygons.contains { $0.outer == square(4, 4, 2) && $0.holes.isEmpty })
  }

  @Test func `thousands of rings in each other come to an end`() {
    let rings = (0..<5000).map { (index: Int32) in square(index, index, 20_000 - 2 * index) }
    let polygons = RingAssembly.polygons(of: rings)
    #expect(polygons.count + polygons.map(\.holes.count).reduce(0, +) == 5000)
  }

  @Test func `any ways come to an end`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let ways = (0..<30).map { _ in
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int64.random(in: 0...12, using: &generator) }
      }
      let (rings, left) = RingAssembly.rings(of: ways)
      #expect(rings.allSatisfy { $0.count > 2 })
      #expect(left <= ways.count)
    }
  }
}

@Suite struct CoastlineTests {
  private static var bounds: OSMBounds {
    guard let bounds = OSMBounds(south: 0, west: 0, north: 1000, east: 1000) else {
      preconditionFailure("these are bounds")
    }
    return bounds
  }

  private static func isWater(_ polygons: [PositionPolygon], _ x: Int32, _ y: Int32) -> Bool {
    polygons.contains { polygon in
      RingAssembly.contains(polygon.outer, at(x, y)) && !polygon.holes.contains { RingAssembly.contains($0, at(x, y)) }
    }
  }

  @Test func `water lies to the right of a coast`() {
    // Northwards through the middle: water in the east.
    let (east, open) = Coastline.sea(
      lines: [[at(500, -50), at(510, 500)], [at(510, 500), at(500, 1200)]],
      in: Self.bounds
    )
    #expect(open == 0)
    #expect(Self.isWater(east, 900, 500) && !Self.isWater(east, 100, 500))
    let (west, _) = Coastline.sea(lines: [[at(500, 1200), at(510, 500), at(500, -50)]], in: Self.bounds)
    #expect(Self.isWater(west, 100, 500) && !Self.isWater(west, 900, 500))
  }

  @Test func `islands stand in the sea, with and without a coast through the bounds`() {
    let island = square(300, 300, 100)
    let (sea, _) = Coastline.sea(lines: [island + [island[0]]], in: Self.bounds)
    #expect(Self.isWater(sea, 50, 50) && !Self.isWater(sea, 350, 350))
    let (both, _) = Coastline.sea(
      lines: [island + [island[0]], [at(700, 2000), at(700, -2000)]],
      in: Self.bounds
    )
    #expect(Self.isWater(both, 100, 100) && !Self.isWater(both, 350, 350) && !Self.isWater(both, 900, 500))
  }

  @Test func `several coasts close each with its next`() {
    // A strait: land in the west and in the east.
    let (sea, open) = Coastline.sea(
      lines: [[at(300, -1), at(300, 1001)], [at(700, 1001), at(700, -1)]],
      in: Self.bounds
    )
    #expect(open == 0)
    #expect(Self.isWater(sea, 500, 500) && !Self.isWater(sea, 100, 500) && !Self.isWater(sea, 900, 500))
    // An isthmus: water in the west and in the east.
    let (seas, _) = Coastline.sea(
      lines: [[at(300, 1001), at(300, -1)], [at(700, -1), at(700, 1001)]],
      in: Self.bounds
    )
    #expect(!Self.isWater(seas, 500, 500) && Self.isWater(seas, 100, 500) && Self.isWater(seas, 900, 500))
  }

  @Test func `a coast that ends in the midst is counted and not used, one that ends near the edge goes on`() {
    let (none, open) = Coastline.sea(lines: [[at(500, -1), at(500, 500)]], in: Self.bounds)
    #expect(none.isEmpty && open == 1)
    let (sea, left) = Coastline.sea(lines: [[at(500, 30), at(500, 980)]], in: Self.bounds)
    #expect(left == 0 && Self.isWater(sea, 900, 500))
  }

  @Test func `any lines come to an end`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let lines = (0..<8).map { _ in
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          at(Int32.random(in: -300...1300, using: &generator), Int32.random(in: -300...1300, using: &generator))
        }
      }
      _ = Coastline.sea(lines: lines, in: Self.bounds)
    }
  }
}

@Suite struct StreetJoiningTests {
  @Test func `pieces of a street are one line, and what branches stays`() {
    func line(_ positions: [OSMPosition], _ name: String) -> GroundFeature {
      GroundFeature(kind: .street, shape: .line(positions), name: GroundName(own: name))
    }
    let joined = StreetJoining.join([
      line([at(0, 0), at(1, 0)], "a"), line([at(2, 0), at(1, 0)], "a"), line([at(2, 0), at(3, 0)], "a"),
      line([at(1, 0), at(1, 5)], "b"),
    ])
    let lines = joined.compactMap { if case .line(let line) = $0.shape { line } else { nil } }
    #expect(lines.count == 2)
    #expect(lines.contains { $0.count == 4 && Set($0) == [at(0, 0), at(1, 0), at(2, 0), at(3, 0)] })
  }
}

@Suite struct FeatureBuilderTests {
  private static func extract(_ ways: [(OSMTags, [Int64])], _ relations: [OSMRelation] = []) -> OSMExtract {
    let ids = Array(Int64(1)...9)
    let positions = ids.map { at(Int32(($0 - 1) % 3) * 100, Int32(($0 - 1) / 3) * 100) }
    return OSMExtract(
      positions: NodePositions(ids: ids, values: positions),
      ways: ways.enumerated().map { OSMWay(id: Int64($0.offset + 1), nodes: $0.element.1, tags: $0.element.0) },
      relations: relations,
      bounds: OSMBounds(south: 0, west: 0, north: 400, east: 400)
    )
  }

  @Test func `what lies below the ground is left out`() {
    let tags: [OSMTags] = [
      ["highway": "footway", "tunnel": "yes"], ["railway": "subway", "layer": "-2"],
      ["building": "yes", "location": "underground"],
      ["highway": "footway", "indoor": "yes"], ["building": "no"], ["highway": "proposed"],
    ]
    #expect(FeatureBuilder(Self.extract(tags.map { ($0, [1, 2, 5, 4, 1]) })).features.isEmpty)
  }

  @Test(arguments: [["natural": "water"], ["landuse": "forest"]] as [OSMTags])
  func `an area round the Earth is refused before it fills the memory`(tags: OSMTags) {
    let corners = [
      at(-1_700_000_000, -800_000_000), at(1_700_000_000, -800_000_000), at(1_700_000_000, 800_000_000),
      at(-1_700_000_000, 800_000_000),
    ]
    let features = FeatureBuilder(
      OSMExtract(
        positions: NodePositions(ids: [1, 2, 3, 4], values: corners),
        ways: [OSMWay(id: 1, nodes: [1, 2, 3, 4, 1], tags: tags)],
        relations: []
      )
    ).features
    #expect(features.count == 1)
    for zoom in TileLevel.zooms {
      #expect(throws: TileBuilder.TooManyTiles.self, "zoom \(zoom)") {
        try TileBuilder.tiles(of: features, zoom: zoom, most: 1_000)
      }
    }
  }

  @Test func `nodes that are missing cut a street and are counted`() {
    let builder = FeatureBuilder(Self.extract([(["highway": "residential"], [1, 2, 99, 4, 5])]))
    #expect(builder.features.count == 2)
    #expect(builder.omissions.missingNodes == 1)
  }

  @Test func `a building out of a relation is there once, with its hole`() throws {
    let relation = OSMRelation(
      id: 1,
      members: [.init(kind: .way, id: 1, role: "outer"), .init(kind: .way, id: 77, role: "outer")],
      tags: ["type": "multipolygon", "building": "yes", "height": "10"]
    )
    let builder = FeatureBuilder(Self.extract([(["building": "yes"], [1, 2, 5, 4, 1])], [relation]))
    #expect(builder.features.count { $0.kind == .building } == 1)
    #expect(builder.omissions.missingWays == 1)
    #expect(try #require(builder.features.first).height.top == 100)
  }

  @Test func `a building that is described by parts is no wall itself`() throws {
    let builder = FeatureBuilder(
      Self.extract([
        (["building": "yes", "height": "30"], [1, 3, 9, 7, 1]),
        (["building:part": "yes", "height": "12"], [1, 2, 5, 4, 1]),
      ])
    )
    #expect(try #require(builder.features.first { $0.kind == .building }).height.top == 0)
    #expect(try #require(builder.features.first { $0.kind == .buildingPart }).height.top == 120)
  }
}
