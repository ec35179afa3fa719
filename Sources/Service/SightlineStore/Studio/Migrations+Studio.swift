import GRDB

extension Migrations {
  static func registerStudio(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("the studio: worlds, drafts, members, copies") { db in
      try db.execute(
        sql: """
          CREATE TABLE studio_world (
            id TEXT PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES account (id),
            version INTEGER NOT NULL CHECK (version >= 1),
            published INTEGER,
            removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1))
          ) WITHOUT ROWID;
          CREATE INDEX studio_world_owner ON studio_world (owner);

          CREATE TABLE studio_draft (
            world TEXT NOT NULL REFERENCES studio_world (id),
            version INTEGER NOT NULL CHECK (version >= 1),
            saved_milliseconds INTEGER NOT NULL,
            author INTEGER NOT NULL REFERENCES account (id),
            title TEXT NOT NULL,
            places INTEGER NOT NULL,
            was_published INTEGER NOT NULL DEFAULT 0 CHECK (was_published IN (0, 1)),
            dimension BLOB NOT NULL,
            PRIMARY KEY (world, version)
          );

          CREATE TABLE studio_member (
            world TEXT NOT NULL REFERENCES studio_world (id),
            account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            PRIMARY KEY (world, account)
          ) WITHOUT ROWID;
          CREATE INDEX studio_member_account ON studio_member (account);

          CREATE TABLE studio_copy (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            world TEXT NOT NULL REFERENCES studio_world (id),
            base INTEGER NOT NULL,
            saved_milliseconds INTEGER NOT NULL,
            author INTEGER NOT NULL REFERENCES account (id),
            places INTEGER NOT NULL,
            dimension BLOB NOT NULL
          );
          CREATE INDEX studio_copy_world ON studio_copy (world);
          """
      )
    }
  }
}
