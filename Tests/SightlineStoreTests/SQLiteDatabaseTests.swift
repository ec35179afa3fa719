import Foundation
import GRDB
import SightlineContent
import Testing

@testable import SightlineStore

/// A folder of its own for a test, removed afterwards.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "sightline-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var database: String { path + "/test.sqlite" }
}

@Suite struct SQLiteDatabaseTests {
  private let time = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a commit waits for the disk, and the journal is a write-ahead log`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let settings = try await database.pool.write { db in
      (
        synchronous: try Int.fetchOne(db, sql: "PRAGMA synchronous"),
        journal: try String.fetchOne(db, sql: "PRAGMA journal_mode"),
        foreignKeys: try Int.fetchOne(db, sql: "PRAGMA foreign_keys"),
        busy: try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
      )
    }
    #expect(settings.synchronous == 2)
    #expect(settings.journal == "wal")
    #expect(settings.foreignKeys == 1)
    #expect(settings.busy == 5000)
  }

  @Test func `a database of a newer program is refused and left as it is`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    try await database.pool.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 from the future')")
    }
    try database.close()
    #expect(throws: StoreError.newerDatabase(folder.database)) { try SQLiteDatabase(path: folder.database) }
  }

  @Test func `a program from before a migration that leaves it in opens the file and writes`() async throws {
    let folder = try TemporaryFolder()
    let last = try #require(Migrations.all.migrations.last)
    var migrations = Migrations.all
    migrations.registerMigration("colours", compatibleSince: last) { db in
      try db.execute(sql: "ALTER TABLE account ADD COLUMN colour TEXT; CREATE TABLE colours (id INTEGER)")
    }
    let new = try SQLiteDatabase(path: folder.database, mayBeUnfinished: false, migrations: migrations)
    #expect(!new.hasNewerForm)
    let old = try SQLiteDatabase(path: folder.database)
    #expect(old.hasNewerForm)
    _ = try await old.stores.accounts.addAccount(name: "olga", role: .author, password: "-")
    #expect(try await new.stores.accounts.accounts().map(\.name) == ["olga"])
    #expect(try SQLiteDatabase.pendingMigrations(path: folder.database).isEmpty)
    // What copies all tables has to know all of them.
    await #expect(throws: StoreError.newerDatabase(folder.database)) {
      try await DatabaseCheck(.file(folder.database)).run()
    }
    try old.close()
    try new.close()
    // Two on, of which the second one needs the first to be known.
    migrations.registerMigration("colours of colours", compatibleSince: "colours") { _ in }
    try SQLiteDatabase(path: folder.database, mayBeUnfinished: false, migrations: migrations).close()
    #expect(throws: StoreError.newerDatabase(folder.database)) { try SQLiteDatabase(path: folder.database) }
  }

  @Test func `a program that knows one branch of two is refused`() throws {
    let folder = try TemporaryFolder()
    let last = try #require(Migrations.all.migrations.last)
    var migrations = Migrations.all
    migrations.registerMigration("colours", compatibleSince: last) { _ in }
    try SQLiteDatabase(path: folder.database, mayBeUnfinished: false, migrations: migrations).close()
    var others = Migrations.all
    others.registerMigration("sounds", compatibleSince: last) { _ in }
    #expect(throws: StoreError.newerDatabase(folder.database)) {
      try SQLiteDatabase(path: folder.database, mayBeUnfinished: false, migrations: others)
    }
  }

  @Test func `a full disk is told from other faults, leaves nothing half done, and passes`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    try await database.pool.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE load (bytes BLOB)")
      _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = 1")
    }
    let load: @Sendable (any SQLConnection) throws -> Void = { db in
      for _ in 0..<20 { try db.execute(sql: "INSERT INTO load (bytes) VALUES (zeroblob(100000))") }
    }
    let error = await #expect(throws: DatabaseError.self) { try await database.write(load) }
    #expect(error.map(StoreFull.isCause) == true && error.map(StoreBusy.isCause) == false)
    let rows: @Sendable (any SQLConnection) throws -> Int? = { db in
      try db.value(Int.self, sql: "SELECT count(*) FROM load")
    }
    #expect(try await database.read(rows) == 0)
    try await database.pool.writeWithoutTransaction { db in
      _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = 1000000")
    }
    try await database.write(load)
    #expect(try await database.read(rows) == 20)
  }

  @Test func `a file that is no database is refused`() throws {
    let folder = try TemporaryFolder()
    try Data("This is a letter, not a database, and long enough to have a header of its own ……………………".utf8)
      .write(to: URL(fileURLWithPath: folder.database))
    #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: folder.database) }
  }

  @Test func `a reference to a world that is not there is refused`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    await #expect(throws: DatabaseError.self) {
      try await database.pool.write { db in
        try db.execute(
          sql: "INSERT INTO place (world, position, title, latitude, longitude) VALUES ('none', 0, 'x', 0, 0)"
        )
      }
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  // MARK: Rights of the files

  @Test func `the database and its journal are for their owner alone, from the first moment`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    _ = try await stores.accounts.addAccount(name: "olga", role: .author, password: "x")
    for name in ["", "-wal", "-shm"] { #expect(try mode(folder.database + name) == 0o600, "\(name)") }
    try database.close()
    #expect(try mode(folder.database) == 0o600)
  }

  @Test func `files that others could read are theirs no longer after opening`() async throws {
    let folder = try TemporaryFolder()
    try SQLiteDatabase(path: folder.database).close()
    let first = Stores(try SQLiteDatabase(path: folder.database))
    _ = try await first.accounts.addAccount(name: "olga", role: .author, password: "x")
    for name in ["", "-wal", "-shm"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: folder.database + name)
    }
    // Through a link, too: the file that it leads to counts. The first store stays open and keeps its locks.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.sqlite",
      withDestinationPath: folder.database
    )
    let database = try SQLiteDatabase(path: folder.path + "/link.sqlite")
    let second = Stores(database)
    for name in ["", "-wal", "-shm"] { #expect(try mode(folder.database + name) == 0o600, "\(name)") }
    for number in 0..<50 {
      _ = try await first.accounts.addAccount(name: "first-\(number)", role: .author, password: "x")
      _ = try await second.accounts.addAccount(name: "second-\(number)", role: .author, password: "x")
    }
    #expect(try await first.accounts.accounts().count == 101)
    let sound = try await database.pool.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
    #expect(sound == "ok")
  }

  @Test func `a link to a file that is not there yet makes it for its owner alone`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.sqlite",
      withDestinationPath: folder.database
    )
    try SQLiteDatabase(path: folder.path + "/link.sqlite").close()
    #expect(try mode(folder.database) == 0o600)
  }

  // MARK: Databases of former programs

  @Test func `a database of the program before opens, with its accounts and sessions`() async throws {
    let folder = try TemporaryFolder()
    let old = try DatabaseQueue(path: folder.database)
    try Migrations.all.migrate(old, upTo: "whose posters are, and when they changed")
    try await old.write { db in
      try db.execute(
        sql: """
          INSERT INTO account (id, name, role, password, created_milliseconds) VALUES
            (1, 'chief', 'operator', 'scrypt$15$8$1$00$00', 1000), (2, 'olga', 'author', 'h', 2000);
          INSERT INTO account_session (account, token, csrf, created_milliseconds, used_milliseconds, rotated_milliseconds)
            VALUES (2, zeroblob(32), 'c', 3000, 4000, 5000);
          INSERT INTO invitation (token, role, account, expires_milliseconds) VALUES
            (zeroblob(32), 'operator', NULL, 9000000000000);
          INSERT INTO studio_world (id, owner, version) VALUES ('w', 2, 1);
          INSERT INTO studio_draft (world, version, saved_milliseconds, author, title, places, dimension)
            VALUES ('w', 1, 1, 2, 'W', 0, x'7B7D');
          """
      )
    }
    try old.close()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    #expect(try await stores.accounts.accounts().map(\.name) == ["chief", "olga"])
    #expect(try await stores.accounts.accounts().allSatisfy { !$0.hasSecondFactor })
    let session = try #require(try await stores.sessions.session(token: Data(count: 32), at: time, grace: 60))
    #expect(session.account.name == "olga" && session.csrf == "c" && session.origin == RequestOrigin())
    // Whose they were is not known, so they ended.
    #expect(try await stores.invitations.invitations(at: time).isEmpty)
    #expect(try await stores.invitations.invitation(token: Data(count: 32), at: time) == nil)
    guard case .deleted(let found, _) = try await stores.accounts.deleteAccount(2, transferringTo: nil) else {
      Issue.record("not deleted")
      return
    }
    #expect(found.worlds == [AccountBelongings.Item(id: "w", title: "W")])
    #expect(try await stores.sessions.session(token: Data(count: 32), at: time, grace: 60) == nil)
    #expect(try await stores.accounts.deleteAccount(1, transferringTo: nil) == .lastOperator)
    try database.close()
    try SQLiteDatabase(path: folder.database).close()
  }
}
