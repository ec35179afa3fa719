import SightlineOpenStreetMap
import SightlineTestSupport
import Testing

@testable import SightlineGround

@Suite struct MercatorTests {
  @Test func `positions lie in the tiles that the formula of web maps gives`() {
    // 60.1699 N, 24.9384 E at zoom 16: column 37307, row 18969 (wiki.openstreetmap.org/wiki/Slippy_map_tilenames).
    let point = Mercator.point(OSMPosition(latitude: 601_699_000, longitude: 249_384_000), zoom: 16)
    #expect(Int(point.x) / TileLevel.extent == 37_307)
    #expect(Int(point.y) / TileLevel.extent == 18_969)
  }

  @Test(arguments: [
    (Int32(900_000_000), Int32(1_800_000_000)), (-900_000_000, -1_800_000_000), (0, 0), (.max, .max), (.min, .min),
  ]) func `every position lies in a tile`(latitude: Int32, longitude: Int32) {
    for zoom in TileLevel.zooms {
      let point = Mercator.point(OSMPosition(latitude: latitude, longitude: longitude), zoom: zoom)
      #expect(
        TileID(zoom: zoom, column: Int(point.x) / TileLevel.extent, row: Int(point.y) / TileLevel.extent) != nil
      )
    }
  }
}

@Suite struct LineSimplificationTests {
  @Test func `what is left is within the tolerance of what was there`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<50 {
      var line = [TilePoint(x: 0, y: 0)]
      for _ in 0..<60 {
        line.append(
          TilePoint(
            x: line[line.count - 1].x + Int32.random(in: -3...9, using: &generator),
            y: line[line.count - 1].y + Int32.random(in: -5...5, using: &generator)
          )
        )
      }
      let kept = LineSimplification.simplified(line, tolerance: 4)
      #expect(kept.first == line.first && kept.last == line.last)
      #expect(kept.count < line.count)
      for point in line {
        let nearest = zip(kept, kept.dropFirst()).map { Self.distance(point, $0, $1) }.min() ?? .infinity
        #expect(nearest <= 4.001)
      }
    }
  }

  private static func distance(_ point: TilePoint, _ from: TilePoint, _ to: TilePoint) -> Double {
    let (dx, dy) = (Double(to.x - from.x), Double(to.y - from.y))
    let (x, y) = (Double(point.x - from.x), Double(point.y - from.y))
    let share = dx * dx + dy * dy == 0 ? 0 : min(1, max(0, (x * dx + y * dy) / (dx * dx + dy * dy)))
    return ((x - share * dx) * (x - share * dx) + (y - share * dy) * (y - share * dy)).squareRoot()
  }

  @Test func `a ring of nothing is left out, and a hundred thousand corners are no depth`() {
    #expect(
      LineSimplification.simplified(ring: [TilePoint](repeating: TilePoint(x: 1, y: 1), count: 5), tolerance: 4).isEmpty
    )
    let spiral = (0..<100_000).map { TilePoint(x: Int32($0), y: Int32($0 % 2)) }
    #expect(LineSimplification.simplified(spiral, tolerance: 4).count == 2)
  }
}

@Suite struct TileClippingTests {
  private static let extent = Int32(TileLevel.extent)

  private static func area(_ ring: [TilePoint]) -> Double {
    guard var previous = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      sum += Double(previous.x) * Double(point.y) - Double(point.x) * Double(previous.y)
      previous = point
    }
    return abs(sum / 2)
  }

  @Test func `a square that covers tiles is whole in each, with its margin`() {
    let ring = [
      TilePoint(x: 100, y: 100), TilePoint(x: 3 * Self.extent, y: 100),
      TilePoint(x: 3 * Self.extent, y: 2 * Self.extent + 500),
      TilePoint(x: 100, y: 2 * Self.extent + 500),
    ]
    var tiles: [String: Double] = [:]
    TileClipping.rings([ring]) { column, row, pieces in tiles["\(column)/\(row)"] = pieces.map(Self.area).reduce(0, +) }
    let margin = Double(TileLevel.margin)
    let side = Double(Self.extent) + 2 * margin
    #expect(tiles["1/1"] == side * side)
    #expect(tiles["0/0"] == (Double(Self.extent) + margin - 100) * (Double(Self.extent) + margin - 100))
    #expect(tiles["2/2"] == (Double(Self.extent) + margin) * (500 + margin))
    #expect(tiles.count == 12)
  }

  @Test func `lines leave and come back, and nothing of them is lost within a tile`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<100 {
      let line = (0..<12).map { _ in
        TilePoint(
          x: Int32.random(in: 0..<(4 * Self.extent), using: &generator),
          y: Int32.random(in: 0..<(4 * Self.extent), using: &generator)
        )
      }
      var pieces: [String: [[TilePoint]]] = [:]
      TileClipping.line(line) { pieces["\($0)/\($1)"] = $2 }
      for (from, to) in zip(line, line.dropFirst()) {
        for step in 0...20 {
          let (x, y) = (
            Double(from.x) + Double(to.x - from.x) * Double(step) / 20,
            Double(from.y) + Double(to.y - from.y) * Double(step) / 20
          )
          let (column, row) = (Int(x) / TileLevel.extent, Int(y) / TileLevel.extent)
          let near = (pieces["\(column)/\(row)"] ?? []).contains { piece in
            zip(piece, piece.dropFirst()).contains { Self.distance(x, y, $0, $1) < 3 }
          }
          #expect(near)
        }
      }
    }
  }

  private static func distance(_ x: Double, _ y: Double, _ from: TilePoint, _ to: TilePoint) -> Double {
    let (dx, dy) = (Double(to.x - from.x), Double(to.y - from.y))
    let (px, py) = (x - Double(from.x), y - Double(from.y))
    let share = dx * dx + dy * dy == 0 ? 0 : min(1, max(0, (px * dx + py * dy) / (dx * dx + dy * dy)))
    return ((px - share * dx) * (px - share * dx) + (py - share * dy) * (py - share * dy)).squareRoot()
  }
}

