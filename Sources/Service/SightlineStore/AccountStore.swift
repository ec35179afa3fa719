public import Foundation

/// What an account may do.
public enum AccountRole: String, Codable, CaseIterable, Sendable {
  /// Makes worlds, posters and tours, and changes their own.
  case author
  /// The same with everybody's, and manages accounts.
  case `operator`
}

/// Somebody who may sign in.
public struct Account: Equatable, Sendable, Identifiable {
  /// Number in the store; never used twice.
  public var id: Int64
  /// What is typed to sign in; see ``AccountName``.
  public var name: String
  /// What the account may do.
  public var role: AccountRole
  /// Whether it may sign in.
  public var isActive: Bool
  /// When it was made.
  public var created: Date
  /// When it last signed in.
  public var lastSignIn: Date?
  /// Whether signing in takes a code of a second factor, too.
  public var hasSecondFactor: Bool

  /// An account with every member given.
  public init(
    id: Int64,
    name: String,
    role: AccountRole,
    isActive: Bool,
    created: Date,
    lastSignIn: Date?,
    hasSecondFactor: Bool = false
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.isActive = isActive
    self.created = created
    self.lastSignIn = lastSignIn
    self.hasSecondFactor = hasSecondFactor
  }
}

/// Names of accounts.
public enum AccountName {
  /// Longest name, characters.
  public static let maximumLength = 64

  /// What stands in the history of others' worlds in the place of an account that was deleted; nobody can have it.
  public static let deleted = "(deleted)"

  /// The one form of a name: lower case, composed, without blanks at its ends; `nil` for what cannot be a name.
  ///
  /// Letters and digits of any script, and `. _ - @ +`, so that addresses of mail can be used.
  public static func normalized(_ text: String) -> String? {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCompatibilityMapping
      .lowercased()
    guard !name.isEmpty, name.count <= maximumLength, name.utf8.count <= 4 * maximumLength else { return nil }
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "._-@+".contains($0) }
    return isPlain ? name : nil
  }
}

/// A browser that is signed in.
public struct AccountSession: Equatable, Sendable {
  /// Number in the store.
  public var id: Int64
  /// Whose it is.
  public var account: Account
  /// Secret that pages of this session send with every change.
  public var csrf: String
  /// When it was made.
  public var created: Date
  /// When it was last used, to the minute.
  public var used: Date
  /// When its token was last changed.
  public var rotated: Date
  /// Where it was begun.
  public var origin: RequestOrigin

  /// A session with every member given.
  public init(
    id: Int64,
    account: Account,
    csrf: String,
    created: Date,
    used: Date,
    rotated: Date,
    origin: RequestOrigin = RequestOrigin()
  ) {
    self.id = id
    self.account = account
    self.csrf = csrf
    self.created = created
    self.used = used
    self.rotated = rotated
    self.origin = origin
  }
}

/// What a one-time link is for, and where it comes from.
public struct Invitation: Equatable, Sendable, Identifiable {
  /// Number in the store.
  public var id: Int64
  /// Role of the account that is made with it; that of the account whose password is set anew.
  public var role: AccountRole
  /// The account whose password is set anew; `nil` for a new one.
  public var account: Account?
  /// The operator who made it; `nil` for the command line, and for the link of a first start.
  public var creator: Account?
  /// When it was made.
  public var made: Date
  /// When it ends.
  public var expires: Date

  /// An invitation with every member given.
  public init(id: Int64, role: AccountRole, account: Account?, creator: Account?, made: Date, expires: Date) {
    self.id = id
    self.role = role
    self.account = account
    self.creator = creator
    self.made = made
    self.expires = expires
  }
}

/// Where accounts, sessions and one-time links are kept.
///
/// Tokens come as the SHA-256 of what the browser holds: whoever reads the database can sign in with nothing in it.
public protocol AccountStore: SecondFactorStore, SecurityLogStore {
  /// All accounts, by name.
  func accounts() async throws -> [Account]

  /// An account; `nil` when there is none.
  func account(_ id: Int64) async throws -> Account?

  /// An account and its password's hash, by its normalized name; `nil` when there is none.
  func credentials(of name: String) async throws -> (account: Account, password: String)?

  /// Makes an account. When it is the first and an operator's, links for a first operator end.
  ///
  /// - Returns: The account, or `nil` when the name is taken.
  func addAccount(name: String, role: AccountRole, password: String) async throws -> Account?

