public import Foundation
import GRDB
import SightlineInput
import SightlineTours

// Everything here is written in transactions of some hundred rows or 16 MiB at most, so that nobody who saves waits long,
// and each looks again whether what it removes may still go.

extension SQLiteStore {
  /// Most bytes of documents and files in one transaction.
  private static let batchBytes = 16 * 1024 * 1024
  /// Most rows in one transaction.
  private static let batchRows = 200
  /// Most positions or events in one transaction.
  private static let batchPoints = 5000

  /// Removes what the rules say.
  public func retain(
    _ rules: RetentionRules,
    at time: Date,
    isDryRun: Bool
  ) async throws -> RetentionReport {
    if isDryRun { return try await pool.read { db in try Self.outlook(rules, at: time, db) } }
    var report = RetentionReport(isDryRun: false)
    try await endSessions(rules, at: time, &report)
    try await removeRuns(rules, at: time, &report)
    try await removePositions(rules, at: time, &report)
    try await removeWorlds(rules, at: time, &report)
    for kind in [RetentionReport.Kind.worldVersions, .drafts] {
      try await removeDocuments(kind, rules, at: time, &report)
    }
    try await removeFiles(rules, at: time, &report)
    let events = try await removeOldSecurityEvents(before: Self.logLimit(rules, time))
    report.add(.securityLog, count: events)
    if report.entries.contains(where: { $0.count > 0 }) { await forgetRemoved() }
    return report
  }

  /// What a run would do, in one reading.
  private static func outlook(_ rules: RetentionRules, at time: Date, _ db: Database) throws -> RetentionReport {
    var report = RetentionReport(isDryRun: true)
    /// Rows whose references would go with them.
    var doomed: Set<DocumentKey> = []
    let (sessions, links) = try (
      Int.fetchOne(db, sql: "SELECT count(*) FROM account_session \(endedSessions)", arguments: ended(rules, time)),
      Int.fetchOne(db, sql: "SELECT count(*) FROM one_time_link \(endedLinks)", arguments: [milliseconds(time)])
    )
    report.add(.sessions, count: sessions ?? 0)
    report.add(.links, count: links ?? 0)
    report.add(.runs, count: 0)
    for run in try expiredRuns(rules, at: time, db) {
      report.add(.runs, bytes: run.bytes)
      report.runs.append(run.id)
      doomed.insert(DocumentKey(kind: .run, key: run.id.databaseValue))
    }
    let old = rules.milliseconds(rules.positionDays, before: time)
    let positions = try Int.fetchOne(
      db,
      sql: "SELECT count(*) FROM tour_track WHERE milliseconds < ?",
      arguments: [old]
    )
    report.add(.positions, count: positions ?? 0)
    report.add(.removedWorlds, count: 0)
    let removal = rules.milliseconds(rules.removedWorldDays, before: time)
    for id in try removedWorlds(before: removal, db) {
      report.add(.removedWorlds)
      for (document, bytes) in try documents(ofRemoved: id, before: removal, db) {
        report.add(.removedWorlds, count: 0, bytes: bytes)
        doomed.insert(document)
      }
    }
    for kind in [RetentionReport.Kind.worldVersions, .drafts] {
      report.add(kind, count: 0)
      for (document, bytes) in try oldDocuments(kind, rules, at: time, db) {
        report.add(kind, bytes: bytes)
        doomed.insert(document)
      }
    }
    report.add(.files, count: 0)
    // What has changed since references were last looked up is read here, without writing anything down.
    var fresh: Set<Data> = []
    for document in try changedDocuments(limit: nil, db) where !doomed.contains(document) {
      if let content = try content(of: document, db) { fresh.formUnion(AssetReferences.find(in: content)) }
    }
    let limit = rules.milliseconds(rules.uploadDays, before: time)
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT hash, length(bytes) FROM asset a WHERE \(oldFiles)",
      arguments: [limit, limit]
    )
    while let row = try rows.next() {
      let hash: Data = try row.value(0)
      let start = hash.prefix(AssetReferences.keptBytes)
      if fresh.contains(Data(start)) { continue }
      let references = try Row.fetchAll(
        db,
        sql: "SELECT kind, key FROM asset_reference WHERE hash = ?",
        arguments: [Data(start)]
      )
      // References of changed documents are out of date; those documents were read above.
      let isUsed = try references.contains { row in
        guard let document = try DocumentKey(row), !doomed.contains(document) else { return false }
        return try !hasChanged(document, db)
      }
      if !isUsed { report.add(.files, bytes: try row.value(1)) }
    }
    let events = try Int.fetchOne(
      db,
      sql: "SELECT count(*) FROM security_event WHERE milliseconds < ?",
      arguments: [milliseconds(logLimit(rules, time))]
    )
    report.add(.securityLog, count: events ?? 0)
    return report
  }
}

