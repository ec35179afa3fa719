import Foundation
import SightlineInput
import SightlineTours

/// Runs of tours in the database.
struct SQLTourRunStore: TourRunStore {
  let database: any SQLDatabase

  static func runs(_ condition: String, _ arguments: SQLArguments, _ db: any SQLConnection) throws -> [StoredRun] {
    try db.rows(
      sql: """
        SELECT r.id, r.tour, t.owner, r.trial, r.created_milliseconds, r.revision, r.schedule, r.definition
        FROM tour_run r JOIN tour t ON t.id = r.tour WHERE \(condition) ORDER BY r.created_milliseconds DESC, r.id
        """,
      arguments: arguments
    ).map(run)
  }

  /// A run from the columns above.
  static func run(_ row: SQLRow) throws -> StoredRun {
    StoredRun(
      id: try row.value(0),
      tourID: try row.value(1),
      owner: try row.value(2),
      isTrial: try row.value(3),
      created: Date(milliseconds: try row.value(4)),
      revision: try row.value(5),
      schedule: try ContentJSON.decode(TourSchedule.self, from: row.value(6)),
      tour: try ContentJSON.decode(Tour.self, from: row.value(7))
    )
  }

  /// Makes a run of a tour as it is now.
  func addRun(of tour: String, teams: [TeamDraft], isTrial: Bool, at time: Date) async throws -> StoredRun? {
    let schedule = try ContentJSON.encode(TourSchedule())
    return try await database.write { db in
      let id = TourCode.makeIdentifier()
      let count = try db.value(Int.self, sql: "SELECT count(*) FROM tour_run WHERE tour = ?", arguments: [tour]) ?? 0
      guard count < TourLimits.runs else { throw TourStoreError.tooManyRuns }
      let added = try db.execute(
        sql: """
          INSERT INTO tour_run (id, tour, trial, created_milliseconds, schedule, definition)
          SELECT ?, id, ?, ?, ?, definition FROM tour WHERE id = ?
          """,
        arguments: [id, isTrial, time.milliseconds, schedule, tour]
      )
      guard added > 0 else { return nil }
      for (index, team) in teams.enumerated() {
        _ = try SQLTourTeamStore.insert(team, number: index + 1, run: id, db)
      }
      return try Self.runs("r.id = ?", [id], db).first
    }
  }

  /// Runs of a tour, the latest first.
  func runs(of tour: String) async throws -> [StoredRun] {
    try await database.read { db in try Self.runs("r.tour = ?", [tour], db) }
  }

  /// A run; `nil` when there is none.
  func run(_ id: String) async throws -> StoredRun? {
    try await database.read { db in try Self.runs("r.id = ?", [id], db).first }
  }

  /// Removes a run and all that teams left in it.
  func removeRun(_ id: String) async throws -> Bool {
    let isRemoved = try await database.write { db in
      try db.execute(sql: "DELETE FROM tour_run WHERE id = ?", arguments: [id]) > 0
    }
    await database.forgetRemoved()
    return isRemoved
  }

