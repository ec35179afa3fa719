import SightlineGeodesy
import SightlineGround
import SightlineMath
import SightlineOcclusion
import SightlineSimulator

/// Reads the houses of a script's town out of a ground file.
enum TownReader {
  /// A town with its houses.
  ///
  /// - Parameters:
  ///   - town: as the script names it.
  ///   - place: the script's.
  ///   - path: of the ground file.
  /// - Returns: the town, its houses in metres around the place.
  /// - Throws: `ScriptProblem` with the script's line: a file that cannot be used, no house around the place, or more than are drawn.
  static func filled(_ town: Scenery.Town, around place: Geodetic, path: String) throws -> Scenery.Town {
    func problem(_ message: String) -> ScriptProblem { ScriptProblem(line: town.line, message: "town: \(message)") }
    let around: [GroundBuilding]
    do {
      around = try GroundFile(path: path).buildings(
        latitudeDegrees: place.latitudeDegrees,
        longitudeDegrees: place.longitudeDegrees,
        within: town.reach
      )
    } catch {
      throw problem("\(error) A town is a ground file: sightline ground add makes one of an extract of OpenStreetMap.")
    }
    guard !around.isEmpty else {
      throw problem(
        "\(path) has no house within \(town.reach) m of \(place.latitudeDegrees) \(place.longitudeDegrees); "
          + "say another place or a larger reach."
      )
    }
    let walls = around.reduce(0) { $0 + $1.outer.count + $1.holes.reduce(0) { $0 + $1.count } }
    guard walls <= Scenery.Town.mostWalls else {
      throw problem(
        "there are \(walls) walls within \(town.reach) m, more than the \(Scenery.Town.mostWalls) that are drawn; say a smaller reach."
      )
    }
    let frame = EastNorthUpFrame(origin: place)
    func ring(_ corners: [GroundBuilding.Corner]) -> [Vector2] {
      corners.map { corner in
        var position = WebMercator.geodetic(Vector2(corner.x, corner.y))
        position.altitude = place.altitude
        let point = frame.point(position)
        return Vector2(point.x, point.y)
      }
    }
    var filled = town
    filled.houses = around.map {
      Footprint(outer: ring($0.outer), holes: $0.holes.map(ring), base: $0.base, roof: $0.roof)
    }
    return filled
  }
}
