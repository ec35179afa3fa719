import Foundation
import SightlineContent
import SightlineTours

/// The table `tour_event`: what teams have done.
enum TourEventTable {
  private static let columns = """
    number, team, id, station, kind, value, received_milliseconds, made_milliseconds, latitude, longitude, accuracy,
    distance, place, verdict, refusal, points, late, marked_milliseconds
    """

  static func fix(_ latitude: Double?, _ longitude: Double?, _ accuracy: Double?) -> TourFix? {
    guard let latitude, let longitude else { return nil }
    return TourFix(position: Position(latitude: latitude, longitude: longitude), accuracy: accuracy)
  }

  /// The value of a kind as a JSON text: `[0,2]`, `"four"`, `1`, `null`.
  private static func value(of kind: TourEvent.Kind) throws -> String {
    switch kind {
    case .choice(let chosen): "[\(chosen.map(String.init).joined(separator: ","))]"
    case .text(let text): String(decoding: try ContentJSON.encode(text), as: UTF8.self)
    case .hint(let number): "\(number)"
    case .visit: "null"
    }
  }

  private static func kind(_ name: String, _ value: String) throws -> TourEvent.Kind {
    let bytes = Data(value.utf8)
    return switch name {
    case "choice": .choice(try ContentJSON.decode([Int].self, from: bytes))
    case "text": .text(try ContentJSON.decode(String.self, from: bytes))
    case "hint": .hint(Int(value) ?? 0)
    default: .visit
    }
  }

  private static func event(_ row: SQLRow) throws -> StoredEvent {
    StoredEvent(
      number: try row.value(0),
      team: try row.value(1),
      received: Date(milliseconds: try row.value(6)),
      made: Date(milliseconds: try row.value(7)),
      fix: fix(try row.value(8), try row.value(9), try row.value(10)),
      record: TourRecord(
        id: try row.value(2),
        station: try row.value(3),
        kind: try kind(row.value(4), row.value(5)),
        verdict: TourVerdict(rawValue: try row.value(13)) ?? .refused,
        refusal: (try row.value(14) as String?).flatMap(TourRefusal.init(rawValue:)),
        points: try row.value(15),
        place: TourPlace(rawValue: try row.value(12)) ?? .unknown,
        distance: try row.value(11),
        isLate: try row.value(16)
      ),
      marked: (try row.value(17) as Int64?).map(Date.init(milliseconds:))
    )
  }

  static func events(
    _ condition: String,
    _ arguments: SQLArguments,
    _ db: any SQLConnection
  ) throws
    -> [StoredEvent]
  {
    try db.rows(sql: "SELECT \(columns) FROM tour_event WHERE \(condition) ORDER BY number", arguments: arguments)
      .map(event)
  }

  static func insert(
    _ record: TourRecord,
    _ event: TourEvent,
    _ submission: TourSubmission,
    _ rounding: Double,
    isKept: Bool,
    _ db: any SQLConnection
  ) throws -> StoredEvent {
    let team = submission.device.team
    let fix = event.fix?.rounded(to: rounding)
    let made = min(event.made, submission.received)
    var stored = StoredEvent(
      number: 0,
      team: team.number,
      received: submission.received,
      made: made,
      fix: fix,
      record: record,
      marked: nil
    )
    guard isKept else { return stored }
    stored.number = try db.insertedNumber(
      sql: """
        INSERT INTO tour_event (run, team, id, station, kind, value, received_milliseconds, made_milliseconds, latitude,
          longitude, accuracy, distance, place, verdict, refusal, points, late)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
        """,
      arguments: [
        team.run, team.number, event.id, event.station, event.kind.name, try value(of: event.kind),
        submission.received.milliseconds, made.milliseconds, fix?.position.latitude, fix?.position.longitude,
        fix?.accuracy, rounding > 0 ? nil : record.distance, record.place.rawValue, record.verdict.rawValue,
        record.refusal?.rawValue, record.points, record.isLate,
      ]
    )
    try SQLChangeStore.add(.answer, team.run, item: stored.number, db)
    return stored
  }
}
