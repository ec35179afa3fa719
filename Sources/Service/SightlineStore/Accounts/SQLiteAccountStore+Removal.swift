import GRDB

extension SQLiteAccountStore {
  /// What an account has.
  func belongings(of account: Int64) async throws -> AccountBelongings? {
    try await database.read { db in
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

  /// Deletes an account with all it has, or hands what others see of it to another account: one transaction over the
  /// stores of all that an account can own.
  func deleteAccount(_ id: Int64, transferringTo heir: Int64?) async throws -> AccountDeletion {
    let outcome = try await database.write { db -> AccountDeletion in
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
        try SQLiteStudioStore.transfer(from: id, to: heir, db)
        try SQLitePosterStore.transfer(from: id, to: heir, db)
        try SQLiteTourStore.transfer(from: id, to: heir, db)
        try SQLiteAssetStore.share(of: id, with: heir, db)
      } else {
        try SQLiteStudioStore.removeAll(of: id, db)
        try SQLitePosterStore.removeAll(of: id, db)
        try SQLiteTourStore.removeAll(of: id, db)
      }
      try SQLiteStudioStore.forget(author: account, db)
      try SQLiteWorldStore.forget(author: account, db)
      _ = try SQLiteDatabase.nextGeneration(db)
      // Sessions, links, the second factor, memberships and the count of files go with it.
      try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id])
      return .deleted(found, runs: runs)
    }
    if case .deleted = outcome { await database.forgetRemoved() }
    return outcome
  }
}
