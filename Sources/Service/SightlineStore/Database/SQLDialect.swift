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
  func history(_ db: any SQLConnection) throws -> String {
    try db.value(
      String.self,
      sql: """
        SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END
        """
    ) ?? ""
  }

  func forgoDurability(_ db: any SQLConnection) throws { try db.execute(sql: "SET LOCAL synchronous_commit = off") }
}
