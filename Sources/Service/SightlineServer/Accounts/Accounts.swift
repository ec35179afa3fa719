import Foundation
import SightlineStore

/// Who may do what: accounts, their sessions and second factors.
///
/// Handlers that run only for those who may are in `Routes/Accounts+Guards.swift`.
final class Accounts: Sendable {
  let store: any AccountStore
  let sessions: any SessionStore
  let invitations: any InvitationStore
  let secondFactors: any SecondFactorStore
  let securityLog: any SecurityLogStore
  let isSecure: Bool
  let publicURL: String?
  let hasher: PasswordHasher
  let limiter: SignInLimiter
  /// Who has to have a second factor.
  let secondFactorPolicy: SecondFactorPolicy
  let clock: @Sendable () -> Date
  /// Told of every line of the security log.
  let onEvent: @Sendable (SecurityEvent.Kind) -> Void

  /// A session ends when it was not used for this long, seconds.
  static let idleTime: TimeInterval = 2 * 3600
  /// A session ends this long after signing in, seconds.
  static let longestTime: TimeInterval = 12 * 3600
  /// A session's token is changed after this long, seconds.
  static let rotationTime: TimeInterval = 15 * 60
  /// How long a token is still taken after the change: requests on their way at that moment have it, seconds.
  static let grace: TimeInterval = 60

  init(
    store: any AccountStore,
    sessions: any SessionStore,
    invitations: any InvitationStore,
    secondFactors: any SecondFactorStore,
    securityLog: any SecurityLogStore,
    signInFailures: any SignInFailureStore,
    isSecure: Bool,
    publicURL: String?,
    hasher: PasswordHasher = PasswordHasher(),
    secondFactorPolicy: SecondFactorPolicy = .none,
    onEvent: @escaping @Sendable (SecurityEvent.Kind) -> Void = { _ in },
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.sessions = sessions
    self.invitations = invitations
    self.secondFactors = secondFactors
    self.securityLog = securityLog
    limiter = SignInLimiter(store: signInFailures)
    self.isSecure = isSecure
    self.publicURL = publicURL
    self.hasher = hasher
    self.secondFactorPolicy = secondFactorPolicy
    self.onEvent = onEvent
    self.clock = clock
  }

  // MARK: Sessions

  /// Whether a session is over by disuse or by age.
  func hasEnded(_ session: AccountSession, at time: Date) -> Bool {
    time.timeIntervalSince(session.used) > Accounts.idleTime
      || time.timeIntervalSince(session.created) > Accounts.longestTime
  }

  /// Whether a session still has the rights that an answer which goes on for long was begun with, and is in use by it.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - isAllowed: What its account has to be allowed now.
  /// - Returns: Whether the answer may go on.
  /// - Throws: What the store throws.
  func goesOn(_ id: Int64, _ isAllowed: (Account) -> Bool) async throws -> Bool {
    let now = clock()
    guard let session = try await sessions.session(id), !hasEnded(session, at: now),
      !lacksSecondFactor(session.account),
      isAllowed(session.account)
    else { return false }
    if now.timeIntervalSince(session.used) >= 60 { try await sessions.touchSession(session.id, at: now) }
    return true
  }

  /// Takes sessions, links, failures and lines of the security log out of the store that have ended.
  func removeStale() async throws {
    let now = clock()
    try await sessions.removeStale(
      unusedSince: now.addingTimeInterval(-Accounts.idleTime),
      madeBefore: now.addingTimeInterval(-Accounts.longestTime)
    )
    try await invitations.removeExpired(before: now)
    try await limiter.forget(at: now)
    _ = try await securityLog.removeOldSecurityEvents(before: now.addingTimeInterval(-SecurityEvent.keepingTime))
  }
}

extension Account {
  /// Whether an object of `owner` may be changed: by its owner and by operators.
  func mayChange(ownedBy owner: Int64?) -> Bool { role == .operator || owner == id }

  /// Refuses changes to what belongs to somebody else; without owner it belongs to the operators.
  func require(owner: Int64?) throws(AccountError) {
    guard mayChange(ownedBy: owner) else { throw .notOwner }
  }
}
