import Foundation
import GRDB

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

  init(_ row: Row) {
    id = row["id"]
    route = row["route"]
    service = row["service"]
    pattern = row["pattern"]
    headsign = row["headsignText"] ?? ""
    shortName = row["shortText"] ?? ""
    block = row["blockText"] ?? ""
    shape = row["shape"]
    let flags: Int = row["flags"]
    direction = flags & 3 == 3 ? nil : flags & 3
    wheelchair = Self.threeWay(flags >> 2 & 3)
    bikes = Self.threeWay(flags >> 4 & 3)
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

  init(_ db: Database) throws {
    for row in try Row.fetchAll(db, sql: "SELECT * FROM notes") { notes[row["key"]] = row["value"] }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM agencies ORDER BY number") {
      agencies.append(
        ScheduleAgency(id: row["id"], name: row["name"], url: row["url"], language: row["language"])
      )
    }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM routes ORDER BY number") {
      let colors = LineColors(color: row["color"], textColor: row["textColor"])
      routes.append(
        ScheduleRoute(
          id: row["id"],
          agency: row["agency"],
          shortName: row["short"],
          longName: row["long"],
          type: row["kind"],
          color: colors.color,
          textColor: colors.textColor,
          sortOrder: row["sortOrder"]
        )
      )
    }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM credits") {
      credits.append(ScheduleCredit(name: row["name"], url: row["url"]))
    }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM retired") {
      let stop = RetiredStop(row)
      retired[stop.id] = stop
    }
    let services = try Row.fetchCursor(db, sql: "SELECT days FROM services ORDER BY number")
    while let row = try services.next() { serviceDays.append([UInt8](row["days"] as Data)) }
    try readStops(db)
  }

  private mutating func readStops(_ db: Database) throws {
    var access: [Int] = []
    var rows: [(stop: ScheduleStop, parent: Int?)] = []
    let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM stops ORDER BY number")
    while let row = try cursor.next() {
      access.append(row["wheelchair"])
      let stop = ScheduleStop(
        id: row["id"],
        code: row["code"],
        name: row["name"],
        latitude: row["latitude"],
        longitude: row["longitude"],
        kind: ScheduleStop.Kind(rawValue: row["kind"]) ?? .stop,
        parent: row["parent"],
        timeZone: row["timezone"],
        wheelchair: nil,
        platform: row["platform"]
      )
      rows.append((stop, row["parent"]))
      patternsOfStops.append(Self.pairs(row["patterns"]))
    }
    for (number, row) in rows.enumerated() {
      // A platform without a word of its own has its station's.
      let own = access[number]
      let value = own == 0 ? row.parent.map { access[$0] } ?? 0 : own
      stops.append(row.stop.with(wheelchair: ScheduleTrip.threeWay(value)))
    }
  }

  private static func pairs(_ data: Data) -> [Schedule.StopPattern] {
    data.withUnsafeBytes { raw in
      var reader = PackedReader(raw.bindMemory(to: UInt8.self))
      var pairs: [Schedule.StopPattern] = []
      pairs.reserveCapacity(raw.count / 8)
      while !reader.isAtEnd {
        pairs.append(Schedule.StopPattern(pattern: Int(reader.integer()), place: Int(reader.integer())))
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
