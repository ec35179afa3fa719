import Foundation
import SightlineContent
import SightlineFormats
import SightlineGeodesy
import SightlineInput
import SightlineTransit

/// Streets to be drawn on the ground under stops and lines: the lines of a file in any format that is read.
public final class StreetMap: Sendable {
  /// Whom to credit; empty when nobody is.
  public let attribution: String
  /// Page of those to be credited; empty when there is none.
  public let attributionURL: String
  private let paths: [[(latitude: Double, longitude: Double)]]
  /// Paths by the cells that they cross.
  private let cells: [Cell: [Int32]]

  private struct Cell: Hashable {
    let row: Int32
    let column: Int32
  }

  /// Degrees of a cell.
  private static let size = 0.01
  /// Entries of paths in cells; paths beyond them are not drawn.
  private static let mostEntries = 20_000_000
  /// Longest step that is taken as part of a street, degrees: what is longer is a mistake or crosses the date line.
  private static let longestStep = 1.0

  /// Streets from a document, whose file name tells the format where the content does not.
  ///
  /// - Throws: ``TransitConfiguration/Failure`` when it cannot be read or has no lines.
  public convenience init(_ bytes: [UInt8], name: String, attribution: String = "", attributionURL: String = "") throws
  {
    var options = ReadingOptions(fileName: name)
    options.limits.bytes = 64 << 20
    options.limits.values = 40_000_000
    options.limits.elements = 4_000_000
    let reading = FormatRegistry.read(bytes, options: options).reading
    guard let world = reading.dimension else {
      let reason = reading.problems.first { $0.severity == .error }?.message ?? "It is in no format that is known."
      throw TransitConfiguration.Failure(description: "\(name) cannot be read as streets. \(reason)")
    }
    let lines = world.places.flatMap { $0.shapes ?? [] }.filter { $0.kind == .line }
    guard !lines.isEmpty else {
      throw TransitConfiguration.Failure(
        description: "\(name) has no lines. Streets are LineStrings of GeoJSON or KML."
      )
    }
    self.init(
      lines.flatMap(\.parts).map { $0.map { ($0.latitude, $0.longitude) } },
      attribution: attribution.isEmpty ? world.attribution ?? "" : attribution,
      attributionURL: attributionURL
    )
  }

  /// Streets from their points, degrees.
  init(_ paths: [[(latitude: Double, longitude: Double)]], attribution: String, attributionURL: String = "") {
    self.attribution = attribution
    self.attributionURL = attributionURL
    self.paths = paths
    var cells: [Cell: [Int32]] = [:]
    var entries = 0
    for (number, path) in paths.enumerated() where entries < Self.mostEntries {
      var crossed: Set<Cell> = []
      for (a, b) in zip(path, path.dropFirst())
      where abs(a.latitude - b.latitude) < Self.longestStep && abs(a.longitude - b.longitude) < Self.longestStep {
        // All cells of the rectangle round a step: a few too many, none too few.
        let rows = Self.cells(min(a.latitude, b.latitude), max(a.latitude, b.latitude))
        let columns = Self.cells(min(a.longitude, b.longitude), max(a.longitude, b.longitude))
        for row in rows { for column in columns { crossed.insert(Cell(row: row, column: column)) } }
      }
      entries += crossed.count
      for cell in crossed { cells[cell, default: []].append(Int32(clamped: number)) }
    }
    self.cells = cells
  }

  private static func cells(_ low: Double, _ high: Double) -> ClosedRange<Int32> {
    // Positions of a file may be anything; those beyond the Earth are in its last cell.
    let first = Int32(clamped: (low / size).rounded(.down)).clamped(to: -100_000...100_000)
    let last = Int32(clamped: (high / size).rounded(.down)).clamped(to: -100_000...100_000)
    return first...max(first, last)
  }

  /// Streets within a radius (metres) of a place, cut at it and thinned.
  func paths(around place: Geodetic, radius: Double) -> [[(latitude: Double, longitude: Double)]] {
    let high = radius / (WGS84.meanRadius * .pi / 180)
    let wide = min(180, high / max(1e-6, cos(place.latitudeDegrees * .pi / 180)))
    let rows = Self.cells(place.latitudeDegrees - high, place.latitudeDegrees + high)
    let columns = Self.cells(place.longitudeDegrees - wide, place.longitudeDegrees + wide)
    var near: Set<Int32> = []
    // Near the poles a circle has more columns than there are cells with streets.
    if rows.count.saturatingMultiply(columns.count) > cells.count {
      for (cell, found) in cells where rows.contains(cell.row) && columns.contains(cell.column) {
        near.formUnion(found)
      }
    } else {
      for row in rows { for column in columns { near.formUnion(cells[Cell(row: row, column: column)] ?? []) } }
    }
    var thinner = PathThinner(center: place, radius: radius, isJoining: false)
    for number in near.sorted() { thinner.add(paths[Int(number)], isExact: true) }
    return thinner.paths
  }
}
