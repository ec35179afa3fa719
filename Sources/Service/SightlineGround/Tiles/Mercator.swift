import Foundation
import SightlineInput
import SightlineOpenStreetMap

/// A point in units of a zoom's tiles: x to the east, y to the south, from 180° W and 85.05° N.
struct TilePoint: Hashable, Sendable {
  var x: Int32
  var y: Int32
}

/// Spherical Mercator, as web maps have it (EPSG:3857).
enum Mercator {
  /// Latitude where the square of the world ends, degrees.
  static let mostLatitude = 85.051_128_779_806_59

  /// A position at a zoom; at 16 the world is 2^28 units wide.
  static func point(_ position: OSMPosition, zoom: Int) -> TilePoint {
    let side = Double(TileLevel.extent << zoom)
    let latitude = min(mostLatitude, max(-mostLatitude, position.latitudeDegrees)) * .pi / 180
    let x = (position.longitudeDegrees + 180) / 360 * side
    let y = (1 - asinh(tan(latitude)) / .pi) / 2 * side
    let most = side - 1
    return TilePoint(
      x: Int32(clamped: min(most, max(0, x)).rounded()),
      y: Int32(clamped: min(most, max(0, y)).rounded())
    )
  }

  static func points(_ line: PositionLine, zoom: Int) -> [TilePoint] {
    var points: [TilePoint] = []
    points.reserveCapacity(line.count)
    for position in line {
      let point = point(position, zoom: zoom)
      if points.last != point { points.append(point) }
    }
    return points
  }
}
