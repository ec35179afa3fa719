import Foundation
import GRDB
import SightlineInput

/// A stop, platform, station, entrance, node or boarding area.
public struct ScheduleStop: Sendable, Equatable {
  /// location_type.
  public enum Kind: Int, Sendable {
    /// Where vehicles call: a stop, or a platform when it has a parent.
    case stop = 0
    /// Several platforms.
    case station
    /// A way in.
    case entrance
    /// A place on a way.
    case node
    /// A part of a platform.
    case boardingArea
  }

  /// Id in the feed.
  public let id: String
  /// What is written on the pole; empty when there is nothing.
  public let code: String
  /// Name.
  public let name: String
  /// Degrees; `nil` where the feed gives none (nodes and boarding areas only).
  public let latitude: Double?
  /// Degrees.
  public let longitude: Double?
  /// What it is.
  public let kind: Kind
  /// The station, or a boarding area's platform.
  public let parent: Int?
  /// Zone in which times are shown here, if not the feed's.
  public let timeZone: String
  /// Whether a wheelchair can board: `nil` unknown.
  public let wheelchair: Bool?
  /// Platform code; empty when there is none.
  public let platform: String
}

/// A line.
public struct ScheduleRoute: Sendable, Equatable {
  /// Id in the feed.
  public let id: String
  /// Number of the agency.
  public let agency: Int
  /// route_short_name.
  public let shortName: String
  /// route_long_name.
  public let longName: String
  /// route_type as given.
  public let type: Int
  /// 0xRRGGBB, white when the feed says nothing.
  public let color: Int
  /// 0xRRGGBB; black or white where the feed's own pair would be hard to read (contrast under 3:1, WCAG 2.2).
  public let textColor: Int
  /// route_sort_order.
  public let sortOrder: Int?

  /// What riders call it: the short name, else the long one.
  public var name: String { shortName.isEmpty ? longName : shortName }
  /// Means of transport.
  public var mode: TransitMode { TransitMode(routeType: type) }
}

/// An agency.
public struct ScheduleAgency: Sendable, Equatable {
  /// Id in the feed.
  public let id: String
  /// Name.
  public let name: String
  /// Page.
  public let url: String
  /// Language code.
  public let language: String
}

/// Someone to credit.
public struct ScheduleCredit: Sendable, Equatable {
  /// Name.
  public let name: String
  /// Page, or empty.
  public let url: String
}

/// What is known of a trip besides its times.
public struct ScheduleTrip: Sendable, Equatable {
  /// Id in the feed.
  public let id: String
  /// Number of its route.
  public let route: Int
  /// Number of its service.
  public let service: Int
  /// Number of its pattern.
  let pattern: Int
  /// trip_headsign; empty when there is none.
  public let headsign: String
  /// Train number or the like.
  public let shortName: String
  /// block_id: trips of one vehicle; empty when there is none.
  public let block: String
  /// Number of its shape.
  public let shape: Int?
  /// 0 or 1; `nil` when not given.
  public let direction: Int?
  /// Whether it takes wheelchairs: `nil` unknown.
  public let wheelchair: Bool?
  /// Whether it takes bicycles: `nil` unknown.
  public let bikes: Bool?

  /// The columns that ``init(_:routes:services:patterns:)`` takes.
  static let query = """
    SELECT trips.id, route, service, pattern, h.text, s.text, b.text, shape, flags FROM trips
    LEFT JOIN texts h ON h.number = headsign LEFT JOIN texts s ON s.number = shortName
    LEFT JOIN texts b ON b.number = block WHERE trips.number = ?
    """

