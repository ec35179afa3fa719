public import Foundation

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

/// Where one-time links are kept: for new accounts, and for new passwords.
///
/// Tokens come as the SHA-256 of what the link holds.
public protocol InvitationStore: Sendable {
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

  /// Removes links that have ended by a time.
  func removeExpired(before time: Date) async throws
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
