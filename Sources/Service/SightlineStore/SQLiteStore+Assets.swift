import Crypto
public import Foundation
import GRDB
import SightlineInput

extension SQLiteStore {
  /// Keeps a file under the SHA-256 of its bytes.
  public func saveAsset(_ bytes: Data, mediaType: String) async throws -> String {
    let hash = Data(SHA256.hash(data: bytes))
    let milliseconds = SQLiteStore.milliseconds(Date())
    try await pool.write { db in try Self.insertAsset(bytes, hash, mediaType, milliseconds, db) }
    return hash.hexadecimal
  }

  private static func insertAsset(
    _ bytes: Data,
    _ hash: Data,
    _ mediaType: String,
    _ milliseconds: Int64,
    _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO asset (hash, media_type, saved_milliseconds, bytes) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO NOTHING
        """,
      arguments: [hash, mediaType, milliseconds, bytes]
    )
    guard db.changesCount == 0 else { return }
    // Sent again, it is as young as if it had come now; the large row itself is not written anew for that.
    try db.execute(
      sql: """
        INSERT INTO asset_touch (hash, milliseconds) VALUES (?1, ?2)
        ON CONFLICT (hash) DO UPDATE SET milliseconds = max(milliseconds, ?2)
        """,
      arguments: [hash, milliseconds]
    )
  }

  /// Keeps files for an author within a number of bytes.
  public func keepAssets(_ files: [AssetFile], account: Int64, limit: Int) async throws -> AssetKeeping {
    let named = files.map { (file: $0, hash: Data(SHA256.hash(data: $0.bytes))) }
    let milliseconds = Self.milliseconds(Date())
    return try await pool.write { db in
      let sum = "SELECT coalesce(sum(bytes), 0) FROM account_asset WHERE account = ?"
      let used = try Int.fetchOne(db, sql: sum, arguments: [account]) ?? 0
      var total = used
      var added: Set<Data> = []
      for (file, hash) in named where !added.contains(hash) {
        let known = "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?"
        guard try Bool.fetchOne(db, sql: known, arguments: [account, hash]) == nil else { continue }
        added.insert(hash)
        total = total.saturatingAdd(file.bytes.count)
      }
      guard added.isEmpty || total <= limit else { return .full(used: used) }
      for (file, hash) in named {
        try Self.insertAsset(file.bytes, hash, file.mediaType, milliseconds, db)
        guard added.remove(hash) != nil else { continue }
        try db.execute(
          sql: "INSERT INTO account_asset (account, hash, bytes) VALUES (?, ?, ?)",
          arguments: [account, hash, file.bytes.count]
        )
      }
      return .kept(hashes: named.map(\.hash.hexadecimal), used: total)
    }
  }

  /// A kept file.
  public func asset(_ hash: String) async throws -> StoredAsset? {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return nil }
    return try await pool.read { db in
      try Row.fetchOne(db, sql: "SELECT media_type, bytes FROM asset WHERE hash = ?", arguments: [key])
        .map { StoredAsset(hash: key.hexadecimal, mediaType: try $0.value(0), bytes: try $0.value(1)) }
    }
  }
}