  /// A row; `nil` when it refers to what there is not.
  init?(_ row: Row, routes: Int, services: Int, patterns: Int) {
    var row = CheckedRow(row)
    id = row.text()
    route = row.index(below: routes)
    service = row.index(below: services)
    pattern = row.index(below: patterns)
    headsign = row.textOrNothing()
    shortName = row.textOrNothing()
    block = row.textOrNothing()
    shape = row.numberOrNothing().flatMap { Int32(checked: $0) == nil || $0 < 0 ? nil : $0 }
    let flags = row.number()
    direction = flags & 3 == 3 ? nil : flags & 3
    wheelchair = Self.threeWay(flags >> 2 & 3)
    bikes = Self.threeWay(flags >> 4 & 3)
    if row.isDamaged { return nil }
  }

  /// 0 unknown, 1 yes, 2 no.
  static func threeWay(_ value: Int) -> Bool? { value == 1 ? true : value == 2 ? false : nil }
}

/// The small tables of a schedule file.
struct ScheduleContents {
  var notes: [String: String] = [:]
  var stops: [ScheduleStop] = []
  var routes: [ScheduleRoute] = []
  var agencies: [ScheduleAgency] = []
  var credits: [ScheduleCredit] = []
  var retired: [String: RetiredStop] = [:]
  var patternsOfStops: [[Schedule.StopPattern]] = []
  var serviceDays: [[UInt8]] = []

  /// One more than the highest number of a pattern.
  var patternCount = 0

  /// Reads the tables.
  ///
  /// - Throws: ``ScheduleContents/Damage`` for a row that is not what it has to be, or a database error.
  init(_ db: Database) throws {
    try Self.checkTables(db)
    try Self.forEach(db, "SELECT key, value FROM notes") { row, _ in notes[row.text()] = row.text() }
    try Self.forEach(db, "SELECT number, id, name, url, language FROM agencies ORDER BY number") { row, number in
      row.check(row.number() == number)
      agencies.append(ScheduleAgency(id: row.text(), name: row.text(), url: row.text(), language: row.text()))
    }
    try Self.forEach(
      db,
      "SELECT number, id, agency, short, long, kind, color, textColor, sortOrder FROM routes ORDER BY number"
    ) { row, number in
      row.check(row.number() == number)
      let id = row.text()
      let agency = row.index(below: agencies.count)
      let (short, long) = (row.text(), row.text())
      let kind = row.number().clamped(to: 0...9999)
      let colors = LineColors(color: row.colorOrNothing(), textColor: row.colorOrNothing())
      routes.append(
        ScheduleRoute(
          id: id,
          agency: agency,
          shortName: short,
          longName: long,
          type: kind,
          color: colors.color,
          textColor: colors.textColor,
          sortOrder: row.numberOrNothing()
        )
      )
    }
    try Self.forEach(db, "SELECT name, url FROM credits") { row, _ in
      credits.append(ScheduleCredit(name: row.text(), url: row.text()))
    }
    try Self.forEach(db, "SELECT id, name, platform, latitude, longitude, since FROM retired") { row, _ in
      let stop = RetiredStop(
        id: row.text(),
        name: row.text(),
        platform: row.text(),
        latitude: row.degreesOrNothing(90),
        longitude: row.degreesOrNothing(180),
        since: Instant.clamped(row.number())
      )
      retired[stop.id] = stop
    }
    try Self.forEach(db, "SELECT number, days FROM services ORDER BY number") { row, number in
      row.check(row.number() == number)
      serviceDays.append(row.bytes())
    }
    let last = try Row.fetchOne(db, sql: "SELECT max(number), min(number) FROM patterns").map { CheckedRow($0) }
    if var last, !last.isNothing {
      patternCount = last.index(below: ScheduleFormat.mostPatterns) + 1
      last.check(last.number() >= 0)
      if last.isDamaged { throw Damage() }
    }
    try readStops(db)
  }

  /// A row is not what it has to be.
  struct Damage: Error {}

