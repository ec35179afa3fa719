import GRDB

extension Migrations {
  /// Which document refers to which file, when worlds were removed, and how much room authors' worlds take.
  ///
  /// Triggers write down which documents have changed, whoever changes them; what a changed document refers to is looked
  /// up before anything is decided by it (``DocumentIndex``). Documents that are here already are written
  /// down as changed, so that an old database is read once.
  static func registerRetention(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("retention: references to files, times of removal, room of worlds") { db in
      try db.execute(
        sql: """
          -- Documents whose references are not up to date.
          CREATE TABLE document_change (
            kind INTEGER NOT NULL,
            key NOT NULL,
            PRIMARY KEY (kind, key)
          ) WITHOUT ROWID;

          -- The first 16 bytes of a file's hash: who made two that agree in them would keep one file more.
          CREATE TABLE asset_reference (
            hash BLOB NOT NULL CHECK (length(hash) = 16),
            kind INTEGER NOT NULL,
            key NOT NULL,
            PRIMARY KEY (hash, kind, key)
          ) WITHOUT ROWID;
          CREATE INDEX asset_reference_document ON asset_reference (kind, key);

          -- When a file that was here already was sent again: it is young again, as its sender thinks it is.
          CREATE TABLE asset_touch (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX asset_saved ON asset (saved_milliseconds);
          CREATE INDEX account_asset_hash ON account_asset (hash);

          ALTER TABLE world ADD COLUMN removed_milliseconds INTEGER;
          ALTER TABLE studio_world ADD COLUMN removed_milliseconds INTEGER;
          ALTER TABLE studio_world ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
          -- When they were removed nobody wrote down: their days begin now.
          UPDATE world SET removed_milliseconds = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE removed = 1;
          UPDATE studio_world SET removed_milliseconds = CAST(strftime('%s', 'now') AS INTEGER) * 1000
            WHERE removed = 1;
          UPDATE studio_world SET bytes =
            (SELECT coalesce(sum(length(dimension)), 0) FROM studio_draft d WHERE d.world = studio_world.id)
            + (SELECT coalesce(sum(length(dimension)), 0) FROM studio_copy c WHERE c.world = studio_world.id)
            + (SELECT coalesce(sum(length(dimension)), 0) FROM world_version v WHERE v.world = studio_world.id);
          """
      )
      // No "OR IGNORE" in a trigger: the statement that fires it decides about conflicts, and one with a clause of its own
      // for them would fail.
      for kind in DocumentKind.allCases {
        let (table, key, number) = (kind.table, kind.key, kind.rawValue)
        try db.execute(
          sql: """
            INSERT INTO document_change (kind, key) SELECT \(number), \(key) FROM \(table);

            CREATE TRIGGER \(table)_reference_added AFTER INSERT ON \(table) BEGIN
              INSERT INTO document_change (kind, key) SELECT \(number), NEW.\(key)
                WHERE NOT EXISTS (SELECT 1 FROM document_change WHERE kind = \(number) AND key = NEW.\(key));
            END;
            CREATE TRIGGER \(table)_reference_changed AFTER UPDATE OF \(kind.content) ON \(table) BEGIN
              INSERT INTO document_change (kind, key) SELECT \(number), NEW.\(key)
                WHERE NOT EXISTS (SELECT 1 FROM document_change WHERE kind = \(number) AND key = NEW.\(key));
            END;
            CREATE TRIGGER \(table)_reference_removed AFTER DELETE ON \(table) BEGIN
              DELETE FROM document_change WHERE kind = \(number) AND key = OLD.\(key);
              DELETE FROM asset_reference WHERE kind = \(number) AND key = OLD.\(key);
            END;
            """
        )
      }
      for kind in [DocumentKind.version, .draft, .copy] {
        try db.execute(
          sql: """
            CREATE TRIGGER \(kind.table)_room_taken AFTER INSERT ON \(kind.table) BEGIN
              UPDATE studio_world SET bytes = bytes + length(NEW.dimension) WHERE id = NEW.world;
            END;
            CREATE TRIGGER \(kind.table)_room_given AFTER DELETE ON \(kind.table) BEGIN
              UPDATE studio_world SET bytes = bytes - length(OLD.dimension) WHERE id = OLD.world;
            END;
            """
        )
      }
      // A world that is taken over into the studio brings what was published of it before.
      try db.execute(
        sql: """
          CREATE TRIGGER studio_world_room AFTER INSERT ON studio_world BEGIN
            UPDATE studio_world SET bytes =
              (SELECT coalesce(sum(length(dimension)), 0) FROM world_version v WHERE v.world = NEW.id)
            WHERE id = NEW.id;
          END;
          """
      )
    }
  }
}
