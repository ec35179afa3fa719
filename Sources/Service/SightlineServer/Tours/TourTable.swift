import Foundation
import NIOCore
import SightlineInput
import SightlineStore
import SightlineTours

/// A table of a run for a teacher's own use: results, answers or log, as CSV or JSON.
struct TourTable: Encodable {
  /// A field.
  enum Cell: Encodable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case none

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      // JSON has no number for what is not finite.
      case .number(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
      case .flag(let value): try container.encode(value)
      case .none: try container.encodeNil()
      }
    }
  }

  let columns: [String]
  var rows: [[Cell]] = []

  /// As CSV (RFC 4180) with a byte order mark, by which spreadsheets know UTF-8.
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe in front: pupils write these texts.
  func csv() -> ByteBuffer {
    var text = "\u{FEFF}" + columns.map(TourTable.field).joined(separator: ",") + "\r\n"
    for row in rows {
      let fields = row.map { cell -> String in
        switch cell {
        case .text(let value):
          let isFormula = value.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
          return TourTable.field(isFormula ? "'" + value : value)
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .flag(let value): return value ? "true" : "false"
        case .none: return ""
        }
      }
      text += fields.joined(separator: ",") + "\r\n"
    }
    return ByteBuffer(string: text)
  }

  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { "\",\r\n;".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A list of objects.
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for row in rows { try list.encode(Dictionary(zip(columns, row)) { first, _ in first }) }
  }
}

extension TourTable {
  /// A row for each team, the best first: score, counts, and the points of each station.
  static func results(_ run: StoredRun, _ teams: [TourTeam], _ events: [StoredEvent]) -> TourTable {
    let tour = run.tour
    var columns = ["rank", "team", "name", "score", "done", "right", "wrong", "waiting", "hints", "last"]
    columns += tour.stations.map { "station \($0.id) \($0.title)" }
    var table = TourTable(columns: columns)
    let byTeam = Dictionary(grouping: events, by: \.team)
    let standings = teams.map { team in
      let records = (byTeam[team.number] ?? []).map(\.record)
      return (team: team, progress: TourProgress(tour: tour, seed: team.seed, records: records))
    }
    for standing in TourRank.ranking(standings) {
      let events = byTeam[standing.team.number] ?? []
      func count(_ verdict: TourVerdict) -> Int { events.count { $0.record.verdict == verdict } }
      var row: [Cell] = [
        .integer(standing.rank), .integer(standing.team.number), .text(standing.team.name),
        .integer(standing.progress.score),
        .integer(standing.progress.doneCount), .integer(count(.right)), .integer(count(.wrong)),
        .integer(count(.pending)), .integer(count(.hinted)),
        events.last.map { .text(Timestamp.iso8601($0.received)) } ?? .none,
      ]
      for station in tour.stations {
        let state = standing.progress.at(station)
        row.append(state.isDone || state.wrong > 0 ? .integer(state.points) : .none)
      }
      table.rows.append(row)
    }
    return table
  }

  /// A row for each event, in the order of arrival.
  static func answers(_ run: StoredRun, _ teams: [TourTeam], _ events: [StoredEvent]) -> TourTable {
    var table = TourTable(columns: [
      "number", "received", "made", "team", "name", "round", "station", "title", "kind", "answer", "verdict", "refusal",
      "points", "place", "distance", "latitude", "longitude", "accuracy", "late", "marked", "id",
    ])
    let names = Dictionary(teams.map { ($0.number, $0.name) }) { first, _ in first }
    for event in events {
      let record = event.record
      let station = run.tour.station(record.station)
      let answer: Cell =
        switch record.kind {
        case .choice(let chosen):
          .text(
            chosen.map { number in
              guard let options = station?.options, options.indices.contains(number) else { return "\(number)" }
              return options[number]
            }.joined(separator: "; ")
          )
        case .text(let text): .text(text)
        case .hint(let number): .integer(number.saturatingAdd(1))
        case .visit: .none
        }
      func optional(_ value: Double?, _ scale: Double) -> Cell {
        value.map { .number(($0 * scale).rounded() / scale) } ?? .none
      }
      table.rows.append([
        .integer(Int(event.number)), .text(Timestamp.iso8601(event.received)), .text(Timestamp.iso8601(event.made)),
        .integer(event.team), .text(names[event.team] ?? ""), station.map { .integer($0.round) } ?? .none,
        .text(record.station), .text(station?.title ?? ""), .text(record.kind.name), answer,
        .text(record.verdict.rawValue), record.refusal.map { .text($0.rawValue) } ?? .none, .integer(record.points),
        .text(record.place.rawValue), optional(record.distance, 10), optional(event.fix?.position.latitude, 1e6),
        optional(event.fix?.position.longitude, 1e6), optional(event.fix?.accuracy, 10), .flag(record.isLate),
        event.marked.map { .text(Timestamp.iso8601($0)) } ?? .none, .text(record.id),
      ])
    }
    return table
  }

  /// A row for all that happened besides: joining, start and end, messages, leaving the area.
  static func log(_ teams: [TourTeam], _ entries: [TourLogEntry]) -> TourTable {
    var table = TourTable(columns: ["number", "time", "team", "name", "what", "text"])
    let names = Dictionary(teams.map { ($0.number, $0.name) }) { first, _ in first }
    for entry in entries {
      table.rows.append([
        .integer(Int(entry.number)), .text(Timestamp.iso8601(entry.time)), entry.team.map { .integer($0) } ?? .none,
        entry.team.map { .text(names[$0] ?? "") } ?? .none, .text(entry.kind.rawValue), .text(entry.text),
      ])
    }
    return table
  }

  /// A row for each kept position.
  static func track(_ points: [TourTrackPoint]) -> TourTable {
    var table = TourTable(columns: ["time", "team", "latitude", "longitude", "accuracy"])
    for point in points {
      table.rows.append([
        .text(Timestamp.iso8601(point.time)), .integer(point.team), .number(point.fix.position.latitude),
        .number(point.fix.position.longitude), point.fix.accuracy.map { .number($0) } ?? .none,
      ])
    }
    return table
  }
}