// MARK: Sessions and links

extension SQLiteStore {
  private static let endedSessions = "WHERE used_milliseconds < ? OR created_milliseconds < ?"
  /// Lines of the security log before this go.
  fileprivate static func logLimit(_ rules: RetentionRules, _ time: Date) -> Date {
    time.addingTimeInterval(-Double(rules.securityLogDays) * 86_400)
  }

  private static let endedLinks = "WHERE expires_milliseconds < ?"

  private static func ended(_ rules: RetentionRules, _ time: Date) -> StatementArguments {
    [
      milliseconds(time.addingTimeInterval(-rules.sessionIdleTime)),
      milliseconds(time.addingTimeInterval(-rules.sessionLongestTime)),
    ]
  }

  private func endSessions(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    let (sessions, links) = try await pool.write { db in
      try db.execute(sql: "DELETE FROM account_session \(Self.endedSessions)", arguments: Self.ended(rules, time))
      let sessions = db.changesCount
      try db.execute(sql: "DELETE FROM one_time_link \(Self.endedLinks)", arguments: [Self.milliseconds(time)])
      return (sessions, db.changesCount)
    }
    report.add(.sessions, count: sessions)
    report.add(.links, count: links)
  }
}

// MARK: Runs of tours and positions

extension SQLiteStore {
  /// Runs whose time is over.
  private static func expiredRuns(
    _ rules: RetentionRules,
    at time: Date,
    only id: String? = nil,
    _ db: Database
  ) throws -> [(id: String, bytes: Int)] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT r.id, r.tour, t.owner, r.trial, r.created_milliseconds, r.revision, r.schedule, r.definition
        FROM tour_run r JOIN tour t ON t.id = r.tour WHERE ?1 IS NULL OR r.id = ?1 ORDER BY r.id
        """,
      arguments: [id]
    )
    var expired: [(id: String, bytes: Int)] = []
    while let row = try rows.next() {
      // A run that this program cannot read is left to one that can.
      guard let run = try? Self.run(row) else { continue }
      var last: Date?
      if !run.isTrial, run.schedule.started != nil, run.schedule.ended == nil {
        let sql = "SELECT max(received_milliseconds) FROM tour_event WHERE run = ?"
        last = try Int64.fetchOne(db, sql: sql, arguments: [run.id]).map(date)
      }
      guard time >= run.expiry(lastEvent: last, mostDays: rules.runDays) else { continue }
      expired.append((run.id, (try row.value(7) as Data).count))
    }
    return expired
  }

  /// Removes the runs whose time is over.
  ///
  /// Days of keeping count from the teacher's end, else from the last event; a run that never began holds nothing of
  /// pupils and stays half a year; an author's own try stays a day.
  public func removeExpiredRuns(at time: Date) async throws -> [String] {
    var report = RetentionReport(isDryRun: false)
    try await removeRuns(RetentionRules(), at: time, &report)
    if !report.runs.isEmpty { await forgetRemoved() }
    return report.runs
  }

  private func removeRuns(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.runs, count: 0)
    for run in try await pool.read({ db in try Self.expiredRuns(rules, at: time, db) }) {
      var state = Removal.more
      while state == .more {
        try Task.checkCancellation()
        state = try await pool.write { db in
          guard try !Self.expiredRuns(rules, at: time, only: run.id, db).isEmpty else { return .kept }
          for table in ["tour_track", "tour_event"] {
            try db.execute(
              sql: """
                DELETE FROM \(table) WHERE number IN (SELECT number FROM \(table) WHERE run = ? LIMIT \(Self.batchPoints))
                """,
              arguments: [run.id]
            )
            if db.changesCount == Self.batchPoints { return .more }
          }
          try db.execute(sql: "DELETE FROM tour_run WHERE id = ?", arguments: [run.id])
          return db.changesCount > 0 ? .removed : .kept
        }
      }
      guard state == .removed else { continue }
      report.add(.runs, bytes: run.bytes)
      report.runs.append(run.id)
    }
  }

  private enum Removal { case more, removed, kept }

  private func removePositions(
    _ rules: RetentionRules,
    at time: Date,
    _ report: inout RetentionReport
  ) async throws {
    report.add(.positions, count: 0)
    let limit = rules.milliseconds(rules.positionDays, before: time)
    var count = 0
    repeat {
      try Task.checkCancellation()
      count = try await pool.write { db in
        try db.execute(
          sql: """
            DELETE FROM tour_track WHERE number IN
              (SELECT number FROM tour_track WHERE milliseconds < ? LIMIT \(Self.batchPoints))
            """,
          arguments: [limit]
        )
        return db.changesCount
      }
      report.add(.positions, count: count)
    } while count > 0
  }
}

// MARK: Worlds

extension SQLiteStore {
  /// Worlds that were removed, published ones and those of the studio.
  private static func removedWorlds(before limit: Int64, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
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
  private static func documents(
    ofRemoved id: String,
    before limit: Int64,
    _ db: Database
  ) throws -> [(DocumentKey, Int)] {
    try [DocumentKind.version, .draft, .copy].flatMap { kind in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(kind.key), length(dimension) FROM \(kind.table)
          WHERE world = ?1 AND \(kind == .version ? isRemovedWorld : isRemovedDraft)
          """,
        arguments: [id, limit]
      ).map { (DocumentKey(kind: kind, key: try $0.value(0)), try $0.value(1)) }
    }
  }

  private func removeWorlds(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.removedWorlds, count: 0)
    let limit = rules.milliseconds(rules.removedWorldDays, before: time)
    for id in try await pool.read({ db in try Self.removedWorlds(before: limit, db) }) {
      var isDone = false
      while !isDone {
        try Task.checkCancellation()
        let (removed, bytes) = try await pool.write { db in
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
    _ db: Database
  ) throws -> (isDone: Bool, bytes: Int) {
    var bytes = 0
    for (document, size) in try documents(ofRemoved: id, before: limit, db) {
      guard bytes < most else { return (false, bytes) }
      let kind = document.kind
      try db.execute(sql: "DELETE FROM \(kind.table) WHERE \(kind.key) = ?", arguments: [document.key])
      bytes = bytes.saturatingAdd(size)
    }
    var count = 0
    if try Bool.fetchOne(db, sql: "SELECT \(isRemovedWorld)", arguments: [id, limit]) == true {
      try db.execute(sql: "DELETE FROM place WHERE world = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM world WHERE id = ?", arguments: [id])
      count += 1
    }
    if try Bool.fetchOne(db, sql: "SELECT \(isRemovedDraft)", arguments: [id, limit]) == true {
      try db.execute(sql: "DELETE FROM studio_member WHERE world = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM studio_world WHERE id = ?", arguments: [id])
      count += 1
    }
    return (count > 0, bytes)
  }

  /// Versions of live worlds, or drafts that were published once, that are beyond the number kept and old enough.
  ///
  /// Never the live version, the latest draft, or the one that is published.
  private static func oldDocuments(
    _ kind: RetentionReport.Kind,
    _ rules: RetentionRules,
    at time: Date,
    _ db: Database
  ) throws -> [(DocumentKey, Int)] {
    let (document, condition) = kind == .drafts ? (DocumentKind.draft, oldDraft) : (.version, oldVersion)
    let owner = kind == .drafts ? "studio_world" : "world"
    return try Row.fetchAll(
      db,
      sql: """
        SELECT number, bytes FROM (
          SELECT d.rowid AS number, length(d.dimension) AS bytes, d.saved_milliseconds AS saved,
            row_number() OVER (PARTITION BY d.world ORDER BY d.version DESC) AS place
          FROM \(document.table) d JOIN \(owner) w ON w.id = d.world WHERE w.removed = 0 AND \(condition)
        ) WHERE place >= ? AND saved < ?
        """,
      arguments: [max(1, rules.versions), rules.milliseconds(rules.versionDays, before: time)]
    ).map { (DocumentKey(kind: document, key: try $0.value(0)), try $0.value(1)) }
  }

  private static let oldVersion = "d.version <> w.version"
  private static let oldDraft = "d.was_published = 1 AND d.version <> w.version AND d.version IS NOT w.published"

  private func removeDocuments(
    _ kind: RetentionReport.Kind,
    _ rules: RetentionRules,
    at time: Date,
    _ report: inout RetentionReport
  ) async throws {
    report.add(kind, count: 0)
    var rest = try await pool.read { db in try Self.oldDocuments(kind, rules, at: time, db) }[...]
    let (condition, owner) = kind == .drafts ? (Self.oldDraft, "studio_world") : (Self.oldVersion, "world")
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = Self.batch(&rest) { $0.1 }
      let (count, bytes) = try await pool.write { db in
        var (count, bytes) = (0, 0)
        for (document, size) in batch {
          let table = document.kind.table
          try db.execute(
            sql: """
              DELETE FROM \(table) WHERE rowid = ?1 AND EXISTS
                (SELECT 1 FROM \(table) d JOIN \(owner) w ON w.id = d.world WHERE d.rowid = ?1 AND \(condition))
              """,
            arguments: [document.key]
          )
          guard db.changesCount > 0 else { continue }
          count += 1
          bytes = bytes.saturatingAdd(size)
        }
        return (count, bytes)
      }
      report.add(kind, count: count, bytes: bytes)
    }
  }

  /// Takes from a list what one transaction is to do.
  private static func batch<Element>(_ rest: inout ArraySlice<Element>, bytes: (Element) -> Int) -> [Element] {
    var (batch, total): ([Element], Int) = ([], 0)
    while let next = rest.first, batch.count < batchRows, total < batchBytes {
      batch.append(next)
      total = total.saturatingAdd(bytes(next))
      rest.removeFirst()
    }
    return batch
  }
}

