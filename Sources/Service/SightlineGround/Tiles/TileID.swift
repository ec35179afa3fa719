import SightlineInput
import SightlineOpenStreetMap

/// A tile of Web Mercator: column and row at a zoom, from the north-west (the scheme of web maps, EPSG:3857).
public struct TileID: Hashable, Comparable, Sendable {
  /// 0 is the whole world, each step halves a side.
  public var zoom: Int
  /// From the west.
  public var column: Int
  /// From the north.
  public var row: Int

  /// A tile of one of the zooms that files have; `nil` where there is no such.
  public init?(zoom: Int, column: Int, row: Int) {
    guard TileLevel.zooms.contains(zoom), (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(row)
    else {
      return nil
    }
    self.zoom = zoom
    self.column = column
    self.row = row
  }

  /// Rises with zoom, then row, then column: the order of a file's directory.
  var key: UInt64 { UInt64(zoom) << 48 | UInt64(row) << 24 | UInt64(column) }

  /// By zoom, then row, then column.
  public static func < (one: TileID, other: TileID) -> Bool { one.key < other.key }
}

/// The zooms that tiles are made for; what is between is drawn larger.
public enum TileLevel {
  /// Those that a file has.
  public static let zooms = [10, 12, 14, 16]
  static let mostZoom = 16
  /// Units along a tile's side: at zoom 16 one is 15 cm at the equator.
  public static let extent = 4096
  /// Units that shapes reach over a tile's edge, so that outlines do not show there.
  static let margin = 64

  /// West and north, east and south of an area, in columns and rows of the finest tiles.
  public static func range(of bounds: GroundInfo.Bounds) -> [Int] {
    func tile(_ latitude: Double, _ longitude: Double) -> (column: Int, row: Int) {
      let position = OSMPosition(
        latitude: Int32(clamped: (latitude * 1e7).rounded()),
        longitude: Int32(clamped: (longitude * 1e7).rounded())
      )
      let point = Mercator.point(position, zoom: mostZoom)
      return (Int(point.x) / extent, Int(point.y) / extent)
    }
    let (northWest, southEast) = (tile(bounds.north, bounds.west), tile(bounds.south, bounds.east))
    return [northWest.column, northWest.row, southEast.column, southEast.row]
  }

  /// How much may be left out of a line, units: half a point on the display, of a tile that is drawn 512 points wide; nothing
  /// where it is drawn larger.
  static func tolerance(zoom: Int) -> Double { zoom == mostZoom ? 0.9 : 4 }
}
