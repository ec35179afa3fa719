import Crypto
import Foundation
import SightlineInput

/// Files in the database, beside all else.
struct SQLAssetStore: AssetStore {
  let database: any SQLDatabase
  /// What refers to files.
  private var documents: DocumentIndex { DocumentIndex(database: database) }

  /// Keeps a file under the SHA-256 of its bytes.
  func saveAsset(_ bytes: Data, mediaType: String) async throws -> String {
    let hash = Data(SHA256.hash(data: bytes))
    let milliseconds = Date().milliseconds
    try await database.write { db in try Self.insertAsset(bytes, hash, mediaType, milliseconds, db) }
    return hash.hexadecimal
  }

  private static func insertAsset(
    _ bytes: Data,
    _ hash: Data,
    _ mediaType: String,
    _ milliseconds: Int64,
    _ db: any SQLConnection
  ) throws {
    let added = try db.execute(
      sql: """
        INSERT INTO asset (hash, media_type, saved_milliseconds, bytes) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO NOTHING
        """,
      arguments: [hash, mediaType, milliseconds, bytes]
    )
    guard added == 0 else { return }
    // Sent again, it is as young as if it had come now; the large row itself is not written anew for that.
    try db.execute(
      sql: """
        INSERT INTO asset_touch (hash, milliseconds) VALUES (?1, ?2)
        ON CONFLICT (hash) DO UPDATE SET milliseconds = ?2 WHERE asset_touch.milliseconds < ?2
        """,
      arguments: [hash, milliseconds]
    )
  }

  /// Keeps files for an author within a number of bytes.
  func keepAssets(_ files: [AssetFile], account: Int64, limit: Int) async throws -> AssetKeeping {
    let named = files.map { (file: $0, hash: Data(SHA256.hash(data: $0.bytes))) }
    let milliseconds = Date().milliseconds
    return try await database.write { db in
      let sum = "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM account_asset WHERE account = ?"
      let used = try db.value(Int.self, sql: sum, arguments: [account]) ?? 0
      var total = used
      var added: Set<Data> = []
      for (file, hash) in named where !added.contains(hash) {
        let known = "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?"
        guard try db.value(Bool.self, sql: known, arguments: [account, hash]) == nil else { continue }
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
  func asset(_ hash: String) async throws -> StoredAsset? {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return nil }
    return try await database.read { db in
      try db.row(sql: "SELECT media_type, bytes FROM asset WHERE hash = ?", arguments: [key])
        .map { StoredAsset(hash: key.hexadecimal, mediaType: try $0.value(0), bytes: try $0.value(1)) }
    }
  }
}

// MARK: Authors

extension SQLAssetStore {
  private static func use(of account: Int64, _ db: any SQLConnection) throws -> (count: Int, bytes: Int) {
    let row = try db.row(
      sql: "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM account_asset WHERE account = ?",
      arguments: [account]
    )
    return try row.map { try ($0.value(0), $0.value(1)) } ?? (0, 0)
  }

  /// Notes that an author uses a file.
  func claimAsset(_ hash: String, bytes: Int, account: Int64, limit: Int) async throws -> Int? {
    guard let key = Data(hexadecimal: hash) else { return nil }
    return try await database.write { db in
      let used = try Self.use(of: account, db).bytes
      let known = try db.value(
        Bool.self,
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
  func assetUse(of account: Int64) async throws -> (count: Int, bytes: Int) {
    try await database.read { db in try Self.use(of: account, db) }
  }

  /// Files of an author, the largest first.
  func ownAssets(of account: Int64) async throws -> [OwnedAsset] {
    try await documents.update()
    return try await database.read { db in
      try db.rows(
        sql: """
          SELECT a.hash, a.media_type, o.bytes, a.saved_milliseconds, \(DocumentIndex.unusedAsset)
          FROM account_asset o JOIN asset a ON a.hash = o.hash WHERE o.account = ? ORDER BY o.bytes DESC, a.hash
          """,
        arguments: [account]
      ).map { row in
        OwnedAsset(
          hash: (try row.value(0) as Data).hexadecimal,
          mediaType: try row.value(1),
          bytes: try row.value(2),
          saved: Date(milliseconds: try row.value(3)),
          isUsed: !(try row.value(4) as Bool)
        )
      }
    }
  }

  /// Takes a file from an author unless something refers to it.
  func removeAsset(_ hash: String, of account: Int64) async throws -> AssetRemoval {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return .unknown }
    while true {
      try await documents.update()
      let removal: AssetRemoval? = try await database.write { db in
        guard try DocumentIndex.update(db) else { return nil }
        let sql = "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?"
        guard try db.value(Bool.self, sql: sql, arguments: [account, key]) != nil else { return .unknown }
        let unused = "SELECT 1 FROM asset a WHERE a.hash = ? AND \(DocumentIndex.unusedAsset)"
        guard try db.value(Bool.self, sql: unused, arguments: [key]) != nil else { return .inUse }
        try db.execute(sql: "DELETE FROM account_asset WHERE account = ? AND hash = ?", arguments: [account, key])
        let others = try db.value(Int.self, sql: "SELECT count(*) FROM account_asset WHERE hash = ?", arguments: [key])
        if others == 0 { try Self.delete(key, db) }
        return .removed
      }
      guard let removal else { continue }
      if removal == .removed { await database.forgetRemoved() }
      return removal
    }
  }

  // MARK: In others' transactions

  /// Removes a file, whosever it is.
  static func delete(_ hash: Data, _ db: any SQLConnection) throws {
    // Whoever sent it gets the room back.
    try db.execute(sql: "DELETE FROM account_asset WHERE hash = ?", arguments: [hash])
    try db.execute(sql: "DELETE FROM asset_touch WHERE hash = ?", arguments: [hash])
    try db.execute(sql: "DELETE FROM asset WHERE hash = ?", arguments: [hash])
  }

  /// Counts an account's files for another one, too.
  static func share(of id: Int64, with heir: Int64, _ db: any SQLConnection) throws {
    try db.execute(
      sql: """
        INSERT INTO account_asset (account, hash, bytes) SELECT ?2, hash, bytes FROM account_asset WHERE account = ?1
        ON CONFLICT DO NOTHING
        """,
      arguments: [id, heir]
    )
  }
}
