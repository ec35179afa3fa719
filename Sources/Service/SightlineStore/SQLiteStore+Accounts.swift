public import Foundation
import GRDB

extension SQLiteStore {
  static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded()) }

  static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  private static let accountColumns =
    "a.id, a.name, a.role, a.active, a.created_milliseconds, a.signed_in_milliseconds"

  private static func account(_ row: Row, at first: Int = 0) -> Account {
    let role: String = row[first + 2]
    let signedIn: Int64? = row[first + 5]
    return Account(
      id: row[first],
      name: row[first + 1],
      // The table's check admits no other word.
      role: AccountRole(rawValue: role) ?? .author,
      isActive: row[first + 3],
      created: date(row[first + 4]),
      lastSignIn: signedIn.map(date)
    )
  }

  private static func account(_ id: Int64, _ db: Database) throws -> Account? {
    try Row.fetchOne(db, sql: "SELECT \(accountColumns) FROM account a WHERE a.id = ?", arguments: [id])
      .map { account($0) }
  }

  /// All accounts, by name.
  public func accounts() async throws -> [Account] {
    try await pool.read { db in
      try Row.fetchAll(db, sql: "SELECT \(Self.accountColumns) FROM account a ORDER BY a.name").map { Self.account($0) }
    }
  }

  /// An account.
  public func account(_ id: Int64) async throws -> Account? { try await pool.read { try Self.account(id, $0) } }

  /// An account and its password's hash.
  public func credentials(of name: String) async throws -> (account: Account, password: String)? {
    try await pool.read { db in
      try Row.fetchOne(
        db,
        sql: "SELECT \(Self.accountColumns), a.password FROM account a WHERE a.name = ?",
        arguments: [name]
      ).map { (Self.account($0), $0[6]) }
    }
  }

  /// Makes an account.
  public func addAccount(name: String, role: AccountRole, password: String) async throws -> Account? {
    let now = Self.milliseconds(Date())
    return try await pool.write { db in
      try Self.insertAccount(name, role, password, now, db)
    }
  }

  private static func insertAccount(
    _ name: String,
    _ role: AccountRole,
    _ password: String,
    _ now: Int64,
    _ db: Database
  ) throws -> Account? {
    try db.execute(
      sql: """
        INSERT INTO account (name, role, password, created_milliseconds) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO NOTHING
        """,
      arguments: [name, role.rawValue, password, now]
    )
    return db.changesCount == 0 ? nil : try account(db.lastInsertedRowID, db)
  }

  /// Changes role and activity.
  public func changeAccount(_ id: Int64, role: AccountRole, isActive: Bool) async throws -> Bool {
    try await pool.write { db in
      guard let old = try Self.account(id, db) else { return false }
      let wasOperator = old.isActive && old.role == .operator
      if wasOperator, !(isActive && role == .operator) {
        let others = try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM account WHERE role = 'operator' AND active = 1 AND id != ?",
          arguments: [id]
        )
        guard let others, others > 0 else { return false }
      }
      try db.execute(
        sql: "UPDATE account SET role = ?, active = ? WHERE id = ?",
        arguments: [role.rawValue, isActive, id]
      )
      // A session never outlives the rights it was made with.
      if !isActive || role != old.role { try Self.endSessions(of: id, keeping: nil, db) }
      return true
    }
  }

  /// Sets the hash of a password.
  public func setPassword(_ password: String, of id: Int64, keeping session: Int64?) async throws {
    try await pool.write { db in
      try db.execute(sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, id])
      try Self.endSessions(of: id, keeping: session, db)
    }
  }

  private static func endSessions(of account: Int64, keeping session: Int64?, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM account_session WHERE account = ? AND id IS NOT ?",
      arguments: [account, session]
    )
  }
}

// MARK: Sessions

extension SQLiteStore {
  private static func session(_ row: Row) -> AccountSession {
    AccountSession(
      id: row[6],
      account: account(row),
      csrf: row[7],
      created: date(row[8]),
      used: date(row[9]),
      rotated: date(row[10])
    )
  }

  private static let sessionQuery = """
    SELECT \(accountColumns), s.id, s.csrf, s.created_milliseconds, s.used_milliseconds, s.rotated_milliseconds
    FROM account_session s JOIN account a ON a.id = s.account
    """

