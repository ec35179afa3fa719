import Foundation
import SightlineInput
import SightlineTours

extension SQLTourTeamStore {
  /// What a team has done.
  func records(run: String, team: Int) async throws -> [TourRecord] {
    try await database.read { db in try Self.records(run: run, team: team, db) }
  }

  static func records(run: String, team: Int, _ db: any SQLConnection) throws -> [TourRecord] {
    try TourEventTable.events("run = ? AND team = ?", [run, team], db).map(\.record)
  }

  /// What a team has done at each station where it did something, added up.
  func tallies(run: String, team: Int) async throws -> [String: StationTally] {
    try await database.read { db in try TourTallyTable.tallies(run: run, team: team, db) }
  }

  /// Judges and keeps events of one phone, in order, each once.
  ///
  /// Submissions that arrive while others are being written share one transaction with their neighbours, so that a class
  /// that answers at once waits for the disk once.
  func submit(_ submission: TourSubmission) async throws -> TourOutcome {
    try await submissions.submit(submission, to: self)
  }

  func forgetAll() { knownRuns.forgetAll() }

  /// All of a batch in one transaction, each with an outcome of its own.
  func write(_ batch: [TourSubmission]) async throws -> [Result<TourOutcome, any Error>] {
    try await database.write { [knownRuns] db in
      // One that is alone fails with its transaction.
      if batch.count == 1 { return [.success(try Self.write(batch[0], knownRuns, db))] }
      return try batch.map { submission in
        // A fault of one submission must not take the others' answers with it.
        try db.savepoint { try Self.write(submission, knownRuns, db) }
      }
    }
  }

  static func write(
    _ submission: TourSubmission,
    _ knownRuns: KnownRuns,
    _ db: any SQLConnection
  ) throws -> TourOutcome {
    let team = submission.device.team
    guard
      let row = try db.row(
        sql: """
          SELECT d.sequence, r.revision FROM tour_device d JOIN tour_run r ON r.id = d.run
          WHERE d.token = ? AND d.run = ? AND d.team = ?
          """,
        arguments: [submission.device.token, team.run, team.number]
      )
    else { throw TourStoreError.gone }
    var sequence: Int = try row.value(0)
    let run = try knownRuns.run(team.run, revision: try row.value(1), db)
    let rules = TourRules(tour: run.tour, schedule: run.schedule, isTrial: run.isTrial)
    var outcome = TourOutcome(
      events: [],
      isOutOfOrder: false,
      tallies: try TourTallyTable.tallies(run: team.run, team: team.number, db)
    )
    var counts = try TeamCounts(run: team.run, team: team.number, db)
    var changed: Set<String> = []
    let (before, countsBefore) = (sequence, counts)
    for event in submission.events {
      if let known = try TourEventTable.events("run = ? AND id = ?", [team.run, event.id], db).first {
        guard known.team == team.number else { throw TourStoreError.foreignEvent }
        outcome.events.append((known, false))
        continue
      }
      guard counts.events < TourEvent.mostOfTeam else {
        outcome.isFull = true
        break
      }
      if event.sequence != 0 {
        guard event.sequence > sequence else {
          outcome.isOutOfOrder = true
          break
        }
        sequence = event.sequence
      }
      let record = rules.judge(event, received: submission.received, tallies: outcome.tallies, seed: team.seed)
      let isRefused = record.verdict == .refused
      // Enough of those that count nothing is kept: the phone learns what became of it all the same.
      let isKept = !isRefused || counts.refused < TourEvent.mostRefusedOfTeam
      outcome.events.append(
        (try TourEventTable.insert(record, event, submission, run.tour.rounding, isKept: isKept, db), isKept)
      )
      guard isKept else { continue }
      counts.events = counts.events.saturatingAdd(1)
      if isRefused {
        counts.refused = counts.refused.saturatingAdd(1)
      } else {
        outcome.tallies[record.station, default: StationTally()].add(record)
        changed.insert(record.station)
      }
    }
    for station in changed {
      try TourTallyTable.write(
        outcome.tallies[station] ?? StationTally(),
        run: team.run,
        team: team.number,
        station: station,
        db
      )
    }
    if counts != countsBefore { try counts.write(run: team.run, team: team.number, db) }
    if sequence != before {
      try db.execute(
        sql: "UPDATE tour_device SET sequence = ? WHERE token = ?",
        arguments: [sequence, submission.device.token]
      )
    }
    return outcome
  }
}
