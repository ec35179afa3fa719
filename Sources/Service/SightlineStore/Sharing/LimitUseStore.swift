public import Foundation

/// What servers tell each other of requests that were counted against limits.
public protocol LimitUseStore: Sendable {
  /// Tells others what was counted here, and reads what they told since a number.
  ///
  /// A crash of the database may lose it: limits begin anew then.
  ///
  /// - Parameters:
  ///   - document: What was counted; `nil` for nothing.
  ///   - number: The last number that was read; `nil` for one who reads for the first time and is given what is younger than
  ///     half a minute.
  /// - Returns: What others told, and the number up to which it was read.
  /// - Throws: What the database throws.
  func exchange(_ document: Data?, after number: Int64?) async throws -> (documents: [Data], through: Int64)
}

/// The same in the database.
struct SQLLimitUseStore: LimitUseStore {
  let database: any SQLDatabase

  /// How long a line is kept, milliseconds: longer than anybody is away who does not begin anew.
  private static let kept: Int64 = 60_000
  /// What one who begins is given, milliseconds.
  private static let young: Int64 = 30_000
  /// Most lines that are read at a time.
  private static let page = 1000

  func exchange(_ document: Data?, after number: Int64?) async throws -> (documents: [Data], through: Int64) {
    guard let document else { return try await database.read { db in try Self.read(after: number, db) } }
    return try await database.write { db in
      try db.dialect.forgoDurability(db)
      let now = db.dialect.milliseconds
      try db.execute(
        sql: "INSERT INTO limit_use (origin, milliseconds, document) VALUES (?, \(now), ?)",
        arguments: [db.origin, document]
      )
      // Few rows: one a second for each server.
      try db.execute(sql: "DELETE FROM limit_use WHERE milliseconds < \(now) - ?", arguments: [Self.kept])
      return try Self.read(after: number, db)
    }
  }

  /// Numbers rise in the order of commits, because writers write one at a time over all processes.
  private static func read(
    after number: Int64?,
    _ db: any SQLConnection
  ) throws -> (documents: [Data], through: Int64) {
    let latest = try db.value(Int64.self, sql: "SELECT max(number) FROM limit_use") ?? 0
    // After a crash of the database numbers begin anew: then everybody does.
    let number = number.flatMap { $0 > latest ? nil : $0 }
    let since = number == nil ? young : kept
    let rows = try db.rows(
      sql: """
        SELECT number, origin, document FROM limit_use
        WHERE number > ? AND milliseconds >= \(db.dialect.milliseconds) - ? ORDER BY number LIMIT \(page)
        """,
      arguments: [number ?? -1, since]
    )
    let through = try rows.last.map { try $0.value(0) as Int64 } ?? latest
    let documents: [Data] = try rows.compactMap { row in
      (try row.value(1) as Int64) == db.origin ? nil : try row.value(2)
    }
    return (documents, through)
  }
}
