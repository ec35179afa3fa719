public import Foundation
import SightlineInput

/// Work that one process of several does, and the others leave to it.
///
/// Times are the database's own: clocks of processes may differ.
public protocol LeaseStore: Sendable {
  /// Takes a piece of work, when it is due and nobody has it.
  ///
  /// - Parameters:
  ///   - name: What work.
  ///   - seconds: How long it stays this process's own without being renewed: that long nobody does it when the process ends
  ///     in the midst of it.
  /// - Returns: Whether this process has it now.
  /// - Throws: What the database throws.
  func claim(_ name: String, for seconds: Double) async throws -> Bool

  /// Keeps it for longer.
  ///
  /// - Returns: Whether this process still had it.
  /// - Throws: What the database throws.
  func renew(_ name: String, for seconds: Double) async throws -> Bool

  /// Gives it back, done or not; nothing happens when somebody else has it by now.
  ///
  /// - Parameters:
  ///   - name: What work.
  ///   - pause: Seconds until it is due again.
  /// - Throws: What the database throws.
  func finish(_ name: String, dueAfter pause: Double) async throws

  /// What time it is for leases; `nil` where the database has no clock but this machine's.
  ///
  /// - Throws: What the database throws.
  func time() async throws -> Date?
}

/// Leases in the database.
struct SQLLeaseStore: LeaseStore {
  let database: any SQLDatabase

  func claim(_ name: String, for seconds: Double) async throws -> Bool {
    let milliseconds = Self.milliseconds(seconds)
    // Most who ask do so in vain: they keep no writer waiting.
    let isFree = try await database.read { db in
      try db.value(
        Bool.self,
        sql: """
          SELECT 1 FROM lease
          WHERE name = ? AND (until_milliseconds > \(db.dialect.milliseconds) OR due_milliseconds > \(db.dialect.milliseconds))
          """,
        arguments: [name]
      ) == nil
    }
    guard isFree else { return false }
    return try await database.write { db in
      let now = db.dialect.milliseconds
      return try db.execute(
        sql: """
          INSERT INTO lease (name, holder, until_milliseconds, due_milliseconds) VALUES (?, ?, \(now) + ?, 0)
          ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_milliseconds = excluded.until_milliseconds
          WHERE lease.until_milliseconds <= \(now) AND lease.due_milliseconds <= \(now)
          """,
        arguments: [name, db.origin, milliseconds]
      ) > 0
    }
  }

  func renew(_ name: String, for seconds: Double) async throws -> Bool {
    let milliseconds = Self.milliseconds(seconds)
    return try await database.write { db in
      let now = db.dialect.milliseconds
      return try db.execute(
        sql: """
          UPDATE lease SET until_milliseconds = \(now) + ? WHERE name = ? AND holder = ? AND until_milliseconds > \(now)
          """,
        arguments: [milliseconds, name, db.origin]
      ) > 0
    }
  }

  func finish(_ name: String, dueAfter pause: Double) async throws {
    let milliseconds = Self.milliseconds(pause)
    _ = try await database.write { db in
      try db.execute(
        sql: """
          UPDATE lease SET until_milliseconds = 0, due_milliseconds = \(db.dialect.milliseconds) + ?
          WHERE name = ? AND holder = ?
          """,
        arguments: [milliseconds, name, db.origin]
      )
    }
  }

  func time() async throws -> Date? {
    guard database.isShared else { return nil }
    return try await database.read { db in
      try db.value(Int64.self, sql: "SELECT \(db.dialect.milliseconds)").map { Date(milliseconds: $0) }
    }
  }

  /// Whole milliseconds, from none to ten years.
  private static func milliseconds(_ seconds: Double) -> Int64 {
    Int64(clamped: (min(max(0, seconds.isNaN ? 0 : seconds), 315_360_000) * 1000).rounded())
  }
}
