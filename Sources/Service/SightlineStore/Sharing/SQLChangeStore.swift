import Foundation
import SightlineInput

/// The outbox in the database.
struct SQLChangeStore: ChangeStore {
  let database: any SQLDatabase

  /// Most changes that are read at a time.
  static let largestPage = 1000

  var origin: Int64 { database.origin }
  var isShared: Bool { database.isShared }
  var unknownOutcomes: Int { database.unknownOutcomes }

  /// Notes a change, inside the writer's transaction.
  ///
  /// - Returns: Its number.
  @discardableResult
  static func add(
    _ kind: StoreChange.Kind,
    _ key: String,
    item: Int64? = nil,
    _ db: any SQLConnection
  ) throws -> Int64 {
    try db.insertedNumber(
      sql: """
        INSERT INTO change (origin, kind, key, item, milliseconds)
        VALUES (?, ?, ?, ?, \(db.dialect.milliseconds)) RETURNING number
        """,
      arguments: [db.origin, kind.rawValue, key, item]
    )
  }

  func latestChange() async throws -> ChangePosition {
    try await database.read { db in
      ChangePosition(
        number: try db.value(Int64.self, sql: "SELECT max(number) FROM change") ?? 0,
        history: try db.dialect.history(db)
      )
    }
  }

  func changes(after position: ChangePosition) async throws -> StoreChanges {
    try await database.read { db in
      // Oldest and latest are both ends of the primary key.
      let oldest = try db.value(Int64.self, sql: "SELECT min(number) FROM change") ?? 0
      let latest = try db.value(Int64.self, sql: "SELECT max(number) FROM change") ?? 0
      guard latest != position.number else {
        let isSame = try db.dialect.history(db) == position.history
        return StoreChanges(changes: [], through: latest, isWhole: true, hasGap: !isSame)
      }
      let rows = try db.rows(
        sql: """
          SELECT number, origin, kind, key, item FROM change WHERE number > ? ORDER BY number
          LIMIT \(Self.largestPage)
          """,
        arguments: [position.number]
      )
      let through = try rows.last.map { try $0.value(0) as Int64 } ?? latest
      return StoreChanges(
        changes: try rows.compactMap(Self.change),
        through: through,
        isWhole: through >= latest,
        hasGap: try oldest > position.number.saturatingAdd(1) || latest < position.number
          || db.dialect.history(db) != position.history
      )
    }
  }

  /// A change; `nil` for one of a kind that only newer programs know.
  private static func change(_ row: SQLRow) throws -> StoreChange? {
    guard let kind = StoreChange.Kind(rawValue: try row.value(2)) else { return nil }
    return StoreChange(
      number: try row.value(0),
      origin: try row.value(1),
      kind: kind,
      key: try row.value(3),
      item: try row.value(4)
    )
  }

  func removeChanges(before time: Date) async throws -> Int {
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM change WHERE milliseconds < ? AND number < (SELECT max(number) FROM change)",
        arguments: [time.milliseconds]
      )
    }
  }

  func listen(_ onChange: @escaping @Sendable () -> Void) -> (any ChangeListener)? { database.listen(onChange) }
}

// MARK: Positions

extension SQLChangeStore {
  func save(_ positions: [SharedPosition]) async throws {
    let positions = positions.filter { $0.latitude.isFinite && $0.longitude.isFinite && $0.accuracy?.isFinite != false }
    guard !positions.isEmpty else { return }
    try await database.write { db in
      try db.dialect.forgoDurability(db)
      for (run, positions) in Dictionary(grouping: positions, by: \.run) {
        let number = try Self.add(.positions, run, db)
        // A later one of another process stays, unless a clock was ahead then.
        try db.executeEach(
          sql: """
            INSERT INTO tour_position (run, team, change, milliseconds, latitude, longitude, accuracy, virtual, outside)
            SELECT run, number, ?, ?, ?, ?, ?, ?, ? FROM tour_team WHERE run = ? AND number = ?
            ON CONFLICT (run, team) DO UPDATE SET change = excluded.change, milliseconds = excluded.milliseconds,
              latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy,
              virtual = excluded.virtual, outside = excluded.outside
            WHERE tour_position.milliseconds <= excluded.milliseconds
              OR tour_position.milliseconds > excluded.milliseconds + \(Int(clamped: SharedPosition.longestDelay * 1000))
            """,
          positions.lazy.map { position in
            [
              number, position.time.milliseconds, position.latitude, position.longitude, position.accuracy,
              position.isVirtual, position.hasLeft, run, position.team,
            ]
          }
        )
      }
    }
  }

  func positions(after number: Int64) async throws -> (positions: [SharedPosition], latest: Int64) {
    try await database.read { db in
      let rows = try db.rows(
        sql: """
          SELECT change, run, team, milliseconds, latitude, longitude, accuracy, virtual, outside
          FROM tour_position WHERE change > ? ORDER BY change
          """,
        arguments: [number]
      )
      let positions = try rows.map { row in
        var position = SharedPosition(
          run: try row.value(1),
          team: try row.value(2),
          time: Date(milliseconds: try row.value(3)),
          latitude: try row.value(4),
          longitude: try row.value(5),
          accuracy: try row.value(6),
          isVirtual: try row.value(7),
          hasLeft: try row.value(8)
        )
        position.change = try row.value(0)
        return position
      }
      return (positions, try rows.last.map { try $0.value(0) as Int64 } ?? number)
    }
  }

  func removePositions(before time: Date) async throws {
    _ = try await database.write { db in
      try db.execute(sql: "DELETE FROM tour_position WHERE milliseconds < ?", arguments: [time.milliseconds])
    }
  }
}