  /// Refuses files whose tables are something else: a view can make rows without end.
  private static func checkTables(_ db: Database) throws {
    let names: Set<String> = [
      "notes", "agencies", "routes", "texts", "services", "trips", "patterns", "stops", "shapes", "translations",
      "credits", "retired",
    ]
    var found: Set<String> = []
    try forEach(db, "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')") { row, _ in
      let (name, type, text) = (row.text().lowercased(), row.text(), row.textOrNothing())
      guard names.contains(name) else { return }
      row.check(type == "table" && text.uppercased().hasPrefix("CREATE TABLE"))
      found.insert(name)
    }
    guard found == names else { throw Damage() }
  }

  /// Reads rows in their order, the number of each counted from 0.
  private static func forEach(_ db: Database, _ sql: String, _ body: (inout CheckedRow, Int) -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: sql)
    var number = 0
    while let row = try rows.next() {
      var checked = CheckedRow(row)
      body(&checked, number)
      guard !checked.isDamaged, number < mostRows else { throw Damage() }
      number += 1
    }
  }

  /// Rows of one table that are held in memory: a few times the stops of the largest feeds.
  private static let mostRows = 10_000_000

  private mutating func readStops(_ db: Database) throws {
    var access: [UInt8] = []
    var parents: [Int32] = []
    let patternLimit = patternCount
    try Self.forEach(
      db,
      """
      SELECT number, id, code, name, latitude, longitude, kind, parent, timezone, wheelchair, platform, patterns
      FROM stops ORDER BY number
      """
    ) { row, number in
      row.check(row.number() == number)
      let (id, code, name) = (row.text(), row.text(), row.text())
      let (latitude, longitude) = (row.degreesOrNothing(90), row.degreesOrNothing(180))
      let kind = ScheduleStop.Kind(rawValue: row.number()) ?? .stop
      let parent = row.numberOrNothing()
      let timeZone = row.text()
      access.append(UInt8(clamped: row.number()))
      // The parent may stand further down: it is looked at when all are there.
      row.check(parent.map { (0..<Int(Int32.max)).contains($0) } ?? true)
      parents.append(parent.map { Int32(clamped: $0) } ?? -1)
      stops.append(
        ScheduleStop(
          id: id,
          code: code,
          name: name,
          latitude: longitude == nil ? nil : latitude,
          longitude: latitude == nil ? nil : longitude,
          kind: kind,
          parent: parent,
          timeZone: timeZone,
          wheelchair: nil,
          platform: row.text()
        )
      )
      let pairs = Self.pairs(row.bytes(), below: patternLimit)
      row.check(pairs != nil)
      patternsOfStops.append(pairs ?? [])
    }
    for number in stops.indices {
      let parent = Int(parents[number])
      guard parent < stops.count, parent != number else { throw Damage() }
      // A platform without a word of its own has its station's.
      let value = access[number] == 0 && parent >= 0 ? access[parent] : access[number]
      if value != 0 { stops[number] = stops[number].with(wheelchair: ScheduleTrip.threeWay(Int(value))) }
    }
  }

  /// Patterns with places in them; `nil` when one is cut off or there is no such pattern.
  private static func pairs(_ data: [UInt8], below patterns: Int) -> [Schedule.StopPattern]? {
    guard data.count % 8 == 0 else { return nil }
    return data.withUnsafeBufferPointer { bytes in
      var reader = PackedReader(bytes)
      var pairs: [Schedule.StopPattern] = []
      pairs.reserveCapacity(bytes.count / 8)
      while !reader.isAtEnd {
        let (pattern, place) = (Int(reader.integer()), Int(reader.integer()))
        guard pattern >= 0, pattern < patterns, place >= 0, place < TripPattern.mostCalls else { return nil }
        pairs.append(Schedule.StopPattern(pattern: pattern, place: place))
      }
      return pairs
    }
  }
}

extension ScheduleStop {
  fileprivate func with(wheelchair: Bool?) -> ScheduleStop {
    ScheduleStop(
      id: id,
      code: code,
      name: name,
      latitude: latitude,
      longitude: longitude,
      kind: kind,
      parent: parent,
      timeZone: timeZone,
      wheelchair: wheelchair,
      platform: platform
    )
  }
}
