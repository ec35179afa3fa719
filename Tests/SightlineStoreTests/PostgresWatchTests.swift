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
