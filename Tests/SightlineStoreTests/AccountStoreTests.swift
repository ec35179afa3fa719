import Foundation
import Testing

@testable import SightlineStore

@Suite struct AccountStoreTests {
  private let time = Date(timeIntervalSince1970: 1_800_000_000)

  // MARK: The security log

  @Test(arguments: Backend.all) func `the log is bounded, and attempts that failed push out nothing but one another`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    func add(_ kind: SecurityEvent.Kind, _ detail: String, at time: Date) async throws {
      try await stores.securityLog.addSecurityEvent(
        SecurityEvent(time: time, kind: kind, account: 7, actor: nil, origin: .commandLine, detail: detail)
      )
    }
    try await add(.roleChanged, "operator", at: time)
    // As many as are kept, in one statement; then some in the ordinary way.
    try await store.execute(
      """
      INSERT INTO security_event (milliseconds, kind, failure, device, network, detail)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT 1, 'sign-in-failed', 1, '', '', CAST(i AS TEXT) FROM n
      """,
      [SecurityEvent.most.failures]
    )
    for number in 1...3 { try await add(.codeFailed, "late \(number)", at: time.addingTimeInterval(Double(number))) }
    func count(_ condition: String) async throws -> Int? {
      try await store.number("SELECT count(*) FROM security_event WHERE \(condition)")
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
  }

  @Test func `waits after wrong codes grow and end`() {
    #expect((0...4).allSatisfy { CodeAttempts.wait(after: $0) == 0 })
    #expect([5, 6, 7, 8, 9, 10].map(CodeAttempts.wait) == [30, 60, 120, 240, 480, 900])
    #expect(CodeAttempts.wait(after: .max) == CodeAttempts.longestWait)
  }

  @Test(arguments: Backend.all) func `a world that comes again under a deleted one's name is a new one`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
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
  }
}
