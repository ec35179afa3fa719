import Foundation

/// The history of a PostgreSQL database: each step has a number, runs once, in a transaction, and is never changed after a
/// release.
enum PostgresMigrations {
  struct Step: Sendable {
    var number: Int64
    var name: String
    var sql: String
    /// The earliest step that a program has to know to use the database after this one; `nil` where it has to know this one
    /// (``CompatibleMigration``).
    var since: Int64?

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

  /// The form of a database, as a program sees it that knows some steps.
  struct Form {
    /// Steps that it has not been through.
    var pending: [Step]
    /// Whether it has been through others, which leave the program in.
    var isNewer: Bool
  }

  /// The form of a database.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when it has been through steps that the program would have to know.
  static func form(_ session: PostgresSession, _ place: String, _ steps: [Step] = all) throws -> Form {
    let sql = "SELECT to_regclass('sightline_migration') IS NOT NULL"
    let isThere = try PostgresConnection(session: session).value(Bool.self, sql: sql)
    return isThere == true ? try present(session, place, steps) : Form(pending: steps, isNewer: false)
  }

  private static func present(_ session: PostgresSession, _ place: String, _ steps: [Step]) throws -> Form {
    // Programs before there was that column have made none.
    let sql = "SELECT number, CAST(to_jsonb(step) ->> 'since' AS BIGINT) FROM sightline_migration AS step"
    let rows = try PostgresConnection(session: session).rows(sql: sql)
    let done = try rows.map { row in (number: try row.value(0) as Int64, since: try row.value(1) as Int64?) }
    let known = Set(steps.map(\.number))
    let unknown = done.filter { !known.contains($0.number) }
    let pending = steps.filter { step in !done.contains { $0.number == step.number } }
    guard !unknown.isEmpty else { return Form(pending: pending, isNewer: false) }
    guard pending.isEmpty, unknown.allSatisfy({ $0.since.map(known.contains) ?? false }) else {
      throw StoreError.newerDatabase(place)
    }
    return Form(pending: [], isNewer: true)
  }

  /// Brings a database to the present form; one process does it, others wait.
  ///
  /// - Returns: Whether it has a newer form, which leaves this program in.
  static func migrate(_ session: PostgresSession, _ place: String, _ steps: [Step] = all) throws -> Bool {
    // A database in the present form is only read: a program's user need not be allowed to change it.
    while true {
      let form = try form(session, place, steps)
      guard !form.pending.isEmpty else { return form.isNewer }
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
          );
          ALTER TABLE sightline_migration ADD COLUMN IF NOT EXISTS since BIGINT
          """
        )
        // In the transaction, after the lock: another process may have done it meanwhile.
        if let step = try present(session, place, steps).pending.first {
          try session.command(step.sql)
          try PostgresConnection(session: session).execute(
            sql: "INSERT INTO sightline_migration (number, name, since) VALUES (?, ?, ?)",
            arguments: [step.number, step.name, step.since]
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
