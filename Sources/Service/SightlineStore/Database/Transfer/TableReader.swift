import Foundation
import GRDB
import SightlineInput

/// How much is read and written at once.
struct TransferLimits: Sendable {
  /// Most rows in one transaction.
  var rows = 2000
  /// Bytes of large columns after which a transaction ends.
  var bytes = 16 << 20
  /// Most bytes of a row: SQLite takes 10⁹, PostgreSQL a gigabyte for a value.
  var rowBytes = 900_000_000
  /// Most transactions of a run, which then ends as one that is killed.
  var transactions = Int.max
}

/// Reads the rows of a table in the order of their keys, some at a time.
struct TableReader {
  let table: StoredTable
  let limits: TransferLimits
  private let isSQLite: Bool
  private let keyPlaces: [Int]

  init(_ table: StoredTable, _ limits: TransferLimits, _ db: any SQLConnection) {
    self.table = table
    self.limits = limits
    isSQLite = db.dialect is SQLiteDialect
    keyPlaces = table.keyPlaces
  }

  /// The next rows.
  ///
  /// - Parameters:
  ///   - key: The key of the row before; `nil` to begin.
  ///   - db: The source.
  /// - Returns: Rows, at least one unless there are none left.
  /// - Throws: ``TransferError/row(table:key:reason:)`` for a value of another type than its column's.
  func rows(after key: [SQLValue]?, _ db: any SQLConnection) throws -> [[SQLValue]] {
    let count = try batchCount(after: key, db)
    guard count > 0 else { return [] }
    var rows: [[SQLValue]] = []
    let columns = table.columns.map { selected($0) }.joined(separator: ", ")
    try db.forEachRow(
      sql: "SELECT \(columns) FROM \(table.name) \(rest(key)) LIMIT ?",
      arguments: arguments(key) + [count]
    ) { row in rows.append(try values(row)) }
    return rows
  }

  /// The key of a row.
  func key(_ row: [SQLValue]) -> [SQLValue] { keyPlaces.map { row[$0] } }

  /// How many rows fit; large ones are measured before they are read.
  private func batchCount(after key: [SQLValue]?, _ db: any SQLConnection) throws -> Int {
    guard !table.largeColumns.isEmpty else { return limits.rows }
    let size = table.largeColumns.map { "coalesce(length(\($0)), 0)" }.joined(separator: " + ")
    let names = table.columns.filter { table.key.contains($0.name) }.map { selected($0) }
    var (count, total, isFull) = (0, 0, false)
    try db.forEachRow(
      sql: "SELECT \(size), \(names.joined(separator: ", ")) FROM \(table.name) \(rest(key)) LIMIT ?",
      arguments: arguments(key) + [limits.rows]
    ) { row in
      let bytes: Int = try row.value(0)
      guard !isFull else { return }
      if count > 0, total.saturatingAdd(bytes) > limits.bytes {
        isFull = true
        return
      }
      if bytes > limits.rowBytes {
        // Rows before it are copied first.
        guard count == 0 else {
          isFull = true
          return
        }
        let key = try zip(table.columns.filter { table.key.contains($0.name) }, 1...).map { column, index in
          try value(row, index, column.type) ?? .null(column.type)
        }
        throw TransferError.row(
          table: table.name,
          key: TransferKey.text(key),
          reason: "it has \(bytes) bytes, more than the \(limits.rowBytes) that a row may have."
        )
      }
      (count, total) = (count + 1, total.saturatingAdd(bytes))
    }
    return count
  }

