import Foundation
import GRDB
import Testing

@testable import SightlineStore

@Suite struct AccountStoreTests {
  private let time = Date(timeIntervalSince1970: 1_800_000_000)

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

  // MARK: The security log

  @Test func `the log is bounded, and attempts that failed push out nothing but one another`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    func add(_ kind: SecurityEvent.Kind, _ detail: String, at time: Date) async throws {
      try await stores.securityLog.addSecurityEvent(
        SecurityEvent(time: time, kind: kind, account: 7, actor: nil, origin: .commandLine, detail: detail)
      )
    }
    try await add(.roleChanged, "operator", at: time)
    // As many as are kept, in one statement; then some in the ordinary way.
    try await database.pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO security_event (milliseconds, kind, failure, device, network, detail)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          SELECT 1, 'sign-in-failed', 1, '', '', i FROM n
          """,
        arguments: [SecurityEvent.most.failures]
      )
    }
    for number in 1...3 { try await add(.codeFailed, "late \(number)", at: time.addingTimeInterval(Double(number))) }
    func count(_ condition: String) async throws -> Int? {
      try await database.pool.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM security_event WHERE \(condition)")
      }
    }
    #expect(try await count("failure = 1") == SecurityEvent.most.failures)
    #expect(try await count("detail IN ('1', '2', '3')") == 0)
    #expect(try await count("failure = 0") == 1)
    let page = try await stores.securityLog.securityEvents(of: 7, before: nil, limit: 3)
    #expect(page.events.map(\.detail) == ["late 3", "late 2", "late 1"])
    let rest = try await stores.securityLog.securityEvents(of: 7, before: page.next, limit: 3)
    #expect(rest.events.map(\.kind) == [.roleChanged] && rest.next == nil)
    #expect(
      try await stores.securityLog.removeOldSecurityEvents(before: time.addingTimeInterval(2)) == SecurityEvent.most
        .failures - 1
    )
    #expect(
      try await stores.securityLog.securityEvents(of: nil, before: nil, limit: 10).events.map(\.detail) == [
        "late 3", "late 2",
      ]
    )
    try database.close()
  }

  @Test func `waits after wrong codes grow and end`() {
    #expect((0...4).allSatisfy { CodeAttempts.wait(after: $0) == 0 })
    #expect([5, 6, 7, 8, 9, 10].map(CodeAttempts.wait) == [30, 60, 120, 240, 480, 900])
    #expect(CodeAttempts.wait(after: .max) == CodeAttempts.longestWait)
  }

  @Test func `a world that comes again under a deleted one's name is a new one`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    let chief = try #require(try await stores.accounts.addAccount(name: "chief", role: .operator, password: "x"))
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "x"))
    let content = StudioContent(json: Data("{}".utf8), title: "Ulm", places: 0)
    _ = try await stores.studio.addStudioWorld("ulm", owner: olga.id, content: content, adopting: false)
    _ = try await stores.worlds.save(
      WorldStoreConformance.draft("ulm", [WorldStoreConformance.place("Minster", 48.3984, 9.9916)])
    )
    let before = try await stores.worlds.generation()
    #expect(try await stores.accounts.deleteAccount(olga.id, transferringTo: nil) != .unknown)
    #expect(try await stores.worlds.generation() > before)
    #expect(try await stores.worlds.worlds().isEmpty)
    #expect(try await stores.studio.addStudioWorld("ulm", owner: chief.id, content: content, adopting: false) != nil)
    let saved = try await stores.worlds.save(WorldStoreConformance.draft("ulm", [])).record
    #expect(saved.places == 0)
    #expect(try await stores.worlds.worlds() == [saved])
    try database.close()
  }
}
