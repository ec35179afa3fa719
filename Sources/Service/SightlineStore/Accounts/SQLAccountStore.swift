import Foundation

/// Accounts in the database.
struct SQLAccountStore: AccountStore {
  let database: any SQLDatabase

  /// What ``account(_:at:)`` reads, of a table `a`.
  static let columns = """
    a.id, a.name, a.role, a.active, a.created_milliseconds, a.signed_in_milliseconds,
    EXISTS (SELECT 1 FROM second_factor f WHERE f.account = a.id AND f.confirmed_milliseconds IS NOT NULL)
    """

  /// Leaves out the one that stands for those who were deleted.
  private static let isSomebody = "a.name != '\(AccountName.deleted)'"

  static func account(_ row: SQLRow, at first: Int = 0) throws -> Account {
    let role: String = try row.value(first + 2)
    let signedIn: Int64? = try row.value(first + 5)
    return Account(
      id: try row.value(first),
      name: try row.value(first + 1),
      // The table's check admits no other word.
      role: AccountRole(rawValue: role) ?? .author,
      isActive: try row.value(first + 3),
      created: Date(milliseconds: try row.value(first + 4)),
      lastSignIn: signedIn.map(Date.init(milliseconds:)),
      hasSecondFactor: try row.value(first + 6)
    )
  }

  static func account(_ id: Int64, _ db: any SQLConnection) throws -> Account? {
    try db.row(
      sql: "SELECT \(columns) FROM account a WHERE a.id = ? AND \(isSomebody)",
      arguments: [id]
    ).map { try account($0) }
  }

  /// All accounts, by name.
  func accounts() async throws -> [Account] {
    try await database.read { db in
      try db.rows(
        sql: "SELECT \(Self.columns) FROM account a WHERE \(Self.isSomebody) ORDER BY a.name"
      ).map { try Self.account($0) }
    }
  }

  /// An account.
  func account(_ id: Int64) async throws -> Account? { try await database.read { try Self.account(id, $0) } }

  /// An account and its password's hash.
  func credentials(of name: String) async throws -> (account: Account, password: String)? {
    try await database.read { db in
      try db.row(
        sql: "SELECT \(Self.columns), a.password FROM account a WHERE a.name = ? AND \(Self.isSomebody)",
        arguments: [name]
      ).map { try (Self.account($0), $0.value(7)) }
    }
  }

  /// Makes an account.
  func addAccount(name: String, role: AccountRole, password: String) async throws -> Account? {
    let now = Date().milliseconds
    return try await database.write { db in
      let isFirst = try db.value(Bool.self, sql: "SELECT NOT EXISTS (SELECT 1 FROM account)") ?? false
      guard let account = try Self.insert(name, role, password, now, db) else { return nil }
      // A server that found no account has printed a link for the first operator: there is one now.
      if isFirst, role == .operator {
        try db.execute(
          sql: "DELETE FROM one_time_link WHERE account IS NULL AND creator IS NULL AND role = 'operator'"
        )
      }
      return account
    }
  }

  /// `nil` when the name is taken.
  static func insert(
    _ name: String,
    _ role: AccountRole,
    _ password: String,
    _ now: Int64,
    _ db: any SQLConnection
  ) throws -> Account? {
    let id = try db.value(
      Int64.self,
      sql: """
        INSERT INTO account (name, role, password, created_milliseconds) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO NOTHING RETURNING id
        """,
      arguments: [name, role.rawValue, password, now]
    )
    return try id.flatMap { try account($0, db) }
  }

  /// Changes role and activity.
  func changeAccount(_ id: Int64, role: AccountRole, isActive: Bool) async throws -> Bool {
    try await database.write { db in
      guard let old = try Self.account(id, db) else { return false }
      let staysOperator = isActive && role == .operator
      if !staysOperator, try Self.isLastOperator(old, db) { return false }
      try db.execute(
        sql: "UPDATE account SET role = ?, active = ? WHERE id = ?",
        arguments: [role.rawValue, isActive, id]
      )
      // A session never outlives the rights it was made with.
      if !isActive || role != old.role { try SQLSessionStore.endAll(of: id, keeping: nil, db) }
      // Nor do the links that were made with them; what was made for a closed account opens nothing either.
      if !staysOperator { try db.execute(sql: "DELETE FROM one_time_link WHERE creator = ?", arguments: [id]) }
      if !isActive { try SQLInvitationStore.endResetLinks(of: id, db) }
      return true
    }
  }

  /// Whether there is no other active operator.
  static func isLastOperator(_ account: Account, _ db: any SQLConnection) throws -> Bool {
    guard account.isActive, account.role == .operator else { return false }
    let others = try db.value(
      Int.self,
      sql: "SELECT count(*) FROM account WHERE role = 'operator' AND active = 1 AND id != ?",
      arguments: [account.id]
    )
    return (others ?? 0) == 0
  }

  /// Sets the hash of a password.
  func setPassword(_ password: String, of id: Int64, keeping session: Int64?) async throws {
    try await database.write { db in
      try db.execute(sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, id])
      try SQLSessionStore.endAll(of: id, keeping: session, db)
      try SQLInvitationStore.endResetLinks(of: id, db)
    }
  }

  /// Puts another hash of the same password in the place of one.
  func renewPassword(_ password: String, replacing old: String, of id: Int64) async throws {
    _ = try await database.write { db in
      try db.execute(
        sql: "UPDATE account SET password = ? WHERE id = ? AND password = ?",
        arguments: [password, id, old]
      )
    }
  }
}
