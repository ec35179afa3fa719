import GRDB

extension Migrations {
  /// What processes that serve one database tell each other.
  static func registerSharing(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("sharing: outbox, leases, positions of teams, failures of signing in") { db in
      try db.execute(
        sql: """
          CREATE TABLE change (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            origin INTEGER NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            item INTEGER,
            milliseconds INTEGER NOT NULL
          );
          CREATE TABLE lease (
            name TEXT PRIMARY KEY,
            holder INTEGER NOT NULL,
            until_milliseconds INTEGER NOT NULL,
            due_milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE TABLE tour_position (
            run TEXT NOT NULL,
            team INTEGER NOT NULL,
            change INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            virtual INTEGER NOT NULL CHECK (virtual IN (0, 1)),
            outside INTEGER NOT NULL CHECK (outside IN (0, 1)),
            PRIMARY KEY (run, team),
            FOREIGN KEY (run, team) REFERENCES tour_team (run, number) ON DELETE CASCADE
          ) WITHOUT ROWID;
          CREATE INDEX tour_position_change ON tour_position (change);
          CREATE TABLE sign_in_failure (
            key BLOB PRIMARY KEY CHECK (length(key) = 32),
            failures INTEGER NOT NULL,
            last_milliseconds INTEGER NOT NULL,
            blocked_milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX sign_in_failure_last ON sign_in_failure (last_milliseconds);
          CREATE TABLE sign_in_network (
            key BLOB PRIMARY KEY CHECK (length(key) = 32),
            milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX sign_in_network_time ON sign_in_network (milliseconds);
          CREATE TRIGGER tour_run_removed_change AFTER DELETE ON tour_run BEGIN
            INSERT INTO change (origin, kind, key, milliseconds) VALUES (
              0, 'removedRun', OLD.id, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
            );
          END;
          """
      )
    }
  }
}
