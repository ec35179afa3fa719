import GRDB

extension SQLiteStore {
  /// What an account has.
  public func belongings(of account: Int64) async throws -> AccountBelongings? {
    try await pool.read { db in
      guard try Self.account(account, db) != nil else { return nil }
      return try Self.belongings(account, db)
    }
  }

  private static func belongings(_ account: Int64, _ db: Database) throws -> AccountBelongings {
    func items(_ sql: String) throws -> [AccountBelongings.Item] {
      try Row.fetchAll(db, sql: sql, arguments: [account]).map {
        try AccountBelongings.Item(id: $0.value(0), title: $0.value(1))
      }
    }
    func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql, arguments: [account]) ?? 0 }
    var found = AccountBelongings()
    found.worlds = try items(
      """
      SELECT w.id, d.title FROM studio_world w JOIN studio_draft d ON d.world = w.id AND d.version = w.version
      WHERE w.owner = ? AND w.removed = 0 ORDER BY w.id
      """
    )
    found.publishedWorlds = try number(
      "SELECT count(*) FROM studio_world WHERE owner = ? AND removed = 0 AND published IS NOT NULL"
    )
    found.posters = try items("SELECT id, document ->> '$.title' FROM poster WHERE owner = ? ORDER BY id")
    found.tours = try items("SELECT id, title FROM tour WHERE owner = ? ORDER BY title, id")
    found.runs = try number("SELECT count(*) FROM tour_run r JOIN tour t ON t.id = r.tour WHERE t.owner = ?")
    found.files = try number("SELECT count(*) FROM account_asset WHERE account = ?")
    found.bytes = try number("SELECT coalesce(sum(bytes), 0) FROM account_asset WHERE account = ?")
    found.sharedWorlds = try number(
      """
      SELECT count(*) FROM studio_member m JOIN studio_world w ON w.id = m.world
      WHERE m.account = ? AND w.removed = 0
      """
    )
    return found
  }

  /// Deletes an account with all it has, or hands what others see of it to another account.
  public func deleteAccount(_ id: Int64, transferringTo heir: Int64?) async throws -> AccountDeletion {
    let outcome = try await pool.write { db -> AccountDeletion in
      guard let account = try Self.account(id, db) else { return .unknown }
      if try Self.isLastOperator(account, db) { return .lastOperator }
      let found = try Self.belongings(id, db)
      let runs = try String.fetchAll(
        db,
        sql: "SELECT r.id FROM tour_run r JOIN tour t ON t.id = r.tour WHERE t.owner = ? ORDER BY r.id",
        arguments: [id]
      )
      if let heir {
        guard heir != id, let other = try Self.account(heir, db), other.isActive else { return .noHeir }
        try Self.transfer(from: id, to: heir, db)
      } else {
        try Self.removeWorlds(of: id, db)
        try Self.removePosters(of: id, db)
        // Runs, teams, answers and positions go with the tour.
        try db.execute(sql: "DELETE FROM tour WHERE owner = ?", arguments: [id])
      }
      try Self.forgetAuthor(account, db)
      _ = try Self.nextGeneration(db)
      // Sessions, links, the second factor, memberships and the count of files go with it.
      try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id])
      return .deleted(found, runs: runs)
    }
    if case .deleted = outcome {
      // What was deleted is to be gone from the journal too, as far as readers let it.
      _ = try? await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    }
    return outcome
  }

  private static func transfer(from id: Int64, to heir: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM studio_member WHERE account = ?2 AND world IN (SELECT id FROM studio_world WHERE owner = ?1)
        """,
      arguments: [id, heir]
    )
    for table in ["studio_world", "poster", "tour"] {
      try db.execute(sql: "UPDATE \(table) SET owner = ? WHERE owner = ?", arguments: [heir, id])
    }
    try db.execute(
      sql: """
        INSERT INTO account_asset (account, hash, bytes) SELECT ?2, hash, bytes FROM account_asset WHERE account = ?1
        ON CONFLICT DO NOTHING
        """,
      arguments: [id, heir]
    )
  }

  private static func removeWorlds(of id: Int64, _ db: Database) throws {
    for world in try String.fetchAll(db, sql: "SELECT id FROM studio_world WHERE owner = ?", arguments: [id]) {
      for table in ["studio_copy", "studio_member", "studio_draft"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [world])
      }
      try db.execute(sql: "DELETE FROM studio_world WHERE id = ?", arguments: [world])
      for table in ["place", "world_version"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [world])
      }
      // The number of its last version stays, so that a later world of that name counts on from it.
      try db.execute(
        sql: "UPDATE world SET removed = 1, generation = ? WHERE id = ?",
        arguments: [try nextGeneration(db), world]
      )
    }
  }

  private static func removePosters(of id: Int64, _ db: Database) throws {
    for number in try Int64.fetchAll(db, sql: "SELECT number FROM poster WHERE owner = ?", arguments: [id]) {
      try forgetWords(of: number, in: db)
      try db.execute(sql: "DELETE FROM poster WHERE number = ?", arguments: [number])
    }
  }

  /// What an account has written in worlds that stay is nobody's from now on.
  private static func forgetAuthor(_ account: Account, _ db: Database) throws {
    let arguments: StatementArguments = [account.id]
    let isAuthor = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM studio_draft WHERE author = ?1)
          OR EXISTS (SELECT 1 FROM studio_copy WHERE author = ?1)
        """,
      arguments: arguments
    )
    if isAuthor == true {
      // One row for all who ever were deleted: it cannot sign in, and no list shows it.
      try db.execute(
        sql: """
          INSERT INTO account (name, role, active, password, created_milliseconds) VALUES (?, 'author', 0, '', 0)
          ON CONFLICT (name) DO NOTHING
          """,
        arguments: [AccountName.deleted]
      )
      for table in ["studio_draft", "studio_copy"] {
        try db.execute(
          sql: "UPDATE \(table) SET author = (SELECT id FROM account WHERE name = ?) WHERE author = ?",
          arguments: [AccountName.deleted, account.id]
        )
      }
    }
    try db.execute(
      sql: "UPDATE world_version SET source = ? WHERE format = 'studio' AND source = ?",
      arguments: [AccountName.deleted, account.name]
    )
  }
}
