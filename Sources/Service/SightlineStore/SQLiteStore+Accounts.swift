public import Foundation
import GRDB
import SightlineInput

extension SQLiteStore {
  static func milliseconds(_ date: Date) -> Int64 { Int64(clamped: (date.timeIntervalSince1970 * 1000).rounded()) }

  static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  private static let accountColumns = """
    a.id, a.name, a.role, a.active, a.created_milliseconds, a.signed_in_milliseconds,
    EXISTS (SELECT 1 FROM second_factor f WHERE f.account = a.id AND f.confirmed_milliseconds IS NOT NULL)
    """

  /// Leaves out the one that stands for those who were deleted.
  private static let isSomebody = "a.name != '\(AccountName.deleted)'"

  private static func account(_ row: Row, at first: Int = 0) throws -> Account {
    let role: String = try row.value(first + 2)
    let signedIn: Int64? = try row.value(first + 5)
    return Account(
      id: try row.value(first),
      name: try row.value(first + 1),
      // The table's check admits no other word.
      role: AccountRole(rawValue: role) ?? .author,
      isActive: try row.value(first + 3),
      created: date(try row.value(first + 4)),
      lastSignIn: signedIn.map(date),
      hasSecondFactor: try row.value(first + 6)
    )
  }

  static func account(_ id: Int64, _ db: Database) throws -> Account? {
    try Row.fetchOne(
      db,
      sql: "SELECT \(accountColumns) FROM account a WHERE a.id = ? AND \(isSomebody)",
      arguments: [id]
    ).map { try account($0) }
  }

  /// All accounts, by name.
  public func accounts() async throws -> [Account] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT \(Self.accountColumns) FROM account a WHERE \(Self.isSomebody) ORDER BY a.name"
      ).map { try Self.account($0) }
    }
  }

  /// An account.
  public func account(_ id: Int64) async throws -> Account? { try await pool.read { try Self.account(id, $0) } }

  /// An account and its password's hash.
  public func credentials(of name: String) async throws -> (account: Account, password: String)? {
    try await pool.read { db in
      try Row.fetchOne(
        db,
        sql: "SELECT \(Self.accountColumns), a.password FROM account a WHERE a.name = ? AND \(Self.isSomebody)",
        arguments: [name]
      ).map { try (Self.account($0), $0.value(7)) }
    }
  }

  /// Makes an account.
  public func addAccount(name: String, role: AccountRole, password: String) async throws -> Account? {
    let now = Self.milliseconds(Date())
    return try await pool.write { db in
      let isFirst = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM account)") ?? false
      guard let account = try Self.insertAccount(name, role, password, now, db) else { return nil }
      // A server that found no account has printed a link for the first operator: there is one now.
      if isFirst, role == .operator {
        try db.execute(
          sql: "DELETE FROM one_time_link WHERE account IS NULL AND creator IS NULL AND role = 'operator'"
        )
      }
      return account
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
      let staysOperator = isActive && role == .operator
      if !staysOperator, try Self.isLastOperator(old, db) { return false }
      try db.execute(
        sql: "UPDATE account SET role = ?, active = ? WHERE id = ?",
        arguments: [role.rawValue, isActive, id]
      )
      // A session never outlives the rights it was made with.
      if !isActive || role != old.role { try Self.endSessions(of: id, keeping: nil, db) }
      // Nor do the links that were made with them; what was made for a closed account opens nothing either.
      if !staysOperator { try db.execute(sql: "DELETE FROM one_time_link WHERE creator = ?", arguments: [id]) }
      if !isActive { try Self.endResetLinks(of: id, db) }
      return true
    }
  }

  /// Whether there is no other active operator.
  static func isLastOperator(_ account: Account, _ db: Database) throws -> Bool {
    guard account.isActive, account.role == .operator else { return false }
    let others = try Int.fetchOne(
      db,
      sql: "SELECT count(*) FROM account WHERE role = 'operator' AND active = 1 AND id != ?",
      arguments: [account.id]
    )
    return (others ?? 0) == 0
  }

  private static func endResetLinks(of account: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM one_time_link WHERE account = ?", arguments: [account])
  }

  /// Sets the hash of a password.
  public func setPassword(_ password: String, of id: Int64, keeping session: Int64?) async throws {
    try await pool.write { db in
      try db.execute(sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, id])
      try Self.endSessions(of: id, keeping: session, db)
      try Self.endResetLinks(of: id, db)
    }
  }

  /// Puts another hash of the same password in the place of one.
  public func renewPassword(_ password: String, replacing old: String, of id: Int64) async throws {
    try await pool.write { db in
      try db.execute(
        sql: "UPDATE account SET password = ? WHERE id = ? AND password = ?",
        arguments: [password, id, old]
      )
    }
  }

  @discardableResult
  static func endSessions(of account: Int64, keeping session: Int64?, _ db: Database) throws -> Int {
    try db.execute(
      sql: "DELETE FROM account_session WHERE account = ? AND id IS NOT ?",
      arguments: [account, session]
    )
    return db.changesCount
  }
}

// MARK: Sessions

extension SQLiteStore {
  private static func session(_ row: Row) throws -> AccountSession {
    AccountSession(
      id: try row.value(7),
      account: try account(row),
      csrf: try row.value(8),
      created: date(try row.value(9)),
      used: date(try row.value(10)),
      rotated: date(try row.value(11)),
      origin: RequestOrigin(device: try row.value(12), network: try row.value(13))
    )
  }

  private static let sessionQuery = """
    SELECT \(accountColumns), s.id, s.csrf, s.created_milliseconds, s.used_milliseconds, s.rotated_milliseconds,
      s.device, s.network
    FROM account_session s JOIN account a ON a.id = s.account
    """