  /// Carries out a teacher's command.
  func command(
    _ command: TourCommand,
    run id: String,
    at time: Date
  ) async throws -> (run: StoredRun, isDone: Bool)? {
    try await database.write { db in
      guard var run = try Self.runs("r.id = ?", [id], db).first else { return nil }
      guard run.schedule.apply(command, at: time, tour: run.tour) else { return (run, false) }
      run.revision = run.revision.saturatingAdd(1)
      try db.execute(
        sql: "UPDATE tour_run SET schedule = ?, revision = ? WHERE id = ?",
        arguments: [try ContentJSON.encode(run.schedule), run.revision, id]
      )
      try SQLChangeStore.add(.run, id, db)
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

// MARK: Events, log and positions

extension SQLTourRunStore {
  /// All that was done in a run, in the order of arrival.
  func events(of run: String) async throws -> [StoredEvent] {
    try await database.read { db in try TourEventTable.events("run = ?", [run], db) }
  }

  /// What was done in a run, by numbers, in the order of arrival.
  func events(of run: String, numbers: ClosedRange<Int64>) async throws -> [StoredEvent] {
    try await database.read { db in
      try TourEventTable.events(
        "run = ? AND number BETWEEN ? AND ?",
        [run, numbers.lowerBound, numbers.upperBound],
        db
      )
    }
  }

  /// Marks an answer in words: right with all or some of its points, wrong with none.
  func mark(event number: Int64, run: String, points: Int, at time: Date) async throws -> StoredEvent? {
    try await database.write { db in
      guard let event = try TourEventTable.events("run = ? AND number = ?", [run, number], db).first,
        event.record.kind.name == "text", event.record.verdict == .pending || event.marked != nil
      else { return nil }
      let verdict: TourVerdict = points > 0 ? .right : .wrong
      try db.execute(
        sql: "UPDATE tour_event SET verdict = ?, points = ?, marked_milliseconds = ? WHERE number = ?",
        arguments: [verdict.rawValue, points, time.milliseconds, number]
      )
      try SQLChangeStore.add(.answer, run, item: number, db)
      // One station's records once for each mark; phones ask for the sums every few seconds.
      let records = try TourEventTable.events(
        "run = ? AND team = ? AND station = ?",
        [run, event.team, event.record.station],
        db
      )
      let tally = StationTally.of(records.map(\.record))[event.record.station] ?? StationTally()
      try TourTallyTable.write(tally, run: run, team: event.team, station: event.record.station, db)
      let text = "\(number) \(points)"
      _ = try Self.insertLog(.marked, run: run, team: event.team, text: text, at: time, db)
      return try TourEventTable.events("run = ? AND number = ?", [run, number], db).first
    }
  }

  /// Adds a line to a run's log.
  static func insertLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date,
    _ db: any SQLConnection
  ) throws -> TourLogEntry {
    let number = try db.insertedNumber(
      sql: "INSERT INTO tour_log (run, team, milliseconds, kind, text) VALUES (?, ?, ?, ?, ?) RETURNING number",
      arguments: [run, team, time.milliseconds, kind.rawValue, text]
    )
    try SQLChangeStore.add(.log, run, item: number, db)
    return TourLogEntry(number: number, team: team, time: time, kind: kind, text: text)
  }

  /// Adds a line to a run's log.
  func addLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date
  ) async throws -> TourLogEntry? {
    try await database.write { db in
      guard try Self.hasRun(run, db) else { return nil }
      return try Self.insertLog(kind, run: run, team: team, text: text, at: time, db)
    }
  }

  /// Lines of a run's log after a number.
  func log(of run: String, after number: Int64) async throws -> [TourLogEntry] {
    try await database.read { db in
      try db.rows(
        sql: "SELECT number, team, milliseconds, kind, text FROM tour_log WHERE run = ? AND number > ? ORDER BY number",
        arguments: [run, number]
      ).compactMap(Self.logEntry)
    }
  }

  static func logEntry(_ row: SQLRow) throws -> TourLogEntry? {
    guard let kind = TourLogEntry.Kind(rawValue: try row.value(3)) else { return nil }
    return TourLogEntry(
      number: try row.value(0),
      team: try row.value(1),
      time: Date(milliseconds: try row.value(2)),
      kind: kind,
      text: try row.value(4)
    )
  }

  /// Keeps positions of teams; those of runs that are gone are dropped.
  func addTrack(_ points: [TourTrackPoint]) async throws {
    // What is not a number is NULL to SQLite and would take the whole transaction with it.
    let points = points.filter(\.fix.isUsable)
    guard !points.isEmpty else { return }
    try await database.write { db in
      try db.executeEach(
        sql: """
          INSERT INTO tour_track (run, team, milliseconds, latitude, longitude, accuracy)
          SELECT run, number, ?, ?, ?, ? FROM tour_team WHERE run = ? AND number = ?
          """,
        points.lazy.map { point in
          let position = point.fix.position
          return [
            point.time.milliseconds, position.latitude, position.longitude, point.fix.accuracy, point.run, point.team,
          ]
        }
      )
    }
  }

  /// Positions of a run's teams, in order.
  func track(of run: String) async throws -> [TourTrackPoint] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT team, milliseconds, latitude, longitude, accuracy FROM tour_track WHERE run = ? ORDER BY number
          """,
        arguments: [run]
      ).map { row in
        TourTrackPoint(
          run: run,
          team: try row.value(0),
          time: Date(milliseconds: try row.value(1)),
          fix: TourEventTable.fix(try row.value(2), try row.value(3), try row.value(4))
            ?? .init(position: .init(latitude: 0, longitude: 0), accuracy: nil)
        )
      }
    }
  }

  /// Removes the runs whose time is over.
  ///
  /// Days of keeping count from the teacher's end, else from the last event; a run that never began holds nothing of
  /// pupils and stays half a year; an author's own try stays a day.
  func removeExpiredRuns(at time: Date) async throws -> [String] {
    let retention = SQLRetentionStore(database: database)
    var report = RetentionReport(isDryRun: false)
    try await retention.removeRuns(RetentionRules(), at: time, &report)
    if !report.runs.isEmpty { await database.forgetRemoved() }
    return report.runs
  }

  // MARK: In others' transactions

  /// Whether there is such a run.
  static func hasRun(_ run: String, _ db: any SQLConnection) throws -> Bool {
    try db.value(Bool.self, sql: "SELECT 1 FROM tour_run WHERE id = ?", arguments: [run]) != nil
  }

  /// Counts a change of a run's teams.
  static func revise(_ run: String, _ db: any SQLConnection) throws {
    try SQLChangeStore.add(.teams, run, db)
    try db.execute(sql: "UPDATE tour_run SET revision = revision + 1 WHERE id = ?", arguments: [run])
  }
}
