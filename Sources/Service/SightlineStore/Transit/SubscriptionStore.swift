public import Foundation
import SightlineInput

/// Subscriptions to departures that any server of a database may be asked for.
public protocol SubscriptionStore: Sendable {
  /// Keeps a subscription for so many seconds, or longer than it was kept for.
  func save(_ document: Data, name: String, seconds: Double) async throws

  /// A subscription whose time is not over.
  func subscription(_ name: String) async throws -> Data?

  /// Removes those whose time is over.
  func removeExpired() async throws
}

/// The same in the database; times are the database's own.
struct SQLSubscriptionStore: SubscriptionStore {
  let database: any SQLDatabase

  func save(_ document: Data, name: String, seconds: Double) async throws {
    let milliseconds = Int64(clamped: seconds.clamped(to: 0...86_400) * 1000)
    _ = try await database.write { db in
      try db.dialect.forgoDurability(db)
      let expires = "\(db.dialect.milliseconds) + ?3"
      return try db.execute(
        sql: """
          INSERT INTO transit_subscription (name, document, expires_milliseconds) VALUES (?1, ?2, \(expires))
          ON CONFLICT (name) DO UPDATE SET expires_milliseconds = excluded.expires_milliseconds
          """,
        arguments: [name, document, milliseconds]
      )
    }
  }

  func subscription(_ name: String) async throws -> Data? {
    try await database.read { db in
      try db.value(
        Data.self,
        sql: """
          SELECT document FROM transit_subscription
          WHERE name = ? AND expires_milliseconds > \(db.dialect.milliseconds)
          """,
        arguments: [name]
      )
    }
  }

  func removeExpired() async throws {
    _ = try await database.write { db in
      try db.execute(
        sql: "DELETE FROM transit_subscription WHERE expires_milliseconds <= \(db.dialect.milliseconds)"
      )
    }
  }
}