  private func rest(_ key: [SQLValue]?) -> String {
    let order = "ORDER BY \(table.key.joined(separator: ", "))"
    guard let key else { return order }
    let marks = key.map { isSQLite && $0.type == .text ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ")
    return "WHERE (\(table.key.joined(separator: ", "))) > (\(marks)) \(order)"
  }

  private func arguments(_ key: [SQLValue]?) -> SQLArguments {
    SQLArguments((key ?? []).map { isSQLite ? $0.asSQLiteArgument : $0 })
  }

  /// SQLite's texts are read by their bytes: they may have zero characters in them.
  ///
  /// Bytes where a text should be are given
  /// as a number, which none of the texts is.
  private func selected(_ column: (name: String, type: SQLType)) -> String {
    guard isSQLite, column.type == .text else { return column.name }
    return "CASE typeof(\(column.name)) WHEN 'blob' THEN 0 ELSE CAST(\(column.name) AS BLOB) END"
  }

  private func values(_ row: SQLRow) throws -> [SQLValue] {
    var values: [SQLValue] = []
    values.reserveCapacity(table.columns.count)
    var wrong: String?
    for (index, column) in table.columns.enumerated() {
      if let value = try value(row, index, column.type) {
        values.append(value)
      } else {
        wrong = wrong ?? column.name
        values.append(.null(column.type))
      }
    }
    if let wrong, let type = table.columns.first(where: { $0.name == wrong })?.type {
      throw TransferError.row(
        table: table.name,
        key: TransferKey.text(key(values)),
        reason: "its column \(wrong) does not hold \(type.words)."
      )
    }
    return values
  }

  /// The value of a column; `nil` where it is of another type.
  private func value(_ row: SQLRow, _ index: Int, _ type: SQLType) throws -> SQLValue? {
    switch row {
    case .postgres(let result, let row):
      let field = result.field(row: row, column: Int32(clamping: index))
      if field.isNull { return .null(type) }
      return switch type {
      case .integer: .integer(try field.integer())
      case .real: .real(try field.real())
      case .text: .text(try field.text())
      case .blob: .blob(try field.blob())
      }
    case .sqlite(let row):
      let value: DatabaseValue = row[index]
      switch (value.storage, type) {
      case (.null, _): return .null(type)
      case (.int64(let number), .integer): return .integer(number)
      case (.int64(let number), .real): return .real(Double(number))
      case (.double(let number), .real): return .real(number)
      case (.blob(let bytes), .blob): return .blob(bytes)
      case (.blob(let bytes), .text): return String(validating: bytes, as: UTF8.self).map(SQLValue.text)
      default: return nil
      }
    }
  }
}

extension SQLType {
  /// What a column of the type holds.
  fileprivate var words: String {
    switch self {
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "a text in UTF-8"
    case .blob: "bytes"
    }
  }
}

extension SQLValue {
  /// SQLite's drivers end texts at a zero character: they go in as bytes.
  var asSQLiteArgument: SQLValue {
    if case .text(let text) = self { .blob(Data(text.utf8)) } else { self }
  }

  /// Whether it is the same in both databases: SQLite knows one zero.
  func isSame(as other: SQLValue) -> Bool {
    if case .real(let first) = self, case .real(let second) = other {
      return first == second || (first.isNaN && second.isNaN)
    }
    return self == other
  }

  /// The order of keys: numbers by size, texts and bytes by their bytes.
  static func precedes(_ first: SQLValue, _ second: SQLValue) -> Bool? {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): first == second ? nil : first < second
    case (.text(let first), .text(let second)):
      first.utf8.elementsEqual(second.utf8) ? nil : first.utf8.lexicographicallyPrecedes(second.utf8)
    case (.blob(let first), .blob(let second)): first == second ? nil : first.lexicographicallyPrecedes(second)
    default: nil
    }
  }
}

/// Keys as texts.
enum TransferKey {
  /// For people: `ulm/3`; bytes by their first digits.
  static func text(_ key: [SQLValue]) -> String {
    key.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text):
        String(
          text.unicodeScalars.prefix(60).map {
            $0.properties.isWhitespace ? " " : $0.value < 32 ? "\u{FFFD}" : Character($0)
          }
        )
      case .blob(let bytes): "\(bytes.prefix(8).hexadecimal)\(bytes.count > 8 ? "…" : "")"
      }
    }.joined(separator: "/")
  }

  /// For the progress of a copy; ``decode(_:)`` reads it.
  static func encode(_ key: [SQLValue]) -> String {
    key.map { value in
      switch value {
      case .integer(let number): "i\(number)"
      case .text(let text): "t\(Data(text.utf8).hexadecimal)"
      case .blob(let bytes): "b\(bytes.hexadecimal)"
      case .null, .real: ""
      }
    }.joined(separator: ",")
  }

  /// `nil` for a text that is none.
  static func decode(_ text: String) -> [SQLValue]? {
    var key: [SQLValue] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let rest = String(part.dropFirst())
      switch part.first {
      case "i": if let number = Int64(rest) { key.append(.integer(number)) } else { return nil }
      case "t":
        guard let bytes = Data(hexadecimal: rest), let text = String(validating: bytes, as: UTF8.self) else {
          return nil
        }
        key.append(.text(text))
      case "b": if let bytes = Data(hexadecimal: rest) { key.append(.blob(bytes)) } else { return nil }
      default: return nil
      }
    }
    return key
  }
}
