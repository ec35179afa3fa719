import Foundation
import SightlineInput

/// The table `asset_leftover`: names of bytes outside the database that no row has, or not any more.
///
/// A name is written down before its bytes are written, and crossed out by the transaction that makes the file's row; and
/// again by the one that removes the row. So whatever ends where: bytes without a row are known, and are removed in the end.
enum AssetLeftovers {
  /// How long bytes may be on their way, milliseconds.
  static let longestSending: Int64 = 86_400_000
  /// Most names at once.
  private static let batchNames = 200

  /// Writes names down.
  static func add(_ names: [String], at milliseconds: Int64, _ db: any SQLConnection) throws {
    try db.executeEach(
      sql: "INSERT INTO asset_leftover (name, milliseconds) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
      names.lazy.map { [$0, milliseconds] }
    )
  }

  /// Crosses a name out.
  ///
  /// - Throws: When it is gone already: its bytes may be, too.
  static func takeOut(_ name: String, _ db: any SQLConnection) throws {
    let count = try db.execute(sql: "DELETE FROM asset_leftover WHERE name = ?", arguments: [name])
    guard count == 1 else {
      throw AssetPlaceError.unreachable("the place of files", reason: "sending a file took more than a day.")
    }
  }

  /// Removes bytes that nobody needs.
  static func sweep(_ database: any SQLDatabase, _ place: any AssetPlace, at time: Date) async throws {
    let limit = time.milliseconds.saturatingSubtract(longestSending)
    var last = ""
    while true {
      try Task.checkCancellation()
      let former = last
      let names = try await database.read { db in
        try db.values(
          String.self,
          sql: """
            SELECT name FROM asset_leftover l WHERE milliseconds < ? AND name > ?
              AND NOT EXISTS (SELECT 1 FROM asset a WHERE a.outside = l.name)
            ORDER BY name LIMIT ?
            """,
          arguments: [limit, former, batchNames]
        )
      }
      guard let end = names.last else { return }
      last = end
      for name in names { try await place.remove(name) }
      _ = try await database.write { db in
        try db.executeEach(
          sql: "DELETE FROM asset_leftover WHERE name = ? AND milliseconds < ?",
          names.lazy.map { [$0, limit] }
        )
      }
    }
  }
}
