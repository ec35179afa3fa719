import GRDB

extension Migrations {
  /// Files whose bytes lie outside the database.
  static func registerAssetPlaces(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("files outside the database") { db in
      try db.execute(
        sql: """
          -- Its name there, and how many bytes it has; here it has none then.
          ALTER TABLE asset ADD COLUMN outside TEXT;
          ALTER TABLE asset ADD COLUMN outside_bytes INTEGER;
          CREATE INDEX asset_outside ON asset (outside) WHERE outside IS NOT NULL;

          -- Names of bytes that no row has yet, or not any more.
          CREATE TABLE asset_leftover (
            name TEXT PRIMARY KEY,
            milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;
          """
      )
    }
  }
}
