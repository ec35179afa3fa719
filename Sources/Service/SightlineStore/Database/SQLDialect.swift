/// Where the SQL of databases differs.
protocol SQLDialect: Sendable {
  /// A document's key as the tables of changes and references have it.
  func documentKey(_ key: SQLValue) -> SQLValue

  /// How posters are found by their words.
  var posterIndex: any PosterIndex { get }

  /// The database's own time as an expression: milliseconds since 1970.
  var milliseconds: String { get }

  /// Names the history that numbers of changes belong to.
  func history(_ db: any SQLConnection) throws -> String

  /// Lets a crash of the database take the present transaction back, though it was confirmed.
  func forgoDurability(_ db: any SQLConnection) throws

  /// Whether there is a table.
  func hasTable(_ name: String, _ db: any SQLConnection) throws -> Bool

  /// The last number that a table's rows were given, also one that is gone; `nil` where none was given or none is kept.
  func lastNumber(of table: String, _ column: String, _ db: any SQLConnection) throws -> Int64?

  /// Gives rows larger numbers than this from now on.
  func setLastNumber(_ number: Int64, of table: String, _ column: String, _ db: any SQLConnection) throws
}

/// SQLite's.
struct SQLiteDialect: SQLDialect {
  /// A column there holds numbers and texts side by side.
  func documentKey(_ key: SQLValue) -> SQLValue { key }

  var posterIndex: any PosterIndex { SQLitePosterIndex() }

  var milliseconds: String { "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)" }

  /// A file has one.
  func history(_ db: any SQLConnection) throws -> String { "" }

  func forgoDurability(_ db: any SQLConnection) throws {}

  func hasTable(_ name: String, _ db: any SQLConnection) throws -> Bool {
    try db.row(sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [name]) != nil
  }

  /// Kept for tables with `AUTOINCREMENT`; others go on after the largest number that is there.
  func lastNumber(of table: String, _ column: String, _ db: any SQLConnection) throws -> Int64? {
    try db.value(Int64.self, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
  }

  func setLastNumber(_ number: Int64, of table: String, _ column: String, _ db: any SQLConnection) throws {
    let keeps = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'"
    guard try db.row(sql: keeps, arguments: [table]) != nil else { return }
    try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
    try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
  }
}

/// PostgreSQL's.
struct PostgresDialect: SQLDialect {
  /// A column has one type.
  func documentKey(_ key: SQLValue) -> SQLValue {
    if case .integer(let number) = key { .text(String(number)) } else { key }
  }

  var posterIndex: any PosterIndex { PostgresPosterIndex() }

  var milliseconds: String { "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)" }

  /// The server's timeline, which is another after a standby has taken over; while it is a standby, none.
  ///
  /// A crash may lose transactions that others have read already (``forgoDurability(_:)``), and their numbers are given again. The
  /// timeline stays then; but the counts of what the server did are lost with it, and it notes since when it counts.
  func history(_ db: any SQLConnection) throws -> String {
    try db.value(
      String.self,
      sql: """
        SELECT CASE WHEN pg_is_in_recovery() THEN ''
          ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
            || ' ' || coalesce(CAST(extract(epoch FROM stats_reset) AS TEXT), '') END
        FROM pg_stat_bgwriter
        """
    ) ?? ""
  }

  func forgoDurability(_ db: any SQLConnection) throws { try db.execute(sql: "SET LOCAL synchronous_commit = off") }

  func hasTable(_ name: String, _ db: any SQLConnection) throws -> Bool {
    try db.value(Bool.self, sql: "SELECT to_regclass(?) IS NOT NULL", arguments: [name]) == true
  }

  func lastNumber(of table: String, _ column: String, _ db: any SQLConnection) throws -> Int64? {
    try db.value(
      Int64.self,
      sql: "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass))",
      arguments: [table, column]
    )
  }

  func setLastNumber(_ number: Int64, of table: String, _ column: String, _ db: any SQLConnection) throws {
    // A sequence begins with 1; what is below was not given by it.
    guard number >= 1 else { return }
    _ = try db.rows(
      sql: "SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?)",
      arguments: [table, column, number]
    )
  }
}
