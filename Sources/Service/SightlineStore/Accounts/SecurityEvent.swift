public import Foundation

/// Where a request came from, in words too coarse to follow anybody by.
public struct RequestOrigin: Equatable, Sendable {
  /// Browser and system, such as `Firefox/Android`; empty when neither is known.
  public var device: String
  /// The network, such as `192.0.2.0/24` or `2001:db8:1::/48`; empty when it is not known.
  public var network: String

  /// An origin.
  public init(device: String = "", network: String = "") {
    self.device = device
    self.network = network
  }

  /// Somebody at the server's command line.
  public static let commandLine = RequestOrigin(device: "sightline")
}

/// One line of the security log.
public struct SecurityEvent: Equatable, Sendable, Identifiable {
  /// What has happened.
  public enum Kind: String, CaseIterable, Sendable {
    /// Somebody signed in.
    case signedIn = "signed-in"
    /// Name and password did not belong together, or the account is closed.
    case signInFailed = "sign-in-failed"
    /// Name and password were right, the code of the second factor was not.
    case codeFailed = "code-failed"
    /// A recovery code took the place of the second factor.
    case recoveryCodeUsed = "recovery-code-used"
    /// Somebody signed out.
    case signedOut = "signed-out"
    /// Sessions were ended from another one.
    case sessionsRevoked = "sessions-revoked"
    /// The password was changed by its owner.
    case passwordChanged = "password-changed"
    /// The present password was not given rightly where it was asked for.
    case passwordRefused = "password-refused"
    /// A link for a new password was made.
    case resetLinkMade = "reset-link-made"
    /// A password was set with such a link.
    case passwordReset = "password-reset"
    /// A link for a new account was made.
    case invitationMade = "invitation-made"
    /// An account was made with such a link.
    case invitationUsed = "invitation-used"
    /// A link was revoked before it was used.
    case linkRevoked = "link-revoked"
    /// An account was made on the command line.
    case accountMade = "account-made"
    /// The role was changed; the detail is the new one.
    case roleChanged = "role-changed"
    /// The account was closed.
    case accountClosed = "account-closed"
    /// The account was opened again.
    case accountOpened = "account-opened"
    /// The account was deleted.
    case accountDeleted = "account-deleted"
    /// A second factor was set up.
    case secondFactorSet = "second-factor-set"
    /// The second factor was taken away.
    case secondFactorRemoved = "second-factor-removed"
    /// New recovery codes took the place of the old ones.
    case recoveryCodesMade = "recovery-codes-made"

    /// Whether it is an attempt that failed: strangers can make as many of these as they like, so they are counted apart.
    public var isFailure: Bool { self == .signInFailed || self == .codeFailed || self == .passwordRefused }
  }

  /// Number in the store, rising.
  public var id: Int64
  /// When it happened.
  public var time: Date
  /// What happened.
  public var kind: Kind
  /// The account that it happened to; `nil` for a name that nobody has.
  public var account: Int64?
  /// The account that did it, when that is another one.
  public var actor: Int64?
  /// Where from.
  public var origin: RequestOrigin
  /// A word more, such as the new role.
  ///
  ///
  /// Never anything that somebody typed.
  public var detail: String

  /// An event with every member given; the store gives the number.
  public init(
    id: Int64 = 0,
    time: Date,
    kind: Kind,
    account: Int64?,
    actor: Int64? = nil,
    origin: RequestOrigin,
    detail: String = ""
  ) {
    self.id = id
    self.time = time
    self.kind = kind
    self.account = account
    self.actor = actor
    self.origin = origin
    self.detail = detail
  }

  /// Most lines that are kept; of attempts that failed, and of all else.
  public static let most = (failures: 5000, others: 20_000)
  /// How long a line is kept, seconds.
  public static let keepingTime: TimeInterval = 180 * 24 * 3600
}

/// Where the security log is kept.
public protocol SecurityLogStore: Sendable {
  /// Writes a line, and removes the oldest beyond ``SecurityEvent/most``.
  func addSecurityEvent(_ event: SecurityEvent) async throws

  /// A page of the log, the latest first.
  ///
  /// - Parameters:
  ///   - account: Whom the lines are about or by; `nil` for all.
  ///   - before: Number of the last line of the page before; `nil` for the first page.
  ///   - limit: Most lines.
  /// - Returns: The lines; names are of accounts that are still there.
  /// - Throws: What the database throws.
  func securityEvents(of account: Int64?, before: Int64?, limit: Int) async throws -> SecurityLogPage

  /// Removes lines that are older.
  ///
  /// - Returns: How many.
  func removeOldSecurityEvents(before time: Date) async throws -> Int
}

/// A page of the security log.
public struct SecurityLogPage: Equatable, Sendable {
  /// The lines, the latest first.
  public var events: [SecurityEvent]
  /// Names of the accounts in it, as far as they are still there.
  public var names: [Int64: String]
  /// What to ask for the next page with; `nil` when this is the last one.
  public var next: Int64?
}
