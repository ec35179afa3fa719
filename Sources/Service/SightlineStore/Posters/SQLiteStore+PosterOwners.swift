import Foundation
import GRDB

extension SQLiteStore {
  private static let ownedColumns = "document, owner, revision"

  private static func owned(_ row: Row) throws -> OwnedPoster {
    try OwnedPoster(poster: poster(row.value(0)), owner: row.value(1), revision: row.value(2))
  }

  /// A poster with whose it is.
  public func ownedPoster(_ id: String) async throws -> OwnedPoster? {
    try await pool.read { db in
      try Row.fetchOne(db, sql: "SELECT \(Self.ownedColumns) FROM poster WHERE id = ?", arguments: [id])
        .map(Self.owned)
    }
  }

  /// The posters that an account brought in, or all.
  public func ownedPosters(of owner: Int64?) async throws -> [OwnedPoster] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(Self.ownedColumns) FROM poster WHERE ?1 IS NULL OR owner = ?1 ORDER BY revision DESC, id
          """,
        arguments: [owner]
      ).map(Self.owned)
    }
  }

  /// Adds a poster that an account brings in.
  public func addPoster(_ poster: Poster, owner: Int64, limit: Int) async throws -> PosterAddition {
    let document = try Self.document(poster)
    return try await pool.write { db in
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM poster WHERE owner = ?", arguments: [owner]) ?? 0
      guard count < limit else { return .full(count) }
      guard try Bool.fetchOne(db, sql: "SELECT 1 FROM poster WHERE id = ?", arguments: [poster.id]) == nil else {
        return .taken
      }
      let revision = try Self.write(poster, document, db)
      try db.execute(sql: "UPDATE poster SET owner = ? WHERE id = ?", arguments: [owner, poster.id])
      return .added(revision: revision)
    }
  }

  /// Puts a poster in the place of the one with its identifier.
  public func replacePoster(_ poster: Poster, revision: Int64) async throws -> Int64? {
    let document = try Self.document(poster)
    return try await pool.write { db in
      let now = try Int64.fetchOne(db, sql: "SELECT revision FROM poster WHERE id = ?", arguments: [poster.id])
      return now == revision ? try Self.write(poster, document, db) : nil
    }
  }
}
