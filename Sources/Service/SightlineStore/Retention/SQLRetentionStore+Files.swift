import Foundation
import SightlineInput

extension SQLRetentionStore {
  /// Files that are neither young nor sent again lately.
  static let oldFiles = """
    a.saved_milliseconds < ? AND NOT EXISTS
      (SELECT 1 FROM asset_touch t WHERE t.hash = a.hash AND t.milliseconds >= ?)
    """

  func removeFiles(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.files, count: 0)
    let limit = rules.milliseconds(rules.uploadDays, before: time)
    try await DocumentIndex(database: database).update()
    var rest = try await database.read { db in
      try db.rows(
        sql: """
          SELECT hash, coalesce(outside_bytes, length(bytes)) FROM asset a
          WHERE \(Self.oldFiles) AND \(DocumentIndex.unusedAsset)
          """,
        arguments: [limit, limit]
      ).map { (hash: try $0.value(0) as Data, bytes: try $0.value(1) as Int) }
    }[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = Self.batch(&rest) { $0.bytes }
      var isDone = false
      while !isDone {
        // What was saved since the last look refers to files too: it is looked up in the transaction that removes them.
        let removed: (count: Int, bytes: Int)? = try await database.write { db in
          guard try DocumentIndex.update(db) else { return nil }
          var (count, bytes) = (0, 0)
          for file in batch {
            let mayGo = try db.value(
              Bool.self,
              sql: "SELECT 1 FROM asset a WHERE a.hash = ? AND \(Self.oldFiles) AND \(DocumentIndex.unusedAsset)",
              arguments: [file.hash, limit, limit]
            )
            guard mayGo != nil else { continue }
            try SQLAssetStore.delete(file.hash, db)
            count += 1
            bytes = bytes.saturatingAdd(file.bytes)
          }
          return (count, bytes)
        }
        guard let removed else {
          try Task.checkCancellation()
          continue
        }
        report.add(.files, count: removed.count, bytes: removed.bytes)
        isDone = true
      }
    }
    _ = try await database.write { db in
      try db.execute(sql: "DELETE FROM asset_touch WHERE milliseconds < ?", arguments: [limit])
    }
  }
}
