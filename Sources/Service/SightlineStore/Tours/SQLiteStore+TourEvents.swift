public import Foundation
import GRDB
import SightlineContent
import SightlineInput
public import SightlineTours

extension SQLiteStore {
  private static let eventColumns = """
    number, team, id, station, kind, value, received_milliseconds, made_milliseconds, latitude, longitude, accuracy,
    distance, place, verdict, refusal, points, late, marked_milliseconds
    """

  static func fix(_ latitude: Double?, _ longitude: Double?, _ accuracy: Double?) -> TourFix? {
    guard let latitude, let longitude else { return nil }
    return TourFix(position: Position(latitude: latitude, longitude: longitude), accuracy: accuracy)
  }

  /// The value of a kind as a JSON text: `[0,2]`, `"four"`, `1`, `null`.
  private static func value(of kind: TourEvent.Kind) throws -> String {
    switch kind {
    case .choice(let chosen): "[\(chosen.map(String.init).joined(separator: ","))]"
    case .text(let text): String(decoding: try ContentJSON.encode(text), as: UTF8.self)
    case .hint(let number): "\(number)"
    case .visit: "null"
    }
  }

  private static func kind(_ name: String, _ value: String) throws -> TourEvent.Kind {
    let bytes = Data(value.utf8)
    return switch name {
    case "choice": .choice(try ContentJSON.decode([Int].self, from: bytes))
    case "text": .text(try ContentJSON.decode(String.self, from: bytes))
    case "hint": .hint(Int(value) ?? 0)
    default: .visit
    }
  }

  private static func event(_ row: Row) throws -> StoredEvent {
    StoredEvent(
      number: try row.value(0),
      team: try row.value(1),
      received: date(try row.value(6)),
      made: date(try row.value(7)),
      fix: fix(try row.value(8), try row.value(9), try row.value(10)),
      record: TourRecord(
        id: try row.value(2),
        station: try row.value(3),
        kind: try kind(row.value(4), row.value(5)),
        verdict: TourVerdict(rawValue: try row.value(13)) ?? .refused,
        refusal: (try row.value(14) as String?).flatMap(TourRefusal.init(rawValue:)),
        points: try row.value(15),
        place: TourPlace(rawValue: try row.value(12)) ?? .unknown,
        distance: try row.value(11),
        isLate: try row.value(16)
      ),
      marked: (try row.value(17) as Int64?).map(date)
    )
  }

  private static func events(
    _ condition: String,
    _ arguments: StatementArguments,
    _ db: Database
  ) throws
    -> [StoredEvent]
  {
    let statement = try db.cachedStatement(
      sql: "SELECT \(eventColumns) FROM tour_event WHERE \(condition) ORDER BY number"
    )
    return try Row.fetchAll(statement, arguments: arguments).map(event)
  }

  /// What a team has done.
  public func records(run: String, team: Int) async throws -> [TourRecord] {
    try await pool.read { db in try Self.records(run: run, team: team, db) }
  }

  static func records(run: String, team: Int, _ db: Database) throws -> [TourRecord] {
    try events("run = ? AND team = ?", [run, team], db).map(\.record)
  }

  /// All that was done in a run, in the order of arrival.
  public func events(of run: String) async throws -> [StoredEvent] {
    try await pool.read { db in try Self.events("run = ?", [run], db) }
  }

  /// Judges and keeps events of one phone, in order, each once.
  ///
  /// Submissions that arrive while others are being written share one transaction with their neighbours, so that a class
  /// that answers at once waits for the disk once.
  public func submit(_ submission: TourSubmission) async throws -> TourOutcome {
    try await submissions.submit(submission, to: self)
  }

  /// All of a batch in one transaction, each with an outcome of its own.
  func write(_ batch: [TourSubmission]) async throws -> [Result<TourOutcome, any Error>] {
    try await pool.write { db in
      var runs: [String: StoredRun] = [:]
      return try batch.map { submission in
        var result: Result<TourOutcome, any Error> = .failure(CancellationError())
        // A fault of one submission must not take the others' answers with it.
        try db.inSavepoint {
          do {
            result = .success(try Self.write(submission, &runs, db))
            return .commit
          } catch {
            result = .failure(error)
            return .rollback
          }
        }
        return result
      }
    }
  }

