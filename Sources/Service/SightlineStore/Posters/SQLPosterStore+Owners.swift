import Foundation

extension SQLPosterStore {
  private static let ownedColumns = "document, owner, revision"

  private static func owned(_ row: SQLRow) throws -> OwnedPoster {
    try OwnedPoster(poster: poster(row.value(0)), owner: row.value(1), revision: row.value(2))
  }

  /// A poster with whose it is.
  func ownedPoster(_ id: String) async throws -> OwnedPoster? {
    try await database.read { db in
      try db.row(sql: "SELECT \(Self.ownedColumns) FROM poster WHERE id = ?", arguments: [id])
        .map(Self.owned)
    }
  }

  /// The posters that an account brought in, or all.
  func ownedPosters(of owner: Int64?) async throws -> [OwnedPoster] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT \(Self.ownedColumns) FROM poster WHERE ?1 IS NULL OR owner = ?1 ORDER BY revision DESC, id
          """,
        arguments: [owner]
      ).map(Self.owned)
    }
  }

  /// Adds a poster that an account brings in.
  func addPoster(_ poster: Poster, owner: Int64, limit: Int) async throws -> PosterAddition {
    let document = try Self.document(poster)
    return try await database.write { db in
      let count = try db.value(Int.self, sql: "SELECT COUNT(*) FROM poster WHERE owner = ?", arguments: [owner]) ?? 0
      guard count < limit else { return .full(count) }
      guard try db.value(Bool.self, sql: "SELECT 1 FROM poster WHERE id = ?", arguments: [poster.id]) == nil else {
        return .taken
      }
      let revision = try Self.write(poster, document, db)
      try db.execute(sql: "UPDATE poster SET owner = ? WHERE id = ?", arguments: [owner, poster.id])
      return .added(revision: revision)
    }
  }

  /// Puts a poster in the place of the one with its identifier.
  func replacePoster(_ poster: Poster, revision: Int64) async throws -> Int64? {
    let document = try Self.document(poster)
    return try await database.write { db in
      let now = try db.value(Int64.self, sql: "SELECT revision FROM poster WHERE id = ?", arguments: [poster.id])
      return now == revision ? try Self.write(poster, document, db) : nil
    }
  }
}

// MARK: In others' transactions

extension SQLPosterStore {
  /// Hands an account's posters to another one.
  static func transfer(from id: Int64, to heir: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "UPDATE poster SET owner = ? WHERE owner = ?", arguments: [heir, id])
  }

  /// Removes an account's posters.
  static func removeAll(of id: Int64, _ db: any SQLConnection) throws {
    for number in try db.values(Int64.self, sql: "SELECT number FROM poster WHERE owner = ?", arguments: [id]) {
      try forgetWords(of: number, in: db)
      try db.execute(sql: "DELETE FROM poster WHERE number = ?", arguments: [number])
    }
  }
}
