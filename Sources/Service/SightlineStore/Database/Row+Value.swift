import GRDB

extension Row {
  /// The value of a column.
  ///
  /// `row.value(0)` ends the process when the column holds another type, and a database file may be damaged or made by somebody else.
  ///
  /// - Throws: `RowDecodingError`.
  func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value { try decode(atIndex: index) }

  /// The value of a column, without a detour.
  ///
  /// - Throws: `RowDecodingError`.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
    try decode(atIndex: index)
  }
}
