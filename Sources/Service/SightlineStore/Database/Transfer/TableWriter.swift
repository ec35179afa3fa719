import Foundation
import SightlineInput

/// Writes rows of a table, as they are.
struct TableWriter {
  private let table: StoredTable
  private let isSQLite: Bool
  private let sql: String
  private let keyPlaces: [Int]

  init(_ table: StoredTable, _ db: any SQLConnection) {
    self.table = table
    isSQLite = db.dialect is SQLiteDialect
    keyPlaces = table.keyPlaces
    let names = table.columns.map(\.name).joined(separator: ", ")
    let marks = table.columns.map { [isSQLite] in isSQLite && $0.type == .text ? "CAST(? AS TEXT)" : "?" }
    let seed =
      table.isSeeded
      ? " ON CONFLICT (\(table.key.joined(separator: ", "))) DO UPDATE SET "
        + table.columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
      : ""
    sql = "INSERT INTO \(table.name) (\(names)) VALUES (\(marks.joined(separator: ", ")))\(seed)"
  }

  /// Writes rows.
  func write(_ rows: [[SQLValue]], _ db: any SQLConnection) throws {
    for row in rows { try check(row) }
    try db.executeEach(sql: sql, rows.lazy.map { arguments($0) })
  }

  /// The first of some rows that cannot be written, with the reason; changes nothing.
  func fault(in rows: [[SQLValue]], _ db: any SQLConnection) throws -> TransferError? {
    var found: TransferError?
    _ = try db.savepoint {
      for row in rows {
        let result = try db.savepoint { try db.execute(sql: sql, arguments: arguments(row)) }
        guard case .failure(let error) = result else { continue }
        found = fault(row, "\(error).")
        break
      }
      throw CancellationError()
    }
    return found
  }

  /// Sets columns of rows that are there once more.
  func settle(_ rows: [[SQLValue]], _ db: any SQLConnection) throws {
    let places = table.settled.compactMap { name in table.columns.firstIndex { $0.name == name } }
    let values = table.settled.map { "\($0) = ?" }.joined(separator: ", ")
    let condition = keyPlaces.map { place in
      let column = table.columns[place]
      return "\(column.name) = \(isSQLite && column.type == .text ? "CAST(? AS TEXT)" : "?")"
    }
    try db.executeEach(
      sql: "UPDATE \(table.name) SET \(values) WHERE \(condition.joined(separator: " AND "))",
      rows.lazy.map { row in arguments((places + keyPlaces).map { row[$0] }) }
    )
  }

  private func arguments(_ row: [SQLValue]) -> SQLArguments {
    SQLArguments(isSQLite ? row.map(\.asSQLiteArgument) : row)
  }

  /// What SQLite would keep as something else.
  private func check(_ row: [SQLValue]) throws {
    guard isSQLite else { return }
    for (value, column) in zip(row, table.columns) {
      if case .real(let number) = value, number.isNaN {
        throw fault(row, "its column \(column.name) is not a number (NaN), which SQLite cannot hold.")
      }
    }
  }

  private func fault(_ row: [SQLValue], _ reason: String) -> TransferError {
    .row(table: table.name, key: TransferKey.text(keyPlaces.map { row[$0] }), reason: reason)
  }
}
