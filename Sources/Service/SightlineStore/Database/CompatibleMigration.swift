import GRDB

/// Migrations that leave older programs in.
///
/// While servers are upgraded one after the other, the older ones go on with a database that the first new one has changed, and
/// are started again. A migration that only adds what they need not know (a table, a column with a default, an index) says
/// so: it names an earlier migration, and every program that knows that one may use the database. One that says nothing shuts
/// older programs out.
///
/// SQLite keeps it in a table beside GRDB's, PostgreSQL in a column of its own (``PostgresMigrations``).
enum CompatibleMigration {
  static let table = "compatible_migration"

  /// Writes down, inside the migration, which programs may use the database afterwards.
  fileprivate static func note(_ name: String, since: String, _ db: Database) throws {
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS \(table) (identifier TEXT PRIMARY KEY, since TEXT NOT NULL) WITHOUT ROWID"
    )
    try db.execute(sql: "INSERT INTO \(table) (identifier, since) VALUES (?, ?)", arguments: [name, since])
  }

  /// Whether a newer program has changed a file.
  ///
  /// - Parameters:
  ///   - db: A connection to it.
  ///   - migrator: What this program knows.
  ///   - path: The file, for the error.
  /// - Returns: Whether there are migrations in it that this program does not know, and that leave it in.
  /// - Throws: ``StoreError/newerDatabase(_:)`` when it was changed so that this program must not use it.
  static func isNewer(_ db: Database, than migrator: DatabaseMigrator, _ path: String) throws -> Bool {
    let known = Set(migrator.migrations)
    let unknown = try migrator.appliedIdentifiers(db).subtracting(known)
    guard !unknown.isEmpty else { return false }
    guard try db.tableExists(table), try known.isSubset(of: migrator.appliedIdentifiers(db)) else {
      throw StoreError.newerDatabase(path)
    }
    let rows = try Row.fetchAll(db, sql: "SELECT identifier, since FROM \(table)")
    let allowed = rows.compactMap { row -> String? in
      // Values of another type, as somebody else may have written them, allow nothing.
      let texts = [String?](row.databaseValues.map { String.fromDatabaseValue($0) })
      guard texts.count == 2, let identifier = texts[0], let since = texts[1], known.contains(since) else { return nil }
      return identifier
    }
    guard unknown.isSubset(of: allowed) else { throw StoreError.newerDatabase(path) }
    return true
  }
}

extension DatabaseMigrator {
  /// Registers a migration after which programs that know an earlier one may go on.
  mutating func registerMigration(
    _ name: String,
    compatibleSince earlier: String,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(name) { db in
      try migrate(db)
      try CompatibleMigration.note(name, since: earlier, db)
    }
  }
}
