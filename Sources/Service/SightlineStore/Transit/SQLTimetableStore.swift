import Foundation
import SightlineInput

/// Timetables in the database.
struct SQLTimetableStore: TimetableStore {
  let database: any SQLDatabase

  func timetable(of provider: String) async throws -> StoredTimetable? {
    try await database.read { db in
      try db.row(
        sql: """
          SELECT hash, bytes, saved_milliseconds, feed_hash, feed_milliseconds, note FROM timetable WHERE provider = ?
          """,
        arguments: [provider]
      ).map { row in
        StoredTimetable(
          hash: try row.value(0),
          bytes: try row.value(1),
          saved: Date(milliseconds: try row.value(2)),
          feedHash: try row.value(3),
          feedChanged: try (row.value(4) as Int64?).map { Date(milliseconds: $0) },
          note: try row.value(5)
        )
      }
    }
  }

  func part(_ number: Int, of hash: Data) async throws -> Data? {
    try await database.read { db in
      try db.value(
        Data.self,
        sql: "SELECT bytes FROM timetable_part WHERE hash = ? AND number = ?",
        arguments: [hash, number]
      )
    }
  }

  func keep(_ bytes: Data, part number: Int, of hash: Data) async throws {
    let now = Date().milliseconds
    _ = try await database.write { db in
      // One that is there already is as young as if it had come now, and whole again if it was damaged.
      try db.execute(
        sql: """
          INSERT INTO timetable_part (hash, number, milliseconds, bytes) VALUES (?, ?, ?, ?)
          ON CONFLICT (hash, number) DO UPDATE SET milliseconds = excluded.milliseconds, bytes = excluded.bytes
          """,
        arguments: [hash, number, now, bytes]
      )
    }
  }

  func publish(_ timetable: StoredTimetable, for provider: String) async throws {
    try await database.write { db in
      let count = try db.value(
        Int.self,
        sql: "SELECT count(*) FROM timetable_part WHERE hash = ? AND number >= 0 AND number < ?",
        arguments: [timetable.hash, timetable.parts]
      )
      guard timetable.parts > 0, count == timetable.parts else { throw TimetableStoreError.incomplete }
      let former = try db.row(
        sql: "SELECT hash, bytes, previous_hash, previous_bytes FROM timetable WHERE provider = ?",
        arguments: [provider]
      )
      var previous: (hash: Data?, bytes: Int?) = (nil, nil)
      if let former {
        let hash: Data = try former.value(0)
        previous =
          hash == timetable.hash ? (try former.value(2), try former.value(3)) : (hash, try former.value(1))
      }
      try db.execute(
        sql: """
          INSERT INTO timetable (
            provider, hash, bytes, previous_hash, previous_bytes, saved_milliseconds, feed_hash, feed_milliseconds, note
          ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
          ON CONFLICT (provider) DO UPDATE SET hash = ?2, bytes = ?3, previous_hash = ?4, previous_bytes = ?5,
            saved_milliseconds = ?6, feed_hash = ?7, feed_milliseconds = ?8, note = ?9
          """,
        arguments: [
          provider, timetable.hash, timetable.bytes, previous.hash, previous.bytes, timetable.saved.milliseconds,
          timetable.feedHash, timetable.feedChanged?.milliseconds, timetable.note,
        ]
      )
      // The one before the one before.
      if let former, let hash = try former.value(2) as Data? { try Self.removeUnused(hash, db) }
      try SQLChangeStore.add(.timetable, provider, db)
    }
  }

  func note(_ note: Data, for provider: String) async throws {
    _ = try await database.write { db in
      try db.execute(sql: "UPDATE timetable SET note = ? WHERE provider = ?", arguments: [note, provider])
    }
  }

  func takeBack(_ provider: String) async throws -> Bool {
    let now = Date().milliseconds
    return try await database.write { db in
      // The right sides are those of before. What is known of the feed stays: its next edition is another one.
      let count = try db.execute(
        sql: """
          UPDATE timetable SET hash = previous_hash, bytes = previous_bytes, previous_hash = hash, previous_bytes = bytes,
            saved_milliseconds = ?
          WHERE provider = ? AND previous_hash IS NOT NULL
          """,
        arguments: [now, provider]
      )
      guard count > 0 else { return false }
      try SQLChangeStore.add(.timetable, provider, db)
      return true
    }
  }

  func removeLeft(before time: Date) async throws {
    _ = try await database.write { db in
      try db.execute(
        sql: """
          DELETE FROM timetable_part WHERE milliseconds < ? AND NOT EXISTS (
            SELECT 1 FROM timetable t WHERE t.hash = timetable_part.hash OR t.previous_hash = timetable_part.hash
          )
          """,
        arguments: [time.milliseconds]
      )
    }
  }

  private static func removeUnused(_ hash: Data, _ db: any SQLConnection) throws {
    try db.execute(
      sql: """
        DELETE FROM timetable_part WHERE hash = ?1
          AND NOT EXISTS (SELECT 1 FROM timetable t WHERE t.hash = ?1 OR t.previous_hash = ?1)
        """,
      arguments: [hash]
    )
  }
}
