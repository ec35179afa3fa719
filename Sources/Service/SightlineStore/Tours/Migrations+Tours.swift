import GRDB

extension Migrations {
  /// Tours, their runs, and what teams did in them.
  static func registerTours(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("tours, runs, teams, events") { db in
      try db.execute(
        sql: """
          CREATE TABLE tour (
            id TEXT PRIMARY KEY,
            owner INTEGER,
            version INTEGER NOT NULL CHECK (version >= 1),
            title TEXT NOT NULL,
            stations INTEGER NOT NULL,
            created_milliseconds INTEGER NOT NULL,
            saved_milliseconds INTEGER NOT NULL,
            definition BLOB NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX tour_owner ON tour (owner);

          CREATE TABLE tour_run (
            id TEXT PRIMARY KEY,
            tour TEXT NOT NULL REFERENCES tour (id) ON DELETE CASCADE,
            trial INTEGER NOT NULL CHECK (trial IN (0, 1)),
            created_milliseconds INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 1,
            schedule BLOB NOT NULL,
            definition BLOB NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX tour_run_tour ON tour_run (tour);

          CREATE TABLE tour_team (
            run TEXT NOT NULL REFERENCES tour_run (id) ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 1),
            name TEXT NOT NULL,
            color TEXT NOT NULL,
            code TEXT NOT NULL UNIQUE,
            seed INTEGER NOT NULL,
            PRIMARY KEY (run, number)
          ) WITHOUT ROWID;

          CREATE TABLE tour_device (
            token BLOB PRIMARY KEY CHECK (length(token) = 32),
            run TEXT NOT NULL,
            team INTEGER NOT NULL,
            joined_milliseconds INTEGER NOT NULL,
            sequence INTEGER NOT NULL DEFAULT 0,
            FOREIGN KEY (run, team) REFERENCES tour_team (run, number) ON DELETE CASCADE
          ) WITHOUT ROWID;
          CREATE INDEX tour_device_team ON tour_device (run, team);

          CREATE TABLE tour_event (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run TEXT NOT NULL,
            team INTEGER NOT NULL,
            id TEXT NOT NULL,
            station TEXT NOT NULL,
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            received_milliseconds INTEGER NOT NULL,
            made_milliseconds INTEGER NOT NULL,
            latitude REAL,
            longitude REAL,
            accuracy REAL,
            distance REAL,
            place TEXT NOT NULL,
            verdict TEXT NOT NULL,
            refusal TEXT,
            points INTEGER NOT NULL,
            late INTEGER NOT NULL CHECK (late IN (0, 1)),
            marked_milliseconds INTEGER,
            FOREIGN KEY (run, team) REFERENCES tour_team (run, number) ON DELETE CASCADE
          );
          CREATE UNIQUE INDEX tour_event_once ON tour_event (run, id);
          CREATE INDEX tour_event_team ON tour_event (run, team);

          CREATE TABLE tour_log (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run TEXT NOT NULL REFERENCES tour_run (id) ON DELETE CASCADE,
            team INTEGER,
            milliseconds INTEGER NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL
          );
          CREATE INDEX tour_log_run ON tour_log (run, kind);

          CREATE TABLE tour_track (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run TEXT NOT NULL,
            team INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            FOREIGN KEY (run, team) REFERENCES tour_team (run, number) ON DELETE CASCADE
          );
          CREATE INDEX tour_track_team ON tour_track (run, team);
          """
      )
    }
  }
}
