public import Foundation
import SightlineInput

/// Realtime messages that one server fetched for all of a database.
public protocol MessageStore: Sendable {
  /// The last message under a key; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - key: Names where it is from.
  ///   - number: The number of the message that is held: it is not read again.
  /// - Returns: The message; its body is `nil` when it is the one that is held.
  /// - Throws: What the database throws.
  func message(_ key: Data, unless number: Int64?) async throws -> StoredMessage?

  /// Keeps a message that was fetched now in place of the one before; a crash of the database may lose it.
  ///
  /// - Returns: Its number.
  func save(_ body: Data, etag: String, lastModified: String, key: Data) async throws -> Int64

  /// Notes that the message is still the newest now.
  func confirm(_ key: Data) async throws

  /// Removes messages that were not fetched or confirmed for so many seconds.
  func removeMessages(olderThan seconds: Double) async throws
}

/// A realtime message.
public struct StoredMessage: Equatable, Sendable {
  /// Drawn anew for each.
  public var number: Int64
  /// Seconds since it was fetched, or found to be the newest.
  public var age: Double
  /// Entity tag that it came with; empty without.
  public var etag: String
  /// Last-Modified that it came with; empty without.
  public var lastModified: String
  /// The message; `nil` when it is the one that is held.
  public var body: Data?
}

/// The same in the database; times are the database's own.
struct SQLMessageStore: MessageStore {
  let database: any SQLDatabase

  func message(_ key: Data, unless number: Int64?) async throws -> StoredMessage? {
    try await database.read { db in
      let row = try db.row(
        sql: """
          SELECT number, \(db.dialect.milliseconds) - checked_milliseconds, etag, last_modified FROM realtime_message
          WHERE key = ?
          """,
        arguments: [key]
      )
      guard let row else { return nil }
      let found: Int64 = try row.value(0)
      var message = StoredMessage(
        number: found,
        age: Double(try row.value(1) as Int64) / 1000,
        etag: try row.value(2),
        lastModified: try row.value(3)
      )
      guard found != number else { return message }
      message.body = try db.value(Data.self, sql: "SELECT body FROM realtime_message WHERE key = ?", arguments: [key])
      return message
    }
  }

  func save(_ body: Data, etag: String, lastModified: String, key: Data) async throws -> Int64 {
    let number = Int64.random(in: 1...Int64.max)
    _ = try await database.write { db in
      try db.dialect.forgoDurability(db)
      return try db.execute(
        sql: """
          INSERT INTO realtime_message (key, number, checked_milliseconds, etag, last_modified, body)
          VALUES (?, ?, \(db.dialect.milliseconds), ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET number = excluded.number, checked_milliseconds = excluded.checked_milliseconds,
            etag = excluded.etag, last_modified = excluded.last_modified, body = excluded.body
          """,
        arguments: [key, number, etag, lastModified, body]
      )
    }
    return number
  }

  func confirm(_ key: Data) async throws {
    _ = try await database.write { db in
      try db.dialect.forgoDurability(db)
      let sql = "UPDATE realtime_message SET checked_milliseconds = \(db.dialect.milliseconds) WHERE key = ?"
      return try db.execute(sql: sql, arguments: [key])
    }
  }

  func removeMessages(olderThan seconds: Double) async throws {
    let milliseconds = Int64(clamped: seconds.clamped(to: 0...315_360_000) * 1000)
    _ = try await database.write { db in
      let sql = "DELETE FROM realtime_message WHERE checked_milliseconds < \(db.dialect.milliseconds) - ?"
      return try db.execute(sql: sql, arguments: [milliseconds])
    }
  }
}
