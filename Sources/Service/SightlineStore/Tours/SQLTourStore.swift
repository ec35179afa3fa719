import Foundation
import SightlineInput
import SightlineTours

/// Tours in the database.
struct SQLTourStore: TourStore {
  let database: any SQLDatabase

  /// Tours of an author, or of everybody, the latest first.
  func tours(owner: Int64?) async throws -> [TourListing] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT id, owner, title, stations, version, saved_milliseconds FROM tour
          WHERE ?1 IS NULL OR owner = ?1 ORDER BY saved_milliseconds DESC, id
          """,
        arguments: [owner]
      ).map { row in
        TourListing(
          id: try row.value(0),
          owner: try row.value(1),
          title: try row.value(2),
          stations: try row.value(3),
          version: try row.value(4),
          saved: Date(milliseconds: try row.value(5))
        )
      }
    }
  }

  /// A tour; `nil` when there is none.
  func tour(_ id: String) async throws -> StoredTour? {
    try await database.read { db in try Self.tour(id, db) }
  }

  private static func tour(_ id: String, _ db: any SQLConnection) throws -> StoredTour? {
    try db.row(
      sql: "SELECT id, owner, version, saved_milliseconds, definition FROM tour WHERE id = ?",
      arguments: [id]
    ).map { row in
      StoredTour(
        id: try row.value(0),
        owner: try row.value(1),
        version: try row.value(2),
        saved: Date(milliseconds: try row.value(3)),
        tour: try ContentJSON.decode(Tour.self, from: row.value(4))
      )
    }
  }

  /// Keeps a new tour.
  func addTour(_ tour: Tour, owner: Int64?, limit: Int, at time: Date) async throws -> StoredTour? {
    let definition = try ContentJSON.encode(tour)
    let id = TourCode.makeIdentifier()
    return try await database.write { db in
      // In the transaction that writes, or two requests at once would both find the last place free.
      let count =
        try db.value(Int.self, sql: "SELECT count(*) FROM tour WHERE owner IS NOT DISTINCT FROM ?", arguments: [owner])
        ?? 0
      guard count < limit else { return nil }
      try db.execute(
        sql: """
          INSERT INTO tour (id, owner, version, title, stations, created_milliseconds, saved_milliseconds, definition)
          VALUES (?1, ?2, 1, ?3, ?4, ?5, ?5, ?6)
          """,
        arguments: [id, owner, tour.title, tour.stations.count, time.milliseconds, definition]
      )
      return StoredTour(id: id, owner: owner, version: 1, saved: time, tour: tour)
    }
  }

  /// Replaces a tour's content if it still has the expected version.
  func saveTour(
    _ id: String,
    _ tour: Tour,
    expecting version: Int,
    at time: Date
  ) async throws -> TourSaveOutcome {
    let definition = try ContentJSON.encode(tour)
    return try await database.write { db in
      guard let current = try Self.tour(id, db) else { return .unknown }
      if current.tour == tour { return .saved(current) }
      guard current.version == version else { return .conflict(current) }
      try db.execute(
        sql: """
          UPDATE tour SET version = version + 1, title = ?, stations = ?, saved_milliseconds = ?, definition = ?
          WHERE id = ?
          """,
        arguments: [tour.title, tour.stations.count, time.milliseconds, definition, id]
      )
      // Runs that have not begun follow the tour.
      for run in try SQLTourRunStore.runs("r.tour = ?", [id], db) where run.schedule.started == nil {
        try db.execute(
          sql: "UPDATE tour_run SET definition = ?, revision = revision + 1 WHERE id = ?",
          arguments: [definition, run.id]
        )
        try SQLChangeStore.add(.run, run.id, db)
      }
      return .saved(
        StoredTour(id: id, owner: current.owner, version: version.saturatingAdd(1), saved: time, tour: tour)
      )
    }
  }

  /// Removes a tour with all its runs.
  func removeTour(_ id: String) async throws -> Bool {
    let isRemoved = try await database.write { db in
      try db.execute(sql: "DELETE FROM tour WHERE id = ?", arguments: [id]) > 0
    }
    await database.forgetRemoved()
    return isRemoved
  }
}

// MARK: In others' transactions

extension SQLTourStore {
  /// Hands an account's tours to another one.
  static func transfer(from id: Int64, to heir: Int64, _ db: any SQLConnection) throws {
    let runs = "SELECT r.id FROM tour_run r JOIN tour t ON t.id = r.tour WHERE t.owner = ?"
    for run in try db.values(String.self, sql: runs, arguments: [id]) { try SQLChangeStore.add(.run, run, db) }
    try db.execute(sql: "UPDATE tour SET owner = ? WHERE owner = ?", arguments: [heir, id])
  }

  /// Removes an account's tours; runs, teams, answers and positions go with them.
  static func removeAll(of id: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM tour WHERE owner = ?", arguments: [id])
  }
}
