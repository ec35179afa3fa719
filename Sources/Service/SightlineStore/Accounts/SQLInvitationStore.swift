import Foundation

/// One-time links in the database.
struct SQLInvitationStore: InvitationStore {
  let database: any SQLDatabase

  /// Keeps a one-time link.
  func addInvitation(
    token: Data,
    role: AccountRole,
    account: Int64?,
    creator: Int64?,
    made: Date,
    expires: Date,
    replacing: Bool
  ) async throws {
    try await database.write { db in
      if replacing { try db.execute(sql: "DELETE FROM one_time_link WHERE account IS NULL") }
      // A second link for the same forgotten password takes the place of the first.
      if let account { try Self.endResetLinks(of: account, db) }
      try db.execute(
        sql: """
          INSERT INTO one_time_link (token, role, account, creator, made_milliseconds, expires_milliseconds)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          token, role.rawValue, account, creator, made.milliseconds, expires.milliseconds,
        ]
      )
    }
  }

  private static let linkQuery =
    "SELECT id, role, account, creator, made_milliseconds, expires_milliseconds FROM one_time_link"

  /// What a link is for; `nil` for one whose maker may make none any more.
  private static func invitation(_ row: SQLRow, _ db: any SQLConnection) throws -> Invitation? {
    let role: String = try row.value(1)
    let (id, creatorID): (Int64?, Int64?) = try (row.value(2), row.value(3))
    let creator = try creatorID.flatMap { try SQLAccountStore.account($0, db) }
    // Links end when their maker's rights do; this holds for whatever else changes an account, too.
    if creatorID != nil, creator?.isActive != true || creator?.role != .operator { return nil }
    return Invitation(
      id: try row.value(0),
      role: AccountRole(rawValue: role) ?? .author,
      account: try id.flatMap { try SQLAccountStore.account($0, db) },
      creator: creator,
      made: Date(milliseconds: try row.value(4)),
      expires: Date(milliseconds: try row.value(5))
    )
  }

  private static func invitation(_ token: Data, _ now: Int64, _ db: any SQLConnection) throws -> Invitation? {
    try db.row(
      sql: linkQuery + " WHERE token = ? AND expires_milliseconds >= ?",
      arguments: [token, now]
    ).flatMap { try invitation($0, db) }
  }

  /// Links that can be used, the latest first.
  func invitations(at time: Date) async throws -> [Invitation] {
    let now = time.milliseconds
    return try await database.read { db in
      try db.rows(
        sql: Self.linkQuery + " WHERE expires_milliseconds >= ? ORDER BY id DESC",
        arguments: [now]
      ).compactMap { try Self.invitation($0, db) }
    }
  }

  /// Ends a link.
  func removeInvitation(_ id: Int64) async throws -> Invitation? {
    try await database.write { db in
      let row = try db.row(sql: Self.linkQuery + " WHERE id = ?", arguments: [id])
      guard let found = try row.flatMap({ try Self.invitation($0, db) }) else { return nil }
      try db.execute(sql: "DELETE FROM one_time_link WHERE id = ?", arguments: [id])
      return found
    }
  }

  /// What a link is for.
  func invitation(token: Data, at time: Date) async throws -> Invitation? {
    let now = time.milliseconds
    return try await database.read { db in try Self.invitation(token, now, db) }
  }

  /// Uses a link.
  func acceptInvitation(
    token: Data,
    name: String,
    password: String,
    at time: Date
  ) async throws -> InvitationOutcome {
    let now = time.milliseconds
    return try await database.write { db in
      guard let invitation = try Self.invitation(token, now, db) else { return .unknown }
      let accepted: Account
      if let account = invitation.account {
        try db.execute(sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, account.id])
        try SQLSessionStore.endAll(of: account.id, keeping: nil, db)
        try Self.endResetLinks(of: account.id, db)
        accepted = account
      } else {
        guard let account = try SQLAccountStore.insert(name, invitation.role, password, now, db) else {
          return .nameTaken
        }
        accepted = account
      }
      try db.execute(sql: "DELETE FROM one_time_link WHERE token = ?", arguments: [token])
      return .accepted(accepted)
    }
  }

  /// Removes links that have ended.
  func removeExpired(before time: Date) async throws {
    try await database.write { db in _ = try Self.removeExpired(before: time, db) }
  }

  // MARK: In others' transactions

  /// Ends the links for a new password of an account.
  static func endResetLinks(of account: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM one_time_link WHERE account = ?", arguments: [account])
  }

  /// Removes links that have ended by a time.
  ///
  /// - Returns: How many.
  static func removeExpired(before time: Date, _ db: any SQLConnection) throws -> Int {
    try db.execute(
      sql: "DELETE FROM one_time_link WHERE expires_milliseconds < ?",
      arguments: [time.milliseconds]
    )
  }

  /// Links that ``removeExpired(before:_:)`` would remove.
  static func countExpired(before time: Date, _ db: any SQLConnection) throws -> Int {
    try db.value(
      Int.self,
      sql: "SELECT count(*) FROM one_time_link WHERE expires_milliseconds < ?",
      arguments: [time.milliseconds]
    ) ?? 0
  }
}
