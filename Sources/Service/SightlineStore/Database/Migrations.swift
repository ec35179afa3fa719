import GRDB

/// The database's history: each step has a number, runs once, in a transaction, and is never changed after a release.
enum Migrations {
  static var all: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("0001 worlds, versions, places, assets") { db in
      // One row; a number for every change of the store, so that caches know what they have.
      try db.execute(
        sql: """
          CREATE TABLE generation (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value INTEGER NOT NULL
          );
          INSERT INTO generation (id, value) VALUES (1, 0);

          CREATE TABLE world (
            id TEXT PRIMARY KEY,
            version INTEGER NOT NULL CHECK (version >= 1),
            generation INTEGER NOT NULL,
            removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1))
          ) WITHOUT ROWID;

          CREATE TABLE world_version (
            world TEXT NOT NULL REFERENCES world (id),
            version INTEGER NOT NULL CHECK (version >= 1),
            generation INTEGER NOT NULL UNIQUE,
            title TEXT NOT NULL,
            summary TEXT,
            places INTEGER NOT NULL CHECK (places >= 0),
            overlays INTEGER NOT NULL CHECK (overlays >= 0),
            format TEXT NOT NULL,
            source TEXT,
            saved_milliseconds INTEGER NOT NULL,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
            dimension BLOB NOT NULL,
            problems BLOB NOT NULL,
            PRIMARY KEY (world, version)
          );

          CREATE TABLE place (
            world TEXT NOT NULL REFERENCES world (id),
            position INTEGER NOT NULL,
            id TEXT,
            title TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            altitude REAL,
            PRIMARY KEY (world, position)
          ) WITHOUT ROWID;

          CREATE TABLE asset (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            media_type TEXT NOT NULL,
            saved_milliseconds INTEGER NOT NULL,
            bytes BLOB NOT NULL
          );
          """
      )
    }
    registerAccounts(&migrator)
    registerStudio(&migrator)
    registerPosters(&migrator)
    registerTours(&migrator)
    registerPosterOwners(&migrator)
    registerTourTallies(&migrator)
    registerRetention(&migrator)
    registerAccountSecurity(&migrator)
    registerSharing(&migrator)
    registerAssetPlaces(&migrator)
    registerTransit(&migrator)
    return migrator
  }
}
