import Foundation
import SightlineInput

/// Second factors in the database.
struct SQLSecondFactorStore: SecondFactorStore {
  let database: any SQLDatabase

  /// Keeps the secret of a second factor that is to be confirmed.
  func beginSecondFactor(of account: Int64, secret: Data, at time: Date) async throws -> Bool {
    let now = time.milliseconds
    return try await database.write { db in
      try db.execute(
        sql: """
          INSERT INTO second_factor (account, secret, begun_milliseconds) VALUES (?1, ?2, ?3)
          ON CONFLICT (account) DO UPDATE SET secret = ?2, begun_milliseconds = ?3
          WHERE second_factor.confirmed_milliseconds IS NULL
          """,
        arguments: [account, secret, now]
      ) > 0
    }
  }

  /// Counts an attempt.
  func countCodeAttempt(of account: Int64, confirmed: Bool, at time: Date) async throws -> CodeAttempt {
    try await database.write { db in
      let row = try db.row(
        sql: """
          SELECT secret, last_step, failures, blocked_milliseconds FROM second_factor
          WHERE account = ? AND confirmed_milliseconds IS \(confirmed ? "NOT NULL" : "NULL")
          """,
        arguments: [account]
      )
      guard let row else { return .none }
      let until = Date(milliseconds: try row.value(3))
      guard time >= until else { return .blocked(until: until) }
      let before: Int = try row.value(2)
      // The last wait's end lies so far back that it begins anew; without any wait nothing was counted to its end.
      let isForgotten = before >= CodeAttempts.free && time.timeIntervalSince(until) > CodeAttempts.longestWait
      let failures = isForgotten ? 1 : before.saturatingAdd(1)
      let next = time.addingTimeInterval(CodeAttempts.wait(after: failures))
      try db.execute(
        sql: "UPDATE second_factor SET failures = ?, blocked_milliseconds = ? WHERE account = ?",
        arguments: [failures, next.milliseconds, account]
      )
      return .allowed(
        SecondFactor(account: account, secret: try row.value(0), isConfirmed: confirmed, lastStep: try row.value(1))
      )
    }
  }

  /// Takes the code of a time step, once.
  func useTimeCode(of account: Int64, step: Int64) async throws -> Bool {
    try await database.write { db in
      try db.execute(
        sql: """
          UPDATE second_factor SET last_step = ?1, failures = 0, blocked_milliseconds = 0
          WHERE account = ?2 AND last_step < ?1 AND confirmed_milliseconds IS NOT NULL
          """,
        arguments: [step, account]
      ) > 0
    }
  }

  /// Takes a recovery code, once.
  func useRecoveryCode(of account: Int64, digest: Data) async throws -> Bool {
    try await database.write { db in
      let used = try db.execute(
        sql: "DELETE FROM recovery_code WHERE account = ? AND digest = ?",
        arguments: [account, digest]
      )
      guard used > 0 else { return false }
      try db.execute(
        sql: "UPDATE second_factor SET failures = 0, blocked_milliseconds = 0 WHERE account = ?",
        arguments: [account]
      )
      return true
    }
  }

  /// Makes the secret that was begun the account's second factor.
  func confirmSecondFactor(
    of account: Int64,
    step: Int64,
    recovery: [Data],
    keeping session: Int64,
    at time: Date
  ) async throws -> Bool {
    let now = time.milliseconds
    return try await database.write { db in
      let confirmed = try db.execute(
        sql: """
          UPDATE second_factor SET confirmed_milliseconds = ?, last_step = ?, failures = 0, blocked_milliseconds = 0
          WHERE account = ? AND confirmed_milliseconds IS NULL
          """,
        arguments: [now, step, account]
      )
      guard confirmed > 0 else { return false }
      try Self.replaceRecoveryCodes(recovery, of: account, db)
      // They were begun without it.
      try SQLSessionStore.endAll(of: account, keeping: session, db)
      return true
    }
  }

  private static func replaceRecoveryCodes(_ digests: [Data], of account: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM recovery_code WHERE account = ?", arguments: [account])
    for digest in digests {
      try db.execute(sql: "INSERT INTO recovery_code (account, digest) VALUES (?, ?)", arguments: [account, digest])
    }
  }

  /// Puts new recovery codes in the place of the old ones.
  func setRecoveryCodes(_ digests: [Data], of account: Int64) async throws {
    try await database.write { db in try Self.replaceRecoveryCodes(digests, of: account, db) }
  }

  /// Recovery codes that are left.
  func recoveryCodeCount(of account: Int64) async throws -> Int {
    try await database.read { db in
      try db.value(Int.self, sql: "SELECT count(*) FROM recovery_code WHERE account = ?", arguments: [account]) ?? 0
    }
  }

  /// Takes the second factor away.
  func removeSecondFactor(of account: Int64) async throws -> Bool {
    try await database.write { db in
      let had = try db.value(
        Bool.self,
        sql: "SELECT confirmed_milliseconds IS NOT NULL FROM second_factor WHERE account = ?",
        arguments: [account]
      )
      try db.execute(sql: "DELETE FROM second_factor WHERE account = ?", arguments: [account])
      return had ?? false
    }
  }
}
