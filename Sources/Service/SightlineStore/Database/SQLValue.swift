import Foundation
import GRDB

/// The types of columns.
enum SQLType: Hashable, Sendable {
  case integer, real, text, blob
}

/// A value on its way into a statement.
enum SQLValue: Hashable, Sendable {
  /// No value, of a column of this type.
  case null(SQLType)
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// The type of the column it is for.
  var type: SQLType {
    switch self {
    case .null(let type): type
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

/// What can be an argument of a statement.
protocol SQLEncodable {
  static var sqlType: SQLType { get }
  var sqlValue: SQLValue { get }
}

extension Int64: SQLEncodable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLEncodable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLEncodable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLEncodable {
  static var sqlType: SQLType { .real }
  /// What is not a number is NULL, as it is to SQLite.
  var sqlValue: SQLValue { isNaN ? .null(.real) : .real(self) }
}

extension String: SQLEncodable {
  static var sqlType: SQLType { .text }
  var sqlValue: SQLValue { .text(self) }
}

extension Data: SQLEncodable {
  static var sqlType: SQLType { .blob }
  var sqlValue: SQLValue { .blob(self) }
}

extension SQLValue: SQLEncodable {
  static var sqlType: SQLType { .text }
  var sqlValue: SQLValue { self }
}

extension Optional: SQLEncodable where Wrapped: SQLEncodable {
  static var sqlType: SQLType { Wrapped.sqlType }
  var sqlValue: SQLValue { map(\.sqlValue) ?? .null(Wrapped.sqlType) }
}

/// The arguments of a statement.
struct SQLArguments: ExpressibleByArrayLiteral, Equatable, Sendable {
  private(set) var values: [SQLValue] = []

  init() {}

  init(arrayLiteral elements: any SQLEncodable...) { values = elements.map(\.sqlValue) }

  init(_ elements: some Sequence<some SQLEncodable>) { values = elements.map(\.sqlValue) }

  static func + (first: SQLArguments, second: SQLArguments) -> SQLArguments {
    var sum = first
    sum += second
    return sum
  }

  static func += (first: inout SQLArguments, second: SQLArguments) { first.values += second.values }
}

/// What can be read from a column.
///
/// SQLite's rows are decoded as GRDB does it, with what it lets pass; PostgreSQL's by the type that the server names.
protocol SQLColumn: DatabaseValueConvertible, StatementColumnConvertible {
  static func decode(_ field: PostgresField) throws -> Self
}

extension Int64: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Int64 { try field.integer() }
}

extension Int: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Int {
    guard let value = Int(exactly: try field.integer()) else { throw field.mismatch("a number of this machine") }
    return value
  }
}

extension Bool: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Bool { try field.integer() != 0 }
}

extension Double: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Double { try field.real() }
}

extension String: SQLColumn {
  static func decode(_ field: PostgresField) throws -> String { try field.text() }
}

extension Data: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Data { try field.blob() }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  static func decode(_ field: PostgresField) throws -> Wrapped? { field.isNull ? nil : try Wrapped.decode(field) }
}

/// A row of an answer.
enum SQLRow {
  case sqlite(Row)
  case postgres(PostgresResult, row: Int32)

  /// The value of a column.
  ///
  /// - Throws: When the column holds another type: a database may be damaged, or made by somebody else.
  func value<Value: SQLColumn>(_ index: Int) throws -> Value {
    switch self {
    case .sqlite(let row): try row.decode(atIndex: index)
    case .postgres(let result, let row): try Value.decode(result.field(row: row, column: Int32(clamping: index)))
    }
  }
}
