import GRDB

extension Migrations {
  static func registerPosters(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("posters, their categories and words") { db in
      try db.execute(
        sql: """
          CREATE TABLE poster (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            added INTEGER NOT NULL,
            title_key TEXT NOT NULL,
            artist TEXT,
            document BLOB NOT NULL
          );
          CREATE INDEX poster_added ON poster (added DESC, id);
          CREATE INDEX poster_title ON poster (title_key, id);
          CREATE INDEX poster_artist ON poster (artist);

          CREATE TABLE poster_category (
            poster INTEGER NOT NULL REFERENCES poster (number) ON DELETE CASCADE,
            name TEXT NOT NULL,
            PRIMARY KEY (name, poster)
          ) WITHOUT ROWID;
          CREATE INDEX poster_category_poster ON poster_category (poster);

          CREATE VIRTUAL TABLE poster_words USING fts5 (
            title, artist, categories, text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
          );
          """
      )
    }
  }

  static func registerPosterOwners(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("whose posters are, and when they changed") { db in
      try db.execute(
        sql: """
          ALTER TABLE poster ADD COLUMN owner INTEGER REFERENCES account (id) ON DELETE SET NULL;
          ALTER TABLE poster ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX poster_owner ON poster (owner, id);
          """
      )
    }
  }
}