  /// Begins a session.
  public func addSession(token: Data, csrf: String, account: Int64, at time: Date) async throws -> AccountSession {
    let now = Self.milliseconds(time)
    return try await pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO account_session (account, token, csrf, created_milliseconds, used_milliseconds,
            rotated_milliseconds) VALUES (?1, ?2, ?3, ?4, ?4, ?4)
          """,
        arguments: [account, token, csrf, now]
      )
      let id = db.lastInsertedRowID
      try db.execute(sql: "UPDATE account SET signed_in_milliseconds = ? WHERE id = ?", arguments: [now, account])
      guard let row = try Row.fetchOne(db, sql: Self.sessionQuery + " WHERE s.id = ?", arguments: [id]) else {
        throw StoreError.notEncodable("the session was not written.")
      }
      return Self.session(row)
    }
  }

  /// The session of a token.
  public func session(token: Data, at time: Date, grace: TimeInterval) async throws -> AccountSession? {
    let since = Self.milliseconds(time.addingTimeInterval(-grace))
    return try await pool.read { db in
      try Row.fetchOne(
        db,
        sql: Self.sessionQuery + """
           WHERE a.active = 1
            AND (s.token = ?1 OR (s.previous_token = ?1 AND s.rotated_milliseconds >= ?2))
          """,
        arguments: [token, since]
      ).map { Self.session($0) }
    }
  }

  /// Notes that a session is in use.
  public func touchSession(_ id: Int64, at time: Date) async throws {
    let now = Self.milliseconds(time)
    try await pool.write { db in
      try db.execute(
        sql: "UPDATE account_session SET used_milliseconds = max(used_milliseconds, ?) WHERE id = ?",
        arguments: [now, id]
      )
    }
  }

  /// Gives a session a new token.
  public func rotateSession(_ id: Int64, token: Data, rotated: Date, at time: Date) async throws -> Bool {
    let (old, now) = (Self.milliseconds(rotated), Self.milliseconds(time))
    return try await pool.write { db in
      try db.execute(
        sql: """
          UPDATE account_session SET previous_token = token, token = ?, rotated_milliseconds = ?,
            used_milliseconds = ? WHERE id = ? AND rotated_milliseconds = ?
          """,
        arguments: [token, now, now, id, old]
      )
      return db.changesCount > 0
    }
  }

  /// Ends a session.
  public func endSession(_ id: Int64) async throws {
    try await pool.write { db in
      try db.execute(sql: "DELETE FROM account_session WHERE id = ?", arguments: [id])
    }
  }

  /// Ends all sessions of an account.
  public func endSessions(of account: Int64) async throws {
    try await pool.write { db in try Self.endSessions(of: account, keeping: nil, db) }
  }

  /// Removes what has ended.
  public func removeStale(unusedSince: Date, madeBefore: Date, linksBefore: Date) async throws {
    let (unused, made, links) = (
      Self.milliseconds(unusedSince), Self.milliseconds(madeBefore), Self.milliseconds(linksBefore)
    )
    try await pool.write { db in
      try db.execute(
        sql: "DELETE FROM account_session WHERE used_milliseconds < ? OR created_milliseconds < ?",
        arguments: [unused, made]
      )
      try db.execute(sql: "DELETE FROM invitation WHERE expires_milliseconds < ?", arguments: [links])
    }
  }
}

// MARK: One-time links

extension SQLiteStore {
  /// Keeps a one-time link.
  public func addInvitation(
    token: Data,
    role: AccountRole,
    account: Int64?,
    expires: Date,
    replacing: Bool
  ) async throws {
    let end = Self.milliseconds(expires)
    try await pool.write { db in
      if replacing { try db.execute(sql: "DELETE FROM invitation WHERE account IS NULL") }
      // A second link for the same forgotten password takes the place of the first.
      if let account { try db.execute(sql: "DELETE FROM invitation WHERE account = ?", arguments: [account]) }
      try db.execute(
        sql: "INSERT INTO invitation (token, role, account, expires_milliseconds) VALUES (?, ?, ?, ?)",
        arguments: [token, role.rawValue, account, end]
      )
    }
  }

  private static func invitation(_ token: Data, _ now: Int64, _ db: Database) throws -> Invitation? {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT role, account, expires_milliseconds FROM invitation WHERE token = ? AND expires_milliseconds >= ?",
      arguments: [token, now]
    )
    guard let row else { return nil }
    let role: String = row[0]
    let id: Int64? = row[1]
    return Invitation(
      role: AccountRole(rawValue: role) ?? .author,
      account: try id.flatMap { try account($0, db) },
      expires: date(row[2])
    )
  }

  /// What a link is for.
  public func invitation(token: Data, at time: Date) async throws -> Invitation? {
    let now = Self.milliseconds(time)
    return try await pool.read { db in try Self.invitation(token, now, db) }
  }

  /// Uses a link.
  public func acceptInvitation(
    token: Data,
    name: String,
    password: String,
    at time: Date
  ) async throws -> InvitationOutcome {
    let now = Self.milliseconds(time)
    return try await pool.write { db in
      guard let invitation = try Self.invitation(token, now, db) else { return .unknown }
      let accepted: Account
      if let account = invitation.account {
        try db.execute(sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, account.id])
        try Self.endSessions(of: account.id, keeping: nil, db)
        accepted = account
      } else {
        guard let account = try Self.insertAccount(name, invitation.role, password, now, db) else { return .nameTaken }
        accepted = account
      }
      try db.execute(sql: "DELETE FROM invitation WHERE token = ?", arguments: [token])
      return .accepted(accepted)
    }
  }
}

// MARK: Files

extension SQLiteStore {
  private static func use(of account: Int64, _ db: Database) throws -> (count: Int, bytes: Int) {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT count(*), coalesce(sum(bytes), 0) FROM account_asset WHERE account = ?",
      arguments: [account]
    )
    return row.map { ($0[0], $0[1]) } ?? (0, 0)
  }

  /// Notes that an author uses a file.
  public func claimAsset(_ hash: String, bytes: Int, account: Int64, limit: Int) async throws -> Int? {
    guard let key = Data(hexadecimal: hash) else { return nil }
    return try await pool.write { db in
      let used = try Self.use(of: account, db).bytes
      let known = try Bool.fetchOne(
        db,
        sql: "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?",
        arguments: [account, key]
      )
      if known != nil { return used }
      guard used + bytes <= limit else { return nil }
      try db.execute(
        sql: "INSERT INTO account_asset (account, hash, bytes) VALUES (?, ?, ?)",
        arguments: [account, key, bytes]
      )
      return used + bytes
    }
  }

  /// Files of an author and their bytes.
  public func assetUse(of account: Int64) async throws -> (count: Int, bytes: Int) {
    try await pool.read { db in try Self.use(of: account, db) }
  }
}
