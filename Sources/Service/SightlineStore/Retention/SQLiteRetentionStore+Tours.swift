import Foundation
import GRDB
import SightlineTours

extension SQLiteRetentionStore {
  /// Runs whose time is over.
  static func expiredRuns(
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
      guard let run = try? SQLiteTourRunStore.run(row) else { continue }
      var last: Date?
      if !run.isTrial, run.schedule.started != nil, run.schedule.ended == nil {
        let sql = "SELECT max(received_milliseconds) FROM tour_event WHERE run = ?"
        last = try Int64.fetchOne(db, sql: sql, arguments: [run.id]).map(Date.init(milliseconds:))
      }
      guard time >= run.expiry(lastEvent: last, mostDays: rules.runDays) else { continue }
      expired.append((run.id, (try row.value(7) as Data).count))
    }
    return expired
  }

  func removeRuns(_ rules: RetentionRules, at time: Date, _ report: inout RetentionReport) async throws {
    report.add(.runs, count: 0)
    for run in try await database.read({ db in try Self.expiredRuns(rules, at: time, db) }) {
      var state = Removal.more
      while state == .more {
        try Task.checkCancellation()
        state = try await database.write { db in
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

  func removePositions(
    _ rules: RetentionRules,
    at time: Date,
    _ report: inout RetentionReport
  ) async throws {
    report.add(.positions, count: 0)
    let limit = rules.milliseconds(rules.positionDays, before: time)
    var count = 0
    repeat {
      try Task.checkCancellation()
      count = try await database.write { db in
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
