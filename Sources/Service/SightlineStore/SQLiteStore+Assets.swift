import Crypto
public import Foundation
import GRDB

extension SQLiteStore {
  /// Keeps a file under the SHA-256 of its bytes.
  public func saveAsset(_ bytes: Data, mediaType: String) async throws -> String {
    let hash = Data(SHA256.hash(data: bytes))
    let milliseconds = Int64((Date().timeIntervalSince1970 * 1000).rounded())
    try await pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO asset (hash, media_type, saved_milliseconds, bytes) VALUES (?, ?, ?, ?)
          ON CONFLICT (hash) DO NOTHING
          """,
        arguments: [hash, mediaType, milliseconds, bytes]
      )
    }
    return hash.hexadecimal
  }

  /// A kept file.
  public func asset(_ hash: String) async throws -> StoredAsset? {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return nil }
    return try await pool.read { db in
      try Row.fetchOne(db, sql: "SELECT media_type, bytes FROM asset WHERE hash = ?", arguments: [key])
        .map { StoredAsset(hash: key.hexadecimal, mediaType: $0[0], bytes: $0[1]) }
    }
  }
}
