public import Foundation
import GRDB
import SightlineInput
public import SightlineTours

extension SQLiteStore {
  // MARK: Tours

  /// Tours of an author, or of everybody, the latest first.
  public func tours(owner: Int64?) async throws -> [TourListing] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
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
          saved: Self.date(try row.value(5))
        )
      }
    }
  }

  /// A tour; `nil` when there is none.
  public func tour(_ id: String) async throws -> StoredTour? {
    try await pool.read { db in try Self.tour(id, db) }
  }

  private static func tour(_ id: String, _ db: Database) throws -> StoredTour? {
    try Row.fetchOne(
      db,
      sql: "SELECT id, owner, version, saved_milliseconds, definition FROM tour WHERE id = ?",
      arguments: [id]
    ).map { row in
      StoredTour(
        id: try row.value(0),
        owner: try row.value(1),
        version: try row.value(2),
        saved: date(try row.value(3)),
        tour: try ContentJSON.decode(Tour.self, from: row.value(4))
      )
    }
  }

  /// Keeps a new tour.
  public func addTour(_ tour: Tour, owner: Int64?, limit: Int, at time: Date) async throws -> StoredTour? {
    let definition = try ContentJSON.encode(tour)
    let id = TourCode.makeIdentifier()
    return try await pool.write { db in
      // In the transaction that writes, or two requests at once would both find the last place free.
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM tour WHERE owner IS ?", arguments: [owner]) ?? 0
      guard count < limit else { return nil }
      try db.execute(
        sql: """
          INSERT INTO tour (id, owner, version, title, stations, created_milliseconds, saved_milliseconds, definition)
          VALUES (?1, ?2, 1, ?3, ?4, ?5, ?5, ?6)
          """,
        arguments: [id, owner, tour.title, tour.stations.count, Self.milliseconds(time), definition]
      )
      return StoredTour(id: id, owner: owner, version: 1, saved: time, tour: tour)
    }
  }

  /// Replaces a tour's content if it still has the expected version.
  public func saveTour(
    _ id: String,
    _ tour: Tour,
    expecting version: Int,
    at time: Date
  ) async throws -> TourSaveOutcome {
    let definition = try ContentJSON.encode(tour)
    return try await pool.write { db in
      guard let current = try Self.tour(id, db) else { return .unknown }
      if current.tour == tour { return .saved(current) }
      guard current.version == version else { return .conflict(current) }
      try db.execute(
        sql: """
          UPDATE tour SET version = version + 1, title = ?, stations = ?, saved_milliseconds = ?, definition = ?
          WHERE id = ?
          """,
        arguments: [tour.title, tour.stations.count, Self.milliseconds(time), definition, id]
      )
      // Runs that have not begun follow the tour.
      for run in try Self.runs("r.tour = ?", [id], db) where run.schedule.started == nil {
        try db.execute(
          sql: "UPDATE tour_run SET definition = ?, revision = revision + 1 WHERE id = ?",
          arguments: [definition, run.id]
        )
      }
      return .saved(
        StoredTour(id: id, owner: current.owner, version: version.saturatingAdd(1), saved: time, tour: tour)
      )
    }
  }

  /// Removes a tour with all its runs.
  public func removeTour(_ id: String) async throws -> Bool {
    let isRemoved = try await pool.write { db in
      try db.execute(sql: "DELETE FROM tour WHERE id = ?", arguments: [id])
      return db.changesCount > 0
    }
    await forgetRemoved()
    return isRemoved
  }

  /// What was deleted is to be gone from the journal too, as far as readers let it.
  func forgetRemoved() async {
    _ = try? await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
  }

  // MARK: Runs

  static func runs(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [StoredRun] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT r.id, r.tour, t.owner, r.trial, r.created_milliseconds, r.revision, r.schedule, r.definition
        FROM tour_run r JOIN tour t ON t.id = r.tour WHERE \(condition) ORDER BY r.created_milliseconds DESC, r.id
        """,
      arguments: arguments
    ).map(run)
  }

  /// A run from the columns above.
  static func run(_ row: Row) throws -> StoredRun {
    StoredRun(
      id: try row.value(0),
      tourID: try row.value(1),
      owner: try row.value(2),
      isTrial: try row.value(3),
      created: date(try row.value(4)),
      revision: try row.value(5),
      schedule: try ContentJSON.decode(TourSchedule.self, from: row.value(6)),
      tour: try ContentJSON.decode(Tour.self, from: row.value(7))
    )
  }

  /// Makes a run of a tour as it is now.
  public func addRun(of tour: String, teams: [TeamDraft], isTrial: Bool, at time: Date) async throws -> StoredRun? {
    let schedule = try ContentJSON.encode(TourSchedule())
    return try await pool.write { db in
      let id = TourCode.makeIdentifier()
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM tour_run WHERE tour = ?", arguments: [tour]) ?? 0
      guard count < TourLimits.runs else { throw TourStoreError.tooManyRuns }
      try db.execute(
        sql: """
          INSERT INTO tour_run (id, tour, trial, created_milliseconds, schedule, definition)
          SELECT ?, id, ?, ?, ?, definition FROM tour WHERE id = ?
          """,
        arguments: [id, isTrial, Self.milliseconds(time), schedule, tour]
      )
      guard db.changesCount > 0 else { return nil }
      for (index, team) in teams.enumerated() { _ = try Self.insert(team, number: index + 1, run: id, db) }
      return try Self.runs("r.id = ?", [id], db).first
    }
  }

  /// Runs of a tour, the latest first.
  public func runs(of tour: String) async throws -> [StoredRun] {
    try await pool.read { db in try Self.runs("r.tour = ?", [tour], db) }
  }

  /// A run; `nil` when there is none.
  public func run(_ id: String) async throws -> StoredRun? {
    try await pool.read { db in try Self.runs("r.id = ?", [id], db).first }
  }

  /// Removes a run and all that teams left in it.
  public func removeRun(_ id: String) async throws -> Bool {
    let isRemoved = try await pool.write { db in
      try db.execute(sql: "DELETE FROM tour_run WHERE id = ?", arguments: [id])
      return db.changesCount > 0
    }
    await forgetRemoved()
    return isRemoved
  }

  /// Carries out a teacher's command.
  public func command(
    _ command: TourCommand,
    run id: String,
    at time: Date
  ) async throws -> (run: StoredRun, isDone: Bool)? {
    try await pool.write { db in
      guard var run = try Self.runs("r.id = ?", [id], db).first else { return nil }
      guard run.schedule.apply(command, at: time, tour: run.tour) else { return (run, false) }
      run.revision = run.revision.saturatingAdd(1)
      try db.execute(
        sql: "UPDATE tour_run SET schedule = ?, revision = ? WHERE id = ?",
        arguments: [try ContentJSON.encode(run.schedule), run.revision, id]
      )
      let (kind, text): (TourLogEntry.Kind, String) =
        switch command {
        case .start: (.started, "")
        case .pause: (.paused, "")
        case .resume: (.resumed, "")
        case .end: (.ended, "")
        case .round(let number): (.round, "\(number)")
        }
      _ = try Self.insertLog(kind, run: id, team: nil, text: text, at: time, db)
      return (run, true)
    }
  }
}

extension StoredRun {
  /// When all of it is deleted, as far as it is known now.
  ///
  /// - Parameters:
  ///   - lastEvent: When a team did something last.
  ///   - mostDays: Most days of keeping, also where the tour says more.
  /// - Returns: The time from which it may be deleted.
  public func expiry(lastEvent: Date?, mostDays: Int = 30) -> Date {
    let day = 86_400.0
    if isTrial { return created.addingTimeInterval(day) }
    let keep = Double(min(tour.keepDays, mostDays)) * day
    if let ended = schedule.ended { return ended.addingTimeInterval(keep) }
    guard let started = schedule.started else { return created.addingTimeInterval(183 * day) }
    // Nobody ended it: it counts as over a day after the last that happened.
    return max(started, lastEvent ?? started).addingTimeInterval(keep + day)
  }
}
