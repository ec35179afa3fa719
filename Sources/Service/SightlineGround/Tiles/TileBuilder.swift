import SightlineInput
import SightlineOpenStreetMap

/// Things on the ground into tiles, zoom by zoom.
struct TileBuilder {
  /// Most tiles of a file: a country's; each has a kilobyte at least while it is built.
  static let mostTiles = 2_000_000

  /// Corners for each of these tiles, on an average: cities have a few dozen.
  ///
  /// One line that runs to and fro between two ends of
  /// the Earth would have thousands in each of its tiles.
  private static let mostCorners = 64

  struct TooManyTiles: Error {}

  /// What may still be added.
  private struct Room {
    var tiles: Int
    var corners: Int

    init(_ most: Int) { (tiles, corners) = (most, most * mostCorners) }

    /// Takes what pieces need of the room, of which so many tiles are taken.
    mutating func take(_ pieces: [[TilePoint]], tiles taken: Int) throws {
      corners -= pieces.reduce(0) { $0 + $1.count }
      guard taken <= tiles, corners >= 0 else { throw TooManyTiles() }
    }
  }

  /// The tiles of one zoom, by their key.
  ///
  /// - Throws: ``TooManyTiles`` when there are more than `most`, or more corners than so many tiles have.
  static func tiles(
    of features: [GroundFeature],
    zoom: Int,
    most: Int = mostTiles
  ) throws -> [(id: TileID, content: TileEncoder)] {
    var tiles: [TileID: TileEncoder] = [:]
    var room = Room(most)
    for feature in features where feature.kind.lowestZoom <= zoom {
      switch feature.shape {
      case .point(let position):
        let point = Mercator.point(position, zoom: zoom)
        let (column, row) = (Int(point.x) / TileLevel.extent, Int(point.y) / TileLevel.extent)
        add(feature, column, row, zoom, [[point]], [], to: &tiles)
      case .line(let line):
        let points = LineSimplification.simplified(
          Mercator.points(line, zoom: zoom),
          tolerance: TileLevel.tolerance(zoom: zoom)
        )
        guard points.count > 1 else { continue }
        try TileClipping.line(points) { column, row, pieces in
          add(feature, column, row, zoom, pieces, [], to: &tiles)
          try room.take(pieces, tiles: tiles.count)
        }
      case .area(let polygons):
        for polygon in polygons { try add(polygon, of: feature, zoom, within: &room, to: &tiles) }
      }
      try room.take([], tiles: tiles.count)
    }
    return tiles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Squares of units that an area must have to be drawn: less than a point on the display.
  private static let leastArea = 64.0

  private static func add(
    _ polygon: PositionPolygon,
    of feature: GroundFeature,
    _ zoom: Int,
    within room: inout Room,
    to tiles: inout [TileID: TileEncoder]
  ) throws {
    let tolerance = TileLevel.tolerance(zoom: zoom)
    var rings: [[TilePoint]] = []
    for ring in [polygon.outer] + polygon.holes {
      let points = LineSimplification.simplified(ring: Mercator.points(ring, zoom: zoom), tolerance: tolerance)
      if points.count > 2, zoom == TileLevel.mostZoom || abs(area(of: points)) >= leastArea {
        rings.append(points)
      } else if rings.isEmpty {
        return
      }
    }
    if feature.kind == .building || feature.kind == .buildingPart {
      whole(rings, of: feature, zoom, to: &tiles)
      return
    }
    // Outer ring and holes are cut one by one, so that each keeps which of the two it is.
    var parts: [TileID: (rings: [[TilePoint]], isHole: [Bool])] = [:]
    for (index, ring) in rings.enumerated() {
      try TileClipping.rings([ring]) { column, row, pieces in
        guard let id = TileID(zoom: zoom, column: column, row: row) else { return }
        // A hole without anything around it is none.
        guard index == 0 || parts[id] != nil else { return }
        parts[id, default: ([], [])].rings += pieces
        parts[id, default: ([], [])].isHole += pieces.map { _ in index > 0 }
        // One area with a corner at the other end of the Earth is enough for more tiles than fit into any memory.
        try room.take(pieces, tiles: tiles.count + parts.count)
      }
    }
    for (id, part) in parts { add(feature, id.column, id.row, zoom, part.rings, part.isHole, to: &tiles) }
  }

  /// Buildings are not cut: each stands whole in every tile that it touches, as what hides something has to be whole.
  private static func whole(
    _ rings: [[TilePoint]],
    of feature: GroundFeature,
    _ zoom: Int,
    to tiles: inout [TileID: TileEncoder]
  ) {
    var (low, high) = (rings[0][0], rings[0][0])
    for point in rings[0] {
      low = TilePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = TilePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    let columns = (Int(low.x) / TileLevel.extent)...(Int(high.x) / TileLevel.extent)
    let rows = (Int(low.y) / TileLevel.extent)...(Int(high.y) / TileLevel.extent)
    // Nobody has built larger ones.
    guard columns.count <= 16, rows.count <= 16 else { return }
    let isHole = rings.indices.map { $0 > 0 }
    for column in columns {
      for row in rows { add(feature, column, row, zoom, rings, isHole, to: &tiles) }
    }
  }

  private static func add(
    _ feature: GroundFeature,
    _ column: Int,
    _ row: Int,
    _ zoom: Int,
    _ pieces: [[TilePoint]],
    _ isHole: [Bool],
    to tiles: inout [TileID: TileEncoder]
  ) {
    guard let id = TileID(zoom: zoom, column: column, row: row) else { return }
    let (x, y) = (Int32(clamped: column * TileLevel.extent), Int32(clamped: row * TileLevel.extent))
    let moved = pieces.map { $0.map { TilePoint(x: $0.x - x, y: $0.y - y) } }
    tiles[id, default: TileEncoder()].add(feature, moved, isHole: isHole)
  }

  private static func area(of ring: [TilePoint]) -> Double {
    guard var previous = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      sum += Double(previous.x) * Double(point.y) - Double(point.x) * Double(previous.y)
      previous = point
    }
    return sum / 2
  }
}
