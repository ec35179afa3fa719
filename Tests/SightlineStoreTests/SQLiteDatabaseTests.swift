import Foundation
import GRDB
import SightlineContent
import Synchronization
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

  @Test(arguments: WorldStoreConformance.checks.map(\.name))
  func `the SQLite stores pass the conformance suite`(name: String) async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    let check = try #require(WorldStoreConformance.checks.first { $0.name == name })
    try await check.run(stores)
    try database.close()
  }

  @Test func `content is there after closing and opening`() async throws {
    let folder = try TemporaryFolder()
    let draft = WorldStoreConformance.draft("ulm", [WorldStoreConformance.place("Minster", 48.3984, 9.9916)])
    let first = try SQLiteDatabase(path: folder.database)
    let record = try await Stores(first).worlds.save(draft).record
    try first.close()
    let second = Stores(try SQLiteDatabase(path: folder.database))
    #expect(try await second.worlds.worlds() == [record])
    #expect(try await second.worlds.save(draft) == .unchanged(record))
  }

  @Test func `two processes' stores see each other's changes at once`() async throws {
    let folder = try TemporaryFolder()
    let one = Stores(try SQLiteDatabase(path: folder.database))
    let other = Stores(try SQLiteDatabase(path: folder.database))
    let record = try await one.worlds.save(WorldStoreConformance.draft("ulm", [])).record
    #expect(try await other.worlds.worlds() == [record])
    _ = try await other.worlds.save(WorldStoreConformance.draft("neu-ulm", []))
    #expect(try await one.worlds.generation() == 2)
    #expect(try await one.worlds.worlds().map(\.id) == ["neu-ulm", "ulm"])
  }

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

  @Test func `nothing that was confirmed is lost on kill -9`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    var generator = SystemRandomNumberGenerator()
    for _ in 1...4 {
      let lifetime = Double.random(in: 0.05...0.4, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, lifetime = lifetime as Double] in
        try await KilledWriter.run(folder: path, lifetime: lifetime)
      }
      let confirmed = KilledWriter.confirmed(folder: path)
      let database = try SQLiteDatabase(path: folder.database)
      let stores = Stores(database)
      let versions = try await stores.worlds.versions(of: "ulm").map(\.version)
      let missing = Set(confirmed).subtracting(versions)
      #expect(missing.isEmpty, "confirmed \(confirmed.count), missing \(missing.sorted())")
      // Versions that were written but not yet confirmed may be there; there is one writer, so one at a kill.
      #expect(versions.count <= confirmed.count + 4)
      for version in versions.prefix(3) {
        let places = try await stores.worlds.world("ulm", version: version)?.dimension().places
        #expect(places?.count == version % 50)
      }
      try database.close()
    }
    #expect(!KilledWriter.confirmed(folder: path).isEmpty)
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

/// A process that writes as fast as it can and is killed in the midst of it.
enum KilledWriter {
  static func run(folder: String, lifetime: Double) async throws {
    let stores = Stores(try SQLiteDatabase(path: folder + "/test.sqlite"))
    let journal = open(folder + "/confirmed", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let hasBegun = Atomic(false)
    Thread.detachNewThread {
      // At least one write, however slow the machine is just now.
      while !hasBegun.load(ordering: .acquiring) { usleep(1000) }
      usleep(useconds_t(lifetime * 1_000_000))
      kill(getpid(), SIGKILL)
    }
    var version = try await stores.worlds.versions(of: "ulm").first?.version ?? 0
    while true {
      version += 1
      let places = (0..<(version % 50)).map { WorldStoreConformance.place("\(version) \($0)", 1, 2) }
      let saved = try await stores.worlds.save(WorldStoreConformance.draft("ulm", places, name: "Version \(version)"))
        .record
      // The confirmation goes out only after the call has returned, as an answer to a client would.
      let line = Array("\(saved.version)\n".utf8)
      _ = write(journal, line, line.count)
      hasBegun.store(true, ordering: .releasing)
    }
  }

  static func confirmed(folder: String) -> [Int] {
    let text = (try? String(contentsOfFile: folder + "/confirmed", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int($0) }
  }
}
