import Foundation
import SightlineInput

extension GroundFile {
  /// Farthest that buildings are asked for, metres.
  public static let farthestBuildings = 5_000.0

  /// The buildings that come within a distance of a position, each once, in the order of the tiles.
  ///
  /// Where parts describe a building it is these; what has no height is left out.
  ///
  /// - Parameters:
  ///   - latitudeDegrees: of the position.
  ///   - longitudeDegrees: of the position.
  ///   - metres: the distance, up to ``farthestBuildings``.
  /// - Returns: the buildings; none for a position that is none.
  /// - Throws: ``GroundProblem/damaged(_:_:)`` for a tile that cannot be read.
  /// - Complexity: O(*n*) for *n* corners in the tiles around.
  public func buildings(
    latitudeDegrees: Double,
    longitudeDegrees: Double,
    within metres: Double
  ) throws(GroundProblem) -> [GroundBuilding] {
    guard abs(latitudeDegrees) < Mercator.mostLatitude, abs(longitudeDegrees) <= 180, metres > 0 else { return [] }
    let latitude = latitudeDegrees * .pi / 180
    let here = GroundBuilding.Corner(
      x: (longitudeDegrees + 180) / 360,
      y: (1 - asinh(tan(latitude)) / .pi) / 2
    )
    // The map's side is the equator of its sphere; at a latitude it is as much shorter.
    let reach = min(metres, Self.farthestBuildings) / (2 * .pi * 6_378_137 * cos(latitude))
    let zoom = TileLevel.mostZoom
    let side = Double(1 << zoom)
    func range(_ value: Double) -> ClosedRange<Int> {
      let low = Int(clamped: max(0, (value - reach) * side).rounded(.down))
      return low...max(low, Int(clamped: min(side - 1, (value + reach) * side).rounded(.down)))
    }
    var found: [GroundBuilding] = []
    var known: Set<GroundBuilding> = []
    for row in range(here.y) {
      for column in range(here.x) {
        guard let id = TileID(zoom: zoom, column: column, row: row), let packed = tile(id) else { continue }
        guard let content = Self.content(packed), let buildings = TileReader.buildings(content, in: id) else {
          throw .damaged(path, "its tile \(zoom)/\(column)/\(row) cannot be read")
        }
        // Each stands whole in every tile that it touches.
        for building in buildings where building.comes(within: reach, of: here) && known.insert(building).inserted {
          found.append(building)
        }
      }
    }
    return found
  }
}

extension GroundBuilding {
  /// Whether its border comes within a distance of a point, both in sides of the map, or stands around it.
  fileprivate func comes(within reach: Double, of point: Corner) -> Bool {
    var isInside = false
    for (k, a) in outer.enumerated() {
      let b = outer[k + 1 < outer.count ? k + 1 : 0]
      let (x, y) = (b.x - a.x, b.y - a.y)
      let square = x * x + y * y
      let share = square > 0 ? min(1, max(0, ((point.x - a.x) * x + (point.y - a.y) * y) / square)) : 0
      if hypot(a.x + share * x - point.x, a.y + share * y - point.y) <= reach { return true }
      if (a.y > point.y) != (b.y > point.y), (point.y - a.y) / y * x + a.x > point.x { isInside.toggle() }
    }
    return isInside
  }
}
