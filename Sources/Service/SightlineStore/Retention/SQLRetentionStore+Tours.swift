import Foundation
import SightlineTours

extension SQLRetentionStore {
  /// Runs whose time is over.
  static func expiredRuns(
    _ rules: RetentionRules,
    at time: Date,
    only id: String? = nil,
    _ db: any SQLConnection
  ) throws -> [(id: String, bytes: Int)] {
    var expired: [(run: StoredRun, bytes: Int)] = []
    try db.forEachRow(
      sql: """
        SELECT r.id, r.tour, t.owner, r.trial, r.created_milliseconds, r.revision, r.schedule, r.definition
        FROM tour_run r JOIN tour t ON t.id = r.tour WHERE ?1 IS NULL OR r.id = ?1 ORDER BY r.id
        """,
      arguments: [id]
    ) { row in
      // A run that this program cannot read is left to one that can. An event only puts the end off.
      guard let run = try? SQLTourRunStore.run(row), time >= run.expiry(lastEvent: nil, mostDays: rules.runDays)
      else { return }
      expired.append((run, (try row.value(7) as Data).count))
    }
    return try expired.filter { run, _ in
      guard !run.isTrial, run.schedule.started != nil, run.schedule.ended == nil else { return true }
      let sql = "SELECT max(received_milliseconds) FROM tour_event WHERE run = ?"
      let last = try db.value(Int64.self, sql: sql, arguments: [run.id]).map(Date.init(milliseconds:))
      return time >= run.expiry(lastEvent: last, mostDays: rules.runDays)
    }.map { ($0.run.id, $0.bytes) }
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
            let count = try db.execute(
              sql: """
                DELETE FROM \(table) WHERE number IN (SELECT number FROM \(table) WHERE run = ? LIMIT \(Self.batchPoints))
                """,
              arguments: [run.id]
            )
            if count == Self.batchPoints { return .more }
          }
          let count = try db.execute(sql: "DELETE FROM tour_run WHERE id = ?", arguments: [run.id])
          return count > 0 ? .removed : .kept
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
      }
      report.add(.positions, count: count)
    } while count > 0
  }
}