  static func write(
    _ submission: TourSubmission,
    _ runs: inout [String: StoredRun],
    _ db: Database
  ) throws -> TourOutcome {
    let team = submission.device.team
    let run: StoredRun
    if let known = runs[team.run] {
      run = known
    } else {
      guard let found = try Self.runs("r.id = ?", [team.run], db).first else { throw TourStoreError.gone }
      runs[team.run] = found
      run = found
    }
    let sequenceStatement = try db.cachedStatement(
      sql: "SELECT sequence FROM tour_device WHERE token = ? AND run = ? AND team = ?"
    )
    guard
      var sequence = try Int.fetchOne(
        sequenceStatement,
        arguments: [submission.device.token, team.run, team.number]
      )
    else { throw TourStoreError.gone }
    let rules = TourRules(tour: run.tour, schedule: run.schedule, isTrial: run.isTrial)
    var outcome = TourOutcome(
      events: [],
      isOutOfOrder: false,
      tallies: try tallies(run: team.run, team: team.number, db)
    )
    var counts = try TeamCounts(run: team.run, team: team.number, db)
    var changed: Set<String> = []
    let (before, countsBefore) = (sequence, counts)
    for event in submission.events {
      if let known = try events("run = ? AND id = ?", [team.run, event.id], db).first {
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
      outcome.events.append((try insert(record, event, submission, run.tour.rounding, isKept: isKept, db), isKept))
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
      try write(outcome.tallies[station] ?? StationTally(), run: team.run, team: team.number, station: station, db)
    }
    if counts != countsBefore { try counts.write(run: team.run, team: team.number, db) }
    if sequence != before {
      try db.cachedStatement(sql: "UPDATE tour_device SET sequence = ? WHERE token = ?")
        .execute(arguments: [sequence, submission.device.token])
    }
    return outcome
  }

  private static func insert(
    _ record: TourRecord,
    _ event: TourEvent,
    _ submission: TourSubmission,
    _ rounding: Double,
    isKept: Bool,
    _ db: Database
  ) throws -> StoredEvent {
    let team = submission.device.team
    let fix = event.fix?.rounded(to: rounding)
    let made = min(event.made, submission.received)
    var stored = StoredEvent(
      number: 0,
      team: team.number,
      received: submission.received,
      made: made,
      fix: fix,
      record: record,
      marked: nil
    )
    guard isKept else { return stored }
    try db.cachedStatement(
      sql: """
        INSERT INTO tour_event (run, team, id, station, kind, value, received_milliseconds, made_milliseconds, latitude,
          longitude, accuracy, distance, place, verdict, refusal, points, late)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      team.run, team.number, event.id, event.station, event.kind.name, try value(of: event.kind),
      milliseconds(submission.received), milliseconds(made), fix?.position.latitude, fix?.position.longitude,
      fix?.accuracy, rounding > 0 ? nil : record.distance, record.place.rawValue, record.verdict.rawValue,
      record.refusal?.rawValue, record.points, record.isLate,
    ])
    stored.number = db.lastInsertedRowID
    return stored
  }

  /// Marks an answer in words: right with all or some of its points, wrong with none.
  public func mark(event number: Int64, run: String, points: Int, at time: Date) async throws -> StoredEvent? {
    try await pool.write { db in
      guard let event = try Self.events("run = ? AND number = ?", [run, number], db).first,
        event.record.kind.name == "text", event.record.verdict == .pending || event.marked != nil
      else { return nil }
      let verdict: TourVerdict = points > 0 ? .right : .wrong
      try db.execute(
        sql: "UPDATE tour_event SET verdict = ?, points = ?, marked_milliseconds = ? WHERE number = ?",
        arguments: [verdict.rawValue, points, Self.milliseconds(time), number]
      )
      // One station's records once for each mark; phones ask for the sums every few seconds.
      let records = try Self.events(
        "run = ? AND team = ? AND station = ?",
        [run, event.team, event.record.station],
        db
      )
      let tally = StationTally.of(records.map(\.record))[event.record.station] ?? StationTally()
      try Self.write(tally, run: run, team: event.team, station: event.record.station, db)
      let text = "\(number) \(points)"
      _ = try Self.insertLog(.marked, run: run, team: event.team, text: text, at: time, db)
      return try Self.events("run = ? AND number = ?", [run, number], db).first
    }
  }
}

/// Why an event could not be kept.
public enum TourStoreError: Error, Equatable {
  /// The run, the team or the phone's right to play is gone.
  case gone
  /// Another team has an event with the same identifier.
  case foreignEvent
  /// The tour has as many runs as one may have.
  case tooManyRuns
}

/// Gathers submissions while a transaction runs and writes them together in the next.
actor SubmissionQueue {
  private typealias Waiting = (submission: TourSubmission, done: CheckedContinuation<TourOutcome, any Error>)
  private var waiting: [Waiting] = []
  private var isWriting = false

  /// Most submissions in one transaction.
  private static let largestBatch = 256

  func submit(_ submission: TourSubmission, to store: SQLiteStore) async throws -> TourOutcome {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append((submission, continuation))
      guard !isWriting else { return }
      isWriting = true
      Task { await write(to: store) }
    }
  }

  private func write(to store: SQLiteStore) async {
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(Self.largestBatch))
      waiting.removeFirst(batch.count)
      do {
        let outcomes = try await store.write(batch.map(\.submission))
        for (entry, outcome) in zip(batch, outcomes) { entry.done.resume(with: outcome) }
      } catch {
        for entry in batch { entry.done.resume(throwing: error) }
      }
    }
    isWriting = false
  }
}