// MARK: Files

extension SQLiteStore {
  /// Files that are neither young nor sent again lately.
  private static let oldFiles = """
    a.saved_milliseconds < ? AND NOT EXISTS
      (SELECT 1 FROM asset_touch t WHERE t.hash = a.hash AND t.milliseconds >= ?)
    """
  private static let unusedFiles =
    "NOT EXISTS (SELECT 1 FROM asset_reference r WHERE r.hash = substr(a.hash, 1, \(AssetReferences.keptBytes)))"

  private func removeFiles(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.files, count: 0)
    let limit = rules.milliseconds(rules.uploadDays, before: time)
    try await indexDocuments()
    var rest = try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT hash, length(bytes) FROM asset a WHERE \(Self.oldFiles) AND \(Self.unusedFiles)",
        arguments: [limit, limit]
      ).map { (hash: try $0.value(0) as Data, bytes: try $0.value(1) as Int) }
    }[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = Self.batch(&rest) { $0.bytes }
      var isDone = false
      while !isDone {
        // What was saved since the last look refers to files too: it is looked up in the transaction that removes them.
        let removed: (count: Int, bytes: Int)? = try await pool.write { db in
          guard try Self.indexDocuments(db) else { return nil }
          var (count, bytes) = (0, 0)
          for file in batch {
            let mayGo = try Bool.fetchOne(
              db,
              sql: "SELECT 1 FROM asset a WHERE a.hash = ? AND \(Self.oldFiles) AND \(Self.unusedFiles)",
              arguments: [file.hash, limit, limit]
            )
            guard mayGo != nil else { continue }
            try Self.deleteFile(file.hash, db)
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
    try await pool.write { db in
      try db.execute(sql: "DELETE FROM asset_touch WHERE milliseconds < ?", arguments: [limit])
    }
  }

  private static func deleteFile(_ hash: Data, _ db: Database) throws {
    // Whoever sent it gets the room back.
    try db.execute(sql: "DELETE FROM account_asset WHERE hash = ?", arguments: [hash])
    try db.execute(sql: "DELETE FROM asset_touch WHERE hash = ?", arguments: [hash])
    try db.execute(sql: "DELETE FROM asset WHERE hash = ?", arguments: [hash])
  }

  /// Files of an author, the largest first.
  public func ownAssets(of account: Int64) async throws -> [OwnedAsset] {
    try await indexDocuments()
    return try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT a.hash, a.media_type, o.bytes, a.saved_milliseconds, \(Self.unusedFiles)
          FROM account_asset o JOIN asset a ON a.hash = o.hash WHERE o.account = ? ORDER BY o.bytes DESC, a.hash
          """,
        arguments: [account]
      ).map { row in
        OwnedAsset(
          hash: (try row.value(0) as Data).hexadecimal,
          mediaType: try row.value(1),
          bytes: try row.value(2),
          saved: Self.date(try row.value(3)),
          isUsed: !(try row.value(4) as Bool)
        )
      }
    }
  }

  /// Takes a file from an author unless something refers to it.
  public func removeAsset(_ hash: String, of account: Int64) async throws -> AssetRemoval {
    guard let key = Data(hexadecimal: hash), key.count == 32 else { return .unknown }
    while true {
      try await indexDocuments()
      let removal: AssetRemoval? = try await pool.write { db in
        guard try Self.indexDocuments(db) else { return nil }
        let sql = "SELECT 1 FROM account_asset WHERE account = ? AND hash = ?"
        guard try Bool.fetchOne(db, sql: sql, arguments: [account, key]) != nil else { return .unknown }
        let unused = "SELECT 1 FROM asset a WHERE a.hash = ? AND \(Self.unusedFiles)"
        guard try Bool.fetchOne(db, sql: unused, arguments: [key]) != nil else { return .inUse }
        try db.execute(sql: "DELETE FROM account_asset WHERE account = ? AND hash = ?", arguments: [account, key])
        let others = try Int.fetchOne(db, sql: "SELECT count(*) FROM account_asset WHERE hash = ?", arguments: [key])
        if others == 0 { try Self.deleteFile(key, db) }
        return .removed
      }
      guard let removal else { continue }
      if removal == .removed { await forgetRemoved() }
      return removal
    }
  }
}

// MARK: References

/// A row with a document.
struct DocumentKey: Hashable {
  var kind: DocumentKind
  var key: DatabaseValue

  init(kind: DocumentKind, key: DatabaseValue) {
    self.kind = kind
    self.key = key
  }

  /// From a row that begins with kind and key.
  init?(_ row: Row) throws {
    guard let kind = DocumentKind(rawValue: try row.value(0)) else { return nil }
    self.init(kind: kind, key: try row.value(1))
  }
}

extension SQLiteStore {
  /// Looks up what documents refer to that have changed since the last time.
  func indexDocuments() async throws {
    var isDone = false
    while !isDone {
      try Task.checkCancellation()
      // Mostly there is nothing to do, and nobody who writes is kept waiting for that.
      let hasChanges = try await pool.read { db in
        try Bool.fetchOne(db, sql: "SELECT 1 FROM document_change LIMIT 1") != nil
      }
      guard hasChanges else { return }
      isDone = try await pool.write { db in try Self.indexDocuments(db) }
    }
  }

  /// The same for so much as one transaction may do.
  ///
  /// - Returns: Whether all are up to date.
  static func indexDocuments(_ db: Database) throws -> Bool {
    let changed = try changedDocuments(limit: batchRows, db)
    var bytes = 0
    for (index, document) in changed.enumerated() {
      let arguments: StatementArguments = [document.kind.rawValue, document.key]
      try db.execute(sql: "DELETE FROM asset_reference WHERE kind = ? AND key = ?", arguments: arguments)
      if let content = try content(of: document, db) {
        bytes += content.count
        let insert = try db.cachedStatement(sql: "INSERT INTO asset_reference (hash, kind, key) VALUES (?, ?, ?)")
        for hash in AssetReferences.find(in: content) { try insert.execute(arguments: [hash] + arguments) }
      }
      try db.execute(sql: "DELETE FROM document_change WHERE kind = ? AND key = ?", arguments: arguments)
      if bytes >= batchBytes, index + 1 < changed.count { return false }
    }
    return changed.count < batchRows
  }

  private static func changedDocuments(limit: Int?, _ db: Database) throws -> [DocumentKey] {
    try Row.fetchAll(db, sql: "SELECT kind, key FROM document_change LIMIT ?", arguments: [limit ?? -1])
      .compactMap(DocumentKey.init)
  }

  private static func hasChanged(_ document: DocumentKey, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: "SELECT 1 FROM document_change WHERE kind = ? AND key = ?",
      arguments: [document.kind.rawValue, document.key]
    ) != nil
  }

  private static func content(of document: DocumentKey, _ db: Database) throws -> Data? {
    let kind = document.kind
    return try Data.fetchOne(
      db,
      sql: "SELECT \(kind.content) FROM \(kind.table) WHERE \(kind.key) = ?",
      arguments: [document.key]
    )
  }
}

// MARK: The file

extension SQLiteStore {
  /// Most pages that are given back in one transaction.
  private static let pagesAtOnce = 1000

  /// Gives the database's free pages back to the disk, as far as the file was made for it.
  ///
  /// Files of older programs keep theirs and use them again; see ``compact()``.
  public func shrink() async throws -> (before: Int, after: Int) {
    func size() async throws -> (bytes: Int, free: Int, mode: Int) {
      try await pool.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let page = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        return (
          pages.saturatingMultiply(page), try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
          try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") ?? 0
        )
      }
    }
    let before = try await size()
    var now = before
    while now.mode == 2, now.free > 0 {
      try Task.checkCancellation()
      try await pool.writeWithoutTransaction { db in
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(Self.pagesAtOnce))")
      }
      let next = try await size()
      guard next.free < now.free else { break }
      now = next
    }
    await forgetRemoved()
    return (before.bytes, now.bytes)
  }

  /// Writes the whole file anew, without free pages and in the form that gives them back by itself from then on.
  ///
  /// Needs as much room on the disk again, and others who write wait for it: for a program of its own, not for a server.
  public func compact() async throws {
    try await pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute(sql: "VACUUM")
    }
    await forgetRemoved()
  }
}
