import Foundation
import SightlineInput

extension SQLRetentionStore {
  /// Worlds that were removed, published ones and those of the studio.
  static func removedWorlds(before limit: Int64, _ db: any SQLConnection) throws -> [String] {
    try db.values(
      String.self,
      sql: """
        SELECT id FROM world WHERE removed = 1 AND removed_milliseconds <= ?1
        UNION SELECT id FROM studio_world WHERE removed = 1 AND removed_milliseconds <= ?1
        """,
      arguments: [limit]
    )
  }

  private static let isRemovedWorld =
    "EXISTS (SELECT 1 FROM world w WHERE w.id = ?1 AND w.removed = 1 AND w.removed_milliseconds <= ?2)"
  private static let isRemovedDraft =
    "EXISTS (SELECT 1 FROM studio_world w WHERE w.id = ?1 AND w.removed = 1 AND w.removed_milliseconds <= ?2)"

  /// All documents of a removed world with their bytes.
  static func documents(
    ofRemoved id: String,
    before limit: Int64,
    _ db: any SQLConnection
  ) throws -> [(DocumentKey, Int)] {
    try [DocumentKind.version, .draft, .copy].flatMap { kind in
      try db.rows(
        sql: """
          SELECT \(kind.key), length(dimension) FROM \(kind.table)
          WHERE world = ?1 AND \(kind == .version ? isRemovedWorld : isRemovedDraft)
          """,
        arguments: [id, limit]
      ).map { (try DocumentKey(kind: kind, row: $0), try $0.value(1)) }
    }
  }

  func removeWorlds(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.removedWorlds, count: 0)
    let limit = rules.milliseconds(rules.removedWorldDays, before: time)
    for id in try await database.read({ db in try Self.removedWorlds(before: limit, db) }) {
      var isDone = false
      while !isDone {
        try Task.checkCancellation()
        let (removed, bytes) = try await database.write { db in
          try Self.purge(id, removedBefore: limit, bytes: Self.batchBytes, db)
        }
        report.add(.removedWorlds, count: removed ? 1 : 0, bytes: bytes)
        isDone = removed || bytes == 0
      }
    }
  }

  /// Removes what is left of a removed world, so many bytes of it.
  ///
  /// - Returns: Whether nothing is left, and the bytes that went.
  static func purge(
    _ id: String,
    removedBefore limit: Int64,
    bytes most: Int,
    _ db: any SQLConnection
  ) throws -> (isDone: Bool, bytes: Int) {
    var bytes = 0
    for (document, size) in try documents(ofRemoved: id, before: limit, db) {
      guard bytes < most else { return (false, bytes) }
      let kind = document.kind
      try db.execute(sql: "DELETE FROM \(kind.table) WHERE \(kind.key) = ?", arguments: [document.key])
      bytes = bytes.saturatingAdd(size)
    }
    var count = 0
    if try db.value(Bool.self, sql: "SELECT \(isRemovedWorld)", arguments: [id, limit]) == true {
      try db.execute(sql: "DELETE FROM place WHERE world = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM world WHERE id = ?", arguments: [id])
      count += 1
    }
    if try db.value(Bool.self, sql: "SELECT \(isRemovedDraft)", arguments: [id, limit]) == true {
      try db.execute(sql: "DELETE FROM studio_member WHERE world = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM studio_world WHERE id = ?", arguments: [id])
      count += 1
    }
    return (count > 0, bytes)
  }

  /// Versions of live worlds, or drafts that were published once, that are beyond the number kept and old enough.
  ///
  /// Never the live version, the latest draft, or the one that is published.
  static func oldDocuments(
    _ kind: RetentionReport.Kind,
    _ rules: RetentionRules,
    at time: Date,
    _ db: any SQLConnection
  ) throws -> [(DocumentKey, Int)] {
    let (document, condition) = kind == .drafts ? (DocumentKind.draft, oldDraft) : (.version, oldVersion)
    let owner = kind == .drafts ? "studio_world" : "world"
    return try db.rows(
      sql: """
        SELECT number, bytes FROM (
          SELECT d.rowid AS number, length(d.dimension) AS bytes, d.saved_milliseconds AS saved,
            row_number() OVER (PARTITION BY d.world ORDER BY d.version DESC) AS place
          FROM \(document.table) d JOIN \(owner) w ON w.id = d.world WHERE w.removed = 0 AND \(condition)
        ) AS aged WHERE place >= ? AND saved < ?
        """,
      arguments: [max(1, rules.versions), rules.milliseconds(rules.versionDays, before: time)]
    ).map { (try DocumentKey(kind: document, row: $0), try $0.value(1)) }
  }

  private static let oldVersion = "d.version <> w.version"
  private static let oldDraft =
    "d.was_published = 1 AND d.version <> w.version AND d.version IS DISTINCT FROM w.published"

  func removeDocuments(
    _ kind: RetentionReport.Kind,
    _ rules: RetentionRules,
    at time: Date,
    _ report: inout RetentionReport
  ) async throws {
    report.add(kind, count: 0)
    var rest = try await database.read { db in try Self.oldDocuments(kind, rules, at: time, db) }[...]
    let (condition, owner) = kind == .drafts ? (Self.oldDraft, "studio_world") : (Self.oldVersion, "world")
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = Self.batch(&rest) { $0.1 }
      let (count, bytes) = try await database.write { db in
        var (count, bytes) = (0, 0)
        for (document, size) in batch {
          let table = document.kind.table
          let removed = try db.execute(
            sql: """
              DELETE FROM \(table) WHERE rowid = ?1 AND EXISTS
                (SELECT 1 FROM \(table) d JOIN \(owner) w ON w.id = d.world WHERE d.rowid = ?1 AND \(condition))
              """,
            arguments: [document.key]
          )
          guard removed > 0 else { continue }
          count += 1
          bytes = bytes.saturatingAdd(size)
        }
        return (count, bytes)
      }
      report.add(kind, count: count, bytes: bytes)
    }
  }
}