  /// Changes role and activity; sessions of an account that loses either end, and the links it has made.
  ///
  /// - Returns: Whether there is such an account, and it is not the last active operator losing that.
  func changeAccount(_ id: Int64, role: AccountRole, isActive: Bool) async throws -> Bool

  /// Sets the hash of a password; all sessions of the account but one end, and links for a new password.
  func setPassword(_ password: String, of id: Int64, keeping session: Int64?) async throws

  /// Puts another hash of the same password in the place of one; sessions and links stay.
  ///
  /// Nothing happens when the password was changed meanwhile.
  func renewPassword(_ password: String, replacing old: String, of id: Int64) async throws

  /// Begins a session.
  func addSession(
    token: Data,
    csrf: String,
    account: Int64,
    origin: RequestOrigin,
    at time: Date
  ) async throws -> AccountSession

  /// A session of an active account; `nil` when it has ended.
  func session(_ id: Int64) async throws -> AccountSession?

  /// Sessions of an account, the last used first.
  func sessions(of account: Int64) async throws -> [AccountSession]

  /// The session of a token, or of the one before it for `grace` seconds after it was changed.
  func session(token: Data, at time: Date, grace: TimeInterval) async throws -> AccountSession?

  /// Notes that a session is in use.
  func touchSession(_ id: Int64, at time: Date) async throws

  /// Gives a session a new token.
  ///
  /// - Returns: Whether it was done; not when another request has done it since `rotated`.
  func rotateSession(_ id: Int64, token: Data, rotated: Date, at time: Date) async throws -> Bool

  /// Ends a session.
  func endSession(_ id: Int64) async throws

  /// Ends all sessions of an account, but for one.
  ///
  /// - Returns: How many.
  @discardableResult
  func endSessions(of account: Int64, keeping session: Int64?) async throws -> Int

  /// Removes sessions not used since the first date or made before the second, and links that have ended by the third.
  func removeStale(unusedSince: Date, madeBefore: Date, linksBefore: Date) async throws

  /// Keeps a one-time link; with `replacing` all others for new accounts end.
  ///
  /// `creator` is the operator who makes it: when he is none any more, the link ends.
  func addInvitation(
    token: Data,
    role: AccountRole,
    account: Int64?,
    creator: Int64?,
    made: Date,
    expires: Date,
    replacing: Bool
  ) async throws

  /// Links that can be used, the latest first.
  func invitations(at time: Date) async throws -> [Invitation]

  /// Ends a link.
  ///
  /// - Returns: What it was for; `nil` when there is none.
  func removeInvitation(_ id: Int64) async throws -> Invitation?

  /// What a link is for; `nil` for one that is unknown, used, or has ended.
  func invitation(token: Data, at time: Date) async throws -> Invitation?

  /// Uses a link for a new account: both happen or neither does.
  func acceptInvitation(token: Data, name: String, password: String, at time: Date) async throws -> InvitationOutcome

  /// Notes that an author uses a file, if the author's files stay within a number of bytes.
  ///
  /// A file counts once for each author who uploaded it.
  ///
  /// - Returns: Bytes in use by the author after the call; `nil` when the file would go beyond.
  func claimAsset(_ hash: String, bytes: Int, account: Int64, limit: Int) async throws -> Int?

  /// Files of an author and their bytes.
  func assetUse(of account: Int64) async throws -> (count: Int, bytes: Int)

  /// What an account has; `nil` when there is no such account.
  func belongings(of account: Int64) async throws -> AccountBelongings?

  /// Deletes an account with all it has, or hands what others see of it to another account.
  ///
  /// In the history of others' worlds ``AccountName/deleted`` takes its place. Files are no longer counted for it; those
  /// that nothing refers to are removed by the store's keeping.
  func deleteAccount(_ id: Int64, transferringTo heir: Int64?) async throws -> AccountDeletion
}

/// What became of a one-time link.
public enum InvitationOutcome: Equatable, Sendable {
  /// The account is made, or its password set.
  case accepted(Account)
  /// The name is taken; the link can be used again with another.
  case nameTaken
  /// There is no such link, or no more.
  case unknown
}

/// All that the server keeps.
public typealias ServerStore = WorldStore & AccountStore & StudioStore & PosterStore & TourStore & RetentionStore
