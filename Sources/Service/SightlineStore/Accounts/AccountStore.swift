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

/// Where accounts are kept.
///
/// What an account may do decides over its sessions and links: changes of it end those that have lost their ground, in
/// the same transaction.
public protocol AccountStore: Sendable {
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

  /// What an account has; `nil` when there is no such account.
  func belongings(of account: Int64) async throws -> AccountBelongings?

  /// Deletes an account with all it has, or hands what others see of it to another account.
  ///
  /// In the history of others' worlds ``AccountName/deleted`` takes its place. Files are no longer counted for it; those
  /// that nothing refers to are removed by the store's keeping.
  func deleteAccount(_ id: Int64, transferringTo heir: Int64?) async throws -> AccountDeletion
}