@Suite struct TileBuilderTests {
  @Test func `a building stands whole in each tile that it touches, once`() throws {
    // Across the border between two columns at zoom 16.
    let border = Int32(37_308.0 / 65_536 * 360 * 1e7 - 1_800_000_000.0)
    let ring = [(-2000, 0), (2000, 0), (2000, 2000), (-2000, 2000)].map {
      OSMPosition(latitude: 601_699_000 + Int32($0.1), longitude: border + Int32($0.0))
    }
    let feature = GroundFeature(
      kind: .building,
      shape: .area([PositionPolygon(outer: ring)]),
      height: BuildingHeight(bottom: 0, top: 120, isKnown: true)
    )
    let tiles = try TileBuilder.tiles(of: [feature], zoom: 16)
    #expect(tiles.map(\.id.column) == [37_307, 37_308])
    // Version, names, kinds, kind, count, head, height, bottom, rings, corners.
    let start: [UInt8] = [1, 0, 1, GroundKind.building.rawValue, 1, 0, 0xF1, 1, 0, 1, 8]
    for tile in tiles { #expect(Array(tile.content.bytes().prefix(start.count)) == start) }
  }

  @Test func `a lake around an island keeps its hole in every tile`() throws {
    func ring(_ half: Int32) -> [OSMPosition] {
      [(-1, -1), (1, -1), (1, 1), (-1, 1)].map {
        OSMPosition(latitude: 601_699_000 + $0.1 * half, longitude: 249_384_000 + $0.0 * half * 2)
      }
    }
    let lake = GroundFeature(
      kind: .water,
      shape: .area([PositionPolygon(outer: ring(200_000), holes: [ring(100_000)])])
    )
    let tiles = try TileBuilder.tiles(of: [lake], zoom: 16)
    #expect(tiles.count > 50)
    #expect(tiles.allSatisfy { !$0.content.isEmpty })
  }
}

@Suite struct LongShapeClippingTests {
  /// 100 columns, which are halved before they are cut one by one.
  private static let end = TilePoint(x: Int32(100 * TileLevel.extent + 17), y: Int32(37 * TileLevel.extent + 5))

  @Test func `a line over many tiles is in each tile that it crosses, and in none twice`() {
    var tiles: [[Int]: Int] = [:]
    TileClipping.line([TilePoint(x: 50, y: 60), Self.end]) { column, row, pieces in
      tiles[[column, row], default: 0] += 1
      let (x, y) = (Int32(column * TileLevel.extent), Int32(row * TileLevel.extent))
      let (margin, extent) = (Int32(TileLevel.margin), Int32(TileLevel.extent))
      for point in pieces.joined() {
        #expect((x - margin...x + extent + margin).contains(point.x))
        #expect((y - margin...y + extent + margin).contains(point.y))
      }
    }
    #expect(tiles.values.allSatisfy { $0 == 1 })
    for step in 0...20_000 {
      let share = Double(step) / 20_000
      let x = 50 + share * Double(Self.end.x - 50)
      let y = 60 + share * Double(Self.end.y - 60)
      #expect(tiles[[Int(x) / TileLevel.extent, Int(y) / TileLevel.extent]] != nil)
    }
  }

  @Test func `the parts of an area over many tiles are together as large as it is`() {
    var parts = 0.0
    let corner = TilePoint(x: Self.end.x, y: 60)
    TileClipping.rings([[TilePoint(x: 50, y: 60), corner, Self.end]]) { column, row, pieces in
      // Without the margins, which neighbours share, each part is the area's within the tile.
      let (x, y) = (Double(column * TileLevel.extent), Double(row * TileLevel.extent))
      let size = Double(TileLevel.extent)
      if pieces.count == 1, pieces[0].count == 4, column > 60, row < 10 {
        let xs = pieces[0].map { Double($0.x) }
        let ys = pieces[0].map { Double($0.y) }
        #expect((xs.min() ?? 0) <= x && (xs.max() ?? 0) >= min(x + size, Double(Self.end.x)))
        #expect((ys.min() ?? 0) <= max(y, 60) && (ys.max() ?? 0) >= y + size)
        parts += 1
      }
    }
    // Columns 61 to 100 of rows 0 to 9 lie wholly in the triangle.
    #expect(parts == 40 * 10)
  }
}
