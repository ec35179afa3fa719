public import Foundation
import GRDB
public import SightlineTours

extension SQLiteStore {
  private static let teamColumns = "run, number, name, color, code, seed"

  static func team(_ row: Row) throws -> TourTeam {
    TourTeam(
      run: try row.value(0),
      number: try row.value(1),
      name: try row.value(2),
      color: try row.value(3),
      code: try row.value(4),
      seed: UInt64(bitPattern: try row.value(5) as Int64)
    )
  }

  static func insert(_ draft: TeamDraft, number: Int, run: String, _ db: Database) throws -> TourTeam {
    let team = TourTeam(
      run: run,
      number: number,
      name: draft.name,
      color: draft.color,
      code: TourCode.make(),
      seed: UInt64.random(in: .min ... .max)
    )
    try db.execute(
      sql: "INSERT INTO tour_team (\(teamColumns)) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [run, number, team.name, team.color, team.code, Int64(bitPattern: team.seed)]
    )
    return team
  }

  /// Teams of a run, by number.
  public func teams(of run: String) async throws -> [TourTeam] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE run = ? ORDER BY number",
        arguments: [run]
      ).map(Self.team)
    }
  }

  /// Adds a team.
  public func addTeam(_ draft: TeamDraft, run: String, at time: Date) async throws -> TourTeam? {
    try await pool.write { db in
      guard try Self.hasRun(run, db) else { return nil }
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM tour_team WHERE run = ?", arguments: [run]) ?? 0
      guard count < TourLimits.teams else { return nil }
      let sql = "SELECT coalesce(max(number), 0) + 1 FROM tour_team WHERE run = ?"
      let number = try Int.fetchOne(db, sql: sql, arguments: [run]) ?? 1
      try Self.revise(run, db)
      return try Self.insert(draft, number: number, run: run, db)
    }
  }

  /// Changes name and colour of a team; with `newCode` its old code and all its phones lose their rights.
  public func changeTeam(
    _ number: Int,
    run: String,
    _ draft: TeamDraft,
    newCode: Bool
  ) async throws -> TourTeam? {
    try await pool.write { db in
      try db.execute(
        sql: "UPDATE tour_team SET name = ?, color = ?, code = coalesce(?, code) WHERE run = ? AND number = ?",
        arguments: [draft.name, draft.color, newCode ? TourCode.make() : nil, run, number]
      )
      guard db.changesCount > 0 else { return nil }
      if newCode {
        try db.execute(sql: "DELETE FROM tour_device WHERE run = ? AND team = ?", arguments: [run, number])
      }
      try Self.revise(run, db)
      return try Row.fetchOne(
        db,
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE run = ? AND number = ?",
        arguments: [run, number]
      ).map(Self.team)
    }
  }

  private static func hasRun(_ run: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT 1 FROM tour_run WHERE id = ?", arguments: [run]) != nil
  }

  private static func revise(_ run: String, _ db: Database) throws {
    try db.execute(sql: "UPDATE tour_run SET revision = revision + 1 WHERE id = ?", arguments: [run])
  }

  /// The team of a join code as a person wrote it; `nil` when there is none.
  public func team(code: String) async throws -> TourTeam? {
    guard let code = TourCode.normalized(code) else { return nil }
    return try await pool.read { db in
      try Row.fetchOne(
        db,
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE code = ?",
        arguments: [code]
      ).map(Self.team)
    }
  }

  /// Lets a phone in.
  public func addDevice(
    of team: TourTeam,
    token: Data,
    limit: Int,
    at time: Date
  ) async throws
    -> TourLogEntry?
  {
    try await pool.write { db in
      let sql = "SELECT count(*) FROM tour_device WHERE run = ? AND team = ?"
      let count = try Int.fetchOne(db, sql: sql, arguments: [team.run, team.number]) ?? 0
      guard count < limit else { return nil }
      try db.execute(
        sql: "INSERT INTO tour_device (token, run, team, joined_milliseconds) VALUES (?, ?, ?, ?)",
        arguments: [token, team.run, team.number, Self.milliseconds(time)]
      )
      return try Self.insertLog(.joined, run: team.run, team: team.number, text: "", at: time, db)
    }
  }

  /// The phone of a secret's hash; `nil` when there is none.
  public func device(token: Data) async throws -> TourDevice? {
    try await pool.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT t.run, t.number, t.name, t.color, t.code, t.seed FROM tour_device d
          JOIN tour_team t ON t.run = d.run AND t.number = d.team WHERE d.token = ?
          """,
        arguments: [token]
      ).map { TourDevice(token: token, team: try Self.team($0)) }
    }
  }

  // MARK: Log and positions

  static func insertLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date,
    _ db: Database
  ) throws -> TourLogEntry {
    try db.execute(
      sql: "INSERT INTO tour_log (run, team, milliseconds, kind, text) VALUES (?, ?, ?, ?, ?)",
      arguments: [run, team, milliseconds(time), kind.rawValue, text]
    )
    return TourLogEntry(number: db.lastInsertedRowID, team: team, time: time, kind: kind, text: text)
  }

  /// Adds a line to a run's log.
  public func addLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date
  ) async throws -> TourLogEntry? {
    try await pool.write { db in
      guard try Self.hasRun(run, db) else { return nil }
      return try Self.insertLog(kind, run: run, team: team, text: text, at: time, db)
    }
  }

  /// Lines of a run's log after a number.
  public func log(of run: String, after number: Int64) async throws -> [TourLogEntry] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT number, team, milliseconds, kind, text FROM tour_log WHERE run = ? AND number > ? ORDER BY number",
        arguments: [run, number]
      ).compactMap(Self.logEntry)
    }
  }

  private static func logEntry(_ row: Row) throws -> TourLogEntry? {
    guard let kind = TourLogEntry.Kind(rawValue: try row.value(3)) else { return nil }
    return TourLogEntry(
      number: try row.value(0),
      team: try row.value(1),
      time: date(try row.value(2)),
      kind: kind,
      text: try row.value(4)
    )
  }

  /// What a phone asks for every few seconds, in one reading.
  public func standing(
    of team: TourTeam,
    after number: Int64
  ) async throws -> (
    tallies: [String: StationTally], messages: [TourLogEntry]
  ) {
    try await pool.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT number, team, milliseconds, kind, text FROM tour_log
          WHERE run = ? AND kind = 'message' AND number > ? AND (team IS NULL OR team = ?)
          ORDER BY number DESC LIMIT \(TourLimits.messages)
          """
      )
      let messages = try Row.fetchAll(statement, arguments: [team.run, number, team.number]).reversed()
      return (try Self.tallies(run: team.run, team: team.number, db), try messages.compactMap(Self.logEntry))
    }
  }

  /// Keeps positions of teams; those of runs that are gone are dropped.
  public func addTrack(_ points: [TourTrackPoint]) async throws {
    // What is not a number is NULL to SQLite and would take the whole transaction with it.
    let points = points.filter(\.fix.isUsable)
    guard !points.isEmpty else { return }
    try await pool.write { db in
      let insert = try db.makeStatement(
        sql: """
          INSERT INTO tour_track (run, team, milliseconds, latitude, longitude, accuracy)
          SELECT run, number, ?, ?, ?, ? FROM tour_team WHERE run = ? AND number = ?
          """
      )
      for point in points {
        let position = point.fix.position
        try insert.execute(arguments: [
          Self.milliseconds(point.time), position.latitude, position.longitude, point.fix.accuracy, point.run,
          point.team,
        ])
      }
    }
  }

  /// Positions of a run's teams, in order.
  public func track(of run: String) async throws -> [TourTrackPoint] {
    try await pool.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT team, milliseconds, latitude, longitude, accuracy FROM tour_track WHERE run = ? ORDER BY number
          """,
        arguments: [run]
      ).map { row in
        TourTrackPoint(
          run: run,
          team: try row.value(0),
          time: Self.date(try row.value(1)),
          fix: Self.fix(try row.value(2), try row.value(3), try row.value(4))
            ?? .init(position: .init(latitude: 0, longitude: 0), accuracy: nil)
        )
      }
    }
  }
}
