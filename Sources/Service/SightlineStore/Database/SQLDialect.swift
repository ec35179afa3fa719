/// Where the SQL of databases differs.
protocol SQLDialect: Sendable {
  /// A document's key as the tables of changes and references have it.
  func documentKey(_ key: SQLValue) -> SQLValue

  /// How posters are found by their words.
  var posterIndex: any PosterIndex { get }
}

/// SQLite's.
struct SQLiteDialect: SQLDialect {
  /// A column there holds numbers and texts side by side.
  func documentKey(_ key: SQLValue) -> SQLValue { key }

  var posterIndex: any PosterIndex { SQLitePosterIndex() }
}

/// PostgreSQL's.
struct PostgresDialect: SQLDialect {
  /// A column has one type.
  func documentKey(_ key: SQLValue) -> SQLValue {
    if case .integer(let number) = key { .text(String(number)) } else { key }
  }

  var posterIndex: any PosterIndex { PostgresPosterIndex() }
}
