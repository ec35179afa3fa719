import Foundation
import SightlineInput
import SightlineStore

extension Accounts {
  /// What a code turned out to be.
  enum CodeUse: Equatable, Sendable {
    /// The device's.
    case time
    /// One of the recovery codes; it is used up.
    case recovery
  }

  /// Takes a code of an account's second factor.
  ///
  /// - Throws: ``AccountError/tooManyCodes(wait:)``; nothing else that a client is told about.
  /// - Returns: `nil` when it is wrong, or was taken before.
  func takeCode(_ typed: String, of account: Account) async throws -> CodeUse? {
    let now = clock()
    // Nothing that long is a code; what is counted is tries.
    let typed = String(typed.prefix(64))
    guard case .allowed(let factor) = try await attempt(account, confirmed: true) else { return nil }
    if let step = TimeCode.step(of: typed, secret: factor.secret, after: factor.lastStep, at: now) {
      return try await secondFactors.useTimeCode(of: account.id, step: step) ? .time : nil
    }
    guard let digest = RecoveryCode.digest(typed) else { return nil }
    return try await secondFactors.useRecoveryCode(of: account.id, digest: digest) ? .recovery : nil
  }

  /// Confirms a second factor that was begun: the code shows that the device has the secret.
  ///
  /// - Returns: The recovery codes; `nil` when the code is wrong.
  func confirmSecondFactor(_ typed: String, of session: AccountSession) async throws -> [String]? {
    let now = clock()
    switch try await attempt(session.account, confirmed: false) {
    case .none, .blocked:
      throw AccountError.factorNotBegun
    case .allowed(let factor):
      let typed = String(typed.prefix(64))
      guard let step = TimeCode.step(of: typed, secret: factor.secret, after: factor.lastStep, at: now) else {
        return nil
      }
      let codes = RecoveryCode.make()
      let isDone = try await secondFactors.confirmSecondFactor(
        of: session.account.id,
        step: step,
        recovery: codes.compactMap(RecoveryCode.digest),
        keeping: session.id,
        at: now
      )
      return isDone ? codes : nil
    }
  }

  /// Counts an attempt, or refuses it.
  private func attempt(_ account: Account, confirmed: Bool) async throws -> CodeAttempt {
    let now = clock()
    let attempt = try await secondFactors.countCodeAttempt(of: account.id, confirmed: confirmed, at: now)
    guard case .blocked(let until) = attempt else { return attempt }
    let seconds = max(1, Int(clamped: until.timeIntervalSince(now).rounded(.up)))
    throw AccountError.tooManyCodes(wait: seconds)
  }

  /// Whether somebody has to set up a second factor before doing anything else.
  func lacksSecondFactor(_ account: Account) -> Bool {
    !account.hasSecondFactor && secondFactorPolicy.isRequired(for: account.role)
  }
}

/// Who has to have a second factor.
public enum SecondFactorPolicy: String, CaseIterable, Sendable {
  /// Nobody has to; everybody may.
  case none
  /// Operators.
  case operators
  /// Everybody who has an account.
  case authors

  /// Whether a role has to have one.
  func isRequired(for role: AccountRole) -> Bool {
    switch self {
    case .none: false
    case .operators: role == .operator
    case .authors: true
    }
  }
}
