import Foundation
import SightlineTours

/// Teams of runs in the database.
struct SQLTourTeamStore: TourTeamStore {
  let database: any SQLDatabase
  /// Lets submissions at one moment share a transaction; copies of this store share it.
  let submissions = SubmissionQueue()
  /// Runs as they were read last, for whoever finds that their revision is still the same.
  let knownRuns = KnownRuns()

  private static let teamColumns = "run, number, name, color, code, seed"

  static func team(_ row: SQLRow) throws -> TourTeam {
    TourTeam(
      run: try row.value(0),
      number: try row.value(1),
      name: try row.value(2),
      color: try row.value(3),
      code: try row.value(4),
      seed: UInt64(bitPattern: try row.value(5) as Int64)
    )
  }

  static func insert(_ draft: TeamDraft, number: Int, run: String, _ db: any SQLConnection) throws -> TourTeam {
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
  func teams(of run: String) async throws -> [TourTeam] {
    try await database.read { db in
      try db.rows(
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE run = ? ORDER BY number",
        arguments: [run]
      ).map(Self.team)
    }
  }

  /// Adds a team.
  func addTeam(_ draft: TeamDraft, run: String, at time: Date) async throws -> TourTeam? {
    try await database.write { db in
      guard try SQLTourRunStore.hasRun(run, db) else { return nil }
      let count = try db.value(Int.self, sql: "SELECT count(*) FROM tour_team WHERE run = ?", arguments: [run]) ?? 0
      guard count < TourLimits.teams else { return nil }
      let sql = "SELECT coalesce(max(number), 0) + 1 FROM tour_team WHERE run = ?"
      let number = try db.value(Int.self, sql: sql, arguments: [run]) ?? 1
      try SQLTourRunStore.revise(run, db)
      return try Self.insert(draft, number: number, run: run, db)
    }
  }

  /// Changes name and colour of a team; with `newCode` its old code and all its phones lose their rights.
  func changeTeam(
    _ number: Int,
    run: String,
    _ draft: TeamDraft,
    newCode: Bool
  ) async throws -> TourTeam? {
    try await database.write { db in
      let changed = try db.execute(
        sql: "UPDATE tour_team SET name = ?, color = ?, code = coalesce(?, code) WHERE run = ? AND number = ?",
        arguments: [draft.name, draft.color, newCode ? TourCode.make() : nil, run, number]
      )
      guard changed > 0 else { return nil }
      if newCode {
        try db.execute(sql: "DELETE FROM tour_device WHERE run = ? AND team = ?", arguments: [run, number])
      }
      try SQLTourRunStore.revise(run, db)
      return try db.row(
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE run = ? AND number = ?",
        arguments: [run, number]
      ).map(Self.team)
    }
  }

  /// The team of a join code as a person wrote it; `nil` when there is none.
  func team(code: String) async throws -> TourTeam? {
    guard let code = TourCode.normalized(code) else { return nil }
    return try await database.read { db in
      try db.row(
        sql: "SELECT \(Self.teamColumns) FROM tour_team WHERE code = ?",
        arguments: [code]
      ).map(Self.team)
    }
  }

  /// Lets a phone in.
  func addDevice(
    of team: TourTeam,
    token: Data,
    limit: Int,
    at time: Date
  ) async throws
    -> TourLogEntry?
  {
    try await database.write { db in
      let sql = "SELECT count(*) FROM tour_device WHERE run = ? AND team = ?"
      let count = try db.value(Int.self, sql: sql, arguments: [team.run, team.number]) ?? 0
      guard count < limit else { return nil }
      try db.execute(
        sql: "INSERT INTO tour_device (token, run, team, joined_milliseconds) VALUES (?, ?, ?, ?)",
        arguments: [token, team.run, team.number, time.milliseconds]
      )
      return try SQLTourRunStore.insertLog(.joined, run: team.run, team: team.number, text: "", at: time, db)
    }
  }

  /// The phone of a secret's hash; `nil` when there is none.
  func device(token: Data) async throws -> TourDevice? {
    try await database.read { db in
      try db.row(
        sql: """
          SELECT t.run, t.number, t.name, t.color, t.code, t.seed FROM tour_device d
          JOIN tour_team t ON t.run = d.run AND t.number = d.team WHERE d.token = ?
          """,
        arguments: [token]
      ).map { TourDevice(token: token, team: try Self.team($0)) }
    }
  }

  /// What a phone asks for every few seconds, in one reading.
  func standing(
    of team: TourTeam,
    after number: Int64
  ) async throws -> (
    tallies: [String: StationTally], messages: [TourLogEntry]
  ) {
    // One statement: every phone asks, and each answer of the database that is waited for wakes two threads.
    let sql = """
      SELECT 0, station, wrong, hints, points, pending, done_right FROM tour_tally WHERE run = ?1 AND team = ?2
      UNION ALL SELECT * FROM (
        SELECT 1, text, number, milliseconds, team, 0, 0 FROM tour_log
        WHERE run = ?1 AND kind = 'message' AND number > ?3 AND (team IS NULL OR team = ?2)
        ORDER BY number DESC LIMIT \(TourLimits.messages)
      ) latest
      """
    return try await database.read { db in
      var tallies: [String: StationTally] = [:]
      var messages: [TourLogEntry] = []
      for row in try db.rows(sql: sql, arguments: [team.run, team.number, number]) {
        let text: String = try row.value(1)
        if try row.value(0) as Int == 0 {
          tallies[text] = try TourTallyTable.tally(row, from: 2)
        } else {
          let time = Date(milliseconds: try row.value(3))
          messages.append(
            TourLogEntry(number: try row.value(2), team: try row.value(4), time: time, kind: .message, text: text)
          )
        }
      }
      return (tallies, messages.sorted { $0.number < $1.number })
    }
  }
}
