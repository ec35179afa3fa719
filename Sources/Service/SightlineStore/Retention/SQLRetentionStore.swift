import Foundation
import SightlineInput
import SightlineTours

// Everything here is written in transactions of some hundred rows or 16 MiB at most, so that nobody who saves waits long,
// and each looks again whether what it removes may still go.

/// Removing what nobody needs any more from the database.
struct SQLRetentionStore: RetentionStore {
  let database: any SQLDatabase
  /// Where the bytes of files are that lie outside it.
  var place: (any AssetPlace)?

  /// Most bytes of documents and files in one transaction.
  static let batchBytes = 16 * 1024 * 1024
  /// Most rows in one transaction.
  static let batchRows = 200
  /// Most positions or events in one transaction.
  static let batchPoints = 5000

  /// Removes what the rules say.
  func retain(
    _ rules: RetentionRules,
    at time: Date,
    isDryRun: Bool
  ) async throws -> RetentionReport {
    if isDryRun { return try await database.read { db in try Self.outlook(rules, at: time, db) } }
    var report = RetentionReport(isDryRun: false)
    try await endSessions(rules, at: time, &report)
    try await removeRuns(rules, at: time, &report)
    try await removePositions(rules, at: time, &report)
    try await removeWorlds(rules, at: time, &report)
    for kind in [RetentionReport.Kind.worldVersions, .drafts] {
      try await removeDocuments(kind, rules, at: time, &report)
    }
    try await removeFiles(rules, at: time, &report)
    let events = try await SQLSecurityLogStore(database: database).removeOldSecurityEvents(
      before: Self.logLimit(rules, time)
    )
    report.add(.securityLog, count: events)
    if report.entries.contains(where: { $0.count > 0 }) { await database.forgetRemoved() }
    if let place { try await AssetLeftovers.sweep(database, place, at: time) }
    return report
  }

  /// What a run would do, in one reading.
  private static func outlook(_ rules: RetentionRules, at time: Date, _ db: any SQLConnection) throws -> RetentionReport
  {
    var report = RetentionReport(isDryRun: true)
    /// Rows whose references would go with them.
    var doomed: Set<DocumentKey> = []
    let (unused, old) = sessionLimits(rules, time)
    report.add(.sessions, count: try SQLSessionStore.countStale(unusedSince: unused, madeBefore: old, db))
    report.add(.links, count: try SQLInvitationStore.countExpired(before: time, db))
    report.add(.runs, count: 0)
    for run in try expiredRuns(rules, at: time, db) {
      report.add(.runs, bytes: run.bytes)
      report.runs.append(run.id)
      doomed.insert(DocumentKey(kind: .run, key: .text(run.id)))
    }
    let positions = try db.value(
      Int.self,
      sql: "SELECT count(*) FROM tour_track WHERE milliseconds < ?",
      arguments: [rules.milliseconds(rules.positionDays, before: time)]
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
    for document in try DocumentIndex.changed(limit: nil, db) where !doomed.contains(document) {
      if let content = try DocumentIndex.content(of: document, db) {
        fresh.formUnion(AssetReferences.find(in: content))
      }
    }
    let limit = rules.milliseconds(rules.uploadDays, before: time)
    let rows = try db.rows(
      sql: "SELECT hash, coalesce(outside_bytes, length(bytes)) FROM asset a WHERE \(oldFiles)",
      arguments: [limit, limit]
    )
    for row in rows {
      let hash: Data = try row.value(0)
      let start = hash.prefix(AssetReferences.keptBytes)
      if fresh.contains(Data(start)) { continue }
      let references = try db.rows(
        sql: "SELECT kind, CAST(key AS TEXT) FROM asset_reference WHERE hash = ?",
        arguments: [Data(start)]
      )
      // References of changed documents are out of date; those documents were read above.
      let isUsed = try references.contains { row in
        guard let document = try DocumentKey(row), !doomed.contains(document) else { return false }
        return try !DocumentIndex.hasChanged(document, db)
      }
      if !isUsed { report.add(.files, bytes: try row.value(1)) }
    }
    report.add(.securityLog, count: try SQLSecurityLogStore.count(before: logLimit(rules, time), db))
    return report
  }

  /// Takes from a list what one transaction is to do.
  static func batch<Element>(_ rest: inout ArraySlice<Element>, bytes: (Element) -> Int) -> [Element] {
    var (batch, total): ([Element], Int) = ([], 0)
    while let next = rest.first, batch.count < batchRows, total < batchBytes {
      batch.append(next)
      total = total.saturatingAdd(bytes(next))
      rest.removeFirst()
    }
    return batch
  }
}

// MARK: Sessions, links and the security log

extension SQLRetentionStore {
  /// Sessions not used since the first time or made before the second have ended.
  private static func sessionLimits(_ rules: RetentionRules, _ time: Date) -> (unusedSince: Date, madeBefore: Date) {
    (time.addingTimeInterval(-rules.sessionIdleTime), time.addingTimeInterval(-rules.sessionLongestTime))
  }

  /// Lines of the security log before this go.
  private static func logLimit(_ rules: RetentionRules, _ time: Date) -> Date {
    time.addingTimeInterval(-Double(rules.securityLogDays) * 86_400)
  }

  private func endSessions(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    let (unused, old) = Self.sessionLimits(rules, time)
    let (sessions, links) = try await database.write { db in
      try (
        SQLSessionStore.removeStale(unusedSince: unused, madeBefore: old, db),
        SQLInvitationStore.removeExpired(before: time, db)
      )
    }
    report.add(.sessions, count: sessions)
    report.add(.links, count: links)
  }
}

// MARK: The file

extension SQLRetentionStore {
  /// Gives the database's free pages back to the disk, as far as the file was made for it.
  func shrink() async throws -> (before: Int, after: Int) { try await database.shrink() }
}
