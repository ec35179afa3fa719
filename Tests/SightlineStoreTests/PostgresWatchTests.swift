import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineStore

/// Several servers in one address: which of them is used when one hangs, or was replaced.
@Suite(.enabled(if: Backend.all.contains(.postgres))) struct PostgresWatchTests {
  private func open(_ location: String) async throws -> PostgresDatabase {
    var settings = PostgresSettings.patient
    settings.silence = 0.5
    return try await PostgresDatabase.open(PostgresLocation(location), settings: settings)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a server that hangs is left for another one that can write, and nobody goes back`() async throws {
    let (first, second) = (try TestPostgres(), try TestPostgres())
    let (name, address) = try Self.database(on: first, and: second)
    let database = try await open(address)
    let listener = try #require(database.listen {})
    defer { listener.stop() }
    // One connection of the readers and the writers'.
    func ports() async throws -> Set<String> {
      let port: @Sendable (any SQLConnection) throws -> String = { db in
        try db.value(String.self, sql: "SELECT CAST(inet_server_port() AS TEXT)") ?? ""
      }
      return [try await database.read(port), try await database.write(port)]
    }
    #expect(try await ports() == ["\(first.port)"])
    try await waitUntil("it listens") { listener.isLive }
    let processes = try first.standStill()
    defer { first.goOn(processes) }
    let start = ContinuousClock.now
    #expect(try await ports() == ["\(second.port)"])
    // The silence, two seconds for the one that hangs to let the watch in, and a slow machine.
    #expect(.now - start < .seconds(30))
    try await waitUntil("it listens again") { listener.reconnections > 0 && listener.isLive }
    // The first in the address can write again; who took over stays, for new connections too.
    first.goOn(processes)
    try second.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sightline'",
      in: name
    )
    #expect(try await ports() == ["\(second.port)"])
    try database.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `of two that can write the later one is used, and a commit that nobody confirms is let go`() async throws {
    let (first, second) = (try TestPostgres(), try TestPostgres())
    let (name, address) = try Self.database(on: first, and: second)
    for server in [first, second] { try server.run("CREATE TABLE mark (id INTEGER)", in: name) }
    try second.beginTimeline()
    let database = try await open(address)
    // Nobody follows a server that was replaced.
    try first.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", in: "postgres")
    try first.run("SELECT pg_reload_conf()", in: "postgres")
    let runs = Log()
    let insert: @Sendable (any SQLConnection) throws -> Void = { db in
      runs.add(1)
      try db.execute(sql: "INSERT INTO mark (id) VALUES (?)", arguments: [1])
    }
    await #expect(throws: PostgresError.outcomeUnknown("\(try PostgresLocation(address))")) {
      try await database.write(insert)
    }
    #expect(runs.numbers.count == 1)
    try await database.write(insert)
    #expect(try second.run("SELECT count(*) FROM mark", in: name) == "1")
    try database.close()
  }

  // MARK: One server

  @Test(.timeLimit(.minutes(5)))
  func `a server that says nothing is not waited for, and is used again once it speaks`() async throws {
    let server = try TestPostgres()
    var settings = PostgresSettings.patient
    (settings.silence, settings.connectTimeout, settings.connections) = (0.5, 2, 2)
    let location = try PostgresLocation(server.address(try server.makeDatabase()))
    let database = try await PostgresDatabase.open(location, settings: settings)
    let number: @Sendable (any SQLConnection) throws -> Int? = { db in try db.value(Int.self, sql: "SELECT 7") }
    #expect(try await database.read(number) == 7)
    let processes = try server.standStill()
    defer { server.goOn(processes) }
    let start = ContinuousClock.now
    // At once, on lines that were well, and afterwards, on new ones.
    for _ in 0..<2 {
      let errors = await withTaskGroup(of: (any Error)?.self) { group in
        for isWrite in [false, true] {
          group.addTask {
            do {
              _ = try await isWrite ? database.write(number) : database.read(number)
              return nil
            } catch { return error }
          }
        }
        return await group.reduce(into: [(any Error)?]()) { $0.append($1) }
      }
      #expect(errors.count == 2 && errors.allSatisfy { $0.map(StoreBusy.isCause) ?? false }, "\(errors)")
    }
    // The silence, a ping of two seconds and two vain connections; and a slow machine.
    #expect(.now - start < .seconds(40))
    server.goOn(processes)
    #expect(try await database.read(number) == 7)
    #expect(try await database.write(number) == 7)
    try database.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a slow statement is waited for where the server lets others in`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location)
    let failures = database.counters.failures
    let value = try await database.read { db in
      try db.value(Int.self, sql: "SELECT 7 FROM (SELECT pg_sleep(4)) AS slow")
    }
    #expect(value == 7 && database.counters.failures == failures)
    try database.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a line that stays silent beyond a statement's longest time is let go`() async throws {
    let server = try TestPostgres()
    var settings = PostgresSettings.patient
    (settings.silence, settings.statementTimeout, settings.connections) = (0.5, 1000, 2)
    let database = try await PostgresDatabase.open(
      PostgresLocation(server.address(try server.makeDatabase())),
      settings: settings
    )
    let process: @Sendable (any SQLConnection) throws -> Int = { db in
      try db.value(Int.self, sql: "SELECT pg_backend_pid()") ?? 0
    }
    let first = try await database.read(process)
    server.stop(Int32(clamping: first))
    defer { server.goOn([Int32(clamping: first)]) }
    // The call is repeated on a new line; the server itself answers all the while.
    #expect(try await database.read(process) != first)
    try database.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a line that hears nothing any more is replaced while all others go on`() async throws {
    let server = try TestPostgres()
    let name = try server.makeDatabase()
    var settings = PostgresSettings.patient
    (settings.probePause, settings.probePatience) = (0.2, 1)
    let database = try await PostgresDatabase.open(PostgresLocation(server.address(name)), settings: settings)
    let heard = Log()
    let listener = try #require(database.listen { heard.add(1) })
    defer { listener.stop() }
    try await waitUntil("it listens") { listener.isLive }
    let listening = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'NOTIFY sightline_probe%'"
    let process = try #require(Int32(try server.run(listening, in: name)))
    server.stop(process)
    defer { server.goOn([process]) }
    try await waitUntil("it is replaced") { listener.reconnections == 1 && listener.isLive }
    let before = heard.numbers.count
    _ = try await database.write { db in try Generation.next(db) }
    try await waitUntil("it hears") { heard.numbers.count > before }
    try database.close()
  }

  /// A database of one name on both, and the address of both.
  private static func database(
    on first: TestPostgres,
    and second: TestPostgres
  ) throws -> (name: String, address: String) {
    let name = try first.makeDatabase()
    try second.run("CREATE DATABASE \(name) TEMPLATE template0", in: "postgres")
    let host = "@127.0.0.1:\(first.port)"
    return (name, first.address(name).replacing(host, with: host + ",127.0.0.1:\(second.port)"))
  }
}
