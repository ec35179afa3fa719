import Foundation

/// Sessions in the database.
struct SQLSessionStore: SessionStore {
  let database: any SQLDatabase

  private static func session(_ row: SQLRow) throws -> AccountSession {
    AccountSession(
      id: try row.value(7),
      account: try SQLAccountStore.account(row),
      csrf: try row.value(8),
      created: Date(milliseconds: try row.value(9)),
      used: Date(milliseconds: try row.value(10)),
      rotated: Date(milliseconds: try row.value(11)),
      origin: RequestOrigin(device: try row.value(12), network: try row.value(13))
    )
  }

  private static let sessionQuery = """
    SELECT \(SQLAccountStore.columns),
      s.id, s.csrf, s.created_milliseconds, s.used_milliseconds, s.rotated_milliseconds, s.device, s.network
    FROM account_session s JOIN account a ON a.id = s.account
    """

  /// Begins a session.
  func addSession(
    token: Data,
    csrf: String,
    account: Int64,
    origin: RequestOrigin,
    at time: Date
  ) async throws -> AccountSession {
    let now = time.milliseconds
    return try await database.write { db in
      let id = try db.insertedNumber(
        sql: """
          INSERT INTO account_session (account, token, csrf, created_milliseconds, used_milliseconds,
            rotated_milliseconds, device, network) VALUES (?1, ?2, ?3, ?4, ?4, ?4, ?5, ?6) RETURNING id
          """,
        arguments: [account, token, csrf, now, origin.device, origin.network]
      )
      try db.execute(sql: "UPDATE account SET signed_in_milliseconds = ? WHERE id = ?", arguments: [now, account])
      guard let row = try db.row(sql: Self.sessionQuery + " WHERE s.id = ?", arguments: [id]) else {
        throw StoreError.notEncodable("the session was not written.")
      }
      return try Self.session(row)
    }
  }

  /// The session of a token.
  func session(token: Data, at time: Date, grace: TimeInterval) async throws -> AccountSession? {
    let since = time.addingTimeInterval(-grace).milliseconds
    return try await database.read { db in
      try db.row(
        sql: Self.sessionQuery + """
           WHERE a.active = 1
            AND (s.token = ?1 OR (s.previous_token = ?1 AND s.rotated_milliseconds >= ?2))
          """,
        arguments: [token, since]
      ).map { try Self.session($0) }
    }
  }

  /// A session of an active account.
  func session(_ id: Int64) async throws -> AccountSession? {
    try await database.read { db in
      try db.row(sql: Self.sessionQuery + " WHERE a.active = 1 AND s.id = ?", arguments: [id])
        .map { try Self.session($0) }
    }
  }

  /// Sessions of an account, the last used first.
  func sessions(of account: Int64) async throws -> [AccountSession] {
    try await database.read { db in
      try db.rows(
        sql: Self.sessionQuery + " WHERE s.account = ? ORDER BY s.used_milliseconds DESC, s.id DESC",
        arguments: [account]
      ).map { try Self.session($0) }
    }
  }

  /// Notes that a session is in use.
  func touchSession(_ id: Int64, at time: Date) async throws {
    let now = time.milliseconds
    _ = try await database.write { db in
      try db.execute(
        sql: "UPDATE account_session SET used_milliseconds = ?1 WHERE id = ?2 AND used_milliseconds < ?1",
        arguments: [now, id]
      )
    }
  }

  /// Gives a session a new token.
  func rotateSession(_ id: Int64, token: Data, rotated: Date, at time: Date) async throws -> Bool {
    let (old, now) = (rotated.milliseconds, time.milliseconds)
    return try await database.write { db in
      try db.execute(
        sql: """
          UPDATE account_session SET previous_token = token, token = ?, rotated_milliseconds = ?,
            used_milliseconds = ? WHERE id = ? AND rotated_milliseconds = ?
          """,
        arguments: [token, now, now, id, old]
      ) > 0
    }
  }

  /// Ends a session.
  func endSession(_ id: Int64) async throws {
    _ = try await database.write { db in
      try db.execute(sql: "DELETE FROM account_session WHERE id = ?", arguments: [id])
    }
  }

  /// Ends all sessions of an account, but for one.
  @discardableResult
  func endSessions(of account: Int64, keeping session: Int64?) async throws -> Int {
    try await database.write { db in try Self.endAll(of: account, keeping: session, db) }
  }

  /// Removes what has ended.
  func removeStale(unusedSince: Date, madeBefore: Date) async throws {
    try await database.write { db in _ = try Self.removeStale(unusedSince: unusedSince, madeBefore: madeBefore, db) }
  }

  // MARK: In others' transactions

  /// Ends all sessions of an account, but for one.
  @discardableResult
  static func endAll(of account: Int64, keeping session: Int64?, _ db: any SQLConnection) throws -> Int {
    try db.execute(
      sql: "DELETE FROM account_session WHERE account = ? AND id IS DISTINCT FROM ?",
      arguments: [account, session]
    )
  }

  /// Removes sessions not used since the first time or made before the second.
  ///
  /// - Returns: How many.
  static func removeStale(unusedSince: Date, madeBefore: Date, _ db: any SQLConnection) throws -> Int {
    try db.execute(
      sql: "DELETE FROM account_session \(stale)",
      arguments: staleArguments(unusedSince: unusedSince, madeBefore: madeBefore)
    )
  }

  /// Sessions that ``removeStale(unusedSince:madeBefore:_:)`` would remove.
  static func countStale(unusedSince: Date, madeBefore: Date, _ db: any SQLConnection) throws -> Int {
    try db.value(
      Int.self,
      sql: "SELECT count(*) FROM account_session \(stale)",
      arguments: staleArguments(unusedSince: unusedSince, madeBefore: madeBefore)
    ) ?? 0
  }

  private static let stale = "WHERE used_milliseconds < ? OR created_milliseconds < ?"

  private static func staleArguments(unusedSince: Date, madeBefore: Date) -> SQLArguments {
    [unusedSince.milliseconds, madeBefore.milliseconds]
  }
}
