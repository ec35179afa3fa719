extension SQLAccountStore {
  /// What an account has.
  func belongings(of account: Int64) async throws -> AccountBelongings? {
    try await database.read { db in
      guard try Self.account(account, db) != nil else { return nil }
      return try Self.belongings(account, db)
    }
  }

  private static func belongings(_ account: Int64, _ db: any SQLConnection) throws -> AccountBelongings {
    func items(_ sql: String) throws -> [AccountBelongings.Item] {
      try db.rows(sql: sql, arguments: [account]).map {
        try AccountBelongings.Item(id: $0.value(0), title: $0.value(1))
      }
    }
    func number(_ sql: String) throws -> Int { try db.value(Int.self, sql: sql, arguments: [account]) ?? 0 }
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
    found.posters = try db.rows(sql: "SELECT document FROM poster WHERE owner = ? ORDER BY id", arguments: [account])
      .map {
        let poster = try SQLPosterStore.poster($0.value(0))
        return AccountBelongings.Item(id: poster.id, title: poster.title)
      }
    found.tours = try items("SELECT id, title FROM tour WHERE owner = ? ORDER BY title, id")
    found.runs = try number("SELECT count(*) FROM tour_run r JOIN tour t ON t.id = r.tour WHERE t.owner = ?")
    found.files = try number("SELECT count(*) FROM account_asset WHERE account = ?")
    found.bytes = try number("SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM account_asset WHERE account = ?")
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
      let runs = try db.values(
        String.self,
        sql: "SELECT r.id FROM tour_run r JOIN tour t ON t.id = r.tour WHERE t.owner = ? ORDER BY r.id",
        arguments: [id]
      )
      if let heir {
        guard heir != id, let other = try Self.account(heir, db), other.isActive else { return .noHeir }
        try SQLStudioStore.transfer(from: id, to: heir, db)
        try SQLPosterStore.transfer(from: id, to: heir, db)
        try SQLTourStore.transfer(from: id, to: heir, db)
        try SQLAssetStore.share(of: id, with: heir, db)
      } else {
        try SQLStudioStore.removeAll(of: id, db)
        try SQLPosterStore.removeAll(of: id, db)
        try SQLTourStore.removeAll(of: id, db)
      }
      try SQLStudioStore.forget(author: account, db)
      try SQLWorldStore.forget(author: account, db)
      _ = try Generation.next(db)
      // Sessions, links, the second factor, memberships and the count of files go with it.
      try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id])
      return .deleted(found, runs: runs)
    }
    if case .deleted = outcome { await database.forgetRemoved() }
    return outcome
  }
}
