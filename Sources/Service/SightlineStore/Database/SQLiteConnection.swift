import GRDB

/// A connection to SQLite, as GRDB lends it for a transaction.
struct SQLiteConnection: SQLConnection {
  let database: Database
  var origin: Int64 = 0
  /// Where statements are counted.
  var metrics: StoreMetrics?

  var dialect: any SQLDialect { SQLiteDialect() }

  @discardableResult
  func execute(sql: String, arguments: SQLArguments) throws -> Int {
    metrics?.countStatement()
    try database.cachedStatement(sql: sql).execute(arguments: arguments.sqlite)
    return database.changesCount
  }

  func executeEach(sql: String, _ arguments: some Sequence<SQLArguments>) throws {
    let statement = try database.cachedStatement(sql: sql)
    for arguments in arguments {
      metrics?.countStatement()
      try statement.execute(arguments: arguments.sqlite)
    }
  }

  func rows(sql: String, arguments: SQLArguments) throws -> [SQLRow] {
    metrics?.countStatement()
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments.sqlite).map(SQLRow.sqlite)
  }

  func forEachRow(sql: String, arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    metrics?.countStatement()
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments.sqlite)
    while let row = try rows.next() { try body(.sqlite(row)) }
  }

  func savepoint<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    var result: Result<Value, any Error>?
    try database.inSavepoint {
      do {
        result = .success(try body())
        return .commit
      } catch {
        result = .failure(error)
        return .rollback
      }
    }
    return result ?? .failure(CancellationError())
  }
}

extension SQLArguments {
  fileprivate var sqlite: StatementArguments {
    StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .blob(let bytes): bytes
        }
      }
    )
  }
}
