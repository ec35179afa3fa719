import Foundation

/// The history of a PostgreSQL database: each step has a number, runs once, in a transaction, and is never changed after a
/// release.
enum PostgresMigrations {
  struct Step: Sendable {
    var number: Int64
    var name: String
    var sql: String

    /// Number and name, for people.
    var title: String { String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number) \(name)" }
  }

  static let all = [
    Step(
      number: 1,
      name: "accounts, worlds, files, posters, tours",
      sql: [PostgresSchema.accounts, PostgresSchema.content, PostgresSchema.tours, PostgresSchema.triggers]
        .joined(separator: "\n")
    ),
    Step(number: 2, name: "outbox, leases, positions of teams, failures of signing in", sql: PostgresSchema.sharing),
    Step(number: 3, name: "files outside the database", sql: PostgresSchema.assetPlaces),
    Step(
      number: 4,
      name: "timetables, subscriptions and use of limits of several servers",
      sql: PostgresSchema.transit
    ),
  ]

  /// The lock that the one who changes the form holds: "Sightlim" as bytes, beside the writers'.
  private static let lock = 0x5369_6768_746C_696D

  /// Steps that a database has not been through.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when it has been through others.
  static func pending(_ session: PostgresSession, _ place: String) throws -> [Step] {
    let sql = "SELECT to_regclass('sightline_migration') IS NOT NULL"
    let isThere = try PostgresConnection(session: session).value(Bool.self, sql: sql)
    return isThere == true ? try remaining(session, place) : all
  }

  private static func remaining(_ session: PostgresSession, _ place: String) throws -> [Step] {
    let sql = "SELECT number FROM sightline_migration"
    let done = Set(try PostgresConnection(session: session).values(Int64.self, sql: sql))
    guard done.isSubset(of: all.map(\.number)) else { throw StoreError.newerDatabase(place) }
    return all.filter { !done.contains($0.number) }
  }

  /// Brings a database to the present form; one process does it, others wait.
  static func migrate(_ session: PostgresSession, _ place: String) throws {
    // A database in the present form is only read: a program's user need not be allowed to change it.
    while try !pending(session, place).isEmpty {
      // Whoever comes second waits for the first, however long that takes; nobody who reads or writes is kept waiting
      // by one that waits for a table.
      try session.command(
        """
        BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(lock));
        SET LOCAL lock_timeout = 5000
        """
      )
      do {
        try session.command(
          """
          CREATE TABLE IF NOT EXISTS sightline_migration (
            number BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            applied TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now()
          )
          """
        )
        // In the transaction, after the lock: another process may have done it meanwhile.
        if let step = try remaining(session, place).first {
          try session.command(step.sql)
          try PostgresConnection(session: session).execute(
            sql: "INSERT INTO sightline_migration (number, name) VALUES (?, ?)",
            arguments: [step.number, step.name]
          )
        }
        try session.command("COMMIT")
      } catch {
        _ = try? session.command("ROLLBACK")
        throw error
      }
    }
  }
}
