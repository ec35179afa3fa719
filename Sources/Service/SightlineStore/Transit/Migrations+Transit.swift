import GRDB

extension Migrations {
  /// Timetables that servers have in common, and what they tell each other about subscriptions and requests.
  static func registerTransit(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("timetables, subscriptions and use of limits of several servers") { db in
      try db.execute(
        sql: """
          CREATE TABLE timetable (
            provider TEXT PRIMARY KEY,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            bytes INTEGER NOT NULL CHECK (bytes > 0),
            previous_hash BLOB CHECK (length(previous_hash) = 32),
            previous_bytes INTEGER,
            saved_milliseconds INTEGER NOT NULL,
            feed_hash BLOB CHECK (length(feed_hash) = 32),
            feed_milliseconds INTEGER,
            note BLOB
          ) WITHOUT ROWID;
          CREATE TABLE timetable_part (
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            number INTEGER NOT NULL CHECK (number >= 0),
            milliseconds INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (hash, number)
          ) WITHOUT ROWID;
          CREATE TABLE transit_subscription (
            name TEXT PRIMARY KEY,
            expires_milliseconds INTEGER NOT NULL,
            document BLOB NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX transit_subscription_expires ON transit_subscription (expires_milliseconds);
          CREATE TABLE realtime_message (
            key BLOB PRIMARY KEY CHECK (length(key) = 32),
            number INTEGER NOT NULL,
            checked_milliseconds INTEGER NOT NULL,
            etag TEXT NOT NULL,
            last_modified TEXT NOT NULL,
            body BLOB NOT NULL
          ) WITHOUT ROWID;
          CREATE TABLE limit_use (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            origin INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            document BLOB NOT NULL
          );
          """
      )
    }
  }
}
