import Crypto
import Foundation
import SightlineInput

/// Files in the database, beside all else, or their rows alone, with their bytes in a place outside.
struct SQLAssetStore: AssetStore {
  let database: any SQLDatabase
  /// Where the bytes of new files are kept; `nil` for the database.
  var place: (any AssetPlace)?
  /// What refers to files.
  private var documents: DocumentIndex { DocumentIndex(database: database) }

  /// Keeps a file under the SHA-256 of its bytes.
  func saveAsset(_ bytes: Data, mediaType: String) async throws -> String {
    let hash = Data(SHA256.hash(data: bytes))
    let milliseconds = Date().milliseconds
    let outside = try await writeOutside([(bytes, hash)], milliseconds)
    try await database.write { db in
      try Self.insertAsset(bytes, hash, mediaType, milliseconds, outside: outside[hash], db)
    }
    await removeLeft(outside)
    return hash.hexadecimal
  }

  /// Writes the bytes of files that are not there yet outside, if they belong there.
  ///
  /// - Returns: Their names there.
  private func writeOutside(_ files: [(bytes: Data, hash: Data)], _ milliseconds: Int64) async throws -> [Data: String]
  {
    guard let place else { return [:] }
    let hashes = files.map(\.hash)
    let known = try await database.read { db in
      try hashes.filter { try db.row(sql: "SELECT 1 FROM asset WHERE hash = ?", arguments: [$0]) != nil }
    }
    let new = Set(hashes).subtracting(known)
    guard !new.isEmpty else { return [:] }
    let names = Dictionary(new.map { ($0, AssetName.new(for: $0)) }) { first, _ in first }
    try await database.write { db in try AssetLeftovers.add(names.values.sorted(), at: milliseconds, db) }
    var rest = names
    for (bytes, hash) in files {
      if let name = rest.removeValue(forKey: hash) { try await place.write(bytes, name: name) }
    }
    return names
  }

  /// Removes what was written outside for a row that somebody else has made meanwhile, or nobody; what cannot be removed now
  /// is removed later.
  private func removeLeft(_ outside: [Data: String]) async {
    guard let place, !outside.isEmpty else { return }
    let names = outside.values.sorted()
    let left = try? await database.read { db in
      try names.filter { try db.row(sql: "SELECT 1 FROM asset_leftover WHERE name = ?", arguments: [$0]) != nil }
    }
    guard let left, !left.isEmpty else { return }
    for name in left { guard (try? await place.remove(name)) != nil else { return } }
    _ = try? await database.write { db in
      try db.executeEach(sql: "DELETE FROM asset_leftover WHERE name = ?", left.lazy.map { [$0] })
    }
  }

  private static func insertAsset(
    _ bytes: Data,
    _ hash: Data,
    _ mediaType: String,
    _ milliseconds: Int64,
    outside: String?,
    _ db: any SQLConnection
  ) throws {
    let added = try db.execute(
      sql: """
        INSERT INTO asset (hash, media_type, saved_milliseconds, bytes, outside, outside_bytes) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO NOTHING
        """,
      arguments: [
        hash, mediaType, milliseconds, outside == nil ? bytes : Data(), outside, outside == nil ? nil : bytes.count,
      ]
    )
    guard added == 0 else {
      if let outside { try AssetLeftovers.takeOut(outside, db) }
      return
    }
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
    // What certainly does not fit is not sent anywhere.
    let hashes = named.map(\.hash)
    let isHopeless = try await database.read { db in
      let own = try hashes.filter { hash in
        let sql = "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?"
        return try db.row(sql: sql, arguments: [account, hash]) == nil
      }
      guard !own.isEmpty else { return false }
      let bytes = Dictionary(named.map { ($0.hash, $0.file.bytes.count) }, uniquingKeysWith: max)
      return Set(own).reduce(try Self.use(of: account, db).bytes) { $0.saturatingAdd(bytes[$1] ?? 0) } > limit
    }
    let outside = isHopeless ? [:] : try await writeOutside(named.map { ($0.file.bytes, $0.hash) }, milliseconds)
    let keeping = try await database.write { db -> AssetKeeping in
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
        try Self.insertAsset(file.bytes, hash, file.mediaType, milliseconds, outside: outside[hash], db)
        guard added.remove(hash) != nil else { continue }
        try db.execute(
          sql: "INSERT INTO account_asset (account, hash, bytes) VALUES (?, ?, ?)",
          arguments: [account, hash, file.bytes.count]
        )
      }
      return .kept(hashes: named.map(\.hash.hexadecimal), used: total)
    }
    await removeLeft(outside)
    return keeping
  }

  /// A kept file.
  func asset(_ hash: String) async throws -> StoredAsset? {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return nil }
    for _ in 0..<3 {
      let row = try await database.read { db in
        try db.row(sql: "SELECT media_type, bytes, outside, outside_bytes FROM asset WHERE hash = ?", arguments: [key])
          .map { row in
            (
              asset: StoredAsset(hash: key.hexadecimal, mediaType: try row.value(0), bytes: try row.value(1)),
              name: try row.value(2) as String?, size: try row.value(3) as Int?
            )
          }
      }
      guard let row else { return nil }
      guard let name = row.name else { return row.asset }
      guard let place else { throw AssetPlaceError.notNamed(hash) }
      if let bytes = try await place.read(name, size: max(0, row.size ?? 0)) {
        guard Data(SHA256.hash(data: bytes)) == key else {
          throw AssetPlaceError.damaged(hash, place: place.description)
        }
        return StoredAsset(hash: row.asset.hash, mediaType: row.asset.mediaType, bytes: bytes)
      }
      // It may have been moved or removed since its row was read.
    }
    throw AssetPlaceError.lost(hash, place: place?.description ?? "")
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
      if removal == .removed {
        await database.forgetRemoved()
        // What cannot be removed now is removed by the retention.
        if let place { try? await AssetLeftovers.sweep(database, place, at: Date()) }
      }
      return removal
    }
  }

  // MARK: In others' transactions

  /// Removes a file, whosever it is.
  static func delete(_ hash: Data, _ db: any SQLConnection) throws {
    // Whoever sent it gets the room back.
    try db.execute(sql: "DELETE FROM account_asset WHERE hash = ?", arguments: [hash])
    try db.execute(sql: "DELETE FROM asset_touch WHERE hash = ?", arguments: [hash])
    try db.execute(
      sql: """
        INSERT INTO asset_leftover (name, milliseconds) SELECT outside, 0 FROM asset
        WHERE hash = ? AND outside IS NOT NULL ON CONFLICT DO NOTHING
        """,
      arguments: [hash]
    )
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
