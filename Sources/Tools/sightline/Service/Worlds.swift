import ArgumentParser
import Foundation
import SightlineStore

/// `sightline worlds`.
struct Worlds: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List the worlds of the database.")

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "text: a table; json: an array with one object for each world.")
  var format: Format = .text

  @Option(help: ArgumentHelp("List the versions of this world instead.", valueName: "world"))
  var history: String?

  @OptionGroup var database: DatabaseOption

  private struct Entry: Encodable {
    var id: String
    var title: String
    var version: Int
    var places: Int
    var overlays: Int
    var format: String
    var updated: String
    var source: String?
  }

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let records: [WorldRecord]
    if let history {
      records = try await stores.worlds.versions(of: history)
      guard !records.isEmpty else { throw Failure("There is no world \"\(history)\" in \(database.name).") }
    } else {
      records = try await stores.worlds.worlds()
    }
    let dates = ISO8601DateFormatter()
    let entries = records.map { record in
      Entry(
        id: record.id,
        title: record.title,
        version: record.version,
        places: record.places,
        overlays: record.overlays,
        format: record.format,
        updated: dates.string(from: record.saved),
        source: record.source
      )
    }
    switch format {
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      Console.say(String(decoding: try encoder.encode(entries), as: UTF8.self))
    case .text:
      let rows = entries.map {
        [
          $0.id, String($0.version), String($0.places), $0.format, $0.updated,
          $0.title.replacingOccurrences(of: "\n", with: " "),
        ]
      }
      for line in Table.lines(["WORLD", "VERSION", "PLACES", "FORMAT", "UPDATED", "TITLE"], rows) { Console.say(line) }
    }
  }
}

/// Columns of text, padded with blanks.
enum Table {
  static func lines(_ header: [String], _ rows: [[String]]) -> [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      zip(row, widths).enumerated().map { index, cell in
        // The last column needs no blanks after it.
        index == header.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
      }.joined(separator: "  ")
    }
  }
}
