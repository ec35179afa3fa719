import GRDB

extension Migrations {
  static func registerAccounts(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("accounts, sessions, one-time links, authors' files") { db in
      try db.execute(
        sql: """
          CREATE TABLE account (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('author', 'operator')),
            active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
            password TEXT NOT NULL,
            created_milliseconds INTEGER NOT NULL,
            signed_in_milliseconds INTEGER
          );

          CREATE TABLE account_session (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
            previous_token BLOB UNIQUE,
            csrf TEXT NOT NULL,
            created_milliseconds INTEGER NOT NULL,
            used_milliseconds INTEGER NOT NULL,
            rotated_milliseconds INTEGER NOT NULL
          );
          CREATE INDEX account_session_account ON account_session (account);

          CREATE TABLE invitation (
            token BLOB PRIMARY KEY CHECK (length(token) = 32),
            role TEXT NOT NULL CHECK (role IN ('author', 'operator')),
            account INTEGER REFERENCES account (id) ON DELETE CASCADE,
            expires_milliseconds INTEGER NOT NULL
          ) WITHOUT ROWID;

          CREATE TABLE account_asset (
            account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            hash BLOB NOT NULL REFERENCES asset (hash),
            bytes INTEGER NOT NULL CHECK (bytes >= 0),
            PRIMARY KEY (account, hash)
          ) WITHOUT ROWID;
          """
      )
    }
  }
}