  /// Begins a session.
  public func addSession(
    token: Data,
    csrf: String,
    account: Int64,
    origin: RequestOrigin,
    at time: Date
  ) async throws -> AccountSession {
    let now = Self.milliseconds(time)
    return try await pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO account_session (account, token, csrf, created_milliseconds, used_milliseconds,
            rotated_milliseconds, device, network) VALUES (?1, ?2, ?3, ?4, ?4, ?4, ?5, ?6)
          """,
        arguments: [account, token, csrf, now, origin.device, origin.network]
      )
      let id = db.lastInsertedRowID
      try db.execute(sql: "UPDATE account SET signed_in_milliseconds = ? WHERE id = ?", arguments: [now, account])
      guard let row = try Row.fetchOne(db, sql: Self.sessionQuery + " WHERE s.id = ?", arguments: [id]) else {
        throw StoreError.notEncodable("the session was not written.")
      }
      return try Self.session(row)
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
      ).map { try Self.session($0) }
    }
  }

  /// A session of an active account.
  public func session(_ id: Int64) async throws -> AccountSession? {
    try await pool.read { db in
      try Row.fetchOne(db, sql: Self.sessionQuery + " WHERE a.active = 1 AND s.id = ?", arguments: [id])
        .map { try Self.session($0) }
    }
  }

  /// Sessions of an account, the last used first.
  public func sessions(of account: Int64) async throws -> [AccountSession] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: Self.sessionQuery + " WHERE s.account = ? ORDER BY s.used_milliseconds DESC, s.id DESC",
        arguments: [account]
      ).map { try Self.session($0) }
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

  /// Ends all sessions of an account, but for one.
  @discardableResult
  public func endSessions(of account: Int64, keeping session: Int64?) async throws -> Int {
    try await pool.write { db in try Self.endSessions(of: account, keeping: session, db) }
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
      try db.execute(sql: "DELETE FROM one_time_link WHERE expires_milliseconds < ?", arguments: [links])
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
    creator: Int64?,
    made: Date,
    expires: Date,
    replacing: Bool
  ) async throws {
    try await pool.write { db in
      if replacing { try db.execute(sql: "DELETE FROM one_time_link WHERE account IS NULL") }
      // A second link for the same forgotten password takes the place of the first.
      if let account { try Self.endResetLinks(of: account, db) }
      try db.execute(
        sql: """
          INSERT INTO one_time_link (token, role, account, creator, made_milliseconds, expires_milliseconds)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          token, role.rawValue, account, creator, Self.milliseconds(made), Self.milliseconds(expires),
        ]
      )
    }
  }

  private static let linkQuery =
    "SELECT id, role, account, creator, made_milliseconds, expires_milliseconds FROM one_time_link"

  /// What a link is for; `nil` for one whose maker may make none any more.
  private static func invitation(_ row: Row, _ db: Database) throws -> Invitation? {
    let role: String = try row.value(1)
    let (id, creatorID): (Int64?, Int64?) = try (row.value(2), row.value(3))
    let creator = try creatorID.flatMap { try account($0, db) }
    // Links end when their maker's rights do; this holds for whatever else changes an account, too.
    if creatorID != nil, creator?.isActive != true || creator?.role != .operator { return nil }
    return Invitation(
      id: try row.value(0),
      role: AccountRole(rawValue: role) ?? .author,
      account: try id.flatMap { try account($0, db) },
      creator: creator,
      made: date(try row.value(4)),
      expires: date(try row.value(5))
    )
  }

  private static func invitation(_ token: Data, _ now: Int64, _ db: Database) throws -> Invitation? {
    try Row.fetchOne(
      db,
      sql: linkQuery + " WHERE token = ? AND expires_milliseconds >= ?",
      arguments: [token, now]
    ).flatMap { try invitation($0, db) }
  }

  /// Links that can be used, the latest first.
  public func invitations(at time: Date) async throws -> [Invitation] {
    let now = Self.milliseconds(time)
    return try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: Self.linkQuery + " WHERE expires_milliseconds >= ? ORDER BY id DESC",
        arguments: [now]
      ).compactMap { try Self.invitation($0, db) }
    }
  }

  /// Ends a link.
  public func removeInvitation(_ id: Int64) async throws -> Invitation? {
    try await pool.write { db in
      let row = try Row.fetchOne(db, sql: Self.linkQuery + " WHERE id = ?", arguments: [id])
      guard let found = try row.flatMap({ try Self.invitation($0, db) }) else { return nil }
      try db.execute(sql: "DELETE FROM one_time_link WHERE id = ?", arguments: [id])
      return found
    }
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
        try Self.endResetLinks(of: account.id, db)
        accepted = account
      } else {
        guard let account = try Self.insertAccount(name, invitation.role, password, now, db) else { return .nameTaken }
        accepted = account
      }
      try db.execute(sql: "DELETE FROM one_time_link WHERE token = ?", arguments: [token])
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
    return try row.map { try ($0.value(0), $0.value(1)) } ?? (0, 0)
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
      guard used.saturatingAdd(bytes) <= limit else { return nil }
      try db.execute(
        sql: "INSERT INTO account_asset (account, hash, bytes) VALUES (?, ?, ?)",
        arguments: [account, key, bytes]
      )
      return used.saturatingAdd(bytes)
    }
  }

  /// Files of an author and their bytes.
  public func assetUse(of account: Int64) async throws -> (count: Int, bytes: Int) {
    try await pool.read { db in try Self.use(of: account, db) }
  }
}
