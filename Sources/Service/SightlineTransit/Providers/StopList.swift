import Foundation
import SightlineFormats
import SightlineGeodesy

/// Lists of stops for providers that have no timetable here.
public enum StopList {
  /// In what coordinates a list is.
  public enum Grid: String, Sendable, CaseIterable {
    /// Degrees: columns `lat` and `lon`.
    case wgs84
    /// RT 90 2.5 gon V: columns `x` (north) and `y` (east), metres.
    case rt90
    /// SWEREF 99 TM: columns `x` (north) and `y` (east), metres.
    case sweref99tm
  }

  /// Reads a list: JSON `{"stops": [{"id", "name", "lat", "lon", …}]}`, or CSV with a header line of the same names.
  ///
  /// Besides these: `code`, `platform`, `wheelchair` (`true`, `false`), and in JSON `lines` with `id`, `name`, `mode`, `color`,
  /// `textColor`.
  ///
  /// - Throws: a sentence for the operator, as ``TransitImportError``.
  public static func read(_ bytes: [UInt8], grid: Grid = .wgs84) throws -> [ListDirectory.Entry] {
    let first = bytes.first { !($0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF) }
    let rows: [DataTree]
    if first == 0x7B {
      do {
        var limits = ReadingLimits()
        limits.bytes = 64 << 20
        limits.values = 4_000_000
        rows = try DataTree.json(bytes, limits: limits).all("stops")
      } catch {
        throw TransitImportError(
          "The list of stops cannot be read\(error.line.map { " (line \($0))" } ?? ""): \(error.message)"
        )
      }
      return try rows.enumerated().map { number, row in
        try entry(line: "stop \(number + 1)", grid: grid, lines: row.all("lines")) { row[$0]?.string }
      }
    }
    return try table(bytes, grid: grid)
  }

  /// Stops of a list: several times those of a large country.
  package static let mostStops = 1_000_000

  private static func table(_ bytes: [UInt8], grid: Grid) throws -> [ListDirectory.Entry] {
    var records = CSVText(bytes)
    guard let header = records.next() else { throw TransitImportError("The list of stops is empty.") }
    let columns = Dictionary(
      header.enumerated().map { ($1.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var entries: [ListDirectory.Entry] = []
    while let record = records.next() {
      guard entries.count < mostStops else {
        throw TransitImportError("The list of stops has more than \(mostStops) stops. Split it.")
      }
      if record.count == 1, record[0].isEmpty { continue }
      entries.append(
        try entry(line: "line \(records.line)", grid: grid, lines: []) { name in
          columns[name].flatMap { record.indices.contains($0) && !record[$0].isEmpty ? record[$0] : nil }
        }
      )
    }
    return entries
  }

  private static func entry(
    line: String,
    grid: Grid,
    lines: [DataTree],
    _ value: (String) -> String?
  ) throws -> ListDirectory.Entry {
    guard let id = value("id"), let name = value("name") else {
      throw TransitImportError("The list of stops has no id or name in \(line).")
    }
    guard id.utf8.count <= ProviderText.nameBytes, name.utf8.count <= ProviderText.nameBytes else {
      throw TransitImportError("The id or name in \(line) is longer than \(ProviderText.nameBytes) bytes.")
    }
    func number(_ column: String) throws -> Double {
      guard let text = value(column), let number = Double(text), number.isFinite else {
        throw TransitImportError("The list of stops has no number \(column) in \(line) (\(id)).")
      }
      return number
    }
    let place: Geodetic
    switch grid {
    case .wgs84: place = Geodetic(latitudeDegrees: try number("lat"), longitudeDegrees: try number("lon"))
    case .rt90, .sweref99tm:
      let (north, east) = (try number("x"), try number("y"))
      // A pair that was swapped lies outside (north and east of Sweden do not overlap).
      guard (6_100_000...7_700_000).contains(north),
        grid == .rt90 ? (1_200_000...1_900_000).contains(east) : (200_000...1_000_000).contains(east)
      else {
        throw TransitImportError("x \(north), y \(east) in \(line) (\(id)) is outside the grid; x is north, y is east.")
      }
      let projection: TransverseMercator = grid == .rt90 ? .rt90 : .sweref99TM
      place = projection.geodetic(of: .init(northing: north, easting: east))
    }
    guard abs(place.latitudeDegrees) <= 90, abs(place.longitudeDegrees) <= 180 else {
      throw TransitImportError("The position in \(line) (\(id)) is not on the Earth.")
    }
    var stop = TransitStop(
      id: id,
      name: name,
      latitude: place.latitudeDegrees,
      longitude: place.longitudeDegrees
    )
    stop.code = ProviderText.cut(value("code") ?? "")
    stop.platform = ProviderText.cut(value("platform") ?? "")
    stop.wheelchair = value("wheelchair").flatMap(Bool.init)
    let own = lines.prefix(ScheduleDirectory.mostLines).compactMap { line -> TransitLine? in
      guard let name = ProviderText.cut(line["name"]) else { return nil }
      return TransitLine(
        id: ProviderText.cut(line["id"]) ?? name,
        name: name,
        mode: line["mode"]?.string.flatMap(TransitMode.init(rawValue:)) ?? .other,
        color: line["color"]?.string.flatMap(LineColors.color),
        textColor: line["textColor"]?.string.flatMap(LineColors.color)
      )
    }
    return ListDirectory.Entry(stop: stop, lines: own)
  }
}

/// Records of a small CSV text (RFC 4180), held in memory.
private struct CSVText {
  /// Fields of a record that are kept.
  private static let mostFields = 256

  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private(set) var line = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    place = self.bytes.startIndex
  }

  mutating func next() -> [String]? {
    guard place < bytes.endIndex else { return nil }
    line += 1
    var record: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    func finish(_ field: [UInt8]) -> String {
      String(decoding: field, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
    func append(_ field: [UInt8]) { if record.count < Self.mostFields { record.append(finish(field)) } }
    while place < bytes.endIndex {
      let byte = bytes[place]
      place += 1
      if isQuoted {
        if byte != 0x22 {
          field.append(byte)
        } else if place < bytes.endIndex, bytes[place] == 0x22 {
          field.append(byte)
          place += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case 0x22: isQuoted = true
      case 0x2C:
        append(field)
        field.removeAll(keepingCapacity: true)
      case 0x0D: continue
      case 0x0A:
        append(field)
        return record
      default: field.append(byte)
      }
    }
    append(field)
    return record
  }
}
