import Foundation

/// The security log in the database.
struct SQLSecurityLogStore: SecurityLogStore {
  let database: any SQLDatabase

  /// Writes a line, and removes the oldest beyond what is kept.
  func addSecurityEvent(_ event: SecurityEvent) async throws {
    let isFailure = event.kind.isFailure
    let most = isFailure ? SecurityEvent.most.failures : SecurityEvent.most.others
    try await database.write { db in
      try db.execute(
        sql: """
          INSERT INTO security_event (milliseconds, kind, failure, account, actor, device, network, detail)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          event.time.milliseconds, event.kind.rawValue, isFailure, event.account, event.actor,
          event.origin.device, event.origin.network, event.detail,
        ]
      )
      // Failures make room only among themselves: a flood of them hides nothing else.
      try db.execute(
        sql: """
          DELETE FROM security_event WHERE failure = ?1 AND id <=
            (SELECT id FROM security_event WHERE failure = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
          """,
        arguments: [isFailure, most]
      )
    }
  }

  /// A page of the log, the latest first.
  func securityEvents(of account: Int64?, before: Int64?, limit: Int) async throws -> SecurityLogPage {
    try await database.read { db in
      let rows = try db.rows(
        sql: """
          SELECT id, milliseconds, kind, account, actor, device, network, detail FROM security_event
          WHERE (?1 IS NULL OR account = ?1 OR actor = ?1) AND (?2 IS NULL OR id < ?2)
          ORDER BY id DESC LIMIT ?3
          """,
        arguments: [account, before, limit + 1]
      )
      var page = SecurityLogPage(events: [], names: [:], next: nil)
      for row in rows.prefix(limit) {
        let word: String = try row.value(2)
        // A word of a newer program that has shared this file.
        guard let kind = SecurityEvent.Kind(rawValue: word) else { continue }
        let event = SecurityEvent(
          id: try row.value(0),
          time: Date(milliseconds: try row.value(1)),
          kind: kind,
          account: try row.value(3),
          actor: try row.value(4),
          origin: RequestOrigin(device: try row.value(5), network: try row.value(6)),
          detail: try row.value(7)
        )
        page.events.append(event)
        for id in [event.account, event.actor] {
          guard let id, page.names[id] == nil else { continue }
          page.names[id] = try db.value(String.self, sql: "SELECT name FROM account WHERE id = ?", arguments: [id])
        }
      }
      if rows.count > limit { page.next = try rows[limit - 1].value(0) }
      return page
    }
  }

  /// Removes lines that are older.
  func removeOldSecurityEvents(before time: Date) async throws -> Int {
    let limit = time.milliseconds
    return try await database.write { db in
      try db.execute(sql: "DELETE FROM security_event WHERE milliseconds < ?", arguments: [limit])
    }
  }

  /// Lines that ``removeOldSecurityEvents(before:)`` would remove.
  static func count(before time: Date, _ db: any SQLConnection) throws -> Int {
    try db.value(
      Int.self,
      sql: "SELECT count(*) FROM security_event WHERE milliseconds < ?",
      arguments: [time.milliseconds]
    ) ?? 0
  }
}
