public import Foundation

/// How often signing in has failed, by whatever is counted together: over all processes.
///
/// Keys are hashes: neither a name nor a network stands in the database.
public protocol SignInFailureStore: Sendable {
  /// What is known of keys, without waiting for a writer.
  func failures(of keys: [Data]) async throws -> SignInFailures

  /// Changes what is known of keys, in one transaction; what it does twice counts once.
  ///
  /// - Parameters:
  ///   - keys: What is read before and written after.
  ///   - change: Changes it.
  /// - Returns: What `change` gave.
  /// - Throws: What `change` or the database throws.
  func update<Value: Sendable>(
    _ keys: [Data],
    _ change: @escaping @Sendable (inout SignInFailures) throws -> Value
  ) async throws -> Value

  /// Forgets failures whose last is before a time, and networks that were not used since another.
  func forget(failuresBefore: Date, networksBefore: Date) async throws
}

/// What is known of some keys.
public struct SignInFailures: Equatable, Sendable {
  /// A count of failures.
  public struct Count: Equatable, Sendable {
    /// How many.
    public var failures: Int
    /// When the last was.
    public var last: Date
    /// Until when further tries are refused.
    public var blockedUntil: Date

    /// A count.
    public init(failures: Int, last: Date, blockedUntil: Date) {
      self.failures = failures
      self.last = last
      self.blockedUntil = blockedUntil
    }
  }

  /// Counts, by key.
  public var counts: [Data: Count] = [:]
  /// Names with networks from which somebody has signed in by them, by key, and when last.
  public var networks: [Data: Date] = [:]

  /// Nothing.
  public init() {}
}

/// Failures of signing in in the database.
struct SQLSignInFailureStore: SignInFailureStore {
  let database: any SQLDatabase

  /// Most keys; beyond, the oldest are forgotten, so that nobody fills the disk.
  static let capacity = 100_000

  func failures(of keys: [Data]) async throws -> SignInFailures {
    try await database.read { db in try Self.read(keys, db) }
  }

  func update<Value: Sendable>(
    _ keys: [Data],
    _ change: @escaping @Sendable (inout SignInFailures) throws -> Value
  ) async throws -> Value {
    try await database.write { db in
      let before = try Self.read(keys, db)
      var after = before
      let value = try change(&after)
      for key in keys where before.counts[key] != after.counts[key] {
        guard let count = after.counts[key] else {
          try db.execute(sql: "DELETE FROM sign_in_failure WHERE key = ?", arguments: [key])
          continue
        }
        try db.execute(
          sql: """
            INSERT INTO sign_in_failure (key, failures, last_milliseconds, blocked_milliseconds) VALUES (?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET failures = excluded.failures,
              last_milliseconds = excluded.last_milliseconds, blocked_milliseconds = excluded.blocked_milliseconds
            """,
          arguments: [key, count.failures, count.last.milliseconds, count.blockedUntil.milliseconds]
        )
        if before.counts[key] == nil { try Self.bound("sign_in_failure", "last_milliseconds", db) }
      }
      for key in keys where before.networks[key] != after.networks[key] {
        guard let time = after.networks[key] else { continue }
        try db.execute(
          sql: """
            INSERT INTO sign_in_network (key, milliseconds) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET milliseconds = excluded.milliseconds
            """,
          arguments: [key, time.milliseconds]
        )
        if before.networks[key] == nil { try Self.bound("sign_in_network", "milliseconds", db) }
      }
      return value
    }
  }

  func forget(failuresBefore: Date, networksBefore: Date) async throws {
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM sign_in_failure WHERE last_milliseconds < ?",
        arguments: [failuresBefore.milliseconds]
      )
      try db.execute(
        sql: "DELETE FROM sign_in_network WHERE milliseconds < ?",
        arguments: [networksBefore.milliseconds]
      )
    }
  }

  private static func read(_ keys: [Data], _ db: any SQLConnection) throws -> SignInFailures {
    var known = SignInFailures()
    for key in keys {
      if let row = try db.row(
        sql: "SELECT failures, last_milliseconds, blocked_milliseconds FROM sign_in_failure WHERE key = ?",
        arguments: [key]
      ) {
        known.counts[key] = SignInFailures.Count(
          failures: try row.value(0),
          last: Date(milliseconds: try row.value(1)),
          blockedUntil: Date(milliseconds: try row.value(2))
        )
      }
      let sql = "SELECT milliseconds FROM sign_in_network WHERE key = ?"
      if let time = try db.value(Int64.self, sql: sql, arguments: [key]) {
        known.networks[key] = Date(milliseconds: time)
      }
    }
    return known
  }

  /// Forgets the oldest row where there are too many; looked at now and then, as counting goes through the table.
  private static func bound(_ table: String, _ time: String, _ db: any SQLConnection) throws {
    guard Int.random(in: 0..<256) == 0 else { return }
    let excess = (try db.value(Int.self, sql: "SELECT count(*) FROM \(table)") ?? 0) - capacity
    guard excess > 0 else { return }
    try db.execute(
      sql: "DELETE FROM \(table) WHERE key IN (SELECT key FROM \(table) ORDER BY \(time) LIMIT ?)",
      arguments: [excess]
    )
  }
}
