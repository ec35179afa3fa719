import GRDB

extension Migrations {
  /// What accounts need to be watched over: where sessions come from, who made links, second factors, a security log.
  static func registerAccountSecurity(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("accounts: sessions' origins, makers of links, second factors, security log") { db in
      try db.execute(
        sql: """
          ALTER TABLE account_session ADD COLUMN device TEXT NOT NULL DEFAULT '';
          ALTER TABLE account_session ADD COLUMN network TEXT NOT NULL DEFAULT '';

          -- Who made a link that is there already is not known, so it could not end with its maker's rights: it ends now.
          DROP TABLE invitation;
          CREATE TABLE one_time_link (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
            role TEXT NOT NULL CHECK (role IN ('author', 'operator')),
            account INTEGER REFERENCES account (id) ON DELETE CASCADE,
            creator INTEGER REFERENCES account (id) ON DELETE CASCADE,
            made_milliseconds INTEGER NOT NULL,
            expires_milliseconds INTEGER NOT NULL
          );
          CREATE INDEX one_time_link_account ON one_time_link (account);
          CREATE INDEX one_time_link_creator ON one_time_link (creator);

          CREATE TABLE second_factor (
            account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            secret BLOB NOT NULL,
            begun_milliseconds INTEGER NOT NULL,
            confirmed_milliseconds INTEGER,
            last_step INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            blocked_milliseconds INTEGER NOT NULL DEFAULT 0
          );
          CREATE TABLE recovery_code (
            account INTEGER NOT NULL REFERENCES second_factor (account) ON DELETE CASCADE,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            PRIMARY KEY (account, digest)
          ) WITHOUT ROWID;

          -- Lines name accounts by number and without a reference: they outlive the account.
          CREATE TABLE security_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            milliseconds INTEGER NOT NULL,
            kind TEXT NOT NULL,
            failure INTEGER NOT NULL CHECK (failure IN (0, 1)),
            account INTEGER,
            actor INTEGER,
            device TEXT NOT NULL,
            network TEXT NOT NULL,
            detail TEXT NOT NULL
          );
          CREATE INDEX security_event_account ON security_event (account, id);
          CREATE INDEX security_event_actor ON security_event (actor, id);
          CREATE INDEX security_event_failure ON security_event (failure, id);
          CREATE INDEX security_event_time ON security_event (milliseconds);

          -- What accounts own is looked for when one is deleted.
          CREATE INDEX studio_draft_author ON studio_draft (author);
          CREATE INDEX studio_copy_author ON studio_copy (author);
          """
      )
    }
  }
}
